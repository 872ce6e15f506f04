package main

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

const oneWrong = "package app\n\nvar a = 1 // BUG: one is wrong\n"

// folds are the requests of a run that close or open threads, those that were refused
// among them.
func (o ran) folds() (n int) {
	for _, r := range o.requests {
		if r.Operation == "Fold" {
			n++
		}
	}
	return n
}

// oneRight repairs what oneWrong says.
var oneRight = map[string]string{"ratio.go": "package app\n\nvar all = 6\n"}

// oneFound is a reviewed pull request with one finding, by a token with these permissions,
// or with those of a job.
func oneFound(t *testing.T, permissions map[string]string) (*hosted, *ghtest.Pull) {
	t.Helper()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	if permissions != nil {
		h.token = h.server.JobToken(permissions)
	}
	p := h.open("ada", map[string]string{"ratio.go": oneWrong})
	h.on(p, "opened").good(t)
	return h, p
}

// The comment of a finding that was fixed is hidden as resolved. It is shown again with its
// finding.
func TestTheThreadOfAFixedFindingIsClosed(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{"ratio.go": oneWrong})
	o := h.on(p, "opened").good(t)
	want(t, "folds of a first review", o.folds(), 0)
	c := p.Inline()[0]
	o = h.push(p, oneRight).good(t)
	wantText(t, "comment", c.Body(), "No longer there")
	want(t, "hidden as", c.Minimized(), "resolved")
	want(t, "resolved", c.Resolved(), false)
	want(t, "folds", o.folds(), 1)
	want(t, "writes after that", h.on(p, "synchronize").good(t).writes, 0)

	h.push(p, map[string]string{"ratio.go": oneWrong}).good(t)
	wantText(t, "comment of a finding that came back", c.Body(), "one is wrong")
	want(t, "comment that says it is gone", strings.Contains(c.Body(), "No longer there"), false)
	want(t, "hidden as, once it is back", c.Minimized(), "")
}

// What is closed once is not closed again: whoever opens it has a reason.
func TestAThreadThatAPersonOpensStaysOpen(t *testing.T) {
	t.Parallel()
	h, p := oneFound(t, nil)
	h.push(p, oneRight).good(t)
	c := p.Inline()[0]
	c.Minimize("")
	h.push(p, map[string]string{"more.go": "package app\n"}).good(t)
	want(t, "hidden as", c.Minimized(), "")
}

// A run goes on where nothing may be hidden.
func TestNothingIsMissedWhereNoThreadMayBeClosed(t *testing.T) {
	t.Parallel()
	h, p := oneFound(t, nil)
	h.server.FaultOn("Fold", 50, ghtest.Answer(403))
	o := h.push(p, oneRight).good(t)
	want(t, "check", h.check(p.Head()), "success")
	want(t, "a note about it", strings.Contains(summaries(p)[0]+o.log, "The token of this run may not"), false)
}

// TestAThreadReturnsWithItsFinding: whoever answers below a finding that is gone does not
// keep its thread closed when it returns.
func TestAThreadReturnsWithItsFinding(t *testing.T) {
	t.Parallel()
	h, p := oneFound(t, map[string]string{"contents": "write", "pull-requests": "write", "issues": "write", "checks": "write"})
	c := p.Inline()[0]
	said := c.Body()
	h.push(p, oneRight).good(t)
	want(t, "the comment of what is fixed is hidden as", c.Minimized(), "resolved")
	c.Reply("olive", "Thanks!")
	h.push(p, map[string]string{"ratio.go": oneWrong}).good(t)
	want(t, "the comment of what is back is hidden as", c.Minimized(), "")
	want(t, "its words", strings.Contains(c.Body(), strings.SplitN(said, "\n", 2)[0]) && !strings.Contains(c.Body(), "No longer there"), true)
}
