package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// Who closes the issue, and how, is what decides.
func TestClosingTheIssueDecidesForWhoMay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		close      func(*ghtest.Issue)
		undone     string // in the sentence that says why
		check, new string // label
	}{
		"maintainer, completed":   {func(i *ghtest.Issue) { i.Close("mona", "completed") }, "", "neutral", "human_decided"},
		"writer, completed":       {func(i *ghtest.Issue) { i.Close("will", "completed") }, "", "neutral", "human_decided"},
		"maintainer, not planned": {func(i *ghtest.Issue) { i.Close("mona", "not_planned") }, "", "failure", "human_decided"},
		"maintainer, duplicate":   {func(i *ghtest.Issue) { i.Close("mona", "duplicate") }, "which option", "action_required", "awaiting_human"},
		"reader":                  {func(i *ghtest.Issue) { i.Close("olive", "completed") }, "olive needs write access", "action_required", "awaiting_human"},
		"triager":                 {func(i *ghtest.Issue) { i.Close("tria", "completed") }, "tria needs write access", "action_required", "awaiting_human"},
		"author":                  {func(i *ghtest.Issue) { i.Close("ada", "completed") }, "author", "action_required", "awaiting_human"},
		"stale bot":               {func(i *ghtest.Issue) { i.Close("stale[bot]", "not_planned") }, "bot", "action_required", "awaiting_human"},
		"commit":                  {func(i *ghtest.Issue) { i.CloseByCommit("mona", i.Repo.Branch("main")) }, "commit", "action_required", "awaiting_human"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := critical(t)
			i := h.issue()
			mayDecide := c.undone == "" || c.undone == "which option"
			for n := range 2 { // once more after it was opened again
				c.close(i)
				h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
				want(t, "issue is open", i.Open(), c.undone != "" && (n == 0 || mayDecide))
				want(t, "check", h.check(p.Head()), c.check)
				if !slices.Equal(i.Labels(), []string{c.new}) {
					t.Errorf("labels %v, want %s", i.Labels(), c.new)
				}
				h.idle(h.sweep(), "the next sweep")
			}
			notes := strings.Join(ours(i.Comments()), "\n")
			if c.undone != "" {
				sentences := 1
				if mayDecide {
					sentences = 2
				}
				wantText(t, "the sentence", notes, c.undone)
				want(t, "sentences", strings.Count(notes, "does not count"), sentences)
			}
		})
	}
}

// The command decides too, on the pull request and on the issue, for any option.
func TestACommandDecides(t *testing.T) {
	t.Parallel()
	for _, onIssue := range []bool{false, true} {
		for option, check := range map[string]string{"keep": "success", "revise": "failure", "reject": "failure"} {
			h, p := critical(t, "bugs", "bugs")
			i := h.issue()
			on := p.Issue
			if onIssue {
				on = i
			}
			h.heard(on, "will", "/debate decide D0 "+option+" Everybody knows.")
			want(t, option+": issue is open", i.Open(), false)
			want(t, option+": check", h.check(p.Head()), check)
			wantText(t, option+": summary", summaries(p)[0], "will")
		}
	}
	h, p := critical(t)
	h.reacts("confused", p.Issue, "will", "/debate decide D0 merge Everybody knows.")
	want(t, "check", h.check(p.Head()), "action_required")
}

// A review of somebody who may decide is an answer to D0.
func TestAReviewDecidesD0(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ who, state, check string }{
		{"will", "APPROVED", "success"},
		{"will", "CHANGES_REQUESTED", "failure"},
		{"olive", "APPROVED", "action_required"},
		{"tria", "APPROVED", "action_required"},
		{"helper[bot]", "APPROVED", "action_required"},
	} {
		h, p := critical(t, "bugs", "bugs")
		h.review(p, c.who, c.state).good(t)
		want(t, c.who+" "+c.state, h.check(p.Head()), c.check)
		want(t, c.who+" "+c.state+": issue is open", h.issue().Open(), c.check == "action_required")
		want(t, "notes", strings.Count(strings.Join(ours(h.issue().Comments()), ""), "decides nothing"), 0)
	}
	h, p := critical(t) // its lines change before anybody looks
	p.Review("will", "APPROVED", "Fine.")
	h.push(p, map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a CASCADE;\n"}).good(t)
	h.sweep().good(t)
	want(t, "a review of the head before", h.check(p.Head()), "action_required")
}

// In a repository of one person that person decides about the own change, and it
// is said.
func TestTheOwnerOfAPersonalRepositoryDecidesAlone(t *testing.T) {
	t.Parallel()
	h := host(t)
	delete(h.inputs, "operator-config")
	h.repo.OwnedByUser()
	p := h.open("acme", drop)
	h.on(p, "opened").good(t)
	h.shut(h.issue(), "acme", "not_planned").good(t)
	want(t, "check", h.check(p.Head()), "failure")
	wantText(t, "issue", strings.Join(ours(h.issue().Comments()), ""), "is an author of the change")
}

// A decision survives a push elsewhere, and is asked again where its lines changed.
func TestADecisionHoldsForItsLines(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	h.heard(p.Issue, "mona", "/debate decide D0 keep Nobody reads it.")
	h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
	want(t, "check after a push elsewhere", h.check(p.Head()), "success")
	want(t, "issue is open", h.issue().Open(), false)
	h.push(p, map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a CASCADE;\n"}).good(t)
	want(t, "check after a push to its lines", h.check(p.Head()), "action_required")
	want(t, "issue is open", h.issue().Open(), true)
}

// Labels, titles and texts of others change nothing: an issue is ours by its
// author and its signed marker.
func TestOnlySignedIssuesOfOursCount(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	i := h.issue()
	i.RemoveLabel("tria", "awaiting_human")
	h.run("issues", h.repo.Event("issues", "unlabeled", ghtest.Happening{Issue: i, Sender: "tria", Label: "awaiting_human"})).good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	for range 100 {
		h.repo.OpenIssue("olive", i.Title(), i.Body(), "awaiting_human").Close("olive", "completed")
	}
	fake := h.repo.OpenIssue("olive", i.Title(), i.Body(), "awaiting_human")
	fake.Close("mona", "completed")
	o := h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: fake, Sender: "mona"})).good(t)
	want(t, "check after a fake was closed", h.check(p.Head()), "action_required")
	if o.writes > 0 || o.reads > 8 {
		t.Errorf("%d reads, writes %s", o.reads, requests(o.changes))
	}
	i.Close("mona", "not_planned")
	h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
	want(t, "check after ours was closed", h.check(p.Head()), "failure")
}

// What asks when the pull request ends is withdrawn, once.
func TestAnEndWithdrawsWhatAsks(t *testing.T) {
	t.Parallel()
	for _, merged := range []bool{true, false} {
		h, p := critical(t)
		if merged {
			p.Merge("mona")
		} else {
			p.Close("mona", "")
		}
		h.on(p, "closed").good(t)
		want(t, "issue is open", h.issue().Open(), false)
		want(t, "notes", len(ours(h.issue().Comments())), 1)
		h.idle(h.on(p, "closed"), "again")
		h.idle(h.sweep(), "the next sweep")
		if !merged {
			p.Reopen("mona")
			h.on(p, "reopened").good(t)
			want(t, "issue of a reopened pull request is open", h.issue().Open(), true)
			want(t, "check", h.check(p.Head()), "action_required")
		}
	}
}

// An issue that was deleted, or moved to another repository, blocks as before, and
// is opened again once.
func TestADeletedIssueIsOpenedAgainOnce(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	h.issue().Delete()
	h.sweep().good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	want(t, "issue is open", h.issue().Open(), true)
	h.issue().Delete()
	h.sweep().good(t)
	want(t, "issues once that was deleted too", len(h.repo.Issues()), 0)
	want(t, "check", h.check(p.Head()), "action_required")
	h.idle(h.sweep(), "writes of the next sweep")
	h.heard(p.Issue, "mona", "/debate decide D0 revise Keep a copy.")
	want(t, "check once it is decided on the pull request", h.check(p.Head()), "failure")
}

// A keyword in another pull request that closes the issue decides nothing.
func TestAKeywordOfAnotherPullRequestDecidesNothing(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	i := h.issue()
	other := h.open("olive", map[string]string{"other.go": "package app\n"})
	other.Merge("mona")
	other.ClosesIssue("mona", i)
	h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: i, Sender: "mona"})).good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	want(t, "issue is open", i.Open(), true)
}

// Events that were lost change nothing in the end: a sweep finds what happened.
func TestASweepFindsWhatNoEventTold(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	i := h.issue()
	i.Close("mona", "not_planned")
	h.sweep().good(t)
	want(t, "check after a closing that no event told", h.check(p.Head()), "failure")
	i.Reopen("mona")
	h.sweep().good(t)
	want(t, "check after a reopening that no event told", h.check(p.Head()), "action_required")
	c := p.Comment("mona", "/debate decide D0 revise Keep a copy.")
	h.sweep().good(t)
	want(t, "check after a command that no event told", h.check(p.Head()), "failure")
	want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
	i.Reopen("mona")
	h.sweep().good(t)
	p.Merge("mona")
	h.sweep().good(t)
	want(t, "issue is open after a merge that no event told", i.Open(), false)
	h.idle(h.sweep(), "writes of the next sweep")
}

// The order in which events arrive does not matter: what they lead to is read (R07).
func TestTheOrderOfEventsDoesNotMatter(t *testing.T) {
	t.Parallel()
	ends := map[string]int{}
	orders := [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}, {3, 3, 3, 3}}
	for _, order := range orders {
		h, p := critical(t)
		i := h.issue()
		var events []func() ran
		tell := func(kind, action string, happened ghtest.Happening) {
			payload := h.repo.Event(kind, action, happened)
			events = append(events, func() ran { return h.run(kind, payload) })
		}
		i.Close("olive", "completed")
		tell("issues", "closed", ghtest.Happening{Issue: i, Sender: "olive"})
		before := p.Head()
		p.Push(h.repo.Change(before, map[string]string{"more.sql": "SELECT 1;\n"}))
		tell("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before})
		c := p.Comment("mona", "/debate decide D0 revise Keep a copy.")
		tell("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: c})
		i.AddLabel("tria", "bug")
		tell("issues", "edited", ghtest.Happening{Issue: i, Sender: "tria", BodyBefore: "x"})
		for _, n := range order {
			events[n]().good(t)
		}
		h.sweep().good(t)
		ends[fmt.Sprint(h.check(p.Head()), state(i), i.Labels(), slices.Contains(c.Reactions(ghtest.ActionsBot), "+1"))]++
		if o := h.sweep().good(t); o.writes > 0 {
			t.Errorf("%v: the next sweep writes %s", order, requests(o.changes))
		}
	}
	if len(ends) != 1 {
		t.Errorf("ends: %v", ends)
	}
}

// A question whose lines are gone is asked no more. A person with an answer at the same time reads
// this, too.
func TestAQuestionWhoseLinesAreGoneIsClosed(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*ghtest.Issue){
		"without an answer": func(*ghtest.Issue) {},
		"after a closing":   func(i *ghtest.Issue) { i.Close("olive", "completed") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := critical(t)
			before := p.Head()
			p.Push(h.repo.Change(before, map[string]string{"more.sql": "SELECT 1;\n"}, "db/migrations/0002_b.up.sql", "db/migrations/0003_b.up.sql"))
			answer(h.issue())
			h.run("pull_request", h.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before})).good(t)
			want(t, "issue is open", h.issue().Open(), false)
			want(t, "label", len(h.issue().Labels()), 0)
			wantText(t, "issue", strings.Join(ours(h.issue().Comments()), ""), "No decision is needed any more")
			want(t, "check", h.check(p.Head()), "neutral")
			h.idle(h.sweep(), "writes of the sweep that follows")
		})
	}
}

// Who may not reopen a question undoes no answer, even if no run saw the answer before.
func TestAReopeningByWhoMayNotLosesNoAnswer(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	h.server.Advance(10 * time.Minute)
	h.issue().Close("mona", "not_planned")
	h.server.Advance(time.Second)
	h.issue().Reopen("tria")
	h.sweep().good(t)
	want(t, "check", h.check(p.Head()), "failure")
	want(t, "issue is open", h.issue().Open(), false)
	wantText(t, "issue", strings.Join(ours(h.issue().Comments()), ""), "mona decided: do not merge.")
	h.idle(h.sweep(), "writes of the sweep that follows")
}

// Who may not reopen a question is told so on the issue.
func TestAReopeningByWhoMayNotIsUndoneWithAWord(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	i := h.issue()
	h.shut(i, "mona", "completed").good(t)
	check := h.check(p.Head())
	i.Reopen("tria")
	h.run("issues", h.repo.Event("issues", "reopened", ghtest.Happening{Issue: i, Sender: "tria"})).good(t)
	want(t, "issue is open", i.Open(), false)
	want(t, "check", h.check(p.Head()), check)
	said := i.Comments()
	wantText(t, "the last word on the issue", said[len(said)-1].Body(), "tria")
}

// The summary says, as the issue does, who may decide.
func TestTheSummarySaysWhoMayDecide(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] += "escalation: {deciders: maintain}\n"
	p := h.open("ada", drop)
	h.on(p, "opened").good(t)
	wantText(t, "summary", summaries(p)[0], "**Someone with maintain access, other than ada,** has to decide")
}

// The issue mentions who was asked to review and may answer it: neither the author nor
// somebody who can only read, and nobody beside those whom the settings name.
func TestTheIssueMentionsReviewersWhoMayDecide(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings, cc string
		asked        []string
	}{
		"nobody":               {"", "", nil},
		"a reader":             {"", "", []string{"olive"}},
		"a writer":             {"", "cc @mona\n", []string{"olive", "mona"}},
		"beyond the first":     {"", "", []string{"olive", "dependabot[bot]", "olive", "mona"}},
		"named by the setting": {"escalation: {notify: [tria]}\n", "cc @tria\n", []string{"mona"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"] += test.settings
			p := h.open("ada", drop)
			p.RequestReview(test.asked...)
			h.on(p, "opened").good(t)
			body := h.issue().Body()
			if _, cc, _ := strings.Cut(body, "\ncc @"); test.cc == "" && cc != "" {
				t.Errorf("mentions @%.40s", cc)
			}
			wantText(t, "issue", body, test.cc)
		})
	}
}
