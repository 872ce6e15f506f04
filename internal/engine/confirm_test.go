package engine

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/redact"
)

// drawnChange draws a file of few different lines, a part of which stands in a
// hunk, so that quotes are often ambiguous, near, or half outside the diff.
func drawnChange(t *rapid.T) (set *patch.Set, head []string, path string) {
	line := rapid.SampledFrom([]string{
		"return nil, err", "  return  nil, err", "}", "", "short", "\tif err != nil {", "caf\xe9\xe8 is closed today", "+12 labelled text",
		"token=hunter2 and tape-secret-key", "[redacted] was here before", "-removed or so",
	})
	path = rapid.SampledFrom([]string{"a.go", "caf\xe9\xe8.go"}).Draw(t, "path")
	head = rapid.SliceOfN(line, 1, 14).Draw(t, "head")
	from := rapid.IntRange(1, len(head)).Draw(t, "from")
	to := rapid.IntRange(from, len(head)).Draw(t, "to")
	hunk := &patch.Hunk{}
	old := from
	for n := from; n <= to; n++ {
		if rapid.Bool().Draw(t, "added") {
			hunk.Lines = append(hunk.Lines, patch.Line{Op: '+', New: n, Text: head[n-1]})
			continue
		}
		hunk.Lines = append(hunk.Lines, patch.Line{Op: ' ', Old: old, New: n, Text: head[n-1]})
		old++
	}
	file := &patch.File{OldPath: path, NewPath: path, Kind: patch.Text, Hunks: []*patch.Hunk{hunk}}
	return &patch.Set{Files: []*patch.File{file}}, head, path
}

// drawnRef draws a citation of some lines that stand near the cited ones, or not.
func drawnRef(t *rapid.T, head []string, path string) debate.Ref {
	first := rapid.IntRange(1, len(head)).Draw(t, "first")
	last := rapid.IntRange(first, min(first+2, len(head))).Draw(t, "last")
	quote := asRecorded(strings.Join(head[first-1:last], "\n"))
	if rapid.IntRange(0, 5).Draw(t, "another quote") == 0 {
		quote = rapid.SampledFrom([]string{"", "nothing like it", "hunter2 alone", "tape-secret-key"}).Draw(t, "quote")
	}
	off := rapid.IntRange(-4, 4).Draw(t, "off")
	return debate.Ref{Citation: debate.Citation{
		Path:      rapid.SampledFrom([]string{asRecorded(path), asRecorded(path), asRecorded(path), "hunter2.go", debate.BodyPath}).Draw(t, "cited path"),
		Side:      rapid.SampledFrom([]debate.Side{"", debate.Right, debate.Left}).Draw(t, "side"),
		StartLine: first + off, EndLine: last + off, Quote: quote,
	}}
}

func drawnResolver(set *patch.Set, head []string) *resolver {
	text := strings.Join(head, "\n")
	blob := func(string, debate.Side) ([]byte, bool) { return []byte(text), true }
	return newResolver(patch.Change{Set: set, Blob: blob}, patch.NewIndex(set), debate.Anchor{Title: head[0], Intent: text},
		func(c debate.Citation) debate.Citation {
			if odd := set.Files[0].NewPath; c.Path == asRecorded(odd) {
				c.Path = odd // as a packet knows it
			}
			return c
		})
}

// TestConfirmsWhatResolved: whatever one process finds of a citation, another one
// that knows only the secrets of the change finds, too; and it notices when a
// finding is turned round.
func TestConfirmsWhatResolved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		set, head, path := drawnChange(t)
		reply := debate.Reply{Claims: []debate.NewClaim{{Title: "t"}}}
		for range rapid.IntRange(1, 4).Draw(t, "citations") {
			reply.Claims[0].Refs = append(reply.Claims[0].Refs, drawnRef(t, head, path))
		}
		drawnResolver(set, head).resolve(&reply)
		redactReply(&reply, redact.New([]string{"tape-secret-key"}, []string{"hunter2"}))
		ev, err := debate.Recorded(debate.Replied{Ask: "a", Status: debate.CallOK, Reply: &reply})
		if err != nil {
			t.Fatal(err)
		}
		found := ev.(debate.Replied).Reply
		secrets := redact.New(nil, []string{"hunter2"})
		if why := drawnResolver(set, head).confirm(found, secrets); why != "" {
			t.Fatalf("%s: %+v", why, found.Claims[0].Refs)
		}
		i := rapid.IntRange(0, len(found.Claims[0].Refs)-1).Draw(t, "turned")
		ref := &found.Claims[0].Refs[i]
		if strings.Contains(ref.Path+ref.Quote, redact.Mark) {
			return // what it was is not known
		}
		if ref.Found.OK {
			ref.Found = debate.Found{Why: "no"}
		} else {
			ref.Found = debate.Found{OK: true}
		}
		if why := drawnResolver(set, head).confirm(found, secrets); why == "" {
			t.Fatalf("turned round: %+v", ref)
		}
	})
}

// TestConfirmIsBounded: what is beyond the bounds of looking up does not hold.
func TestConfirmIsBounded(t *testing.T) {
	t.Parallel()
	one := debate.Ref{Citation: at("a.go", debate.Right, 11, 11, "return first.value()")}
	var many debate.Reply
	for range maxRefs + 1 {
		many.Checked = append(many.Checked, debate.Check{Refs: []debate.Ref{one}})
	}
	testResolver().resolve(&many)
	if why := testResolver().confirm(&many, nil); why != "" {
		t.Error(why)
	}
	many.Checked[maxRefs].Refs[0] = many.Checked[0].Refs[0]
	if why := testResolver().confirm(&many, nil); !strings.Contains(why, tooMany) {
		t.Errorf("one more: %q", why)
	}

	// Lines outside the diff, of a file so large that it is read a few times only.
	s, reads := testResolver(), 0
	s.blob = func(string, debate.Side) ([]byte, bool) {
		reads++
		return append([]byte(atHead()), make([]byte, maxRead/4)...), true
	}
	var forged debate.Reply
	for range maxRefs {
		ref := debate.Ref{Citation: at("a.go", debate.Right, 4, 4, "// line 4 of the file"), Found: debate.Found{OK: true}}
		forged.Checked = append(forged.Checked, debate.Check{Refs: []debate.Ref{ref}})
	}
	if why := s.confirm(&forged, nil); !strings.Contains(why, tooMany) || reads > 6 {
		t.Errorf("read %d files: %q", reads, why)
	}

	// Lines that are mostly white space are more than what was quoted of them.
	wide := strings.Replace(cited, "return   first", "return"+strings.Repeat(" ", maxFound/2-20)+"first", 1)
	s = testResolver()
	s.index = patch.NewIndex(patch.Parse([]byte(wide), nil))
	few := debate.Reply{Checked: []debate.Check{{Refs: []debate.Ref{one}}, {Refs: []debate.Ref{one}}, {Refs: []debate.Ref{one}}}}
	s.resolve(&few)
	if why := s.confirm(&few, nil); why != "" || few.Checked[2].Refs[0].Found.OK {
		t.Errorf("found %+v: %s", few.Checked[2].Refs[0].Found, why)
	}
	few.Checked[2] = few.Checked[1]
	if why := s.confirm(&few, nil); !strings.Contains(why, tooLarge) {
		t.Errorf("all three: %q", why)
	}
}

func TestConceals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		redacted, text string
		want           bool
	}{
		{"abc", "abc", true},
		{"abc", "abd", false},
		{"", "", true},
		{"[redacted]", "", true},
		{"[redacted]", "[redacted]", true},
		{"a[redacted]c", "abbbc", true},
		{"a[redacted]c", "ac", true},
		{"a[redacted]c", "abcd", false},
		{"a[redacted]a", "a", false},
		{"[redacted]b[redacted]b", "abab", true},
		{"[redacted]b[redacted]b", "aab", false},
		{"a[redacted]b[redacted]c[redacted]d", "a.b.c.d", true},
		{"a[redacted]c[redacted]b[redacted]d", "a.b.c.d", false},
	} {
		if got := conceals(c.redacted, c.text); got != c.want {
			t.Errorf("%q of %q: %v", c.redacted, c.text, got)
		}
	}
}

// TestEveryEnumerationIsKnown: each enumeration of a reply is one that known knows,
// and takes no word that nobody knows.
func TestEveryEnumerationIsKnown(t *testing.T) {
	t.Parallel()
	var reply debate.Reply
	fill(reflect.ValueOf(&reply).Elem())
	var kinds []string
	visit(reflect.ValueOf(&reply), func(v reflect.Value) bool {
		if v.Kind() == reflect.String && v.Type() != reflect.TypeFor[string]() {
			kinds = append(kinds, v.Type().Name())
			if known(v) {
				t.Errorf("%s takes %q", v.Type().Name(), v.String())
			}
		}
		return true
	})
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) != 16 {
		t.Errorf("add %v to known, and count it here", kinds)
	}
}
