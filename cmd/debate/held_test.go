package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// readme is a change that is nothing to object to.
var readme = map[string]string{"README.md": "# App\n"}

// tooLarge is a migration with more findings than a summary has room to remember.
func tooLarge() string {
	var sql strings.Builder
	for i := range 80 {
		sql.WriteString("DROP TABLE t_")
		for j := range 12 {
			sum := sha256.Sum256([]byte(fmt.Sprint(i, j)))
			sql.WriteString(hex.EncodeToString(sum[:]))
		}
		sql.WriteString(";\n")
	}
	return sql.String()
}

// memories are the ways in which the next run knows of a review: all of it, all of
// it but sealed by nobody, and no more than that there was one.
var memories = []string{"sealed", "unsealed", "stub"}

// dropping is a repository with a pull request of an author that drops a table and
// divides by what may be zero, so that a person is asked. It is not reviewed yet.
func dropping(t *testing.T, author, memory string) (*hosted, *ghtest.Pull) {
	t.Helper()
	h := host(t)
	change := maps.Clone(drop)
	change["ratio.go"] = divides
	switch memory {
	case "unsealed":
		delete(h.inputs, "state-key")
	case "stub":
		change["db/migrations/0002_b.up.sql"] = tooLarge()
	}
	return h, h.open(author, change)
}

// asked is dropping's pull request by ada, reviewed.
func asked(t *testing.T, memory string) (*hosted, *ghtest.Pull) {
	t.Helper()
	h, p := dropping(t, "ada", memory)
	h.on(p, "opened").good(t)
	want(t, memory+": check of the review", h.check(p.Head()), "action_required")
	h.server.Advance(time.Minute)
	return h, p
}

// dividing is a reviewed pull request whose finding fails the check.
func dividing(t *testing.T) (*hosted, *ghtest.Pull) {
	t.Helper()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides}, "fail-on", "P2")
	want(t, "check of the review", h.check(p.Head()), "failure")
	return h, p
}

// A head that is skipped, as a draft or for its label, is no answer to what the
// review of an earlier one came to.
func TestASkipTakesAwayNothing(t *testing.T) {
	t.Parallel()
	skips := map[string]func(*ghtest.Pull){
		"draft": func(p *ghtest.Pull) { p.SetDraft(true) },
		"label": func(p *ghtest.Pull) { p.AddLabel("ada", "no-debate") },
	}
	for name, skip := range skips {
		h, p := dividing(t)
		skip(p)
		h.push(p, readme).good(t)
		want(t, name+": check where it failed", h.check(p.Head()), "failure")

		for _, memory := range []string{"sealed", "unsealed"} {
			h, p = asked(t, memory)
			skip(p)
			h.push(p, readme).good(t)
			h.sweep().good(t)
			want(t, name+", "+memory+": check where a question waits", h.check(p.Head()), "action_required")
		}
	}

	h, p := asked(t, "sealed")
	h.say(p.Issue, "mona", "/debate decide D0 reject No.")
	p.AddLabel("ada", "no-debate")
	h.push(p, readme).good(t)
	want(t, "check where it was rejected", h.check(p.Head()), "failure")
}

// Who pauses or stops automatic runs while a head is skipped gets no harmless check
// for a head that nobody will review.
func TestAPausedHeadIsNotHarmless(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"/debate pause", "/debate stop"} {
		h := host(t)
		h.repo.SetBranch("change", h.repo.Change(h.repo.Branch("main"), drop))
		p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Head: "change", Draft: true})
		h.on(p, "opened").good(t)
		want(t, order+": check of the draft", h.check(p.Head()), "neutral")
		p.Comment("ada", order)
		p.SetDraft(false)
		h.on(p, "ready_for_review").good(t)
		want(t, order+": check of what nobody reviewed", h.check(p.Head()), "action_required")
		if o := h.sweep().good(t); order == "/debate pause" && (o.writes > 0 || asking(o) > 0) {
			t.Errorf("the sweep writes %s", requests(o.changes))
		}
	}

	h, p := dividing(t)
	p.SetDraft(true)
	h.push(p, readme).good(t)
	h.say(p.Issue, "ada", "/debate pause")
	p.SetDraft(false)
	h.on(p, "ready_for_review").good(t)
	want(t, "check after a review that failed", h.check(p.Head()), "failure")
}

// A stranger's push, which no model sees, takes no question away, however much of
// the debate about it is remembered.
func TestAStrangersPushTakesNoQuestionAway(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, p := dropping(t, "olive", memory)
		h.on(p, "opened").good(t)
		h.say(p.Issue, "mona", "/debate run")
		want(t, memory+": check of the review", h.check(p.Head()), "action_required")
		h.push(p, readme).good(t)
		want(t, memory+": check of the next head", h.check(p.Head()), "action_required")
	}

	h := host(t)
	delete(h.inputs, "state-key")
	h.inputs["fail-on"] = "P2"
	p := h.open("olive", map[string]string{"ratio.go": divides})
	h.on(p, "opened").good(t)
	h.say(p.Issue, "mona", "/debate run")
	want(t, "check of what fails", h.check(p.Head()), "failure")
	h.push(p, readme).good(t)
	want(t, "check of the head after what fails", h.check(p.Head()), "failure")
}

// A run about a new head that fails keeps the way shut while a question waits, and
// a pause after it does not open it.
func TestAFailedRunKeepsTheQuestion(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "sealed")
	h.server.FaultOn("PATCH /repos/acme/app/issues/2", 100, ghtest.Answer(502))
	if o := h.push(p, readme); o.code == 0 {
		t.Error("the job does not fail")
	}
	want(t, "check of the run that failed", h.check(p.Head()), "action_required")
	h.say(p.Issue, "ada", "/debate pause")
	h.server.Fault(nil)
	h.sweep().good(t)
	want(t, "check while runs are paused", h.check(p.Head()), "action_required")
}

// A decision that was revoked since does not come back with the head that it was
// made about.
func TestAnOlderSuccessIsNotPushedBackTo(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	first := p.Head()
	h.say(p.Issue, "will", "/debate decide D0 keep It is agreed.")
	want(t, "check of the decision", h.check(first), "success")
	h.push(p, readme).good(t)
	h.server.Advance(time.Minute)
	i := h.issue()
	i.Reopen("mona")
	h.run("issues", h.repo.Event("issues", "reopened", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
	want(t, "check of the decision revoked", h.check(p.Head()), "action_required")
	h.say(p.Issue, "ada", "/debate pause")
	before := p.Head()
	p.Push(first)
	h.run("pull_request", h.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before})).good(t)
	want(t, "check of the older head", h.check(first), "action_required")
}

// A decision that was carried over to a new head knows its issue: revoked and
// deleted, it is asked again.
func TestACarriedDecisionKnowsItsIssue(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	h.say(p.Issue, "will", "/debate decide D0 keep It is agreed.")
	h.push(p, readme).good(t)
	h.server.Advance(time.Minute)
	i := h.issue()
	i.Reopen("mona")
	h.run("issues", h.repo.Event("issues", "reopened", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
	want(t, "labels of the issue", strings.Join(i.Labels(), " "), "awaiting_human")
	wantText(t, "the issue", unhidden(i.Body()), p.Head()[:12])
	i.Delete()
	h.sweep().good(t)
	want(t, "the issue that takes its place", state(h.issue()), "open")
	want(t, "check", h.check(p.Head()), "action_required")
}

// A merge group believes what was written for its members. Another workflow's check
// of our name is not that.
func TestAMergeGroupBelievesNoOtherCheck(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "sealed")
	h.repo.AddCheckRun(ghtest.CheckRun{App: ghtest.ActionsApp, Name: "debate", HeadSHA: p.Head(), Conclusion: "success"})
	from, head := p.Enqueue()
	h.run("merge_group", h.repo.Event("merge_group", "checks_requested", ghtest.Happening{Pull: p, QueueBase: from, QueueHead: head})).good(t)
	want(t, "check of the group", h.check(head), "failure")
}

// Where the gate is switched on later, what was neutral until then holds a merge up.
func TestAGateSwitchedOnLaterIsShut(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, p := dropping(t, "ada", memory)
		p.Push(h.repo.Change(p.Head(), map[string]string{"lib.jar": "PK\x03\x04\x14\x00"})) // nobody can read it
		h.on(p, "opened").good(t)
		h.server.Advance(time.Minute)
		h.heard(h.issue(), "mona", "/debate decide D0 keep we have a backup")
		want(t, memory+": check without the gate", h.check(p.Head()), "neutral")
		h.inputs["gate"] = "required"
		h.sweep().good(t)
		want(t, memory+": check with the gate", h.check(p.Head()), "failure")
		if o := h.sweep().good(t); o.writes > 0 || asking(o) > 0 {
			t.Errorf("%s: the next sweep asks %d times and writes %s", memory, asking(o), requests(o.changes))
		}
	}
}

// Another workflow's check of our name opens no way, and one that a dead run left in
// progress ends, however much of the debate is remembered (R29).
func TestACheckIsSetRightWithoutAMemory(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, p := asked(t, memory)
		plant := func(status, conclusion string) {
			h.repo.AddCheckRun(ghtest.CheckRun{App: ghtest.ActionsApp, Name: "debate", HeadSHA: p.Head(), Status: status, Conclusion: conclusion})
		}
		plant("", "success")
		h.sweep().good(t)
		want(t, memory+": check after another one's", h.check(p.Head()), "action_required")
		plant("in_progress", "")
		h.server.Advance(10 * time.Hour)
		want(t, memory+": questions by the sweep", asking(h.sweep().good(t)), 0)
		want(t, memory+": check after a dead run's", h.check(p.Head()), "action_required")
		if o := h.sweep().good(t); o.writes > 0 {
			t.Errorf("%s: the next sweep writes %s", memory, requests(o.changes))
		}
	}
	for memory, conclusion := range map[string]string{"sealed": "success", "stub": "success", "unsealed": "action_required"} { // which anybody could have written
		h, p := asked(t, memory)
		h.say(p.Issue, "mona", "/debate decide D0 keep It is meant to be.")
		h.repo.AddCheckRun(ghtest.CheckRun{App: ghtest.ActionsApp, Name: "debate", HeadSHA: p.Head(), Conclusion: "success"})
		h.sweep().good(t)
		want(t, memory+": check of what was decided", h.check(p.Head()), conclusion)
		if o := h.sweep().good(t); o.writes > 0 || asking(o) > 0 {
			t.Errorf("%s: the next sweep asks %d times and writes %s", memory, asking(o), requests(o.changes))
		}
	}
}

// A command decides however much of the debate is remembered.
func TestACommandDecidesWithoutAMemory(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, p := asked(t, memory)
		c, _ := h.say(p.Issue, "mona", "/debate decide D0 keep It is meant to be.")
		want(t, memory+": check", h.check(p.Head()), "success")
		want(t, memory+": issue", state(h.issue()), "closed")
		if slices.Contains(c.Reactions(ghtest.ActionsBot), "confused") {
			t.Errorf("%s: it was refused", memory)
		}
		want(t, memory+": questions by the sweep", asking(h.sweep().good(t)), 0)
		want(t, memory+": check after the sweep", h.check(p.Head()), "success")
	}
}

// Nor does it need an issue.
func TestACommandDecidesWithoutAMemoryAndAnIssue(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, p := dropping(t, "ada", memory)
		h.repo.DisableIssues()
		h.on(p, "opened").good(t)
		want(t, memory+": check of the review", h.check(p.Head()), "action_required")
		h.server.Advance(time.Minute)
		h.say(p.Issue, "olive", "/debate decide D0 keep I like it.")
		want(t, memory+": check of a reader's answer", h.check(p.Head()), "action_required")
		h.say(p.Issue, "mona", "/debate decide D0 keep It is meant to be.")
		want(t, memory+": check of the answer", h.check(p.Head()), "success")
		want(t, memory+": questions by the sweep", asking(h.sweep().good(t)), 0)
		want(t, memory+": check after the sweep", h.check(p.Head()), "success")
	}
}

// A stop keeps the next head from being reviewed. Who decides about it then is told
// so, and not left waiting for a review that does not come.
func TestADecisionDoesNotWaitBehindAStop(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "sealed")
	h.say(p.Issue, "mona", "/debate stop")
	p.Push(h.repo.Change(p.Head(), readme))
	c, _ := h.say(p.Issue, "mona", "/debate decide D0 reject No.")
	h.sweep().good(t)
	if !slices.Contains(c.Reactions(ghtest.ActionsBot), "confused") {
		t.Errorf("reactions: %v", c.Reactions(ghtest.ActionsBot))
	}
	texts := ours(p.Comments())
	wantText(t, "the answer", texts[len(texts)-1], ", and the newest commit is not reviewed yet. Comment `/debate run` first.")
}

// Where issues are switched off later, a question whose issue is gone moves to the
// summary, and can be answered on the pull request.
func TestAQuestionOutlivesItsIssues(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "sealed")
	h.issue().Delete()
	h.repo.DisableIssues()
	h.sweep().good(t)
	wantText(t, "the summary", summaries(p)[0], "| `/debate decide reject WHY` |")
	wantText(t, "the summary", summaries(p)[0], "no issue could be opened (issues: write), so the question is in the summary and the check")
	want(t, "check", h.check(p.Head()), "action_required")
	h.idle(h.sweep(), "the next sweep")
	h.server.Advance(time.Minute)
	h.say(p.Issue, "mona", "/debate decide D0 keep It is meant to be.")
	want(t, "check of the answer", h.check(p.Head()), "success")
}

// What people do who may not decide costs no review where little is remembered: a
// reader's reviews cost none, and a triager's closings no more than are undone.
func TestWhoMayNotDecideCostsNoReviews(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "unsealed")
	for range 3 {
		h.server.Advance(time.Minute)
		r := p.Review("olive", "APPROVED", "Good.")
		o := h.run("pull_request_review", h.repo.Event("pull_request_review", "submitted", ghtest.Happening{Pull: p, Review: r})).good(t)
		want(t, "questions for a reader's review", asking(o), 0)
	}

	h, p = asked(t, "stub")
	cost := 0
	for range 5 {
		h.issue().Reopen("tria")
		h.server.Advance(time.Minute)
		cost = asking(h.shut(h.issue(), "tria", "completed").good(t))
	}
	want(t, "questions for a triager's fifth closing", cost, 0)
	want(t, "check", h.check(p.Head()), "action_required")
}

// Who asks about a head that is reviewed, but not remembered, hears that.
func TestAReviewThatIsNotRememberedIsNotDenied(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "unsealed")
	h.say(p.Issue, "ada", "/debate explain F1")
	texts := ours(p.Comments())
	wantText(t, "the answer", texts[len(texts)-1], "this commit is reviewed, but the debate is not remembered")
}

// A review decides however much of the debate is remembered.
func TestAReviewDecidesWithoutAMemory(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, p := asked(t, memory)
		review := func(who string) ran {
			r := p.Review(who, "APPROVED", "It is meant to be.")
			return h.run("pull_request_review", h.repo.Event("pull_request_review", "submitted", ghtest.Happening{Pull: p, Review: r})).good(t)
		}
		want(t, memory+": questions by a reader's review", asking(review("olive")), 0)
		review("mona")
		want(t, memory+": check", h.check(p.Head()), "success")
		want(t, memory+": issue", state(h.issue()), "closed")
		want(t, memory+": questions by the sweep", asking(h.sweep().good(t)), 0)
		want(t, memory+": check after the sweep", h.check(p.Head()), "success")
	}
}

// Who closes the issue is not told that it decides nothing where it does.
func TestAClosingIsAnsweredOnceWithoutAMemory(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, _ := asked(t, memory)
		h.shut(h.issue(), "mona", "completed").good(t)
		texts := ours(h.issue().Comments())
		want(t, memory+": answers", len(texts), 1)
		wantText(t, memory+": the answer", texts[0], "mona decided: merge it as it is.")
	}
}

// A question that was withdrawn with its pull request is asked again with it, however
// much of the debate is remembered.
func TestAQuestionIsAskedAgainWithoutAMemory(t *testing.T) {
	t.Parallel()
	for _, memory := range memories {
		h, p := asked(t, memory)
		p.Close("ada", "")
		h.on(p, "closed").good(t)
		want(t, memory+": issue of what is closed", state(h.issue()), "closed")
		h.server.Advance(time.Minute)
		p.Reopen("ada")
		h.on(p, "reopened").good(t)
		want(t, memory+": issue of what is open again", state(h.issue()), "open")
		want(t, memory+": check", h.check(p.Head()), "action_required")
		want(t, memory+": questions by the next event", asking(h.on(p, "labeled").good(t)), 0)
	}
}

// A question that the review does not ask is closed with a word, also if its issue is open because of a run
// that another one overtook.
func TestAnIssueThatAsksInVainIsClosed(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "sealed")
	h.push(p, map[string]string{"db/migrations/0002_b.up.sql": "CREATE TABLE b (id int);\n"}).good(t)
	want(t, "issue whose question is gone", state(h.issue()), "closed")
	h.issue().Reopen(ghtest.ActionsBot)
	h.issue().AddLabel(ghtest.ActionsBot, "awaiting_human")
	h.server.Advance(time.Minute)
	h.shut(h.issue(), "mona", "completed").good(t)
	want(t, "issue that asked in vain", state(h.issue()), "closed")
	want(t, "its labels", strings.Join(h.issue().Labels(), " "), "")
	if o := h.sweep().good(t); o.writes > 0 {
		t.Errorf("the next sweep writes %s", requests(o.changes))
	}
}

// A stop keeps a new base branch from being reviewed. The check of the old one asks a question that no person can answer now,
// so it says what to do.
func TestAStopBeforeAnotherBaseBranch(t *testing.T) {
	t.Parallel()
	h, p := asked(t, "sealed")
	p.Issue.Comment("mona", "/debate stop") // the run of the next event hears it
	h.repo.SetBranch("release", h.repo.Branch("main"))
	p.SetBase("release")
	h.run("pull_request", h.repo.Event("pull_request", "edited", ghtest.Happening{Pull: p, BaseBefore: "main", Before: p.Base()})).good(t)
	check := h.repo.CheckRuns(p.Head())
	last := check[len(check)-1]
	want(t, "check", last.Conclusion+" "+last.Title, "action_required not reviewed")
	wantText(t, "its summary", last.Summary, "comment /debate run")
	if o := h.sweep().good(t); o.writes > 0 {
		t.Errorf("the next sweep writes %s", requests(o.changes))
	}
}
