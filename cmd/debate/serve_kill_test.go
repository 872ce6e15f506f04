package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
	"github.com/prdebate/debate/internal/testkit/long"
)

var (
	killsFlag = flag.Int("kills", long.Pick(1, 8), "how often to kill the server, on each database")
	killsSeed = flag.Uint64("kills-seed", 1, "with which the moments are drawn")
)

// killable is an App in a process of its own, by the clock of this machine.
type killable struct {
	*tale
	app      *ghtest.App
	database string
	node     string
	program  string
	pulls    []*ghtest.Pull
	every    [][]string        // heads of each pull request up to now
	owed     []ghtest.Delivery // that were not taken
	taken    []ghtest.Delivery
	process  *exec.Cmd
	log      *lines
	hook     string // its address
}

// killableApp sets up an App, and starts nothing.
func killableApp(t testing.TB, url string) *killable {
	ta := begin(t)
	ta.server.SetNow(time.Now)
	app := ta.server.NewApp(ghtest.NewApp{Name: "Debate", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
	app.Install("acme")
	ta.bots = []string{app.Bot()}
	return &killable{tale: ta, app: app, database: url, node: "one", program: likeThis(t, filepath.Join(ta.dir, "debate-server"))}
}

// start starts the process.
func (k *killable) start(t testing.TB) {
	t.Helper()
	env := surroundings(k.dir,
		"BE_DEBATE=1", fmt.Sprint("DEBATE_APP_ID=", k.app.ID), "DEBATE_PRIVATE_KEY="+string(k.app.PrivateKey), "DEBATE_WEBHOOK_SECRET="+k.app.WebhookSecret,
		"DEBATE_STATE_KEY="+stateKey, "GITHUB_API_URL="+k.server.URL, "GITHUB_GRAPHQL_URL="+k.server.GraphQLURL, "NO_PROXY=127.0.0.1")
	for name, value := range environment(k.providers) {
		env = append(env, name+"="+value)
	}
	k.log = newLines()
	k.process = exec.Command(k.program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--database", k.database, "--node", k.node)
	k.process.Env, k.process.Dir, k.process.Stdout, k.process.Stderr = env, k.dir, k.log, k.log
	if err := k.process.Start(); err != nil {
		t.Fatal(err)
	}
	k.hook = "http://" + k.log.until(t, `msg=serving webhook=(\S+)`) + "/webhook"
	k.app.SetHook(k.hook)
}

// kill ends the process as a power cut does.
func (k *killable) kill(t testing.TB) {
	t.Helper()
	if err := k.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = k.process.Wait() // it says that it was killed
}

// open opens a pull request of its own branch. One in three asks a person something.
func (k *killable) open(t testing.TB) {
	t.Helper()
	n := len(k.pulls)
	branch := fmt.Sprint("change-", n)
	files := map[string]string{"count.go": weigh + fmt.Sprintf("\n// change %d\n", n)}
	if n%3 == 2 {
		files[fmt.Sprintf("db/migrations/%04d_drop.up.sql", n)] = fmt.Sprintf("DROP TABLE old%d;\n", n)
	}
	k.repo.SetBranch(branch, k.repo.Change(k.repo.Branch("main"), files))
	p := k.repo.OpenPull("ada", ghtest.NewPull{Title: fmt.Sprint("Weigh items, try ", n), Head: branch})
	k.pulls = append(k.pulls, p)
	k.every = append(k.every, []string{p.Head()})
	k.tell(t, "pull_request", "opened", ghtest.Happening{Pull: p})
}

// push pushes to a pull request that is drawn.
func (k *killable) push(t testing.TB, random *rand.Rand) {
	t.Helper()
	n := random.IntN(len(k.pulls))
	p := k.pulls[n]
	before := p.Head()
	p.Push(k.repo.Change(before, map[string]string{"count.go": fixed + fmt.Sprintf("\n// push %d\n", random.Int())}))
	k.every[n] = append(k.every[n], p.Head())
	k.tell(t, "pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before})
}

// tell delivers what happened. What the server does not take is owed: GitHub delivers by
// itself no second time, but whoever asks it to has it delivered again.
func (k *killable) tell(t testing.TB, kind, action string, h ghtest.Happening) {
	t.Helper()
	k.keep(t, k.app.Send(k.repo, kind, action, h))
}

func (k *killable) keep(t testing.TB, d ghtest.Delivery) {
	t.Helper()
	switch {
	case d.Status == http.StatusAccepted:
		k.taken = append(k.taken, d)
	case d.Status == 0, d.Status >= http.StatusInternalServerError:
		k.owed = append(k.owed, d)
	default:
		t.Fatalf("%s %s was answered with %d:\n%s", d.Event, d.Action, d.Status, k.log)
	}
}

// redeliver delivers what is owed until it is taken.
func (k *killable) redeliver(t testing.TB) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		owed := k.owed
		k.owed = nil
		for _, d := range owed {
			k.keep(t, k.app.Again(d))
		}
		if len(k.owed) == 0 {
			return
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-late:
			t.Fatalf("%d deliveries are not taken, such as %s, answered with %d:\n%s", len(k.owed), k.owed[0].GUID, k.owed[0].Status, k.log)
		}
	}
}

// TestServeKilled: however often the server is killed, each pull request is reviewed once,
// nothing stands twice on GitHub, and no answer of a model that was kept is asked for again.
func TestServeKilled(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, url string) {
		k := killableApp(t, url)
		random := rand.New(rand.NewPCG(*killsSeed, 7))
		k.start(t)
		for range *killsFlag {
			k.open(t)
			if random.IntN(2) == 0 {
				k.push(t, random)
			}
			<-time.After(time.Duration(random.IntN(500)) * time.Millisecond) // the moment of the kill is drawn
			k.kill(t)
			k.start(t)
			k.redeliver(t)
		}
		db, err := database.Open(t.Context(), url, database.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		k.finish(t, db)
		k.kill(t)
		k.check(t, db, *killsFlag)
	})
}

// finish waits until nothing is left to do.
func (k *killable) finish(t testing.TB, db *database.DB) {
	t.Helper()
	deadline := time.After(4 * time.Minute)
	for {
		open, err := db.Tasks(t.Context(), database.TaskFilter{})
		if err != nil {
			t.Fatal(err)
		}
		if len(open) == 0 {
			return
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-deadline:
			t.Fatalf("%d tasks are left, such as %+v\n%s", len(open), open[0], k.log)
		}
	}
}

// check compares what stands on GitHub and in the database with what has to, after the
// server was disturbed so many times.
func (k *killable) check(t *testing.T, db *database.DB, disturbed int) {
	t.Helper()
	if parked, err := db.Tasks(t.Context(), database.TaskFilter{Parked: true}); err != nil || len(parked) > 0 {
		t.Errorf("given up: %+v, %v", parked, err)
	}
	for _, d := range k.taken {
		if known, err := db.Delivered(t.Context(), d.GUID); err != nil || !known {
			t.Errorf("delivery %s of %s was answered and is lost: %v", d.GUID, d.Event, err)
		}
	}
	sessions, err := db.Sessions(t.Context(), database.SessionFilter{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	kept, ended := k.checkSessions(t, sessions)
	lost := k.calls() - kept
	if most := (disturbed + 1) * 4 * len(k.providers); lost < 0 || lost > most {
		t.Errorf("models were asked %d times and %d answers were kept: more than the %d that can be on their way when the server is disturbed", k.calls(), kept, most)
	}
	doubled := 0
	for n, p := range k.pulls {
		k.pull, k.heads = p, k.every[n]
		problems := k.doubled()
		doubled += len(problems)
		if len(problems) > 0 {
			t.Errorf("#%d: %v", p.Number, problems)
		}
		runs := k.repo.CheckRuns(p.Head())
		at := fmt.Sprint(p.Number, " ", p.Head())
		if len(runs) != 1 || runs[0].Status != "completed" || ended[at] == "" {
			t.Errorf("#%d at %.7s was not reviewed to its end: %+v", p.Number, p.Head(), runs)
		}
		if shown := k.published(); shown != ended[at] {
			t.Errorf("#%d: the summary is that of %s, and %s reviewed the head", p.Number, shown, ended[at])
		}
	}
	t.Logf("disturbed %d times: %d deliveries, %d pull requests, %d debates, %d calls, of which %d were on their way; %d doubled or unfinished",
		disturbed, len(k.taken), len(k.pulls), len(sessions), k.calls(), lost, doubled)
}

// checkSessions looks at what debates came to: how many answers they kept, and which
// reviewed a head to its end.
func (k *killable) checkSessions(t *testing.T, sessions []database.Session) (kept int, ended map[string]string) {
	t.Helper()
	ended = map[string]string{}
	for _, s := range sessions {
		kept += s.Calls
		at := fmt.Sprint(s.Pull, " ", s.Head)
		whole := s.Outcome != "LOST" && s.Outcome != "SUPERSEDED" && s.Outcome != "ABORTED"
		if whole && ended[at] != "" {
			t.Errorf("%s was reviewed twice, in %s and %s", at, ended[at], s.ID)
		}
		if whole {
			ended[at] = s.ID
		}
		wasted := s.Outcome == "LOST" && s.Calls > 0 && s.Head == k.repo.Pull(s.Pull).Head() // and not because of a push
		if s.Ended == 0 || wasted {
			t.Errorf("session %s of #%d ended as %q after %d calls", s.ID, s.Pull, s.Outcome, s.Calls)
		}
	}
	return kept, ended
}

// onDatabases runs a test on both kinds of databases.
func onDatabases(t *testing.T, test func(t *testing.T, url string)) {
	for name, fresh := range map[string]func(testing.TB) string{"sqlite": databasetest.SQLite, "postgres": databasetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, fresh(t))
		})
	}
}
