package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// An earlierReview is a pull request whose summary holds what version 3 of the
// protocol sealed there: F1 in the migration, F2 in the code, $0.42 spent, and mona's
// decision to keep the change. Her comment is gone.
func earlierReview(t *testing.T) (*hosted, *ghtest.Pull) {
	t.Helper()
	h := host(t)
	h.hasty = true // the name of the session that was sealed follows from the time
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	first := h.repo.Change(h.repo.Branch("main"), map[string]string{
		"ratio.go":                    "package app\n\nfunc Ratio(a, b int) int {\n\treturn a / b // BUG: b can be zero\n}\n",
		"db/migrations/0002_b.up.sql": "DROP TABLE a;\n",
	})
	second := h.repo.Change(first, map[string]string{"README.md": "Hello.\n"})
	h.repo.SetBranch("change", first)
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Body: "It changes something.", Head: "change"})
	h.on(p, "opened").good(t)
	p.Push(second)
	h.run("pull_request", h.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: first})).good(t)
	h.server.Advance(7 * time.Second) // the version before waited between its writes, and sealed the name of its session
	command, o := h.say(p.Issue, "mona", "/debate decide D0 keep Nobody reads it.")
	o.good(t)
	command.Delete()
	block, err := os.ReadFile(filepath.Join("testdata", "checkpoint-3.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Comments() {
		if c.Author() == ghtest.ActionsBot {
			c.Edit(ghtest.ActionsBot, comment.Resealed(c.Body(), strings.TrimSpace(string(block))))
		}
	}
	return h, p
}

// What version 3 sealed is taken over: findings keep their names, costs are
// counted, and what a person decided holds for the same lines.
func TestACheckpointOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change map[string]string
		says   string
		inline int
	}{
		"the linked lines are the same": {map[string]string{"README.md": "Hello again.\n"}, "mona decided to merge an earlier commit as it is. That is not about F2", 2},
		"the linked lines are others":   {map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\nDROP TABLE users;\n"}, "### debate: waits for a decision", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := earlierReview(t)
			if o := h.sweep().good(t); o.writes > 0 {
				t.Errorf("nothing is new, and the sweep writes %s", requests(o.changes))
			}
			h.push(p, c.change).good(t)
			want(t, "check", h.check(p.Head()), "action_required") // no answer of then says which findings it is about
			summary := strings.Join(summaries(p), "\n")
			for _, text := range []string{
				"F1 | [db/migrations/0002", "F2 | [ratio.go:4]", `All reviews of this pull request: \$0.42`,
				"the last review was made under version 3 of the protocol", c.says,
			} {
				wantText(t, "summary", summary, text)
			}
			want(t, "inline comments", len(p.Inline()), c.inline)
			if o := h.sweep().good(t); o.writes > 0 {
				t.Errorf("the next sweep writes %s", requests(o.changes))
			}
		})
	}
}

// A head that version 3 reviewed is reviewed anew where somebody asks for it, and
// what was decided about the same lines holds.
func TestAHeadThatTheVersionBeforeReviewed(t *testing.T) {
	t.Parallel()
	h, p := earlierReview(t)
	_, o := h.say(p.Issue, "ada", "/debate run")
	o.good(t)
	want(t, "check", h.check(p.Head()), "success")
	wantText(t, "summary", strings.Join(summaries(p), "\n"), "mona: \"Nobody reads it\".")
}
