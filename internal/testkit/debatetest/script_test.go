package debatetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestScripts plays every script and compares its transcript.
func TestScripts(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := loaded(t, name)
			if script.About == "" {
				t.Error("a script says what it shows")
			}
			state, log := ran(t, script, Forward)
			told, err := Transcript(log)
			if err != nil {
				t.Fatal(err)
			}
			golden.Same(t, "testdata/"+name+".golden", told)
			replayed, err := debate.Fold(log)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(state, replayed); diff != "" {
				t.Errorf("the log folds to another state:\n%s", diff)
			}
		})
	}
}

// TestOrderOfArrival plays every script with the replies of each wave in other
// orders.
func TestOrderOfArrival(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := loaded(t, name)
			want, _ := ran(t, script, Forward)
			for _, order := range []Order{Reverse, 7, 8} {
				got, _ := ran(t, script, order)
				if diff := cmp.Diff(timeless(want), timeless(got)); diff != "" {
					t.Errorf("order %d changes the debate:\n%s", order, diff)
				}
			}
		})
	}
}

// timeless leaves out which of the events of a wave came when.
func timeless(s debate.State) debate.State {
	s.Steps = nil
	return s
}

// loaded is a script that can be read.
func loaded(t *testing.T, name string) *Script {
	t.Helper()
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ran is a script that comes to its end.
func ran(t *testing.T, s *Script, order Order) (debate.State, []debate.Entry) {
	t.Helper()
	state, log, err := Run(s, order)
	if err != nil {
		t.Fatal(err)
	}
	return state, log
}

// playedAs is a debate of parties that comes to its end.
func playedAs(t rapid.TB, w World, cast map[string]Party, order Order) (debate.State, []debate.Entry) {
	t.Helper()
	state, log, err := Play(w, cast, order)
	if err != nil {
		t.Fatal(err)
	}
	return state, log
}
