package pull

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model/tape"
	"github.com/prdebate/debate/internal/redact"
)

// A run may be three jobs, so that no job has both a token with write access and the
// words of strangers to models, and a job that talks to models has no token at all:
//
//	Collect   reads GitHub; no key of a model, no key of the state
//	Debate    asks the models; no token
//	Test      runs tests of models, if Debate waits for them; no key, and a token without rights
//	Debate    continues with their results
//	Publish   repeats the debate with the recorded replies, and writes on GitHub

// Collect reads the inputs of a debate. Ask is false if no model is needed: then Publish
// does the rest alone.
func (r *Runner) Collect(ctx context.Context, t Trigger) (facts *Facts, ask bool, err error) {
	facts = &Facts{Trigger: t, Files: make(map[string][]byte)}
	s, err := r.beginWith(ctx, facts)
	if err != nil {
		return nil, false, err
	}
	defer s.close()
	facts.reads = s.snap.reads
	if !s.plan.asksModels {
		return facts, false, nil
	}
	first, err := s.prepare(ctx)
	if err != nil {
		return nil, false, err
	}
	// Our own code reads its files of the change once, so that they are in the snapshot.
	if _, err := s.withoutModels(ctx, first, true); err != nil {
		return nil, false, err
	}
	if *s.snap.config.Evidence.Checks {
		if facts.Failed, err = s.failedRuns(ctx); err != nil {
			r.say("the results of other checks are no evidence here: %v", err)
		}
	}
	if first.Settings.Looks > 0 {
		s.change.Collect(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if facts.Snapshot, err = s.change.Encode(); err != nil {
		return nil, false, fmt.Errorf("keep the change of #%d: %w", t.Number, err)
	}
	return facts, true, nil
}

// beginWith is begin for a job that writes nothing.
func (r *Runner) beginWith(ctx context.Context, facts *Facts) (*session, error) {
	job := *r
	job.Writer, job.facts = nil, facts
	return job.begin(ctx, facts.Trigger)
}

// Debated is a debate held by one job for another.
type Debated struct {
	Record  string // its path
	Replies []byte // of the parties, as a tape
	Waits   bool   // for tests
}

// Debate holds the collected debate up to its publication. With the record of a debate
// that waited for its tests it continues that one.
func (r *Runner) Debate(ctx context.Context, facts *Facts, waited Handed) (d Debated, err error) {
	s, err := r.beginWith(ctx, facts)
	if err != nil {
		return d, err
	}
	defer s.close()
	if !s.plan.asksModels {
		return d, errors.New("there is nothing to debate")
	}
	first, err := s.prepare(ctx)
	if err != nil {
		return d, err
	}
	replies := bytes.NewBuffer(slices.Clone(waited.Replies))
	recording, err := tape.Continue(replies, redact.New(s.review.Subject.Secrets, nil, nil).Text)
	if err != nil {
		return d, err
	}
	clients := make(map[string]engine.Client)
	for id, client := range s.review.Clients {
		clients[id] = recording.Client(id, client)
	}
	s.review.Clients = clients
	if len(waited.Entries) > 0 {
		s.handed = &waited
	}
	err = s.hold(ctx, first)
	d.Record, d.Waits = s.record, len(s.state.Waiting()) > 0
	if err == nil && !d.Waits {
		err = s.apply(ctx, lists.Keep(s.plan.happenings, func(h happening) bool { return h.dispute != nil && !waited.holds(h.event) }))
	}
	err = errors.Join(err, recording.Close())
	d.Replies = replies.Bytes()
	return d, err
}

// Test runs the tests of a waiting debate and returns their results. Archives reads the
// files of both sides.
func (r *Runner) Test(ctx context.Context, facts *Facts, entries []debate.Entry, archives *gh.Reader) ([]debate.TestResult, error) {
	state, err := debate.Fold(entries)
	if err != nil {
		return nil, fmt.Errorf("fold the record that was handed over: %w", err)
	}
	s, err := r.beginWith(ctx, facts)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if HeadOf(entries) != s.snap.Pull.HeadSHA {
		return nil, errors.New("the debate is about another head than the one that was collected")
	}
	if _, err := s.prepare(ctx); err != nil {
		return nil, err
	}
	s.change.ReadBy(archives)
	if s.tests.Runner == nil {
		r.say("%s", cmp.Or(s.tests.Note, "the settings name no command for tests"))
		return nil, nil
	}
	var results []debate.TestResult
	for _, t := range state.Waiting() {
		ran, why := s.tests.Runner.Test(ctx, debate.Look{Kind: debate.LookTest, Path: t.Path, Content: t.Content})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if ran == nil {
			r.say("a test is not run: %s", why)
			continue
		}
		results = append(results, debate.TestResult{Ref: ran.Ref, Outcomes: lists.Map(ran.Runs, func(one debate.SideRun) debate.TestOutcome { return one.Outcome })})
	}
	return results, nil
}

// Publish writes the result of a debate by another job. The record is empty if there was
// none to hold.
func (r *Runner) Publish(ctx context.Context, t Trigger, record Handed) (Result, error) {
	entries := record.Entries
	s, err := r.begin(ctx, t)
	if err != nil {
		return Result{Number: t.Number}, err
	}
	defer s.close()
	s.split = true
	canAnswer := func(a request) bool { return !a.plain || !a.is(comment.Ask) } // no model can be asked here
	s.plan.commands.asked = lists.Keep(s.plan.commands.asked, canAnswer)
	if s.snap.key == nil {
		s.plan.why = ""
		return s.result(), errors.New("this job has no key for the state in the summary, so that every run would forget the one before: give it the input state-key")
	}
	if len(entries) == 0 {
		if s.plan.asksModels {
			return s.leave("no debate about this commit was handed over; the next run holds it")
		}
		return s.perform(ctx)
	}
	if !s.plan.asksModels || HeadOf(entries) != s.snap.Pull.HeadSHA {
		if HeadOf(entries) == s.snap.Pull.HeadSHA && s.snap.sameChange() {
			return s.leave(publishedFirst)
		}
		return s.leave("the pull request has moved on since the debate: its result is not published")
	}
	s.handed = &record
	result, err := s.perform(ctx)
	if errors.Is(err, errClaimed) {
		return s.leave(publishedFirst)
	}
	return result, err
}

// publishedFirst is the reason not to publish a debate of separate jobs: they cannot
// claim the head before they ask models.
const publishedFirst = "another run published a review of this head first, which stays: this one is in its record alone"

// leave leaves everything as it is, and says why.
func (s *session) leave(why string) (Result, error) {
	s.runner.say("pull request #%d: %s", s.snap.Pull.Number, why)
	s.plan.why = why
	return s.result(), nil
}

// Handed is the output of other jobs: the record of a debate, the replies of its models
// as a tape, and the results of its tests.
type Handed struct {
	Entries []debate.Entry
	Replies []byte
	Results []debate.TestResult
}

// holds reports whether an event is in the record.
func (h Handed) holds(event debate.Event) bool {
	return slices.ContainsFunc(h.Entries, func(e debate.Entry) bool { return e.Event == event })
}

// frozenIn is the change of a record, the zero value if it has none yet.
func frozenIn(entries []debate.Entry) debate.Snapshotted {
	for _, e := range entries {
		if ev, is := e.Event.(debate.Snapshotted); is {
			return ev
		}
	}
	return debate.Snapshotted{}
}

// HeadOf is the head of a record, "" if it has none.
func HeadOf(entries []debate.Entry) string { return frozenIn(entries).HeadSHA }

// longestJob is the longest time of a job: no debate began earlier than that.
const longestJob = 6 * time.Hour

// takeOver goes on with a debate of another job, once it came out again from its replies.
func (s *session) takeOver(ctx context.Context, first debate.Received) error {
	began, ok := s.handed.Entries[0].Event.(debate.Received)
	if !ok {
		return errors.New("the record does not begin as a debate does")
	}
	replies, err := tape.Read(bytes.NewReader(s.handed.Replies))
	if err != nil {
		return fmt.Errorf("read the replies of the debate: %w", err)
	}
	want := expected(s.snap, first, began, s.plan.disputes)
	want.Results = s.handed.Results
	state, entries, err := s.review.Rebuild(ctx, want, s.handed.Entries, replies.Client("", nil))
	switch {
	case errors.As(err, new(*engine.ForgedError)):
		return fmt.Errorf("the debate cannot be held again: %w: it is forged, or the pull request has changed since, or the jobs of this run do not have the same operator-config and inputs", err)
	case err != nil:
		return fmt.Errorf("the debate cannot be held again: %w", err)
	case replies.Unplayed() != "":
		return fmt.Errorf("the debate cannot be held again: the reply to %q cannot be trusted: no party was asked for it", replies.Unplayed())
	}
	waits := len(state.Waiting()) > 0
	if waits && s.split {
		return errors.New("the debate waits for its tests: this workflow lacks the jobs that run them and go on with the debate (docs/three-jobs.md)")
	}
	if err := s.openRecord(began.SessionID); err != nil {
		return err
	}
	for _, e := range entries {
		if err := s.log.Append(e); err != nil {
			return err
		}
	}
	s.state = state
	var facts []debate.Event
	if waits {
		facts = append(facts, state.Believed(s.handed.Results))
	}
	s.state, err = s.review.Resume(ctx, entries, facts...)
	for _, d := range s.plan.disputes {
		if s.handed.holds(d.event) {
			s.outcomes.finish(*d.dispute, "", cameTo(s.snap, d.event, s.state))
		}
	}
	return err
}

// expected is the knowledge of this job about the record of another one. The record
// begins with the event handed.
func expected(s *Snapshot, first, handed debate.Received, disputes []happening) engine.Expected {
	want := engine.Expected{Received: first, Since: s.now.Add(-longestJob).UnixMilli()}
	want.Received.SessionID, want.Received.Seed = "", ""
	// The text of an issue at the time of the models cannot be read again once a stranger
	// edited it. It is evidence of nothing.
	want.Received.Anchor.Issue = handed.Anchor.Issue
	if s.config.Parties.Primary == nil { // the models followed from keys that this job does not have
		want.AnyParties = true
		want.Received.Settings.AllowSameFamily = handed.Settings.AllowSameFamily
	}
	want.Facts = lists.Map(disputes, func(d happening) debate.Event { return d.event })
	return want
}
