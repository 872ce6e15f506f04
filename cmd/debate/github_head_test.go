package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// A head that moves while the review of the old one is written gets neither its check
// nor its summary, and the old one's check says so.
func TestAHeadThatMovesBeforeTheCheckIsWritten(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong -> var a = 2\n"})
	old := p.Head()
	h.between(func(_ int, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/reviews") {
			p.Push(h.repo.Change(old, map[string]string{"ratio.go": "package app\n"}))
			h.server.Advance(10 * time.Second)
		}
	})
	h.on(p, "opened").good(t)
	want(t, "inline comments", len(p.Inline()), 1)
	want(t, "summaries", len(summaries(p)), 0)
	want(t, "check of the old head", h.check(old), "neutral")
	want(t, "check of the new head", h.check(p.Head()), "")
	h.env = map[string]string{}
	h.on(p, "synchronize").good(t)
	want(t, "summaries after the next run", len(summaries(p)), 1)
	stray := p.Inline()[0].Body()
	wantText(t, "what the run left", stray, "the latest review does not report it")
	want(t, "a suggestion is left", strings.Contains(stray, "unverified"), false)
	want(t, "it asks to dispute another finding", strings.Contains(stray, "/debate"), false)
	want(t, "writes of another run", h.on(p, "synchronize").good(t).writes, 0)
}

// Work on an old head never reaches the new one, at whichever request it moves.
func TestAMovingHeadGetsNothingFromOldWork(t *testing.T) {
	t.Parallel()
	for at := 2; at <= 15; at++ {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			h := host(t)
			p := h.open("ada", map[string]string{"ratio.go": divides})
			old := p.Head()
			moved := h.repo.Change(old, map[string]string{"ratio.go": "package app\n\nfunc Ratio(a, b int) int {\n\treturn b / a\n}\n"})
			done := false
			h.between(func(n int, _ *http.Request) {
				if n == at {
					p.Push(moved)
					done = true
				}
			})
			o := h.on(p, "opened").good(t)
			if !done {
				if at <= 10 {
					t.Errorf("the review took %d requests: the head did not move", len(o.requests))
				}
				return // the review took fewer requests
			}
			if got := h.check(moved); got != "" {
				t.Errorf("check of the new head: %s", got)
			}
			for _, c := range h.repo.CheckRuns(old) {
				if c.Name == "debate" && c.Status != "completed" {
					t.Errorf("the check of the old head stays %s", c.Status)
				}
			}
			for _, r := range o.changes {
				if strings.Contains(r.Path, moved) || strings.Contains(r.Body, `"head_sha":"`+moved) || strings.Contains(r.Body, `"commit_id":"`+moved) {
					t.Errorf("written on the new head: %s", r.Operation)
				}
			}
			h.env = map[string]string{}
			h.on(p, "synchronize").good(t)
			if got := h.check(moved); got != "neutral" {
				t.Errorf("after the next run the check of the new head is %q", got)
			}
			want(t, "summaries", len(summaries(p)), 1)
			wantText(t, "summary", summaries(p)[0], moved)
		})
	}
}

// Another base branch is another change.
func TestAnotherBaseIsReviewedAnew(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("release", h.repo.Change(h.repo.Branch("main"), map[string]string{"old.go": "package app\n"}))
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.on(p, "opened").good(t)
	p.SetBase("release")
	o := h.run("pull_request", h.repo.Event("pull_request", "edited", ghtest.Happening{Pull: p, BaseBefore: "main", Before: p.Base()})).good(t)
	if o.writes == 0 || !strings.Contains(o.log, "opening  p0") {
		t.Errorf("it was not reviewed anew:\n%s", o.log)
	}
	want(t, "summaries", len(summaries(p)), 1)
	want(t, "inline comments", len(p.Inline()), 1)
}

// A green check belongs to a commit, and so to all pull requests that share it: two of them
// get none, and a gate that is required stays shut.
func TestASiblingWithTheSameHeadGetsNoGreen(t *testing.T) {
	t.Parallel()
	for gate, conclusion := range map[string]string{"advisory": "neutral", "required": "failure"} {
		h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides}, "gate", gate, "operator-config", parties(t, "bugs", "bugs"))
		want(t, gate+": check alone", h.check(p.Head()), "success")
		h.repo.SetBranch("release", h.repo.Branch("main"))
		h.repo.SetBranch("twin", p.Head())
		twin := h.repo.OpenPull("ada", ghtest.NewPull{Title: "The same", Head: "twin", Base: "release"})
		h.sweep().good(t)
		want(t, gate+": check of two", h.check(p.Head()), conclusion)
		h.on(twin, "opened").good(t)
		want(t, gate+": check once both are reviewed", h.check(p.Head()), conclusion)
		wantText(t, "summary", summaries(twin)[0], "#1")
	}
}

// A merge group asks no model: it succeeds if its members did.
func TestAMergeGroupSucceedsIfItsMembersDid(t *testing.T) {
	t.Parallel()
	for manner, conclusion := range map[string]string{"bugs": "success", "agree": "failure"} {
		t.Run(conclusion, func(t *testing.T) {
			t.Parallel()
			h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides}, "operator-config", parties(t, manner, manner))
			from, head := p.Enqueue()
			o := h.run("merge_group", h.repo.Event("merge_group", "checks_requested", ghtest.Happening{Pull: p, QueueBase: from, QueueHead: head})).good(t)
			want(t, "check of the group", h.check(head), conclusion)
			if asking(o) > 0 {
				t.Errorf("a model was asked:\n%s", o.log)
			}
			again := h.run("merge_group", h.repo.Event("merge_group", "checks_requested", ghtest.Happening{Pull: p, QueueBase: from, QueueHead: head})).good(t)
			want(t, "writes of the same event again", again.writes, 0)
		})
	}
}
