package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// A first review of a hundred files takes at most eighteen reads and six writes, and
// the same event again writes nothing.
func TestFirstReviewOfAHundredFilesKeepsItsBudget(t *testing.T) {
	t.Parallel()
	files := func(text string) map[string]string {
		all := map[string]string{}
		for i := range 100 {
			all[fmt.Sprintf("pkg/f%02d.go", i)] = fmt.Sprintf("package pkg\n\nfunc F%d(a, b int) int {\n\treturn a %s b\n}\n", i, text)
		}
		return all
	}
	for _, what := range []string{"added", "modified"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			if what == "modified" { // both sides are read
				h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), files("*")))
			}
			p := h.open("ada", files("/"))
			o := h.on(p, "opened").good(t)
			if o.reads > 18 || o.writes > 6 {
				t.Errorf("%d reads and %d writes:\n%s", o.reads, o.writes, requests(o.requests))
			}
			t.Logf("%d reads, %d writes", o.reads, o.writes)
			want(t, "summaries", len(summaries(p)), 1)
			want(t, "check", h.check(p.Head()), "neutral")
			if again := h.on(p, "synchronize").good(t); again.writes > 0 {
				t.Errorf("nothing new, and %d writes:\n%s", again.writes, requests(again.changes))
			}
		})
	}
}

// Whatever event comes for a head that is reviewed, nothing is written.
func TestNothingNewWritesNothing(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", drop)
	i := h.issue()
	for name, run := range map[string]func() ran{
		"synchronize": func() ran { return h.on(p, "synchronize") },
		"ready":       func() ran { return h.on(p, "ready_for_review") },
		"sweep":       h.sweep,
		"issue edited": func() ran {
			return h.run("issues", h.repo.Event("issues", "edited", ghtest.Happening{Issue: i, Sender: "olive", BodyBefore: "x"}))
		},
		"review": func() ran {
			r := p.Review("olive", "APPROVED", "Fine.")
			return h.run("pull_request_review", h.repo.Event("pull_request_review", "submitted", ghtest.Happening{Pull: p, Review: r}))
		},
		"chat": func() ran { _, o := h.say(p.Issue, "olive", "I wonder whether /debate would like that."); return o },
	} {
		if o := run().good(t); o.writes > 0 && name != "review" {
			t.Errorf("%s: %d writes:\n%s", name, o.writes, requests(o.changes))
		}
	}
}

// What asks for no review gets none: a check and a step summary, no comment.
func TestSkippedPullRequestsGetACheckAndNoComment(t *testing.T) {
	t.Parallel()
	manifest := map[string]string{"go.mod": "module app\n\nrequire example.com/a v1.2.3\n"}
	for name, c := range map[string]struct {
		author string
		change map[string]string
		pull   ghtest.NewPull
	}{
		"draft":        {"ada", map[string]string{"ratio.go": divides}, ghtest.NewPull{Draft: true}},
		"label":        {"ada", map[string]string{"ratio.go": divides}, ghtest.NewPull{Labels: []string{"no-debate"}}},
		"bot manifest": {"renovate[bot]", manifest, ghtest.NewPull{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{"go.mod": "module app\n\nrequire example.com/a v1.2.2\n"}))
			h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), c.change))
			c.pull.Title, c.pull.Head = "A change", "feature"
			p := h.repo.OpenPull(c.author, c.pull)
			o := h.on(p, "opened").good(t)
			want(t, "check", h.check(p.Head()), "neutral")
			want(t, "comments", len(p.Comments()), 0)
			wantText(t, "step summary", o.summary, "### debate: not reviewed: ")
			if again := h.on(p, "synchronize").good(t); again.writes > 0 {
				t.Errorf("again: %s", requests(again.changes))
			}
			if name == "draft" {
				h.say(p.Issue, "mona", "/debate run")
				want(t, "summaries once somebody asked", len(summaries(p)), 1)
				p.SetDraft(false)
				h.on(p, "ready_for_review").good(t)
				want(t, "summaries once it is ready", len(summaries(p)), 1)
			}
		})
	}
}

// A bot's update is skipped if the bot made all of its commits, as GitHub tells, and nothing
// but versions changed.
func TestABotsUpdateIsSkippedForItsOwnCommits(t *testing.T) {
	t.Parallel()
	const manifest, updated = "module app\n\nrequire example.com/a v1.2.2\n", "module app\n\nrequire example.com/a v1.2.3\n"
	for name, c := range map[string]struct {
		manifest string
		made     func(h *hosted, first, head string)
		skipped  bool
	}{
		"its own":               {updated, func(*hosted, string, string) {}, true},
		"a replacement":         {updated + "\nreplace example.com/a => evil.example/a v1.2.3\n", func(*hosted, string, string) {}, false},
		"a person's head":       {updated, func(h *hosted, _, head string) { h.repo.MadeBy(head, "olive") }, false},
		"a person's first":      {updated, func(h *hosted, first, _ string) { h.repo.MadeBy(first, "olive") }, false},
		"another bot's":         {updated, func(h *hosted, _, head string) { h.repo.MadeBy(head, "helper[bot]") }, false},
		"unknown to GitHub":     {updated, func(h *hosted, _, head string) { h.repo.MadeBy(head, "") }, false},
		"with a co-author":      {updated, func(h *hosted, _, head string) { h.repo.MadeBy(head, "dependabot[bot]", "olive") }, false},
		"committed by a person": {updated, func(h *hosted, _, head string) { h.repo.CommittedBy(head, "olive") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{"go.mod": manifest}))
			first := h.repo.Change(h.repo.Branch("main"), map[string]string{"go.mod": strings.Replace(updated, "v1.2.3", "v1.2.9", 1)})
			head := h.repo.Change(first, map[string]string{"go.mod": c.manifest})
			h.repo.MadeBy(first, "dependabot[bot]")
			h.repo.MadeBy(head, "dependabot[bot]")
			c.made(h, first, head)
			h.repo.SetBranch("bump", head)
			p := h.repo.OpenPull("dependabot[bot]", ghtest.NewPull{Title: "Bump a", Head: "bump"})
			h.on(p, "opened").good(t)
			checks := h.repo.CheckRuns(p.Head())
			want(t, "checks", len(checks), 1)
			want(t, "skipped", strings.Contains(checks[0].Title, "a bot changed only dependencies"), c.skipped)
		})
	}
}

// A head that was skipped gets its review once the gate is required: its check lets it merge.
func TestASkippedHeadIsReviewedOnceTheGateIsRequired(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"README.md": "# App\n\nIt adds numbers.\n"}, "operator-config", parties(t, "bugs", "bugs"))
	want(t, "check of documentation", h.check(p.Head()), "neutral")
	want(t, "writes of a sweep", h.sweep().good(t).writes, 0)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "version: 1\ngate: required\n"}))
	h.sweep().good(t)
	want(t, "check under the gate", h.check(p.Head()), "success")
	want(t, "writes of another sweep", h.sweep().good(t).writes, 0)
	wantText(t, "summary", summaries(p)[0], "### debate: no problems found")
}

// A pull request that is closed is not reviewed, whoever asks.
func TestAClosedPullRequestIsNotReviewed(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	p.Close("ada", "")
	h.idle(h.on(p, "closed"), "writes")
	h.reacts("confused", p.Issue, "mona", "/debate run")
	want(t, "check", h.check(p.Head()), "")
	p.Reopen("ada")
	h.on(p, "reopened").good(t)
	want(t, "check once it is open again", h.check(p.Head()), "neutral")
}

// An event of our own comments, or a command that is told of again and again,
// starts nothing.
func TestOurOwnCommentsStartNothing(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	for range 100 {
		o := h.run("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: p.Comments()[0]})).good(t)
		if len(o.requests) > 0 {
			t.Fatalf("requests: %s", requests(o.requests))
		}
	}
	c, _ := h.say(p.Issue, "olive", "/debate help")
	answers := len(p.Comments())
	for range 10 {
		h.run("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: c, Sender: "root"})).good(t)
	}
	want(t, "comments", len(p.Comments()), answers)
}

// The settings of the base side that are broken or too large fail the check, and say where.
func TestBrokenSettingsFailWithLineAndColumn(t *testing.T) {
	t.Parallel()
	for text, at := range map[string]string{
		"version: 1\nmode: code\nlimits: {max_calls: many}\n": ".github/debate.yml:3:",
		"version: 1\n" + strings.Repeat("# much\n", 10_000):   ".github/debate.yml:1:1: the file is too large",
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": text}))
			p := h.open("ada", map[string]string{"ratio.go": divides})
			o := h.on(p, "opened").good(t)
			want(t, "check", h.check(p.Head()), "failure")
			wantText(t, "step summary", o.summary, at)
			wantText(t, "summary", summaries(p)[0], at)
		})
	}
}

// Settings that a pull request proposes do nothing.
func TestProposedSettingsAreInactive(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides, ".github/debate.yml": "version: 1\npublish: {inline: none}\n"})
	if len(p.Inline()) == 0 {
		t.Error("no inline comment: the proposed settings count")
	}
	wantText(t, "summary", summaries(p)[0], "count once they are merged")
	want(t, "check", h.check(p.Head()), "action_required") // who reviews is governance
}

// Behind 650 comments of others the summary is found, and not written twice (R20).
func TestTheSummaryIsFoundBehind650Comments(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	for range 325 {
		p.Comment("olive", "Hm.")
	}
	h.on(p, "opened").good(t)
	for range 325 {
		p.Comment("olive", "Hm.")
	}
	o := h.on(p, "synchronize").good(t)
	want(t, "writes", o.writes, 0)
	if o.reads > 12 {
		t.Errorf("%d reads:\n%s", o.reads, requests(o.requests))
	}
	h.push(p, map[string]string{"more.go": "package app\n"}).good(t)
	want(t, "summaries", len(summaries(p)), 1)
}

// A sweep makes up for an event that was lost, and begins nothing of long ago.
func TestASweepGoesOnWithWhatWasBegunAndBeginsNothingOld(t *testing.T) {
	t.Parallel()
	h := host(t)
	unseen := h.open("ada", map[string]string{"other.go": "package app\n"})
	h.server.Advance(49 * time.Hour)
	seen := h.open("ada", map[string]string{"ratio.go": divides})
	h.on(seen, "opened").good(t)
	seen.Push(h.repo.Change(seen.Head(), map[string]string{"more.go": "package app\n"})) // and no event
	h.sweep().good(t)
	want(t, "check of the head whose event was lost", h.check(seen.Head()), "neutral")
	want(t, "comments where nobody asked", len(unseen.Comments()), 0)
	want(t, "check where nobody asked", h.check(unseen.Head()), "")
}

// The first review is held by a sweep if the event of the opening was lost, and once.
func TestASweepHoldsAFirstReviewThatWasLost(t *testing.T) {
	t.Parallel()
	h := host(t)
	p, draft := h.open("ada", map[string]string{"ratio.go": divides}), h.open("ada", map[string]string{"other.go": "package app\n"})
	draft.SetDraft(true)
	h.sweep().good(t)
	want(t, "summaries", len(summaries(p)), 1)
	want(t, "check", h.check(p.Head()), "neutral")
	want(t, "comments on a draft", len(draft.Comments()), 0)
	o := h.sweep().good(t)
	want(t, "writes of the next sweep", o.writes, 0)
	want(t, "questions by the next sweep", asking(o), 0)
}

// Stop ends a debate before its next round; what was said so far is published.
func TestStopEndsARunningDebate(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "agree", "object")
	p := h.open("ada", map[string]string{"ratio.go": divides})
	var stop *ghtest.Comment
	h.between(func(_ int, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs") {
			stop = p.Comment("mona", "/debate stop")
			h.server.Advance(2 * time.Minute)
		}
	})
	o := h.on(p, "opened").good(t)
	if strings.Contains(o.log, "REBUT") || strings.Contains(o.log, "SCORE") {
		t.Errorf("it went on:\n%s", o.log)
	}
	want(t, "summaries", len(summaries(p)), 1)
	want(t, "reaction", strings.Join(stop.Reactions(ghtest.ActionsBot), " "), "+1")
	h.idle(h.run("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: stop})), "writes for the event of the comment")
}
