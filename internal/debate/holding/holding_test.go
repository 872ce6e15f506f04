package holding

import (
	"testing"

	"pgregory.net/rapid"
)

func code(path string, lines ...int) Quote {
	return Quote{Path: path, First: lines[0], Last: lines[len(lines)-1], Code: lines}
}

func TestSubstantiates(t *testing.T) {
	t.Parallel()
	claim := []Quote{code("a.go", 16)}
	within := code("a.go", 60)
	within.DeclFirst, within.DeclLast = 10, 80
	for name, c := range map[string]struct {
		objection, claim []Quote
		want             bool
	}{
		"nothing is quoted":               {nil, claim, false},
		"the line of the claim":           {[]Quote{code("a.go", 16)}, claim, false},
		"a line beside it":                {[]Quote{code("a.go", 15)}, claim, true},
		"both":                            {[]Quote{code("a.go", 15, 16)}, claim, true},
		"a comment":                       {[]Quote{{Path: "a.go", First: 15, Last: 15}}, claim, false},
		"its line with a comment":         {[]Quote{{Path: "a.go", First: 15, Last: 16, Code: []int{16}}}, claim, false},
		"twenty lines away":               {[]Quote{code("a.go", 36)}, claim, true},
		"further away":                    {[]Quote{code("a.go", 37)}, claim, false},
		"further in the same declaration": {[]Quote{within}, claim, true},
		"what it cites is in another one": {[]Quote{code("a.go", 90)}, []Quote{within}, false},
		"it is in what the claim cites":   {[]Quote{code("a.go", 11)}, []Quote{within}, true},
		"another file":                    {[]Quote{code("b.go", 15)}, claim, false},
		"what was removed":                {[]Quote{{Path: "a.go", Old: true, First: 15, Last: 15, Code: []int{15}}}, claim, false},
		"against what was removed":        {[]Quote{code("a.go", 17)}, []Quote{{Path: "a.go", Old: true, First: 16, Last: 16, Code: []int{16}}}, true},
		"a failed check":                  {[]Quote{{Path: "a.go", First: 16, Last: 16, Run: "check:1"}}, claim, true},
		"the same failed check":           {[]Quote{{Path: "a.go", First: 16, Last: 16, Run: "check:1"}}, []Quote{{Path: "a.go", First: 16, Last: 16, Run: "check:1"}}, false},
		"the claim quotes nothing":        {[]Quote{code("a.go", 15)}, nil, true},
	} {
		if got := Substantiates(c.objection, c.claim); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestComes(t *testing.T) {
	t.Parallel()
	words := Objection{Voice: "x"}
	shown := Objection{Voice: "x", Substantiated: true}
	answered := Objection{Voice: "x", Substantiated: true, Answered: true}
	also := Objection{Voice: "y", Substantiated: true, Answered: true}
	for name, c := range map[string]struct {
		holders    []string
		objections []Objection
		want       Standing
	}{
		"its owner alone":                       {[]string{"a"}, nil, Single},
		"its owner twice":                       {[]string{"a", "a"}, nil, Single},
		"nobody":                                {nil, nil, Single},
		"two":                                   {[]string{"a", "b"}, nil, Confirmed},
		"words against one":                     {[]string{"a"}, []Objection{words}, Single},
		"words against two":                     {[]string{"a", "b"}, []Objection{words, words}, Confirmed},
		"a quote against one":                   {[]string{"a"}, []Objection{answered}, Unsettled},
		"a quote against two, unanswered":       {[]string{"a", "b"}, []Objection{shown}, Unsettled},
		"a quote against two, answered":         {[]string{"a", "b"}, []Objection{answered}, Confirmed},
		"one voice with two quotes":             {[]string{"a", "b"}, []Objection{answered, answered}, Confirmed},
		"one of its quotes is unanswered":       {[]string{"a", "b"}, []Objection{answered, shown}, Unsettled},
		"as many against as for":                {[]string{"a", "b"}, []Objection{answered, also}, Unsettled},
		"fewer against than for":                {[]string{"a", "b", "c"}, []Objection{answered, also}, Confirmed},
		"as many against, one with words alone": {[]string{"a", "b"}, []Objection{answered, {Voice: "y"}}, Confirmed},
	} {
		if got := (Case{Holders: c.holders, Objections: c.objections}).Comes(); got != c.want {
			t.Errorf("%s: %d", name, got)
		}
	}
}

func drawnCase(t *rapid.T) Case {
	voice := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	c := Case{Holders: rapid.SliceOfN(voice, 0, 4).Draw(t, "holders")}
	for range rapid.IntRange(0, 4).Draw(t, "objections") {
		c.Objections = append(c.Objections, Objection{
			Voice: voice.Draw(t, "voice"), Substantiated: rapid.Bool().Draw(t, "substantiated"), Answered: rapid.Bool().Draw(t, "answered"),
		})
	}
	return c
}

// TestWordsMoveNothing: a contrary voice without quotes changes nothing, and one
// whose quote is answered does not unsettle what more voices hold.
func TestWordsMoveNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := drawnCase(t)
		was := c.Comes()
		more := c
		more.Objections = append(more.Objections[:len(more.Objections):len(more.Objections)], Objection{Voice: "e", Answered: rapid.Bool().Draw(t, "answered")})
		if is := more.Comes(); is != was {
			t.Fatalf("%+v was %d and is %d", more, was, is)
		}
		quiet := Case{Holders: c.Holders, Objections: []Objection{{Voice: "e", Substantiated: true, Answered: true}}}
		if len(distinct(c.Holders)) > 1 && quiet.Comes() != Confirmed {
			t.Fatalf("%+v is unsettled", quiet)
		}
	})
}

// TestHoldersHelp: another voice for a claim makes it no weaker, and one more
// objection no stronger.
func TestHoldersHelp(t *testing.T) {
	t.Parallel()
	strength := map[Standing]int{Unsettled: 0, Single: 1, Confirmed: 2}
	rapid.Check(t, func(t *rapid.T) {
		c := drawnCase(t)
		was := strength[c.Comes()]
		held := Case{Holders: append([]string{"e"}, c.Holders...), Objections: c.Objections}
		if strength[held.Comes()] < was {
			t.Fatalf("%+v became weaker with one more voice", c)
		}
		attacked := Case{Holders: c.Holders, Objections: append([]Objection{{Voice: "e", Substantiated: true}}, c.Objections...)}
		if strength[attacked.Comes()] > was {
			t.Fatalf("%+v became stronger with one more objection", c)
		}
	})
}
