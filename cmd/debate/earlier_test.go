package main

import (
	"os"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// earlierReview is a pull request with the state that the last build of version 4 of the protocol
// sealed: mona decided to merge the change, and dismissed F2. Her decision is deleted, so the state
// alone has it.
func earlierReview(t *testing.T) (*hosted, *ghtest.Pull) {
	t.Helper()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	h.repo.SetBranch("change", h.repo.Change(h.repo.Branch("main"), map[string]string{
		"ratio.go":                    "package app\n\nfunc Ratio(a, b int) int {\n\treturn a / b // BUG: b can be zero\n}\n",
		"db/migrations/0002_b.up.sql": "DROP TABLE a;\n",
	}))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Body: "It changes something.", Head: "change"})
	h.on(p, "opened").good(t)
	command, o := h.say(p.Issue, "mona", "/debate decide D0 keep Nobody reads it.")
	o.good(t)
	h.heard(p.Issue, "mona", "/debate dismiss F2 It is guarded elsewhere.")
	command.Delete()
	block, err := os.ReadFile("../../internal/pull/testdata/checkpoint-4.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Comments() {
		if strings.HasPrefix(c.Body(), "<!-- debate:summary v1 -->") {
			c.Edit(ghtest.ActionsBot, comment.Resealed(c.Body(), strings.TrimSpace(string(block))))
		}
	}
	return h, p
}

// TestACheckpointOfVersion4: after an update the decision of a person holds for the same lines, the dismissal
// holds, and the findings keep their names.
func TestACheckpointOfVersion4(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change map[string]string
		check  string
	}{
		"the lines are the same": {map[string]string{"README.md": "Hello.\n"}, "success"},
		"the lines are others":   {map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\nDROP TABLE users;\n"}, "action_required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := earlierReview(t)
			h.push(p, c.change).good(t)
			want(t, "check", h.check(p.Head()), c.check)
			summary := strings.Join(summaries(p), "\n")
			wantText(t, "summary", summary, "what people decided and dismissed is kept")
			wantText(t, "summary", summary, "mona dismissed it")
			if o := h.sweep().good(t); o.writes > 0 {
				t.Errorf("the next sweep writes %s", requests(o.changes))
			}
		})
	}
}
