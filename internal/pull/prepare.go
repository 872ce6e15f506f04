package pull

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
)

// prepare freezes the change and makes the first event. Except for the name of the session
// and its seed, the event follows from the snapshot alone. Nothing is written yet.
func (s *session) prepare(ctx context.Context) (debate.Received, error) {
	p, run := s.snap.Pull, s.plan.commands.run
	base := p.BaseSHA
	if s.plan.action == recalled { // the same change, even if the base went on or has it by now
		base = s.snap.checkpoint.Base
	}
	if err := s.readChange(ctx, base); err != nil {
		return debate.Received{}, err
	}
	change, files := s.change, s.runner.files(p.BaseSHA)
	first, err := s.setup.First(ctx, change.Change, files)
	if err != nil {
		return first, err
	}
	if s.setup.Tests != nil {
		if s.tests, err = s.setup.Tests(ctx, change.Tree(), p.Fork); err != nil {
			return first, err
		}
		first.Settings.Tests = s.tests.Told
		s.notes = noted(s.notes, s.tests.Note)
	}
	first.Scope = change.Scope
	first.Anchor = debate.Anchor{
		Repo: p.Repository.Owner + "/" + p.Repository.Name, PR: p.Number, Title: s.snap.clean(p.Title), Intent: s.snap.clean(p.Body),
		Issue: s.snap.linkedText(),
	}
	first.Target = cmp.Or(first.Target, debate.TargetAuto)
	if run != nil {
		follow(&first, run.command, s.snap.config.Gate == debate.Required)
	}
	first.Orders = s.plan.commands.orders
	if s.plan.action == fresh {
		first.Previous = s.previous()
	}
	first.Notes = append(first.Notes, s.notes...)
	first.Settings.Stranger = s.snap.byStranger() && run == nil
	s.ledger.cap(&first, s.snap, s.snap.summary.ID != 0)
	if s.plan.action == recalled {
		memory := s.snap.checkpoint.Debate
		if spent, _ := memory.Asking.Spent(); first.Settings.MaxCostMicro > 0 { // its calls are in the session again
			first.Settings.MaxCostMicro += spent
		}
		if s.snap.reopened() {
			memory.Agenda.Decisions = askedAgain(memory.Agenda.Decisions)
		}
		first.Recall = &memory
		first.Mode, first.Target = memory.Mode, s.snap.checkpoint.Target
	}
	attributes, err := files(ctx, []string{".gitattributes"})
	if err != nil {
		return first, fmt.Errorf("read .gitattributes of the base branch: %w", err)
	}

	// The session adds the looks at the pull request and the publisher to the engine.
	s.review = s.setup.Review()
	s.review.Subject.Frozen = engine.Frozen{
		Event:  debate.Snapshotted{Scope: change.Scope, BaseSHA: change.BaseSHA, HeadSHA: change.HeadSHA, Hash: change.Hash, Notes: change.Notes},
		Change: change.Change, Attributes: attributes[".gitattributes"], Err: change.Err, Tree: change.Tree(),
	}
	s.review.Subject.PullRequest = policy.PullRequest{
		Closed: !s.snap.isOpen(), Draft: p.Draft, Bot: s.snap.actor(p.Author).Bot && madeAlone(p),
		Labels: p.Labels, Required: s.snap.config.Gate == debate.Required, Asked: run != nil,
	}
	s.review.Checks = s.evidence
	if s.tests.Runner != nil {
		s.review.Tester = s.tests.Runner
	}
	return first, nil
}

func (s *session) readChange(ctx context.Context, base string) error {
	p := s.snap.Pull
	var change *gh.Snapshot
	var err error
	if s.runner.Reader == nil {
		change, err = s.runner.facts.change(p.HeadSHA)
	} else {
		change, err = s.runner.Reader.Snapshot(ctx, base, p.HeadSHA, p.Number)
	}
	if err != nil {
		return fmt.Errorf("read the change of #%d: %w", p.Number, err)
	}
	if s.change != nil {
		s.change.Close()
	}
	s.change, s.lines = change, patch.NewIndex(change.Change.Set)
	return nil
}

// askedAgain changes withdrawn decisions back to awaiting a person.
func askedAgain(list []debate.Decision) []debate.Decision {
	list = slices.Clone(list)
	for i := range list {
		d := &list[i]
		if d.Outcome != debate.Withdrawn || d.Human == nil {
			continue
		}
		human := *d.Human
		human.Status = debate.ItemAwaiting
		d.Outcome, d.Human, d.Why = debate.AwaitingHuman, &human, debate.Why{}
	}
	return list
}

// previous is the result of earlier heads. A finding is looked up at the new place of its
// lines (S11); if its dispute was settled about other lines, it may be disputed again
// (A26).
func (s *session) previous() debate.Previous {
	m := s.snap.checkpoint
	m.Names = slices.Clone(m.Names)
	m.takeUp(s.snap.Pull.Threads)
	names := lists.Map(m.Names, func(n Name) debate.Named { return debate.Named{F: n.F, Text: textOf(n.Key)} })
	p := debate.Previous{NextF: m.NextF, Names: names}
	if !s.snap.sealed {
		return p
	}
	remembered := m.Debate.Previous()
	if m.Stub { // a stub knows only the decisions of people
		p.Decisions = lists.Keep(remembered.Decisions, s.holds)
		return p
	}
	p = remembered
	p.NextF = m.NextF
	if !s.mayCarry() {
		p.ReadBefore = debate.ReadBefore{}
	}
	for i := range p.Findings {
		f := &p.Findings[i]
		was := f.Cite
		if f.Cite, f.Present = s.lines.Moved(s.change.Change.Set, was); !f.Present && !s.lines.Restored(s.change.Change, was) {
			if near, there := s.lines.Near(s.change.Change.Set, was); there {
				f.Cite, f.Was = near, was
			}
		}
		f.Final = f.Final && f.Present
		f.Copies = s.lines.Copies(f.Cite)
	}
	// The built-in critic reads every head itself and finds its own findings again.
	ofCritic := func(f debate.Carried) bool { return f.Owner == debate.EngineParty }
	p.Names = lists.Keep(names, func(n debate.Named) bool {
		return !slices.ContainsFunc(p.Findings, func(f debate.Carried) bool { return f.ID == n.F && !ofCritic(f) })
	})
	p.Findings = lists.Keep(p.Findings, func(f debate.Carried) bool { return !ofCritic(f) || f.Final })
	if s.snap.trusted() { // else the answers since then follow the review
		p.Decisions = append(p.Decisions, s.snap.decidedSince(s.plan.answers)...)
	}
	p.Decisions = lists.Keep(p.Decisions, s.holds)
	return p
}

// mayCarry reports whether the reading of an earlier head may count for this one (M24):
// it is known to be ours, for the same base branch, and no person ordered a review.
func (s *session) mayCarry() bool {
	m := &s.snap.checkpoint
	switch {
	case !s.snap.trusted(), m.Debate.HeadSHA == s.snap.Pull.HeadSHA, m.BaseRef != s.snap.Pull.BaseRef:
		return false
	}
	return s.plan.commands.run == nil
}

// holds reports whether an earlier decision can hold for this head, and notes why not.
func (s *session) holds(d debate.PriorDecision) bool {
	why := s.snap.lapsed(d)
	if why != "" {
		s.notes = noted(s.notes, d.By+"'s decision does not hold for this commit: "+why)
	}
	return why == ""
}

// madeAlone reports whether the author made all commits of a pull request: GitHub signed
// each, and none names another account.
func madeAlone(p gh.Pull) bool {
	isOther := func(by gh.Account) bool { return by != p.Author }
	isForeign := func(c gh.Commit) bool { return !c.Signed || len(c.By) == 0 || slices.ContainsFunc(c.By, isOther) }
	return len(p.Commits) > 0 && p.Commits[len(p.Commits)-1].SHA == p.HeadSHA && !slices.ContainsFunc(p.Commits, isForeign)
}

// evidence reads the results of other tools about the head, if the token may (R147).
func (s *session) evidence(ctx context.Context) ([]debate.Run, error) {
	var runs []debate.Run
	if s.setup.Results != nil {
		var err error
		if runs, err = s.setup.Results(s.change.Change); err != nil {
			return nil, err
		}
	}
	if !*s.snap.config.Evidence.Checks {
		return runs, nil
	}
	failed, err := s.failedRuns(ctx)
	if err == nil {
		return append(runs, failed...), nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	why := "the results of other checks are no evidence here: " + err.Error()
	s.notes = noted(s.notes, why)
	s.runner.say("%s", why)
	return runs, nil
}

// failedRuns are the failed check runs of the head, without ours. The first call uses the
// check runs of the snapshot; until the next one others may have ended.
func (s *session) failedRuns(ctx context.Context) ([]debate.Run, error) {
	if s.runner.Reader == nil {
		return s.runner.facts.Failed, nil
	}
	checks := s.snap.Checks
	if s.evidenceRead {
		var err error
		if checks, err = s.runner.readChecks(ctx, s.snap.Pull.HeadSHA); err != nil {
			return nil, err
		}
	}
	s.evidenceRead = true
	if checks.Denied != "" {
		return nil, errors.New(checks.Denied)
	}
	runs, err := s.runner.Reader.FailedRuns(ctx, checks.Runs, CheckName)
	for i := range runs {
		run := &runs[i]
		if run.StartLine < 1 {
			continue
		}
		for line := run.StartLine; line <= min(run.EndLine, run.StartLine+maxNoted) && !run.Changed; line++ {
			run.Changed = s.lines.Changed(run.Path, debate.Right, line)
		}
	}
	return runs, err
}

// maxNoted bounds the lines of one annotation.
const maxNoted = 1000

// release closes the record, the tests and the change.
func (s *session) release() {
	if s.log != nil {
		s.log.Close()
	}
	if s.tests.Runner != nil {
		s.tests.Runner.Close()
	}
	if s.change == nil {
		return
	}
	if err := s.change.Tree().Err(); err != nil {
		s.runner.say("reviewers could not see all that they asked for: %v", err)
	}
	s.change.Close()
}

// withoutModels reviews the change without models and without other checks. If it collects
// for another job, it also reads the files that models see there.
func (s *session) withoutModels(ctx context.Context, first debate.Received, collects bool) (debate.State, error) {
	dry := s.setup.Review()
	dry.Subject.Collects = collects
	dry.Participants, dry.Clients = nil, nil
	dry.Log = noLog{}
	dry.Subject.Frozen, dry.Subject.PullRequest = s.review.Subject.Frozen, s.review.Subject.PullRequest
	state, err := dry.Start(ctx, first)
	if err != nil {
		return state, fmt.Errorf("read the change of #%d: %w", s.snap.Pull.Number, err)
	}
	return state, nil
}

// noLog drops its entries.
type noLog struct{}

func (noLog) Append(debate.Entry) error { return nil }
