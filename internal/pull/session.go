package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// session is one debate of a run.
type session struct {
	*situation
	runner   *Runner
	wishes   wishes
	why      string  // what was decided, in words
	split    bool    // another job asks the models
	handed   *handed // its record, nil if there is none
	snapshot *gh.Snapshot
	log      *kept
	cut      context.CancelCauseFunc // ends the debate
	record   string
	review   *engine.Review
	state    debate.State
	lines    *patch.Index
	out      *outbox
	undone   map[string][]comment.Note // by fingerprint: why an answer does not count
	deferred bool                      // the first outcome is not written, an answer follows at once
	dirty    bool                      // what stands on GitHub is not what the session came to
	answered map[string]int64          // by fingerprint: the latest answer, Unix milliseconds
	closed   map[string]int            // by fingerprint: how often a closing decided nothing
	restored map[string]bool           // by fingerprint: its text is written anew

	issuesRead, acknowledged, started, progressed bool

	lookedAt time.Time // at the pull request, last
	newHead  string    // the head that was seen then
	opened   []string  // fingerprints of the issues that this session opened

	headChecks    []gh.CheckRun // of the head, when the run began
	checksRead    bool
	evidenceRead  bool  // the protocol asked for them; the next time they may be others
	checksRefused error // the token may not read them
	checkRun      *gh.CheckRun
	begunCheck    bool        // this run made it
	stood         gh.CheckRun // our check run when the run began
	stated        gh.Status

	replies    []comment.Reply
	carriedOut []int64 // comments
}

// kept is a log that also remembers its entries, for going on in this process.
type kept struct {
	Log
	session string
	entries []debate.Entry
}

func (k *kept) Append(e debate.Entry) error {
	if err := k.Log.Append(e); err != nil {
		return err
	}
	k.entries = append(k.entries, e)
	return nil
}

// source serves a snapshot that was taken before the record opened.
type source struct {
	snapshot   *gh.Snapshot
	attributes []byte
}

// Snapshot implements engine.Source.
func (s source) Snapshot(context.Context) (engine.Frozen, error) {
	f := s.snapshot
	return engine.Frozen{
		Event:  debate.Snapshotted{Scope: f.Scope, BaseSHA: f.BaseSHA, HeadSHA: f.HeadSHA, Hash: f.Hash, Notes: f.Notes},
		Change: f.Change, Attributes: s.attributes, Err: f.Err,
	}, nil
}

// prepare freezes the change and makes the first event. Nothing is written yet.
func (s *session) prepare(ctx context.Context, c course) (debate.Received, error) {
	base := s.pull.BaseSHA
	if c == recalled { // the same change, even if the base went on or has it by now
		base = s.memo.Base
	}
	var err error
	if s.snapshot, err = s.runner.Hub.Snapshot(ctx, base, s.pull.HeadSHA, s.pull.Number); err != nil {
		return debate.Received{}, fmt.Errorf("read the change of #%d: %w", s.pull.Number, err)
	}
	first, err := s.first(ctx, c)
	if err != nil {
		return first, err
	}
	attributes, err := s.file(s.runner.Hub)(ctx, ".gitattributes")
	if errors.As(err, new(*gh.LargeFileError)) {
		s.note(err.Error() + ": nothing counts as generated or vendored because of it")
	} else if err != nil {
		return first, fmt.Errorf("read .gitattributes of the base side: %w", err)
	}
	s.wire(attributes)
	return first, nil
}

// first is the first event of the session: it follows from the situation alone,
// but for the session's name and its seed.
func (s *session) first(ctx context.Context, c course) (debate.Received, error) {
	first, err := s.setup.First(ctx, s.snapshot.Change, s.file(s.runner.Hub))
	if err != nil {
		return first, err
	}
	first.Scope = s.snapshot.Scope
	first.Anchor = debate.Anchor{
		Repo: s.pull.Repository.Owner + "/" + s.pull.Repository.Name, PR: s.pull.Number,
		Title: s.setup.Clean(s.pull.Title), Intent: s.setup.Clean(s.pull.Body),
	}
	if first.Target == "" {
		first.Target = debate.TargetAuto
	}
	if run := s.wishes.run; run != nil {
		if run.command.Mode != "" {
			first.Mode = run.command.Mode
		}
		if run.command.Scope != "" {
			first.Target = run.command.Scope
		}
	}
	first.Orders = s.wishes.orders
	if c == fresh {
		first.Previous = s.previous()
	}
	first.Notes = append(first.Notes, s.notes...)
	first.Settings.Stranger = s.stranger() && s.wishes.run == nil
	if first.Settings.Stranger {
		first.Notes = append(first.Notes, s.pull.Author.Login+" has no write access here: no model is asked until somebody who has comments /debate run")
	}
	s.capCosts(&first)
	if c == recalled {
		memory := s.memo.Debate
		if spent, _ := memory.Spent(); first.Settings.MaxCostMicro > 0 { // its calls are in the session again
			first.Settings.MaxCostMicro += spent
		}
		first.Recall = &memory
		first.Mode, first.Target = memory.Mode, s.memo.Target
	}
	return first, nil
}

// previous is what earlier heads left. A finding is looked for where its lines
// are now (S11); one whose dispute was settled about other lines may be disputed
// again (A26).
func (s *session) previous() debate.Previous {
	if s.sealed && s.memo.Stub && !s.memo.earlier() { // what people decided is all that it knows of the debate
		return debate.Previous{NextF: s.memo.NextF, Decisions: keep(s.memo.Debate.Previous().Decisions, s.holds)}
	}
	if !s.sealed {
		return debate.Previous{NextF: s.memo.NextF}
	}
	p := s.memo.Debate.Previous()
	p.NextF = s.memo.NextF
	set := s.snapshot.Change.Set
	for i := range p.Findings {
		f := &p.Findings[i]
		f.Cite, f.Present = s.index().Moved(set, f.Cite)
		f.Final = f.Final && f.Present
	}
	// The embedded critic reads every head itself, and finds again what stands.
	p.Findings = keep(p.Findings, func(f debate.Carried) bool { return f.Owner != debate.EngineParty || f.Final })
	if s.trusted { // else the answers since then follow the review
		p.Decisions = append(p.Decisions, s.decidedMeanwhile()...)
	}
	p.Decisions = keep(p.Decisions, s.holds)
	return p
}

// holds reports whether an earlier decision can hold for this head as far as it
// depends on who took it: whoever it was may still decide by the settings in force
// now, for the same base branch, and nobody who may has revoked it since.
func (s *session) holds(d debate.PriorDecision) bool {
	ok, not := s.mayDecide(s.actor(gh.Account{Login: d.By, Bot: strings.HasSuffix(d.By, "[bot]")}))
	revoked := ""
	if issue := s.issue(d.Fingerprint); issue != nil {
		for _, e := range issue.Events {
			if may, _ := s.mayDecide(s.actor(e.By)); may && e.Kind == gh.IssueReopened && millis(e.At) > d.At {
				revoked = e.By.Login
			}
		}
	}
	why := ""
	switch {
	case s.memo.BaseRef != s.pull.BaseRef:
		why = "it was about a change of " + s.memo.BaseRef
	case !ok:
		why = d.By + " " + not
	case revoked != "":
		why = revoked + " revoked it"
	default:
		return true
	}
	s.note("what " + d.By + " decided earlier does not hold for this head: " + why)
	return false
}

// index is where lines stand in the change.
func (s *session) index() *patch.Index {
	if s.lines == nil {
		s.lines = patch.NewIndex(s.snapshot.Change.Set)
	}
	return s.lines
}

// wire connects the engine with the pull request.
func (s *session) wire(attributes []byte) {
	review := s.setup.Review()
	review.Source = source{snapshot: s.snapshot, attributes: attributes}
	review.PullRequest = policy.PullRequest{
		Closed: s.pull.State != gh.Open, Draft: s.pull.Draft, Bot: s.pull.Author.Bot || s.access[s.pull.Author.Login].Bot,
		Labels: s.pull.Labels, Required: s.setup.Config.Gate == debate.Required, Asked: s.wishes.run != nil,
	}
	review.Checks = s.checks
	review.Look = s.look
	review.LookEvery = lookEvery
	review.Entered = s.entered
	review.Publish = s.publish
	s.review = review
}

// checks reads what other tools found about the head, where the token may (S12).
func (s *session) checks(ctx context.Context) ([]debate.Run, error) {
	var runs []debate.Run
	if s.setup.Results != nil {
		var err error
		if runs, err = s.setup.Results(s.snapshot.Change); err != nil {
			return nil, err
		}
	}
	if !*s.setup.Config.Evidence.Checks {
		return runs, nil
	}
	read := s.headRuns // it was just read for our own check
	if s.evidenceRead {
		read = func(ctx context.Context) ([]gh.CheckRun, error) { return s.runner.Hub.CheckRuns(ctx, s.pull.HeadSHA) }
	}
	s.evidenceRead = true
	all, err := read(ctx)
	if err == nil && slices.ContainsFunc(all, failedElsewhere) {
		var failed []debate.Run
		failed, err = s.runner.Hub.FailedRuns(ctx, s.pull.HeadSHA, CheckName)
		for _, run := range failed {
			for line := run.StartLine; line > 0 && line <= min(run.EndLine, run.StartLine+maxNoted) && !run.Changed; line++ {
				run.Changed = s.index().Changed(run.Path, debate.Right, line)
			}
			runs = append(runs, run)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		s.note("the results of other checks are no evidence here: " + err.Error())
	}
	return runs, nil
}

// maxNoted bounds the lines of one annotation that are looked at.
const maxNoted = 1000

// failedElsewhere reports whether a check run that is not ours failed, so that it
// can be evidence.
func failedElsewhere(run gh.CheckRun) bool {
	return run.Done && run.Name != CheckName && run.Conclusion != "success" && run.Conclusion != "neutral" && run.Conclusion != "skipped"
}

// look sees what happened to the pull request meanwhile.
func (s *session) look(ctx context.Context) (engine.Sight, error) {
	if s.state.Stage == debate.StageOpening && s.runner.Now().Sub(s.now) < lookEvery { // it was just read
		return engine.Sight{Head: s.pull.HeadSHA}, nil
	}
	g, err := s.glance(ctx)
	if err != nil {
		return engine.Sight{}, err
	}
	sight := engine.Sight{Head: g.HeadSHA}
	if s.pull.State == gh.Open && g.State != gh.Open {
		sight.Closed = &debate.WithdrawnEvent{Reason: endedReason(g.State)}
	}
	s.pull.Siblings = g.Siblings
	for _, c := range g.Comments {
		if s.knew(c.ID) || c.Mine || c.Author.Bot || c.Edited {
			continue
		}
		command, is, err := comment.Parse(c.Body)
		if !is || err != nil || command.Verb != comment.Stop {
			continue
		}
		if err := s.ask(ctx, s.runner.Hub, c.Author.Login); err != nil {
			return sight, err
		}
		stop := request{comment: c, command: command}
		if s.refusal(stop) == "" {
			by := s.actor(c.Author)
			sight.Stop = &by
			s.wishes.obey(stop)
			break
		}
	}
	return sight, nil
}

// knew reports whether a comment was there when the run began.
func (s *situation) knew(id int64) bool {
	for _, c := range s.pull.Comments {
		if c.ID == id {
			return true
		}
	}
	return false
}

// ended says how the pull request came to its end.
func (s *situation) ended() string {
	text := "was closed"
	if s.pull.State == gh.Merged {
		text = "was merged"
	}
	if by := s.pull.EndedBy.Login; by != "" {
		text += " by " + by
	}
	return text + " (" + endedReason(s.pull.State) + ")"
}

func endedReason(state gh.PullState) string {
	if state == gh.Merged {
		return "merged_undecided"
	}
	return "closed_undecided"
}

// hold holds the debate to its end.
func (s *session) hold(ctx context.Context, first debate.Received) error {
	log, path, err := s.runner.Record(first.SessionID)
	if err != nil {
		return err
	}
	s.log, s.record = &kept{Log: log, session: first.SessionID}, path
	s.review.Log = s.log
	ctx, s.cut = context.WithCancelCause(ctx)
	defer s.cut(nil)
	if s.state, err = s.review.Start(ctx, first); errors.Is(context.Cause(ctx), errMute) {
		return errMute
	}
	return err
}

// errMute ends a session of a sweep before a model is asked: neither a check nor a
// status can be written, so that the next sweep would ask all over again (T60).
var errMute = errors.New("the token of this run may write neither a check nor a status, so that a sweep asks no model: every one would ask again")
