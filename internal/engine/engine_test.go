package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/segment"
)

const change = `diff --git a/run.sh b/run.sh
--- a/run.sh
+++ b/run.sh
@@ -1,2 +1,3 @@
 #!/bin/sh
+token=hunter2 deploy
 exit
diff --git a/yarn.lock b/yarn.lock
--- a/yarn.lock
+++ b/yarn.lock
@@ -1 +1 @@
-a
+b
`

// memory is a log in memory that can fail at one event.
type memory struct {
	entries []debate.Entry
	failAt  int
}

var errFull = errors.New("disk full")

func (m *memory) Append(e debate.Entry) error {
	if e.N == m.failAt {
		return errFull
	}
	m.entries = append(m.entries, e)
	return nil
}

// frozenOf is a change that a review is about.
func frozenOf(diff string) Frozen {
	return Frozen{
		Event: debate.Snapshotted{Scope: "range:a..b", Hash: "h"},
		Change: patch.Change{
			Set:     patch.Parse([]byte(diff), nil),
			Blob:    func(string, debate.Side) ([]byte, bool) { return nil, false },
			BaseHas: func(string) bool { return false },
		},
		Attributes: []byte("yarn.lock linguist-generated\n"),
		Err:        func() error { return nil },
	}
}

// miscounted is the change with more lines in its first file than its hunks have.
func miscounted() Frozen {
	f := frozenOf(change)
	f.Change.Set.Files[0].Additions++
	return f
}

// secretHit cites the added line of the change and names what must not be shown.
func secretHit() debate.Hit {
	return debate.Hit{
		Rule: "secrets/x", Category: "security", Severity: debate.P1, Title: "leaks hunter2", Body: "hunter2 stands here",
		Cite:    debate.Citation{Path: "run.sh", Side: debate.Right, StartLine: 2, EndLine: 2, Quote: "token=hunter2 deploy"},
		Trigger: debate.TriggerSecurity, Redact: []string{"hunter2"},
	}
}

func newReview(t testing.TB, hits ...debate.Hit) (*Review, *memory) {
	t.Helper()
	rules, err := policy.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	log := &memory{}
	return &Review{
		Log: log,
		Subject: Subject{
			Frozen: frozenOf(change),
			Critic: func(patch.Change, func(string) bool, []segment.Proposal) Critique {
				return Critique{Hits: hits, Secrets: []string{"hunter2"}}
			},
			Rules: rules,
		},
		Publish: func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
			return []string{"test"}, nil, nil
		},
		Now: func() int64 { return 1 },
	}, log
}

func first() debate.Received {
	return debate.Received{
		Protocol: debate.ProtocolVersion, SessionID: "debate-20260102-030405-7", Seed: "00", Scope: "range:a..b",
		Mode: debate.Standard, Target: debate.TargetAuto, Settings: debate.Settings{Gate: debate.Advisory, FailOn: debate.FailNone, Opening: debate.OpenPosition},
	}
}

func TestReview(t *testing.T) {
	t.Parallel()
	r, log := newReview(t, secretHit())
	var skipped []string
	r.Subject.Critic = func(c patch.Change, skip func(string) bool, _ []segment.Proposal) Critique {
		for _, f := range c.Set.Files {
			if skip(f.Path()) {
				skipped = append(skipped, f.Path())
			}
		}
		return Critique{Hits: []debate.Hit{secretHit()}, Secrets: []string{"hunter2"}}
	}
	state := started(t, r, first())
	if state.Stage != debate.StageAwaitingHuman || state.Ending.Outcome != debate.DegradedLocal || state.Ending.Closing == nil {
		t.Errorf("stage %s, outcome %s, closed %v", state.Stage, state.Ending.Outcome, state.Ending.Closing != nil)
	}
	if diff := cmp.Diff([]string{"yarn.lock"}, skipped); diff != "" {
		t.Error(diff)
	}
	folded, err := debate.Fold(log.entries)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(state, folded); diff != "" {
		t.Errorf("the log folds to another state:\n%s", diff)
	}
	closed, err := state.Close()
	if err != nil || string(closed.Outcome) != string(state.Ending.Closing.Outcome) {
		t.Errorf("the recorded outcome is not that of the record (%v)", err)
	}
	if got := state.Book.Claims[0].Cite().Quote; got != "token=[redacted] deploy" {
		t.Errorf("quote %q", got)
	}
	for _, e := range log.entries {
		data, err := debate.EncodeEvent(e.Event)
		if err != nil || strings.Contains(string(data), "hunter2") {
			t.Errorf("event %d holds the secret (%v)", e.N, err)
		}
	}
}

// TestCitationIsChecked: a hit whose lines are not there is no finding and
// triggers nothing, whatever the critic says of it (A03).
func TestCitationIsChecked(t *testing.T) {
	t.Parallel()
	wrongLine, wrongText, noLine := secretHit(), secretHit(), secretHit()
	wrongLine.Cite.StartLine, wrongLine.Cite.EndLine = 1, 1
	wrongText.Cite.Quote = "token=hunter3 deploy"
	noLine.Cite.StartLine, noLine.Cite.EndLine = 0, 0
	elsewhere := secretHit()
	elsewhere.Cite.Path = "other.sh"
	r, _ := newReview(t, wrongLine, wrongText, noLine, elsewhere)
	state := started(t, r, first())
	for _, c := range state.Book.Claims {
		if c.Bucket != debate.Unresolved || c.Severity != debate.P2 {
			t.Errorf("%s is %s %s: %+v", c.ID, c.Severity, c.Bucket, c.Cite())
		}
	}
	if len(state.Book.Claims) != 4 || state.Agenda.AwaitsHuman() {
		t.Errorf("%d claims, awaits a human: %v", len(state.Book.Claims), state.Agenda.AwaitsHuman())
	}
}

// TestCrashAnywhere stops the review at every event, resumes it from what the log
// holds, and demands the log of a review that was never stopped.
func TestCrashAnywhere(t *testing.T) {
	t.Parallel()
	whole, want := newReview(t, secretHit())
	if _, err := whole.Start(t.Context(), first()); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= len(want.entries); n++ {
		r, log := newReview(t, secretHit())
		log.failAt = n
		if _, err := r.Start(t.Context(), first()); !errors.Is(err, errFull) {
			t.Fatalf("event %d: %v", n, err)
		}
		again, _ := newReview(t, secretHit())
		log.failAt, again.Log = 0, log
		var err error
		if n == 1 {
			_, err = again.Start(t.Context(), first())
		} else {
			_, err = again.Resume(t.Context(), log.entries)
		}
		if err != nil {
			t.Fatalf("resumed at event %d: %v", n, err)
		}
		if diff := cmp.Diff(want.entries, log.entries); diff != "" {
			t.Errorf("resumed at event %d:\n%s", n, diff)
		}
	}
}

// TestAClockThatGoesBack: the clock of a machine may be set back under a review. Its
// record never goes back, so that it folds, and the review comes to its end.
func TestAClockThatGoesBack(t *testing.T) {
	t.Parallel()
	r, log := newReview(t, secretHit())
	now := int64(1_700_000_000_000)
	r.Now = func() int64 { now -= 1000; return now }
	state, err := r.Start(t.Context(), first())
	if err != nil || state.Ending.Closing == nil {
		t.Fatalf("stage %s: %v", state.Stage, err)
	}
	for i, e := range log.entries {
		if i > 0 && e.At < log.entries[i-1].At {
			t.Errorf("event %d is at %d, the one before it at %d", e.N, e.At, log.entries[i-1].At)
		}
	}
	if _, err := debate.Fold(log.entries); err != nil {
		t.Error(err)
	}
}

func TestResumeRefusesAnotherChange(t *testing.T) {
	t.Parallel()
	r, log := newReview(t)
	log.failAt = 3
	if _, err := r.Start(t.Context(), first()); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	again, _ := newReview(t)
	again.Subject.Frozen.Event.Hash = "other"
	if _, err := again.Resume(t.Context(), log.entries); !errors.Is(err, ErrChanged) {
		t.Errorf("got %v", err)
	}
}

func TestWhatCannotBeReadIsNoCleanReview(t *testing.T) {
	t.Parallel()
	broken := errors.New("object 1234 is missing")
	r, _ := newReview(t)
	r.Subject.Frozen.Err = func() error { return broken }
	state, err := r.Start(t.Context(), first())
	if !errors.Is(err, broken) || state.Ending.Outcome != "" {
		t.Errorf("outcome %q, error %v", state.Ending.Outcome, err)
	}
}

// TestLedgerThatDoesNotAddUpAborts: a change whose parts do not sum to it is not
// reviewed at all.
func TestLedgerThatDoesNotAddUpAborts(t *testing.T) {
	t.Parallel()
	r, log := newReview(t)
	r.Subject.Frozen = miscounted()
	state, err := r.Start(t.Context(), first())
	if err != nil || state.Ending.Outcome != debate.Aborted || !strings.Contains(state.Ending.OutcomeReason.Words, "does not add up") {
		t.Errorf("outcome %q, reason %s, error %v", state.Ending.Outcome, state.Ending.OutcomeReason, err)
	}
	if state.Ending.Closing == nil || len(log.entries) != 4 {
		t.Errorf("closed %v after %d events", state.Ending.Closing != nil, len(log.entries))
	}
}

func TestFailedPublishIsNotPublished(t *testing.T) {
	t.Parallel()
	r, log := newReview(t)
	r.Publish = func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) { return nil, nil, errFull }
	state, err := r.Start(t.Context(), first())
	if !errors.Is(err, errFull) || state.Stage != debate.StagePublish {
		t.Errorf("stage %s, error %v", state.Stage, err)
	}
	if last := debate.KindOf(log.entries[len(log.entries)-1].Event); last != debate.KindChecked {
		t.Errorf("the last event is %s", last)
	}
}

func TestCancelledReviewStops(t *testing.T) {
	t.Parallel()
	r, log := newReview(t)
	ctx, cancel := context.WithCancel(t.Context())
	r.Tell = func(p Progress) {
		if p.Work.Kind == debate.DoCritique && !p.Done {
			cancel()
		}
	}
	if _, err := r.Start(ctx, first()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(log.entries) != 4 {
		t.Errorf("%d events: the step under way ends, no other begins", len(log.entries))
	}
}

func TestEmptyChangeIsSkipped(t *testing.T) {
	t.Parallel()
	r, _ := newReview(t)
	r.Subject.Frozen = frozenOf("")
	state, err := r.Start(t.Context(), first())
	if err != nil || state.Ending.Outcome != debate.Skipped || !strings.Contains(state.Ending.OutcomeReason.Words, "the change is empty") {
		t.Errorf("%s %q %v", state.Ending.Outcome, state.Ending.OutcomeReason, err)
	}
}

// TestBytesThatAreNoText: what is not UTF-8 reads the same in the review and in
// its record.
func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	hit := secretHit()
	hit.Cite.Path, hit.Cite.Quote, hit.Redact = "caf\xe9.sh", "token=hunter2 d\xe9j\xe0", nil
	r, log := newReview(t, hit)
	r.Subject.Frozen = frozenOf(strings.NewReplacer("run.sh", "caf\xe9.sh", "deploy", "d\xe9j\xe0").Replace(change))
	state := started(t, r, first())
	if len(state.Book.Claims) != 1 || !state.Book.Claims[0].Verified() {
		t.Fatalf("claims %+v", state.Book.Claims)
	}
	var read []debate.Entry
	for _, e := range log.entries {
		data, err := debate.EncodeEvent(e.Event)
		if err != nil {
			t.Fatal(err)
		}
		if e.Event, err = debate.DecodeEvent(debate.KindOf(e.Event), data); err != nil {
			t.Fatal(err)
		}
		read = append(read, e)
	}
	again, err := debate.Fold(read)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again, state); diff != "" {
		t.Error(diff)
	}
}
