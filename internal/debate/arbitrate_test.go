package debate

import "testing"

// TestReopenHeadsNobodyAgainstItself: the cold reader opens again what felled a claim, but
// not what its owner said against a claim that was merged into it: then it objects itself.
func TestReopenHeadsNobodyAgainstItself(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		attacker string
		by       string // who attacks it now
		of       int    // of so many challenges
	}{
		"another party felled it":                {"gpt", "gpt", 1},
		"its owner did, before both were merged": {"claude", ArbiterParty, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := State{
				Book: Book{
					Claims:     []Claim{{ID: "C1", Owner: "claude", Severity: P2, Bucket: Dismissed, Reason: ReasonConceded}},
					Challenges: []Challenge{{ID: "K1", Claim: "C1", Attacker: row.attacker, Defender: "claude", Kind: Skeptical, Status: Conceded}},
				},
				Table: Table{Parties: []Party{{ID: "gpt"}, {ID: "claude"}}, Seats: []Seat{{Party: "claude"}, {Party: "gpt"}}, Primary: "claude"},
			}
			newReducer(&s, &Step{}).listener.clerk.reopen(Arbitration{Items: []Flagged{{Claim: "C1", Flag: FlagUnjustified}}})
			k := s.Book.attacks("C1").live()
			if k == nil || k.Attacker != row.by || len(s.Book.Challenges) != row.of {
				t.Errorf("the live challenge is %+v of %d, want one of %s of %d", k, len(s.Book.Challenges), row.by, row.of)
			}
		})
	}
}
