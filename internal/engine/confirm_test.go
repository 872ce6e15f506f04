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
func drawnChange(t *rapid.T) (set *patch.Set, base, head []string, path string) {
	line := rapid.SampledFrom([]string{
		"return nil, err", "  return  nil, err", "}", "", "short", "\tif err != nil {", "caf\xe9\xe8 is closed today", "+12 labelled text",
		"token=hunter2 and tape-secret-key", "[redacted] was here before", "-removed or so",
	})
	path = rapid.SampledFrom([]string{"a.go", "caf\xe9\xe8.go"}).Draw(t, "path")
	head = rapid.SliceOfN(line, 1, 14).Draw(t, "head")
	from := rapid.IntRange(1, len(head)).Draw(t, "from")
	to := rapid.IntRange(from, len(head)).Draw(t, "to")
	hunk := &patch.Hunk{}
	base = slices.Clone(head[:from-1])
	for n := from; n <= to; n++ {
		if rapid.Bool().Draw(t, "added") {
			hunk.Lines = append(hunk.Lines, patch.Line{Op: '+', New: n, Text: head[n-1]})
			continue
		}
		base = append(base, head[n-1])
		hunk.Lines = append(hunk.Lines, patch.Line{Op: ' ', Old: len(base), New: n, Text: head[n-1]})
	}
	base = append(base, head[to:]...)
	file := &patch.File{OldPath: path, NewPath: path, Kind: patch.Text, Hunks: []*patch.Hunk{hunk}}
	return &patch.Set{Files: []*patch.File{file}}, base, head, path
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

func drawnResolver(set *patch.Set, base, head []string) *resolver {
	text := strings.Join(head, "\n")
	blob := func(_ string, side debate.Side) ([]byte, bool) {
		if side == debate.Left {
			return []byte(strings.Join(base, "\n")), true
		}
		return []byte(text), true
	}
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
		set, base, head, path := drawnChange(t)
		reply := debate.Reply{Claims: []debate.NewClaim{{Title: "t"}}}
		for range rapid.IntRange(1, 4).Draw(t, "citations") {
			reply.Claims[0].Refs = append(reply.Claims[0].Refs, drawnRef(t, head, path))
		}
		drawnResolver(set, base, head).resolve(&reply)
		redactReply(&reply, redact.New([]string{"tape-secret-key"}, []string{"hunter2"}, nil))
		ev, err := debate.Recorded(debate.Replied{Ask: "a", Status: debate.CallOK, Reply: &reply})
		if err != nil {
			t.Fatal(err)
		}
		found := ev.(debate.Replied).Reply
		secrets := redact.New(nil, []string{"hunter2"}, nil)
		if why := drawnResolver(set, base, head).confirm(found, secrets); why != "" {
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
		if why := drawnResolver(set, base, head).confirm(found, secrets); why == "" {
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

	// Citations that do not hold are looked up in bounds, too, and each reply has its own.
	reads = 0
	var missing debate.Reply
	for range maxRefs {
		ref := debate.Ref{Citation: at("a.go", debate.Right, 4, 4, "not in this file"), Found: debate.Found{Why: "the quote does not stand at or near the cited lines"}}
		missing.Checked = append(missing.Checked, debate.Check{Refs: []debate.Ref{ref}})
	}
	if why := s.confirm(&missing, nil); !strings.Contains(why, tooMany) || reads > 6 {
		t.Errorf("read %d files: %q", reads, why)
	}
	next := debate.Reply{Checked: []debate.Check{{Refs: []debate.Ref{one}}}}
	testResolver().resolve(&next)
	if why := s.confirm(&next, nil); why != "" {
		t.Errorf("the next reply: %s", why)
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

// TestConfirmRefuses: what a record says of one citation, and what is wrong with it.
func TestConfirmRefuses(t *testing.T) {
	t.Parallel()
	const (
		place  = "the place that it names is another one"
		none   = "there are no such lines"
		other  = "the lines there are others"
		flags  = "its lines are something else to the change"
		more   = "a citation that does not hold says more of its lines"
		points = "other lines stand where it points"
		reason = "its lines are there, or are missing for another reason"
	)
	here, changed := at("a.go", debate.Right, 11, 11, ""), at("a.go", debate.Right, 11, 11, "return first.value()")
	wrong, marked := at("a.go", debate.Right, 11, 11, "return first.values()"), at("a.go", debate.Right, 11, 11, "[redacted] values")
	holds := func(ref *debate.Ref) { ref.Found = debate.Found{OK: true} }
	for name, row := range map[string]struct {
		cite debate.Citation
		edit func(*debate.Ref)
		want string
	}{
		"a place":                              {here, func(*debate.Ref) {}, ""},
		"a place with a redacted part":         {here, func(ref *debate.Ref) { ref.Found.Text = "\treturn   [redacted]" }, ""},
		"a place of another text":              {here, func(ref *debate.Ref) { ref.Found.Text += "x" }, place},
		"a place that did not change":          {here, func(ref *debate.Ref) { ref.Found.Changed = false }, place},
		"a place on another line":              {here, func(ref *debate.Ref) { ref.StartLine, ref.EndLine = 12, 12 }, place},
		"a quote":                              {changed, func(*debate.Ref) {}, ""},
		"a quote of other lines":               {changed, func(ref *debate.Ref) { ref.Quote += "x" }, other},
		"a quote that did not change":          {changed, func(ref *debate.Ref) { ref.Found.Changed = false }, flags},
		"a quote, and a reason":                {changed, func(ref *debate.Ref) { ref.Found.Why = "no" }, flags},
		"a blank line":                         {at("a.go", debate.Right, 14, 14, ""), holds, none},
		"no path and no run":                   {at("", debate.Right, 11, 11, "return first.value()"), func(*debate.Ref) {}, ""},
		"no path, and it holds":                {at("", debate.Right, 11, 11, "return first.value()"), holds, none},
		"a run":                                {debate.Citation{}, func(ref *debate.Ref) { ref.RunRef, ref.Found = "check:1", debate.Found{} }, ""},
		"a run with lines":                     {debate.Citation{}, func(ref *debate.Ref) { ref.RunRef, ref.Found = "check:1", debate.Found{OK: true} }, "a check run has no lines in the change"},
		"the title":                            {at(debate.BodyPath, debate.Right, 0, 0, "Return the value itself"), func(*debate.Ref) {}, ""},
		"the title, and lines after it":        {at(debate.BodyPath, debate.Right, 0, 0, "Return the value itself"), func(ref *debate.Ref) { ref.EndLine = 5 }, none},
		"it does not hold":                     {wrong, func(*debate.Ref) {}, ""},
		"it does not hold, for another reason": {wrong, func(ref *debate.Ref) { ref.Found.Why = "no" }, reason},
		"it does not hold, and other lines":    {wrong, func(ref *debate.Ref) { ref.Found.Text = "x" }, reason},
		"it does not hold, and changed":        {wrong, func(ref *debate.Ref) { ref.Found.Changed = true }, more},
		"unknown":                              {marked, func(*debate.Ref) {}, ""},
		"unknown, and nothing stands there":    {marked, func(ref *debate.Ref) { ref.Found.Text = "" }, ""},
		"unknown, and other lines":             {marked, func(ref *debate.Ref) { ref.Found.Text = "x" }, points},
		"unknown, and changed":                 {marked, func(ref *debate.Ref) { ref.Found.Changed = true }, more},
		"unknown, for the longest reason":      {marked, func(ref *debate.Ref) { ref.Found.Why = strings.Repeat("x", maxDetail) }, ""},
		"unknown, for a longer reason":         {marked, func(ref *debate.Ref) { ref.Found.Why = strings.Repeat("x", maxDetail+1) }, more},
	} {
		reply := debate.Reply{Checked: []debate.Check{{Refs: []debate.Ref{{Citation: row.cite}}}}}
		testResolver().resolve(&reply)
		row.edit(&reply.Checked[0].Refs[0])
		want := row.want
		if want != "" {
			want = "citation 1 of the reply: " + want
		}
		if why := testResolver().confirm(&reply, redact.New(nil, []string{"hunter2"}, nil)); why != want {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestConfirmsNoMoreLinesThanAQuoteHas: a record cannot say that more lines were quoted than
// a quote may have.
func TestConfirmsNoMoreLinesThanAQuoteHas(t *testing.T) {
	t.Parallel()
	all := slices.Repeat([]string{"x := 1"}, 3000)
	for count, want := range map[int]string{2000: "", 2001: "citation 1 of the reply: there are no such lines"} {
		s := testResolver()
		s.blob = func(string, debate.Side) ([]byte, bool) { return []byte(strings.Join(all, "\n")), true }
		ref := debate.Ref{Citation: at("a.go", debate.Right, 101, 100+count, strings.Join(all[:count], "\n")), Found: debate.Found{OK: true, Code: ^debate.Lines(0)}}
		reply := debate.Reply{Checked: []debate.Check{{Refs: []debate.Ref{ref}}}}
		if why := s.confirm(&reply, redact.New(nil, nil, nil)); why != want {
			t.Errorf("%d lines: %q", count, why)
		}
	}
}

// TestConfirmsANameThatIsNoText: of several files that a record cannot name as they are, it
// means the one whose name it writes in this way.
func TestConfirmsANameThatIsNoText(t *testing.T) {
	t.Parallel()
	section := func(name, text string) string {
		return "diff --git \"a/" + name + "\" \"b/" + name + "\"\nnew file mode 100644\n--- /dev/null\n+++ \"b/" + name + "\"\n@@ -0,0 +1 @@\n+" + text + "\n"
	}
	set := patch.Parse([]byte(section(`caf\351.go`, "one := load(1)")+section(`th\351.go`, "two := load(2)")), nil)
	for path, holds := range map[string]bool{"caf\ufffd.go": true, "th\ufffd.go": false, "x\ufffd.go": false} {
		s := newResolver(patch.Change{Set: set, Blob: func(string, debate.Side) ([]byte, bool) { return nil, false }}, patch.NewIndex(set), debate.Anchor{}, func(c debate.Citation) debate.Citation { return c })
		ref := debate.Ref{Citation: at(path, debate.Right, 1, 1, "one := load(1)"), Found: debate.Found{OK: true, Changed: true, InHunk: true, Commentable: true, Code: 1}}
		reply := debate.Reply{Checked: []debate.Check{{Refs: []debate.Ref{ref}}}}
		if why := s.confirm(&reply, redact.New(nil, nil, nil)); (why == "") != holds {
			t.Errorf("%s: %q", path, why)
		}
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
