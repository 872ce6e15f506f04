package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// Each way to answer means the same, whatever the models recommend: approving and
// closing as completed merge it as it is, asking for changes has it changed first, and
// closing as not planned is no.
func TestWaysToAnswer(t *testing.T) {
	t.Parallel()
	command := func(text string) func(*hosted, *ghtest.Pull) ran {
		return func(h *hosted, p *ghtest.Pull) ran {
			_, o := h.say(p.Issue, "mona", text)
			return o
		}
	}
	review := func(state string) func(*hosted, *ghtest.Pull) ran {
		return func(h *hosted, p *ghtest.Pull) ran {
			r := p.Review("mona", state, "I have looked at it.")
			return h.run("pull_request_review", h.repo.Event("pull_request_review", "submitted", ghtest.Happening{Pull: p, Review: r}))
		}
	}
	shut := func(reason string) func(*hosted, *ghtest.Pull) ran {
		return func(h *hosted, _ *ghtest.Pull) ran { return h.shut(h.issue(), "mona", reason) }
	}
	decided := map[string]string{"keep": "decided: merge it as it is.", "revise": "decided: changes first.", "reject": "decided: do not merge."}
	for name, c := range map[string]struct {
		answer        func(*hosted, *ghtest.Pull) ran
		check, option string
	}{
		"approve":              {review("APPROVED"), "success", "keep"},
		"close as completed":   {shut("completed"), "success", "keep"},
		"decide keep":          {command("/debate decide keep We have a backup."), "success", "keep"},
		"decide D0 keep":       {command("/debate decide D0 keep We have a backup."), "success", "keep"},
		"request changes":      {review("CHANGES_REQUESTED"), "failure", "revise"},
		"decide revise":        {command("/debate decide revise Keep a copy."), "failure", "revise"},
		"close as not planned": {shut("not_planned"), "failure", "reject"},
		"decide reject":        {command("/debate decide reject We need it."), "failure", "reject"},
	} {
		for _, manner := range []string{"bugs", "agree"} { // one recommends changes, the other keep or nothing
			t.Run(name+" against "+manner, func(t *testing.T) {
				t.Parallel()
				h, p := critical(t, manner, manner)
				c.answer(h, p).good(t)
				want(t, "check", h.check(p.Head()), c.check)
				want(t, "issue is open", h.issue().Open(), false)
				wantText(t, "issue", strings.Join(ours(h.issue().Comments()), "\n"), "mona "+decided[c.option])
				if manner == "agree" { // its parties find something new in whatever is pushed
					return
				}
				h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
				want(t, "check after a push elsewhere", h.check(p.Head()), c.check)
			})
		}
	}
}

// The issue says in a table what answers the question, the summary and the check where it
// is asked and which clicks on the pull request answer it.
func TestTheWaysToAnswerAreSaid(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	for _, row := range []string{
		"| merge it as it is | approve #", "`/debate decide keep WHY`", "| changes first | request changes on #", "`/debate decide revise WHY`",
		"| do not merge | close ", " as not planned", "`/debate decide reject WHY`",
	} {
		wantText(t, "issue", h.issue().Body(), row)
	}
	checks := h.repo.CheckRuns(p.Head())
	for where, text := range map[string]string{"summary": summaries(p)[0], "check": checks[len(checks)-1].Summary} {
		wantText(t, where, text, fmt.Sprintf("/issues/%d>), or approve or request changes on the pull request.", h.issue().Number))
	}
}
