package meter

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// scraped is what Prometheus reads, but for what the Go runtime and the process say of
// themselves.
func scraped(t *testing.T, m *Meter, read func(context.Context) (Backlog, error)) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler(read).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	var kept []string
	runtime := 0
	for line := range strings.Lines(w.Body.String()) {
		name := strings.TrimPrefix(strings.TrimPrefix(line, "# HELP "), "# TYPE ")
		if strings.HasPrefix(name, "go_") || strings.HasPrefix(name, "process_") {
			runtime++
			continue
		}
		kept = append(kept, line)
	}
	if runtime == 0 {
		t.Error("nothing of the runtime")
	}
	return strings.Join(kept, "")
}

func empty(context.Context) (Backlog, error) { return Backlog{}, nil }

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := New("v1.2.3")
	m.Delivery("pull_request", Accepted, 12*time.Millisecond)
	m.Delivery("pull_request", Duplicate, 3*time.Millisecond)
	m.Delivery("star", Ignored, time.Millisecond)
	m.Job(Done, 90*time.Second)
	m.Job(Parked, 2*time.Second)
	m.Review(debate.Consensus)
	m.Review("MADE UP")
	m.Call("claude-sonnet", true, debate.Usage{TokensIn: 1200, TokensCached: 1000, TokensOut: 90, CostMicro: 12_345})
	m.Call("claude-sonnet", false, debate.Usage{})
	m.Call("gpt", true, debate.Usage{TokensIn: 10, TokensOut: 5, CostUnknown: true})
	m.Budget(77, "core", 4900)
	got := scraped(t, m, func(context.Context) (Backlog, error) {
		return Backlog{Open: 3, Oldest: 90 * time.Second, Parked: 1, Decisions: 2, Longest: 3 * time.Hour}, nil
	})
	golden.Same(t, "testdata/metrics.txt", got)
	problems, err := promlint.New(strings.NewReader(got)).Lint()
	if err != nil || len(problems) > 0 {
		t.Error("against the conventions of Prometheus:", problems, err)
	}
}

func TestDatabaseDown(t *testing.T) {
	t.Parallel()
	got := scraped(t, New("v1"), func(ctx context.Context) (Backlog, error) {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("the database may be waited for without end")
		}
		return Backlog{Open: 7}, errors.New("disk full")
	})
	if !strings.Contains(got, "\ndebate_database_up 0\n") || strings.Contains(got, "debate_queue") || strings.Contains(got, "disk full") {
		t.Error(got)
	}
}

// TestLabelsAreBounded: whatever comes from outside, the number of rows stays small and
// none of its text is shown.
func TestLabelsAreBounded(t *testing.T) {
	t.Parallel()
	m := New("v1")
	m.Call("claude-sonnet", true, debate.Usage{})
	for i := range 3 * MaxModels {
		m.Call(fmt.Sprintf("model-%d", i), true, debate.Usage{})
		m.Call(fmt.Sprintf("acme secret\n%d", i), true, debate.Usage{})
		m.Call(strings.Repeat("x", 81), true, debate.Usage{})
		m.Delivery(fmt.Sprintf("hostile_%d", i), DeliveryResult(fmt.Sprint("hostile", i)), 0)
		m.Job(JobResult(fmt.Sprint("hostile", i)), 0)
		m.Review(debate.Outcome(fmt.Sprint("hostile", i)))
	}
	for i := range int64(2 * MaxInstallations) {
		m.Budget(i, fmt.Sprint("hostile", i), 1)
	}
	m.Call("claude-sonnet", true, debate.Usage{TokensIn: -5, TokensOut: -1, CostMicro: -1}) // a counter never falls
	got := scraped(t, m, empty)
	if strings.Contains(got, "hostile") || strings.Contains(got, "acme") || strings.Contains(got, "xxx") {
		t.Error("text from outside is a label")
	}
	if n := strings.Count(got, "\ndebate_model_calls_total{"); n != MaxModels+1 {
		t.Errorf("%d models", n)
	}
	if n := strings.Count(got, "\ndebate_github_requests_remaining{"); n != MaxInstallations {
		t.Errorf("%d installations", n)
	}
	for _, want := range []string{
		`debate_model_calls_total{model="claude-sonnet",result="ok"} 2`, `debate_deliveries_total{event="other",result="other"} 120`,
		`debate_jobs_total{result="other"} 120`, `debate_reviews_total{outcome="other"} 120`,
	} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	m := New("v1")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for range 50 {
				m.Call(fmt.Sprint("model-", i), true, debate.Usage{TokensIn: 1})
				m.Budget(int64(i), "core", i)
			}
		})
	}
	wait.Wait()
	got := scraped(t, m, empty)
	for i := range 8 {
		if want := fmt.Sprintf("\ndebate_model_calls_total{model=\"model-%d\",result=\"ok\"} 50\n", i); !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
}
