package debate

import "testing"

// TestRebutHearsWhatWasShown: the parties of a wave do not hear each other. A
// defender is not blamed for an objection that is maintained in the same wave,
// and no attacker is taken to insist against a defence that it has not seen
// (R097, R149, R152).
func TestRebutHearsWhatWasShown(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{"gpt", "gemini"}, {"gemini", "gpt"}} {
		s := State{Stage: StageRebut, N: 20, Talk: Talk{Exchange: 1, Confrontations: 1, Positions: []Position{{Version: 1, Disposition: Keep}}}, Table: Table{Primary: "claude"}}
		s.Received = received()
		s.Table.Parties = []Party{{ID: "claude", Role: Primary, Family: "a"}, {ID: "gpt", Role: Challenger, Family: "b"}, {ID: "gemini", Role: Challenger, Family: "c"}}
		s.Table.Seats = []Seat{{Party: "claude"}, {Party: "gpt", Engagement: Partially}, {Party: "gemini", Engagement: Partially}}
		s.Book.Claims = []Claim{{ID: "C1", Owner: "gemini", Severity: P2, Title: "wrong lock"}, {ID: "C2", Owner: "gpt", Severity: P2, Title: "slow loop"}}
		s.Book.Challenges = []Challenge{
			{ID: "K1", Claim: "C1", Attacker: "gpt", Defender: "gemini", Kind: Skeptical, Status: Defended, Reminded: true, Shown: true},
			{ID: "K2", Claim: "C2", Attacker: "gemini", Defender: "gpt", Kind: Rejecting, Status: Open},
		}
		replies := map[string]*Reply{
			"gpt":    {Answers: []Answer{{Challenge: "K1", Move: Maintain, Text: "it is not held"}}, Defences: []Defence{{Challenge: "K2", Text: "it runs for each row"}}},
			"gemini": {Summary: "nothing was asked of me"},
		}
		var all []said
		for _, party := range order {
			ask := Ask{ID: "REBUT/2/" + party, Kind: CallRebut, Party: party, N: 2}
			all = append(all, said{Party: ask.Party, Chunk: ask.Chunk, Kind: ask.Kind, Status: CallOK, Reply: replies[party]})
		}
		m := newReducer(&s, &Step{})
		m.rebutted(&Wave{Kind: CallRebut, N: 2}, all)
		if k := s.Book.challenge("K1"); k.Status != Open || k.RoundsOpen != 1 {
			t.Errorf("%v: the maintained objection is %s after %d rounds", order, k.Status, k.RoundsOpen)
		}
		if k := s.Book.challenge("K2"); k.Status != Defended || k.RoundsOpen != 0 {
			t.Errorf("%v: the defence that nobody has seen left it %s after %d rounds", order, k.Status, k.RoundsOpen)
		}
	}
}
