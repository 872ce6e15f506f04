package main

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

const oneWrong = "package app\n\nvar a = 1 // BUG: one is wrong\n"

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

// TestTheCommentOfAFixedFinding says so, and returns with its finding.
func TestTheCommentOfAFixedFinding(t *testing.T) {
	t.Parallel()
	h, p := oneFound(t, nil)
	c := p.Inline()[0]
	h.push(p, oneRight).good(t)
	wantText(t, "comment", c.Body(), "No longer there")
	want(t, "resolved", c.Resolved(), false)
	want(t, "writes after that", h.on(p, "synchronize").good(t).writes, 0)

	h.push(p, map[string]string{"ratio.go": oneWrong}).good(t)
	wantText(t, "comment of a finding that came back", c.Body(), "one is wrong")
	want(t, "comment that says it is gone", strings.Contains(c.Body(), "No longer there"), false)
}

// TestAThreadReturnsWithItsFinding: an answer below a finding that is gone does not keep its
// words away when it returns.
func TestAThreadReturnsWithItsFinding(t *testing.T) {
	t.Parallel()
	h, p := oneFound(t, map[string]string{"contents": "write", "pull-requests": "write", "issues": "write", "checks": "write"})
	c := p.Inline()[0]
	said := c.Body()
	h.push(p, oneRight).good(t)
	c.Reply("olive", "Thanks!")
	h.push(p, map[string]string{"ratio.go": oneWrong}).good(t)
	want(t, "its words", strings.Contains(c.Body(), strings.SplitN(said, "\n", 2)[0]) && !strings.Contains(c.Body(), "No longer there"), true)
}
