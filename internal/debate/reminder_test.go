package debate

import "testing"

// TestOneReminder: a defender that does not name a challenge is reminded once. Who
// passes over the reminder has left it undefended, whatever its claim weighs by then
// (R149, R150, A06).
func TestOneReminder(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		severity Severity
		was      Challenge
		want     ChallengeStatus
	}{
		"never reminded":                      {P2, Challenge{Status: Open}, Dropped},
		"reminded":                            {P2, Challenge{Status: Dropped}, Undefended},
		"reminded before":                     {P2, Challenge{Status: Open, Reminded: true}, Undefended},
		"about a P3":                          {P3, Challenge{Status: Open}, Upheld},
		"reminded, and the claim became a P3": {P3, Challenge{Status: Dropped}, Undefended},
	} {
		t.Run(name, func(t *testing.T) {
			row.was.ID, row.was.Claim, row.was.Attacker, row.was.Defender, row.was.Kind = "K1", "F1", "gpt", "claude", Skeptical
			s := State{
				Book:  Book{Claims: []Claim{{ID: "F1", Owner: "claude", Severity: row.severity, Bucket: Agreed}}, Challenges: []Challenge{row.was}},
				Table: Table{Parties: []Party{{ID: "gpt"}, {ID: "claude"}}, Seats: []Seat{{Party: "claude"}, {Party: "gpt"}}, Primary: "claude"},
			}
			l := (&reducer{State: &s, step: &Step{}})
			k := s.Book.challenge("K1")
			if l.unanswered(k); k.Status != row.want {
				t.Errorf("it is %s, want %s", k.Status, row.want)
			}
		})
	}
}
