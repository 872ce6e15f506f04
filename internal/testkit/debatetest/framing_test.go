package debatetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// TestFramingsAreEquallyStrict gives the same replies under every framing: what
// comes of them is the same (R174). Under parallel the challenger opens too, here
// without a claim, which changes nothing either.
func TestFramingsAreEquallyStrict(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fact", "question_choice", "question_critical", "question_alone"} {
		var want debate.State
		for _, framing := range debate.Framings() {
			script := loaded(t, name)
			script.World.Received.Inquiry.Framing = framing
			if framing == debate.FramingParallel && name != "question_alone" {
				script.replies["OPEN/0/gpt"] = `{"summary": "So say I.", "disposition": "keep"}`
				script.replies["CHALLENGE/1/claude"] = `{"summary": "I stand by it.", "verdict": "agree"}`
			}
			got, _ := ran(t, script, Forward)
			if framing == debate.FramingParallel {
				opened := 0
				for _, c := range got.Asking.Calls {
					if strings.HasPrefix(c.Ask, "OPEN/0/") {
						opened++
					}
				}
				if name != "question_alone" && opened != 2 {
					t.Errorf("%s: %d parties open", name, opened)
				}
			}
			if got = outcomeOf(got); framing == debate.FramingPropose {
				want = got
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s comes to something else than propose:\n%s", name, framing, diff)
			}
		}
	}
}

// outcomeOf is what a debate came to, without its course.
func outcomeOf(s debate.State) debate.State {
	for i := range s.Agenda.Decisions {
		if h := s.Agenda.Decisions[i].Human; h != nil {
			human := *h
			human.AskedAt, human.At = 0, 0
			s.Agenda.Decisions[i].Human = &human
		}
	}
	for i := range s.Book.Claims {
		s.Book.Claims[i].Thread = undated(s.Book.Claims[i].Thread)
	}
	for i := range s.Book.Challenges {
		s.Book.Challenges[i].Thread, s.Book.Challenges[i].RaisedAt = undated(s.Book.Challenges[i].Thread), 0
	}
	return debate.State{
		Book: debate.Book{Claims: s.Book.Claims, Challenges: s.Book.Challenges}, Agenda: debate.Agenda{Decisions: s.Agenda.Decisions}, Talk: debate.Talk{Positions: s.Talk.Positions, Exit: s.Talk.Exit, Exchange: s.Talk.Exchange, Rounds: s.Talk.Rounds, Arbitrations: s.Talk.Arbitrations},
		Ending: debate.Ending{Outcome: s.Ending.Outcome, Disposition: s.Ending.Disposition},
	}
}

// undated is a thread without the numbers of the events.
func undated(t []debate.Turn) []debate.Turn {
	t = slices.Clone(t)
	for i := range t {
		t[i].At = 0
	}
	return t
}
