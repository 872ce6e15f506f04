package patch

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// apply makes the new content out of the old one and the hunks of a file.
func apply(t *testing.T, old string, f *File) string {
	t.Helper()
	rest := strings.SplitAfter(old, "\n")
	var b strings.Builder
	line := 1 // of the old content, the next one to copy
	for _, h := range f.Hunks {
		for ; line < firstLine(h.OldStart, h.OldLines); line++ {
			b.WriteString(rest[line-1])
		}
		for _, l := range h.Lines {
			text := l.Text
			if !l.NoEOL {
				text += "\n"
			}
			if l.Op != '+' {
				if rest[line-1] != text {
					t.Fatalf("line %d is %q, the diff says %q", line, rest[line-1], text)
				}
				line++
			}
			if l.Op != '-' {
				b.WriteString(text)
			}
		}
	}
	for ; line <= len(rest); line++ {
		b.WriteString(rest[line-1])
	}
	return b.String()
}

// TestApply lets git compare random contents: our hunks turn the old one into
// the new one.
func TestApply(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{
		"", "a", "b", "\r", "a\r", "-", "--", "-- ", "+", "++ b/x", "-- a/x", "@@ -1 +1 @@", "diff --git a/x b/x",
		"\\ No newline at end of file", " ", "\t", "\xff", "\u2028", "Submodule x 1234567..7654321:", "commit 1",
	})
	content := rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(line, 0, 30).Draw(t, "lines"), "\n")
		return s + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
	})
	r := newRepo(t)
	seen := 0
	for i := range 60 {
		old, now, context := content.Example(3*i), content.Example(3*i+1), i%4
		r.write("old", old)
		r.write("new", now)
		text := r.run(func(code int) bool { return code == 1 }, "diff", "--no-index", "--text", fmt.Sprintf("-U%d", context), "old", "new")
		set := Parse(text, nil)
		if old == now {
			continue
		}
		if len(set.Files) != 1 || set.Files[0].Unparsed != "" {
			t.Fatalf("%s\n%s", describe(set), text)
		}
		if got := apply(t, old, set.Files[0]); got != now {
			t.Fatalf("got %q\nwant %q\n%s", got, now, text)
		}
		seen += len(set.Files[0].Hunks)
	}
	if seen < 60 {
		t.Errorf("only %d hunks were seen", seen)
	}
}
