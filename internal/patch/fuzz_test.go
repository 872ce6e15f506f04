package patch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
)

// checkSet holds what every set promises.
func checkSet(t *testing.T, set *Set) {
	t.Helper()
	x := NewIndex(set)
	paths := make(map[string]bool)
	for _, f := range set.Files {
		if f.Path() == "" || paths[f.Path()] {
			t.Fatalf("path %q is empty or there twice", f.Path())
		}
		paths[f.Path()] = true
		if f.Unparsed != "" && f.Hunks != nil {
			t.Fatalf("%q is unparsed and has hunks", f.Path())
		}
		if f.Unparsed == "" && unsafePath(f.Path()) != "" {
			t.Fatalf("%q is parsed", f.Path())
		}
		added, deleted := 0, 0
		for _, h := range f.Hunks {
			a, d := checkHunk(t, x, f, h)
			added, deleted = added+a, deleted+d
		}
		if len(f.Hunks) > 0 && (added != f.Additions || deleted != f.Deletions) {
			t.Fatalf("%q counts +%d -%d, has +%d -%d", f.Path(), f.Additions, f.Deletions, added, deleted)
		}
	}
}

// checkHunk holds the numbers of a hunk's lines, and that the index finds them.
func checkHunk(t *testing.T, x *Index, f *File, h *Hunk) (added, deleted int) {
	t.Helper()
	oldLine, newLine := h.OldStart, h.NewStart
	for _, l := range h.Lines {
		if strings.Contains(l.Text, "\n") {
			t.Fatalf("%q: a line has two: %q", f.Path(), l.Text)
		}
		wantOld, wantNew := 0, 0
		if l.Op != '+' {
			wantOld = oldLine
			oldLine++
		}
		if l.Op != '-' {
			wantNew = newLine
			newLine++
		}
		if l.Old != wantOld || l.New != wantNew || l.Op == ' ' && l.Old*l.New == 0 {
			t.Fatalf("%q: line %+v, want numbers %d and %d", f.Path(), l, wantOld, wantNew)
		}
		switch l.Op {
		case '+':
			added++
		case '-':
			deleted++
		case ' ':
		default:
			t.Fatalf("%q: op %q", f.Path(), l.Op)
		}
		if l.New > 0 {
			checkFound(t, x, f.NewPath, debate.Right, l.New, h, l)
		}
		if left, unique := x.places[debate.Left][f.OldPath]; l.Old > 0 && unique && f.Status != Copied && left != nil {
			checkFound(t, x, f.OldPath, debate.Left, l.Old, h, l)
		}
	}
	if oldLine-h.OldStart != h.OldLines || newLine-h.NewStart != h.NewLines {
		t.Fatalf("%q: hunk %+v has other counts than its header", f.Path(), h)
	}
	return added, deleted
}

func checkFound(t *testing.T, x *Index, path string, side debate.Side, line int, h *Hunk, l Line) {
	t.Helper()
	text, ok := x.Line(path, side, line)
	at, _, _ := x.find(path, side, line)
	if !ok || text != l.Text || at.hunk != h {
		t.Fatalf("Line(%q, %s, %d) = %q, %v, want %q", path, side, line, text, ok, l.Text)
	}
	if x.Changed(path, side, line) != (l.Op != ' ') {
		t.Fatalf("Changed(%q, %s, %d) is wrong about %q", path, side, line, l.Op)
	}
	if x.Commentable(path, side, line, line) != (side == debate.Right || l.Op == '-') {
		t.Fatalf("Commentable(%q, %s, %d) is wrong about %q", path, side, line, l.Op)
	}
	if !x.Verbatim(debate.Citation{Path: path, Side: side, StartLine: line, EndLine: line, Quote: l.Text}) {
		t.Fatalf("Verbatim(%q, %s, %d) refuses %q", path, side, line, l.Text)
	}
}

func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("testdata/*.diff")
	if err != nil || len(names) == 0 {
		f.Fatalf("no diffs in testdata: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, []byte{}, []byte{})
	}
	f.Add([]byte(indexed), []byte(":100644 100644 1 2 M\x00f\x00"), []byte("3\t3\tf\x00"))
	f.Add([]byte(quoted), []byte(":100644 100644 1 2 M\x00f.go\x00"), []byte("8\t3\tf.go\x00"))
	for _, tt := range texts {
		if len(tt.text) < 1<<10 {
			f.Add([]byte(tt.text), []byte{}, []byte{})
		}
	}
	for _, l := range listings {
		f.Add([]byte(quoted), []byte(l.raw), []byte(l.numstat))
	}
	f.Fuzz(func(t *testing.T, text, raw, numstat []byte) {
		bare := Parse(text, nil)
		checkSet(t, bare)
		if entries, err := ParseListing(raw, numstat); err == nil {
			set := Parse(text, entries)
			checkSet(t, set)
			for _, file := range bare.Files {
				fileOf(t, set, file.Path())
			}
			for i := range entries {
				fileOf(t, set, entries[i].path())
			}
		}
		rows := 0
		for _, file := range bare.Files {
			for _, h := range file.Hunks {
				rows += len(h.Lines) + 1
			}
		}
		if rows > len(text)+1 || len(bare.Files) > len(text) {
			t.Fatalf("%d files and %d lines out of %d bytes", len(bare.Files), rows, len(text))
		}
	})
}

func FuzzParseListing(f *testing.F) {
	for _, l := range listings {
		f.Add([]byte(l.raw), []byte(l.numstat))
	}
	f.Fuzz(func(t *testing.T, raw, numstat []byte) {
		entries, err := ParseListing(raw, numstat)
		if err != nil {
			if entries != nil || strings.ContainsAny(err.Error(), "\n\r\x00\x1b") {
				t.Fatalf("%d entries and error %q", len(entries), err)
			}
			return
		}
		for _, e := range entries {
			if e.path() == "" || e.Additions < 0 || e.Deletions < 0 {
				t.Fatalf("%+v", e)
			}
			if e.BinaryByGit && e.Additions+e.Deletions > 0 {
				t.Fatalf("%+v", e)
			}
		}
		checkSet(t, Parse(nil, entries))
	})
}

func FuzzQuote(f *testing.F) {
	for _, q := range quotes {
		f.Add(q.quote, string(q.side), q.start, q.end)
	}
	x := NewIndex(Parse([]byte(quoted), nil))
	f.Fuzz(func(t *testing.T, quote, side string, start, end int) {
		c := debate.Citation{Path: "f.go", Side: debate.Side(side), StartLine: start, EndLine: end, Quote: quote}
		m := x.Quote(c)
		if m.OK == (m.Reason != "") || m.Reanchored && !m.OK {
			t.Fatalf("%+v", m)
		}
		if !utf8.ValidString(m.Reason) || strings.Contains(m.Reason, "\n") {
			t.Fatalf("reason %q", m.Reason)
		}
		if !m.OK {
			return
		}
		if m.StartLine < start-anchorReach || m.EndLine > end+anchorReach || m.EndLine < m.StartLine {
			t.Fatalf("%+v is out of reach of %d-%d", m, start, end)
		}
		if !m.Reanchored && (m.StartLine != start || m.EndLine != end) {
			t.Fatalf("%+v moved without saying so", m)
		}
		// What stands there is itself a quote of these lines, if it is long enough.
		var there []string
		for line := m.StartLine; line <= m.EndLine; line++ {
			text, ok := x.Line("f.go", c.Side, line)
			if !ok {
				t.Fatalf("%+v: line %d is not in the diff", m, line)
			}
			there = append(there, text)
		}
		c.StartLine, c.EndLine, c.Quote = m.StartLine, m.EndLine, strings.Join(there, "\n")
		if again := x.Quote(c); !again.OK || again.Reanchored {
			t.Fatalf("%q at %+v: %+v", c.Quote, m, again)
		}
	})
}
