package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literalWord returns the text of a word without expansions.
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

// literalPart returns the text of a part of a word if it is no expansion.
func literalPart(p syntax.WordPart) (string, bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		return p.Value, true
	case *syntax.SglQuoted:
		return p.Value, true
	}
	return "", false
}

// flatParts returns the parts of a word, with the parts of double quotes among them.
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

// command is a simple command without sudo, env and other wrappers before it.
type command struct {
	name string
	args []*syntax.Word
}

// wrappers run the command after their options.
var wrappers = map[string][]string{ // options with a value
	"sudo": {"-u", "-g", "-U", "-h", "-p", "-C", "-R", "-T"}, "doas": {"-u", "-C"}, "env": {"-u", "-C", "-S"}, "command": nil, "exec": {"-a"},
	"nohup": nil, "time": {"-f", "-o"}, "nice": {"-n"}, "stdbuf": {"-i", "-o", "-e"}, "builtin": nil,
}

// readCommand reads the name and the arguments of a call, or returns an empty command if the name
// is unknown.
func readCommand(call *syntax.CallExpr) command {
	args := call.Args
	for len(args) > 0 {
		word, ok := literalWord(args[0])
		if !ok {
			break
		}
		name := path.Base(word)
		args = args[1:]
		takesValue, wraps := wrappers[name]
		if !wraps {
			return command{name: name, args: args}
		}
		args = args[ownWords(name, takesValue, args):]
	}
	return command{}
}

// ownWords counts the options and variables of a wrapper before its command.
func ownWords(name string, takesValue []string, args []*syntax.Word) int {
	own := 0
	for own < len(args) {
		a, _ := literalWord(args[own])
		switch {
		case name == "env" && strings.Contains(a, "="):
			own++
		case slices.Contains(takesValue, a):
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

// words returns the arguments as plain text, "" for those with expansions.
func (c command) words() []string {
	all := make([]string, len(c.args))
	for i, a := range c.args {
		if s, ok := literalWord(a); ok {
			all[i] = s
		}
	}
	return all
}

// hasFlag reports whether an argument is the long option, or a cluster of short options with one of
// these letters before any that takes a value.
func (c command) hasFlag(long, short, takesValue string) bool {
	for _, a := range c.words() {
		name, _, _ := strings.Cut(a, "=")
		switch {
		case a == "--":
			return false
		case name == long:
			return true
		case strings.HasPrefix(a, "--"):
		case isOption(a):
			letters := a[1:]
			if value := strings.IndexAny(letters, takesValue); value >= 0 {
				letters = letters[:value+1]
			}
			if strings.ContainsAny(letters, short) {
				return true
			}
		}
	}
	return false
}

// fetches reports whether the command downloads something to its output.
func (c command) fetches() bool { return slices.Contains([]string{"curl", "wget"}, c.name) }

// readsCode reports whether the command runs its input as code.
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

// shellReadsInput reports whether a shell with these arguments runs its input: it does unless it
// has a script.
func shellReadsInput(args []string) bool {
	before := ""
	for _, a := range args {
		isName := isNamed(before) // an option's name
		before = a
		switch {
		case slices.Contains([]string{"-", "-s", "--", "/dev/stdin"}, a):
			return true
		case slices.Contains([]string{"-c", "-n"}, a):
			return false
		case isName, isNamed(a), strings.HasPrefix(a, "--"):
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

// isNamed reports whether the name of a shell option follows.
func isNamed(word string) bool { return slices.Contains([]string{"-o", "+o"}, word) }

// substitutes reports whether the word contains the output of a download.
func substitutes(w *syntax.Word) bool {
	for _, p := range flatParts(w) {
		var stmts []*syntax.Stmt
		switch p := p.(type) {
		case *syntax.CmdSubst:
			stmts = p.Stmts
		case *syntax.ProcSubst:
			stmts = p.Stmts
		}
		downloads := func(s *syntax.Stmt) bool {
			return slices.ContainsFunc(pipeline(s), func(c *syntax.CallExpr) bool { return readCommand(c).fetches() })
		}
		if slices.ContainsFunc(stmts, downloads) {
			return true
		}
	}
	return false
}

// pipeline returns the simple commands of a pipe, left to right, with an empty call for each part
// of another kind.
func pipeline(s *syntax.Stmt) []*syntax.CallExpr {
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		return []*syntax.CallExpr{cmd}
	case *syntax.BinaryCmd:
		if !isPipe(cmd) {
			return nil
		}
		last, ok := cmd.Y.Cmd.(*syntax.CallExpr)
		if !ok {
			last = &syntax.CallExpr{}
		}
		return append(pipeline(cmd.X), last)
	}
	return nil
}
