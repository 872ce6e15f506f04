package main

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// A run that fails half way takes nothing out of the way of a merge: what stood
// there stands again, and a gate that is required stays shut (R29).
func TestAFailedRunOpensNoGate(t *testing.T) {
	t.Parallel()
	for gate, conclusion := range map[string]string{"advisory": "neutral", "required": "failure"} {
		h := host(t)
		h.inputs["gate"], h.inputs["operator-config"] = gate, parties(t, "bugs", "bugs")
		p := h.open("ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong\n"})
		h.server.FaultOn("/reviews", 100, ghtest.Answer(502))
		if o := h.on(p, "opened"); o.code == 0 {
			t.Errorf("%s: the job does not fail", gate)
		}
		want(t, gate+": check of a first run that failed", h.check(p.Head()), conclusion)
	}

	h := host(t)
	debaters := h.inputs["operator-config"]
	delete(h.inputs, "operator-config")
	p := h.open("ada", map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\n", "ratio.go": divides})
	h.on(p, "opened").good(t)
	before := h.repo.CheckRuns(p.Head())[0]
	want(t, "check", before.Conclusion, "action_required")
	h.inputs["operator-config"] = debaters
	h.server.FaultOn("/reviews", 100, ghtest.Answer(502))
	if _, o := h.say(p.Issue, "mona", "/debate run"); o.code == 0 {
		t.Error("the job does not fail")
	}
	after := h.repo.CheckRuns(p.Head())[0]
	want(t, "check after a second run that failed", after.Conclusion, before.Conclusion)
	want(t, "its title", after.Title, before.Title)
}

// The check is written before the summary, which tells the next run that all is
// written; and where the check is wrong all the same, the next run sets it right.
func TestTheNextRunRightsTheCheck(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["fail-on"] = "P2"
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.server.FaultOn("POST /repos/acme/app/issues/1/comments", 100, ghtest.Answer(502))
	h.on(p, "opened")
	want(t, "check where the summary could not be written", h.check(p.Head()), "failure")
	h.server.Fault(nil)
	h.on(p, "synchronize").good(t)
	want(t, "summaries", len(summaries(p)), 1)

	for name, planted := range map[string]ghtest.CheckRun{
		"another workflow wrote success":   {Conclusion: "success"},
		"another workflow wrote a failure": {Conclusion: "failure", Title: "other"},
	} {
		planted.App, planted.Name, planted.HeadSHA = ghtest.ActionsApp, "debate", p.Head()
		h.repo.AddCheckRun(planted)
		h.sweep().good(t)
		want(t, "check after "+name, h.check(p.Head()), "failure")
		if o := h.sweep().good(t); o.writes > 0 {
			t.Errorf("after %s the next sweep writes %s", name, requests(o.changes))
		}
	}
}

// A run that looks while a head is debated once more takes the check in progress
// for what it is, however old the check is.
func TestACheckInProgressIsLeftAlone(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	h.server.Advance(5 * time.Hour)
	other := *h
	other.dir, other.env, other.inputs = t.TempDir(), map[string]string{}, maps.Clone(h.inputs)
	h.inputs["pull-request"] = "1"
	begun, swept := false, ran{writes: -1}
	h.between(func(_ int, r *http.Request) {
		if begun && swept.writes < 0 {
			swept = other.sweep()
		}
		begun = begun || r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/check-runs/")
	})
	o := h.run("workflow_dispatch", h.repo.Event("workflow_dispatch", "", ghtest.Happening{Sender: "mona"})).good(t)
	want(t, "writes of the sweep in between", swept.writes, 0)
	want(t, "debates", strings.Count(o.log, "looking again"), 0)
	want(t, "check", h.check(p.Head()), "neutral")
	if swept.code != 0 || !strings.Contains(swept.log, "this head is reviewed") {
		t.Errorf("the sweep: %s", swept.log)
	}
}

// A run that takes a word about a reviewed head claims no head. Where the gate became
// required while it wrote the check, and another run went by that, the newer settings win.
func TestAGateThatShutsWhileTheCheckIsWritten(t *testing.T) {
	t.Parallel()
	h := host(t)
	delete(h.inputs, "operator-config")
	p := h.open("ada", map[string]string{"ratio.go": divides, "db/migrations/0004_b.up.sql": "DROP TABLE b;\n"})
	h.on(p, "opened").good(t)
	want(t, "check of the advisory gate", h.check(p.Head()), "action_required")
	p.Comment("mona", "/debate waive destructive_schema it is empty")
	other := *h
	other.dir, other.env = t.TempDir(), map[string]string{}
	swept := ran{writes: -1}
	h.between(func(_ int, r *http.Request) {
		if swept.writes < 0 && r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/check-runs/") {
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": gated}))
			swept = other.sweep()
		}
	})
	h.sweep().good(t)
	if swept.code != 0 || swept.writes < 1 {
		t.Fatalf("the run in between: %s", swept.log)
	}
	want(t, "check", h.check(p.Head()), "failure")
}

// The same while a first review is written: nothing else tells the run.
func TestAGateThatShutsDuringAReview(t *testing.T) {
	t.Parallel()
	for _, moment := range []string{"/compare/", "PATCH"} {
		h := host(t)
		delete(h.inputs, "operator-config")
		p := h.open("ada", map[string]string{"ratio.go": divides})
		shut := false
		h.between(func(_ int, r *http.Request) {
			reads, writes := strings.Contains(r.URL.Path, moment), r.Method == moment && strings.Contains(r.URL.Path, "/check-runs/")
			if !shut && (reads || writes) {
				shut = true
				h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": gated}))
			}
		})
		h.on(p, "opened").good(t)
		want(t, moment+": check", h.check(p.Head()), "failure")
	}
}

// A check belongs to a commit. Another pull request with the same head, perhaps to
// a branch with laxer settings, improves nothing about it.
func TestASiblingImprovesNoCheck(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides}, "fail-on", "P2")
	want(t, "check alone", h.check(p.Head()), "failure")
	h.repo.SetBranch("lax", h.repo.Branch("main"))
	h.repo.SetBranch("twin", p.Head())
	h.inputs["fail-on"], h.inputs["operator-config"] = "none", parties(t, "bugs", "bugs") // which find nothing
	twin := h.repo.OpenPull("ada", ghtest.NewPull{Title: "The same", Head: "twin", Base: "lax"})
	h.on(twin, "opened").good(t)
	want(t, "check of two", h.check(p.Head()), "failure")
	h.idle(h.sweep(), "the next sweep")
	p.Close("ada", "")
	h.on(p, "closed").good(t)
	h.sweep().good(t)
	want(t, "check of the one that is left", h.check(p.Head()), "success")
}

// Nor does a sibling whose debate began before the other one's was over.
func TestASiblingThatBeganBeforeImprovesNoCheck(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.repo.SetBranch("lax", h.repo.Branch("main"))
	h.repo.SetBranch("twin", p.Head())
	twin := h.repo.OpenPull("ada", ghtest.NewPull{Title: "The same", Head: "twin", Base: "lax"})
	strict := *h
	strict.dir, strict.env, strict.inputs = t.TempDir(), map[string]string{}, maps.Clone(h.inputs)
	strict.inputs["fail-on"] = "P2"
	h.inputs["fail-on"], h.inputs["operator-config"] = "none", parties(t, "bugs", "bugs") // which find nothing
	begun, met := false, false
	h.between(func(_ int, r *http.Request) {
		if begun && !met {
			met = true
			strict.on(p, "opened").good(t)
			want(t, "check of the strict one", h.check(p.Head()), "failure")
		}
		begun = begun || r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs")
	})
	h.on(twin, "opened").good(t)
	want(t, "met", met, true)
	want(t, "check of two", h.check(p.Head()), "failure")
	want(t, "check runs", len(h.repo.CheckRuns(p.Head())), 1)
}

// A file that is called as the text of the pull request is cited keeps nothing
// from being reviewed, and nobody from deciding.
func TestAFileCalledLikeTheTextIsNotReviewedAndNothingElseSuffers(t *testing.T) {
	t.Parallel()
	h := host(t)
	change := map[string]string{"@pr": "DROP TABLE b;\n"}
	maps.Copy(change, drop)
	p := h.open("ada", change)
	h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	want(t, "issues", len(h.repo.Issues()), 1)
	wantText(t, "summary", summaries(p)[0], "@pr")
	p = h.open("ada", map[string]string{"@pr": "a\n", "ratio.go": divides})
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	h.on(p, "opened").good(t)
	want(t, "check of a change that is not reviewed whole", h.check(p.Head()), "neutral")
	want(t, "summaries", len(summaries(p)), 1)
}
