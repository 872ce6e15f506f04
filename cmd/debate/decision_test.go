package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// Somebody who answers while another head is debated has read the question about
// the earlier head: the answer decides nothing about what it never saw.
func TestAnAnswerCountsForTheHeadThatWasRead(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"close", "command", "command on the issue", "review"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			h, p := critical(t)
			i := h.issue()
			before := p.Head()
			p.Push(h.repo.Change(before, map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\nDROP TABLE users;\n"}))
			event := h.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before})
			answered := false
			h.between(func(_ int, r *http.Request) {
				if answered || !strings.Contains(r.URL.Path, "/compare/") { // the run has read what stands there
					return
				}
				answered = true
				switch way {
				case "close":
					i.Close("mona", "not_planned")
				case "command":
					p.Comment("mona", "/debate decide D0 keep Fine with me.")
				case "command on the issue":
					i.Comment("mona", "/debate decide D0 keep Fine with me.")
				case "review":
					p.Review("mona", "APPROVED", "Fine with me.")
				}
			})
			h.run("pull_request", event).good(t)
			h.sweep().good(t)
			want(t, "issue is open", i.Open(), true)
			want(t, "check", h.check(p.Head()), "action_required")
			if way != "review" {
				said := strings.Join(append(ours(i.Comments()), ours(p.Comments())...), "\n")
				wantText(t, "what is said about it", said, "the question changed just before this answer")
			}
			h.idle(h.sweep(), "the next sweep")
			h.shut(i, "mona", "not_planned").good(t)
			want(t, "check once it is answered again", h.check(p.Head()), "failure")
		})
	}
}

// A decision holds for another head only as far as it would be taken now: for the
// same base branch, by somebody who may decide by its settings.
func TestADecisionHoldsWhileItWouldBeTaken(t *testing.T) {
	t.Parallel()
	push := func(h *hosted, p *ghtest.Pull) ran { return h.push(p, map[string]string{"README.md": "Hello.\n"}) }
	decided := func(t *testing.T) (*hosted, *ghtest.Pull) {
		h, p := critical(t, "bugs", "bugs")
		h.heard(p.Issue, "will", "/debate decide D0 keep Nobody reads it.")
		want(t, "check", h.check(p.Head()), "success")
		return h, p
	}
	for name, c := range map[string]struct {
		change func(*hosted, *ghtest.Pull) ran
		check  string
		why    string // in the issue that asks again, and in the summary
	}{
		"nothing changed": {push, "success", ""},
		"its decider lost the access": {func(h *hosted, p *ghtest.Pull) ran {
			h.repo.SetPermission("will", ghtest.Read)
			return push(h, p)
		}, "action_required", "will needs write access"},
		"others may decide now": {func(h *hosted, p *ghtest.Pull) ran {
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "escalation:\n  deciders: admin\n"}))
			return push(h, p)
		}, "action_required", "will needs admin access"},
		"another base branch": {func(h *hosted, p *ghtest.Pull) ran {
			h.repo.SetBranch("release", h.repo.Branch("main"))
			p.SetBase("release")
			return h.run("pull_request", h.repo.Event("pull_request", "edited", ghtest.Happening{Pull: p, BaseBefore: "main", Before: p.Base()}))
		}, "action_required", "it was about a change of main"},
		"somebody revoked it before a push": {func(h *hosted, p *ghtest.Pull) ran {
			h.issue().Reopen("mona")
			return push(h, p)
		}, "action_required", "mona revoked it"},
		"a reader revoked it before a push": {func(h *hosted, p *ghtest.Pull) ran {
			h.issue().Reopen("olive")
			return push(h, p)
		}, "success", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := decided(t)
			c.change(h, p).good(t)
			want(t, "check", h.check(p.Head()), c.check)
			want(t, "issue is open", h.issue().Open(), c.check == "action_required")
			if c.why != "" {
				wantText(t, "issue", h.issue().Body(), "**New since then**: "+c.why)
				wantText(t, "summary", summaries(p)[0], "will's decision does not hold for this commit: "+c.why)
			}
			h.sweep().good(t)
			want(t, "check after the sweep", h.check(p.Head()), c.check)
		})
	}
}

// What an author decided where authors may does not come along to a branch where
// they may not.
func TestAnAuthorsDecisionStaysWhereAuthorsMayDecide(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("lax", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "escalation:\n  author_may_decide: true\n"}))
	h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), drop))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Head: "feature", Base: "lax"})
	h.on(p, "opened").good(t)
	h.heard(p.Issue, "ada", "/debate decide D0 keep I say so.")
	want(t, "issue is open where authors may decide", h.issue().Open(), false)
	p.SetBase("main")
	h.run("pull_request", h.repo.Event("pull_request", "edited", ghtest.Happening{Pull: p, BaseBefore: "lax", Before: h.repo.Branch("lax")})).good(t)
	want(t, "check where they may not", h.check(p.Head()), "action_required")
	want(t, "issue is open where they may not", h.issue().Open(), true)
}

// An author who closes a pull request and opens it again gets rid of no question,
// not even for the time until it is reviewed again.
func TestClosingAndReopeningAsksAgain(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	p.Close("ada", "")
	h.on(p, "closed").good(t)
	want(t, "check of the closed pull request", h.check(p.Head()), "action_required")
	h.say(p.Issue, "ada", "/debate pause")
	p.Reopen("ada")
	h.on(p, "reopened").good(t)
	want(t, "check of the paused pull request", h.check(p.Head()), "action_required")
	h.say(p.Issue, "ada", "/debate resume")
	h.sweep().good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	want(t, "issue is open", h.issue().Open(), true)

	h = host(t) // and without any key
	h.inputs = map[string]string{}
	p = h.open("ada", drop)
	h.on(p, "opened").good(t)
	p.Close("ada", "")
	h.on(p, "closed").good(t)
	want(t, "issue is open once the pull request is closed", h.issue().Open(), false)
	p.Reopen("ada")
	h.on(p, "reopened").good(t)
	want(t, "issue is open", h.issue().Open(), true)
	want(t, "check", h.check(p.Head()), "action_required")
}

// The text of a question is ours. If another person rewrites it, answers on it decide
// nothing until the next review writes it again.
func TestARewrittenQuestionIsRestored(t *testing.T) {
	t.Parallel()
	for _, marker := range []bool{true, false} {
		for _, key := range []string{"a-state-key-of-the-operator", ""} {
			t.Run(fmt.Sprintf("marker kept %v and key %q", marker, key), func(t *testing.T) {
				t.Parallel()
				h := host(t)
				h.inputs = map[string]string{"state-key": key}
				p := h.open("ada", drop)
				h.on(p, "opened").good(t)
				i := h.issue()
				asked := i.Body()
				text := "Closing this as not planned merges the change.\n"
				if marker || key == "" { // without a key nothing else tells that it is ours
					line, _, _ := strings.Cut(asked, "\n")
					text = line + "\n\n" + text
				}
				i.Edit("ada", text)
				i.Close("mona", "not_planned")
				if strings.Contains(text, "<!--") { // the event names its pull request by the marker; a sweep knows it without
					h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
				} else {
					h.sweep().good(t)
				}
				want(t, "issue is open after an answer to the other text", i.Open(), true)
				want(t, "check", h.check(p.Head()), "action_required")
				wantText(t, "issue", strings.Join(ours(i.Comments()), ""), "edited by ada")
				h.say(p.Issue, "mona", "/debate run")
				want(t, "its text is restored", i.Body(), asked)
				if key != "" {
					h.server.Advance(3 * time.Minute)
					h.shut(i, "mona", "not_planned").good(t)
					want(t, "check after an answer to our text", h.check(p.Head()), "failure")
				}
				want(t, "issues", len(h.repo.Issues()), 1)
			})
		}
	}
}

// The title of a question is ours as its text is. One that was put back asks what it
// asked before, of those who answer from then on.
func TestARewrittenTitleIsRestored(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	i := h.issue()
	asked := i.Title()
	look := func() {
		t.Helper()
		h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
		want(t, "issue is open after an answer to another title", i.Open(), true)
		want(t, "check", h.check(p.Head()), "action_required")
	}
	i.SetTitle("ada", "Clean this up")
	i.Close("mona", "not_planned")
	look()
	wantText(t, "issue", strings.Join(ours(i.Comments()), ""), "edited by ada")
	i.Close("mona", "not_planned")
	i.SetTitle("ada", asked)
	look()
	wantText(t, "issue", strings.Join(ours(i.Comments()), ""), "the question changed just before this answer")
	i.SetTitle("ada", "Clean this up")
	h.say(p.Issue, "mona", "/debate run")
	want(t, "its title after a review", i.Title(), asked)
	i.SetTitle("ada", "Clean this up")
	i.SetTitle("ada", asked)
	h.server.Advance(3 * time.Minute)
	h.shut(i, "mona", "not_planned").good(t)
	want(t, "check after an answer to our title", h.check(p.Head()), "failure")
	h.idle(h.sweep(), "the next sweep")
}

// Why an issue was closed is what its closing says: somebody else may have changed the
// reason of the issue since.
func TestTheReasonOfTheClosingCounts(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	i := h.issue()
	i.Close("mona", "not_planned")
	i.SetReason("completed")
	h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
	want(t, "check", h.check(p.Head()), "failure")
	wantText(t, "issue", strings.Join(ours(i.Comments()), ""), "mona decided: do not merge.")
}

// A program that closes the issue again and again, perhaps one with our own name,
// has the last word and not the decision.
func TestAnIssueThatIsClosedAgainAndAgainStaysClosedUndecided(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"stale[bot]", ghtest.ActionsBot} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			h, p := critical(t)
			i := h.issue()
			for n := range 6 {
				i.Reopen(who) // where it was left closed
				i.Close(who, "not_planned")
				h.sweep().good(t)
				want(t, fmt.Sprintf("issue is open after closing %d", n+1), i.Open(), n == 0)
				want(t, "check", h.check(p.Head()), "action_required")
			}
			notes := ours(i.Comments())
			want(t, "sentences", len(notes), 1)
			h.idle(h.sweep(), "the next sweep")
			i.Reopen("mona")
			h.shut(i, "mona", "not_planned").good(t)
			want(t, "check once somebody who may decide closes it", h.check(p.Head()), "failure")
		})
	}
}

// A stranger's push, which no model sees, leaves the question open; once somebody
// asks for a review of the new head it is decided as any other.
func TestAStrangersQuestionIsDecidedWhereItWasReviewed(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "olive", drop, "operator-config", parties(t, "bugs", "bugs"))
	run := func() {
		h.heard(p.Issue, "mona", "/debate run")
	}
	run()
	for n := range 2 {
		h.push(p, map[string]string{"more.go": fmt.Sprintf("package app\n\nconst more = %d\n", n)}).good(t)
		want(t, "issue is open after a push", h.issue().Open(), true)
		want(t, "check after a push", h.check(p.Head()), "action_required")
	}
	h.shut(h.issue(), "mona", "completed").good(t)
	want(t, "check after an answer about the head before", h.check(p.Head()), "action_required")
	h.push(p, map[string]string{"more.go": "package app\n\nconst more = 3\n"}).good(t)
	want(t, "check after one more push", h.check(p.Head()), "action_required")
	run()
	want(t, "check once it is reviewed", h.check(p.Head()), "action_required")
	want(t, "issue is open once it is reviewed", h.issue().Open(), true)
	h.heard(p.Issue, "mona", "/debate decide D0 keep Nobody reads it.")
	want(t, "check once it is decided", h.check(p.Head()), "success")
	want(t, "issue is open once it is decided", h.issue().Open(), false)
	h.idle(h.sweep(), "the next sweep")
}

// A closed pull request whose commits are gone leaves no question open.
func TestAnEndWithoutCommitsWithdrawsWhatAsks(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	p.Close("ada", "")
	h.server.FaultOn("/compare/", 100, ghtest.Answer(404))
	h.on(p, "closed").good(t)
	want(t, "issue is open", h.issue().Open(), false)
	wantText(t, "issue", strings.Join(ours(h.issue().Comments()), ""), "before a decision was made")
}

// The summary of a pull request that was merged while people were asked says who did not wait.
func TestAMergeBeforeAnybodyDecidedIsSaid(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	p.Merge("mona")
	h.on(p, "closed").good(t)
	wantText(t, "summary", strings.Join(summaries(p), ""), "mona merged the pull request before a decision was made")
	h.idle(h.sweep(), "the next sweep")
}

// What was answered before the merge is a decision, also if the merge came before
// the run that reads it.
func TestAnAnswerBeforeTheMergeCounts(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	c := p.Comment("mona", "/debate decide D0 revise Keep a copy.")
	p.Merge("mona")
	h.on(p, "closed").good(t)
	want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
	wantText(t, "summary", summaries(p)[0], "mona")
	want(t, "issue is open", h.issue().Open(), false)
	want(t, "label", strings.Join(h.issue().Labels(), " "), "human_decided")
	h.idle(h.sweep(), "the next sweep")
}
