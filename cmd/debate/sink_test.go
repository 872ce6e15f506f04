package main

import "testing"

// A question that the summary asks since no issue could be opened moves to an
// issue on the next head, once issues are there, and is decided there (R040, R042).
func TestAQuestionMovesFromTheCommentToTheIssue(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.DisableIssues()
	p := h.open("ada", drop)
	h.on(p, "opened").good(t)
	want(t, "issues", len(h.repo.Issues()), 0)

	h.repo.EnableIssues()
	h.push(p, map[string]string{"db/migrations/0003_c.up.sql": "DROP TABLE c;\n"}).good(t)
	i := h.issue()
	wantText(t, "the issue", i.Body(), "/debate decide keep WHY")
	h.heard(i, "mona", "/debate decide D0 revise Keep a copy.")
	want(t, "check once it is decided", h.check(p.Head()), "failure")
}
