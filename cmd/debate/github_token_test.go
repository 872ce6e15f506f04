package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// A pull request of a fork comes with a token that reads and without keys. The
// critic reviews it, the job shows what it found, and nothing fails.
func TestAForkIsReviewedWithoutKeysAndWithoutWriting(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs, h.token = map[string]string{}, h.server.ForkToken()
	fork := h.repo.Fork("olive")
	fork.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), drop))
	p := h.repo.OpenPull("olive", ghtest.NewPull{Title: "Drop it", Head: "feature", From: fork})
	o := h.on(p, "opened").good(t)
	want(t, "comments", len(p.Comments()), 0)
	want(t, "issues", len(h.repo.Issues()), 0)
	wantText(t, "log", o.log, "::error")
	wantText(t, "step summary", o.summary, "Migration drops table a")
	wantText(t, "step summary", o.summary, "check runs (checks: write)")
	if o.writes > 5 { // each kind once, and the check as it begins and as it ends
		t.Errorf("%d tries to write:\n%s", o.writes, requests(o.changes))
	}
}

// A stranger costs nothing: no model, no issue, until somebody who has write access
// says so.
func TestAStrangerCostsNothingUntilAWriterSaysSo(t *testing.T) {
	t.Parallel()
	h := host(t)
	fork := h.repo.Fork("olive")
	fork.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), drop))
	p := h.repo.OpenPull("olive", ghtest.NewPull{Title: "Drop it", Head: "feature", From: fork})
	o := h.on(p, "opened").good(t)
	if asking(o) > 0 || len(h.repo.Issues()) > 0 {
		t.Errorf("%d issues:\n%s", len(h.repo.Issues()), o.log)
	}
	wantText(t, "step summary", o.summary, "/debate run")
	for _, untrue := range []string{"No party is configured", "\\`"} {
		if strings.Contains(summaries(p)[0], untrue) {
			t.Errorf("the summary says %q:\n%s", untrue, summaries(p)[0])
		}
	}
	_, o = h.say(p.Issue, "olive", "/debate run")
	if asking(o) > 0 {
		t.Errorf("the stranger himself started it:\n%s", o.log)
	}
	_, o = h.say(p.Issue, "mona", "/debate run")
	if !strings.Contains(o.good(t).log, "opening  p0") {
		t.Errorf("a writer could not start it:\n%s", o.log)
	}
	want(t, "issue is open", h.issue().Open(), true)
	want(t, "check", h.check(p.Head()), "action_required")
	h.idle(h.on(p, "synchronize"), "writes of the same event again")
	o = h.push(p, map[string]string{"more.go": "package app\n"}).good(t)
	if asking(o) > 0 {
		t.Errorf("the stranger's push started it:\n%s", o.log)
	}
	want(t, "issue is open after the stranger's push", h.issue().Open(), true)
	want(t, "check after the stranger's push", h.check(p.Head()), "action_required")
}

// Nor does his dispute, where nobody who may cause costs asked for the session.
func TestAStrangersDisputeCostsNothingUntilAWriterSaysSo(t *testing.T) {
	t.Parallel()
	for memory, questions := range map[string]int{"sealed": 2, "unsealed": 0} { // which does not say whether anybody asked
		h, p := dropping(t, "olive", memory)
		h.on(p, "opened").good(t)
		refuses := func(finding string) {
			t.Helper()
			before := summaries(p)[0]
			c, o := h.say(p.Issue, "olive", "/debate dispute "+finding+" It is meant to be.")
			want(t, memory+": questions by the dispute of "+finding, asking(o.good(t)), 0)
			want(t, memory+": reactions", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "confused")
			texts := ours(p.Comments())
			wantText(t, memory+": the answer", texts[len(texts)-1], "a person with write access must comment `/debate run` first")
			want(t, memory+": the review stays", summaries(p)[0] == before, true)
		}
		refuses("F1")
		if memory == "sealed" { // who may cause costs may dispute, too
			h.say(p.Issue, "mona", "/debate dispute F1 It is meant to be.")
			wantText(t, "the check of a review by the critic", h.repo.CheckRuns(p.Head())[0].Title, "a maintainer can start the review with /debate run")
		}
		h.say(p.Issue, "mona", "/debate run")
		h.server.Advance(time.Minute)
		if questions == 0 {
			refuses("F2")
		} else {
			_, o := h.say(p.Issue, "olive", "/debate dispute F2 It is meant to be.")
			want(t, memory+": questions by the dispute of what was debated", asking(o), questions)
			h.say(p.Issue, "olive", "/debate dispute F2 It is.")
			texts := ours(p.Comments())
			wantText(t, memory+": the answer to the next", texts[len(texts)-1], "the dispute about F2 is settled")
		}
		h.push(p, readme).good(t)
		refuses("F2")
	}
}

// A sweep that may write nothing asks no model, whatever there would be to do: the
// next one would find it undone, and ask again.
func TestASweepThatMayNotWriteAsksNoModel(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]string{"": "", "run": "/debate run", "dispute": "/debate dispute F1 No.", "ask": "/debate ask Is it good?"} {
		h := host(t)
		p := h.open("ada", map[string]string{"ratio.go": divides})
		writer, reader := h.token, h.server.JobToken(map[string]string{"contents": "read", "pull-requests": "read", "issues": "read", "checks": "read"})
		if say == "" {
			h.token = reader
		}
		h.on(p, "opened").good(t)
		if say != "" {
			p.Comment("mona", say)
		}
		h.token = reader
		for range 3 {
			h.server.Advance(time.Hour)
			want(t, name+": questions by a sweep that may not write", asking(h.sweep().good(t)), 0)
		}
		h.token = writer
		if asking(h.sweep().good(t)) == 0 {
			t.Errorf("%s: a sweep that may write asks nobody", name)
		}
		want(t, name+": questions by the next sweep", asking(h.sweep().good(t)), 0)
	}
}

// Each permission that a token lacks has a result that is defined and said.
func TestEachMissingPermissionHasADefinedResult(t *testing.T) {
	t.Parallel()
	for missing, c := range map[string]struct {
		said     string // in the step summary
		check    string
		comments bool
		issues   int
	}{
		"contents":      {"may not read what a review needs (contents: read", "", false, 0},
		"pull-requests": {"pull-requests", "action_required", true, 1}, // issues: write lets it comment
		"issues":        {"issues: write", "action_required", true, 0},
		"checks":        {"checks: write", "", true, 1},
	} {
		t.Run(missing, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.repo.SetPrivate(missing == "contents")
			given := maps.Clone(jobPermissions)
			delete(given, missing)
			h.token = h.server.JobToken(given)
			p := h.open("ada", drop)
			o := h.on(p, "opened").good(t)
			wantText(t, "step summary", o.summary, c.said)
			want(t, "check", h.check(p.Head()), c.check)
			want(t, "a summary comment", len(summaries(p)) > 0, c.comments)
			want(t, "issues", len(h.repo.Issues()), c.issues)
		})
	}
}

// A token that GitHub does not take is a mistake of the workflow, such as a secret that is
// not set: the job fails and says so. One that may not read is told in the log too.
func TestATokenThatIsNotTakenFailsTheJob(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.token = "ghp_revoked"
	p := h.open("ada", drop)
	o := h.on(p, "opened")
	want(t, "exit code", o.code, 4)
	wantText(t, "log", o.log, "::error title=debate::read pull request #1: GitHub does not take the token: Bad credentials; give one that is valid")
	wantText(t, "step summary", o.summary, "Nothing was reviewed: GitHub does not take the token of this run.")
	want(t, "writes", o.writes, 0)
	h.repo.SetPrivate(true)
	h.token = h.server.JobToken(map[string]string{"issues": "write"})
	o = h.on(p, "opened").good(t)
	wantText(t, "log", o.log, "debate: pull request #1: nothing was reviewed: the token of this run may not read what a review needs")
}

// Where no issue can be opened, the summary asks; where none can be written, the
// check; where that cannot be, the step summary and the artifact.
func TestAQuestionFallsBackFromIssueToSummaryToCheckToArtifact(t *testing.T) {
	t.Parallel()
	ask := func(t *testing.T, given map[string]string) (*hosted, *ghtest.Pull, ran) {
		h := host(t)
		h.repo.DisableIssues()
		h.token = h.server.JobToken(given)
		p := h.open("ada", drop)
		return h, p, h.on(p, "opened").good(t)
	}
	t.Run("summary", func(t *testing.T) {
		t.Parallel()
		h, p, _ := ask(t, jobPermissions)
		want(t, "comments", len(ours(p.Comments())), 1)
		wantText(t, "the summary", summaries(p)[0], "/debate decide keep WHY")
		want(t, "check", h.check(p.Head()), "action_required")
		if again := h.on(p, "synchronize").good(t); again.writes > 0 {
			t.Errorf("again: %s", requests(again.changes))
		}
		h.heard(p.Issue, "mona", "/debate decide D0 revise Keep a copy.")
		want(t, "check once it is decided", h.check(p.Head()), "failure")
	})
	t.Run("check", func(t *testing.T) {
		t.Parallel()
		h, p, _ := ask(t, map[string]string{"contents": "read", "pull-requests": "read", "checks": "write"})
		want(t, "comments", len(p.Comments()), 0)
		want(t, "check", h.check(p.Head()), "action_required")
		wantText(t, "check", h.repo.CheckRuns(p.Head())[0].Summary, "/debate decide keep WHY")
	})
	t.Run("artifact", func(t *testing.T) {
		t.Parallel()
		h, p, o := ask(t, map[string]string{"contents": "read", "pull-requests": "read", "checks": "read"})
		want(t, "check", h.check(p.Head()), "")
		wantText(t, "step summary", o.summary, "waits for a decision")
		wantText(t, "page", o.page(t), "Decisions to make")
	})
}

// Without any key nothing can be sealed: the critic reviews, repeats are
// suppressed, and closing the issue decides all the same.
func TestWithoutAnyKeyClosingTheIssueStillDecides(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs = map[string]string{}
	p := h.open("ada", drop)
	h.on(p, "opened").good(t)
	inline := len(p.Inline())
	if o := h.on(p, "synchronize").good(t); o.writes > 1 {
		t.Errorf("again: %s", requests(o.changes))
	}
	want(t, "inline comments after the second run", len(p.Inline()), inline)
	i := h.issue()
	h.shut(i, "olive", "completed").good(t)
	want(t, "issue is open after a reader closed it", i.Open(), true)
	h.shut(i, "mona", "not_planned").good(t)
	want(t, "issue is open", i.Open(), false)
	want(t, "check", h.check(p.Head()), "failure")
	h.on(p, "synchronize").good(t)
	want(t, "check after the next run", h.check(p.Head()), "failure")
	want(t, "issue is open after the next run", i.Open(), false)
	want(t, "issues", len(h.repo.Issues()), 1)
}

// What somebody else wrote, or wrote into our comment, holds no state.
func TestForgedStateIsNotBelieved(t *testing.T) {
	t.Parallel()
	t.Run("edited by a writer", func(t *testing.T) {
		t.Parallel()
		h, p := critical(t)
		c := p.Comments()[0]
		c.Edit("will", strings.Replace(c.Body(), "waits for a decision", "no problems found", 1))
		o := h.on(p, "synchronize").good(t)
		wantText(t, "summary", summaries(p)[0], "waits for a decision")
		wantText(t, "step summary", o.summary, "was edited by will")
		want(t, "check", h.check(p.Head()), "action_required")
		h.idle(h.on(p, "synchronize"), "writes of the next run")
		want(t, "issues", len(h.repo.Issues()), 1)
	})
	t.Run("copied by an outsider", func(t *testing.T) {
		t.Parallel()
		h, p := critical(t)
		p.Comment("olive", summaries(p)[0])
		h.idle(h.sweep(), "writes")
	})
	t.Run("copied by the same bot from another pull request", func(t *testing.T) {
		t.Parallel()
		h := host(t)
		h.inputs["operator-config"] = parties(t, "bugs", "bugs")
		good := h.open("ada", map[string]string{"ratio.go": divides})
		h.on(good, "opened").good(t)
		bad := h.open("ada", drop)
		bad.Comment(ghtest.ActionsBot, summaries(good)[0])
		h.on(bad, "opened").good(t)
		want(t, "check", h.check(bad.Head()), "action_required")
		wantText(t, "summary", summaries(bad)[0], "Migration drops table a")
		want(t, "summaries", len(summaries(bad)), 1)
	})
}

// A comment of ours that a person deletes is written again, once a head (R35).
func TestADeletedSummaryIsWrittenAgain(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	p.Comments()[0].Delete()
	h.on(p, "synchronize").good(t)
	want(t, "summaries", len(summaries(p)), 1)
	want(t, "issues", len(h.repo.Issues()), 1)
	want(t, "inline comments", len(p.Inline()), 2)
}

// A repository that was renamed answers under its old name, and a fork that was
// deleted takes nothing from its pull request (R34).
func TestARenamedRepositoryAndADeletedForkAreReviewed(t *testing.T) {
	t.Parallel()
	h := host(t)
	fork := h.repo.Fork("ada")
	fork.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), drop))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "Drop it", Head: "feature", From: fork})
	fork.Delete()
	h.repo.Rename("renamed")
	h.env["GITHUB_REPOSITORY"] = "acme/renamed"
	h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	want(t, "summaries", len(summaries(p)), 1)
}

// What all sessions on a pull request may cost together is kept in the sealed
// state; here no call has a price, and the report says so.
func TestTheSummarySaysWhereCostsAreUnknown(t *testing.T) {
	t.Parallel()
	_, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	wantText(t, "summary", summaries(p)[0], "cost unknown")
}

// Five hundred questions at once are one issue with what it also asks, within the
// bounds of the settings.
func TestManyCriticalLinesMakeOneIssue(t *testing.T) {
	t.Parallel()
	h := host(t)
	change := map[string]string{}
	for i := range 120 {
		change[fmt.Sprintf("db/migrations/%04d_d.up.sql", i+2)] = fmt.Sprintf("DROP TABLE t%d;\n", i)
	}
	p := h.open("ada", change)
	o := h.on(p, "opened").good(t)
	want(t, "issues", len(h.repo.Issues()), 1)
	want(t, "check", h.check(p.Head()), "action_required")
	if o.writes > 8 {
		t.Errorf("%d writes:\n%s", o.writes, requests(o.changes))
	}
	h.idle(h.on(p, "synchronize"), "writes of the same event again")
}

// A state that outgrows its room loses prose and not the decision.
func TestAHundredFindingsFitIntoTheSealedState(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs") + "limits: {max_claims: 50}\n"
	var text strings.Builder
	text.WriteString("package app\n")
	for n := range 100 {
		fmt.Fprintf(&text, "\nvar v%d = %d // BUG: number %d is wrong in a way that takes many words to tell, %s\n", n, n, n, strings.Repeat(fmt.Sprintf("word%d ", n), 20))
	}
	change := maps.Clone(drop)
	change["many.go"] = text.String()
	p := h.open("ada", change)
	h.on(p, "opened").good(t)
	h.idle(h.on(p, "synchronize"), "writes of the same event again")
	h.shut(h.issue(), "mona", "not_planned").good(t)
	want(t, "check", h.check(p.Head()), "failure")
	h.push(p, map[string]string{"other.go": "package app\n"}).good(t)
	want(t, "check after a push elsewhere", h.check(p.Head()), "failure")
}

// A token that may not ask what people may do gives nobody any rights: the critic
// reviews, and says why.
func TestWithoutPermissionsNobodyHasAny(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.server.FaultOn("/permission", 100, ghtest.Answer(403))
	o := h.on(p, "opened").good(t)
	want(t, "questions", asking(o), 0)
	want(t, "summaries", len(summaries(p)), 1)
	wantText(t, "summary", summaries(p)[0], "may not read people's rights")
}

// An issue of a review that nobody remembers is closed by the next one, once nothing
// is to be decided any more, or when the pull request ends.
func TestAnOrphanIsFound(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(h *hosted, p *ghtest.Pull){
		"fixed": func(h *hosted, p *ghtest.Pull) {
			p.Push(h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": divides}))
			h.on(p, "synchronize").good(h.t)
		},
		"closed": func(h *hosted, p *ghtest.Pull) {
			p.Close("ada", "")
			h.on(p, "closed").good(h.t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := reviewedPull(t, "ada", drop)
			i := h.issue()
			p.Comments()[0].Delete()
			end(h, p)
			want(t, "issue is open", i.Open(), false)
		})
	}
}
