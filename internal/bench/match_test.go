package bench

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
)

func at(path string, start, end int) Place {
	return Place{Path: path, Side: debate.Right, Start: start, End: end}
}

func finding(s debate.Severity, title string, places ...Place) Finding {
	return Finding{Severity: s, Title: title, Places: places}
}

// matching counts the found, missed and false ones, and those too mild and repeated.
type matching [5]int

func counts(m Matched) matching {
	return matching{len(m.Found), len(m.Missed), len(m.False), m.Mild, m.Repeats}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	lock := Expected{What: "lock", Severity: debate.P1, Places: []Place{at("a.go", 10, 12), at("b.go", 4, 4)}, Words: []string{"Deadlock", "mutex"}}
	unit := Expected{What: "unit", Severity: debate.P3, Places: []Place{at("a.go", 12, 20)}}
	for name, tt := range map[string]struct {
		expected []Expected
		findings []Finding
		want     matching
	}{
		"lines that touch":       {[]Expected{lock}, []Finding{finding(debate.P1, "a deadlock", at("a.go", 1, 10))}, matching{1, 0, 0, 0, 0}},
		"lines before":           {[]Expected{lock}, []Finding{finding(debate.P1, "a deadlock", at("a.go", 1, 9))}, matching{0, 1, 1, 0, 0}},
		"lines behind":           {[]Expected{lock}, []Finding{finding(debate.P1, "a deadlock", at("a.go", 13, 19))}, matching{0, 1, 1, 0, 0}},
		"the other place":        {[]Expected{lock}, []Finding{finding(debate.P1, "the MUTEX", at("z.go", 1, 1), at("b.go", 4, 4))}, matching{1, 0, 0, 0, 0}},
		"another file":           {[]Expected{lock}, []Finding{finding(debate.P1, "a deadlock", at("c.go", 10, 12))}, matching{0, 1, 1, 0, 0}},
		"the other side":         {[]Expected{lock}, []Finding{finding(debate.P1, "a deadlock", Place{"a.go", debate.Left, 10, 12})}, matching{0, 1, 1, 0, 0}},
		"other words":            {[]Expected{lock}, []Finding{finding(debate.P1, "a typing error", at("a.go", 10, 12))}, matching{0, 1, 1, 0, 0}},
		"words of the body":      {[]Expected{lock}, []Finding{{debate.P1, "it stops", "for a mutex", []Place{at("a.go", 10, 12)}}}, matching{1, 0, 0, 0, 0}},
		"too mild":               {[]Expected{lock}, []Finding{finding(debate.P2, "a deadlock", at("a.go", 10, 12))}, matching{0, 1, 0, 1, 0}},
		"too severe is fine":     {[]Expected{unit}, []Finding{finding(debate.P1, "x", at("a.go", 15, 15))}, matching{1, 0, 0, 0, 0}},
		"said twice":             {[]Expected{unit}, []Finding{finding(debate.P2, "x", at("a.go", 15, 15)), finding(debate.P2, "y", at("a.go", 16, 16))}, matching{1, 0, 0, 0, 1}},
		"one finding, two of it": {[]Expected{unit, unit}, []Finding{finding(debate.P2, "x", at("a.go", 12, 20))}, matching{1, 1, 0, 0, 0}},
		"no place":               {[]Expected{unit}, []Finding{finding(debate.P1, "x")}, matching{0, 1, 1, 0, 0}},
		"clean":                  {nil, []Finding{finding(debate.P3, "x", at("a.go", 1, 1))}, matching{0, 0, 1, 0, 0}},
		// The first finding fits both, the second only the first: both are found.
		"the best pairs": {
			[]Expected{unit, lock},
			[]Finding{finding(debate.P1, "a deadlock", at("a.go", 12, 12)), finding(debate.P1, "x", at("a.go", 20, 20))},
			matching{2, 0, 0, 0, 0},
		},
	} {
		if diff := cmp.Diff(tt.want, counts(Match(tt.expected, tt.findings))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestMatchKnowsNoOrder: what is found, false, too mild and repeated does not depend on the
// order in which it is listed, and adds up.
func TestMatchKnowsNoOrder(t *testing.T) {
	t.Parallel()
	place := rapid.Custom(func(t *rapid.T) Place {
		start := rapid.IntRange(1, 12).Draw(t, "start")
		return at(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "path"), start, start+rapid.IntRange(0, 4).Draw(t, "length"))
	})
	severity := rapid.SampledFrom([]debate.Severity{debate.P1, debate.P2, debate.P3})
	rapid.Check(t, func(t *rapid.T) {
		expected := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Expected {
			return Expected{Severity: severity.Draw(t, "severity"), Places: rapid.SliceOfN(place, 1, 2).Draw(t, "places")}
		}), 0, 5).Draw(t, "expected")
		findings := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Finding {
			return Finding{Severity: severity.Draw(t, "severity"), Places: rapid.SliceOfN(place, 0, 2).Draw(t, "places")}
		}), 0, 6).Draw(t, "findings")
		got := counts(Match(expected, findings))
		other := counts(Match(rapid.Permutation(expected).Draw(t, "other expected"), rapid.Permutation(findings).Draw(t, "other findings")))
		if got != other {
			t.Fatalf("found, missed, false, mild, repeated: %v, in another order %v", got, other)
		}
		if got[0]+got[2]+got[3]+got[4] != len(findings) {
			t.Fatalf("%v of %d findings", got, len(findings))
		}
	})
}

func TestVote(t *testing.T) {
	t.Parallel()
	x, y := at("a.go", 3, 5), at("a.go", 5, 9)
	far := at("a.go", 30, 30)
	for name, tt := range map[string]struct {
		lists [][]Finding
		want  []string // severity and title
	}{
		"all of two":         {[][]Finding{{finding(debate.P1, "x", x)}, {finding(debate.P2, "y", y)}}, []string{"P2 x"}},
		"one of two":         {[][]Finding{{finding(debate.P1, "x", x)}, nil}, nil},
		"two of three":       {[][]Finding{nil, {finding(debate.P1, "x", x)}, {finding(debate.P3, "y", y)}}, []string{"P3 x"}},
		"three of three":     {[][]Finding{{finding(debate.P3, "x", x)}, {finding(debate.P1, "y", y)}, {finding(debate.P2, "z", y)}}, []string{"P2 x"}},
		"half is not most":   {[][]Finding{{finding(debate.P1, "x", x)}, {finding(debate.P1, "y", y)}, nil, nil}, nil},
		"one speaks twice":   {[][]Finding{{finding(debate.P1, "x", x), finding(debate.P1, "y", x)}, {finding(debate.P1, "z", x)}, nil}, []string{"P1 x"}},
		"two at one line":    {[][]Finding{{finding(debate.P1, "x", x), finding(debate.P1, "y", x)}, {finding(debate.P1, "v", x), finding(debate.P1, "w", x)}}, []string{"P1 x", "P1 y"}},
		"apart":              {[][]Finding{{finding(debate.P1, "x", x)}, {finding(debate.P1, "y", far)}}, nil},
		"the same proof":     {[][]Finding{{finding(debate.P1, "x", x, far)}, {finding(debate.P1, "y", at("b.go", 1, 1), far)}}, nil},
		"its proof is meant": {[][]Finding{{finding(debate.P1, "x", x, far)}, {finding(debate.P1, "y", far)}}, []string{"P1 x"}},
		"nowhere":            {[][]Finding{{finding(debate.P1, "x")}, {finding(debate.P1, "y")}}, nil},
	} {
		var got []string
		for _, f := range vote(tt.lists) {
			got = append(got, string(f.Severity)+" "+f.Title)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	kept := vote([][]Finding{{finding(debate.P1, "x", x)}, {finding(debate.P1, "a deadlock", y)}})
	words := Expected{Severity: debate.P1, Places: []Place{at("a.go", 9, 9)}, Words: []string{"deadlock"}}
	if len(kept) != 1 || !kept[0].matches(words) || !slices.Contains(kept[0].Places, y) {
		t.Errorf("what several report has not the words and lines of each: %+v", kept)
	}
}
