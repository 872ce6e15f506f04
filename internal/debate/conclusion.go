package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Ruling is what the end of a debate means: for its check, for the command line, for the first
// line of every page, and for the people. It is decided here alone, and every surface reads it. A
// pull request may hold more against a merge, also without any debate: pull.conclude.
type Ruling struct {
	Check Conclusion
	Why   Why      // the reason for it
	Exit  ExitCode // of the command line
	Head  Headline // the kind of the first line
	Next  Next     // what has to happen before the merge
	For   Whom     // who does it
}

// Conclusion is the answer of the check about a merge.
type Conclusion string

// The conclusions, spelt as GitHub spells them.
const (
	ActionRequired Conclusion = "action_required"
	Failure        Conclusion = "failure"
	Success        Conclusion = "success"
	Neutral        Conclusion = "neutral"
)

// ExitCode is the exit code of a command after a debate.
type ExitCode int

// The exit codes.
const (
	ExitDone     ExitCode = 0
	ExitFindings ExitCode = 1 // a finding fails the run, or the check fails
	ExitUsage    ExitCode = 2 // the settings are broken
	ExitHuman    ExitCode = 3 // a person has to decide
	ExitFailed   ExitCode = 4 // there is no review: no model answered, or the input could not be read
)

// Headline is the kind of the first line of every page. The words are in
// internal/report/headline.go.
type Headline string

// The headlines.
const (
	HeadAborted    Headline = "aborted"
	HeadSuperseded Headline = "superseded"
	HeadEmpty      Headline = "empty"    // nothing changed
	HeadSkipped    Headline = "skipped"  // by policy
	HeadStranger   Headline = "stranger" // a maintainer has to start the review
	HeadUnread     Headline = "unread"   // no model answered
	HeadAlone      Headline = "alone"    // models answered, and nothing was debated
	HeadWaits      Headline = "waits"    // for a decision of a person
	HeadDecided    Headline = "decided"  // by a person
	HeadAnswered   Headline = "answered" // a question
	HeadDivided    Headline = "divided"  // the parties, about a question
	HeadOpen       Headline = "open"     // nothing is recommended
	HeadRevise     Headline = "revise"
	HeadReject     Headline = "reject"
	HeadPartly     Headline = "partly" // the parties would merge it, and only a part was read
	HeadReady      Headline = "ready"
)

// Next is what has to happen before a change can be merged, or a question counts as answered.
type Next string

// The next steps.
const (
	NextNothing  Next = ""
	NextMerge    Next = "merge"    // nothing is in the way
	NextDecide   Next = "decide"   // the open question
	NextFix      Next = "fix"      // the lines in question, and push
	NextSettings Next = "settings" // repair them
	NextReview   Next = "review"   // the review has to be started, or done again
	NextRead     Next = "read"     // the models did not do enough: a person reads the change
)

// Whom is who takes the next step.
type Whom string

// The people.
const (
	ForReader   Whom = "reader"   // of the result
	ForAuthor   Whom = "author"   // of the change
	ForDeciders Whom = "deciders" // people who may decide: Settings.Deciders
	ForWriters  Whom = "writers"  // people with write access
)

// Conclusion is the ruling about a debate.
func (s State) Conclusion() Ruling {
	rulings := s.rulings()
	r := rulings[slices.IndexFunc(rulings, func(r ruling) bool { return r.holds })]
	return Ruling{Check: r.check, Why: r.why, Exit: s.exit(r.check), Head: s.headline(), Next: r.next, For: r.whom}
}

// ruling is one reason for a conclusion of the check.
type ruling struct {
	holds bool
	check Conclusion
	why   Why
	next  Next
	whom  Whom
}

// rulings are all rulings about the check. The first one that holds wins, and docs/gate.md lists them.
// Only a debate over the whole change with the result keep succeeds, or a person who keeps it.
func (s State) rulings() []ruling {
	set, d0, person := s.Received.Settings, s.Agenda.d0(), s.Agenda.personal()
	inquiry := s.Received.Inquiry != nil
	failing, open := s.Failing(), s.StillOpen()
	fails := because(WhyFails)
	if len(failing) > 0 {
		fails.Refs = []string{failing[0], string(s.Book.claim(failing[0]).Severity)}
	}
	handed := func(d Decision) bool { return d.Outcome == AwaitingHuman && d.item().Sink != SinkSummary }
	held, since := s.heldBack(), s.beyondAcceptance()
	keepsP1 := func(c *Claim) bool { return c.confirmedP1() && !s.Agenda.accepted(c) }
	unread := func(c Coverage) bool { return !c.Read() }
	undebated := NextReview
	if head := s.headline(); head == HeadSuperseded || head == HeadEmpty { // the newer commit gets its own review, and no change needs none
		undebated = NextNothing
	}
	lacks := func(holds bool, why Why, next Next, whom Whom) ruling {
		if set.Gate == Required {
			return ruling{holds, Failure, because(WhyGate).because(why), next, whom}
		}
		return ruling{holds, Neutral, why, next, whom}
	}
	return []ruling{
		// The answer to a question blocks no merge, even if a person has to choose.
		{inquiry && s.AwaitsAnswer(), Neutral, because(WhyAnAnswer), NextDecide, ForReader},
		{inquiry, Neutral, because(WhyAnAnswer), NextNothing, ForReader},
		// A person has to decide first, because policy or the parties say so (R036).
		{slices.ContainsFunc(s.Agenda.Decisions, handed), ActionRequired, because(WhyAwaitsPerson), NextDecide, ForDeciders},

		// These fail under any gate. The word of a person holds until the lines change.
		{set.ConfigDefective, Failure, because(WhyConfigBroken), NextSettings, ForWriters},
		{len(failing) > 0 && person == Keep, Failure, because(WhyMustEnd, open...), NextFix, ForAuthor},
		{len(failing) > 0, Failure, fails, NextFix, ForAuthor},
		{worse(person, Keep), Failure, because(WhyChose, d0.item().By, string(person)), NextFix, ForAuthor},

		// The change lacks something: neutral, or a failure with a required gate.
		lacks(!held.IsZero(), held, NextFix, ForAuthor),
		lacks(!since.IsZero(), since, NextFix, ForAuthor),                         // or a person decides again
		lacks(s.Agenda.AwaitsHuman(), because(WhyDivided), NextDecide, ForReader), // the models disagree, and the summary asks (R036)
		lacks(!s.Ending.Outcome.debated() && (!d0.byHuman() || decidedElsewhere(s.Snapshot.HeadSHA, d0)), because(WhyUndebated), undebated, ForWriters),
		lacks(s.Ending.Disposition != Keep || d0.choice() == "", because(WhyNoKeep), NextFix, ForAuthor),
		lacks(d0.Outcome == Adopted && d0.Why.Code == WhyBare, because(WhyNoProof), NextRead, ForWriters), // no confirmed, granted or checked fact (M16)
		lacks(s.Coverage() != CoverageFull, because(WhyPartsUnread), NextRead, ForWriters),
		lacks(s.neverAnswered(), because(WhySilentModel), NextReview, ForWriters),
		lacks(len(open) > 0, because(WhyMustEnd, open...), NextFix, ForAuthor),
		lacks(slices.ContainsFunc(s.Book.live(), keepsP1), because(WhyP1IsOpen), NextFix, ForAuthor),

		{slices.ContainsFunc(s.Split.Coverage, unread), Success, because(WhyReviewedButFiles), NextMerge, ForWriters},
		{true, Success, because(WhyReviewedWhole), NextMerge, ForWriters},
	}
}

// exit is the exit code. It names a finding first, and then the reason for no review: the check
// waits or fails only after that.
func (s State) exit(check Conclusion) ExitCode {
	// A file of a patch or a snippet could not be read. For git's own files at least the name
	// is known.
	unreadable := func(c Coverage) bool { return s.Snapshot.Scope == ScopeSnippet && c.Excluded == Unreadable }
	switch {
	case s.Ending.Outcome == Aborted:
		return ExitFailed
	case len(s.Failing()) > 0:
		return ExitFindings
	case s.Unanswered(), slices.ContainsFunc(s.Split.Coverage, unreadable):
		return ExitFailed
	case s.AwaitsAnswer():
		return ExitHuman
	case s.Received.Settings.ConfigDefective:
		return ExitUsage
	case check == Failure && s.Ending.Outcome != Skipped: // else there was nothing to review
		return ExitFindings
	}
	return ExitDone
}

// headline is the kind of the first line, by the outcome and by what the parties and people hold now.
func (s State) headline() Headline {
	d0, inquiry, outcome := s.Agenda.d0(), s.Received.Inquiry != nil, s.Ending.Outcome
	debated, waits := outcome.debated() || outcome == Unchallenged, s.Agenda.AwaitsHuman()
	differ := func(d *Decision) bool {
		return slices.ContainsFunc(d.FinalOptions, func(o PartyOption) bool { return o.Option != d.FinalOptions[0].Option })
	}
	switch {
	// A question.
	case inquiry && !debated && outcome == Aborted:
		return HeadAborted
	case inquiry && !debated && s.Alone():
		return HeadAlone
	case inquiry && !debated:
		return HeadUnread
	case inquiry && (differ(d0) || s.Agenda.named("D1").Open() && differ(s.Agenda.named("D1"))):
		return HeadDivided
	case inquiry && waits:
		return HeadWaits
	case inquiry:
		return HeadAnswered

	// A change without a debate.
	case !debated && waits:
		return HeadWaits
	case outcome == DegradedLocal && s.Ending.OutcomeReason.Code == WhyStranger:
		return HeadStranger
	case outcome == DegradedLocal && s.Alone():
		return HeadAlone
	case outcome == DegradedLocal:
		return HeadUnread
	case outcome == Skipped && s.Split.Totals.Files == 0:
		return HeadEmpty
	case outcome == Skipped:
		return HeadSkipped
	case outcome == Superseded:
		return HeadSuperseded
	case !debated:
		return HeadAborted

	// A debate about a change. The answer of a person for an earlier head gives way to the review of
	// this one (M20).
	case d0.byHuman() && d0.Human.Option == string(s.Ending.Disposition):
		return HeadDecided
	case d0.Outcome == AwaitingHuman && d0.item().Sink == SinkSummary: // the reader decides (R036)
		return HeadOpen
	case waits:
		return HeadWaits
	case s.Ending.Disposition == Revise:
		return HeadRevise
	case s.Ending.Disposition == Reject:
		return HeadReject
	case s.Ending.Disposition == Keep && s.Coverage() == CoverageFull:
		return HeadReady
	case s.Ending.Disposition == Keep:
		return HeadPartly
	}
	return HeadOpen
}

// AwaitsAnswer reports whether a person has to answer: a decision waits, or the choice in a debated question
// was left open.
func (s State) AwaitsAnswer() bool {
	open := func(d Decision) bool { return d.Outcome == Undecided }
	debated := s.Ending.Outcome.debated() || s.Ending.Outcome == Unchallenged
	return s.Agenda.AwaitsHuman() || s.Received.Inquiry != nil && debated && slices.ContainsFunc(s.Agenda.Decisions, open)
}

// Unanswered reports whether models are configured and none answered. An absent program counts as
// silent, and so does a limit that leaves no call.
func (s State) Unanswered() bool {
	absent := func(p Party) bool { return p.Debates() && p.Status != PartyOK }
	if s.Ending.Outcome != DegradedLocal || slices.ContainsFunc(s.Asking.Calls, func(c Call) bool { return c.Status == CallOK }) {
		return false
	}
	return s.Limited() || slices.ContainsFunc(s.Table.Parties, absent)
}

// Limited reports whether a limit left no call to any model.
func (s State) Limited() bool {
	limits := []WhyCode{WhyCallsUsed, WhyMoneyUsed, WhyTimeUsed}
	return len(s.Asking.Calls) == 0 && slices.Contains(limits, s.Ending.OutcomeReason.Code)
}

// Alone reports whether a model read the change and no debate took place.
func (s State) Alone() bool {
	return s.Ending.Outcome == DegradedLocal && slices.ContainsFunc(s.Asking.Calls, func(c Call) bool {
		return c.Status == CallOK && (c.Kind == CallOpen || c.Kind == CallLocal)
	})
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
		switch asks := aboutClaim && o.ID != "accept" || o.StatusQuo && d.byHuman(); {
		case o.ID == "", !asks:
		case d.byHuman():
			return because(WhyChoseElse, d.Human.By, o.Label, d.ID).saying(d.Question)
		default:
			return because(WhyDebateChose, o.Label, d.ID).saying(d.Question)
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
