package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestSplit holds one review in three jobs that share no rights: the first reads,
// the second has no token, the third no key of a model.
func TestSplit(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": divides}))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "Divide", Body: "Ratio divides.", Head: "feature"})
	event := h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p})
	writer := h.token
	debaters, key := h.inputs["operator-config"], h.inputs["state-key"]
	bundle := filepath.Join(h.dir, "bundle")
	job := func(stage, token string, inputs map[string]string) ran {
		h.token, h.inputs = token, map[string]string{"stage": stage, "bundle": bundle}
		maps.Copy(h.inputs, inputs)
		return h.run("pull_request_target", event)
	}

	collect := job("collect", h.server.JobToken(map[string]string{"contents": "read", "pull-requests": "read", "issues": "read", "checks": "read"}), nil)
	if collect.code != 0 || collect.writes != 0 || !strings.Contains(collect.outputs, "next") || !strings.Contains(collect.outputs, "\ndebate\n") {
		t.Fatalf("collect: code %d, %d writes\n%s\n%s", collect.code, collect.writes, collect.outputs, collect.log)
	}
	models := job("debate", "", map[string]string{"operator-config": debaters})
	if models.code != 0 || len(models.requests) != 0 || !strings.Contains(models.log, "challenge  p1") {
		t.Fatalf("debate: code %d, %d requests\n%s", models.code, len(models.requests), models.log)
	}
	publish := job("publish", writer, map[string]string{"state-key": key, "operator-config": debaters})
	if publish.code != 0 || asking(publish) > 0 {
		t.Fatalf("publish: code %d\n%s", publish.code, publish.log)
	}
	wantText(t, "page", publish.page(t), "The divisor can be zero")
	if len(p.Comments()) != 1 || len(p.Inline()) != 1 || !strings.Contains(p.Inline()[0].Body(), "The divisor can be zero") {
		t.Errorf("%d comments, %d inline: %s", len(p.Comments()), len(p.Inline()), publish.log)
	}
	if runs := h.repo.CheckRuns(p.Head()); len(runs) != 1 || runs[0].Conclusion != "neutral" {
		t.Errorf("the check is %+v", runs)
	}

	again := job("collect", writer, nil)
	if again.code != 0 || !strings.Contains(again.outputs, "\npublish\n") {
		t.Errorf("a head that is reviewed is to be debated again: %s", again.outputs)
	}
}

// jobs runs the three jobs for an event, as far as each has something to do. Between
// the second and the third the bundle may be changed.
func (h *hosted) jobs(kind string, event []byte, meddle func(dir string), publish map[string]string) ran {
	h.t.Helper()
	h.runs++
	bundle := filepath.Join(h.dir, fmt.Sprintf("bundle%d", h.runs))
	writer, inputs := h.token, h.inputs
	job := func(stage, token string, more map[string]string) ran {
		h.token, h.inputs = token, map[string]string{"stage": stage, "bundle": bundle}
		maps.Copy(h.inputs, more)
		return h.run(kind, event)
	}
	collect := job("collect", h.server.JobToken(map[string]string{"contents": "read", "pull-requests": "read", "issues": "read", "checks": "read"}), nil).good(h.t)
	if strings.Contains(collect.outputs, "\ndebate\n") {
		job("debate", "", map[string]string{"operator-config": inputs["operator-config"]}).good(h.t)
		meddle(bundle)
	}
	o := job("publish", writer, publish)
	h.token, h.inputs = writer, inputs
	return o
}

func untouched(string) {}

// A publisher without a key would forget everything each time, and says so instead.
func TestAPublisherWithoutAKeySaysSo(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", drop)
	o := h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), untouched,
		map[string]string{"operator-config": h.inputs["operator-config"]})
	if o.code == 0 || o.writes > 0 {
		t.Errorf("exit code %d, writes %s", o.code, requests(o.changes))
	}
	wantText(t, "log", o.log, "state-key")
}

// What a debate in a job of its own left out is not answered, and the next one takes
// it up.
func TestADisputeThatTheDebateLeftOutIsNotAnswered(t *testing.T) {
	t.Parallel()
	h := host(t)
	keys := map[string]string{"operator-config": h.inputs["operator-config"], "state-key": h.inputs["state-key"]}
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), untouched, keys).good(t)
	c := p.Comment("ada", "/debate dispute F1 The divisor is never zero.")
	event := h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: c})
	forgets := func(dir string) {
		b, err := action.ReadBundle(dir, action.Debate, "acme/app")
		if err != nil {
			t.Fatal(err)
		}
		all := string(b.Record)
		at := strings.Index(all, `"disputed"`)
		if at < 0 {
			t.Fatalf("there is no dispute in the record:\n%s", all)
		}
		b.Record = []byte(all[:strings.LastIndexByte(all[:at], '\n')+1])
		if err := action.WriteBundle(dir, b); err != nil {
			t.Fatal(err)
		}
	}
	o := h.jobs("issue_comment", event, forgets, keys)
	if reactions := c.Reactions(ghtest.ActionsBot); slices.Contains(reactions, "+1") || slices.Contains(reactions, "confused") {
		t.Errorf("it was left out, and is answered %v:\n%s", reactions, o.log)
	}
	h.jobs("issue_comment", event, untouched, keys).good(t)
	wantText(t, "reactions once it was debated", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
}

// No comment stops a debate in another job, and the answer does not say that it does.
func TestAStopOfThreeJobsTellsTheTruth(t *testing.T) {
	t.Parallel()
	h := host(t)
	keys := map[string]string{"operator-config": h.inputs["operator-config"], "state-key": h.inputs["state-key"]}
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), untouched, keys).good(t)
	c := p.Comment("mona", "/debate stop")
	h.jobs("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: c}), untouched, keys).good(t)
	wantText(t, "reply", strings.Join(ours(p.Comments()), "\n"), "cancel the workflow run")
}

// Three jobs explain a finding to who asks in its thread, with the next event that starts
// them. What models would have to answer is left alone.
func TestThreeJobsExplainInAThread(t *testing.T) {
	t.Parallel()
	h := host(t)
	keys := map[string]string{"operator-config": h.inputs["operator-config"], "state-key": h.inputs["state-key"]}
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), untouched, keys).good(t)
	why := p.Inline()[0].Reply("mona", "why?")
	question := p.Inline()[0].Reply("mona", "Can the divisor be zero?")
	c := p.Comment("mona", "/debate status")
	o := h.jobs("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: c}), untouched, keys).good(t)
	wantText(t, "reply", p.Inline()[len(p.Inline())-1].Body(), "raised it")
	wantText(t, "reactions of the one that asks why", strings.Join(why.Reactions(ghtest.ActionsBot), " "), "+1")
	want(t, "reactions of the question", len(question.Reactions(ghtest.ActionsBot)), 0)
	want(t, "models asked", asking(o), 0)
}

// Three jobs cannot claim a head before they pay. Of two that debate one head the
// publisher that comes first is kept, and the other one says so.
func TestThePublisherKeepsTheFirst(t *testing.T) {
	t.Parallel()
	h := host(t)
	keys := map[string]string{"operator-config": h.inputs["operator-config"], "state-key": h.inputs["state-key"]}
	p := h.open("ada", map[string]string{"ratio.go": divides})
	event := h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p})
	first := *h
	first.dir = t.TempDir()
	o := h.jobs("pull_request_target", event, func(string) { first.jobs("pull_request_target", event, untouched, keys).good(t) }, keys).good(t)
	want(t, "writes of the second publisher", o.writes, 0)
	wantText(t, "log of the second publisher", o.log, "another run published a review of this head first")
	want(t, "summaries", len(summaries(p)), 1)
	want(t, "reviews", len(p.Reviews()), 1)
}

// TestThePublisherRefusesOtherReplies: the publisher holds the debate again with the replies
// that it is handed, and publishes nothing if something else comes out.
func TestThePublisherRefusesOtherReplies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meddle func(t *testing.T, b *action.Bundle, other action.Bundle)
		want   string
	}{
		"of another pull request": {func(_ *testing.T, b *action.Bundle, other action.Bundle) {
			b.Replies = other.Replies
		}, "cannot be trusted"},
		"a record of another pull request": {func(_ *testing.T, b *action.Bundle, other action.Bundle) {
			b.Record, b.Replies = other.Record, other.Replies
		}, "has moved on"},
		"a milder reply": {func(t *testing.T, b *action.Bundle, _ action.Bundle) {
			text := string(b.Replies)
			milder := strings.Replace(text, `revise`, `keep`, 1)
			if milder == text {
				t.Fatalf("nothing is milder:\n%s", text)
			}
			b.Replies = []byte(milder)
		}, "answers another prompt"},
		"none": {func(_ *testing.T, b *action.Bundle, _ action.Bundle) { b.Replies = nil }, "read the replies"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			keys := map[string]string{"operator-config": h.inputs["operator-config"], "state-key": h.inputs["state-key"]}
			read := func(dir string) action.Bundle {
				b, err := action.ReadBundle(dir, action.Debate, "acme/app")
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			var other action.Bundle
			q := h.open("mona", map[string]string{"mean.go": strings.ReplaceAll(divides, "Ratio", "Mean")})
			h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: q}), func(dir string) { other = read(dir) }, keys).good(t)
			p := h.open("ada", map[string]string{"ratio.go": divides})
			o := h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), func(dir string) {
				b := read(dir)
				c.meddle(t, &b, other)
				if err := action.WriteBundle(dir, b); err != nil {
					t.Fatal(err)
				}
			}, keys)
			wantText(t, "log", o.log, c.want)
			if len(p.Comments()) > 0 || len(p.Inline()) > 0 || o.code == 0 && c.want != "has moved on" {
				t.Errorf("code %d, %d comments, %d inline\n%s", o.code, len(p.Comments()), len(p.Inline()), o.log)
			}
		})
	}
}
