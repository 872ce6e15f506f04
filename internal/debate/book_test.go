package debate

import (
	"testing"
)

func sampleBook() Book {
	return Book{
		Claims: []Claim{
			{ID: "C1", Owner: "a", Asserted: P3, Evaluations: []Evaluation{{Party: "b", Class: ClassReject}, {Party: "b", Class: ClassAgree}}},
			{ID: "C2", Owner: "b", Asserted: P1, SameAs: "C1", Evidence: []Evidence{{CitationOK: true}}},
			{ID: "C3", Owner: "c", Asserted: P1, SameAs: "C2"},
			{ID: "C4", SameAs: "C5"}, {ID: "C5", SameAs: "C4"},
		},
		Challenges: []Challenge{
			{ID: "K1", Claim: "C1", Attacker: "b", Status: Resolved},
			{ID: "K2", Claim: "C1", Attacker: "b", Status: Open, Kind: Reconciling},
			{ID: "K3", Claim: "C1", Attacker: "b", Status: Dropped},
			{ID: "K4", Claim: PositionSubject, Attacker: "b", Status: Open},
		},
	}
}

func TestBookFinds(t *testing.T) {
	t.Parallel()
	b := sampleBook()
	for id, want := range map[string]string{"C1": "C1", "C2": "C1", "C3": "C1"} {
		if got := b.survivor(id); got == nil || got.ID != want {
			t.Errorf("%s is part of %v, want %s", id, got, want)
		}
	}
	if b.survivor("C9") != nil || b.survivor("C4") == nil {
		t.Error("an unknown claim is found, or a circle is not left")
	}
	if got := b.against("C1", "b"); got == nil || got.ID != "K3" {
		t.Errorf("b attacks C1 with %v: only a live attack counts", got)
	}
	if got := len(b.attacks("C1")); got != 2 {
		t.Errorf("C1 has %d attacks: who is asked to reconcile attacks nothing", got)
	}
	if got := b.severity(b.Claims[0]); got != P1 {
		t.Errorf("C1 is %s, and C2, which is part of it, asserts a P1 with evidence", got)
	}
	if !b.claim("C1").agreedBy("b") || b.claim("C1").agreedBy("a") {
		t.Error("the last word of a party counts, and no other")
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
