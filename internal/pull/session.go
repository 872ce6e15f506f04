package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
)

// lookEvery is for how long a look at the pull request holds while a debate runs.
// Before anything is published there is always another.
const lookEvery = time.Minute

// session carries out a plan: it holds the debate, and performs what follows from it.
type session struct {
	runner   *Runner
	setup    Setup
	snap     *Snapshot
	plan     Plan
	hand     *hand
	ledger   *ledger
	outcomes *outcomes
	notes    []string // what could not be read

	change *gh.Snapshot
	lines  *patch.Index
	review *engine.Review
	log    *keptLog
	record string // its path
	state  debate.State
	cut    context.CancelCauseFunc // ends the debate
	handed *handed                 // the record of another job, nil if there is none
	split  bool                    // another job asks the models

	acknowledged, started, progressed, evidenceRead bool

	polledAt time.Time
	newHead  string // that was seen then
}

func newSession(r *Runner, setup Setup, snap *Snapshot, p Plan) *session {
	return &session{
		runner: r, setup: setup, snap: snap, plan: p, notes: slices.Clone(snap.notes),
		hand:     &hand{board: boardOf(snap), runner: r, pull: snap.pull},
		ledger:   &ledger{left: snap.checkpoint, written: snap.checkpoint, sealed: snap.sealed, unbooked: snap.trigger.unbooked},
		outcomes: newOutcomes(),
	}
}

// keptLog is a log that also remembers its entries, for going on in this process.
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

// source serves a change that was read before the record opened.
type source struct {
	change     *gh.Snapshot
	attributes []byte
}

// Snapshot implements engine.Source.
func (s source) Snapshot(context.Context) (engine.Frozen, error) {
	f := s.change
	return engine.Frozen{
		Event:  debate.Snapshotted{Scope: f.Scope, BaseSHA: f.BaseSHA, HeadSHA: f.HeadSHA, Hash: f.Hash, Notes: f.Notes},
		Change: f.Change, Attributes: s.attributes, Err: f.Err,
	}, nil
}

// prepare freezes the change and makes the first event. Nothing is written yet.
func (s *session) prepare(ctx context.Context) (debate.Received, error) {
	base := s.snap.pull.BaseSHA
	if s.plan.action == recalled { // the same change, even if the base went on or has it by now
		base = s.snap.checkpoint.Base
	}
	if err := s.readChange(ctx, base); err != nil {
		return debate.Received{}, err
	}
	file := s.runner.file(s.snap.pull)
	first, err := s.setup.First(ctx, s.change.Change, file)
	if err != nil {
		return first, err
	}
	s.complete(&first)
	attributes, err := file(ctx, ".gitattributes")
	if errors.As(err, new(*gh.LargeFileError)) {
		s.notes = noted(s.notes, err.Error()+": nothing counts as generated or vendored because of it")
	} else if err != nil {
		return first, fmt.Errorf("read .gitattributes of the base side: %w", err)
	}
	s.wire(attributes)
	return first, nil
}

func (s *session) readChange(ctx context.Context, base string) error {
	p := s.snap.pull
	change, err := s.runner.Hub.Snapshot(ctx, base, p.HeadSHA, p.Number)
	if err != nil {
		return fmt.Errorf("read the change of #%d: %w", p.Number, err)
	}
	s.change = change
	return nil
}

// complete adds to the first event what the pull request says: but for the session's
// name and its seed it follows from the snapshot alone.
func (s *session) complete(first *debate.Received) {
	p, run := s.snap.pull, s.plan.commands.run
	first.Scope = s.change.Scope
	first.Anchor = debate.Anchor{
		Repo: p.Repository.Owner + "/" + p.Repository.Name, PR: p.Number, Title: s.snap.clean(p.Title), Intent: s.snap.clean(p.Body),
	}
	if first.Target == "" {
		first.Target = debate.TargetAuto
	}
	if run != nil && run.command.Mode != "" {
		first.Mode = run.command.Mode
	}
	if run != nil && run.command.Scope != "" {
		first.Target = run.command.Scope
	}
	first.Orders = s.plan.commands.orders
	if s.plan.action == fresh {
		first.Previous = s.previous()
	}
	first.Notes = append(first.Notes, s.notes...)
	first.Settings.Stranger = s.snap.people.stranger() && run == nil
	if first.Settings.Stranger {
		first.Notes = append(first.Notes, p.Author.Login+" has no write access here: no model is asked until somebody who has comments /debate run")
	}
	s.capCosts(first)
	if s.plan.action == recalled {
		s.recall(first)
	}
}

// recall makes the first event one of a debate that goes on.
func (s *session) recall(first *debate.Received) {
	memory := s.snap.checkpoint.Debate
	if spent, _ := memory.Spent(); first.Settings.MaxCostMicro > 0 { // its calls are in the session again
		first.Settings.MaxCostMicro += spent
	}
	first.Recall = &memory
	first.Mode, first.Target = memory.Mode, s.snap.checkpoint.Target
}

// previous is what earlier heads left. A finding is looked for where its lines
// are now (S11); one whose dispute was settled about other lines may be disputed
// again (A26).
func (s *session) previous() debate.Previous {
	m := &s.snap.checkpoint
	p := debate.Previous{NextF: m.NextF}
	if !s.snap.sealed {
		return p
	}
	remembered := m.Debate.Previous()
	if m.Stub && !m.earlier() { // what people decided is all that it knows of the debate
		p.Decisions = keep(remembered.Decisions, s.holds)
		return p
	}
	p = remembered
	p.NextF = m.NextF
	for i := range p.Findings {
		f := &p.Findings[i]
		f.Cite, f.Present = s.index().Moved(s.change.Change.Set, f.Cite)
		f.Final = f.Final && f.Present
	}
	// The embedded critic reads every head itself, and finds again what stands.
	p.Findings = keep(p.Findings, func(f debate.Carried) bool { return f.Owner != debate.EngineParty || f.Final })
	if s.snap.trusted { // else the answers since then follow the review
		p.Decisions = append(p.Decisions, s.snap.decidedSince(s.plan.answers)...)
	}
	p.Decisions = keep(p.Decisions, s.holds)
	return p
}

// holds reports whether an earlier decision can hold for this head, and notes why not.
func (s *session) holds(d debate.PriorDecision) bool {
	why := s.snap.lapsed(d)
	if why != "" {
		s.notes = noted(s.notes, "what "+d.By+" decided earlier does not hold for this head: "+why)
	}
	return why == ""
}

// index is where lines stand in the change, nil where none was read.
func (s *session) index() *patch.Index {
	if s.lines == nil && s.change != nil {
		s.lines = patch.NewIndex(s.change.Change.Set)
	}
	return s.lines
}

// wire connects the engine with the pull request.
func (s *session) wire(attributes []byte) {
	p := s.snap.pull
	s.review = s.setup.Review()
	s.review.Source = source{change: s.change, attributes: attributes}
	s.review.PullRequest = policy.PullRequest{
		Closed: !s.snap.isOpen(), Draft: p.Draft, Bot: s.snap.people.actor(p.Author).Bot,
		Labels: p.Labels, Required: s.snap.config.Gate == debate.Required, Asked: s.plan.commands.run != nil,
	}
	s.review.Checks = s.evidence
	s.review.Look = s.look
	s.review.LookEvery = lookEvery
	s.review.Entered = s.entered
	s.review.Publish = s.publish
}

// evidence reads what other tools found about the head, where the token may (S12).
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
	s.notes = noted(s.notes, "the results of other checks are no evidence here: "+err.Error())
	return runs, nil
}

// failedRuns are the failed check runs of the head that are not ours. The first time
// they are looked for among those that the snapshot has.
func (s *session) failedRuns(ctx context.Context) ([]debate.Run, error) {
	head := s.snap.pull.HeadSHA
	all, err := s.snap.checks.runs, s.snap.checks.denied
	if s.evidenceRead {
		all, err = s.runner.Hub.CheckRuns(ctx, head)
	}
	s.evidenceRead = true
	if err != nil || !slices.ContainsFunc(all, failedElsewhere) {
		return nil, err
	}
	runs, err := s.runner.Hub.FailedRuns(ctx, head, CheckName)
	for i := range runs {
		run := &runs[i]
		if run.StartLine < 1 {
			continue
		}
		for line := run.StartLine; line <= min(run.EndLine, run.StartLine+maxNoted) && !run.Changed; line++ {
			run.Changed = s.index().Changed(run.Path, debate.Right, line)
		}
	}
	return runs, err
}

// maxNoted bounds the lines of one annotation that are looked at.
const maxNoted = 1000

// failedElsewhere reports whether a check run that is not ours failed, so that it
// can be evidence.
func failedElsewhere(run gh.CheckRun) bool {
	harmless := slices.Contains([]string{"success", "neutral", "skipped"}, run.Conclusion)
	return run.Done && run.Name != CheckName && !harmless
}

// look sees what happened to the pull request meanwhile.
func (s *session) look(ctx context.Context) (engine.Sight, error) {
	p := s.snap.pull
	justRead := s.runner.Now().Sub(s.snap.now) < lookEvery
	if s.state.Stage == debate.StageOpening && justRead {
		return engine.Sight{Head: p.HeadSHA}, nil
	}
	g, err := s.poll(ctx)
	if err != nil {
		return engine.Sight{}, err
	}
	sight := engine.Sight{Head: g.HeadSHA}
	if s.snap.isOpen() && g.State != gh.Open {
		sight.Closed = &debate.WithdrawnEvent{Reason: endedReason(g.State)}
	}
	s.hand.siblings = g.Siblings
	sight.Stop, err = s.stopOrdered(ctx, g.Comments)
	return sight, err
}

// stopOrdered looks for an order to stop among new comments, by somebody who may give
// it.
func (s *session) stopOrdered(ctx context.Context, list []gh.Comment) (*debate.Actor, error) {
	for _, c := range list {
		command, is, err := comment.Parse(c.Body)
		stops := is && err == nil && command.Verb == comment.Stop
		if !stops || s.snap.knew(c.ID) || c.Mine || c.Author.Bot || c.Edited {
			continue
		}
		may, note, err := s.runner.ask(ctx, c.Author.Login)
		if err != nil {
			return nil, err
		}
		s.notes = noted(s.notes, note)
		snap := *s.snap
		snap.people = snap.people.with(c.Author.Login, may)
		s.snap = &snap
		stop := request{comment: c, command: command}
		if refusal(s.snap, stop) == "" {
			by := s.snap.people.actor(c.Author)
			s.plan.commands.obey(stop)
			return &by, nil
		}
	}
	return nil, nil
}

// hold holds the debate to its end.
func (s *session) hold(ctx context.Context, first debate.Received) error {
	if err := s.openRecord(first.SessionID); err != nil {
		return err
	}
	ctx, s.cut = context.WithCancelCause(ctx)
	defer s.cut(nil)
	var err error
	if s.state, err = s.review.Start(ctx, first); errors.Is(context.Cause(ctx), errMute) {
		return errMute
	}
	return err
}

// openRecord opens the record of the debate.
func (s *session) openRecord(name string) error {
	log, path, err := s.runner.Record(name)
	if err != nil {
		return err
	}
	s.log, s.record, s.hand.session = &keptLog{Log: log}, path, name
	s.review.Log = s.log
	return nil
}

// errMute ends a session of a sweep before a model is asked: neither a check nor a
// status can be written, so that the next sweep would ask all over again.
var errMute = errors.New("the token of this run may write neither a check nor a status, so that a sweep asks no model: every one would ask again")
