package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
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
		Access: make(map[string]Allowed), Files: make(map[string]map[string][]byte),
	}
	g := &gatherer{hub: r.Hub, facts: facts}
	job := *r
	job.Hub, job.assume = g, true
	s, c, _, err := job.begin(ctx, t)
	if s != nil && s.setup.Close != nil {
		defer s.setup.Close()
	}
	if err != nil {
		return nil, false, err
	}
	if !s.asksModels(c) {
		return facts, false, nil
	}
	first, err := s.prepare(ctx, c)
	if err != nil {
		return nil, false, err
	}
	// What our own code reads of the change is read once without any party, so that
	// all of it is in the snapshot.
	dry := s.setup.Review()
	dry.Participants, dry.Clients = nil, nil
	dry.Log, dry.Source, dry.PullRequest, dry.Checks = &forgotten{}, s.review.Source, s.review.PullRequest, s.checks
	if _, err := dry.Start(ctx, first); err != nil {
		return nil, false, fmt.Errorf("read the change of #%d: %w", t.Number, err)
	}
	if _, err := s.checks(ctx); err != nil {
		return nil, false, err
	}
	if facts.Snapshot, err = g.snapshot.Encode(); err != nil {
		return nil, false, fmt.Errorf("keep the change of #%d: %w", t.Number, err)
	}
	return facts, true, nil
}

// forgotten is a log that nobody reads.
type forgotten struct{}

func (forgotten) Append(debate.Entry) error { return nil }

// Debate holds the debate that was collected, up to where it would be published.
// It returns the path of its record.
func (r *Runner) Debate(ctx context.Context, facts *Facts) (record string, err error) {
	job := *r
	job.Hub, job.assume = told{facts: facts}, true
	s, c, answers, err := job.begin(ctx, facts.Trigger)
	if s != nil && s.setup.Close != nil {
		defer s.setup.Close()
	}
	if err != nil {
		return "", err
	}
	if !s.asksModels(c) {
		return "", errors.New("there is nothing to debate")
	}
	first, err := s.prepare(ctx, c)
	if err != nil {
		return "", err
	}
	s.review.Publish, s.review.Look, s.review.Entered = nil, nil, nil
	if err := s.hold(ctx, first); err != nil {
		return s.record, err
	}
	defer s.log.Close()
	if c == recalled {
		return s.record, s.apply(ctx, s.disputed(answers))
	}
	return s.record, nil
}

// disputed are the disputes among what happened: only they ask models.
func (s *session) disputed(answers []answer) []fact {
	return keep(s.facts(answers), func(f fact) bool { _, is := f.event.(debate.Disputed); return is })
}

// Publish writes what a debate came to that another job held. Entries is its
// record, nil where none was to be held.
func (r *Runner) Publish(ctx context.Context, t Trigger, entries []debate.Entry) (Result, error) {
	s, c, answers, err := r.begin(ctx, t)
	if s != nil && s.setup.Close != nil {
		defer s.setup.Close()
	}
	if err != nil {
		return Result{Number: t.Number}, err
	}
	s.split = true
	if s.setup.Key == nil {
		return s.result(""), errors.New("this job has no key for the state in the summary, so that every run would forget the one before: give it the input state-key")
	}
	switch {
	case len(entries) == 0 && s.asksModels(c):
		why := "no debate about this head was handed over; the next run holds it"
		r.say("pull request #%d: %s", t.Number, why)
		return s.result(why), nil
	case len(entries) == 0:
		return s.end(ctx, c, answers)
	}
	first, ok := entries[0].Event.(debate.Received)
	if !ok {
		return s.result(""), errors.New("the record does not begin as a debate does")
	}
	if !s.asksModels(c) || s.headOf(entries) != s.pull.HeadSHA {
		why := "the pull request has moved on since the debate: its result is not published"
		r.say("pull request #%d: %s", t.Number, why)
		return s.result(why), nil
	}
	s.handed = &handed{entries: entries, first: first}
	return s.end(ctx, c, answers)
}

// handed is a record from another job.
type handed struct {
	entries []debate.Entry
	first   debate.Received
}

func (s *session) headOf(entries []debate.Entry) string {
	for _, e := range entries {
		if ev, is := e.Event.(debate.Snapshotted); is {
			return ev.HeadSHA
		}
	}
	return ""
}

// longestJob is how long a job may take: a debate began no earlier than that.
const longestJob = 6 * time.Hour

// takeOver goes on with a record from another job, once all of it that can be
// computed again was (T73).
func (s *session) takeOver(ctx context.Context, first debate.Received) error {
	h := s.handed
	want := engine.Expected{Received: first, Since: s.now.Add(-longestJob).UnixMilli()}
	want.Received.SessionID, want.Received.Seed = "", ""
	if s.setup.Config.Parties.Primary == nil { // who takes part followed from keys that this job does not have
		want.Parties = func([]debate.Party) error { return nil }
		want.Received.Settings.AllowSameFamily = h.first.Settings.AllowSameFamily
	}
	for _, d := range s.disputes(&s.memo, s.wishes) {
		want.Facts = append(want.Facts, d.event)
	}
	state, err := s.review.Verify(ctx, want, h.entries)
	var forged *engine.ForgedError
	if errors.As(err, &forged) && forged.N == 1 {
		return fmt.Errorf("the record of the debate cannot be used: %w: it is forged, or the pull request has changed since, or the jobs of this run do not have the same operator-config and inputs", err)
	}
	if err != nil {
		return fmt.Errorf("the record of the debate cannot be used: %w", err)
	}
	log, path, err := s.runner.Record(h.first.SessionID)
	if err != nil {
		return err
	}
	s.log, s.record = &kept{Log: log, session: h.first.SessionID}, path
	for _, e := range h.entries {
		if err := s.log.Append(e); err != nil {
			return err
		}
	}
	s.review.Log, s.state = s.log, state
	s.state, err = s.review.Resume(ctx, s.log.entries)
	for _, d := range s.disputes(&s.memo, s.wishes) {
		if slices.ContainsFunc(h.entries, func(e debate.Entry) bool { return e.Event == debate.Event(d.event) }) {
			s.finish(d.request, "", s.cameTo(d))
		}
	}
	return err
}

// asksModels reports whether a course may ask models, so that it needs a job with
// their keys.
func (s *session) asksModels(c course) bool {
	switch c {
	case fresh:
		return !s.stranger() || s.wishes.run != nil
	case recalled:
		return len(s.disputes(&s.memo, s.wishes)) > 0
	}
	return false
}
