package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Conclusion is the check's answer about a merge.
type Conclusion string

// The conclusions, spelt as GitHub spells them.
const (
	ActionRequired Conclusion = "action_required"
	Failure        Conclusion = "failure"
	Success        Conclusion = "success"
	Neutral        Conclusion = "neutral"
)

// Conclusion is the check's answer about a merge, with its reason. The first case that holds
// wins. Only a debate over the whole change with the result keep succeeds, or a person who
// keeps it. A pull request may hold more against it: pull.conclude.
func (s State) Conclusion() (Conclusion, Why) {
	set, d0, person := s.Received.Settings, s.Agenda.d0(), s.Agenda.personal()
	failing, open := s.Failing(), s.StillOpen()
	handed := func(d Decision) bool { return d.Outcome == AwaitingHuman && d.item().Sink != SinkSummary }
	held, since := s.heldBack(), s.beyondAcceptance()
	lacks := func(why Why) (Conclusion, Why) {
		if set.Gate == Required {
			return Failure, because(WhyGate).because(why)
		}
		return Neutral, why
	}
	switch {
	// The answer to a question blocks no merge, even if a person has to choose.
	case s.Received.Inquiry != nil:
		return Neutral, because(WhyAnAnswer)
	// A person has to decide first, because policy or the parties say so (R036).
	case slices.ContainsFunc(s.Agenda.Decisions, handed):
		return ActionRequired, because(WhyAwaitsPerson)

	// These fail under any gate. The word of a person holds until the lines change.
	case set.ConfigDefective:
		return Failure, because(WhyConfigBroken)
	case len(failing) > 0 && person == Keep:
		return Failure, because(WhyMustEnd, open...)
	case len(failing) > 0:
		return Failure, because(WhyFails, failing[0], string(s.Book.claim(failing[0]).Severity))
	case worse(person, Keep):
		return Failure, because(WhyChose, d0.Human.By, string(person))

	// The change lacks something: neutral, or a failure with a required gate.
	case !held.IsZero():
		return lacks(held)
	case !since.IsZero():
		return lacks(since)
	case s.Agenda.AwaitsHuman(): // the models disagree, and the summary asks (R036)
		return lacks(because(WhyDivided))
	case !s.Ending.Outcome.debated() && !d0.byHuman():
		return lacks(because(WhyUndebated))
	case s.Ending.Disposition != Keep, d0.choice() == "":
		return lacks(because(WhyNoKeep))
	case d0.Outcome == Adopted && d0.Why.Code == WhyBare: // no confirmed, granted or checked fact (M16)
		return lacks(because(WhyNoProof))
	case s.Coverage() != CoverageFull:
		return lacks(because(WhyPartsUnread))
	case s.neverAnswered():
		return lacks(because(WhySilentModel))
	case len(open) > 0:
		return lacks(because(WhyMustEnd, open...))
	case slices.ContainsFunc(s.Book.live(), func(c *Claim) bool { return c.confirmedP1() && !s.Agenda.accepted(c) }):
		return lacks(because(WhyP1IsOpen))

	case slices.ContainsFunc(s.Split.Coverage, func(c Coverage) bool { return !c.Read() }):
		return Success, because(WhyReviewedButFiles)
	}
	return Success, because(WhyReviewedWhole)
}

// Failing are the findings that fail a run, its check and its exit code alike, without those
// that a person accepted.
func (s State) Failing() []string {
	if s.Received.Inquiry != nil {
		return nil
	}
	return s.Book.claimsThat(func(c *Claim) bool { return s.Received.Settings.failedBy(c) && !s.Agenda.accepted(c) })
}

// failedBy reports whether a claim fails a run, unless a person accepts it.
func (settings *Settings) failedBy(c *Claim) bool {
	switch {
	case c.SameAs != "", !settings.failOn().Fails(c.Severity):
		return false
	case c.Bucket == Agreed:
		return true
	case c.ofCritic() && c.Verified(): // a finding of a built-in rule counts until a person dismisses it
		return c.Bucket == Unresolved
	}
	return c.Severity == P1 && c.divides() && c.Joint && qualified(c.Evidence) // two voices hold it on lines (M02)
}

// failOn is the least severity that fails a run: a required gate implies P1 or stricter.
func (settings *Settings) failOn() FailOn {
	if settings.Gate == Required {
		return settings.FailOn.Stricter(FailP1)
	}
	return settings.FailOn
}

// StillOpen are the findings that still block a merge after a person's decision to merge, or
// would after a decision by command: a P1 that is confirmed or disputed on valid lines, and
// findings that fail the check (M20).
func (s *State) StillOpen() []string {
	d := s.Agenda.d0()
	decided := s.Agenda.personal() == Keep
	if !decided && d.Outcome != AwaitingHuman {
		return nil
	}
	return s.Book.claimsThat(func(c *Claim) bool {
		accepted := d.states(c) || decided && d.item().accepts(c) || !decided && d.item().quotes(c)
		return s.Received.Settings.blocks(c) && !accepted
	})
}

// blocks reports whether a claim keeps a change from being merged under any decision about the
// whole: a P1 that is confirmed or has a quote, and a finding that fails the check (M02).
func (settings *Settings) blocks(c *Claim) bool {
	switch {
	case settings.failedBy(c):
		return true
	case c.Severity != P1:
		return false
	case c.Bucket == Unresolved:
		return c.Verified() || showsCode(c.Evidence)
	}
	return c.Bucket == Agreed
}

// neverAnswered reports whether a configured model was lost before it read the change (M24).
func (s *State) neverAnswered() bool {
	read := func(p Party) bool {
		return slices.ContainsFunc(s.Asking.Calls, func(c Call) bool { return c.Party == p.ID && c.reads() })
	}
	return slices.ContainsFunc(s.Table.Parties, func(p Party) bool {
		return p.Debates() && p.Status != PartySameFamily && s.Table.fares(p.ID).Lost && !read(p)
	})
}

// heldBack names a decision other than D0 against the proposed change: to address a claim or
// leave its part out, or a person's choice of the status quo. If a person decided D0
// on this head, only decisions of people hold it back.
func (s State) heldBack() Why {
	d0 := s.Agenda.d0()
	if s.Received.Inquiry != nil || d0.choice() != string(Keep) {
		return Why{}
	}
	decidedHere := d0.byHuman() && !decidedElsewhere(s.Snapshot.HeadSHA, d0)
	for _, d := range s.Agenda.Decisions {
		if d.disposes() || decidedHere && !d.byHuman() {
			continue
		}
		o := lists.Find(d.Options, func(o Option) bool { return o.ID == d.choice() })
		aboutClaim := d.Offers("accept") && d.Offers("leave_out") // and no question of a party
		question := clip(text.OneLine(d.Question), 200)
		switch asks := aboutClaim && o.ID != "accept" || o.StatusQuo && d.byHuman(); {
		case o.ID == "", !asks:
		case d.byHuman():
			return because(WhyChoseElse, d.Human.By, o.Label, d.ID).saying(question)
		default:
			return because(WhyDebateChose, o.Label, d.ID).saying(question)
		}
	}
	return Why{}
}

// beyondAcceptance is the reason against merging this head after a person decided on an earlier
// one to merge as proposed. The accepted findings are taken out, also from the choices of the
// models (see peopleAnswered): the rest of this head has to pass its own review (M20).
func (s *State) beyondAcceptance() Why {
	d := s.Agenda.d0()
	if d.choice() != string(Keep) || !decidedElsewhere(s.Snapshot.HeadSHA, d) {
		return Why{}
	}
	switch by, n := d.Human.By, s.newSince(); {
	case n.party != nil:
		return because(WhySinceChoice, by, n.party.Party, n.party.Option)
	case len(n.claims) > 0:
		return because(WhySinceFinding, by, n.claims[0])
	case n.objection != nil:
		return because(WhySinceObjection, by, n.objection.ID)
	case !d.wouldKeep():
		return because(WhySinceReview, by)
	}
	return Why{}
}

// forbidsKeep is the reason why a claim forbids keep, if it does: it is an open P1, or it
// failed the check on an earlier run of this head and was only disputed since, not dismissed
// (S11).
func (s *State) forbidsKeep(c *Claim) Why {
	again := c.Carried != "" && c.Bucket == Unresolved && s.Received.Previous.Head == s.Snapshot.HeadSHA
	switch {
	case c.Severity == P1 && (c.open() || c.divides() || c.looms()):
		return because(WhyOpenP1, c.ID)
	case again && s.Received.Settings.failOn().Fails(c.Severity):
		return because(WhyFailedBefore, c.ID)
	}
	return Why{}
}
