package debate

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/lists"
	"pgregory.net/rapid"
)

func codeAt(path string, lines ...int) Evidence {
	e := quoteOf(path, lines[0], lines[len(lines)-1])
	for _, line := range lines {
		e.Code = e.Code.With(line - lines[0])
	}
	return e
}

func quoteOf(path string, first, last int) Evidence {
	return Evidence{Cite: Citation{Path: path, Side: Right, StartLine: first, EndLine: last}}
}

func TestSubstantiates(t *testing.T) {
	t.Parallel()
	claim := []Evidence{codeAt("a.go", 16)}
	within := codeAt("a.go", 60)
	within.DeclStart, within.DeclEnd = 10, 80
	comment := quoteOf("a.go", 15, 16) // and a line of code
	comment.Code = comment.Code.With(1)
	removed := func(line int) []Evidence { e := codeAt("a.go", line); e.Cite.Side = Left; return []Evidence{e} }
	check := quoteOf("a.go", 16, 16)
	check.RunRef = "check:1"
	for name, c := range map[string]struct {
		objection, claim []Evidence
		want             bool
	}{
		"nothing is quoted":               {nil, claim, false},
		"the line of the claim":           {[]Evidence{codeAt("a.go", 16)}, claim, false},
		"a line beside it":                {[]Evidence{codeAt("a.go", 15)}, claim, true},
		"both":                            {[]Evidence{codeAt("a.go", 15, 16)}, claim, true},
		"a comment":                       {[]Evidence{quoteOf("a.go", 15, 15)}, claim, false},
		"its line with a comment":         {[]Evidence{comment}, claim, false},
		"twenty lines away":               {[]Evidence{codeAt("a.go", 36)}, claim, true},
		"further away":                    {[]Evidence{codeAt("a.go", 37)}, claim, false},
		"further in the same declaration": {[]Evidence{within}, claim, true},
		"what it cites is in another one": {[]Evidence{codeAt("a.go", 90)}, []Evidence{within}, false},
		"it is in what the claim cites":   {[]Evidence{codeAt("a.go", 11)}, []Evidence{within}, true},
		"another file":                    {[]Evidence{codeAt("b.go", 15)}, claim, false},
		"what was removed":                {removed(15), claim, false},
		"against what was removed":        {[]Evidence{codeAt("a.go", 17)}, removed(16), true},
		"a failed check":                  {[]Evidence{check}, claim, true},
		"the same failed check":           {[]Evidence{check}, []Evidence{check}, false},
		"the claim quotes nothing":        {[]Evidence{codeAt("a.go", 15)}, nil, true},
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
		if len(lists.Once(holders)) > 1 && comesTo(holders, quiet) != confirmed {
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
