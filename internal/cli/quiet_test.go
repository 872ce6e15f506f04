package cli

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
)

// locked is a buffer that two goroutines may use.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestWaitInALog: every 30 s a log names the models that are waited for, once each and
// only if they take long.
func TestWaitInALog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out locked
		env := Env{Stderr: &out, Now: time.Now, Wait: gh.Sleep, Width: func(io.Writer) (int, bool) { return 0, false }}
		r := &run{Env: env, ctx: t.Context()}
		review := &engine.Review{}
		r.watch(debateRun{review: review}, nil)
		first, second, third := debate.Ask{ID: "1", Party: "gpt"}, debate.Ask{ID: "2", Party: "gpt"}, debate.Ask{ID: "3", Party: "claude"}
		review.Tell(calls(first))
		review.Tell(calls(second))
		time.Sleep(32 * time.Second) // the log looks at 1, 31, 61 and 91 s: a call that it sees twice is slow
		if said := out.String(); said != "debate: still waiting for gpt\n" {
			t.Errorf("after half a minute it says %q", said)
		}
		time.Sleep(8 * time.Second)
		review.Tell(calls(third))
		time.Sleep(45 * time.Second)
		review.Tell(answers(first, 80, 0))
		review.Tell(answers(second, 80, 0))
		time.Sleep(10 * time.Second)
		r.unwatch()
		said := out.String()
		if !strings.Contains(said, "debate: still waiting for gpt\n") || !strings.Contains(said, "debate: still waiting for claude\n") || strings.Count(said, "waiting") != 3 {
			t.Errorf("it says %q", said)
		}
	})
}

// TestQuickReviewIsQuiet: a review that is over within a second says nothing of its steps;
// a longer one says all of them.
func TestQuickReviewIsQuiet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		takes time.Duration
		says  bool
	}{{"under a second", 900 * time.Millisecond, false}, {"over a second", 1100 * time.Millisecond, true}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out locked
				env := Env{Stderr: &out, Now: time.Now, Wait: gh.Sleep, Width: func(io.Writer) (int, bool) { return 0, false }}
				r := &run{Env: env, ctx: t.Context()}
				review := &engine.Review{}
				r.watch(debateRun{review: review}, nil)
				review.Tell(engine.Progress{Done: true, Event: debate.Critiqued{}})
				time.Sleep(tt.takes)
				synctest.Wait()
				r.unwatch()
				if said := strings.Contains(out.String(), "built-in rules"); said != tt.says {
					t.Errorf("it says %q", out.String())
				}
			})
		})
	}
}
