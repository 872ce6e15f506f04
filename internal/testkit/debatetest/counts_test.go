package debatetest

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestCallCounts plays the ideal debates with one and with two challengers and
// counts their calls. The second challenger agrees and says why, which ends some debates
// before their script does: those have one challenger only, and costs.golden counts the rest.
func TestCallCounts(t *testing.T) {
	t.Parallel()
	rows := []struct {
		script string
		calls  []int // with one challenger, and with two
	}{
		{"skipped", []int{0, 0}},
		{"consensus", []int{2, 3}},
		{"accepted", []int{3, 5}},
		{"confronted", []int{4, 6}},
		{"thin", []int{8}},
		{"panel_one_round", []int{10}},
		{"panel_two_rounds", []int{13}},
		{"critical_converged", []int{3, 4}},
		{"critical_contested", []int{11}},
	}
	for _, row := range rows {
		t.Run(row.script, func(t *testing.T) {
			t.Parallel()
			for k, want := range row.calls {
				script := loaded(t, row.script)
				cast := map[string]Party{}
				if k == 1 {
					script.World.Parties = append(script.World.Parties, debate.Party{ID: "gemini", Role: debate.Challenger, Family: "google", Status: debate.PartyOK})
					cast["gemini"] = Honest()
				}
				s, _, err := RunWith(script, Forward, cast)
				if err != nil {
					t.Fatal(err)
				}
				if len(s.Asking.Calls) != want {
					t.Errorf("%d challengers: %d calls %v, want %d\n%s", k+1, len(s.Asking.Calls), callCounts(s), want, End(s))
				}
			}
		})
	}
}

// TestHonest lets honest parties find what is planted: nothing is lost, nothing
// is added, and everybody agrees.
func TestHonest(t *testing.T) {
	t.Parallel()
	for k := 1; k <= 4; k++ {
		w := Table(k)
		cast := Cast(w, Honest(Planted()...))
		cast["claude"] = Honest(Planted()[:1]...)
		s, log := playedAs(t, w, cast, Forward)
		if len(s.Book.Agreed()) != len(Planted()) || s.Ending.Outcome != debate.Consensus || s.Ending.Disposition != debate.Revise {
			told, _ := Transcript(log)
			t.Errorf("with %d challengers:\n%s", k, told)
		}
	}
}
