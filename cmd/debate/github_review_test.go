package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/gh/ghtest"
)

// A first review of a hundred files takes at most ten reads and six writes, and
// the same event again writes nothing (S23).
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
			if o.reads > 10 || o.writes > 6 {
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
	h := host(t)
	p := h.open("ada", drop)
	h.on(p, "opened").good(t)
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

// What asks for no review gets none: a check and a step summary, no comment (S07).
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
			h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), c.change))
			c.pull.Title, c.pull.Head = "A change", "feature"
			p := h.repo.OpenPull(c.author, c.pull)
			o := h.on(p, "opened").good(t)
			want(t, "check", h.check(p.Head()), "neutral")
			want(t, "comments", len(p.Comments()), 0)
			wantText(t, "step summary", o.summary, "skip")
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

// A pull request that is closed is not reviewed, whoever asks (S07).
func TestAClosedPullRequestIsNotReviewed(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	p.Close("ada", "")
	o := h.on(p, "closed").good(t)
	want(t, "writes", o.writes, 0)
	c, o := h.say(p.Issue, "mona", "/debate run")
	o.good(t)
	want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "confused")
	want(t, "check", h.check(p.Head()), "")
	p.Reopen("ada")
	h.on(p, "reopened").good(t)
	want(t, "check once it is open again", h.check(p.Head()), "neutral")
}

// An event of our own comments, or a command that is told of again and again,
// starts nothing (T11).
func TestOurOwnCommentsStartNothing(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.on(p, "opened").good(t)
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

// The settings of the base side that are broken fail the check, and say where (S18).
func TestBrokenSettingsFailWithLineAndColumn(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "version: 1\nmode: code\nlimits: {max_calls: many}\n"}))
	p := h.open("ada", map[string]string{"ratio.go": divides})
	o := h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "failure")
	wantText(t, "step summary", o.summary, ".github/debate.yml:3:")
	wantText(t, "summary", summaries(p)[0], "debate.yml:3:")
}

// Settings that a pull request proposes do nothing (S02, T22).
func TestProposedSettingsAreInactive(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides, ".github/debate.yml": "version: 1\npublish: {inline: none}\n"})
	h.on(p, "opened").good(t)
	if len(p.Inline()) == 0 {
		t.Error("no inline comment: the proposed settings count")
	}
	wantText(t, "summary", summaries(p)[0], "inactive")
	want(t, "check", h.check(p.Head()), "action_required") // who reviews is governance
}

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
	wantText(t, "what the run left", stray, "no part of the latest review")
	wantText(t, "what the run left", stray, "one is wrong")
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
	if o.writes == 0 || !strings.Contains(o.log, "asking p0") {
		t.Errorf("it was not reviewed anew:\n%s", o.log)
	}
	want(t, "summaries", len(summaries(p)), 1)
	want(t, "inline comments", len(p.Inline()), 1)
}

// A green check belongs to a commit, and so to all pull requests that share it (T46).
func TestASiblingWithTheSameHeadGetsNoGreen(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	h.repo.SetBranch("release", h.repo.Branch("main"))
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.on(p, "opened").good(t)
	want(t, "check alone", h.check(p.Head()), "success")
	h.repo.SetBranch("twin", p.Head())
	twin := h.repo.OpenPull("ada", ghtest.NewPull{Title: "The same", Head: "twin", Base: "release"})
	h.on(twin, "opened").good(t)
	want(t, "check of two", h.check(p.Head()), "neutral")
	wantText(t, "summary", summaries(twin)[0], "#1")
}

// A merge group asks no model: it succeeds if its members did (S23).
func TestAMergeGroupSucceedsIfItsMembersDid(t *testing.T) {
	t.Parallel()
	for manner, conclusion := range map[string]string{"bugs": "success", "agree": "failure"} {
		t.Run(conclusion, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"] = parties(t, manner, manner)
			p := h.open("ada", map[string]string{"ratio.go": divides})
			h.on(p, "opened").good(t)
			from, head := p.Enqueue()
			o := h.run("merge_group", h.repo.Event("merge_group", "checks_requested", ghtest.Happening{Pull: p, QueueBase: from, QueueHead: head})).good(t)
			want(t, "check of the group", h.check(head), conclusion)
			if strings.Contains(o.log, "asking") {
				t.Errorf("a model was asked:\n%s", o.log)
			}
			again := h.run("merge_group", h.repo.Event("merge_group", "checks_requested", ghtest.Happening{Pull: p, QueueBase: from, QueueHead: head})).good(t)
			want(t, "writes of the same event again", again.writes, 0)
		})
	}
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

// A review that GitHub refuses as a whole because of some of its comments loses no
// finding: what no line carries stands in the summary (R18).
func TestFindingsThatNoLineTakesStandInTheSummary(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs") + "limits: {max_claims: 50}\npublish: {max_inline: 60}\n"
	change := map[string]string{}
	for i := range 6 {
		var text strings.Builder
		fmt.Fprintf(&text, "package app\n")
		for n := range 8 {
			fmt.Fprintf(&text, "\nvar v%d%d = %d // BUG: number %d%d is wrong\n", i, n, n, i, n)
		}
		change[fmt.Sprintf("part%d.go", i)] = text.String()
	}
	p := h.open("ada", change)
	h.server.Fault(func(_ int, r *http.Request) ghtest.Fault {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/reviews") {
			body, _ := io.ReadAll(r.Body)
			if bytes.Contains(body, []byte("number 33 is wrong")) {
				return ghtest.Fault{Status: http.StatusUnprocessableEntity, Message: "Unprocessable Entity"}
			}
		}
		return ghtest.Fault{}
	})
	o := h.on(p, "opened").good(t)
	if o.writes > 14 {
		t.Errorf("%d writes:\n%s", o.writes, requests(o.changes))
	}
	var all strings.Builder
	for _, c := range p.Inline() {
		all.WriteString(c.Body())
	}
	if len(p.Inline()) < 40 {
		t.Errorf("only %d inline comments", len(p.Inline()))
	}
	all.WriteString(summaries(p)[0])
	wantText(t, "summary", summaries(p)[0], "The cited line owns to a bug: number 33 is wrong.") // in full
	for i := range 6 {
		for n := range 8 {
			if !strings.Contains(all.String(), fmt.Sprintf("number %d%d is wrong", i, n)) {
				t.Errorf("finding %d%d is nowhere to be seen", i, n)
			}
		}
	}
	h.server.Fault(nil)
	if again := h.on(p, "synchronize").good(t); again.writes > 0 {
		t.Errorf("again: %s", requests(again.changes))
	}
}

// What two runs at the same time posted twice, the next run heals (R22).
func TestDuplicatesAreHealedByTheNextRun(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.on(p, "opened").good(t)
	twin := p.Comment(ghtest.ActionsBot, summaries(p)[0])
	h.push(p, map[string]string{"more.go": "package app\n"}).good(t)
	wantText(t, "the second summary", twin.Body(), "posted twice by mistake")
	o := h.on(p, "synchronize").good(t)
	want(t, "writes after that", o.writes, 0)
}

// A sweep makes up for an event that was lost, and begins nothing of long ago
// (S19).
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

// One reminder after three days, and no second one.
func TestAWaitingDecisionIsRemindedOfOnce(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", drop)
	h.on(p, "opened").good(t)
	for _, wait := range []time.Duration{time.Hour, 71 * time.Hour, 24 * time.Hour, 30 * 24 * time.Hour} {
		h.server.Advance(wait)
		h.sweep().good(t)
	}
	reminders := 0
	for _, text := range ours(h.issue().Comments()) {
		if strings.Contains(text, "This is the only reminder") {
			reminders++
		}
	}
	want(t, "reminders", reminders, 1)
}

// Two runs at the same time leave one summary, one review and one issue to read,
// at the latest once the next sweep has healed it (R22).
func TestTwoRunsAtOnceLeaveOneOfEach(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", drop)
	event := h.repo.Event("pull_request", "opened", ghtest.Happening{Pull: p})
	var group sync.WaitGroup
	results := make([]ran, 2)
	for i := range results {
		twin := *h
		twin.dir = t.TempDir()
		group.Go(func() { results[i] = twin.run("pull_request", event) })
	}
	group.Wait()
	for _, o := range results {
		o.good(t)
	}
	h.sweep().good(t)
	open, live, inline := 0, 0, map[string]int{}
	for _, i := range h.repo.Issues() {
		if i.Open() {
			open++
		}
	}
	for _, text := range summaries(p) {
		if !strings.Contains(text, "posted twice by mistake") {
			live++
		}
	}
	for _, c := range p.Inline() {
		if !strings.Contains(c.Body(), "posted twice by mistake") {
			inline[unhidden(c.Body())]++
		}
	}
	want(t, "open issues", open, 1)
	want(t, "summaries", live, 1)
	for text, n := range inline {
		want(t, "inline comments with the text "+text, n, 1)
	}
	want(t, "check", h.check(p.Head()), "action_required")
	h.on(p, "synchronize").good(t)
	o := h.on(p, "synchronize").good(t)
	want(t, "writes after that", o.writes, 0)
	for _, i := range h.repo.Issues() {
		if i.Open() {
			h.shut(i, "mona", "not_planned").good(t)
		}
	}
	want(t, "check once the issue is closed", h.check(p.Head()), "failure")
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
	o = h.run("issue_comment", h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: stop})).good(t)
	want(t, "writes for the event of the comment", o.writes, 0)
}

// What a finding suggests can be taken over with one click where it stands for the
// cited lines, but not in a file that policy names: there it is text (T74).
func TestASuggestionIsOfferedWhereItMayBe(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{
		"ratio.go":                    "package app\n\nvar a = 1 // BUG: one is wrong -> var a = 2\n\nvar b = 1 // BUG: so is this -> @acme/owners ```\n",
		"db/migrations/0002_b.up.sql": "DROP TABLE a; -- BUG: it is lost -> ALTER TABLE a RENAME TO b;\n",
	})
	h.on(p, "opened").good(t)
	const offer, text = "Machine-written and unverified:\n\n```suggestion\n", "Suggestion, unverified"
	seen := 0
	for _, c := range p.Inline() {
		body := c.Body()
		switch {
		case strings.Contains(body, "one is wrong"):
			wantText(t, "a suggestion", body, offer+"var a = 2\n```\n")
			want(t, "a suggestion also stands as text", strings.Contains(body, text), false)
		case strings.Contains(body, "so is this"), strings.Contains(body, "it is lost"):
			want(t, "a suggestion is offered", strings.Contains(body, "```suggestion"), false)
			wantText(t, "a suggestion that is only text", body, text)
		default:
			continue
		}
		seen++
	}
	want(t, "findings with a suggestion", seen, 3)
	if again := h.on(p, "synchronize").good(t); again.writes > 0 {
		t.Errorf("again: %s", requests(again.changes))
	}
}

// A thread that a person answered or resolved is left alone, whatever becomes of
// its finding.
func TestAThreadThatAPersonAnsweredIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong\n\nvar b = 2 // BUG: two is off\n\nvar c = 3 // BUG: three is much\n"})
	h.on(p, "opened").good(t)
	all := p.Inline()
	p.Reply("olive", all[0], "I see.")
	p.Resolve("ada", all[1])
	before := []string{all[0].Body(), all[1].Body()}
	h.push(p, map[string]string{"ratio.go": "package app\n\nvar all = 6\n"}).good(t)
	want(t, "the thread with an answer", all[0].Body(), before[0])
	want(t, "the resolved thread", all[1].Body(), before[1])
	wantText(t, "the other thread", all[2].Body(), "No longer there")
	want(t, "check", h.check(p.Head()), "success")
}

// What the critic found stands once on the next head, under the name that it had,
// wherever its line is by then.
func TestTheCriticsFindingStandsOnceOnTheNextHead(t *testing.T) {
	t.Parallel()
	for _, models := range []bool{true, false} {
		h := host(t)
		if !models {
			delete(h.inputs, "operator-config")
		}
		p := h.open("ada", map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\n"})
		h.on(p, "opened").good(t)
		about := func() (n int) {
			for _, c := range p.Inline() {
				n += strings.Count(c.Body(), "Migration drops table a")
			}
			return n
		}
		want(t, "comments about it", about(), 1)
		h.push(p, map[string]string{"db/migrations/0002_b.up.sql": "-- no longer used\n\nDROP TABLE a;\n"}).good(t)
		want(t, "comments about it after the push", about(), 1)
		summary := unhidden(summaries(p)[0])
		want(t, "findings in the summary", strings.Count(summary, "- **P1** F1 "), 1)
		want(t, "P1 findings in the summary", strings.Count(summary, "- **P1** "), 1)
	}
}

// Two threads never carry one F id, whatever became of the run that gave it (S11).
func TestAnFIDKeepsItsMeaning(t *testing.T) {
	t.Parallel()
	const two = "package app\n\nvar a = 1 // BUG: alpha is wrong\n\nvar z = 1\n\nvar b = 2 // BUG: beta is wrong\n"
	const later = "package app\n\nvar z = 1\n\nvar b = 2 // BUG: beta is wrong\n\nvar c = 3 // BUG: gamma is wrong\n"
	for name, lose := range map[string]func(h *hosted, p *ghtest.Pull){
		"the head moved while it was published": func(h *hosted, p *ghtest.Pull) {
			h.between(func(_ int, r *http.Request) {
				if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/reviews") {
					p.Push(h.repo.Change(p.Head(), map[string]string{"ratio.go": later}))
					h.server.Advance(10 * time.Second)
				}
			})
			h.on(p, "opened").good(t)
			h.env = map[string]string{}
			h.on(p, "synchronize").good(t)
		},
		"somebody edited the summary": func(h *hosted, p *ghtest.Pull) {
			h.on(p, "opened").good(t)
			c := p.Comments()[0]
			c.Edit("ada", c.Body()+"\nIndeed.")
			h.push(p, map[string]string{"ratio.go": later}).good(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"] = parties(t, "bugs", "bugs")
			p := h.open("ada", map[string]string{"ratio.go": two})
			lose(h, p)
			all := p.Inline()
			if len(all) != 3 {
				t.Fatalf("%d inline comments", len(all))
			}
			wantText(t, "alpha", all[0].Body(), "no part of the latest review")
			for i, f := range []string{"F2", "F3"} {
				wantText(t, f, all[i+1].Body(), f+". Wrong?")
			}
			h.say(p.Issue, "mona", "/debate dismiss F2 Beta is fine.")
			h.on(p, "synchronize").good(t)
			wantText(t, "the thread of what was dismissed", all[1].Body(), "No longer there")
			wantText(t, "the other thread", all[2].Body(), "F3. Wrong?")
		})
	}
}
