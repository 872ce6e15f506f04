package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/rubric"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Conclusion is what the check of a run says to a merge (S05).
type Conclusion string

// The conclusions, spelt as GitHub spells them.
const (
	ActionRequired Conclusion = "action_required"
	Failure        Conclusion = "failure"
	Success        Conclusion = "success"
	Neutral        Conclusion = "neutral"
)

// Conclusion is what the check of a run says about a merge, and why. The first case that
// holds wins (S05). Only a debate over the whole change that came to keep succeeds.
func (s State) Conclusion() (Conclusion, Why) {
	set, d0, person := s.Received.Settings, s.Agenda.d0(), s.Agenda.personal()
	failing, open := s.Failing(), s.StillOpen()
	held, since := s.heldBack(), s.beyondAcceptance()
	lacks := func(why Why) (Conclusion, Why) {
		if set.Gate == Required {
			return Failure, because(WhyGate).because(why)
		}
		return Neutral, why
	}
	switch {
	// The answer to a question blocks no merge, even if a person has to choose (M18).
	case s.Received.Inquiry != nil:
		return Neutral, because(WhyAnAnswer)
	// A person has to decide first.
	case s.Agenda.handsOver():
		return ActionRequired, because(WhyAwaitsPerson)

	// These fail under any gate. The word of a person holds until the lines change.
	case set.ConfigDefective: // S18
		return Failure, because(WhyConfigBroken)
	case len(failing) > 0 && person == Keep:
		return Failure, because(WhyMustEnd, open...)
	case len(failing) > 0:
		return Failure, because(WhyFails, failing[0], string(s.Book.named(failing[0]).Severity))
	case worse(person, Keep):
		return Failure, because(WhyChose, d0.Human.By, string(person))

	// The change lacks something: neutral, or a failure with a required gate.
	case !held.IsZero():
		return lacks(held)
	case !since.IsZero():
		return lacks(since)
	case s.Agenda.AwaitsHuman(): // the summary asks (M15)
		return lacks(because(WhyDivided))
	case !s.Ending.Outcome.debated() && !d0.byHuman():
		return lacks(because(WhyUndebated))
	case s.Ending.Disposition != Keep, d0.choice() == "":
		return lacks(because(WhyNoKeep))
	case d0.Outcome == Adopted && d0.Why.Code == WhyBare: // no confirmed, granted or checked fact (M16)
		return lacks(because(WhyNoProof))
	case s.Coverage() != CoverageFull:
		return lacks(because(WhyPartsUnread))
	case s.Table.neverAnswered(s.Asking.Calls):
		return lacks(because(WhySilentModel))
	case len(open) > 0:
		return lacks(because(WhyMustEnd, open...))
	case slices.ContainsFunc(s.Agreed(), func(c Claim) bool { return c.Severity == P1 && !s.Agenda.accepted(&c) }):
		return lacks(because(WhyP1IsOpen))

	case slices.ContainsFunc(s.Split.Coverage, func(c Coverage) bool { return !c.Read() }):
		return Success, because(WhyReviewedButFiles)
	}
	return Success, because(WhyReviewedWhole)
}

// Failing are the findings that fail a run, its check and its exit code alike: see
// Claim.counts and Settings.failOn. Those that a person accepted do not.
func (s State) Failing() []string {
	if s.Received.Inquiry != nil {
		return nil
	}
	return s.Book.claimsThat(func(c *Claim) bool { return s.Received.Settings.failedBy(c) && !s.Agenda.accepted(c) })
}

// counts reports whether a claim may fail a run: one that is agreed, one that a
// built-in rule found, until a person dismisses it (M05), and a disputed P1 that two
// voices hold on lines that are there (M02).
func (c Claim) counts() bool {
	switch {
	case c.SameAs != "":
		return false
	case c.Bucket == Agreed:
		return true
	case c.ofCritic() && c.Verified():
		return c.Bucket == Unresolved
	}
	return c.disputed() && c.Joint && c.Severity == P1 && qualified(c.Evidence)
}

// failedBy reports whether a claim fails a run, whatever was decided about it.
func (settings *Settings) failedBy(c *Claim) bool {
	return c.counts() && settings.failOn().Fails(c.Severity)
}

// failOn is the least severe finding that fails a run: a required gate implies P1
// or stricter.
func (settings *Settings) failOn() FailOn {
	set := *settings
	if set.Gate == Required {
		return set.FailOn.Stricter(FailP1)
	}
	return set.FailOn
}

// neverAnswered reports whether a model that the settings ask for was lost before it
// read the change: what the others found was then not looked at by all who should (M24).
func (t *Table) neverAnswered(calls []Call) bool {
	readers := lists.Map(lists.Keep(calls, Call.reads), func(c Call) string { return c.Party })
	asked := lists.Keep(lists.Keep(t.Parties, Party.debates), func(p Party) bool { return p.Status != PartySameFamily })
	return slices.ContainsFunc(asked, func(p Party) bool { return t.fares(p.ID).Lost && !slices.Contains(readers, p.ID) })
}

// personal is what a person chose for D0, "" if nobody did.
func (a *Agenda) personal() Disposition {
	if d := a.d0(); d.byHuman() {
		return Disposition(d.Human.Option)
	}
	return ""
}

// ended reports whether the debate itself decided a decision.
func (d *Decision) ended() bool {
	return slices.Contains([]DecisionOutcome{Settled, Adopted}, d.Outcome)
}

// heldBack says which decision other than D0 asks for another change than
// the one proposed: what a claim names is to be addressed or left out, or a
// person chose that everything stays as it is. The change is not merged as
// proposed then, whatever D0 came to before (X08, S05). What a person decided for
// D0 on this head gives way to what a person decided only.
func (s State) heldBack() Why {
	d0 := s.Agenda.d0()
	if s.Received.Inquiry != nil || d0.choice() != string(Keep) {
		return Why{}
	}
	others := s.Agenda.decisionsThat(func(d *Decision) bool { return !d.disposes() })
	if d0.byHuman() && !decidedElsewhere(s.Snapshot.HeadSHA, d0) {
		others = lists.Keep(others, (*Decision).byHuman)
	}
	for _, d := range others {
		o, question := d.chosen(), clip(text.OneLine(d.Question), 200)
		switch {
		case !d.asksForChange(o):
		case d.byHuman():
			return because(WhyChoseElse, d.Human.By, o.Label, d.ID).saying(question)
		default:
			return because(WhyDebateChose, o.Label, d.ID).saying(question)
		}
	}
	return Why{}
}

// choice is the id of the option that was decided, "" if none was.
func (d *Decision) choice() string {
	switch {
	case d.byHuman():
		return d.Human.Option
	case d.ended():
		return d.Recommendation
	}
	return ""
}

// chosen is the option that was decided, the zero value if none was.
func (d *Decision) chosen() Option {
	return lists.Find(d.Options, func(o Option) bool { return o.ID == d.choice() })
}

// asksForChange reports whether an option of a decision beside D0 asks for another
// change than the one proposed.
func (d *Decision) asksForChange(o Option) bool {
	if o.ID == "" {
		return false
	}
	addresses := d.aboutClaim() && o.ID != "accept"
	declines := o.StatusQuo && d.byHuman()
	return addresses || declines
}

// aboutClaim reports whether a decision is about what a claim names, and not a
// question of a party.
func (d Decision) aboutClaim() bool {
	return rubric.Has(d.Options, "accept") && rubric.Has(d.Options, "leave_out")
}
