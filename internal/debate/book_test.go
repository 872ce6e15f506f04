package debate

import (
	"testing"
)

func sampleBook() Book {
	return Book{
		Claims: []Claim{
			{ID: "F1", Owner: "a", Asserted: P3, Evaluations: []Evaluation{{Party: "b", Class: ClassReject}, {Party: "b", Class: ClassAgree}}},
			{ID: "F2", Owner: "b", Asserted: P1, SameAs: "F1", Evidence: []Evidence{{CitationOK: true}}},
			{ID: "F3", Owner: "c", Asserted: P1, SameAs: "F2"},
			{ID: "F4", SameAs: "F5"}, {ID: "F5", SameAs: "F4"},
		},
		Challenges: []Challenge{
			{ID: "K1", Claim: "F1", Attacker: "b", Status: Resolved},
			{ID: "K2", Claim: "F1", Attacker: "b", Status: Open, Kind: Reconciling},
			{ID: "K3", Claim: "F1", Attacker: "b", Status: Dropped},
			{ID: "K4", Claim: PositionSubject, Attacker: "b", Status: Open},
		},
	}
}

// TestBookIsAValue: what is done to a clone leaves the book as it was.
func TestBookIsAValue(t *testing.T) {
	t.Parallel()
	b := sampleBook()
	b.Challenges[0].Views = []DeadlockSide{{Party: "a"}}
	c := b.clone()
	c.Claims[0].Evaluations[0].Class = ClassIllFormed
	c.Claims[1].Evidence[0].CitationOK = false
	c.Challenges[0].Views[0].Party = "z"
	c.Challenges[0].Status = Open
	if b.Claims[0].Evaluations[0].Class != ClassReject || !b.Claims[1].Evidence[0].CitationOK {
		t.Error("a claim of the book changed with its clone")
	}
	if b.Challenges[0].Views[0].Party != "a" || b.Challenges[0].Status != Resolved {
		t.Error("a challenge of the book changed with its clone")
	}
}
