// Package comment is the language of review threads. It has the one sanitizer for every text from
// outside on its way to a terminal, a log, a comment or a report; the hidden markers and the
// sealed block to find and trust our own comments again; the commands of people and their
// permissions; and the plan of writes to turn the present comments of a pull request into the
// wanted ones.
//
// A character that a reader cannot see, or that a terminal or a browser would act on, is never
// dropped in silence: it is written as its code point, such as <U+202E>, so the reader sees that
// it was there.
package comment

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Terminal returns s as text for a terminal, a log or a plain file: control characters, ANSI
// escapes, bidirectional controls and invisible characters are written as their code points, line
// ends are newlines, invalid UTF-8 is replaced by U+FFFD, and nothing in it is a workflow command
// for the GitHub runner. Newlines and tabs are kept.
func Terminal(s string) string { return withoutCommands(visible(s)) }

// Line is Terminal on one line: newlines and tabs are written as code points too, so a hostile
// file name stays one name.
func Line(s string) string {
	s = visible(s)
	if strings.ContainsAny(s, "\n\t") {
		s = strings.NewReplacer("\n", codePoint('\n'), "\t", codePoint('\t')).Replace(s)
	}
	return withoutCommands(s)
}

// Clip shortens s to at most max runes, with an ellipsis as the last one. A max below 1 gives "".
func Clip(s string, max int) string {
	if max < 1 {
		return ""
	}
	if utf8.RuneCountInString(s) <= max {
		return s
	}
	kept := 0
	for i := range s {
		if kept == max-1 {
			return s[:i] + "…"
		}
		kept++
	}
	return s
}

// ClipWords is Clip of a line. It ends with a whole word, and closes open brackets and quotes.
func ClipWords(s string, max int) string {
	const closers = 4 // of a bracket of each kind, a quote and a code span
	runes := []rune(s)
	if len(runes) <= max || max <= 2*closers {
		return Clip(s, max)
	}
	runes = runes[:max-1-closers]
	for i := len(runes) - 1; i > len(runes)/2; i-- {
		if runes[i] == ' ' {
			runes = runes[:i]
			break
		}
	}
	text, end := strings.TrimRight(string(runes), " ,;:("), "…"
	for _, pair := range []string{"``", "\"\"", "()", "[]"} {
		opened, closed := strings.Count(text, pair[:1]), strings.Count(text, pair[1:])
		if opened > closed || pair[:1] == pair[1:] && opened%2 == 1 {
			end += pair[1:]
		}
	}
	return text + end
}

// visible writes every invisible character as its code point.
func visible(s string) string {
	isStrange := func(r rune) bool { return r > unicode.MaxASCII || !Visible(r) }
	if !strings.ContainsFunc(s, isStrange) { // most text is visible ASCII
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	var b strings.Builder
	b.Grow(len(s))
	var before rune
	for _, r := range s {
		if Visible(r) || r == emojiStyle && unicode.Is(unicode.So, before) {
			b.WriteRune(r)
		} else {
			b.WriteString(codePoint(r))
		}
		before = r
	}
	return b.String()
}

// emojiStyle asks for the colour form of the symbol before it. It is part of
// the ordinary spelling of an emoji and kept only there.
const emojiStyle = '\uFE0F'

// Visible reports whether a reader sees r, or sees its effect as white space. IsGraphic excludes
// controls, format characters (bidirectional controls, zero-width characters, tags), private use,
// surrogates, unassigned code points and the line and paragraph separators; hidden has the rest.
func Visible(r rune) bool {
	switch r {
	case '\n', '\t':
		return true
	}
	return unicode.IsGraphic(r) && !unicode.Is(hidden, r)
}

// hidden has graphic characters without a drawing: fillers, the grapheme joiner, vowels without a
// form, and variation selectors.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180B, Hi: 0x180F, Stride: 1}, // Mongolian selectors
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, // variation selectors
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // half-width Hangul filler
	},
	R32: []unicode.Range32{
		{Lo: 0xE0100, Hi: 0xE01EF, Stride: 1}, // variation selectors supplement
	},
}

func codePoint(r rune) string { return fmt.Sprintf("<U+%04X>", r) }

// withoutCommands defuses commands for the GitHub runner in a log: "::" at the start of a line,
// after any white space, and "##[" anywhere. One character of each is written as its code point.
func withoutCommands(s string) string {
	if strings.Contains(s, "##[") {
		s = strings.ReplaceAll(s, "##[", "#"+codePoint('#')+"[")
	}
	return startColons().ReplaceAllString(s, "$1"+codePoint(':')+":")
}

// startColons are at the start of a line, after white space of any kind, since the runner trims it.
var startColons = lazyregexp.New(`(?m)^([\t\pZ]*)::`)
