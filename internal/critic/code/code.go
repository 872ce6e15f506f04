// Package code finds a few dangerous lines in Python, Go, JavaScript, TypeScript
// and Ruby: certificate checks that are off, input that becomes a part of a query,
// a command or an object, and what is left of debugging. It looks for forms that
// are wrong as they stand there, and leaves alone what the rest of the program
// could make right.
package code

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

const source = "CWE-89, CWE-78, CWE-502, CWE-295; references of the languages"

// Kind finds dangerous lines in the code of programs.
var Kind = check.Kind{
	Rules: func() []check.Rule {
		return []check.Rule{
			{ID: "code/tls-off", Source: source, Title: "Certificate check is switched off", Severity: debate.P2, Category: "security"},
			{ID: "code/sql-built", Source: source, Title: "Value is written into the text of a query", Severity: debate.P2, Category: "security"},
			{ID: "code/shell-built", Source: source, Title: "Value is written into the text of a command", Severity: debate.P2, Category: "security"},
			{ID: "code/unpickle", Source: source, Title: "Object is made of what a client sends", Severity: debate.P1, Category: "security"},
			{ID: "code/debug-left", Source: source, Title: "Debugging is left in", Severity: debate.P3, Category: "correctness"},
		}
	},
	Review: check.Each(func(f *check.File) bool {
		return len(f.Added) > 0 && !check.InFixtures(f.NewPath) && !carriedAlong().MatchString(f.NewPath) && languages[check.Extension(f.NewPath)] != nil
	}, review),
}

var languages = map[string]*language{
	".py": python, ".go": golang, ".rb": ruby,
	".js": javascript, ".jsx": javascript, ".mjs": javascript, ".cjs": javascript, ".ts": javascript, ".tsx": javascript, ".mts": javascript, ".cts": javascript,
}

// carriedAlong is where a Python package keeps the code of others.
var carriedAlong = lazyregexp.New(`(?:^|/)_vendor/`)

// line is one added line, and the same without what strings and comments hold.
type line struct {
	text, bare string
	near       string // the bare lines around it
	all        string // every bare line
}

// maxNear is how many lines before and after count as around a line.
const maxNear = 10

func review(f *check.File, out *check.Findings) {
	text, ok := f.Source()
	if !ok {
		out.NotRead(f, "code")
		return
	}
	language := languages[check.Extension(f.NewPath)]
	looked := signsOf(language, check.IsTest(f.NewPath))
	lines, all := strings.Split(text, "\n"), language.withoutText(text)
	bare := strings.Split(all, "\n")
	for _, l := range f.Added {
		switch {
		case l.New > len(bare), len(bare[l.New-1]) != len(l.Text), len(l.Text) > check.MaxCodeLine, language.insideComment(l.Text):
			continue
		}
		from, to := max(l.New-1-maxNear, 0), min(l.New+maxNear, len(bare))
		now := line{text: l.Text, bare: bare[l.New-1], near: strings.Join(bare[from:to], "\n"), all: all}
		at := slices.IndexFunc(looked, func(s sign) bool { return s.stands(now) })
		if at < 0 || looked[at].rule == "code/tls-off" && isOffered(lines, l.New-1) {
			continue
		}
		out.Hit(f, looked[at].rule, l.New, l.New, looked[at].hit())
	}
}

// insideComment reports whether a line looks like one of a comment of several,
// whose beginning a patch may not show.
func (l *language) insideComment(text string) bool {
	return l.blocks && strings.HasPrefix(strings.TrimSpace(text)+" ", "* ")
}
