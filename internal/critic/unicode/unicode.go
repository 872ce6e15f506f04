// Package unicode finds characters that make text look different from what a
// compiler or a model reads.
package unicode

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Kind finds characters in added lines that make text look different
// from what a compiler or a model reads: Trojan Source (CVE-2021-42574), tag
// smuggling, invisible characters and letters borrowed from a look-alike script.
var Kind = check.Kind{
	Rules: func() []check.Rule {
		return []check.Rule{
			{ID: ruleBidi, Source: "CVE-2021-42574", Title: "Bidirectional control character reorders the line", Severity: debate.P1, Category: "security"},
			{ID: ruleTag, Source: "Unicode 16.0, section 23.9", Title: "Invisible tag characters carry hidden text", Severity: debate.P1, Category: "security"},
			{ID: ruleSelector, Source: "Unicode 16.0, section 23.4", Title: "Variation selectors without a character to vary", Severity: debate.P2, Category: "security"},
			{ID: ruleHomoglyph, Source: "UTS #39, mixed-script confusables", Title: "Word mixes Latin letters with look-alikes of another script", Severity: debate.P2, Category: "security"},
			{ID: ruleInvisible, Source: "UTS #39, default ignorable characters", Title: "Invisible character in the line", Severity: debate.P2, Category: "security"},
		}
	},
	Review: check.Each(func(f *check.File) bool { return f.Kind == patch.Text || f.Kind == patch.Symlink }, review),
}

// The rules, most telling first: a line is reported once, by the first that it
// breaks.
const (
	ruleBidi      = "unicode/bidi-control"
	ruleTag       = "unicode/tag-character"
	ruleSelector  = "unicode/variation-selector"
	ruleHomoglyph = "unicode/mixed-script"
	ruleInvisible = "unicode/invisible"
)

var ordered = []string{ruleBidi, ruleTag, ruleSelector, ruleHomoglyph, ruleInvisible}

// maxHiddenLines bounds the lines reported in one file; maxNamed the code points
// named in one report.
const (
	maxHiddenLines = 10
	maxNamed       = 5
)

var bodies = map[string]string{
	ruleBidi:      "Editors and review pages show this line in another order than the compiler reads it.",
	ruleTag:       "These characters are not drawn, but programs and language models read them as text.",
	ruleSelector:  "Variation selectors are not drawn here; runs of them can encode hidden bytes.",
	ruleHomoglyph: "The word reads like another one and is not equal to it.",
	ruleInvisible: "The character is not drawn, so the line is not what it looks like.",
}

// oddity is one suspicious character of a line.
type oddity struct {
	rule   string
	r      rune
	column int // 1-based, in characters
}

func review(f *check.File, out *check.Findings) {
	kind := textKindOf(f.NewPath)
	reported := 0
	for _, l := range f.Added {
		if isASCII(l.Text) {
			continue
		}
		found := oddities(l.Text, l.New == 1, kind)
		for _, rule := range ordered {
			named := describe(found, rule)
			if named == "" {
				continue
			}
			h := debate.Hit{Body: bodies[rule] + " Found: " + named + ". Remove it, or write it as an escape where it is meant."}
			switch {
			case check.IsFixture(f.NewPath) || check.IsTest(f.NewPath):
				// Tests of text handling hold such characters on purpose; what
				// reorders or speaks to a reader is still worth a look.
				if rule != ruleBidi && rule != ruleTag {
					continue
				}
				h.Severity = debate.P2
			case rule == ruleInvisible && kind != codeText:
				h.Severity = debate.P3
			}
			out.Hit(f, rule, l.New, l.New, h)
			reported++
			break
		}
		if reported == maxHiddenLines {
			return
		}
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// describe names the code points that broke a rule, never the characters.
func describe(found []oddity, rule string) string {
	var names []string
	more := 0
	for _, o := range found {
		switch {
		case o.rule != rule:
		case len(names) == maxNamed:
			more++
		default:
			names = append(names, fmt.Sprintf("%s in column %d", codePointName(o.r), o.column))
		}
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// textKind is who reads a file: what is ordinary in a translation is a trap in
// code.
type textKind int

const (
	codeText textKind = iota
	proseText
	translationText
)

func textKindOf(p string) textKind {
	ext := check.Extension(p)
	if slices.Contains([]string{".po", ".pot", ".arb", ".xlf", ".xliff", ".strings", ".stringsdict", ".ftl", ".resx", ".srt", ".vtt"}, ext) {
		return translationText
	}
	for dir := range strings.SplitSeq(strings.ToLower(p), "/") {
		switch dir {
		case "locale", "locales", "i18n", "l10n", "lang", "langs", "translations", "_locales":
			return translationText
		}
		if strings.HasPrefix(dir, "values-") { // Android resources: values-ar/strings.xml
			return translationText
		}
	}
	if check.IsMarkdown(p) || slices.Contains([]string{".txt", ".rst", ".adoc", ".html", ".htm", ".tex", ".csv", ".tsv"}, ext) {
		return proseText
	}
	switch stem, _, _ := strings.Cut(strings.ToUpper(path.Base(p)), "."); stem {
	case "README", "LICENSE", "COPYING", "NOTICE", "AUTHORS", "CHANGELOG", "CONTRIBUTORS", "NEWS":
		return proseText
	}
	return codeText
}

// oddities lists the suspicious characters of a line.
func oddities(line string, first bool, kind textKind) []oddity {
	runes := []rune(line)
	var found []oddity
	add := func(rule string, i int) {
		found = append(found, oddity{rule: rule, r: runes[i], column: i + 1})
	}
	balanced := kind != codeText && bidiBalanced(runes)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r < utf8.RuneSelf:
		case unicode.Is(bidiControls, r):
			if !balanced {
				add(ruleBidi, i)
			}
		case isTag(r):
			end := flagEnd(runes, i)
			if end == 0 {
				add(ruleTag, i)
				continue
			}
			i = end
		case isVariationSelector(r):
			if !varies(runes, i) {
				add(ruleSelector, i)
			}
		case r == 0xFEFF:
			if !first || i > 0 {
				add(ruleInvisible, i)
			}
		case unicode.Is(invisible, r) && !invisibleBelongs(runes, i, kind):
			add(ruleInvisible, i)
		}
	}
	if kind == codeText {
		for _, i := range homoglyphs(runes) {
			add(ruleHomoglyph, i)
		}
	}
	return found
}
