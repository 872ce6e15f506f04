package shell

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// reviewPart judges a script if only its patch is known: each hunk if it parses by itself, else its
// added commands one by one. A variable may be empty if no shown line sets or tests it.
func reviewPart(f *check.File, out *check.Findings) {
	first, _ := f.Line(1)
	shell := Shebang(first)
	endsOnUnset := slices.ContainsFunc(check.HeadLines(f.Hunks...), func(l patch.Line) bool { return nounsetLine().MatchString(l.Text) })
	part := Script{Partial: true, Set: make(map[string]bool), nounset: endsOnUnset}
	for _, l := range check.HeadLines(f.Hunks...) {
		for _, m := range shownName().FindAllStringSubmatch(l.Text, -1) {
			for _, name := range m[1:] {
				part.Set[name] = true
			}
		}
	}
	for _, h := range f.Hunks {
		shown := check.HeadLines(h)
		if judgePart(f, part, shown, shell, out) {
			continue
		}
		for _, command := range commands(shown) {
			judgePart(f, part, command, shell, out)
		}
	}
}

// judgePart judges consecutive lines and reports whether they parse.
func judgePart(f *check.File, s Script, lines []patch.Line, shell string, out *check.Findings) bool {
	var text strings.Builder
	for _, l := range lines {
		s.Places = append(s.Places, Place{Offset: text.Len(), Line: l.New})
		text.WriteString(l.Text)
		text.WriteByte('\n')
	}
	s.Text = text.String()
	prog, err := parseShell(s.Text, shell)
	if err != nil {
		return false
	}
	s.prog = prog
	judgeScript(f, s, out)
	return true
}

// shownName matches a variable that a line sets, tests, or guards.
var shownName = lazyregexp.New(`\b([A-Za-z_]\w*)\+?=|\b(?:read|for|mapfile|readarray|getopts)\b[^;&|]*?\b([A-Z_]\w*)\b|\[.*?\$\{?([A-Za-z_]\w*)|\bcase\s+["']?\$\{?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*):?[?=]`)

// goesOnBelow matches a line with a command that continues on the next.
var goesOnBelow = lazyregexp.New(`[\\|]$`)

// commands returns the added lines, each with the lines that continue it. Lines in a here-document
// of the hunk are left out.
func commands(lines []patch.Line) [][]patch.Line {
	var all [][]patch.Line
	goesOn, until := false, ""
	for _, l := range lines {
		trimmed := strings.TrimSpace(l.Text)
		if until != "" {
			if trimmed == until {
				until = ""
			}
			continue
		}
		if m := heredoc().FindStringSubmatch(l.Text); m != nil {
			until = m[1]
		}
		switch {
		case goesOn:
			all[len(all)-1] = append(all[len(all)-1], l)
		case l.Op == '+':
			all = append(all, []patch.Line{l})
		default:
			continue
		}
		goesOn = goesOnBelow().MatchString(trimmed)
	}
	return all
}
