package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// The load of BenchmarkServe.
const (
	loadRate   = 200 // deliveries a second
	loadPulls  = 40  // pull requests that they are about
	loadAtOnce = 64  // deliveries on their way where there is no pace
)

// BenchmarkServe delivers signed webhooks to a process of debate serve, which reviews what
// they are about meanwhile, without a model: at a steady pace, of which the delays matter,
// and as many at once as it takes, of which the number matters. Each delivery that was
// answered has to be in the database then. "-benchtime 12000x" is a minute of the pace.
func BenchmarkServe(b *testing.B) {
	for name, fresh := range map[string]func(testing.TB) string{"sqlite": databasetest.SQLite, "postgres": databasetest.Postgres} {
		b.Run(name+"/paced", func(b *testing.B) {
			pace := time.NewTicker(time.Second / loadRate)
			defer pace.Stop()
			deliverMany(b, fresh(b), func(one func()) {
				<-pace.C
				go one()
			})
		})
		b.Run(name+"/at once", func(b *testing.B) {
			callers := make(chan struct{}, loadAtOnce)
			deliverMany(b, fresh(b), func(one func()) {
				callers <- struct{}{}
				go func() {
					one()
					<-callers
				}()
			})
		})
	}
}

// loaded is a server under load.
type loaded struct {
	*killable
	installation int64
	payloads     [][]byte
	client       *http.Client
	accepted     atomic.Int64
}

// deliverMany delivers b.N webhooks, each as start lets it, and reports how long the
// answers took.
func deliverMany(b *testing.B, url string, start func(one func())) {
	l := loadedServer(b, url)
	l.openPulls()
	took := make([]time.Duration, b.N)
	var all sync.WaitGroup
	b.ResetTimer()
	for i := range b.N {
		all.Add(1)
		start(func() {
			defer all.Done()
			began := time.Now()
			l.deliver(b, i)
			took[i] = time.Since(began)
		})
	}
	all.Wait()
	b.StopTimer()
	slices.Sort(took)
	at := func(part float64) float64 { return float64(took[int(part*float64(len(took)-1))].Microseconds()) / 1000 }
	b.ReportMetric(at(0.5), "ms/p50")
	b.ReportMetric(at(0.99), "ms/p99")
	b.ReportMetric(at(1), "ms/max")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
	within := l.metric(b, `debate_delivery_duration_seconds_bucket{le="0.1"}`) / l.metric(b, "debate_delivery_duration_seconds_count")
	b.ReportMetric(100*within, "%-within-100ms-by-its-own-clock")
	l.confirm(b, url)
}

// loadedServer starts a server whose App is installed for a repository.
func loadedServer(b *testing.B, url string) *loaded {
	ta := begin(b)
	ta.server.SetNow(time.Now)
	ta.providers = nil // no key: nothing but the rules reads the changes
	app := ta.server.NewApp(ghtest.NewApp{Name: "Debate", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	in := app.Install("acme")
	in.SetLimit(1 << 30) // that of GitHub is another matter
	l := &loaded{installation: in.ID, killable: &killable{tale: ta, app: app, database: url, node: "one", program: likeThis(b, filepath.Join(ta.dir, "debate-server"))}, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * loadAtOnce}}}
	l.start(b)
	b.Cleanup(func() { l.kill(b) })
	return l
}

// openPulls opens the pull requests that are told of, and tells of none yet.
func (l *loaded) openPulls() {
	for n := range loadPulls {
		branch := fmt.Sprint("change-", n)
		l.repo.SetBranch(branch, l.repo.Change(l.repo.Branch("main"), map[string]string{"count.go": weigh + fmt.Sprintf("\n// change %d\n", n)}))
		l.pull = l.repo.OpenPull("ada", ghtest.NewPull{Title: fmt.Sprint("Weigh items, try ", n), Head: branch})
		payload := l.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: l.pull, Before: l.repo.Branch("main")})
		l.payloads = append(l.payloads, bytes.Replace(payload, []byte("{"), fmt.Appendf(nil, `{"installation": {"id": %d}, `, l.installation), 1))
	}
}

// deliver delivers the webhook of a number. No two have the same content.
func (l *loaded) deliver(b *testing.B, n int) {
	body := bytes.Replace(l.payloads[n%len(l.payloads)], []byte("{"), fmt.Appendf(nil, `{"n": %d, `, n), 1)
	r, err := http.NewRequest(http.MethodPost, l.app.Hook(), bytes.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", "pull_request")
	r.Header.Set("X-GitHub-Delivery", deliveryOf(n))
	r.Header.Set("X-Hub-Signature-256", ghtest.Sign(l.app.WebhookSecret, body))
	resp, err := l.client.Do(r)
	if err != nil {
		b.Error(err)
		return
	}
	defer resp.Body.Close()
	if said, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusAccepted || string(said) != "accepted\n" {
		b.Errorf("delivery %d: %s, %q, %v", n, resp.Status, said, err)
		return
	}
	l.accepted.Add(1)
}

func deliveryOf(n int) string { return fmt.Sprintf("load-%d", n) }

// confirm fails where an answered delivery is not in the database, or its work is not done
// in the end.
func (l *loaded) confirm(b *testing.B, url string) {
	db, err := database.Open(b.Context(), url, database.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for n := range b.N {
		if known, err := db.Delivered(b.Context(), deliveryOf(n)); err != nil || !known {
			b.Fatalf("delivery %d was answered and is lost: %v", n, err)
		}
	}
	l.finish(b, db)
	if parked, err := db.Tasks(b.Context(), database.TaskFilter{Parked: true}); err != nil || len(parked) > 0 {
		b.Errorf("given up: %+v, %v", parked, err)
	}
	if n := l.accepted.Load(); n != int64(b.N) {
		b.Errorf("%d of %d deliveries were accepted", n, b.N)
	}
}
