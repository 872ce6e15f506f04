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

// Conclusion computes the conclusion of a run and says why, first match (S05).
// A run that was skipped, degraded, superseded or aborted never succeeds, and
// neither does one whose configuration is broken (S18).
func (s State) Conclusion() (Conclusion, Why) {
	if s.Received.Inquiry != nil { // not even where a person has to answer (M18)
		return Neutral, because(WhyAnAnswer)
	}
	if s.Agenda.handsOver() {
		return ActionRequired, because(WhyAwaitsPerson)
	}
	if why := s.fails(); !why.IsZero() {
		return Failure, why
	}
	required := s.Received.Settings.Gate == Required
	switch why := s.falls(required); {
	case !why.IsZero() && required:
		return Failure, because(WhyGate).because(why)
	case !why.IsZero():
		return Neutral, why
	case slices.ContainsFunc(s.Split.Coverage, func(c Coverage) bool { return !c.Read() }):
		return Success, because(WhyReviewedButFiles)
	}
	return Success, because(WhyReviewedWhole)
}

// fails says what fails a run whatever the gate is.
func (s State) fails() Why {
	if s.Received.Settings.ConfigDefective {
		return because(WhyConfigBroken)
	}
	by, failing := s.Agenda.personal(), s.Failing()
	switch {
	case len(failing) > 0 && by == Keep:
		return mustEnd(s.StillOpen())
	case len(failing) > 0:
		return because(WhyFails, failing[0], string(s.Book.named(failing[0]).Severity))
	// A decision holds while the lines that it is about are the same, so revise fails
	// until they change.
	case worse(by, Keep):
		return because(WhyChose, s.Agenda.d0().Human.By, string(by))
	}
	return Why{}
}

// Failing are the findings that fail a run, its check and its exit code alike: see
// Claim.counts and Settings.failOn. Those that a person accepted do not.
func (s State) Failing() []string {
	if s.Received.Inquiry != nil {
		return nil
	}
	return s.Book.claimsThat(func(c *Claim) bool { return s.Received.Settings.failedBy(c) && !s.Agenda.accepted(c) })
}

// mustEnd says which findings stand although a person decided to merge.
func mustEnd(ids []string) Why {
	if len(ids) == 0 {
		return Why{}
	}
	return because(WhyMustEnd, ids...)
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
	case c.seen():
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

// falls says what a change lacks to be merged as it is.
func (s State) falls(required bool) Why {
	debated := s.Ending.Outcome.debated() || s.Agenda.d0().byHuman()
	openP1 := slices.ContainsFunc(s.Agreed(), func(c Claim) bool { return c.Severity == P1 && !s.Agenda.accepted(&c) })
	open := mustEnd(s.StillOpen()) // of what a person decided: what waits for one is named before
	held, since := s.heldBack(), s.beyondAcceptance()
	switch kept := s.Agenda.kept(s.Ending.Disposition); {
	case !held.IsZero():
		return held
	case !since.IsZero():
		return since
	case s.Agenda.AwaitsHuman(): // in the summary (M15)
		return because(WhyDivided)
	case !kept && required:
		return because(WhyUnfit)
	case !kept:
		return because(WhyNoKeep)
	case s.Agenda.d0().bare():
		return because(WhyNoProof)
	case !debated:
		return because(WhyUndebated)
	case s.Coverage() != CoverageFull:
		return because(WhyPartsUnread)
	case s.Table.neverAnswered(s.Asking.Calls):
		return because(WhySilentModel)
	case !open.IsZero():
		return open
	case openP1:
		return because(WhyP1IsOpen)
	}
	return Why{}
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

// kept reports whether D0 came to keep: the parties or a person decided it.
func (a *Agenda) kept(as Disposition) bool { return as == Keep && a.d0().choice() != "" }

// ended reports whether the debate itself decided a decision.
func (d *Decision) ended() bool {
	return slices.Contains([]DecisionOutcome{Settled, Adopted}, d.Outcome)
}

// bare reports whether a decision was adopted although nothing that was confirmed,
// granted or checked stands behind it (M16).
func (d *Decision) bare() bool { return d.Outcome == Adopted && d.Why.Code == WhyBare }

// heldBack says which decision beside D0 asks for another change than
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
