// Package code finds a few dangerous lines in Python, Go, JavaScript, TypeScript
// and Ruby: certificate checks that are off, input that becomes a part of a query,
// a command or an object, and what is left of debugging. It looks for forms that
// are wrong as they stand there, and leaves alone what the rest of the program
// could make right.
package code

import (
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
		return len(f.Added) > 0 && !check.InFixtures(f.NewPath) && !carriedAlong().MatchString(f.NewPath) && languages[check.Extension(f.NewPath)] != ""
	}, review),
}

// The languages that are read.
const (
	python     = "python"
	golang     = "go"
	javascript = "javascript"
	ruby       = "ruby"
)

var languages = map[string]string{
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
	inTest := check.IsTest(f.NewPath)
	lines, all := strings.Split(text, "\n"), withoutText(text, language)
	bare := strings.Split(all, "\n")
	for _, l := range f.Added {
		if l.New > len(bare) || len(bare[l.New-1]) != len(l.Text) || len(l.Text) > check.MaxCodeLine || insideComment(l.Text, language) {
			continue
		}
		from, to := max(l.New-1-maxNear, 0), min(l.New+maxNear, len(bare))
		now := line{text: l.Text, bare: bare[l.New-1], near: strings.Join(bare[from:to], "\n"), all: all}
		for _, s := range signs {
			if s.language != language || inTest && s.rule != "code/debug-left" || s.tests && !inTest || !s.stands(now) {
				continue
			}
			if s.rule == "code/tls-off" && isOffered(lines, l.New-1) {
				break
			}
			out.Hit(f, s.rule, l.New, l.New, s.hit())
			break
		}
	}
}

// insideComment reports whether a line looks like one of a comment of several,
// whose beginning a patch may not show.
func insideComment(text, language string) bool {
	return (language == javascript || language == golang) && strings.HasPrefix(strings.TrimSpace(text)+" ", "* ")
}
