package unicode

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Classes of characters that are not drawn, or change how others are drawn.
var (
	// bidiControls change the order of other characters. The marks U+200E, U+200F and U+061C do
	// not, and count as invisible.
	bidiControls = ranges(0x202A, 0x202E, 0x2066, 0x2069)
	tags         = ranges(0xE0000, 0xE007F)
	// Selectors by the characters they vary: Mongolian letters, symbols, ideographs.
	mongolianSelectors   = ranges(0x180B, 0x180D, 0x180F, 0x180F)
	symbolSelectors      = ranges(0xFE00, 0xFE0F)
	ideographicSelectors = ranges(0xE0100, 0xE01EF)
	byteOrderMark        = ranges(0xFEFF, 0xFEFF)
	// emoji are drawn as pictures, by their blocks.
	emoji       = ranges(0x2100, 0x2BFF, 0x3030, 0x3030, 0x303D, 0x303D, 0x3297, 0x3297, 0x3299, 0x3299, 0x1F000, 0x1FAFF)
	emojiSuffix = ranges(0xFE0F, 0xFE0F, 0x1F3FB, 0x1F3FF, 0xE0020, 0xE007F) // skin tones, tags
	keycaps     = ranges('#', '#', '*', '*', '0', '9')
	invisible   = ranges(0x00AD, 0x00AD, 0x034F, 0x034F, 0x061C, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x180E,
		0x200B, 0x200F, 0x2060, 0x2064, 0x206A, 0x206F, 0x2800, 0x2800, 0x3164, 0x3164, 0xFFA0, 0xFFA0, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A)
	braille = ranges(0x2801, 0x28FF)
)

// ranges makes a table of pairs of first and last characters, ascending.
func ranges(pairs ...rune) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for pair := range slices.Chunk(pairs, 2) {
		t.R32 = append(t.R32, unicode.Range32{Lo: uint32(pair[0]), Hi: uint32(pair[1]), Stride: 1})
	}
	return t
}

// tableOf makes a table of single characters.
func tableOf(characters string) *unicode.RangeTable {
	var pairs []rune
	for _, r := range slices.Sorted(slices.Values([]rune(characters))) {
		pairs = append(pairs, r, r)
	}
	return ranges(pairs...)
}

var selectors = []*unicode.RangeTable{mongolianSelectors, symbolSelectors, ideographicSelectors}

// bidiBalanced reports whether every embedding and isolate of the line is also closed on it, as
// translators and formatters write them. Overrides never count as closed.
func bidiBalanced(runes []rune) bool {
	open := []rune{-1} // the expected closers; the lowest is no character
	for _, r := range runes {
		switch closer := bidiClosers[r]; {
		case closer != 0:
			open = append(open, closer)
		case r == open[len(open)-1]:
			open = open[:len(open)-1]
		case unicode.Is(bidiControls, r):
			return false
		}
	}
	return len(open) == 1
}

// bidiClosers maps an opening character to its closer.
var bidiClosers = map[rune]rune{0x202A: 0x202C, 0x202B: 0x202C, 0x2066: 0x2069, 0x2067: 0x2069, 0x2068: 0x2069}

// line is a line with the context for the classes.
type line struct {
	runes   []rune // with a 0 at both ends, to give each character neighbors
	noFlags []rune // the same with blanks for region flags
	kind    textKind
	first   bool // of its file
	ordered bool // all its bidi controls are allowed
}

// classes are the characters that are suspicious unless they fit their place.
var classes = []struct {
	table []*unicode.RangeTable
	rule  string
	fits  func(l line, i int) bool
}{
	{[]*unicode.RangeTable{bidiControls}, ruleBidi, func(l line, _ int) bool { return l.ordered }},
	{[]*unicode.RangeTable{tags}, ruleTag, func(l line, i int) bool { return l.noFlags[i] == ' ' }},
	{selectors, ruleSelector, func(l line, i int) bool { return varies(l.runes, i) }},
	{[]*unicode.RangeTable{byteOrderMark}, ruleInvisible, func(l line, i int) bool { return l.first && i == 1 }},
	{[]*unicode.RangeTable{invisible}, ruleInvisible, func(l line, i int) bool {
		fits, known := joiners[l.runes[i]]
		return known && fits(l, i)
	}},
}

// regionFlag matches the flag of a region, such as Scotland's, written in tags.
var regionFlag = lazyregexp.New(`\x{1F3F4}[\x{E0030}-\x{E007A}]{1,6}\x{E007F}`)

// padded returns the characters of a text with a 0 at both ends.
func padded(text string) []rune { return slices.Concat([]rune{0}, []rune(text), []rune{0}) }

// symbols are characters with variants for symbolSelectors, emoji among them.
var symbols = []*unicode.RangeTable{
	keycaps, unicode.So, unicode.Sm, unicode.Sk, unicode.Sc, unicode.Po, unicode.Pd, unicode.Han, unicode.Myanmar, emoji,
}

// varies reports whether the selector at i follows a character with variations: a symbol or keycap,
// an ideograph, a Mongolian letter.
func varies(runes []rune, i int) bool {
	base := runes[i-1]
	switch r := runes[i]; {
	case unicode.Is(ideographicSelectors, r):
		return unicode.Is(unicode.Han, base)
	case unicode.Is(mongolianSelectors, r):
		return unicode.Is(unicode.Mongolian, base)
	case base < 0x80:
		return unicode.Is(keycaps, base)
	}
	return unicode.In(base, symbols...)
}

// joining are scripts with joiners in their spelling; unspaced have no blanks and break lines at the
// zero width space.
var (
	joining = []*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
		unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Nko, unicode.Adlam,
	}
	unspaced    = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Han, unicode.Hiragana, unicode.Katakana}
	rightToLeft = []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam}
)

// joiners are invisible characters that belong to the spelling of their neighbors, with the test
// for the right neighbors.
var joiners = map[rune]func(l line, i int) bool{
	0x200D: func(l line, i int) bool { // joins pictures, and letters of joining scripts
		pictures := unicode.In(l.runes[i-1], emoji, emojiSuffix) && unicode.Is(emoji, l.runes[i+1])
		return pictures || unicode.In(l.runes[i-1], joining...)
	},
	0x200C: func(l line, i int) bool { return unicode.In(l.runes[i-1], joining...) },
	0x200B: func(l line, i int) bool {
		return l.kind == translationText || holds([]rune{l.runes[i-1], l.runes[i+1]}, unspaced...)
	},
	0x200E: directs, 0x200F: directs, 0x061C: directs,
	0x00AD: divides, 0x2060: divides,
	0x2800: func(l line, _ int) bool { return holds(l.runes, braille) }, // the blank of a picture in dots
	0x115F: fills, 0x1160: fills,
}

// directs allows direction marks in right-to-left text.
func directs(l line, _ int) bool { return l.kind != codeText || holds(l.runes, rightToLeft...) }

// divides allows marks in prose for places where a word may or must not break.
func divides(l line, _ int) bool { return l.kind != codeText }

// fills allows the filler before or after the letter of an incomplete Hangul syllable.
func fills(l line, i int) bool {
	return isHangulBut(0x1160, l.runes[i+1]) || isHangulBut(0x115F, l.runes[i-1])
}

func isHangulBut(filler, r rune) bool { return unicode.Is(unicode.Hangul, r) && r != filler }

func holds(runes []rune, tables ...*unicode.RangeTable) bool {
	return slices.ContainsFunc(runes, func(r rune) bool { return unicode.In(r, tables...) })
}

// lookalikes are the Cyrillic and Greek letters drawn like a Latin one.
var lookalikes = tableOf("асеорхуіјѕԁԛԝһӏАВЕКМНОРСТХІЈЅҮԌԚԜЗ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳ")

// homoglyphs returns the indexes of look-alike letters in otherwise Latin words. A word with a
// letter that looks like no Latin one is fine: "Δt", "µs", or a foreign word with a Latin
// abbreviation.
func homoglyphs(runes []rune) []int {
	var all []int
	for start := 0; start < len(runes); {
		if runes[start] == '\\' { // the letters of an escape sequence belong to no word
			start += min(cmp.Or(escapes[runes[start+1]], 2), len(runes)-start)
			continue
		}
		size := slices.IndexFunc(runes[start:], func(r rune) bool { return !unicode.In(r, inWord...) })
		word := runes[start : start+size]
		isForeign := slices.ContainsFunc(word, func(r rune) bool { return !unicode.In(r, ascii, lookalikes) })
		if holds(word, letters) && !unicode.IsDigit(word[0]) && !isForeign {
			for i, r := range word {
				if r >= 0x80 {
					all = append(all, start+i)
				}
			}
		}
		start += max(size, 1)
	}
	return all
}

var (
	inWord  = []*unicode.RangeTable{ranges('_', '_'), unicode.L, unicode.Nd}
	letters = ranges('A', 'Z', 'a', 'z')
	ascii   = ranges(0, unicode.MaxASCII)
)

// escapes are the lengths of escape sequences longer than 2, by the character after the backslash.
var escapes = map[rune]int{'x': 4, 'u': 6, 'U': 10}
