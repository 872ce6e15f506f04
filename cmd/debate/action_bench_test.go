package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// BenchmarkAction measures the action on a first review, by the real clock: the requests to
// GitHub, how many of them wait for one another, and how long the review takes beyond the
// model calls that wait for one another. Beside those requests the design allows 0.5 s and a
// twentieth of their time.
func BenchmarkAction(b *testing.B) {
	for _, c := range []struct {
		files          int
		models, github time.Duration // for an answer
	}{
		{5, 0, 0},
		{5, 500 * time.Millisecond, 0},
		{5, 0, 120 * time.Millisecond},
		{40, 0, 0},
		{40, 0, 120 * time.Millisecond},
	} {
		const depth = 2 // model calls that wait for one another
		b.Run(fmt.Sprintf("%d files/models %v/GitHub %v", c.files, c.models, c.github), func(b *testing.B) {
			server := ghtest.New(b)
			repo := server.Repo("acme/app")
			repo.SetPermission("ada", ghtest.Write)
			repo.SetBranch("main", repo.Commit("", several(c.files, "*")))
			repo.SetBranch("change", repo.Change(repo.Branch("main"), several(c.files, "/")))
			minds := vendors(b, func(_ string, turn exectest.Turn, packet, _ string) string {
				time.Sleep(c.models)
				data, err := json.Marshal(exectest.Reply(turn, packet, "agree"))
				if err != nil {
					panic(err)
				}
				return string(data)
			})[:2]
			env := environment(minds)
			env["INPUT_GITHUB_TOKEN"], env["INPUT_STATE_KEY"] = server.JobToken(jobPermissions), stateKey
			dir := b.TempDir()
			var beyond, slack time.Duration
			var sent, deep int
			for i := 0; b.Loop(); i++ {
				p := repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Body: "It changes something.", Head: "change"})
				e := event{"pull_request", repo.Event("pull_request", "opened", ghtest.Happening{Pull: p})}
				system, out, err := process(server, filepath.Join(dir, fmt.Sprint(i)), e, env)
				if err != nil {
					b.Fatal(err)
				}
				began, at := time.Now(), server.Now()
				system.Now = func() time.Time { return at.Add(time.Since(began)) }
				system.Wait = waitReally
				far := &distant{RoundTripper: system.GitHub, latency: c.github}
				system.GitHub = far
				if code := cli.Main([]string{"action"}, system); code != 0 || len(summaries(p)) != 1 {
					b.Fatalf("exit code %d\n%s", code, out)
				}
				took := time.Since(began) - depth*c.models
				chain := far.chain()
				beyond, slack = beyond+took, slack+took-time.Duration(chain)*c.github
				sent, deep = sent+len(far.spans), deep+chain
				server.Advance(time.Since(began))
				p.Close("ada", "")
			}
			of := func(sum float64) float64 { return sum / float64(b.N) }
			b.ReportMetric(of(float64(sent)), "requests")
			b.ReportMetric(of(float64(deep)), "requests-deep")
			b.ReportMetric(of(float64(beyond.Milliseconds())), "ms-beyond-calls")
			b.ReportMetric(of(float64(slack.Milliseconds())), "ms-beyond-requests")
		})
	}
}

// distant is a GitHub that is far away. It notes when each request was under way.
type distant struct {
	http.RoundTripper
	latency time.Duration

	mu    sync.Mutex
	spans [][2]time.Time
}

func (d *distant) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	if err := waitReally(r.Context(), d.latency); err != nil {
		return nil, err
	}
	resp, err := d.RoundTripper.RoundTrip(r)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spans = append(d.spans, [2]time.Time{began, time.Now()})
	return resp, err
}

// chain is the largest number of requests that were made one after the other.
func (d *distant) chain() int {
	slices.SortFunc(d.spans, func(a, b [2]time.Time) int { return cmp.Or(a[1].Compare(b[1]), a[0].Compare(b[0])) })
	n, end := 0, time.Time{}
	for _, span := range d.spans {
		if !span[0].Before(end) {
			n, end = n+1, span[1]
		}
	}
	return n
}

// waitReally sleeps, or returns the cause of the context's end.
func waitReally(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
