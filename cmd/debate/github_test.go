package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/actiontest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// hosted is a repository on the fake GitHub with a workflow that runs the action.
type hosted struct {
	hasty  bool // no time passes after a run
	t      *testing.T
	server *ghtest.Server
	repo   *ghtest.Repo
	token  string
	dir    string
	inputs map[string]string
	env    map[string]string
	runs   int
	door   string        // where something happens between two requests, "" for nowhere
	turn   *sync.Mutex   // held while it does
	ahead  time.Duration // of the runner's clock before GitHub's
}

// jobPermissions are those that the sample workflow gives its job.
var jobPermissions = map[string]string{"contents": "read", "pull-requests": "write", "issues": "write", "checks": "write"}

const base = "package app\n\nfunc Ratio(a, b int) int {\n\treturn a\n}\n"
const divides = "package app\n\nfunc Ratio(a, b int) int {\n\treturn a / b\n}\n"

// parties are the operator's settings for a debate between programs.
func parties(t *testing.T, manners ...string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("parties:\n")
	for i, manner := range manners {
		item := "{id: p" + string(rune('0'+i)) + ", provider: exec, family: f" + string(rune('0'+i)) + ", command: [" + partyProgram() + ", " + manner + "]}"
		switch i {
		case 0:
			b.WriteString("  primary: " + item + "\n  challengers:\n")
		default:
			b.WriteString("    - " + item + "\n")
		}
	}
	return b.String()
}

func host(t *testing.T) *hosted {
	t.Helper()
	s := ghtest.New(t)
	repo := s.Repo("acme/app")
	for login, role := range map[string]ghtest.Role{"ada": ghtest.Write, "mona": ghtest.Maintain, "olive": ghtest.Read, "tria": ghtest.Triage, "root": ghtest.Admin} {
		repo.SetPermission(login, role)
	}
	first := repo.Commit("", map[string]string{"ratio.go": base, "db/migrations/0001_a.up.sql": "CREATE TABLE a (id int);\n"})
	repo.SetBranch("main", first)
	return &hosted{
		t: t, server: s, repo: repo, token: s.JobToken(jobPermissions), dir: t.TempDir(),
		inputs: map[string]string{"state-key": "a-state-key-of-the-operator", "operator-config": parties(t, "agree", "agree")}, env: map[string]string{},
	}
}

// ran is what a job left behind.
type ran struct {
	code              int
	log, summary      string
	outputs           string
	reads, writes     int
	requests, changes []ghtest.Request
}

// run runs the action for an event.
func (h *hosted) run(kind string, payload []byte) ran {
	h.t.Helper()
	h.runs++
	dir := filepath.Join(h.dir, "run"+strings.Repeat("i", h.runs))
	env := map[string]string{"INPUT_GITHUB_TOKEN": h.token, "PATH": os.Getenv("PATH"), "RUN_AS": ""}
	for name, value := range h.inputs {
		env["INPUT_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = value
	}
	h.server.Forget()
	system, out, err := process(h.server, dir, event{kind, payload}, env, h.env)
	if err != nil {
		h.t.Fatal(err)
	}
	system.Now = func() time.Time { return h.server.Now().Add(h.ahead) }
	o := ran{code: cli.Main([]string{"action"}, system)}
	o.log = out.String()
	if h.door != "" && h.env["GITHUB_API_URL"] == h.door {
		h.turn.Lock() // what happened between requests is over, and can be read
		defer h.turn.Unlock()
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			h.t.Fatal(err)
		}
		return string(data)
	}
	o.summary, o.outputs = read("summary"), read("output")
	o.requests, o.changes = h.server.Requests(), h.server.Writes()
	o.reads, o.writes = len(h.server.Reads()), len(o.changes)
	if !h.hasty {
		h.server.Advance(3 * time.Minute) // nobody reads and answers faster
	}
	return o
}

// page is the report that a job left next to its record, whose seal it shows.
func (o ran) page(t *testing.T) string {
	t.Helper()
	values := valuesOf(t, o.outputs)
	want(t, "name of the report", filepath.Base(values["report"]), "report.html")
	want(t, "place of the report", filepath.Dir(values["report"]), filepath.Dir(values["record"]))
	record, err := store.Read(values["record"])
	if err != nil {
		t.Fatal(err)
	}
	data := readFile(t, values["report"])
	wantText(t, "page", string(data), "<!DOCTYPE html>")
	wantText(t, "page", string(data), record.Last)
	return string(data)
}

// A first review leaves one summary, one review with its inline comments, one
// check, and what the job shows by itself.
func TestFirstReview(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": divides}))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "Divide", Body: "Ratio divides.", Head: "feature"})
	o := h.run("pull_request", h.repo.Event("pull_request", "opened", ghtest.Happening{Pull: p}))
	if o.code != 0 || o.reads > 17 || o.writes > 6 {
		t.Errorf("exit code %d, %d reads, %d writes:\n%s\n%s", o.code, o.reads, o.writes, requests(o.requests), o.log)
	}
	for output, value := range map[string]string{"outcome": "CONSENSUS", "disposition": "revise", "p2": "1", "awaiting-human": "0"} {
		wantText(t, "outputs", o.outputs, output+"<<_GitHubActionsFileCommandDelimeter_\n"+value+"\n")
	}
	wantText(t, "step summary", o.summary, "The divisor can be zero")
	wantText(t, "page", o.page(t), "The divisor can be zero")
	if strings.Contains(o.log, "::warning") { // the comment on the line says it
		t.Errorf("the log repeats the finding:\n%s", o.log)
	}
	want(t, "summaries", len(summaries(p)), 1)
	wantText(t, "summary", summaries(p)[0], "| **P2** F1 | [ratio.go:4]")
	want(t, "inline comments", len(p.Inline()), 1)
	wantText(t, "inline comment", p.Inline()[0].Body(), "Wrong? Reply `/debate dispute WHY`")
	want(t, "check", h.check(p.Head()), "neutral")
}

// valuesOf are the outputs of a run.
func valuesOf(t *testing.T, outputs string) map[string]string {
	t.Helper()
	values, err := actiontest.Values(outputs)
	if err != nil {
		t.Fatal(err)
	}
	return values
}
