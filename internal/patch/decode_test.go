package patch

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/prdebate/debate/internal/debate"
)

// utf16LE is a text in UTF-16 with its mark.
func utf16LE(text string) string {
	data := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = append(data, byte(unit), byte(unit>>8))
	}
	return string(data)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	latin1 := strings.Repeat("a", 400) + "\xe9\x00"
	for name, c := range map[string]struct {
		before, after string
		want          []string // the lines with their signs, nil where it stays binary
	}{
		"a NUL after a script":            {after: "#!/bin/sh\nrm -rf /\n\x00", want: []string{"+#!/bin/sh", "+rm -rf /", "+\x00"}},
		"NUL bytes within":                {after: "ab\x00c\n", want: []string{"+ab\x00c"}},
		"a NUL before a text":             {after: "\x00abcdefg", want: []string{"+\x00abcdefg"}},
		"UTF-16":                          {after: utf16LE("über\nzwei"), want: []string{"+über", "+zwei"}},
		"UTF-16, both sides":              {before: utf16LE("one\n"), after: utf16LE("two\n"), want: []string{"-one", "+two"}},
		"UTF-16 with half a character":    {after: utf16LE("ab") + "c"},
		"UTF-16 with half a pair":         {after: "\xff\xfe\x00\xd8" + utf16LE("a")[2:]},
		"UTF-16 without a mark":           {after: utf16LE("k = \"über\"\nzwei\n")[2:], want: []string{"+k = \"über\"", "+zwei"}},
		"the other way round":             {after: "\x00a\x00\n\x00b", want: []string{"+a", "+b"}},
		"no mark, just enough zeros":      {after: "a\x00b\x00c\x00\x20\x20", want: []string{"+abc\u2020"}},
		"the same, the other way round":   {after: "\x00a\x00b\x00c\x20\x20", want: []string{"+abc\u2020"}},
		"no mark, and a byte is missing":  {after: "a\x00b\x00c", want: []string{"+a\x00b\x00c"}},
		"no mark, zeros come first, too":  {after: "a\x00b\x00\x00\x00c\x00", want: []string{"+a\x00b\x00\x00\x00c\x00"}},
		"no mark, zeros come second, too": {after: "\x00a\x00b\x00\x00\x00c", want: []string{"+\x00a\x00b\x00\x00\x00c"}},
		"Latin-1 with a NUL":              {after: latin1},
		"one control character in 200":    {after: strings.Repeat("a", 199) + "\x01\x00", want: []string{"+" + strings.Repeat("a", 199) + "\x01\x00"}},
		"one control character in 199":    {after: strings.Repeat("a", 198) + "\x01\x00"},
		"the largest":                     {after: strings.Repeat("a", maxDecoded-1) + "\x00", want: []string{"+" + strings.Repeat("a", maxDecoded-1) + "\x00"}},
		"a byte larger":                   {after: strings.Repeat("a", maxDecoded) + "\x00"},
		"a program":                       {after: "\x7fELF\x02\x01\x01\x00\x00\x00"},
		"an archive":                      {after: "PK\x03\x04\x14\x00\x00\x00"},
		"NUL bytes alone":                 {after: "\x00\x00\x00\x00"},
		"text before, a program":          {before: "one\n\x00", after: "\x7fELF\x02\x01\x01\x00"},
		"a program before, text":          {before: "\x7fELF\x02\x01\x01\x00", after: "one\n\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &File{NewPath: "x", Kind: Binary, Status: Added}
			if c.before != "" {
				f.OldPath, f.Status = "x", Modified
			}
			decodeSides(f, c.before, c.after)
			var got []string
			added := 0
			for _, h := range f.Hunks {
				for _, l := range h.Lines {
					got = append(got, string(l.Op)+l.Text)
					if l.Op == '+' {
						added++
					}
				}
			}
			if len(got) != len(c.want) || (f.Kind == Text) != (c.want != nil) || f.Decoded != (c.want != nil) {
				t.Fatalf("%s, decoded %v: %q, want %q", f.Kind, f.Decoded, got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("line %d: %q, want %q", i, got[i], c.want[i])
				}
			}
			if f.Additions != added || f.Deletions != len(got)-added {
				t.Errorf("+%d -%d of %q", f.Additions, f.Deletions, got)
			}
			if why := f.checkHunks(); why != "" {
				t.Errorf("the hunks do not hold: %s", why)
			}
		})
	}
}

// missing begins the content of a side that is not at hand.
const missing = "missing "

// decodeSides decodes a file with these contents.
func decodeSides(f *File, before, after string) {
	set := &Set{Files: []*File{f}}
	set.Decode(func(_ string, side debate.Side) ([]byte, bool) {
		text := after
		if side == debate.Left {
			text = before
		}
		return []byte(text), !strings.HasPrefix(text, missing)
	})
}

// TestDecodesWhatIsUnknown: only a file without lines is read, and one that was just
// renamed has nothing to show.
func TestDecodesWhatIsUnknown(t *testing.T) {
	t.Parallel()
	const one, two = "one\n\x00", "two\n\x00"
	for name, row := range map[string]struct {
		file          File
		before, after string
		decoded       bool
	}{
		"changed":                        {File{Kind: Binary, Status: Modified, OldPath: "x", NewPath: "x"}, one, two, true},
		"the same text in other bytes":   {File{Kind: Binary, Status: Modified, OldPath: "x", NewPath: "x"}, utf16LE("one\n"), utf16LE("one\n")[2:], true},
		"renamed":                        {File{Kind: Binary, Status: Renamed, OldPath: "a", NewPath: "x"}, one, one, false},
		"renamed and changed":            {File{Kind: Binary, Status: Renamed, OldPath: "a", NewPath: "x"}, one, two, true},
		"renamed, and counted otherwise": {File{Kind: Binary, Status: Renamed, OldPath: "a", NewPath: "x", Additions: 1}, one, one, true},
		"text already":                   {File{Kind: Text, Status: Modified, OldPath: "x", NewPath: "x"}, one, two, false},
		"unparsed":                       {File{Kind: Binary, Status: Modified, OldPath: "x", NewPath: "x", Unparsed: "why"}, one, two, false},
		"no base at hand":                {File{Kind: Binary, Status: Modified, OldPath: "x", NewPath: "x"}, missing + one, two, false},
		"no head at hand":                {File{Kind: Binary, Status: Modified, OldPath: "x", NewPath: "x"}, one, missing + two, false},
	} {
		decodeSides(&row.file, row.before, row.after)
		if row.file.Decoded != row.decoded {
			t.Errorf("%s: decoded %v", name, row.file.Decoded)
		}
	}
}
