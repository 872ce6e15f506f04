package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literalWord is the text of a word that has no expansions.
func literalWord(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, p := range flatParts(w) {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		default:
			return b.String(), false
		}
	}
	return b.String(), true
}

// flatParts are the parts of a word with those of double quotes among them.
func flatParts(w *syntax.Word) []syntax.WordPart {
	if w == nil {
		return nil
	}
	var parts []syntax.WordPart
	for _, p := range w.Parts {
		if q, ok := p.(*syntax.DblQuoted); ok {
			parts = append(parts, q.Parts...)
			continue
		}
		parts = append(parts, p)
	}
	return parts
}

// command is a simple command without sudo, env and the like before it.
type command struct {
	name string
	args []*syntax.Word
}

// wrappers run the command that follows their options.
var wrappers = map[string]string{ // options that take a value
	"sudo": "ugUhpCRT", "doas": "uC", "env": "uCS", "command": "", "exec": "a", "nohup": "", "time": "fo", "nice": "n", "stdbuf": "ioe", "builtin": "",
}

// readCommand reads the name and the arguments of a call.
func readCommand(call *syntax.CallExpr) (command, bool) {
	args := call.Args
	for len(args) > 0 {
		name, ok := literalWord(args[0])
		if !ok {
			return command{}, false
		}
		name = path.Base(name)
		args = args[1:]
		takesValue, wraps := wrappers[name]
		if !wraps {
			return command{name: name, args: args}, true
		}
		for len(args) > 0 {
			a, _ := literalWord(args[0])
			if name == "env" && strings.Contains(a, "=") {
				args = args[1:]
				continue
			}
			if !strings.HasPrefix(a, "-") {
				break
			}
			args = args[1:]
			if len(a) == 2 && strings.IndexByte(takesValue, a[1]) >= 0 && len(args) > 0 {
				args = args[1:]
			}
		}
	}
	return command{}, false
}

// words are the arguments that are plain text; "" stands for the others.
func (c command) words() []string {
	all := make([]string, len(c.args))
	for i, a := range c.args {
		if s, ok := literalWord(a); ok {
			all[i] = s
		}
	}
	return all
}

// hasFlag reports whether an argument is the long option or a cluster of short
// ones that holds the letter before any of those that take a value.
func (c command) hasFlag(long string, short byte, takesValue string) bool {
	for _, a := range c.words() {
		switch {
		case a == "--":
			return false
		case long != "" && (a == long || strings.HasPrefix(a, long+"=")):
			return true
		case len(a) > 1 && a[0] == '-' && a[1] != '-':
			for i := 1; i < len(a); i++ {
				if a[i] == short {
					return true
				}
				if strings.IndexByte(takesValue, a[i]) >= 0 {
					break
				}
			}
		}
	}
	return false
}

// fetches reports whether the command downloads something to its output.
func (c command) fetches() bool { return c.name == "curl" || c.name == "wget" }

// readsCode reports whether the command runs what it reads from its input.
func (c command) readsCode() bool {
	words := c.words()
	switch c.name {
	case "sh", "bash", "dash", "ash", "ksh", "zsh":
		return shellReadsInput(words)
	case "python", "python2", "python3", "perl", "ruby", "node", "php":
		return len(words) == 0 || words[0] == "-"
	}
	return false
}

// shellReadsInput reports whether a shell with these arguments runs what it reads from
// its input: it does unless it is given a script.
func shellReadsInput(args []string) bool {
	for i, a := range args {
		isOption := a == "-o" || a == "+o" || i > 0 && (args[i-1] == "-o" || args[i-1] == "+o") // and its name
		switch {
		case a == "-" || a == "-s" || a == "--" || a == "/dev/stdin":
			return true
		case a == "-c" || a == "-n":
			return false
		case isOption, strings.HasPrefix(a, "--"):
		case !strings.HasPrefix(a, "-"):
			return false
		case strings.Contains(a, "s"):
			return true
		case strings.Contains(a, "c"):
			return false
		}
	}
	return true
}

// substitutes reports whether the word holds the output of a download.
func substitutes(w *syntax.Word) bool {
	for _, p := range flatParts(w) {
		var stmts []*syntax.Stmt
		switch p := p.(type) {
		case *syntax.CmdSubst:
			stmts = p.Stmts
		case *syntax.ProcSubst:
			stmts = p.Stmts
		}
		for _, s := range stmts {
			for _, c := range pipeline(s) {
				if cmd, ok := readCommand(c); ok && cmd.fetches() {
					return true
				}
			}
		}
	}
	return false
}

// pipeline are the simple commands of a pipe, left to right.
func pipeline(s *syntax.Stmt) []*syntax.CallExpr {
	var calls []*syntax.CallExpr
	for s != nil {
		switch cmd := s.Cmd.(type) {
		case *syntax.CallExpr:
			calls = append(calls, cmd)
			s = nil
		case *syntax.BinaryCmd:
			if cmd.Op != syntax.Pipe && cmd.Op != syntax.PipeAll {
				return nil
			}
			calls = append(calls, callOf(cmd.Y))
			s = cmd.X
		default:
			s = nil
		}
	}
	for i, j := 0, len(calls)-1; i < j; i, j = i+1, j-1 {
		calls[i], calls[j] = calls[j], calls[i]
	}
	return calls
}

// callOf is the simple command of a statement; one with no words where it is none.
func callOf(s *syntax.Stmt) *syntax.CallExpr {
	if s != nil {
		if c, ok := s.Cmd.(*syntax.CallExpr); ok {
			return c
		}
	}
	return &syntax.CallExpr{}
}
