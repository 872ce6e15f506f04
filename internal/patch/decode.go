package patch

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
)

// Bounds of a file to read although git calls it binary.
const (
	maxDecoded = 512 << 10 // bytes of one side
	fewControl = 200       // one control character in so many characters is still text
)

// Decode gives lines to the files that git calls binary although people, shells and interpreters
// read them as text: UTF-16, with a mark or without, and text with some NUL bytes. Git has no diff
// of such a file, so its whole content before is removed and its whole content after is added. Blob
// reads one side of a file, like that of Change.
func (s *Set) Decode(blob func(path string, side debate.Side) ([]byte, bool)) {
	for _, f := range s.Files {
		if f.Kind == Binary && f.Unparsed == "" {
			f.decode(blob)
		}
	}
}

func (f *File) decode(blob func(string, debate.Side) ([]byte, bool)) {
	before, ok := textLines(f.OldPath, debate.Left, blob)
	if !ok {
		return
	}
	after, ok := textLines(f.NewPath, debate.Right, blob)
	if !ok || len(before)+len(after) == 0 {
		return
	}
	sameText := slices.EqualFunc(before, after, func(a, b Line) bool { return a.Text == b.Text })
	if f.Status == Renamed && f.Additions+f.Deletions == 0 && sameText {
		return
	}
	h := &Hunk{
		OldStart: min(1, len(before)), OldLines: len(before), NewStart: min(1, len(after)), NewLines: len(after), Lines: append(before, after...),
	}
	f.Kind, f.Decoded, f.Hunks = Text, true, []*Hunk{h}
	f.Additions, f.Deletions = len(after), len(before)
}

// textLines returns the lines of one side of a file, none if it does not exist; ok is false if it
// is no readable text.
func textLines(path string, side debate.Side, blob func(string, debate.Side) ([]byte, bool)) (lines []Line, ok bool) {
	if path == "" {
		return nil, true
	}
	data, ok := blob(path, side)
	if !ok || len(data) > maxDecoded {
		return nil, false
	}
	text, ok := decoded(data)
	if !ok {
		return nil, false
	}
	return linesOf(text, side), true
}

// linesOf splits a text into lines of only one side.
func linesOf(text string, side debate.Side) []Line {
	var lines []Line
	for line := range strings.Lines(text) {
		body, ends := strings.CutSuffix(line, "\n")
		l := Line{Op: '+', New: len(lines) + 1, Text: body, NoEOL: !ends}
		if side == debate.Left {
			l.Op, l.Old, l.New = '-', l.New, 0
		}
		lines = append(lines, l)
	}
	return lines
}

// decoded returns the text of a file; ok is false if it has none.
func decoded(data []byte) (text string, ok bool) {
	for mark, order := range map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian} {
		if rest, marked := bytes.CutPrefix(data, []byte(mark)); marked && len(rest)%2 == 0 {
			text = fromUTF16(rest, order)
			return text, readable(text)
		}
	}
	if order := unmarked(data); order != nil {
		text = fromUTF16(data, order)
		return text, readable(text)
	}
	text = string(data)
	return text, utf8.ValidString(text) && readable(strings.ReplaceAll(text, "\x00", ""))
}

// unmarked returns the byte order of UTF-16 without a mark, or nil: in most of its characters one
// byte is zero, and always the same one.
func unmarked(data []byte) binary.ByteOrder {
	if len(data)%2 != 0 {
		return nil
	}
	var zero [2]int // at even offsets, and at odd ones
	for i, b := range data {
		if b == 0 {
			zero[i%2]++
		}
	}
	switch most := len(data)/4 + 1; {
	case zero[0] == 0 && zero[1] >= most:
		return binary.LittleEndian
	case zero[1] == 0 && zero[0] >= most:
		return binary.BigEndian
	}
	return nil
}

func fromUTF16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// unprinted are control characters except white space, and the replacement of invalid bytes.
var unprinted = &unicode.RangeTable{
	R16:         []unicode.Range16{{0x00, 0x08, 1}, {0x0e, 0x1f, 1}, {0x7f, 0x84, 1}, {0x86, 0x9f, 1}, {utf8.RuneError, utf8.RuneError, 1}},
	LatinOffset: 4,
}

// readable reports whether a text has hardly any control characters except white space, like text
// from people.
func readable(text string) bool {
	all, control := 0, 0
	for _, r := range text {
		all++
		if unicode.Is(unprinted, r) {
			control++
		}
	}
	return all > 0 && control*fewControl <= all
}
