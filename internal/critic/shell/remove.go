package shell

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// variables has the facts in a script about the values of its variables.
type variables struct {
	filled  map[string]bool // set to a non-empty value, or tested
	nounset bool            // an unset variable ends the script
	partial bool            // not all of the script is known
}

var heredoc = lazyregexp.New(`<<-?\s*["']?([A-Za-z_][A-Za-z0-9_]*)["']?`)

var nounsetLine = lazyregexp.New(`(?m)^#!.*\s-[a-z]*u|^\s*set\s+(?:-[a-z]+\s+)*-[a-z]*u|^\s*set\s.*\bnounset\b`)

// readVariables collects the variables that cannot be empty, from every part of the script: an
// unsure check stays silent.
func readVariables(s Script) variables {
	v := variables{filled: make(map[string]bool), nounset: s.nounset || nounsetLine().MatchString(s.Text), partial: s.Partial}
	maps.Copy(v.filled, s.Set)
	syntax.Walk(s.prog, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil && (n.Array != nil || v.holdsText(n.Value)) {
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
			if n.Exp != nil && slices.Contains(filling, n.Exp.Op) {
				v.filled[variableOf(n)] = true
			}
		case *syntax.CallExpr:
			v.called(n)
		}
		return true
	})
	return v
}

// tested takes the variables of a tested word: the script knows they may be empty.
func (v variables) tested(x syntax.Node) {
	if w, ok := x.(*syntax.Word); ok {
		for _, p := range flatParts(w) {
			v.filled[variableOf(p)] = true
		}
	}
}

// filling are the operators of an expansion that set an empty variable or end the script.
var filling = []syntax.ParExpOperator{syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull}

// called takes the variables that a command tests or sets.
func (v variables) called(call *syntax.CallExpr) {
	switch cmd := readCommand(call); cmd.name {
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
		case *syntax.ParamExp:
			if !v.maybeEmpty(p) {
				return true
			}
		default:
			if text, literal := literalPart(p); text != "" || !literal {
				return true
			}
		}
	}
	return false
}

// maybeEmpty reports whether an expansion may be empty.
func (v variables) maybeEmpty(p *syntax.ParamExp) bool {
	switch name := variableOf(p); {
	case p.Param == nil, p.Length, p.Excl, p.Index != nil, p.Slice != nil, p.Repl != nil:
		return false
	case v.nounset, v.filled[name], outsideVariable().MatchString(name):
		return false
	case v.partial && !constantName().MatchString(name):
		return false
	case p.Exp == nil:
		return true
	}
	switch p.Exp.Op { // what is in place of an empty variable
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return false
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		text, literal := literalWord(p.Exp.Word)
		return literal && text == ""
	}
	return true
}

// outsideVariable matches the variables that the shell, the system or a build server sets.
var outsideVariable = lazyregexp.New(`^(?:HOME|PWD|OLDPWD|USER|WORKSPACE|[$#?])$|^(?:GITHUB|RUNNER|CI)_|^BUILD_(?:ID|NUMBER|TAG|URL|\w*DIRECTORY|REPOSITORY_\w+|\w*BRANCH\w*)$`)

// constantName matches a variable that a script gets from outside or sets at its top. A variable
// with another name was set close by, maybe in a hidden part of the script.
var constantName = lazyregexp.New(`^[A-Z][A-Z0-9_]+$`)

// systemDirs are directories that a machine cannot live without.
const systemDirs = `/(?:bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|usr|usr/bin|usr/lib|var|var/lib)`

// vital matches the root, a system directory, or everything in one.
var vital = lazyregexp.New(`^(?:` + systemDirs + `|(?:` + systemDirs + `)?/(?:\.\[!\.\]\*|\.?\*)?)$`)

// remove reports rm -r of the root, of a home directory, or of a path that becomes one of them if a
// variable is empty.
func (j *judge) remove(call *syntax.CallExpr, cmd command) {
	if !cmd.hasFlag("--recursive", "rR", "") {
		return
	}
	for _, a := range cmd.args {
		title := ""
		target, variable := j.emptied(a)
		switch {
		case variable == "" && slices.Contains(whole, target):
			title = "rm -r deletes " + target
		case vital().MatchString(target) && variableOf(flatParts(a)[0]) != "": // begins with a variable
			title = "rm -r deletes " + check.Shown(target) + " when " + check.Shown(variable) + " is empty"
		}
		if title != "" {
			hit := debate.Hit{Title: title, Body: "One unset variable or one slip deletes everything this user can write. Write \"${VAR:?}\" so that the script stops when the variable is empty, and name a subdirectory."}
			if j.s.Partial && strings.HasSuffix(title, "is empty") {
				hit.Severity, hit.Body = debate.P2, "The patch shows no line that sets it. "+hit.Body
			}
			j.hit(call, "shell/rm-rf-variable", hit)
			return
		}
	}
}

// whole are the operands for everything, or for a home directory.
var whole = []string{"/", "/*", "/.", "~", "~/", "~/*", "~/.", "~/.*", "/.*"}

// emptied returns a word with its variables empty, and the first of these, "" if it has none. The
// word is "" if one is not empty, or if it has another expansion.
func (j *judge) emptied(w *syntax.Word) (text, variable string) {
	for i, p := range flatParts(w) {
		expansion, expands := p.(*syntax.ParamExp)
		switch {
		case !expands:
			plain, literal := literalPart(p)
			if !literal {
				return "", ""
			}
			text += plain
		case i == 0 && variableOf(p) == "HOME" && expansion.Exp == nil:
			text = "~"
		case !j.vars.maybeEmpty(expansion):
			return "", ""
		default:
			variable = cmp.Or(variable, variableOf(p))
		}
	}
	return text, variable
}

// variableOf returns the name of an expanded variable, "" if p is something else.
func variableOf(p syntax.Node) string {
	if expansion, ok := p.(*syntax.ParamExp); ok && expansion.Param != nil {
		return expansion.Param.Value
	}
	return ""
}
