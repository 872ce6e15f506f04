package debatetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestCosts plays a debate that is over at once, one in which a single model says
// no to everything, and one in which everybody does, for one, two and three
// families of models and for both ways to open. What they cost is a table of
// docs/developers/protocol.md.
func TestCosts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| debate | families | calls, all open at once | in sequence | calls, the first opens alone | in sequence |\n|---|---|---|---|---|---|\n")
	for _, d := range []struct {
		name string
		cast func(parties []string) map[string]Party
		asks bool
	}{
		{"everybody finds the same", consensual, false},
		{"one model denies, in words, what the others find", contested, false},
		{"everybody denies everything, and judges are needed", deadlocked, false},
		{"a question with three options, and all choose the same", answering(false), true},
		{"a question with three options, and each chooses another one", answering(true), true},
	} {
		for families := 1; families <= 3; families++ {
			fmt.Fprintf(&b, "| %s | %d |", d.name, families)
			for _, opening := range []debate.Opening{debate.OpenParallel, debate.OpenPosition} {
				calls, depth := cost(t, families, opening, d.asks, d.cast)
				fmt.Fprintf(&b, " %d | %d |", calls, depth)
			}
			b.WriteString("\n")
		}
	}
	golden.Same(t, "testdata/costs.golden", b.String())
}

// answering seats models that have nothing to say against the answer to a question, and
// choose the same of its options or each another one.
func answering(differently bool) func(parties []string) map[string]Party {
	return func(parties []string) map[string]Party {
		cast := make(map[string]Party)
		for i, id := range parties {
			option := "one"
			if differently {
				option = []string{"one", "two", "three"}[i]
			}
			cast[id] = Twist(Wanting(Honest(), "D1", option), func(_ debate.State, ask debate.Ask, r *debate.Reply) {
				if ask.Kind == debate.CallOpen {
					r.FinalOptions = append(r.FinalOptions, debate.FinalOption{Decision: "D1", Option: option})
				}
			})
		}
		return cast
	}
}

// cost plays a debate and counts its calls, and the waves of them that wait for
// each other.
func cost(t *testing.T, families int, opening debate.Opening, asks bool, cast func([]string) map[string]Party) (calls, depth int) {
	t.Helper()
	w := Table(max(families-1, 1))
	w.Received.Settings.Opening = opening
	if families == 1 { // the same key twice
		w.Parties[1].ID, w.Parties[1].Family = "claude-2", w.Parties[0].Family
		w.Received.Settings.AllowSameFamily = true
	}
	if asks {
		w.Received.Scope, w.Received.Target = debate.ScopeQuestion, debate.TargetProposal
		w.Change = NewChange("", "Which one?\n", map[string]string{"cart.go": "package cart\n"}).shown()
		framing := map[debate.Opening]debate.Framing{debate.OpenParallel: debate.FramingParallel, debate.OpenPosition: debate.FramingPropose}[opening]
		w.Received.Inquiry = &debate.Inquiry{Framing: framing, Options: []debate.Option{{ID: "one", Label: "one"}, {ID: "two", Label: "two"}, {ID: "three", Label: "three"}}}
	}
	var debaters []string
	for _, p := range w.Parties {
		if p.Debates() {
			debaters = append(debaters, p.ID)
		}
	}
	seats := Cast(w, Honest())
	for id, party := range cast(debaters) {
		seats[id] = restating(party)
	}
	seats["risk"], seats["value"], seats["effort"] = Voting("one", "one", nil), Voting("two", "two", nil), Voting("three", "three", nil)
	s, log, err := Play(w, seats, Forward)
	if err != nil {
		told, _ := Transcript(log)
		t.Fatalf("%v\n%s", err, told)
	}
	return len(s.Asking.Calls), waves(t, log)
}

// waves counts the waves of calls of a debate; one in which a reply is asked for
// once more is two.
func waves(t *testing.T, log []debate.Entry) int {
	t.Helper()
	var s debate.State
	n, asked := 0, ""
	for _, e := range log {
		next, err := debate.Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		if s = next; s.Asking.Wave == nil {
			continue
		}
		if first := s.Asking.Wave.Asks[0].ID; first != asked {
			asked = first
			n++
		}
	}
	for _, c := range s.Asking.Calls {
		if c.Retry {
			n++
		}
	}
	return n
}

// restating lets a primary that weighs together with the others say where it
// stands then.
func restating(party Party) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind == debate.CallChallenge && r.Recommendation != "" {
			r.Position = &debate.Restated{Disposition: r.Recommendation, Summary: "after what was said"}
		}
	})
}

func consensual(parties []string) map[string]Party {
	cast := make(map[string]Party)
	for _, id := range parties {
		cast[id] = Honest(Planted()...)
	}
	return cast
}

// contested seats one model beside honest ones that finds nothing, and denies what
// they find as often as it is asked.
func contested(parties []string) map[string]Party {
	cast := consensual(parties)
	cast[parties[len(parties)-1]] = Denying(Honest())
	return cast
}

// deadlocked seats nobody but models that hold what they found and deny the rest,
// and that differ about a question.
func deadlocked(parties []string) map[string]Party {
	cast := make(map[string]Party)
	for i, id := range parties {
		option := []string{"one", "two", "three"}[i]
		cast[id] = Wanting(Denying(Honest(Planted()[i])), "D1", option)
	}
	cast[parties[0]] = Asking(cast[parties[0]])
	return cast
}

// Denying denies every claim of others in words, and takes nothing back.
func Denying(party Party) Party {
	return Twist(party, func(s debate.State, ask debate.Ask, r *debate.Reply) {
		for i := range r.Evaluations {
			r.Evaluations[i] = debate.Evaluating{
				Claim: r.Evaluations[i].Claim, Class: debate.ClassReject, View: debate.Contradicts, Flaw: "nobody would ever call it like that",
			}
		}
		for i := range r.Answers {
			r.Answers[i].Move, r.Answers[i].Text = debate.Rebuff, "it stands"
			if k := challengeOf(s, r.Answers[i].Challenge); k.Attacker == ask.Party {
				r.Answers[i].Move = debate.Maintain
			}
		}
		if ask.Kind == debate.CallChallenge && len(r.Evaluations) > 0 {
			r.Verdict = debate.VerdictDisagree
		}
	})
}
