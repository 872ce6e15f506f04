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

// hearing readies a debate: the change, the first event, the evidence, the record.
type hearing struct {
	runner *Runner
	setup  Setup
	snap   *Snapshot
	plan   Plan
	ledger *ledger
	notes  []string // unreadable parts

	change       *gh.Snapshot
	lines        *patch.Index // of the change, nil if none was read
	review       *engine.Review
	tests        Tests
	log          *keptLog
	record       string // its path
	evidenceRead bool
}

// keptLog is a log with its entries in memory, to resume the debate in this process.
type keptLog struct {
	Log
	entries []debate.Entry
}

func (k *keptLog) Append(e debate.Entry) error {
	if err := k.Log.Append(e); err != nil {
		return err
	}
	k.entries = append(k.entries, e)
	return nil
}

// source is a change read before the record opened.
type source struct {
	change     *gh.Snapshot
	attributes []byte
}

// Snapshot implements engine.Source.
func (s source) Snapshot(context.Context) (engine.Frozen, error) {
	f := s.change
	frozen := engine.Frozen{
		Event:  debate.Snapshotted{Scope: f.Scope, BaseSHA: f.BaseSHA, HeadSHA: f.HeadSHA, Hash: f.Hash, Notes: f.Notes},
		Change: f.Change, Attributes: s.attributes, Err: f.Err,
	}
	if tree := f.Tree(); tree != nil {
		frozen.Tree = tree
	}
	return frozen, nil
}

// prepare freezes the change and makes the first event. Nothing is written yet.
func (h *hearing) prepare(ctx context.Context) (debate.Received, error) {
	base := h.snap.pull.BaseSHA
	if h.plan.action == recalled { // the same change, even if the base went on or has it by now
		base = h.snap.checkpoint.Base
	}
	if err := h.readChange(ctx, base); err != nil {
		return debate.Received{}, err
	}
	file := h.runner.file(h.snap.pull.BaseSHA)
	first, err := h.setup.First(ctx, h.change.Change, func(ctx context.Context, paths []string) (map[string][]byte, error) {
		return h.runner.Reader.Files(ctx, h.snap.pull.BaseSHA, paths)
	})
	if err != nil {
		return first, err
	}
	if h.setup.Tests != nil {
		if h.tests, err = h.setup.Tests(ctx, h.change.Tree(), h.snap.pull.Fork); err != nil {
			return first, err
		}
		first.Settings.Tests = h.tests.Told
		h.notes = noted(h.notes, h.tests.Note)
	}
	h.complete(&first)
	attributes, err := file(ctx, ".gitattributes")
	if errors.As(err, new(*gh.LargeFileError)) {
		h.notes = noted(h.notes, err.Error()+": nothing counts as generated or vendored because of it")
	} else if err != nil {
		return first, fmt.Errorf("read .gitattributes of the base branch: %w", err)
	}
	h.wire(attributes)
	return first, nil
}

func (h *hearing) readChange(ctx context.Context, base string) error {
	p := h.snap.pull
	change, err := h.runner.Reader.Snapshot(ctx, base, p.HeadSHA, p.Number)
	if err != nil {
		return fmt.Errorf("read the change of #%d: %w", p.Number, err)
	}
	if h.change != nil {
		h.change.Close()
	}
	h.change, h.lines = change, patch.NewIndex(change.Change.Set)
	return nil
}

// complete adds the parts of the pull request to the first event. Except for the name of
// the session and its seed, the event follows from the snapshot alone.
func (h *hearing) complete(first *debate.Received) {
	p, run := h.snap.pull, h.plan.commands.run
	first.Scope = h.change.Scope
	first.Anchor = debate.Anchor{
		Repo: p.Repository.Owner + "/" + p.Repository.Name, PR: p.Number, Title: h.snap.clean(p.Title), Intent: h.snap.clean(p.Body),
		Issue: h.snap.linkedText(),
	}
	first.Target = cmp.Or(first.Target, debate.TargetAuto)
	if run != nil {
		follow(first, run.command, h.snap.config.Gate == debate.Required)
	}
	first.Orders = h.plan.commands.orders
	if h.plan.action == fresh {
		first.Previous = h.previous()
	}
	first.Notes = append(first.Notes, h.notes...)
	first.Settings.Stranger = h.snap.people.stranger() && run == nil
	h.ledger.cap(first, h.snap, h.snap.summary.ID != 0)
	if h.plan.action == recalled {
		h.recall(first)
	}
}

// recall makes the first event of a recalled debate.
func (h *hearing) recall(first *debate.Received) {
	memory := h.snap.checkpoint.Debate
	if spent, _ := memory.Asking.Spent(); first.Settings.MaxCostMicro > 0 { // its calls are in the session again
		first.Settings.MaxCostMicro += spent
	}
	if h.snap.reopened() {
		memory.Agenda.Decisions = askedAgain(memory.Agenda.Decisions)
	}
	first.Recall = &memory
	first.Mode, first.Target = memory.Mode, h.snap.checkpoint.Target
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
func (h *hearing) previous() debate.Previous {
	m := h.snap.checkpoint
	m.Names = slices.Clone(m.Names)
	m.takeUp(h.snap.pull.Threads)
	names := lists.Map(m.Names, func(n Name) debate.Named { return debate.Named{F: n.F, Text: textOf(n.Key)} })
	p := debate.Previous{NextF: m.NextF, Names: names}
	if !h.snap.sealed {
		return p
	}
	remembered := m.Debate.Previous()
	if m.Stub { // a stub knows only the decisions of people
		p.Decisions = lists.Keep(remembered.Decisions, h.holds)
		return p
	}
	p = remembered
	p.NextF = m.NextF
	if !h.mayCarry() {
		p.ReadBefore = debate.ReadBefore{}
	}
	for i := range p.Findings {
		f := &p.Findings[i]
		was := f.Cite
		if f.Cite, f.Present = h.lines.Moved(h.change.Change.Set, was); !f.Present && !h.lines.Restored(h.change.Change.Set, was) {
			if near, there := h.lines.Near(h.change.Change.Set, was); there {
				f.Cite, f.Was = near, was
			}
		}
		f.Final = f.Final && f.Present
		f.Copies = h.lines.Copies(f.Cite)
	}
	// The built-in critic reads every head itself and finds its own findings again.
	ofCritic := func(f debate.Carried) bool { return f.Owner == debate.EngineParty }
	p.Names = lists.Keep(names, func(n debate.Named) bool {
		return !slices.ContainsFunc(p.Findings, func(f debate.Carried) bool { return f.ID == n.F && !ofCritic(f) })
	})
	p.Findings = lists.Keep(p.Findings, func(f debate.Carried) bool { return !ofCritic(f) || f.Final })
	if h.snap.trusted { // else the answers since then follow the review
		p.Decisions = append(p.Decisions, h.snap.decidedSince(h.plan.answers)...)
	}
	p.Decisions = lists.Keep(p.Decisions, h.holds)
	return p
}

// mayCarry reports whether the reading of an earlier head may count for this one (M24):
// it is known to be ours, for the same base branch, and no person ordered a review.
func (h *hearing) mayCarry() bool {
	s := h.snap
	switch {
	case !s.trusted, s.checkpoint.Debate.HeadSHA == s.pull.HeadSHA, s.checkpoint.BaseRef != s.pull.BaseRef:
		return false
	}
	return h.plan.commands.run == nil
}

// holds reports whether an earlier decision can hold for this head, and notes why not.
func (h *hearing) holds(d debate.PriorDecision) bool {
	why := h.snap.lapsed(d)
	if why != "" {
		h.notes = noted(h.notes, "what "+d.By+" decided earlier does not hold for this head: "+why)
	}
	return why == ""
}

// wire prepares the engine. The session adds the looks at the pull request and the
// publisher.
func (h *hearing) wire(attributes []byte) {
	p := h.snap.pull
	h.review = h.setup.Review()
	h.review.Subject.Source = source{change: h.change, attributes: attributes}
	h.review.Subject.PullRequest = policy.PullRequest{
		Closed: !h.snap.isOpen(), Draft: p.Draft, Bot: h.snap.people.actor(p.Author).Bot && madeAlone(p),
		Labels: p.Labels, Required: h.snap.config.Gate == debate.Required, Asked: h.plan.commands.run != nil,
	}
	h.review.Checks = h.evidence
	if h.tests.Runner != nil {
		h.review.Tester = h.tests.Runner
	}
}

// madeAlone reports whether the author made all commits of a pull request: GitHub signed
// each, and none names another account.
func madeAlone(p gh.Pull) bool {
	isOther := func(by gh.Account) bool { return by != p.Author }
	isForeign := func(c gh.Commit) bool { return !c.Signed || len(c.By) == 0 || slices.ContainsFunc(c.By, isOther) }
	return len(p.Commits) > 0 && p.Commits[len(p.Commits)-1].SHA == p.HeadSHA && !slices.ContainsFunc(p.Commits, isForeign)
}

// evidence reads the results of other tools about the head, if the token may (R147).
func (h *hearing) evidence(ctx context.Context) ([]debate.Run, error) {
	var runs []debate.Run
	if h.setup.Results != nil {
		var err error
		if runs, err = h.setup.Results(h.change.Change); err != nil {
			return nil, err
		}
	}
	if !*h.snap.config.Evidence.Checks {
		return runs, nil
	}
	failed, err := h.failedRuns(ctx)
	if err == nil {
		return append(runs, failed...), nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	h.notes = noted(h.notes, "the results of other checks are no evidence here: "+err.Error())
	return runs, nil
}

// failedRuns are the failed check runs of the head, without ours. The first call uses the
// check runs of the snapshot; until the next one others may have ended.
func (h *hearing) failedRuns(ctx context.Context) ([]debate.Run, error) {
	all, err := h.snap.checks.runs, h.snap.checks.denied
	if h.evidenceRead {
		all, err = h.runner.Reader.CheckRuns(ctx, h.snap.pull.HeadSHA)
	}
	h.evidenceRead = true
	if err != nil {
		return nil, err
	}
	runs, err := h.runner.Reader.FailedRuns(ctx, all, CheckName)
	for i := range runs {
		run := &runs[i]
		if run.StartLine < 1 {
			continue
		}
		for line := run.StartLine; line <= min(run.EndLine, run.StartLine+maxNoted) && !run.Changed; line++ {
			run.Changed = h.lines.Changed(run.Path, debate.Right, line)
		}
	}
	return runs, err
}

// maxNoted bounds the lines of one annotation.
const maxNoted = 1000

// close closes the record, the tests and the change.
func (h *hearing) close() {
	if h.log != nil {
		h.log.Close()
	}
	if h.tests.Runner != nil {
		h.tests.Runner.Close()
	}
	if h.change == nil {
		return
	}
	if tree := h.change.Tree(); tree != nil && tree.Err() != nil {
		h.runner.say("reviewers could not see all that they asked for: %v", tree.Err())
	}
	h.change.Close()
}

// openRecord opens the record of the debate.
func (h *hearing) openRecord(name string) error {
	log, path, err := h.runner.Record(name)
	if err != nil {
		return err
	}
	h.log, h.record = &keptLog{Log: log}, path
	h.review.Log = h.log
	return nil
}

// withoutModels reviews the change without models and without other checks. If it collects
// for another job, it also reads the files that models see there.
func (h *hearing) withoutModels(ctx context.Context, first debate.Received, collects bool) (debate.State, error) {
	dry := h.setup.Review()
	dry.Subject.Collects = collects
	dry.Participants, dry.Clients = nil, nil
	dry.Log = noLog{}
	dry.Subject.Source, dry.Subject.PullRequest = h.review.Subject.Source, h.review.Subject.PullRequest
	state, err := dry.Start(ctx, first)
	if err != nil {
		return state, fmt.Errorf("read the change of #%d: %w", h.snap.pull.Number, err)
	}
	return state, nil
}

// noLog drops its entries.
type noLog struct{}

func (noLog) Append(debate.Entry) error { return nil }
