package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// TestRefused: a refusal is one sentence, and the commands in it can be read as such.
func TestRefused(t *testing.T) {
	t.Parallel()
	for why, want := range map[string]string{
		"bob needs write access": "Not done: bob needs write access.\n",
		"there is no such command. Did you mean `/debate explain F12`?": "Not done: there is no such command. Did you mean `/debate explain F12`?\n",
		"write `/debate run` or `/debate stop`":                         "Not done: write `/debate run` or `/debate stop`.\n",
		"one ` alone *bold*":                                            "Not done: one \\` alone \\*bold\\*.\n",
		"`@bob` and `` and @eve":                                        "Not done: `` `@bob` `` and \\`\\` and `@eve`.\n",
	} {
		if got := string(Refused(why)); got != want {
			t.Errorf("%q: %q, want %q", why, got, want)
		}
	}
}

// disputed are answers to disputes: the state of the finding, and the words of each model about it.
func disputed(t *testing.T, pages map[string][]byte) {
	t.Helper()
	for _, name := range []string{"dispute", "dispute_attacked", "dispute_unanswered", "dispute_value", "recalled_dispute"} {
		s := played(t, name)
		for _, c := range s.Book.Claims {
			pages["pull reply to "+name+" "+c.ID] = Disputed(FromState(s), c.ID, c.Final, Pull{RepositoryURL: repository, Number: 4, Head: reviewedHead})
		}
	}
}

// TestDisputedWithoutModels: a dispute without a model to answer it changes nothing, and says why.
func TestDisputedWithoutModels(t *testing.T) {
	t.Parallel()
	s := agreeing()
	s.Ending.Outcome = debate.DegradedLocal
	e := FromState(s)
	got := string(Disputed(e, s.Book.Claims[0].ID, true, Pull{RepositoryURL: repository, Number: 4, Head: reviewedHead}))
	if want := "stays as it was: no model debated it"; !strings.Contains(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDisputedAfterRestart: the answer to a dispute is the same where the run that heard
// it died and the next one answers from what is remembered.
func TestDisputedAfterRestart(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dispute", "dispute_attacked", "dispute_unanswered", "dispute_value", "recalled_dispute"} {
		first := played(t, name)
		later := remembered(t, name, first)
		for again := range 2 { // a run that answered remembers it still
			for _, c := range first.Book.Claims {
				if diff := cmp.Diff(answered(first, c), answered(later, c)); diff != "" {
					t.Errorf("%s, run %d after it, %s (-before +after):\n%s", name, again+1, c.ID, diff)
				}
			}
			later = remembered(t, name, later)
		}
	}
}

// answered is the answer to a dispute of a claim, which it calls by its own id.
func answered(s debate.State, c debate.Claim) string {
	view := Pull{RepositoryURL: repository, Number: 4, Head: reviewedHead}
	return string(Disputed(FromState(s), c.ID, c.Final, view))
}

// remembered is a session that goes on from what a script left.
func remembered(t *testing.T, name string, left debate.State) debate.State {
	t.Helper()
	script, err := debatetest.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	world := script.World
	memory := left.Memory()
	world.Received.Recall, world.Then = &memory, nil
	state, _, err := debatetest.Play(world, nil, debatetest.Forward)
	if err != nil {
		t.Fatal(err)
	}
	return state
}
