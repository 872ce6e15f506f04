package main

import (
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// group runs the action for a group of a merge queue.
func (h *hosted) group(p *ghtest.Pull, from, head string) ran {
	h.t.Helper()
	return h.run("merge_group", h.repo.Event("merge_group", "checks_requested", ghtest.Happening{Pull: p, QueueBase: from, QueueHead: head}))
}

// agreed is a pull request whose check is a success.
func agreed(t *testing.T) (*hosted, *ghtest.Pull) {
	t.Helper()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides}, "operator-config", parties(t, "bugs", "bugs"))
	want(t, "check of the member", h.check(p.Head()), "success")
	return h, p
}

// A group of which nobody says who is in it is no success: no check of a member
// stands for it.
func TestAMergeGroupOfNobodyIsNoSuccess(t *testing.T) {
	t.Parallel()
	h, p := agreed(t)
	from, head := p.Enqueue()
	p.Dequeue()
	o := h.group(p, from, head).good(t)
	want(t, "check of a group that the queue does not know", h.check(head), "failure")
	wantText(t, "log", o.log, "does not say which pull requests are in the group")

	o = h.group(p, from, from).good(t)
	want(t, "check of a group without a commit", h.check(from), "failure")
	wantText(t, "log", o.log, "does not say which pull requests are in the group")
}

// The check of a member is the one that we wrote, not a newer one of another app
// with its name, whatever either says.
func TestAMergeGroupBelievesNoOtherApp(t *testing.T) {
	t.Parallel()
	h, p := agreed(t)
	own := h.repo.CheckRuns(p.Head())[0]
	h.repo.AddCheckRun(ghtest.CheckRun{App: 99, Name: "debate", HeadSHA: p.Head(), Conclusion: "failure", ExternalID: own.ExternalID})
	from, head := p.Enqueue()
	h.group(p, from, head).good(t)
	want(t, "check of the group where another app says failure", h.check(head), "success")

	h, p = asked(t, "sealed")
	own = h.repo.CheckRuns(p.Head())[0]
	h.repo.AddCheckRun(ghtest.CheckRun{App: 99, Name: "debate", HeadSHA: p.Head(), Conclusion: "success", ExternalID: own.ExternalID})
	from, head = p.Enqueue()
	h.group(p, from, head).good(t)
	want(t, "check of the group where another app says success", h.check(head), "failure")
}
