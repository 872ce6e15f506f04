package unicode

import (
	"fmt"
	"slices"
	"unicode"
)

// isBidiControl reports the characters that change the order of others. The
// marks U+200E, U+200F and U+061C do not, and count as invisible.
func isBidiControl(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// bidiBalanced reports whether every embedding and isolate of the line is closed
// on it, as translators and formatters write them. Overrides never are.
func bidiBalanced(runes []rune) bool {
	var open []rune
	for _, r := range runes {
		switch r {
		case 0x202D, 0x202E:
			return false
		case 0x202A, 0x202B:
			open = append(open, 0x202C)
		case 0x2066, 0x2067, 0x2068:
			open = append(open, 0x2069)
		case 0x202C, 0x2069:
			if len(open) == 0 || open[len(open)-1] != r {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

func isTag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }

// flagEnd returns the index of the tag that ends the flag of a region, such as
// Scotland's, if the tag at i is the first of one; else 0.
func flagEnd(runes []rune, i int) int {
	if i == 0 || runes[i-1] != 0x1F3F4 {
		return 0
	}
	for j := i; j < len(runes) && j <= i+6; j++ {
		switch r := runes[j]; {
		case r == 0xE007F && j > i:
			return j
		case r < 0xE0030 || r > 0xE007A:
			return 0
		}
	}
	return 0
}

func isVariationSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r >= 0x180B && r <= 0x180F && r != 0x180E
}

// varies reports whether the selector at i follows a character that has
// variations: a symbol or keycap, an ideograph, a Mongolian letter.
func varies(runes []rune, i int) bool {
	if i == 0 {
		return false
	}
	base := runes[i-1]
	switch r := runes[i]; {
	case r >= 0xE0100:
		return unicode.Is(unicode.Han, base)
	case r < 0xFE00:
		return unicode.Is(unicode.Mongolian, base)
	}
	if base >= '0' && base <= '9' || base == '#' || base == '*' {
		return true
	}
	if base < 0x80 {
		return false
	}
	return unicode.In(base, unicode.So, unicode.Sm, unicode.Sk, unicode.Sc, unicode.Po, unicode.Pd, unicode.Han, unicode.Myanmar) || isEmoji(base)
}

// isEmoji reports whether the character is drawn as a picture, by its block.
func isEmoji(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2100 && r <= 0x2BFF || r == 0x3030 || r == 0x303D || r == 0x3297 || r == 0x3299
}

func isInvisible(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0x180E,
		r >= 0x200B && r <= 0x200F,
		r >= 0x2060 && r <= 0x2064, r >= 0x206A && r <= 0x206F,
		r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x2800, r == 0x3164, r == 0xFFA0,
		r >= 0x1D173 && r <= 0x1D17A, r >= 0x1BCA0 && r <= 0x1BCA3:
		return true
	}
	return false
}

// Scripts whose spelling needs joiners, and those that are written without
// blanks and broken with the zero width space.
var (
	joining = []*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
		unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Nko, unicode.Adlam,
	}
	unspaced    = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Han, unicode.Hiragana, unicode.Katakana}
	rightToLeft = []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam}
)

// invisibleBelongs reports whether the invisible character at i is part of how
// its neighbours are written.
func invisibleBelongs(runes []rune, i int, kind textKind) bool {
	var before, after rune
	if i > 0 {
		before = runes[i-1]
	}
	if i+1 < len(runes) {
		after = runes[i+1]
	}
	switch runes[i] {
	case 0x200D: // joins pictures, and letters of joining scripts
		picture := isEmoji(before) || before == 0xFE0F || before >= 0x1F3FB && before <= 0x1F3FF || before >= 0xE0020 && before <= 0xE007F
		return picture && isEmoji(after) || unicode.In(before, joining...)
	case 0x200C:
		return unicode.In(before, joining...)
	case 0x200B:
		return unicode.In(before, unspaced...) || unicode.In(after, unspaced...) || kind == translationText
	case 0x200E, 0x200F, 0x061C: // direction marks stand in right-to-left text
		return kind != codeText || slices.ContainsFunc(runes, func(r rune) bool { return unicode.In(r, rightToLeft...) })
	case 0x00AD, 0x2060: // where a word may and may not be broken
		return kind != codeText
	case 0x2800: // the blank of a picture drawn in Braille dots
		return slices.ContainsFunc(runes, func(r rune) bool { return r > 0x2800 && r <= 0x28FF })
	case 0x115F, 0x1160: // fillers of an incomplete Hangul syllable
		return unicode.Is(unicode.Hangul, after) && after != 0x1160 || unicode.Is(unicode.Hangul, before) && before != 0x115F
	}
	return false
}

// lookalikes are the Cyrillic and Greek letters that are drawn like a Latin one.
const lookalikes = "асеорхуіјѕԁԛԝһӏАВЕКМНОРСТХІЈЅҮԌԚԜЗ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳ"

// homoglyphs returns the indexes of look-alike letters in words that are Latin
// otherwise. A word with a letter that looks like no Latin one is honest: "Δt",
// "µs", or a word of another language with a Latin abbreviation.
func homoglyphs(runes []rune) []int {
	var all []int
	for start := 0; start < len(runes); {
		switch r := runes[start]; {
		case r == '\\':
			start += escapeLength(runes[start:])
			continue
		case !isWord(r):
			start++
			continue
		}
		end := start
		latin, honest := false, false
		var alike []int
		for ; end < len(runes) && isWord(runes[end]); end++ {
			switch r := runes[end]; {
			case r < 0x80:
				latin = latin || unicode.IsLetter(r)
			case slices.Contains(lookalikeRunes, r):
				alike = append(alike, end)
			default:
				honest = true
			}
		}
		if latin && !honest && !unicode.IsDigit(runes[start]) {
			all = append(all, alike...)
		}
		start = end
	}
	return all
}

// escapeLength is the length of the escape sequence that begins runes, so that
// its letters are not taken for a part of the word behind it.
func escapeLength(runes []rune) int {
	if len(runes) < 2 {
		return 1
	}
	switch runes[1] {
	case 'x':
		return min(4, len(runes))
	case 'u':
		return min(6, len(runes))
	case 'U':
		return min(10, len(runes))
	}
	return 2
}

var lookalikeRunes = []rune(lookalikes)

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// codePointNames are the names of the characters that are met most.
var codePointNames = map[rune]string{
	0x00AD: "SOFT HYPHEN", 0x061C: "ARABIC LETTER MARK", 0x115F: "HANGUL CHOSEONG FILLER", 0x1160: "HANGUL JUNGSEONG FILLER",
	0x200B: "ZERO WIDTH SPACE", 0x200C: "ZERO WIDTH NON-JOINER", 0x200D: "ZERO WIDTH JOINER", 0x200E: "LEFT-TO-RIGHT MARK",
	0x200F: "RIGHT-TO-LEFT MARK", 0x202A: "LEFT-TO-RIGHT EMBEDDING", 0x202B: "RIGHT-TO-LEFT EMBEDDING",
	0x202C: "POP DIRECTIONAL FORMATTING", 0x202D: "LEFT-TO-RIGHT OVERRIDE", 0x202E: "RIGHT-TO-LEFT OVERRIDE",
	0x2060: "WORD JOINER", 0x2066: "LEFT-TO-RIGHT ISOLATE", 0x2067: "RIGHT-TO-LEFT ISOLATE", 0x2068: "FIRST STRONG ISOLATE",
	0x2069: "POP DIRECTIONAL ISOLATE", 0x2800: "BRAILLE PATTERN BLANK", 0x3164: "HANGUL FILLER", 0xFEFF: "ZERO WIDTH NO-BREAK SPACE",
	0xFFA0: "HALFWIDTH HANGUL FILLER",
}

// codePointName names a character as U+202E and, where it is known or follows
// from the block, in words.
func codePointName(r rune) string {
	name := codePointNames[r]
	switch {
	case name != "":
	case isTag(r):
		name = "TAG CHARACTER"
	case isVariationSelector(r):
		name = "VARIATION SELECTOR"
	case unicode.Is(unicode.Cyrillic, r):
		name = "CYRILLIC LETTER"
	case unicode.Is(unicode.Greek, r):
		name = "GREEK LETTER"
	default:
		return fmt.Sprintf("U+%04X", r)
	}
	return fmt.Sprintf("U+%04X %s", r, name)
}
