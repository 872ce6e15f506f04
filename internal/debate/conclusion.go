package debate

import (
	"slices"
	"strings"

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
func (s State) Conclusion() (Conclusion, string) {
	if s.Received.Inquiry != nil { // not even where a person has to answer (M18)
		return Neutral, "an answer says nothing to a merge"
	}
	if s.Agenda.handsOver() {
		return ActionRequired, "a decision awaits a human"
	}
	if why := s.fails(); why != "" {
		return Failure, why
	}
	set := s.Received.Settings
	why := s.falls(set.Gate == Required)
	switch {
	case why == "":
		if slices.ContainsFunc(s.Split.Coverage, func(c Coverage) bool { return !c.Read() }) {
			return Success, "the change was reviewed except for files that are excused or only renamed, and keep was decided"
		}
		return Success, "the change was reviewed whole, and keep was decided"
	case set.Gate == Required:
		return Failure, "the gate is required, and " + why
	}
	return Neutral, why
}

// fails says what fails a run whatever the gate is, or "".
func (s State) fails() string {
	if s.Received.Settings.ConfigDefective {
		return "the configuration is broken"
	}
	by, failing := s.Agenda.personal(), s.Failing()
	switch {
	case len(failing) == 0:
	case by == Keep:
		return mustEnd(s.StillOpen())
	default:
		return "finding " + failing[0] + " is " + string(s.Book.named(failing[0]).Severity)
	}
	// A decision holds while the lines that it is about are the same, so revise fails
	// until they change.
	if worse(by, Keep) {
		return s.Agenda.d0().decider() + " chose " + string(by)
	}
	return ""
}

// Failing are the findings that fail a run, its check and its exit code alike: see
// Claim.counts and Settings.failOn. Those that a person accepted do not.
func (s State) Failing() []string {
	if s.Received.Inquiry != nil {
		return nil
	}
	return s.Book.claimsThat(func(c *Claim) bool { return s.Received.Settings.failedBy(c) && !s.Agenda.accepted(c) })
}

// mustEnd says what is to be done about findings that stand although a person decided
// to merge.
func mustEnd(ids []string) string {
	open := func(id string) string { return id + " is still open: fix it, or /debate dismiss " + id + " WHY" }
	return strings.Join(lists.Map(ids, open), "; ")
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

// falls says what a change lacks to be merged as it is, in the words of a required
// gate or of an advisory one, or "".
func (s State) falls(required bool) string {
	debated := s.Ending.Outcome.debated() || s.Agenda.d0().byHuman()
	openP1 := slices.ContainsFunc(s.Agreed(), func(c Claim) bool { return c.Severity == P1 && !s.Agenda.accepted(&c) })
	open := mustEnd(s.StillOpen()) // of what a person decided: what waits for one is named before
	held, since := s.heldBack(), s.beyondAcceptance()
	divided := s.Agenda.AwaitsHuman() // in the summary (M15)
	const silent = "a model that the settings ask for did not answer"
	const bare = "no checked evidence supports a merge"
	for _, lack := range []struct {
		applies            bool
		advisory, required string
	}{
		{held != "", held, held},
		{since != "", since, since},
		{divided, "the models disagree, and a person decides", "the models disagree, and a person decides"},
		{!s.Agenda.kept(s.Ending.Disposition), "no decision to merge as proposed was reached", "the change is not found fit to merge as it is"},
		{s.Agenda.d0().bare(), bare, bare},
		{!debated, "no debate took place", "no debate took place"},
		{s.Coverage() != CoverageFull, "parts of the change were not reviewed", "parts were not reviewed"},
		{s.Table.neverAnswered(s.Asking.Calls), silent, silent},
		{open != "", open, open},
		{openP1, "an agreed P1 is open", "an agreed P1 is open"},
	} {
		if !lack.applies {
			continue
		}
		if required {
			return lack.required
		}
		return lack.advisory
	}
	return ""
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

// heldBack says in words which decision beside D0 asks for another change than
// the one proposed, or "": what a claim names is to be addressed or left out, or a
// person chose that everything stays as it is. The change is not merged as
// proposed then, whatever D0 came to before (X08, S05). What a person decided for
// D0 on this head gives way to what a person decided only.
func (s State) heldBack() string {
	d0 := s.Agenda.d0()
	if s.Received.Inquiry != nil || d0.choice() != string(Keep) {
		return ""
	}
	others := s.Agenda.decisionsThat(func(d *Decision) bool { return !d.disposes() })
	if d0.byHuman() && !decidedElsewhere(s.Snapshot.HeadSHA, d0) {
		others = lists.Keep(others, (*Decision).byHuman)
	}
	for _, d := range others {
		if o := d.chosen(); d.asksForChange(o) {
			return d.decider() + " chose " + o.Label + " for " + d.ID + " (" + clip(text.OneLine(d.Question), 200) + ")"
		}
	}
	return ""
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

// decider is who decided, for people.
func (d *Decision) decider() string {
	if d.byHuman() {
		return d.Human.By
	}
	return "the debate"
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
