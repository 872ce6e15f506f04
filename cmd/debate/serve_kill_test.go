package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/ghtest"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/store/database/databasetest"
)

var (
	killsFlag = flag.Int("kills", 8, "how often the server is killed")
	killsSeed = flag.Uint64("kills-seed", 1, "with which the moments are drawn")
)

// killable is an App in a process of its own, by the clock of this machine.
type killable struct {
	*tale
	app      *ghtest.App
	database string
	node     string
	pulls    []*ghtest.Pull
	process  *exec.Cmd
	log      *lines
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
	k.process = exec.Command(os.Args[0], "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--database", k.database, "--node", k.node)
	k.process.Env, k.process.Dir, k.process.Stdout, k.process.Stderr = env, k.dir, k.log, k.log
	if err := k.process.Start(); err != nil {
		t.Fatal(err)
	}
	k.app.SetHook("http://" + k.log.until(t, `msg=serving webhook=(\S+)`) + "/webhook")
}

// kill ends the process as a power cut does.
func (k *killable) kill(t testing.TB) {
	t.Helper()
	if err := k.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = k.process.Wait() // it says that it was killed
}

// open opens a pull request of its own branch.
func (k *killable) open(t testing.TB) {
	t.Helper()
	n := len(k.pulls)
	branch := fmt.Sprint("change-", n)
	k.repo.SetBranch(branch, k.repo.Change(k.repo.Branch("main"), map[string]string{"count.go": weigh + fmt.Sprintf("\n// change %d\n", n)}))
	p := k.repo.OpenPull("ada", ghtest.NewPull{Title: fmt.Sprint("Weigh items, try ", n), Head: branch})
	k.pulls = append(k.pulls, p)
	k.tell(t, "pull_request", "opened", ghtest.Happening{Pull: p})
}

// tell delivers what happened, once more if the server died over it: GitHub delivers by
// itself no second time, but its list of deliveries does, and so does whoever is asked.
func (k *killable) tell(t testing.TB, kind, action string, h ghtest.Happening) {
	t.Helper()
	d := k.app.Send(k.repo, kind, action, h)
	if d.Status != 202 {
		t.Fatalf("%s %s was answered with %d:\n%s", kind, action, d.Status, k.log)
	}
}

// TestServeKilled: however often the server is killed, each pull request is reviewed once,
// nothing stands twice on GitHub, and no answer of a model that was kept is asked for again.
func TestServeKilled(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, url string) {
		ta := begin(t)
		ta.server.SetNow(time.Now)
		app := ta.server.NewApp(ghtest.NewApp{Name: "Debate", Owner: "acme", Permissions: gh.AppPermissions(), Events: gh.AppEvents()})
		app.Install("acme")
		k := &killable{tale: ta, app: app, database: url, node: "one"}
		random := rand.New(rand.NewPCG(*killsSeed, 7))
		k.start(t)
		for range *killsFlag {
			k.open(t)
			if last := k.pulls[random.IntN(len(k.pulls))]; random.IntN(2) == 0 {
				before := last.Head()
				last.Push(k.repo.Change(before, map[string]string{"count.go": fixed + fmt.Sprintf("\n// push %d\n", random.Int())}))
				k.tell(t, "pull_request", "synchronize", ghtest.Happening{Pull: last, Before: before})
			}
			<-time.After(time.Duration(random.IntN(500)) * time.Millisecond) // the moment of the kill is drawn
			k.kill(t)
			k.start(t)
		}
		db, err := database.Open(t.Context(), url, database.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		k.finish(t, db)
		k.kill(t)
		k.check(t, db)
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

// check compares what stands on GitHub and in the database with what has to.
func (k *killable) check(t *testing.T, db *database.DB) {
	t.Helper()
	if parked, err := db.Tasks(t.Context(), database.TaskFilter{Parked: true}); err != nil || len(parked) > 0 {
		t.Errorf("given up: %+v, %v", parked, err)
	}
	sessions, err := db.Sessions(t.Context(), database.SessionFilter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	ended := map[string]string{}
	for _, s := range sessions {
		kept += s.Calls
		at := fmt.Sprint(s.Pull, " ", s.Head)
		if s.Outcome == "CONSENSUS" && ended[at] != "" {
			t.Errorf("%s was reviewed twice, in %s and %s", at, ended[at], s.ID)
		}
		if s.Outcome == "CONSENSUS" {
			ended[at] = s.ID
		}
		wasted := s.Outcome == "LOST" && s.Calls > 0 && s.Head == k.repo.Pull(s.Pull).Head() // and not because of a push
		if s.Ended == 0 || wasted {
			t.Errorf("session %s of #%d ended as %q after %d calls", s.ID, s.Pull, s.Outcome, s.Calls)
		}
	}
	lost := k.calls() - kept
	if most := (*killsFlag + 1) * 4 * len(k.providers); lost < 0 || lost > most {
		t.Errorf("models were asked %d times and %d answers were kept: more than the %d that can be on their way when the server is killed", k.calls(), kept, most)
	}
	t.Logf("%d pull requests, %d debates, %d kills: %d calls, of which %d were on their way at a kill", len(k.pulls), len(sessions), *killsFlag, k.calls(), lost)
	for _, p := range k.pulls {
		k.pull, k.heads = p, []string{p.Head()}
		if problems := k.standsTwice(); len(problems) > 0 {
			t.Errorf("#%d: %v", p.Number, problems)
		}
		runs := k.repo.CheckRuns(p.Head())
		if len(runs) != 1 || runs[0].Status != "completed" || ended[fmt.Sprint(p.Number, " ", p.Head())] == "" {
			t.Errorf("#%d at %.7s was not reviewed to its end: %+v", p.Number, p.Head(), runs)
		}
	}
}

// standsTwice names what the App wrote twice on the pull request.
func (k *killable) standsTwice() (problems []string) {
	summaries := 0
	for _, c := range k.pull.Comments() {
		if c.Author() == k.app.Bot() && strings.Contains(c.Body(), "<!-- debate:summary v1 -->") {
			summaries++
		}
	}
	if summaries != 1 {
		problems = append(problems, fmt.Sprintf("%d summaries", summaries))
	}
	seen := map[string]int{}
	for _, c := range k.pull.Inline() {
		if found := marker.FindStringSubmatch(c.Body()); found != nil && c.Author() == k.app.Bot() {
			seen[found[2]]++
		}
	}
	for what, n := range seen {
		if n > 1 {
			problems = append(problems, fmt.Sprintf("%s stands %d times", what, n))
		}
	}
	slices.Sort(problems)
	return problems
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
