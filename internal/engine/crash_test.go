package engine

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestDebateCrashAnywhere stops a debate before each event of it, resumes it, and
// demands the same end. No ask whose reply is stored is made again.
func TestDebateCrashAnywhere(t *testing.T) {
	t.Parallel()
	whole, wantLog := newDebate(t, &table{answer: dispute})
	want, err := whole.Start(t.Context(), first())
	ended(t, want, wantLog, err)
	for n := 2; n <= len(wantLog.entries); n++ {
		r, log := newDebate(t, &table{answer: dispute})
		log.failAt = n
		if _, err := r.Start(t.Context(), first()); !errors.Is(err, errFull) {
			t.Fatalf("event %d: %v", n, err)
		}
		stored := repliesOf(log)
		p := &table{answer: dispute}
		again, _ := newDebate(t, p)
		log.failAt, again.Log = 0, log
		state, err := again.Resume(t.Context(), log.entries)
		ended(t, state, log, err)
		same(t, fmt.Sprintf("resumed at event %d", n), withoutOrder(want), withoutOrder(state))
		if got, all := len(p.made()), len(repliesOf(log)); got != all-len(stored) {
			t.Errorf("resumed at event %d: %d asks for the %d replies that were not stored", n, got, all-len(stored))
		}
		for id, ev := range repliesOf(log) {
			if ev.Status == "asked twice" {
				t.Errorf("resumed at event %d: %s was asked twice", n, id)
			}
		}
	}
}

// made lists what was asked, each ask as often as it was made.
func (p *table) made() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for key, times := range p.asked {
		for range times {
			all = append(all, key)
		}
	}
	sort.Strings(all)
	return all
}

// TestCrashBetweenRetries stops a debate around a reply that cannot be read: the
// retry is asked once, whenever the review stopped (R137).
func TestCrashBetweenRetries(t *testing.T) {
	t.Parallel()
	unreadable := func(_ context.Context, t turn, _ int) (string, error, bool) {
		return "no", nil, t.Envelope.Call == "CHALLENGE" && t.Envelope.Party == "gem" && len(t.Notice) == 0
	}
	whole, wantLog := newDebate(t, &table{answer: agree, before: unreadable})
	want, err := whole.Start(t.Context(), first())
	ended(t, want, wantLog, err)
	for n := 8; n <= 12; n++ {
		r, log := newDebate(t, &table{answer: agree, before: unreadable})
		log.failAt = n
		if _, err := r.Start(t.Context(), first()); !errors.Is(err, errFull) {
			t.Fatalf("event %d: %v", n, err)
		}
		p := &table{answer: agree, before: unreadable}
		again, _ := newDebate(t, p)
		stored := repliesOf(log)
		log.failAt, again.Log = 0, log
		state, err := again.Resume(t.Context(), log.entries)
		ended(t, state, log, err)
		replies := repliesOf(log)
		if replies["CHALLENGE/1/gem"].Status != debate.CallMalformed || replies["CHALLENGE/1/gem/format"].Status != debate.CallOK {
			t.Errorf("resumed at event %d: %v", n, keys(replies))
		}
		if len(p.made()) != len(replies)-len(stored) {
			t.Errorf("resumed at event %d: %d stored, %d in all, asked %v", n, len(stored), len(replies), p.made())
		}
		same(t, fmt.Sprintf("resumed at event %d", n), withoutOrder(want), withoutOrder(state))
	}
}

// TestResumeNextDay: the time between two runs counts for no budget. Only what
// was not stored is asked.
func TestResumeNextDay(t *testing.T) {
	t.Parallel()
	r, log := newDebate(t, &table{answer: dispute})
	log.failAt = 10 // of the replies to CHALLENGE the first is stored
	if _, err := r.Start(t.Context(), first()); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	p := &table{answer: dispute}
	again, _ := newDebate(t, p)
	log.failAt, again.Log = 0, log
	again.Now = func() int64 { return 3_600_000 }
	state, err := again.Resume(t.Context(), log.entries)
	ended(t, state, log, err)
	if len(p.made()) == 0 || state.Stage != debate.StageAwaitingHuman || state.Talk.Exit == debate.ExitBudget {
		t.Errorf("asked %v, stage %s, exit %s", p.made(), state.Stage, state.Talk.Exit)
	}
}
