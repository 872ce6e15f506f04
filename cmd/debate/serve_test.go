package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// appServer is an App: debate serve in this process, on a repository of its own.
type appServer struct {
	*tale
	app       *ghtest.App
	installed *ghtest.Installation
	database  string
	flags     []string
	db        *database.DB // the same one, to look into; see kept
	address   string       // of its webhook
	log       *lines
	code      chan int
	stop      context.CancelFunc
}

// lines is a log that tests wait for.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed when something was written
}

func newLines() *lines { return &lines{more: make(chan struct{})} }

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.more)
	l.more = make(chan struct{})
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// next is closed when something more was written.
func (l *lines) next() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.more
}

// until waits until the log matches, and returns what the first group matched.
func (l *lines) until(t testing.TB, pattern string) string {
	t.Helper()
	p := regexp.MustCompile(pattern)
	late := time.After(2 * time.Minute)
	for {
		l.mu.Lock()
		found, more := p.FindStringSubmatch(l.text.String()), l.more
		l.mu.Unlock()
		if found != nil {
			return found[min(1, len(found)-1)]
		}
		select {
		case <-more:
		case <-late:
			t.Fatalf("the log never says %q:\n%s", pattern, l)
		}
	}
}

// serveApp sets up a repository and an App for it, and serves it.
func serveApp(t *testing.T, flags ...string) *appServer {
	t.Helper()
	s := notServed(t, flags...)
	s.start(t)
	return s
}

// notServed sets them up, and starts nothing.
func notServed(t *testing.T, flags ...string) *appServer {
	t.Helper()
	ta := begin(t)
	ta.bots = nil
	return appOf(t, ta, flags...)
}

func appOf(t *testing.T, ta *tale, flags ...string) *appServer {
	t.Helper()
	app := ta.server.NewApp(ghtest.NewApp{Name: "Debate", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	ta.bots = append(ta.bots, app.Bot())
	s := &appServer{tale: ta, app: app, installed: app.Install("acme"), database: "sqlite:" + filepath.Join(ta.dir, "debate.db"), flags: flags}
	t.Cleanup(func() { s.end(t) })
	return s
}

// kept is the database of the server, for a look into it.
func (s *appServer) kept(t testing.TB) *database.DB {
	t.Helper()
	if s.db == nil {
		db, err := database.Open(context.Background(), s.database, database.Options{Now: s.server.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		s.db = db
	}
	return s.db
}

// start starts the server.
func (s *appServer) start(t testing.TB) {
	t.Helper()
	system, _, err := process(s.server, s.dir, event{}, s.tale.env, map[string]string{
		"GITHUB_ACTIONS": "", "DEBATE_APP_ID": fmt.Sprint(s.app.ID), "DEBATE_PRIVATE_KEY": string(s.app.PrivateKey),
		"DEBATE_WEBHOOK_SECRET": s.app.WebhookSecret, "DEBATE_STATE_KEY": stateKey,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.log, s.code = newLines(), make(chan int, 1)
	system.Stdout, system.Stderr, system.GitHub, system.Random = s.log, s.log, connections(), &dice{}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	system.Interrupt = func() (context.Context, context.CancelFunc) { return ctx, stop }
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--database", s.database}, s.flags...)
	go func() { s.code <- cli.Main(args, system) }()
	s.address = "http://" + s.log.until(t, `msg=serving webhook=(\S+)`) + "/webhook"
	s.app.SetHook(s.address)
}

// end stops the server as its operator would, and waits for it.
func (s *appServer) end(t testing.TB) {
	t.Helper()
	if s.stop == nil {
		return
	}
	s.stop()
	s.stop = nil
	if code := <-s.code; code != 0 {
		t.Errorf("the server ends with code %d:\n%s", code, s.log)
	}
}

// page is what the dashboard answers.
func (s *appServer) page(t testing.TB, path string) string {
	t.Helper()
	resp, err := (&http.Client{Transport: connections()}).Get("http://" + s.log.until(t, `dashboard=(\S+)`) + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", path, resp.Status, err)
	}
	return string(text)
}

// tell delivers what happened, and fails unless the server takes it.
func (s *appServer) tell(t testing.TB, kind, action string, h ghtest.Happening) {
	t.Helper()
	if d := s.app.Send(s.repo, kind, action, h); d.Status != 202 {
		t.Fatalf("%s %s was answered with %d:\n%s", kind, action, d.Status, s.log)
	}
}

// propose opens a pull request, and tells nobody.
func (s *appServer) propose() {
	s.repo.SetBranch("change", s.repo.Change(s.repo.Branch("main"), map[string]string{"count.go": weigh}))
	s.pull = s.repo.OpenPull("ada", ghtest.NewPull{Title: "Weigh items", Body: "Items are weighed.", Head: "change"})
}

// TestServe: what is delivered is reviewed, by the App's own name.
func TestServe(t *testing.T) {
	t.Parallel()
	s := serveApp(t)
	s.propose()
	s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
	s.log.until(t, `msg="task done".*pull_request=\S+#`)
	if n := len(s.pull.Comments()); n != 1 || s.pull.Comments()[0].Author() != s.app.Bot() {
		t.Errorf("%d comments\n%s", n, s.log)
	}
	if runs := s.repo.CheckRuns(s.pull.Head()); len(runs) != 1 || runs[0].Status != "completed" {
		t.Errorf("checks: %+v", runs)
	}
	for path, want := range map[string]string{
		"/healthz": "alive", "/readyz": "ready", "/metrics": `debate_github_requests_remaining{installation="`, "/": "No review is running.", "/reviews": "Weigh items", "/spending": "acme/app",
	} {
		if page := s.page(t, path); !strings.Contains(page, want) {
			t.Errorf("%s says nothing of %q:\n%s", path, want, page)
		}
	}
	report := regexp.MustCompile(`href="(/reviews/debate-[^"]+)"`).FindStringSubmatch(s.page(t, "/reviews"))
	if report == nil || !strings.Contains(s.page(t, report[1]), "count.go") {
		t.Errorf("the reviews lead to no report: %v", report)
	}
	if strings.Contains(s.log.String(), "level=ERROR") {
		t.Errorf("the log tells of errors:\n%s", s.log)
	}
}

// TestServeQuietly: a server that says little on its terminal counts its calls all the same.
func TestServeQuietly(t *testing.T) {
	t.Parallel()
	s := notServed(t, "--quiet")
	s.start(t)
	s.propose()
	s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
	s.log.until(t, `msg="task done".*pull_request=\S+#`)
	if page, want := s.page(t, "/metrics"), `debate_model_calls_total{`; !strings.Contains(page, want) {
		t.Errorf("/metrics says nothing of %q:\n%s", want, page)
	}
}

// TestServePolls: a server that GitHub cannot reach reads what was delivered meanwhile.
func TestServePolls(t *testing.T) {
	t.Parallel()
	s := notServed(t, "--poll")
	s.propose()
	if d := s.app.Send(s.repo, "pull_request", "opened", ghtest.Happening{Pull: s.pull}); d.Status != 0 {
		t.Fatalf("somebody answered with %d", d.Status)
	}
	s.start(t)
	s.log.until(t, `msg="task done".*pull_request=\S+#`)
	if n := len(s.pull.Comments()); n != 1 {
		t.Errorf("%d comments\n%s", n, s.log)
	}
}

// TestServeDrains: a server that is told to stop in the middle of a review goes on with it
// at its next start, and asks no model again for what it was told.
func TestServeDrains(t *testing.T) {
	t.Parallel()
	s := notServed(t, "--drain", "1ms")
	asked, let := make(chan struct{}, 100), make(chan struct{})
	for _, v := range s.providers {
		v.mind = func(name string, turn exectest.Turn, packet, key string) string {
			if turn.Envelope.Call == "CHALLENGE" {
				asked <- struct{}{}
				<-let
			}
			return replying(name, turn, packet, key)
		}
	}
	s.start(t)
	s.propose()
	s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
	<-asked
	opened := s.callsOf("OPEN")
	s.end(t)
	close(let)
	if runs := s.repo.CheckRuns(s.pull.Head()); len(runs) != 1 || runs[0].Status == "completed" {
		t.Errorf("the review is over: %+v", runs)
	}
	s.start(t)
	s.log.until(t, `msg="task done".*pull_request=\S+#`)
	if n := s.callsOf("OPEN"); n != opened {
		t.Errorf("models were asked to open %d times, and before the stop %d times", n, opened)
	}
	if runs := s.repo.CheckRuns(s.pull.Head()); len(runs) != 1 || runs[0].Status != "completed" {
		t.Errorf("the review has no end: %+v\n%s", runs, s.log)
	}
	made, counted := 0, 0
	for _, v := range s.providers {
		made += len(v.asked())
	}
	rows, err := s.kept(t).SpendBy(t.Context(), database.SpendFilter{By: database.ByModel})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		counted += row.Calls
	}
	if counted < made { // one that was about to begin at the stop may be booked as well
		t.Errorf("%d calls were made, and %d are booked", made, counted)
	}
}

// TestServeEndsWhatItLeft: a head whose review was cut, and that is not the newest any more
// when the server starts again, has no check in progress.
func TestServeEndsWhatItLeft(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(s *appServer) (action string, h ghtest.Happening){
		"a push": func(s *appServer) (string, ghtest.Happening) {
			before := s.pull.Head()
			s.pull.Push(s.repo.Change(before, map[string]string{"count.go": fixed}))
			return "synchronize", ghtest.Happening{Pull: s.pull, Before: before}
		},
		"a merge": func(s *appServer) (string, ghtest.Happening) {
			s.pull.Merge("mona")
			return "closed", ghtest.Happening{Pull: s.pull, Sender: "mona"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := notServed(t, "--drain", "1ms")
			asked, let := make(chan struct{}, 100), make(chan struct{})
			for _, v := range s.providers {
				v.mind = func(name string, turn exectest.Turn, packet, key string) string {
					asked <- struct{}{}
					<-let
					return replying(name, turn, packet, key)
				}
			}
			s.start(t)
			s.propose()
			old := s.pull.Head()
			s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
			<-asked
			s.end(t)
			close(let)
			action, h := happens(s)
			s.start(t)
			s.tell(t, "pull_request", action, h)
			s.rest(t)
			if runs := s.repo.CheckRuns(old); len(runs) != 1 || runs[0].Status != "completed" || runs[0].Conclusion == "success" {
				t.Errorf("the checks of %.7s: %+v\n%s", old, runs, s.log)
			}
		})
	}
}

// callsOf is how often models were asked for a kind of call.
func (s *appServer) callsOf(kind string) int {
	n := 0
	for _, v := range s.providers {
		for _, c := range v.asked() {
			if c.kind == kind {
				n++
			}
		}
	}
	return n
}
