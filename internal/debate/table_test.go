package debate

import "testing"

// TestTable: who sits where, and that a copy shares no seat.
func TestTable(t *testing.T) {
	t.Parallel()
	table := Table{
		Parties: []Party{{ID: "claude", Role: Primary}, {ID: "gpt", Role: Challenger}},
		Seats:   []Seat{{Party: "claude"}, {Party: "gpt", Engagement: Abstains}, {Party: "gemini", Lost: true}},
		Primary: "claude",
	}
	if list := table.challengers(); len(list) != 1 || list[0].Party != "gpt" {
		t.Errorf("challengers %v, want gpt alone: the primary is none, and gemini has left", list)
	}
	if !table.abstains("gpt") || table.abstains("claude") || table.abstains("nobody") {
		t.Error("gpt abstains, and nobody else")
	}
	if table.party("gpt").Role != Challenger || table.party("gemini") != nil {
		t.Error("a party is found by its id")
	}
	table.clone().Seats[1].Lost = true
	if table.Seats[1].Lost {
		t.Error("a copy of the table takes a seat away from the table itself")
	}
}

// TestAsking: what was asked is known by its id, and the dearest call is what the
// next one is expected to cost.
func TestAsking(t *testing.T) {
	t.Parallel()
	asking := Asking{
		Calls: []Call{{Ask: "OPEN/0/claude", Usage: Usage{CostMicro: 300}}, {Ask: "CHALLENGE/1/gpt", Usage: Usage{CostMicro: 200, CostUnknown: true}}},
		Wave:  &Wave{Asks: []Ask{{ID: "RESPOND/2/claude"}}},
	}
	if !asking.asked("OPEN/0/claude") || asking.asked("RESPOND/2/claude") {
		t.Error("a call was asked once it is in the record")
	}
	if micro, unknown := asking.Spent(); asking.dearest() != 300 || micro != 500 || !unknown {
		t.Errorf("dearest %d, spent %d, unknown %v", asking.dearest(), micro, unknown)
	}
	asking.clone().Wave.Asks[0].ID = "another"
	if asking.Wave.Asks[0].ID != "RESPOND/2/claude" {
		t.Error("a copy changes the wave of the original")
	}
}

// TestTalk: the position is the last one, and a copy shares no round.
func TestTalk(t *testing.T) {
	t.Parallel()
	if at := (Talk{}).Position(); at.Disposition != Continue {
		t.Errorf("before the first position the disposition is %s", at.Disposition)
	}
	talk := Talk{Exchange: 3, Rounds: []Round{{N: 3}}, Positions: []Position{{Version: 1, Disposition: Keep}, {Version: 2, Disposition: Revise}}}
	if at := talk.Position(); at.Version != 2 {
		t.Errorf("the position is version %d", at.Version)
	}
	if talk.Phase() != Development || (Talk{Exchange: 3, Extended: true}).Phase() != Constructive {
		t.Error("an extended debate constructs for one exchange more")
	}
	talk.clone().Rounds[0].Thin = true
	if talk.Rounds[0].Thin {
		t.Error("a copy changes the rounds of the original")
	}
}

// TestJudgeOfALostParty: a judge with the model of a lost party judges with another one.
func TestJudgeOfALostParty(t *testing.T) {
	t.Parallel()
	s := State{}
	s.Table.Parties = []Party{
		{ID: "claude", Role: Primary, Family: "anthropic", Status: PartyOK}, {ID: "gpt", Role: Challenger, Family: "openai", Status: PartyOK},
		{ID: "risk", Role: Judge, Debater: "gpt", Family: "openai", Status: PartyOK},
	}
	s.Table.Seats = []Seat{{Party: "claude"}, {Party: "gpt"}}
	(&reducer{State: &s, step: &Step{}}).lose("gpt")
	if judge := s.Table.party("risk"); judge.Debater != "claude" || judge.Family != "anthropic" {
		t.Errorf("it is %+v", judge)
	}
}
