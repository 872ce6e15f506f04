package debate

import (
	"fmt"
	"slices"
	"testing"
)

// keepCoversItsTriggers: nothing that a person decided on one head makes another head
// pass that would not pass on its own findings, less those that the person accepted by
// name on unchanged lines. The adversary is a keep of an earlier head, remembered on
// one where parties find whatever they like.
func keepCoversItsTriggers(p played) string {
	s := p.end()
	d := s.Agenda.decision("D0")
	if d == nil || d.Outcome != AwaitingHuman {
		return ""
	}
	byName := d.Accepts(Decided{Via: ViaCommand, Option: string(Keep)}, s.Book.Claims)
	answers := [][]Acceptance{nil}
	if len(byName) > 0 {
		answers = append(answers, byName)
	}
	for _, accepted := range answers {
		w := calmWorld(p.seed)
		w.script = p.replies()
		w.first.Previous.Decisions = []PriorDecision{{
			Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, Option: "keep", By: "bob", At: 1, Head: "h-1", Accepted: accepted,
		}}
		head := w.outcome()
		carried, _ := head.Conclusion()
		if carried != Success {
			continue
		}
		if why := unaccepted(head, accepted); why != "" {
			return "the check is a success with a keep of an earlier head, and " + why
		}
		alone := calmWorld(p.seed)
		alone.script, alone.triggers = p.replies(), nil
		for _, a := range accepted {
			alone.first.Orders = append(alone.first.Orders, Order{
				Kind: OrderDismiss, Target: a.Key, AtMost: a.AtMost, By: Actor{Login: "bob", Permission: AdminRole},
			})
		}
		twin := alone.outcome()
		own, ownWhy := twin.Conclusion()
		// How a debate went is asked about the change as a whole, and binds the answer to it;
		// one without what was dismissed may go another way.
		// What parties hand to a person is asked without a policy too, and was accepted.
		alike := func(x Decision) bool { return x.Outcome == AwaitingHuman && x.Fingerprint == d.Fingerprint }
		whole := asksHowItWent(*d) || slices.ContainsFunc(twin.Agenda.Decisions, alike) || accepted != nil && slices.ContainsFunc(twin.Agenda.Decisions, asksHowItWent)
		// Nor is a debate asked on that nothing hands to a person: it may end before its
		// parties came to keep.
		sooner := twin.Talk.Exchange < head.Talk.Exchange
		if own != Success && !whole && !sooner {
			return fmt.Sprintf("the check is %s with a keep of an earlier head that accepts %v, and %s (%s) by its own review", carried, accepted, own, ownWhy)
		}
	}
	return ""
}

// unaccepted says what stands against a head beside what a person accepted by name, by
// who holds what and what is open on it.
func unaccepted(s State, accepted []Acceptance) string {
	for _, o := range s.Agenda.decision("D0").FinalOptions {
		if o.Option != string(Keep) {
			return o.Party + " holds " + o.Option
		}
	}
	for _, c := range s.Book.Claims {
		named := func(a Acceptance) bool {
			return a.Key == Key(c) && c.Bucket != Agreed || a.Key == Key(c) && c.Severity != P1
		}
		open := c.SameAs == "" && c.Severity.AtLeast(P2) && (c.Bucket == Agreed || c.Bucket == Unresolved && c.Verified())
		if open && c.Trigger == "" && !slices.ContainsFunc(accepted, named) {
			return c.ID + " is open, a " + string(c.Severity) + " that nobody accepted"
		}
	}
	return ""
}

func asksHowItWent(d Decision) bool {
	return slices.ContainsFunc(d.Triggers, func(t Trigger) bool { return t.Source == FromProcedure })
}

// TestKeepOverP1Property: no answer on the same head lets a P1 pass that nobody
// accepted by name, and a confirmed one never. The adversary is somebody with every
// right who clicks.
func TestKeepOverP1Property(t *testing.T) {
	t.Parallel()
	each(t, []property{{"a keep takes no P1 along", keepTakesNoP1Along}}, func(seed int) *world {
		w := calmWorld(seed)
		if len(w.triggers) == 0 {
			w.triggers = []Trigger{{ID: TriggerMoney, Source: FromPolicy, Class: ClassConfigured, Path: "b.go"}}
		}
		return w
	}, 2)
}

func keepTakesNoP1Along(p played) string {
	s := p.end()
	d := s.Agenda.decision("D0")
	if d == nil || d.Outcome != AwaitingHuman || s.Stage != StageAwaitingHuman {
		return ""
	}
	for _, via := range []Via{ViaCompleted, ViaReview, ViaCommand} {
		after, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At + 2, Event: Decided{
			Decision: d.ID, Fingerprint: d.Fingerprint, Option: string(Keep), By: Actor{Login: "bob", Permission: AdminRole},
			Head: s.Snapshot.HeadSHA, Via: via, At: s.Clock.At + 1,
		}})
		if err != nil {
			return err.Error()
		}
		if got := after.Agenda.decision("D0").Outcome; got != HumanDecided {
			return fmt.Sprintf("%s: D0 is %s", via, got)
		}
		conclusion, _ := after.Conclusion()
		for _, c := range after.Book.Claims {
			disputed := c.Bucket == Unresolved && c.Verified()
			stands := c.SameAs == "" && c.Severity == P1 && (c.Bucket == Agreed || disputed && via != ViaCommand)
			if stands && c.Trigger == "" && conclusion == Success {
				return fmt.Sprintf("%s: the check is a success over %s, %s", via, c.ID, c.Bucket)
			}
		}
	}
	return ""
}
