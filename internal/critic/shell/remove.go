package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// variables is what a script says about the values of its variables.
type variables struct {
	filled  map[string]bool // given something that is not empty, or tested
	nounset bool            // an unset variable ends the script
	partial bool            // not all of the script is known
}

var heredoc = lazyregexp.New(`<<-?\s*["']?([A-Za-z_][A-Za-z0-9_]*)["']?`)

var nounsetLine = lazyregexp.New(`(?m)^#!.*\s-[a-z]*u|^\s*set\s+(?:-[a-z]+\s+)*-[a-z]*u|^\s*set\s.*\bnounset\b`)

// readVariables collects which variables cannot be empty, in any part of the
// script: an unsure check stays silent.
func readVariables(s Script) variables {
	v := variables{filled: make(map[string]bool), nounset: s.ends || nounsetLine().MatchString(s.Text), partial: s.Partial}
	for name := range s.Set {
		v.filled[name] = true
	}
	syntax.Walk(s.prog, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil && (n.Array != nil || n.Value != nil && v.holdsText(n.Value)) {
				v.filled[n.Name.Value] = true
			}
		case *syntax.WordIter:
			v.filled[n.Name.Value] = true
		case *syntax.UnaryTest:
			v.tested(n.X)
		case *syntax.BinaryTest:
			v.tested(n.X)
			v.tested(n.Y)
		case *syntax.CaseClause:
			v.tested(n.Word)
		case *syntax.ParamExp:
			if n.Param != nil && fills(n.Exp) {
				v.filled[n.Param.Value] = true
			}
		case *syntax.CallExpr:
			v.called(n)
		}
		return true
	})
	return v
}

// tested takes the variables of a word that is tested: the script knows that they may be
// empty.
func (v variables) tested(x syntax.Node) {
	w, ok := x.(*syntax.Word)
	if !ok {
		return
	}
	for _, p := range flatParts(w) {
		if pe, ok := p.(*syntax.ParamExp); ok && pe.Param != nil {
			v.filled[pe.Param.Value] = true
		}
	}
}

// fills reports whether an expansion sets its variable, or ends the script, where it is
// empty.
func fills(e *syntax.Expansion) bool {
	if e == nil {
		return false
	}
	switch e.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}

// called takes the variables that a command tests or sets.
func (v variables) called(call *syntax.CallExpr) {
	cmd, ok := readCommand(call)
	if !ok {
		return
	}
	switch cmd.name {
	case "[", "test":
		for _, w := range cmd.args {
			v.tested(w)
		}
	case "read", "mapfile", "readarray", "getopts":
		for _, w := range cmd.words() {
			v.filled[w] = true
		}
	}
}

// holdsText reports whether a word is more than variables that may be empty.
func (v variables) holdsText(w *syntax.Word) bool {
	for _, p := range flatParts(w) {
		switch p := p.(type) {
		case *syntax.Lit:
			if p.Value != "" {
				return true
			}
		case *syntax.SglQuoted:
			if p.Value != "" {
				return true
			}
		case *syntax.ParamExp:
			if !v.maybeEmpty(p) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// setOutside reports whether the shell or the system that runs the script gives the
// variable a value.
func setOutside(name string) bool {
	switch name {
	case "HOME", "PWD", "OLDPWD", "USER", "WORKSPACE", "$", "#", "?":
		return true
	}
	return strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "RUNNER_") || strings.HasPrefix(name, "CI_") || buildVariable().MatchString(name)
}

// maybeEmpty reports whether an expansion may give nothing.
func (v variables) maybeEmpty(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Length || p.Excl || p.Index != nil || p.Slice != nil || p.Repl != nil {
		return false
	}
	name := p.Param.Value
	if v.filled[name] || v.nounset || v.partial && !constantName().MatchString(name) || setOutside(name) {
		return false
	}
	if p.Exp == nil {
		return true
	}
	switch p.Exp.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return false
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		text, literal := literalWord(p.Exp.Word)
		return literal && text == ""
	}
	return true
}

// buildVariable is one that a build server sets.
var buildVariable = lazyregexp.New(`^BUILD_(?:ID|NUMBER|TAG|URL|\w*DIRECTORY|REPOSITORY_\w+|\w*BRANCH\w*)$`)

// constantName is a variable that a script gets from outside or sets at its top. What
// has another name was set near by, where a part of a script need not show it.
var constantName = lazyregexp.New(`^[A-Z][A-Z0-9_]+$`)

// systemDirs are directories that a machine does not survive without.
var systemDirs = map[string]bool{
	"/bin": true, "/boot": true, "/dev": true, "/etc": true, "/home": true, "/lib": true, "/lib64": true, "/opt": true,
	"/root": true, "/sbin": true, "/usr": true, "/usr/bin": true, "/usr/lib": true, "/var": true, "/var/lib": true,
}

// remove reports rm -r of the root, of a home directory, or of a path that
// becomes one of them when a variable is empty.
func (j *judge) remove(call *syntax.CallExpr, cmd command) {
	if !cmd.hasFlag("--recursive", 'r', "") && !cmd.hasFlag("", 'R', "") {
		return
	}
	for _, a := range cmd.args {
		if title := j.fatal(a); title != "" {
			hit := debate.Hit{Title: title, Body: "One unset variable or one slip deletes everything this user can write. Write \"${VAR:?}\" so that the script stops when the variable is empty, and name a subdirectory."}
			if j.s.Partial && strings.HasSuffix(title, "is empty") {
				hit.Severity, hit.Body = debate.P2, "The patch shows no line that sets it. "+hit.Body
			}
			j.hit(call, "shell/rm-rf-variable", hit)
			return
		}
	}
}

// fatal says what an operand of rm -r may delete, "" if nothing vital.
func (j *judge) fatal(w *syntax.Word) string {
	parts := flatParts(w)
	if len(parts) == 0 {
		return ""
	}
	var rest strings.Builder
	variable := ""
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			rest.WriteString(p.Value)
		case *syntax.SglQuoted:
			rest.WriteString(p.Value)
		case *syntax.ParamExp:
			if i == 0 && p.Param != nil && p.Param.Value == "HOME" && p.Exp == nil {
				rest.WriteString("~")
				continue
			}
			if !j.vars.maybeEmpty(p) {
				return ""
			}
			if variable == "" {
				variable = p.Param.Value
			}
		default:
			return ""
		}
	}
	target := rest.String()
	if variable != "" {
		if first, ok := parts[0].(*syntax.ParamExp); !ok || first.Param == nil || !strings.HasPrefix(target, "/") {
			return ""
		}
		if vital(target) {
			return "rm -r deletes " + check.Shown(target) + " when " + check.Shown(variable) + " is empty"
		}
		return ""
	}
	switch target {
	case "/", "/*", "/.", "~", "~/", "~/*", "~/.", "~/.*", "/.*":
		return "rm -r deletes " + target
	}
	return ""
}

// vital reports whether a path is the root, all that is in it, or a directory
// of the system.
func vital(target string) bool {
	for _, glob := range []string{"/.[!.]*", "/.*", "/*", "/"} {
		if t, ok := strings.CutSuffix(target, glob); ok {
			target = t
			break
		}
	}
	return target == "" || systemDirs[target]
}
