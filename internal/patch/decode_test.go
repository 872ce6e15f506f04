package patch

import (
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
	for name, c := range map[string]struct {
		before, after string
		want          []string // the lines with their signs, nil where it stays binary
	}{
		"a NUL after a script":   {after: "#!/bin/sh\nrm -rf /\n\x00", want: []string{"+#!/bin/sh", "+rm -rf /", "+\x00"}},
		"NUL bytes within":       {after: "ab\x00c\n", want: []string{"+ab\x00c"}},
		"UTF-16":                 {after: utf16LE("über\nzwei"), want: []string{"+über", "+zwei"}},
		"UTF-16, both sides":     {before: utf16LE("one\n"), after: utf16LE("two\n"), want: []string{"-one", "+two"}},
		"UTF-16 without a mark":  {after: utf16LE("k = \"über\"\nzwei\n")[2:], want: []string{"+k = \"über\"", "+zwei"}},
		"the other way round":    {after: "\x00a\x00\n\x00b", want: []string{"+a", "+b"}},
		"a program":              {after: "\x7fELF\x02\x01\x01\x00\x00\x00"},
		"an archive":             {after: "PK\x03\x04\x14\x00\x00\x00"},
		"NUL bytes alone":        {after: "\x00\x00\x00\x00"},
		"text before, a program": {before: "one\n\x00", after: "\x7fELF\x02\x01\x01\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &File{NewPath: "x", Kind: Binary, Status: Added}
			if c.before != "" {
				f.OldPath, f.Status = "x", Modified
			}
			set := &Set{Files: []*File{f}}
			set.Decode(func(_ string, side debate.Side) ([]byte, bool) {
				if side == debate.Left {
					return []byte(c.before), true
				}
				return []byte(c.after), true
			})
			var got []string
			for _, h := range f.Hunks {
				for _, l := range h.Lines {
					got = append(got, string(l.Op)+l.Text)
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
			if why := f.checkHunks(); why != "" {
				t.Errorf("the hunks do not hold: %s", why)
			}
		})
	}
}
