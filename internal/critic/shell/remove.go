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
	maps.Copy(v.filled, s.Set)
	syntax.Walk(s.prog, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			v.assigned(n)
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

// assigned takes the variable that is given more than what may be empty.
func (v variables) assigned(a *syntax.Assign) {
	if a.Name != nil && (a.Array != nil || v.holdsText(a.Value)) {
		v.filled[a.Name.Value] = true
	}
}

// tested takes the variables of a word that is tested: the script knows that they may be
// empty.
func (v variables) tested(x syntax.Node) {
	if w, ok := x.(*syntax.Word); ok {
		for _, p := range flatParts(w) {
			v.filled[variableOf(p)] = true
		}
	}
}

// filling are the operators by which an expansion sets its variable, or ends the script,
// where it is empty.
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

// maybeEmpty reports whether an expansion may give nothing.
func (v variables) maybeEmpty(p *syntax.ParamExp) bool {
	switch name := variableOf(p); {
	case p.Param == nil, p.Length, p.Excl, p.Index != nil, p.Slice != nil, p.Repl != nil, p.Exp != nil && !gives(p.Exp):
		return false
	case v.nounset, v.filled[name], outsideVariable().MatchString(name):
		return false
	case v.partial:
		return constantName().MatchString(name)
	}
	return true
}

// gives reports whether the expansion of an empty variable may be empty.
func gives(e *syntax.Expansion) bool {
	switch e.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return false
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		text, literal := literalWord(e.Word)
		return literal && text == ""
	}
	return true
}

// outsideVariable is one that the shell, the system or a build server sets.
var outsideVariable = lazyregexp.New(`^(?:HOME|PWD|OLDPWD|USER|WORKSPACE|[$#?])$|^(?:GITHUB|RUNNER|CI)_|^BUILD_(?:ID|NUMBER|TAG|URL|\w*DIRECTORY|REPOSITORY_\w+|\w*BRANCH\w*)$`)

// constantName is a variable that a script gets from outside or sets at its top. What
// has another name was set near by, where a part of a script need not show it.
var constantName = lazyregexp.New(`^[A-Z][A-Z0-9_]+$`)

// systemDirs are directories that a machine does not survive without.
const systemDirs = `/(?:bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|usr|usr/bin|usr/lib|var|var/lib)`

// vital is a path of the root, of a directory of the system, or of all that is in one.
var vital = lazyregexp.New(`^(?:` + systemDirs + `|(?:` + systemDirs + `)?/(?:\.\[!\.\]\*|\.?\*)?)$`)

// remove reports rm -r of the root, of a home directory, or of a path that
// becomes one of them when a variable is empty.
func (j *judge) remove(call *syntax.CallExpr, cmd command) {
	if !cmd.hasFlag("--recursive", "rR", "") {
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
	target, variable := j.emptied(w)
	switch {
	case variable == "" && slices.Contains(whole, target):
		return "rm -r deletes " + target
	case beginsWithVariable(w) && vital().MatchString(target):
		return "rm -r deletes " + check.Shown(target) + " when " + check.Shown(variable) + " is empty"
	}
	return ""
}

// whole are the operands that name all there is, or a home directory.
var whole = []string{"/", "/*", "/.", "~", "~/", "~/*", "~/.", "~/.*", "/.*"}

// emptied is a word whose variables are empty, and the first of these, "" if it has
// none. The word is "" where one is not empty, or something else is expanded in it.
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

// variableOf is the variable that is expanded, "" where that is none.
func variableOf(p syntax.Node) string {
	if expansion, ok := p.(*syntax.ParamExp); ok && expansion.Param != nil {
		return expansion.Param.Value
	}
	return ""
}

func beginsWithVariable(w *syntax.Word) bool { return variableOf(flatParts(w)[0]) != "" }
