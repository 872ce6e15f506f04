package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// BenchmarkAction measures the action on a first review of five files, by the real
// clock: how long it takes, and how long beyond the model calls that wait for one
// another. The design allows 0.5 s where models take no time, and else a twentieth of
// the calls and 0.4 s.
func BenchmarkAction(b *testing.B) {
	for _, c := range []struct {
		name, text string
		latency    time.Duration
		depth      time.Duration // calls that wait for one another
	}{
		{"agreed/at once", "/", 0, 2},
		{"agreed/500 ms", "/", 500 * time.Millisecond, 2},
	} {
		b.Run(c.name, func(b *testing.B) {
			server := ghtest.New(b)
			repo := server.Repo("acme/app")
			repo.SetPermission("ada", ghtest.Write)
			repo.SetBranch("main", repo.Commit("", several(5, "*")))
			repo.SetBranch("change", repo.Change(repo.Branch("main"), several(5, c.text)))
			minds := vendors(b, func(_ string, turn exectest.Turn, packet, _ string) string {
				time.Sleep(c.latency)
				data, err := json.Marshal(exectest.Reply(turn, packet, "agree"))
				if err != nil {
					panic(err)
				}
				return string(data)
			})[:2]
			env := environment(minds)
			env["INPUT_GITHUB_TOKEN"], env["INPUT_STATE_KEY"] = server.JobToken(jobPermissions), stateKey
			dir := b.TempDir()
			var beyond time.Duration
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
				if code := cli.Main([]string{"action"}, system); code != 0 || len(summaries(p)) != 1 {
					b.Fatalf("exit code %d\n%s", code, out)
				}
				beyond += time.Since(began) - c.depth*c.latency
				server.Advance(time.Since(began))
				p.Close("ada", "")
			}
			b.ReportMetric(float64(beyond.Milliseconds())/float64(b.N), "ms-beyond-calls")
		})
	}
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
