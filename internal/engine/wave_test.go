package engine

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// TestTimeouts: a party that hangs costs its deadline, not the debate.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &table{answer: dispute, delay: func(t turn) time.Duration {
			if t.Envelope.Party == "qwen" {
				return time.Hour
			}
			return time.Second
		}}
		r, log := newDebate(t, p)
		began := time.Now()
		r.Now = func() int64 { return time.Now().UnixMilli() }
		state, err := r.Start(t.Context(), first())
		ended(t, state, log, err)
		if got := repliesOf(log)["CHALLENGE/1/qwen"]; got.Status != debate.CallTimeout || got.Ended-got.Started != 300_000 {
			t.Errorf("%+v", got)
		}
		if took := time.Since(began); took > 20*time.Minute {
			t.Errorf("the debate took %s", took)
		}
	})
}

// TestRetryStartsAtOnce: a reply that cannot be read is asked for again while
// other calls of its wave still run.
func TestRetryStartsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &table{
			answer: agree,
			delay: func(t turn) time.Duration {
				if t.Envelope.Party == "qwen" {
					return time.Minute
				}
				return time.Second
			},
			before: func(_ context.Context, t turn, times int) (string, error, bool) {
				return "no", nil, t.Envelope.Call == "CHALLENGE" && t.Envelope.Party == "gem" && times == 1
			},
		}
		r, log := newDebate(t, p)
		r.Now = func() int64 { return time.Now().UnixMilli() }
		state, err := r.Start(t.Context(), first())
		ended(t, state, log, err)
		replies := repliesOf(log)
		gem, retry, qwen := replies["CHALLENGE/1/gem"], replies["CHALLENGE/1/gem/format"], replies["CHALLENGE/1/qwen"]
		if retry.Status != debate.CallOK || retry.Started != gem.Ended || retry.Ended >= qwen.Ended || qwen.Started != gem.Started {
			t.Errorf("gem %+v\nretry %+v\nqwen %+v", gem, retry, qwen)
		}
	})
}

// TestBudgetOfTime: when the time is used up nothing more is asked, and what
// there is gets published.
func TestBudgetOfTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, log := newDebate(t, &table{answer: dispute, delay: func(turn) time.Duration { return 100 * time.Second }})
		r.Now = func() int64 { return time.Now().UnixMilli() }
		published := time.Time{}
		r.Publish = func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
			published = time.Now()
			return []string{"test"}, nil, nil
		}
		began := time.Now()
		in := first()
		in.Settings.BudgetMinutes = 8
		state, err := r.Start(t.Context(), in)
		ended(t, state, log, err)
		if state.Talk.Exit != debate.ExitBudget || published.Sub(began) > 7*time.Minute {
			t.Errorf("exit %s, published after %s", state.Talk.Exit, published.Sub(began))
		}
		for id, ev := range repliesOf(log) {
			if ev.Ended > began.Add(7*time.Minute).UnixMilli() {
				t.Errorf("%s ended %d ms after the start", id, ev.Ended-began.UnixMilli())
			}
		}
	})
}

// TestCancelInTheMiddle: a review that is interrupted stops its calls, records
// nothing of them, and can be gone on with.
func TestCancelInTheMiddle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &table{answer: dispute, delay: func(turn) time.Duration { return time.Minute }}
		r, log := newDebate(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(90*time.Second, cancel) // while CHALLENGE runs
		began := time.Now()
		if _, err := r.Start(ctx, first()); !errors.Is(err, context.Canceled) || time.Since(began) != 90*time.Second {
			t.Fatalf("after %s: %v", time.Since(began), err)
		}
		if got := keys(repliesOf(log)); !slices.Equal(got, []string{"OPEN/0/gpt"}) {
			t.Errorf("recorded: %v", got)
		}
		again, _ := newDebate(t, &table{answer: dispute})
		again.Log = log
		state, err := again.Resume(t.Context(), log.entries)
		ended(t, state, log, err)
	})
}

// TestCancelledClientThatHangs holds nobody up for long.
func TestCancelledClientThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, _ := newDebate(t, nil)
		hangs := clientFunc(func(context.Context, model.Request) (model.Response, error) {
			time.Sleep(time.Hour)
			return model.Response{}, nil
		})
		r.Clients = map[string]Client{"gpt": hangs}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := r.Start(ctx, first()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Second+grace {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		time.Sleep(time.Hour)
	})
}
