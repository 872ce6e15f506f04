package debate

import "testing"

// TestTurns: what a record tells of turns and of their cost, also of a wave that was cut
// while one party looked on and the other had answered.
func TestTurns(t *testing.T) {
	t.Parallel()
	cost := func(micro int64) Usage { return Usage{CostMicro: micro} }
	asking := Asking{
		Calls: []Call{{Ask: "OPEN/1/gpt", Party: "gpt", Usage: cost(3)}},
		Wave: &Wave{
			Asks:    []Ask{{ID: "CHALLENGE/2/gpt", Party: "gpt"}, {ID: "CHALLENGE/2/claude", Party: "claude"}, {ID: "CHALLENGE/2/gemini", Party: "gemini"}},
			Replies: []Replied{{Ask: "CHALLENGE/2/gpt", Usage: cost(40)}, {}, {}},
			Looks: []Looked{
				{Ask: "CHALLENGE/2/gpt", Seen: []Seen{{}}, Usage: cost(5)}, {Ask: "CHALLENGE/2/claude", Seen: []Seen{{}}, Usage: cost(500)}, {Ask: "CHALLENGE/2/claude", Seen: []Seen{{}}, Usage: cost(600)},
			},
		},
	}
	for turn, want := range map[string]bool{
		"OPEN/1/gpt": true, "OPEN/1/gpt/look2": true, "OPEN/1/gpt/looking": false,
		"CHALLENGE/2/gpt": true, "CHALLENGE/2/gpt/look1": true,
		"CHALLENGE/2/claude": true, "CHALLENGE/2/claude/look1": true, "CHALLENGE/2/claude/look2": false, // it was on its way
		"CHALLENGE/2/gemini": false, "ANSWER/3/gpt": false,
	} {
		if got := asking.Tells(turn); got != want {
			t.Errorf("the record tells of %s: %v", turn, got)
		}
	}
	if micro, _ := (Asking{Calls: asking.Made()}).Spent(); micro != 3+45+1100 {
		t.Errorf("the calls cost %d", micro)
	}
	if made := len(asking.Made()); made != 3 {
		t.Errorf("%d calls were made, want those of gpt and of claude", made)
	}
}
