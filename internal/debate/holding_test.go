package debate

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func codeAt(path string, lines ...int) quote {
	return quote{Path: path, First: lines[0], Last: lines[len(lines)-1], Code: lines}
}

func TestSubstantiates(t *testing.T) {
	t.Parallel()
	claim := []quote{codeAt("a.go", 16)}
	within := codeAt("a.go", 60)
	within.DeclFirst, within.DeclLast = 10, 80
	for name, c := range map[string]struct {
		objection, claim []quote
		want             bool
	}{
		"nothing is quoted":               {nil, claim, false},
		"the line of the claim":           {[]quote{codeAt("a.go", 16)}, claim, false},
		"a line beside it":                {[]quote{codeAt("a.go", 15)}, claim, true},
		"both":                            {[]quote{codeAt("a.go", 15, 16)}, claim, true},
		"a comment":                       {[]quote{{Path: "a.go", First: 15, Last: 15}}, claim, false},
		"its line with a comment":         {[]quote{{Path: "a.go", First: 15, Last: 16, Code: []int{16}}}, claim, false},
		"twenty lines away":               {[]quote{codeAt("a.go", 36)}, claim, true},
		"further away":                    {[]quote{codeAt("a.go", 37)}, claim, false},
		"further in the same declaration": {[]quote{within}, claim, true},
		"what it cites is in another one": {[]quote{codeAt("a.go", 90)}, []quote{within}, false},
		"it is in what the claim cites":   {[]quote{codeAt("a.go", 11)}, []quote{within}, true},
		"another file":                    {[]quote{codeAt("b.go", 15)}, claim, false},
		"what was removed":                {[]quote{{Path: "a.go", Old: true, First: 15, Last: 15, Code: []int{15}}}, claim, false},
		"against what was removed":        {[]quote{codeAt("a.go", 17)}, []quote{{Path: "a.go", Old: true, First: 16, Last: 16, Code: []int{16}}}, true},
		"a failed check":                  {[]quote{{Path: "a.go", First: 16, Last: 16, Run: "check:1"}}, claim, true},
		"the same failed check":           {[]quote{{Path: "a.go", First: 16, Last: 16, Run: "check:1"}}, []quote{{Path: "a.go", First: 16, Last: 16, Run: "check:1"}}, false},
		"the claim quotes nothing":        {[]quote{codeAt("a.go", 15)}, nil, true},
	} {
		if got := substantiates(c.objection, c.claim); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// against is an objection to a claim.
type against struct {
	voice           string
	shown, answered bool
}

// comesTo is what a claim comes to that some voices hold, the first of them its owner.
func comesTo(holders []string, objections []against) standing {
	s := State{}
	for _, id := range strings.Fields("a b c d e x y gone") {
		s.Table.Parties = append(s.Table.Parties, Party{ID: id, Family: id})
		s.Table.Seats = append(s.Table.Seats, Seat{Party: id})
	}
	c := Claim{ID: "F1", Owner: "gone", Kind: Empirical, Evidence: []Evidence{{CitationOK: true}}}
	if len(holders) > 0 {
		c.Owner = holders[0]
	} else {
		s.Book.Challenges = []Challenge{{Claim: c.ID, Attacker: "x", Defender: "gone", Status: Conceded}}
	}
	for _, holder := range holders {
		c.Evaluations = append(c.Evaluations, Evaluation{Party: holder, Class: ClassAgree, View: Supports, Reasoned: true})
	}
	for _, o := range objections {
		s.Book.Challenges = append(s.Book.Challenges, Challenge{Claim: c.ID, Attacker: o.voice, Status: Open, Shown: o.shown, Answered: o.answered})
	}
	s.Book.Claims = []Claim{c}
	return s.holding(&s.Book.Claims[0]).standing
}

// drawnHolding draws voices that hold a claim and objections to it.
func drawnHolding(t *rapid.T) (holders []string, objections []against) {
	voice := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	holders = rapid.SliceOfN(voice, 0, 4).Draw(t, "holders")
	for range rapid.IntRange(0, 4).Draw(t, "objections") {
		objections = append(objections, against{voice.Draw(t, "voice"), rapid.Bool().Draw(t, "shown"), rapid.Bool().Draw(t, "answered")})
	}
	return holders, objections
}

// TestWordsMoveNothing: a contrary voice without quotes changes nothing, and one
// whose quote is answered does not unsettle what more voices hold.
func TestWordsMoveNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		holders, objections := drawnHolding(t)
		was := comesTo(holders, objections)
		more := append(slices.Clone(objections), against{voice: "e", answered: rapid.Bool().Draw(t, "answered by a quote")})
		if is := comesTo(holders, more); is != was {
			t.Fatalf("%v with %v was %d and is %d", holders, more, was, is)
		}
		quiet := []against{{voice: "e", shown: true, answered: true}}
		if len(once(holders)) > 1 && comesTo(holders, quiet) != confirmed {
			t.Fatalf("%v is unsettled", holders)
		}
	})
}

// TestHoldersHelp: another voice for a claim makes it no weaker, and one more
// objection no stronger.
func TestHoldersHelp(t *testing.T) {
	t.Parallel()
	strength := map[standing]int{contested: 0, single: 1, confirmed: 2}
	rapid.Check(t, func(t *rapid.T) {
		holders, objections := drawnHolding(t)
		was := strength[comesTo(holders, objections)]
		if strength[comesTo(append(slices.Clone(holders), "e"), objections)] < was {
			t.Fatalf("%v with %v became weaker with one more voice", holders, objections)
		}
		more := append(slices.Clone(objections), against{voice: "e", shown: true})
		if strength[comesTo(holders, more)] > was {
			t.Fatalf("%v with %v became stronger with one more objection", holders, objections)
		}
	})
}
