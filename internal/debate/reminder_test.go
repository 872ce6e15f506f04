package debate

import "testing"

// TestOneReminder: a defender that does not name a challenge is reminded once. Who
// passes over the reminder has left it undefended, whatever its claim weighs by then,
// and a reminder that was out when the attacker was lost is used (R149, M04, M06).
func TestOneReminder(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		severity Severity
		was      Challenge
		reopened bool // its attacker was lost, and the cold reader opened it again
		want     ChallengeStatus
	}{
		"never reminded":                       {P2, Challenge{Status: Open}, false, Dropped},
		"reminded":                             {P2, Challenge{Status: Dropped}, false, Undefended},
		"reminded before":                      {P2, Challenge{Status: Open, Reminded: true}, false, Undefended},
		"about a P3":                           {P3, Challenge{Status: Open}, false, Upheld},
		"reminded, and the claim became a P3":  {P3, Challenge{Status: Dropped}, false, Undefended},
		"reminded, and it is opened again":     {P2, Challenge{Status: Dropped}, true, Undefended},
		"not reminded, and it is opened again": {P2, Challenge{Status: Open}, true, Dropped},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row.was.ID, row.was.Claim, row.was.Attacker, row.was.Defender, row.was.Kind = "K1", "C1", "gpt", "claude", Skeptical
			s := State{
				Book:  Book{Claims: []Claim{{ID: "C1", Owner: "claude", Severity: row.severity, Bucket: Agreed}}, Challenges: []Challenge{row.was}},
				Table: Table{Parties: []Party{{ID: "gpt"}, {ID: "claude"}}, Seats: []Seat{{Party: "claude"}, {Party: "gpt"}}, Primary: "claude"},
			}
			l := newReducer(&s, &Step{}).listener
			if row.reopened {
				l.succession().lose("gpt")
				l.clerk.reopen(Arbitration{Items: []Flagged{{Claim: "C1", Flag: FlagUnsupported}}})
			}
			k := s.Book.challenge("K1")
			if l.hearing().unanswered(k); k.Status != row.want {
				t.Errorf("it is %s, want %s", k.Status, row.want)
			}
		})
	}
}
