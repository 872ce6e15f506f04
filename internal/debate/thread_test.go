package debate

import (
	"strings"
	"testing"
)

func quoted(first, last int) []Evidence {
	return []Evidence{{CitationOK: true, Cite: Citation{Path: "a.go", Side: Right, StartLine: first, EndLine: last}, Code: 1}}
}

// TestSubstanceIsAQuoteNotGivenBefore: the same line again is nothing new, wherever
// in the threads of a claim it stands.
func TestSubstanceIsAQuoteNotGivenBefore(t *testing.T) {
	t.Parallel()
	b := &reducer{State: &State{Book: Book{Claims: []Claim{{ID: "F1"}}, Challenges: []Challenge{{ID: "K1", Claim: "F1"}, {ID: "K2", Claim: "F2"}}}}}
	c, k := &b.Book.Claims[0], &b.Book.Challenges[0]
	bare := quoted(30, 30)
	bare[0].Bare = true
	text := quoted(40, 40)
	text[0].Cite.Path = BodyPath
	missing := quoted(50, 50)
	missing[0].CitationOK = false
	comment := quoted(60, 60)
	comment[0].Code = 0
	for _, turn := range []struct {
		in    *[]Turn
		who   string
		cites []Evidence
		fresh bool
	}{
		{&c.Thread, "owner", quoted(10, 11), true},
		{&k.Thread, "attacker", quoted(10, 10), false},
		{&k.Thread, "attacker", quoted(12, 12), true},
		{&c.Thread, "other", quoted(12, 12), false},
		{&k.Thread, "owner", bare, false},
		{&k.Thread, "owner", text, false},
		{&k.Thread, "owner", missing, false},
		{&k.Thread, "owner", comment, false},
		{&k.Thread, "owner", nil, false},
	} {
		b.N++
		b.said(turn.in, "F1", Turn{Who: turn.who, Cites: turn.cites})
		all := b.Book.Thread("F1")
		if last := all[len(all)-1]; last.Fresh != turn.fresh || last.Who != turn.who {
			t.Errorf("%s quoting %+v: %+v", turn.who, turn.cites, last)
		}
	}
}

func TestThreadIsBounded(t *testing.T) {
	t.Parallel()
	b := &reducer{State: &State{Book: Book{Claims: []Claim{{ID: "F1"}}}}}
	c := &b.Book.Claims[0]
	for range 100 {
		b.N++
		b.said(&c.Thread, "F1", Turn{Who: "a", Text: strings.Repeat("x", 10*maxSpoken)})
	}
	switch first, last := c.Thread[0], c.Thread[len(c.Thread)-1]; {
	case len(c.Thread) != maxTurns, first.At != 1, last.At != 100, len(last.Text) > maxSpoken+len("…"):
		t.Errorf("%d turns, from %d to %d, of %d bytes", len(c.Thread), first.At, last.At, len(last.Text))
	}
}
