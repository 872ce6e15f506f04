package debatetest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/long"
)

// drawn seats anybody at a table of k challengers.
func drawn(t *rapid.T, k int) (World, map[string]Party) {
	w := Table(k)
	w.Received.Settings.MaxCalls = 400 // no budget, so that two debates can be compared
	cast := make(map[string]Party)
	characters := Characters()
	for _, p := range w.Parties {
		c := characters[rapid.IntRange(0, len(characters)-1).Draw(t, p.ID)]
		t.Logf("%s is %s", p.ID, c.Name)
		cast[p.ID] = c.Party(rapid.Uint64().Draw(t, "seed of "+p.ID))
	}
	return w, cast
}

func end(t *rapid.T, w World, cast map[string]Party) debate.State {
	s, _ := playedAs(t, w, cast, Forward)
	return s
}

// TestOneMoreNobody adds a challenger that fails, is silent or agrees with
// anything to a debate: it makes no consensus and raises no confidence. Where it sits down
// in the place of a second run of the primary, which challenged it for want of anybody
// else, another debate follows, and its check passes no sooner.
func TestOneMoreNobody(t *testing.T) {
	t.Parallel()
	confidence := map[debate.Confidence]int{debate.RequiresInput: 1, debate.Low: 1, debate.Medium: 2, debate.High: 3}
	long.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 3).Draw(t, "challengers")
		w, cast := drawn(t, k)
		before := end(t, w, cast)
		more := Table(4)
		w.Parties = append(w.Parties, more.Parties[4]) // qwen, the last to sit down
		cast["qwen"] = rapid.SampledFrom([]Party{RubberStamp(), Failing(debate.CallTimeout), Failing(debate.CallAuth), Late(Honest())}).Draw(t, "nobody")
		after := end(t, w, cast)
		if before.Ending.Outcome == debate.DegradedLocal {
			return // the debate has begun now, whoever it is with
		}
		first := before.Conclusion().Check
		if then := after.Conclusion().Check; then == debate.Success && first != debate.Success {
			t.Errorf("the check was %s and is %s", first, then)
		}
		if secondRun(before) != secondRun(after) {
			return
		}
		if after.Ending.Outcome == debate.Consensus && before.Ending.Outcome != debate.Consensus || confidence[after.Ending.Confidence] > confidence[before.Ending.Confidence] {
			t.Errorf("%s, %s became %s, %s", before.Ending.Outcome, before.Ending.Confidence, after.Ending.Outcome, after.Ending.Confidence)
		}
	})
}

// secondRun reports whether a second run of the primary's model takes part.
func secondRun(s debate.State) bool {
	return slices.ContainsFunc(s.Table.Parties, func(p debate.Party) bool { return p.ID == "claude-2" })
}

// TestFabricatedCitation adds a citation of what is not there to every claim of
// one party: no claim gains by it. Where it makes of several claims one, or one
// that failed raised again, another debate follows, and there is nothing to compare.
func TestFabricatedCitation(t *testing.T) {
	t.Parallel()
	rank := map[debate.Bucket]int{debate.Dismissed: 0, debate.Unresolved: 1, debate.Agreed: 2}
	long.Check(t, func(t *rapid.T) {
		w, cast := drawn(t, rapid.IntRange(1, 3).Draw(t, "challengers"))
		before := end(t, w, cast)
		liar := rapid.SampledFrom([]string{"claude", "gpt"}).Draw(t, "liar")
		cast[liar] = Twist(cast[liar], func(_ debate.State, _ debate.Ask, r *debate.Reply) {
			r.Claims = append([]debate.NewClaim(nil), r.Claims...)
			for i := range r.Claims {
				r.Claims[i].Refs = append(r.Claims[i].Refs[:len(r.Claims[i].Refs):len(r.Claims[i].Refs)], cite("made/up.go", 5, "everything(breaks, here)"))
			}
		})
		after := end(t, w, cast)
		if len(after.Book.Claims) != len(before.Book.Claims) {
			return
		}
		for _, c := range after.Book.Claims {
			for _, b := range before.Book.Claims {
				if c.ID != b.ID || c.Title != b.Title || c.SameAs != "" || b.SameAs != "" {
					continue
				}
				if rank[c.Bucket] > rank[b.Bucket] || c.Severity != b.Severity && c.Severity.AtLeast(b.Severity) {
					t.Errorf("%q: %s %s became %s %s", c.Title, b.Severity, b.Bucket, c.Severity, c.Bucket)
				}
			}
		}
	})
}

// TestModesEscalateAlike plays the same parties in all modes: what policy hands
// to a human in one of them is adopted in none.
func TestModesEscalateAlike(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		w, cast := drawn(t, rapid.IntRange(1, 3).Draw(t, "challengers"))
		w.Triggers = []debate.Trigger{trigger(rapid.SampledFrom([]debate.TriggerClass{debate.ClassContent, debate.ClassConfigured}).Draw(t, "class"))}
		for _, mode := range []debate.Mode{debate.Standard, debate.Minimal, debate.Quick} {
			w.Received.Mode = mode
			s := end(t, w, cast)
			if d := d0(s); d.Outcome != debate.AwaitingHuman || s.Stage != debate.StageAwaitingHuman {
				t.Errorf("%s: D0 is %s, the stage %s", mode, d.Outcome, s.Stage)
			}
		}
	})
}

// TestPriorDecision carries a human decision over to the next head: it holds as
// long as the question and the text that it is about are the same, and
// accepts nothing else: a P1 that the parties find there has it asked again (M20).
func TestPriorDecision(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": Honest(Planted()[1])})
	w.Triggers = []debate.Trigger{trigger(debate.ClassContent)}
	asked := d0(played(t, w, cast))
	if asked.Outcome != debate.AwaitingHuman {
		t.Fatalf("D0 is %s", asked.Outcome)
	}
	prior := debate.PriorDecision{Fingerprint: asked.Fingerprint, LinkedHash: asked.LinkedHash, PersonAnswer: debate.PersonAnswer{Option: "keep", By: "alice", Head: Base, At: 1}}
	w.Received.Previous = debate.Previous{Head: Base, Heads: 1, Decisions: []debate.PriorDecision{prior}}
	s := played(t, w, cast)
	if d := d0(s); d.Outcome != debate.AwaitingHuman || len(d.Human.Earlier) != 1 || d.Human.Earlier[0].By != "alice" || len(s.NewSince()) != 1 {
		t.Errorf("beside the answer %v is new, and D0 is %s %+v", s.NewSince(), d.Outcome, d.Human)
	}
	if r := s.Conclusion(); r.Check != debate.ActionRequired {
		t.Errorf("the parties ask for a change: %s, %s (%s)", s.Ending.Disposition, r.Check, r.Why)
	}
	fine := maps.Clone(cast)
	fine["claude"] = Honest()
	if d := d0(played(t, w, fine)); d.Outcome != debate.HumanDecided || d.Human.By != "alice" || d.Human.Option != "keep" {
		t.Errorf("the same question is asked again: %s", d.Outcome)
	}

	w.Change = NewChange(strings.Replace(cartDiff, "limit", "bound", 1), "", nil)
	if d := d0(played(t, w, cast)); d.Outcome != debate.AwaitingHuman || d.LinkedHash == asked.LinkedHash {
		t.Errorf("the linked lines changed, and the decision is %s", d.Outcome)
	}
	w.Change = nil
	w.Triggers = append(w.Triggers, debate.Trigger{ID: debate.TriggerMoney, Source: debate.FromPolicy, Class: debate.ClassContent, Path: "cart.go", Side: debate.Right, Line: 24})
	if d := d0(played(t, w, cast)); d.Outcome != debate.AwaitingHuman || d.Fingerprint == asked.Fingerprint {
		t.Errorf("there is one more trigger, and the decision is %s", d.Outcome)
	}
}
