package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/lists"
)

// A run may be three jobs, so that no job has both a token that writes and what
// strangers wrote to models, and none that talks to models has a token at all:
//
//	Collect   reads GitHub; no key of a model, no key of the state
//	Debate    asks the models; no token
//	Publish   writes on GitHub; believes of the record what it can compute again

// Collect reads what a debate needs. Debate is false where no model is to be
// asked, so that Publish can do the rest alone.
func (r *Runner) Collect(ctx context.Context, t Trigger) (facts *Facts, ask bool, err error) {
	facts = &Facts{
		Version: factsVersion, Trigger: t, At: r.Now().UnixMilli(),
		Access: make(map[string]Allowed), Files: make(map[string]map[string][]byte), Large: make(map[string]map[string]int),
	}
	keeper := &factsKeeper{Reader: r.Reader, facts: facts}
	job := *r
	job.Reader, job.Writer, job.assume = keeper, nil, true
	s, err := job.begin(ctx, t)
	if err != nil {
		return nil, false, err
	}
	defer s.close()
	if !s.plan.asksModels {
		return facts, false, nil
	}
	first, err := s.hearing.prepare(ctx)
	if err != nil {
		return nil, false, err
	}
	// What our own code reads of the change is read once, so that all of it is in the
	// snapshot.
	if _, err := s.hearing.withoutModels(ctx, first, true); err != nil {
		return nil, false, err
	}
	if _, err := s.hearing.evidence(ctx); err != nil {
		return nil, false, err
	}
	if first.Settings.Looks > 0 {
		keeper.change.Collect(ctx)
	}
	if facts.Snapshot, err = keeper.change.Encode(); err != nil {
		return nil, false, fmt.Errorf("keep the change of #%d: %w", t.Number, err)
	}
	return facts, true, nil
}

// Debate holds the debate that was collected, up to where it would be published.
// It returns the path of its record.
func (r *Runner) Debate(ctx context.Context, facts *Facts) (record string, err error) {
	job := *r
	job.Reader, job.Writer, job.assume = factsReader{facts: facts}, nil, true
	s, err := job.begin(ctx, facts.Trigger)
	if err != nil {
		return "", err
	}
	defer s.close()
	if !s.plan.asksModels {
		return "", errors.New("there is nothing to debate")
	}
	first, err := s.hearing.prepare(ctx)
	if err != nil {
		return "", err
	}
	if err := s.hold(ctx, first); err != nil {
		return s.hearing.record, err
	}
	return s.hearing.record, s.apply(ctx, disputeOnly(s.plan.happenings))
}

// Publish writes what a debate came to that another job held. Entries is its
// record, nil where none was to be held.
func (r *Runner) Publish(ctx context.Context, t Trigger, entries []debate.Entry) (Result, error) {
	s, err := r.begin(ctx, t)
	if err != nil {
		return Result{Number: t.Number}, err
	}
	defer s.close()
	s.split = true
	if s.snap.key == nil {
		s.plan.why = ""
		return s.result(), errors.New("this job has no key for the state in the summary, so that every run would forget the one before: give it the input state-key")
	}
	if len(entries) == 0 {
		if s.plan.asksModels {
			return s.leave("no debate about this head was handed over; the next run holds it")
		}
		return s.perform(ctx)
	}
	first, ok := entries[0].Event.(debate.Received)
	if !ok {
		s.plan.why = ""
		return s.result(), errors.New("the record does not begin as a debate does")
	}
	if !s.plan.asksModels || HeadOf(entries) != s.snap.pull.HeadSHA {
		return s.leave(unpublished(s.snap, HeadOf(entries)))
	}
	s.handed = &handed{entries: entries, first: first}
	result, err := s.perform(ctx)
	if errors.Is(err, errClaimed) {
		return s.leave(publishedFirst)
	}
	return result, err
}

// publishedFirst is why a debate is not published that jobs of their own held: they
// cannot claim the head before they ask models.
const publishedFirst = "another run published a review of this head first, which stays: this one is in its record alone"

// unpublished says why a debate about a head is not published.
func unpublished(s *Snapshot, head string) string {
	if head == s.pull.HeadSHA && s.sameChange() {
		return publishedFirst
	}
	return "the pull request has moved on since the debate: its result is not published"
}

// leave leaves everything as it is, and says why.
func (s *session) leave(why string) (Result, error) {
	s.runner.say("pull request #%d: %s", s.snap.pull.Number, why)
	s.plan.why = why
	return s.result(), nil
}

// handed is a record from another job.
type handed struct {
	entries []debate.Entry
	first   debate.Received
}

// holds reports whether an event is in the record.
func (h *handed) holds(event debate.Event) bool {
	return slices.ContainsFunc(h.entries, func(e debate.Entry) bool { return e.Event == event })
}

// frozenIn is the change that a record is about, the zero value before it was frozen.
func frozenIn(entries []debate.Entry) debate.Snapshotted {
	for _, e := range entries {
		if ev, is := e.Event.(debate.Snapshotted); is {
			return ev
		}
	}
	return debate.Snapshotted{}
}

// HeadOf is the head that a debate is about, "" for one that came to none.
func HeadOf(entries []debate.Entry) string { return frozenIn(entries).HeadSHA }

// longestJob is how long a job may take: a debate began no earlier than that.
const longestJob = 6 * time.Hour

// takeOver goes on with a record from another job, once all of it that can be
// computed again was.
func (s *session) takeOver(ctx context.Context, first debate.Received) error {
	state, err := s.hearing.review.Verify(ctx, expected(s.snap, first, s.handed.first, s.plan.disputes), s.handed.entries)
	var forged *engine.ForgedError
	if errors.As(err, &forged) && forged.N == 1 {
		return fmt.Errorf("the record of the debate cannot be used: %w: it is forged, or the pull request has changed since, or the jobs of this run do not have the same operator-config and inputs", err)
	}
	if err != nil {
		return fmt.Errorf("the record of the debate cannot be used: %w", err)
	}
	if err := s.openRecord(s.handed.first.SessionID); err != nil {
		return err
	}
	for _, e := range s.handed.entries {
		if err := s.hearing.log.Append(e); err != nil {
			return err
		}
	}
	s.state = state
	s.state, err = s.hearing.review.Resume(ctx, s.hearing.log.entries)
	for _, d := range s.plan.disputes {
		if s.handed.holds(d.event) {
			s.outcomes.finish(d.request, "", cameTo(s.snap, d, s.state))
		}
	}
	return err
}

// expected is what the record of another job has to begin with, and what may happen in it:
// how it does begin is handed.
func expected(s *Snapshot, first, handed debate.Received, disputes []dispute) engine.Expected {
	want := engine.Expected{Received: first, Since: s.now.Add(-longestJob).UnixMilli()}
	want.Received.SessionID, want.Received.Seed = "", ""
	// What an issue said when the models were asked cannot be read again once a stranger
	// edited it, and is evidence of nothing.
	want.Received.Anchor.Issue = handed.Anchor.Issue
	if s.config.Parties.Primary == nil { // who takes part followed from keys that this job does not have
		want.Parties = func([]debate.Party) error { return nil }
		want.Received.Settings.AllowSameFamily = handed.Settings.AllowSameFamily
	}
	want.Facts = lists.Map(disputes, func(d dispute) debate.Event { return d.event })
	return want
}
