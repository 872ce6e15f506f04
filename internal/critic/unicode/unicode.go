// Package unicode finds characters that make a text look different to people than to compilers and
// models.
package unicode

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// Kind finds such characters in added lines: Trojan Source (CVE-2021-42574), tag smuggling,
// invisible characters and letters from look-alike scripts.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: ruleBidi, Source: "CVE-2021-42574", Title: "Bidirectional control character reorders the line", Severity: debate.P1, Category: "security"},
		{ID: ruleTag, Source: "Unicode 16.0, section 23.9", Title: "Invisible tag characters carry hidden text", Severity: debate.P1, Category: "security"},
		{ID: ruleSelector, Source: "Unicode 16.0, section 23.4", Title: "Variation selectors without a character to vary", Severity: debate.P2, Category: "security"},
		{ID: ruleHomoglyph, Source: "UTS #39, mixed-script confusables", Title: "Word mixes Latin letters with look-alikes of another script", Severity: debate.P2, Category: "security"},
		{ID: ruleInvisible, Source: "UTS #39, default ignorable characters", Title: "Invisible character in the line", Severity: debate.P2, Category: "security"},
	},
	Review: check.Each(func(f *check.File) bool { return f.Kind == patch.Text || f.Kind == patch.Symlink }, func(f *check.File, out *check.Findings) {
		out.Limited(maxHiddenLines, func() { review(f, out) })
	}),
}

// The rules, most telling first. A line is reported once, for the first rule it breaks.
const (
	ruleBidi      = "unicode/bidi-control"
	ruleTag       = "unicode/tag-character"
	ruleSelector  = "unicode/variation-selector"
	ruleHomoglyph = "unicode/mixed-script"
	ruleInvisible = "unicode/invisible"
)

var ordered = []string{ruleBidi, ruleTag, ruleSelector, ruleHomoglyph, ruleInvisible}

// maxHiddenLines bounds the lines reported in one file, the most severe first, and maxNamed the
// code points named in one report.
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
	kind := codeText
	switch {
	case translationPath().MatchString(f.NewPath):
		kind = translationText
	case check.IsMarkdown(f.NewPath), prosePath().MatchString(f.NewPath):
		kind = proseText
	}
	looked, inTest := ordered, check.ServesTests(f.NewPath)
	if inTest {
		// Tests of text handling hold such characters on purpose. Controls that reorder a line and
		// tags that speak to a model are still worth a look.
		looked = []string{ruleBidi, ruleTag}
	}
	for _, l := range f.Added {
		if !strings.ContainsFunc(l.Text, func(r rune) bool { return r >= utf8.RuneSelf }) {
			continue
		}
		found := oddities(l.Text, l.New == 1, kind)
		broken := func(rule string) bool {
			return slices.ContainsFunc(found, func(o oddity) bool { return o.rule == rule })
		}
		at := slices.IndexFunc(looked, broken)
		if at < 0 {
			continue
		}
		rule := looked[at]
		h := debate.Hit{Body: bodies[rule] + " Found: " + describe(found, rule) + ". Remove it, or write it as an escape where it is meant."}
		switch {
		case inTest:
			h.Severity = debate.P2
		case rule == ruleInvisible && kind != codeText:
			h.Severity = debate.P3
		}
		out.Hit(f, rule, l.New, l.New, h)
	}
}

// describe names the code points that broke a rule without printing them.
func describe(found []oddity, rule string) string {
	found = slices.DeleteFunc(slices.Clone(found), func(o oddity) bool { return o.rule != rule })
	var names []string
	for _, o := range found[:min(len(found), maxNamed)] {
		names = append(names, fmt.Sprintf("U+%04X %s in column %d", o.r, runenames.Name(o.r), o.column))
	}
	if more := len(found) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// textKind is the kind of readers of a file: a normal character in a translation is a trap in code.
type textKind int

const (
	codeText textKind = iota
	proseText
	translationText
)

var (
	translationPath = lazyregexp.New(`(?i)\.(?:po|pot|arb|xlf|xliff|strings|stringsdict|ftl|resx|srt|vtt)$|(?:^|/)(?:locales?|i18n|l10n|langs?|translations|_locales)(?:/|$)|(?:^|/)values-`) // Android: values-ar/strings.xml
	prosePath       = lazyregexp.New(`(?i)\.(?:txt|rst|adoc|html?|tex|csv|tsv)$|(?:^|/)(?:README|LICENSE|COPYING|NOTICE|AUTHORS|CHANGELOG|CONTRIBUTORS|NEWS)(?:\.[^/]*)?$`)
)

// oddities lists the suspicious characters of a line.
func oddities(text string, first bool, kind textKind) []oddity {
	noFlags := regionFlag().ReplaceAllStringFunc(text, func(flag string) string { return strings.Repeat(" ", utf8.RuneCountInString(flag)) })
	l := line{runes: padded(text), noFlags: padded(noFlags), kind: kind, first: first}
	l.ordered = kind != codeText && bidiBalanced(l.runes)
	var found []oddity
	for i, r := range l.runes {
		for _, c := range classes { // the first one with the character
			if unicode.In(r, c.table...) {
				if !c.fits(l, i) {
					found = append(found, oddity{rule: c.rule, r: r, column: i})
				}
				break
			}
		}
	}
	if kind == codeText {
		for _, i := range homoglyphs(l.runes) {
			found = append(found, oddity{rule: ruleHomoglyph, r: l.runes[i], column: i})
		}
	}
	return found
}
