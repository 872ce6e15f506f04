package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literalWord is the text of a word that has no expansions.
func literalWord(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, p := range flatParts(w) {
		text, literal := literalPart(p)
		if !literal {
			return b.String(), false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// literalPart is the text of a part of a word, if it is no expansion.
func literalPart(p syntax.WordPart) (string, bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		return p.Value, true
	case *syntax.SglQuoted:
		return p.Value, true
	}
	return "", false
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
		args = args[ownWords(name, takesValue, args):]
	}
	return command{}, false
}

// ownWords counts the options and variables of a wrapper before the command that it runs.
func ownWords(name, takesValue string, args []*syntax.Word) int {
	own := 0
	for own < len(args) {
		a, _ := literalWord(args[own])
		switch {
		case name == "env" && strings.Contains(a, "="):
			own++
		case len(a) == 2 && a[0] == '-' && strings.Contains(takesValue, a[1:]):
			own += 2
		case isOption(a):
			own++
		default:
			return own
		}
	}
	return len(args)
}

func isOption(word string) bool { return strings.HasPrefix(word, "-") }

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
			letters := a[1:]
			if value := strings.IndexAny(letters, takesValue); value >= 0 {
				letters = letters[:value+1]
			}
			if strings.IndexByte(letters, short) >= 0 {
				return true
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
	before := ""
	for _, a := range args {
		named := isNamed(a) || isNamed(before) // an option that is named in full
		before = a
		switch {
		case slices.Contains([]string{"-", "-s", "--", "/dev/stdin"}, a):
			return true
		case slices.Contains([]string{"-c", "-n"}, a):
			return false
		case named, strings.HasPrefix(a, "--"):
		case !isOption(a):
			return false
		case strings.Contains(a, "s"):
			return true
		case strings.Contains(a, "c"):
			return false
		}
	}
	return true
}

// isNamed reports whether the name of an option of the shell follows.
func isNamed(word string) bool { return word == "-o" || word == "+o" }

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
			if !isPipe(cmd) {
				return nil
			}
			calls = append(calls, callOf(cmd.Y))
			s = cmd.X
		default:
			s = nil
		}
	}
	slices.Reverse(calls)
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
