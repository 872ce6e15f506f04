package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// judge walks one script.
type judge struct {
	f    *check.File
	s    Script
	vars variables
	out  *check.Findings

	around []syntax.Node // the current command, outermost first
}

// judgeScript reports the dangerous commands of a parsed script.
func judgeScript(f *check.File, s Script, out *check.Findings) {
	j := &judge{f: f, s: s, vars: readVariables(s), out: out}
	syntax.Walk(s.prog, func(n syntax.Node) bool {
		if n == nil {
			j.around = j.around[:len(j.around)-1]
			return true
		}
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			// The statement is around it, and around that the command it is part of.
			if isPipe(n) && !isPipe(j.around[len(j.around)-2]) {
				j.pipe(n)
			}
		case *syntax.CallExpr:
			for _, a := range n.Assigns {
				j.assign(a)
			}
			cmd := readCommand(n)
			if check := checks[cmd.name]; check != nil {
				check(j, n, cmd)
			}
		case *syntax.DeclClause:
			for _, a := range n.Args {
				j.assign(a)
			}
		}
		j.around = append(j.around, n)
		return true
	})
}

func isPipe(n syntax.Node) bool {
	b, ok := n.(*syntax.BinaryCmd)
	return ok && slices.Contains([]syntax.BinCmdOperator{syntax.Pipe, syntax.PipeAll}, b.Op)
}

func (j *judge) hit(n syntax.Node, rule string, h debate.Hit) {
	first := j.s.headLine(n.Pos())
	last := max(first, j.s.headLine(n.End()))
	j.out.Hit(j.f, rule, first, last, h)
}

const pipeBody = "An attacker who controls the server or the connection runs code here, and an interrupted download runs half of it. Download to a file, check it against a known SHA-256, then run it."

func (j *judge) pipe(n *syntax.BinaryCmd) {
	fetched := ""
	for _, call := range pipeline(&syntax.Stmt{Cmd: n}) {
		cmd := readCommand(call)
		if fetched != "" && cmd.readsCode() {
			j.hit(n, "shell/pipe-to-shell", debate.Hit{Title: "Output of " + fetched + " is run by " + check.Shown(cmd.name), Body: pipeBody})
			return
		}
		if cmd.fetches() {
			fetched = cmd.name
		}
	}
}

// checks are the functions that check a command, by its name.
var checks = map[string]func(j *judge, call *syntax.CallExpr, cmd command){
	"sh": (*judge).runs, "bash": (*judge).runs, "dash": (*judge).runs, "ash": (*judge).runs, "ksh": (*judge).runs, "zsh": (*judge).runs,
	"source": (*judge).runs, ".": (*judge).runs, "eval": (*judge).eval,
	"rm": (*judge).remove, "chmod": (*judge).chmod, "git": (*judge).git,
	"curl": (*judge).fetch, "wget": (*judge).fetch, "npm": (*judge).install, "yarn": (*judge).install, "pnpm": (*judge).install,
}

// runs reports a shell with a download as its script.
func (j *judge) runs(call *syntax.CallExpr, cmd command) {
	if slices.ContainsFunc(cmd.args, substitutes) {
		j.hit(call, "shell/pipe-to-shell", debate.Hit{Title: "Download is run by " + cmd.name, Body: pipeBody})
	}
}

// fetch reports a remote download without a check of the certificate.
func (j *judge) fetch(call *syntax.CallExpr, cmd command) {
	insecure := insecureFlags[cmd.name]
	if cmd.hasFlag(insecure.long, insecure.short, insecure.takesValue) && !cmd.onlyLocal() {
		j.tlsOff(call, cmd.name+" does not check the certificate")
	}
}

// insecureFlags are the options of a command that turn the certificate check off, and its short
// options with a value.
var insecureFlags = map[string]struct{ long, short, takesValue string }{
	"curl": {"--insecure", "k", "AbcCdDeEFhHKmoPQrtTuUwxXyYz"},
	"wget": {long: "--no-check-certificate"},
}

// install reports a package manager of Node with the setting to accept every certificate.
func (j *judge) install(call *syntax.CallExpr, cmd command) {
	if strictOff().MatchString(strings.Join(cmd.words(), " ")) {
		j.tlsOff(call, cmd.name+" does not check certificates")
	}
}

var strictOff = lazyregexp.New(`strict-ssl[ =]false`)

func (j *judge) tlsOff(n syntax.Node, title string) {
	j.hit(n, "shell/tls-off", debate.Hit{Title: title, Body: "Anybody on the way can read and replace the data. Add the server's certificate authority to the trusted ones instead (curl --cacert, SSL_CERT_FILE)."})
}

// onlyLocal reports whether the command names URLs and all of them are on this machine or inside a
// cluster.
func (c command) onlyLocal() bool {
	local := false
	for _, a := range c.args {
		text, _ := literalWord(a)
		m := address().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if !localHost().MatchString(m[1] + m[2]) {
			return false
		}
		local = true
	}
	return local
}

var (
	localHost = lazyregexp.New(`^(?:localhost|127\.[^/?#]*|\[::1\]|0\.0\.0\.0|host\.docker\.internal|kubernetes\.default|[^/?#]*\.(?:local|svc|test|localhost))(?::[^/?#:]*)?(?:[/?#]|$)`)
	address   = lazyregexp.New(`(?s)^.*?://(.*)$|^((?:localhost|127\.).*)$`) // with a scheme, or on this machine
)

// tlsVariables turn the check off for every program under them.
var tlsVariables = map[string][]string{
	"NODE_TLS_REJECT_UNAUTHORIZED": {"0"}, "GIT_SSL_NO_VERIFY": {"1", "true"}, "PYTHONHTTPSVERIFY": {"0"},
}

func (j *judge) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	value, known := literalWord(a.Value)
	if known && slices.Contains(tlsVariables[a.Name.Value], value) {
		j.tlsOff(a, a.Name.Value+" switches the certificate check off")
	}
}

func (j *judge) eval(call *syntax.CallExpr, cmd command) {
	for _, a := range cmd.args {
		switch {
		case substitutes(a):
			j.hit(call, "shell/pipe-to-shell", debate.Hit{Title: "Download is run by eval", Body: pipeBody})
			return
		case slices.ContainsFunc(flatParts(a), j.isInput):
			j.hit(call, "shell/eval-input", debate.Hit{Body: "The argument chooses the command. Call the command directly with \"$@\", or choose by a case statement."})
			return
		}
	}
}

// isInput reports whether a part of a word is unchanged input from the caller of the script. In a
// function, the positional parameters are the function's own.
func (j *judge) isInput(p syntax.WordPart) bool {
	expansion, ok := p.(*syntax.ParamExp)
	if !ok || expansion.Exp != nil || expansion.Length {
		return false
	}
	switch variableOf(p) {
	case "SSH_ORIGINAL_COMMAND", "QUERY_STRING":
		return true
	case "@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return !j.s.Partial && !slices.ContainsFunc(j.around, func(n syntax.Node) bool { _, is := n.(*syntax.FuncDecl); return is })
	}
	return false
}

func (j *judge) chmod(call *syntax.CallExpr, cmd command) {
	mode := lists.Find(cmd.words(), func(word string) bool { return !isOption(word) })
	if !slices.Contains([]string{"777", "0777", "a+rwx", "ugo+rwx", "a=rwx", "ugo=rwx"}, mode) {
		return
	}
	h := debate.Hit{Title: "chmod " + mode + " lets everybody write", Body: "Every user and process of the machine can change these files. Give the owner and group no more than they need."}
	if cmd.hasFlag("--recursive", "R", "") {
		h.Severity = debate.P2
	}
	j.hit(call, "shell/chmod-777", h)
}

func (j *judge) git(call *syntax.CallExpr, cmd command) {
	words := cmd.words()
	if gitVerifyOff().MatchString(strings.Join(words, "\n")) {
		j.tlsOff(call, "git does not check the certificate")
		return
	}
	for len(words) > 1 && isOption(words[0]) {
		if strings.EqualFold(words[0], "-c") {
			words = words[1:]
		}
		words = words[1:]
	}
	if len(words) == 0 || words[0] != "push" || !slices.ContainsFunc(words[1:], forces().MatchString) {
		return
	}
	target := "" // the main branch that the push replaces
	for _, w := range words[1:] {
		if m := toMain().FindStringSubmatch(w); m != nil {
			target = m[1]
		}
	}
	if target != "" {
		j.hit(call, "shell/force-push", debate.Hit{Title: "Force push to " + target, Body: "Commits of others since the last fetch are lost without a word. Push normally, or use --force-with-lease on a branch of your own."})
	}
}

// gitVerifyOff matches git's setting, in one word or in two.
var gitVerifyOff = lazyregexp.New(`(?m)^(?i:http\.sslverify=false|http\.sslverify\n(?-i:false))$`)

var (
	forces = lazyregexp.New(`(?s)^(?:-f|--force|\+(?:.*:)?(?:refs/heads/)?(?:main|master))$`)
	toMain = lazyregexp.New(`(?s)^(?:\+|:|[^-].*:)?(?:refs/heads/)?(main|master)$`)
)
