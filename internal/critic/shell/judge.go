package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
)

// judge walks one script.
type judge struct {
	f    *check.File
	s    Script
	vars variables
	out  *check.Findings
}

// judgeScript reports the dangerous commands of a parsed script.
func judgeScript(f *check.File, s Script, out *check.Findings) {
	j := &judge{f: f, s: s, vars: readVariables(s), out: out}
	var stack []syntax.Node
	functions := 0
	syntax.Walk(s.prog, func(n syntax.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*syntax.FuncDecl); ok {
				functions--
			}
			stack = stack[:len(stack)-1]
			return true
		}
		switch n := n.(type) {
		case *syntax.FuncDecl:
			functions++
		case *syntax.BinaryCmd:
			if (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) && !insidePipe(stack) {
				j.pipe(n)
			}
		case *syntax.CallExpr:
			j.call(n, s.Partial || functions > 0)
		case *syntax.DeclClause:
			for _, a := range n.Args {
				j.assign(a)
			}
		}
		stack = append(stack, n)
		return true
	})
}

// insidePipe reports whether the node that is entered belongs to a pipe that
// was already looked at.
func insidePipe(stack []syntax.Node) bool {
	if len(stack) < 2 {
		return false
	}
	outer, ok := stack[len(stack)-2].(*syntax.BinaryCmd)
	return ok && (outer.Op == syntax.Pipe || outer.Op == syntax.PipeAll)
}

func (j *judge) hit(n syntax.Node, rule string, h debate.Hit) {
	first, last := j.s.lines(n)
	j.out.Hit(j.f, rule, first, last, h)
}

const pipeBody = "Whoever controls the server or the connection runs code here, and an interrupted download runs half of it. Download to a file, check it against a known SHA-256, then run it."

func (j *judge) pipe(n *syntax.BinaryCmd) {
	fetched := ""
	for _, call := range pipeline(&syntax.Stmt{Cmd: n}) {
		cmd, ok := readCommand(call)
		if !ok {
			continue
		}
		if fetched != "" && cmd.readsCode() {
			j.hit(n, "shell/pipe-to-shell", debate.Hit{Title: "Output of " + fetched + " is run by " + check.Shown(cmd.name), Body: pipeBody})
			return
		}
		if cmd.fetches() {
			fetched = cmd.name
		}
	}
}

func (j *judge) call(call *syntax.CallExpr, inFunction bool) {
	for _, a := range call.Assigns {
		j.assign(a)
	}
	cmd, ok := readCommand(call)
	if !ok {
		return
	}
	switch cmd.name {
	case "sh", "bash", "dash", "ash", "ksh", "zsh", "source", ".":
		if slices.ContainsFunc(cmd.args, substitutes) {
			j.hit(call, "shell/pipe-to-shell", debate.Hit{Title: "Download is run by " + cmd.name, Body: pipeBody})
		}
	case "eval":
		j.eval(call, cmd, inFunction)
	case "rm":
		j.remove(call, cmd)
	case "chmod":
		j.chmod(call, cmd)
	case "curl":
		if cmd.hasFlag("--insecure", 'k', curlValues) && !cmd.onlyLocal() {
			j.tlsOff(call, "curl does not check the certificate")
		}
	case "wget":
		if cmd.hasFlag("--no-check-certificate", 0, "") && !cmd.onlyLocal() {
			j.tlsOff(call, "wget does not check the certificate")
		}
	case "git":
		j.git(call, cmd)
	case "npm", "yarn", "pnpm":
		if setsStrictSSLOff(cmd) {
			j.tlsOff(call, cmd.name+" does not check certificates")
		}
	}
}

// setsStrictSSLOff reports whether a package manager of Node is told to accept every
// certificate.
func setsStrictSSLOff(cmd command) bool {
	words := strings.Join(cmd.words(), " ")
	return strings.Contains(words, "strict-ssl false") || strings.Contains(words, "strict-ssl=false")
}

// curlValues are the short options of curl that take a value.
const curlValues = "AbcCdDeEFhHKmoPQrtTuUwxXyYz"

func (j *judge) tlsOff(n syntax.Node, title string) {
	j.hit(n, "shell/tls-off", debate.Hit{Title: title, Body: "Anybody on the way can read and replace what is transferred. Add the server's certificate authority to the trusted ones instead (curl --cacert, SSL_CERT_FILE)."})
}

// onlyLocal reports whether the command names URLs and all of them are on this
// machine or inside a cluster.
func (c command) onlyLocal() bool {
	local := false
	for _, a := range c.args {
		text, _ := literalWord(a)
		_, rest, isURL := strings.Cut(text, "://")
		if !isURL {
			if text == "" || strings.HasPrefix(text, "-") || !strings.HasPrefix(text, "localhost") && !strings.HasPrefix(text, "127.") {
				continue
			}
			rest = text
		}
		host := rest
		if end := strings.IndexAny(host, "/?#"); end >= 0 {
			host = host[:end]
		}
		if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
			host = host[:i]
		}
		switch {
		case host == "localhost", strings.HasPrefix(host, "127."), host == "[::1]", host == "0.0.0.0", host == "host.docker.internal",
			host == "kubernetes.default", strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".svc"), strings.HasSuffix(host, ".test"), strings.HasSuffix(host, ".localhost"):
			local = true
		default:
			return false
		}
	}
	return local
}

// tlsVariables switch the check off for everything that runs under them.
var tlsVariables = map[string][]string{
	"NODE_TLS_REJECT_UNAUTHORIZED": {"0"}, "GIT_SSL_NO_VERIFY": {"1", "true"}, "PYTHONHTTPSVERIFY": {"0"},
}

func (j *judge) assign(a *syntax.Assign) {
	if a.Name == nil || a.Value == nil {
		return
	}
	value, ok := literalWord(a.Value)
	for _, off := range tlsVariables[a.Name.Value] {
		if ok && value == off {
			j.tlsOff(a, a.Name.Value+" switches the certificate check off")
		}
	}
}

func (j *judge) eval(call *syntax.CallExpr, cmd command, inFunction bool) {
	for _, a := range cmd.args {
		if substitutes(a) {
			j.hit(call, "shell/pipe-to-shell", debate.Hit{Title: "Download is run by eval", Body: pipeBody})
			return
		}
		for _, p := range flatParts(a) {
			pe, ok := p.(*syntax.ParamExp)
			if !ok || pe.Param == nil || pe.Exp != nil || pe.Length || !inputVariable(pe.Param.Value, inFunction) {
				continue
			}
			j.hit(call, "shell/eval-input", debate.Hit{Body: "Whoever chooses the argument chooses the command that runs. Call the command directly with \"$@\", or choose by a case statement."})
			return
		}
	}
}

// inputVariable reports whether a variable holds what the caller of the script
// gave. Within a function the positional ones are the function's.
func inputVariable(name string, inFunction bool) bool {
	switch name {
	case "SSH_ORIGINAL_COMMAND", "QUERY_STRING":
		return true
	case "@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return !inFunction
	}
	return false
}

func (j *judge) chmod(call *syntax.CallExpr, cmd command) {
	mode := ""
	for _, w := range cmd.words() {
		if !strings.HasPrefix(w, "-") {
			mode = w
			break
		}
	}
	switch mode {
	case "777", "0777", "a+rwx", "ugo+rwx", "a=rwx", "ugo=rwx":
	default:
		return
	}
	h := debate.Hit{Title: "chmod " + mode + " lets everybody write", Body: "Every user and process of the machine can change these files. Give the mode that the owner and group need."}
	if cmd.hasFlag("--recursive", 'R', "") {
		h.Severity = debate.P2
	}
	j.hit(call, "shell/chmod-777", h)
}

func (j *judge) git(call *syntax.CallExpr, cmd command) {
	words := cmd.words()
	for i, w := range words {
		low := strings.ToLower(w)
		if low == "http.sslverify=false" || low == "http.sslverify" && i+1 < len(words) && words[i+1] == "false" {
			j.tlsOff(call, "git does not check the certificate")
			return
		}
	}
	for len(words) > 1 && strings.HasPrefix(words[0], "-") {
		if words[0] == "-C" || words[0] == "-c" {
			words = words[1:]
		}
		words = words[1:]
	}
	if len(words) == 0 || words[0] != "push" {
		return
	}
	if target := forcedTo(words[1:]); target != "" {
		j.hit(call, "shell/force-push", debate.Hit{Title: "Force push to " + target, Body: "Commits that others pushed in the meantime are lost without a word. Push normally, or use --force-with-lease on a branch of your own."})
	}
}

// forcedTo is the main branch that a push with these words replaces, "" for none.
func forcedTo(words []string) string {
	force, target := false, ""
	for _, w := range words {
		switch {
		case w == "-f" || w == "--force":
			force = true
		case strings.HasPrefix(w, "-"):
		default:
			ref := strings.TrimPrefix(w, "+")
			ref = strings.TrimPrefix(ref[strings.LastIndexByte(ref, ':')+1:], "refs/heads/")
			if ref == "main" || ref == "master" {
				target = ref
				force = force || strings.HasPrefix(w, "+")
			}
		}
	}
	if !force {
		return ""
	}
	return target
}
