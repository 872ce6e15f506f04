package debate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/lists"
)

// keepCoversItsTriggers: nothing that a person decided on one head makes another head
// pass that would not pass on its own findings, less those that the person accepted by
// name on unchanged lines. The adversary is a keep of an earlier head, remembered on
// one where parties find whatever they like.
func keepCoversItsTriggers(p played) string { return keepCovers(p, &reach{}, ViaCommand) }

func keepCovers(p played, reached *reach, vias ...Via) string {
	s := p.end()
	d := s.Agenda.decision("D0")
	if d == nil || d.Outcome != AwaitingHuman {
		return ""
	}
	answers := [][]Acceptance{nil}
	for _, via := range vias {
		all := d.Accepts(Decided{Via: via, Option: string(Keep)}, s.Book.Claims)
		for _, some := range [][]Acceptance{all, all[:len(all)/2]} { // what is not accepted is new
			if len(some) > 0 {
				answers = append(answers, some)
			}
		}
	}
	for _, accepted := range answers {
		w := p.again()
		w.triggers = p.triggers
		w.first.Previous.Decisions = []PriorDecision{{
			Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, PersonAnswer: PersonAnswer{Option: "keep", By: "bob", At: 1, Head: "h-1", Accepted: accepted},
		}}
		head := w.outcome()
		carried := head.Conclusion().Check
		if carried != Success {
			continue
		}
		for _, o := range head.Agenda.decision("D0").FinalOptions {
			if says := head.Table.seat(o.Party).Option; says != "" && string(says) != o.Option {
				reached.count("taken out")
			}
		}
		if why := unaccepted(head, accepted); why != "" {
			return "the check is a success with a keep of an earlier head, and " + why
		}
		alone := p.again()
		alone.triggers, alone.first.Orders = nil, slices.Clone(p.first.Orders)
		for _, c := range head.Book.Claims {
			if accepts(head, accepted, c) {
				alone.first.Orders = append(alone.first.Orders, Order{
					Kind: OrderDismiss, Target: Key(c), AtMost: c.Severity, By: Actor{Login: "bob", Permission: AdminRole},
				})
			}
		}
		twin := alone.outcome()
		own, ownWhy := checkOf(twin)
		// How a debate went is asked about the change as a whole, and binds the answer to it;
		// one without what was dismissed may go another way.
		// What parties hand to a person is asked without a policy too, and was accepted.
		answered := func(t Trigger) bool {
			return slices.ContainsFunc(d.Triggers, func(of Trigger) bool { return t.ID == of.ID && t.Source == of.Source && t.Path == of.Path })
		}
		alike := func(x Decision) bool {
			return x.Outcome == AwaitingHuman && x.disposes() && !slices.ContainsFunc(x.Triggers, func(t Trigger) bool { return !answered(t) })
		}
		whole := asksHowItWent(*d) || slices.ContainsFunc(twin.Agenda.Decisions, alike) || accepted != nil && slices.ContainsFunc(twin.Agenda.Decisions, asksHowItWent)
		// Nor is a debate asked on that nothing hands to a person: it may end before its
		// parties came to keep.
		sooner := twin.Talk.Exchange < head.Talk.Exchange
		// Nor does it score a question that a person decided: sheets may choose what no party
		// holds any more.
		if ownWhy.Cause != nil {
			ownWhy = *ownWhy.Cause
		}
		scored := !slices.ContainsFunc(twin.Agenda.decision("D0").FinalOptions, func(o PartyOption) bool { return o.Option != string(Keep) })
		// Nor does a person who decided need a check by a model behind a merge (M16).
		bare := ownWhy.Code == WhyNoProof
		if own != Success && !whole && !sooner && !bare && !(scored && ownWhy.Code == WhyNoKeep) && !grumbles(twin) {
			return fmt.Sprintf("the check is %s with a keep of an earlier head that accepts %v, and %s (%s) by its own review", carried, accepted, own, ownWhy)
		}
	}
	return ""
}

// grumbles reports whether a party asks for changes and holds no finding: words alone do not
// stop a decision of a person, and do stop a change without one.
func grumbles(s State) bool {
	return slices.ContainsFunc(s.Agenda.decision("D0").FinalOptions, func(o PartyOption) bool {
		return worse(Disposition(o.Option), Keep) && !slices.ContainsFunc(s.Book.severe(), func(c *Claim) bool {
			holds := c.Owner == o.Party || slices.Contains(c.ReportedBy, o.Party) || c.agreedBy(o.Party)
			return holds && c.Bucket != Dismissed
		})
	})
}

// unaccepted says what stands against a head beside what a person decided to merge with, by
// who holds what and what is open on it. A model may ask for changes because of that alone.
func unaccepted(s State, accepted []Acceptance) string {
	for _, o := range s.Agenda.decision("D0").FinalOptions {
		says := s.Table.seat(o.Party).Option
		if o.Party == s.Table.Primary && says == "" {
			says = s.Talk.Position().Disposition
		}
		reasons := lists.Keep(s.Book.Claims, func(c Claim) bool {
			holds := c.Owner == o.Party || slices.Contains(c.ReportedBy, o.Party) || c.agreedBy(o.Party)
			return holds && c.SameAs == "" && c.Severity.AtLeast(P2) && c.Bucket != Dismissed
		})
		other := func(c Claim) bool { return !accepts(s, accepted, c) }
		if says != Keep && says != "" && slices.ContainsFunc(reasons, other) {
			return o.Party + " holds " + string(says)
		}
	}
	for _, c := range s.Book.Claims {
		open := c.SameAs == "" && c.Severity.AtLeast(P2) && (c.Bucket == Agreed || c.Bucket == Unresolved && c.Verified())
		if open && c.Trigger == "" && !accepts(s, accepted, c) {
			return c.ID + " is open, a " + string(c.Severity) + " that nobody accepted"
		}
	}
	return ""
}

// accepts reports whether a claim is one that a person decided to merge with: what states
// the question, what the answer names, and else nothing that fails a check or is a P1 that
// lines show.
func accepts(s State, accepted []Acceptance, c Claim) bool {
	fails := s.Received.Settings.failedBy(&c)
	looms := c.Severity == P1 && (c.Verified() || showsCode(c.Evidence))
	about := func(a Acceptance) bool {
		confirmed := c.Severity == P1 && c.Bucket == Agreed
		return a.Key == Key(c) && a.Category == c.Category && !confirmed && !(a.Shown && (fails || looms))
	}
	return c.Trigger != "" && c.Owner == EngineParty || slices.ContainsFunc(accepted, about)
}

// TestAcceptedStanceProperty: the adversary is a council that asks for changes to the end,
// because of P2 findings that all confirm and that a person decided to merge with.
func TestAcceptedStanceProperty(t *testing.T) {
	t.Parallel()
	var reached reach
	covers := func(p played) string { return keepCovers(p, &reached, ViaCommand, ViaCompleted) }
	each(t, []property{{"a keep takes out what it accepts", covers}}, func(seed int) *world {
		w := calmWorld(seed)
		w.triggers = []Trigger{{ID: TriggerMoney, Source: FromPolicy, Class: ClassConfigured, Path: "b.go"}}
		w.edit = func(_ Ask, r *Replied) {
			if r.Reply != nil {
				r.Reply = grumbling(*r.Reply)
			}
		}
		return w
	}, 2)
	if reached.of["taken out"] < 10 {
		t.Errorf("only %d debates pass although a model asks for changes", reached.of["taken out"])
	}
}

// grumbling is a reply that agrees to every finding, calls its own P2, and asks for changes.
func grumbling(r Reply) *Reply {
	r.Disposition, r.Recommendation, r.Verdict = Revise, Revise, VerdictAgree
	r.FinalOptions, r.Position, r.Strongest = []FinalOption{{Decision: "D0", Option: string(Revise)}}, nil, nil
	r.Claims, r.Evaluations = slices.Clone(r.Claims), slices.Clone(r.Evaluations)
	for i := range r.Claims {
		r.Claims[i].Severity = P2
	}
	for i := range r.Evaluations {
		r.Evaluations[i].Class, r.Evaluations[i].View, r.Evaluations[i].Severity = ClassAgree, Supports, P2
	}
	return &r
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
		conclusion := after.Conclusion().Check
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
