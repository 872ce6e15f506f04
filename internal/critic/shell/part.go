package shell

import (
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/patch"
)

// reviewPart judges what a patch shows of a script whose rest is not at hand: each
// hunk where it parses by itself, else its added commands one by one. What the
// variables hold is not known then, so that no rule about them speaks.
func reviewPart(f *check.File, out *check.Findings) {
	shell := ""
	for _, l := range f.Added {
		if l.New == 1 {
			shell = Shebang(l.Text)
		}
	}
	for _, h := range f.Hunks {
		var shown []patch.Line
		for _, l := range h.Lines {
			if l.New > 0 {
				shown = append(shown, l)
			}
		}
		if judgePart(f, shown, shell, out) {
			continue
		}
		for _, command := range commands(shown) {
			judgePart(f, command, shell, out)
		}
	}
}

// judgePart judges consecutive lines, and reports whether they parse.
func judgePart(f *check.File, lines []patch.Line, shell string, out *check.Findings) bool {
	s := Script{Partial: true}
	var text strings.Builder
	for _, l := range lines {
		s.Places = append(s.Places, Place{Offset: text.Len(), Line: l.New})
		text.WriteString(l.Text)
		text.WriteByte('\n')
	}
	s.Text = text.String()
	prog, err := parseShell(s.Text, shell)
	if err != nil || len(lines) == 0 {
		return len(lines) == 0
	}
	s.prog = prog
	judgeScript(f, s, out)
	return true
}

// commands are the added lines, those together that go on in the next. Lines that
// stand in a text that the hunk begins (a here-document) are none.
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
		goesOn = strings.HasSuffix(trimmed, `\`) || strings.HasSuffix(trimmed, "|")
	}
	return all
}
