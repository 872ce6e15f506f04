package debate

import (
	"slices"
	"testing"
)

// TestSure: one doubt is enough for less than HIGH, and each is named (M16).
func TestSure(t *testing.T) {
	t.Parallel()
	sure := func() State {
		return State{
			Ending: Ending{Outcome: Consensus},
			Table: Table{
				Parties: []Party{{ID: "claude", Role: Primary, Family: "a", Status: PartyOK}, {ID: "gpt", Role: Challenger, Family: "b", Status: PartyOK}},
				Seats:   []Seat{{Party: "claude"}, {Party: "gpt", Engagement: Agrees, Substance: true}}, Primary: "claude",
			},
			Split:  SplitDone{Coverage: []Coverage{{ID: "H1", By: []string{"claude", "gpt"}}}},
			Talk:   Talk{Positions: []Position{{Disposition: Keep}}},
			Agenda: Agenda{Decisions: []Decision{{ID: "D0", Held: string(Keep), Settled: true}}},
		}
	}
	s := sure()
	if level, doubts := s.Sure(); level != High || len(doubts) > 0 {
		t.Fatalf("%s, %v", level, doubts)
	}
	d0 := func(s *State) *Decision { return &s.Agenda.Decisions[0] }
	raise := func(c Claim) func(*State) { return func(s *State) { s.Book.Claims = []Claim{c} } }
	for name, row := range map[string]struct {
		change func(*State)
		level  Confidence
		doubt  Doubt
	}{
		"judges who differ":   {func(s *State) { d0(s).Panel = &Panel{} }, RequiresInput, DoubtJudges},
		"unchallenged":        {func(s *State) { s.Ending.Outcome = Unchallenged }, Low, DoubtUnchallenged},
		"no debate":           {func(s *State) { s.Ending.Outcome = DegradedLocal }, Low, DoubtNoDebate},
		"no consensus":        {func(s *State) { s.Ending.Outcome = Tradeoff }, Medium, DoubtDivided},
		"cut short":           {func(s *State) { s.Asking.Stopped = true }, Medium, DoubtCutShort},
		"divided, cut short":  {func(s *State) { s.Ending.Outcome, s.Asking.Stopped = Tradeoff, true }, Low, DoubtCutShort},
		"a small budget":      {func(s *State) { s.Talk.Exit = ExitBudget }, Medium, DoubtCutShort},
		"one family":          {func(s *State) { s.Table.Parties[1].Family = "a" }, Medium, DoubtOneFamily},
		"no agreement":        {func(s *State) { s.Table.Seats[1].Engagement = Disagrees }, Medium, DoubtOneFamily},
		"a same-family voice": {func(s *State) { s.Table.SameFamily = true }, Medium, DoubtOneFamily},
		"a lost party":        {func(s *State) { s.Table.Parties[1].Status = PartyTimeout }, Medium, DoubtLost},
		"not all was read":    {func(s *State) { s.Split.Coverage[0].Owed = []string{"gpt"} }, Medium, DoubtUnread},
		"a disputed P2":       {raise(Claim{ID: "F1", Severity: P2, Bucket: Unresolved, Reason: ReasonOpen}), Medium, DoubtDisputed},
		"nothing to rest on":  {func(s *State) { d0(s).Held = string(Revise) }, Medium, DoubtBare},
		"nothing is proved":   {raise(Claim{ID: "F1", Severity: P2, Kind: Empirical, Bucket: Agreed}), Medium, DoubtUnproved},
		"a wordless retreat":  {func(s *State) { s.Book.Challenges = []Challenge{{Unexplained: true}} }, Medium, DoubtGaveIn},
		"no scores":           {func(s *State) { d0(s).Rubric = &Rubric{} }, Medium, DoubtUnscored},
		"an unsure primary":   {func(s *State) { s.Talk.Positions[0].Confidence = DeclaredLow }, Medium, DoubtUnsure},
		"some flags":          {func(s *State) { s.Talk.Arbitrations = []Arbitration{{FlaggedBP: 1}} }, Medium, DoubtFlagged},
		"many flags":          {func(s *State) { s.Talk.Arbitrations = []Arbitration{{FlaggedBP: 5000}} }, Low, DoubtFlagged},
	} {
		s := sure()
		row.change(&s)
		if level, doubts := s.Sure(); level != row.level || !slices.Contains(doubts, row.doubt) {
			t.Errorf("%s: %s, %v; want %s, %s", name, level, doubts, row.level, row.doubt)
		}
	}
}
