// Package code finds a few dangerous lines in Python, Go, JavaScript, TypeScript and Ruby:
// certificate checks turned off, input that becomes part of a query, a command or an object, and
// leftovers of debugging. It looks for forms that are wrong in any program, and ignores those that
// the rest of the program could make right.
package code

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

const source = "CWE-89, CWE-78, CWE-502, CWE-295; references of the languages"

// Kind finds dangerous lines of code.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: "code/tls-off", Source: source, Title: "Certificate check is switched off", Severity: debate.P2, Category: "security"},
		{ID: "code/sql-built", Source: source, Title: "Value is written into the text of a query", Severity: debate.P2, Category: "security"},
		{ID: "code/shell-built", Source: source, Title: "Value is written into the text of a command", Severity: debate.P2, Category: "security"},
		{ID: "code/unpickle", Source: source, Title: "Object is made of what a client sends", Severity: debate.P1, Category: "security"},
		{ID: "code/debug-left", Source: source, Title: "Debugging is left in", Severity: debate.P3, Category: "correctness"},
	},
	Review: check.Each(func(f *check.File) bool {
		return len(f.Added) > 0 && !check.InFixtures(f.NewPath) && !carriedAlong().MatchString(f.NewPath) && languages[check.Extension(f.NewPath)] != nil
	}, review),
}

var languages = map[string]*language{
	".py": python, ".go": golang, ".rb": ruby,
	".js": javascript, ".jsx": javascript, ".mjs": javascript, ".cjs": javascript, ".ts": javascript, ".tsx": javascript, ".mts": javascript, ".cts": javascript,
}

// carriedAlong matches the folder of third-party code in a Python package.
var carriedAlong = lazyregexp.New(`(?:^|/)_vendor/`)

// line is one added line, with and without the contents of strings and comments.
type line struct {
	text, bare string
	near       string // the bare lines around it
	all        string // every bare line
}

// maxNear is the number of neighboring lines before and after a line.
const maxNear = 10

func review(f *check.File, out *check.Findings) {
	text, ok := f.Source()
	if !ok {
		out.NotRead(f, "code")
		return
	}
	language := languages[check.Extension(f.NewPath)]
	looked := slices.Concat(dangers, debugging)
	if check.ServesTests(f.NewPath) { // searched only for leftovers of debugging
		looked = slices.Concat(debugging, ofTests)
	}
	signs := slices.DeleteFunc(looked, func(s sign) bool { return s.language != language })
	lines, all := strings.Split(text, "\n"), language.withoutText(text)
	bare := strings.Split(all, "\n")
	for _, l := range f.Added {
		switch {
		case l.New > len(bare), len(bare[l.New-1]) != len(l.Text), len(l.Text) > check.MaxCodeLine:
			continue
		case language.blocks && strings.HasPrefix(strings.TrimSpace(l.Text)+" ", "* "):
			continue // inside a comment that may begin before the patch
		}
		from, to := max(l.New-1-maxNear, 0), min(l.New+maxNear, len(bare))
		now := line{text: l.Text, bare: bare[l.New-1], near: strings.Join(bare[from:to], "\n"), all: all}
		at := slices.IndexFunc(signs, func(s sign) bool { return s.matches(now) })
		if at < 0 || signs[at].rule == "code/tls-off" && isOptional(lines, l.New-1) {
			continue
		}
		s := signs[at]
		out.Hit(f, s.rule, l.New, l.New, debate.Hit{Title: check.Shown(s.title), Body: cmp.Or(s.body, bodies[s.rule]), Severity: s.severity})
	}
}

// maxEnclosing is how many lines above a line can hold the conditions around it.
const maxEnclosing = 60

// option matches a condition or a name by which users turn a check off.
var option = lazyregexp.New(`(?i)^\W*(?:else\s+)?(?:if|elif|case|when)\b.*(?:insecure|skip|verif|validat|trust|self.?sign|hostname|ignore|unsafe)|\binsecure\w*\s*(?::?=|\()|\b\w+insecure\w*\s*(?::?=|\()`)

// isOptional reports whether a line runs only if the user of the program asks for it: one of
// the conditions around it, at any depth, is an option.
func isOptional(lines []string, at int) bool {
	depth := check.Indent(lines[at])
	for _, line := range slices.Backward(lines[max(0, at-maxEnclosing):at]) {
		text, indent := strings.TrimSpace(line), check.Indent(line)
		switch {
		case text == "", indent >= depth:
			continue
		case option().MatchString(line):
			return true
		}
		depth = indent
		if isElse := strings.HasPrefix(strings.TrimLeft(text, "} "), "else"); isElse {
			depth++ // its condition has the same indent
		}
	}
	return false
}
