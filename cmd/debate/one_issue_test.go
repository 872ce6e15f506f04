package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// event runs the action for what somebody did to an issue.
func (h *hosted) touched(i *ghtest.Issue, who, action string) ran {
	h.t.Helper()
	return h.run("issues", h.repo.Event("issues", action, ghtest.Happening{Issue: i, Sender: who}))
}

// review reviews a head, and runs the action for it.
func (h *hosted) review(p *ghtest.Pull, who, state string) ran {
	h.t.Helper()
	r := p.Review(who, state, "I have looked at it.")
	return h.run("pull_request_review", h.repo.Event("pull_request_review", "submitted", ghtest.Happening{Pull: p, Review: r}))
}

// said is all that we said on an issue.
func said(i *ghtest.Issue) string { return strings.Join(ours(i.Comments()), "\n") }

// A click answers what has stood in the issue for two minutes; a faster one is asked to
// be repeated in one sentence (M22).
func TestAClickAnswersWhatWasThereToRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		click func(h *hosted, p *ghtest.Pull) ran
		check string
	}{
		"close":           {func(h *hosted, _ *ghtest.Pull) ran { return h.shut(h.issue(), "mona", "not_planned") }, "failure"},
		"approve":         {func(h *hosted, p *ghtest.Pull) ran { return h.review(p, "mona", "APPROVED") }, "success"},
		"request changes": {func(h *hosted, p *ghtest.Pull) ran { return h.review(p, "mona", "CHANGES_REQUESTED") }, "failure"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.hasty = true
			h.inputs["operator-config"] = parties(t, "bugs", "bugs")
			p := h.open("ada", drop)
			h.on(p, "opened").good(t)
			h.server.Advance(time.Minute)
			c.click(h, p).good(t)
			want(t, "check after one minute", h.check(p.Head()), "action_required")
			want(t, "issue is open after one minute", h.issue().Open(), true)
			want(t, "sentences", strings.Count(said(h.issue()), "just before this answer"), 1)
			h.idle(h.sweep(), "the next sweep")
			h.server.Advance(2 * time.Minute)
			c.click(h, p).good(t)
			want(t, "check once it could be read", h.check(p.Head()), c.check)
			want(t, "issue is open once it could be read", h.issue().Open(), false)
		})
	}
}

// Who may not decide at all is told so, however fast the click is.
func TestAFastClickIsRefusedForTheTrueReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ who, reason, why string }{
		{"ada", "completed", "ada is an author of the change"},
		{"tria", "not_planned", "tria needs write access"},
		{"mona", "duplicate", "it does not say which option of D0"},
		{"mona", "completed", "just before this answer"},
	} {
		h, p := critical(t, "agree", "agree")
		h.hasty = true
		h.push(p, map[string]string{"db/migrations/0004_b.up.sql": "DROP TABLE b;\n"}).good(t)
		h.shut(h.issue(), c.who, c.reason).good(t)
		wantText(t, c.who+" "+c.reason, said(h.issue()), c.why)
		if hasty := strings.Contains(said(h.issue()), "just before this answer"); hasty != (c.why == "just before this answer") {
			t.Errorf("%s %s:\n%s", c.who, c.reason, said(h.issue()))
		}
		want(t, "check", h.check(p.Head()), "action_required")
	}
}

// A question that a push changed is announced, and a click right after answers nothing;
// one whose words are the same is answered by a click right after a push elsewhere.
func TestAClickAfterAPushAnswersWhatStoodThere(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	h.hasty = true
	h.push(p, map[string]string{"db/migrations/0004_b.up.sql": "DROP TABLE b;\n"}).good(t)
	want(t, "announcements", strings.Count(said(h.issue()), "Read the question above before you answer"), 1)
	wantText(t, "issue", h.issue().Body(), "DROP TABLE b;")
	h.server.Advance(time.Minute)
	h.shut(h.issue(), "mona", "completed").good(t)
	want(t, "check after a click on what was added a minute before", h.check(p.Head()), "action_required")
	want(t, "issue is open", h.issue().Open(), true)

	h, p = critical(t, "agree", "agree")
	h.hasty = true
	before := len(ours(h.issue().Comments()))
	h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
	want(t, "comments after a push elsewhere", len(ours(h.issue().Comments())), before)
	h.shut(h.issue(), "mona", "not_planned").good(t)
	want(t, "check after a click on what stood there", h.check(p.Head()), "failure")
}

// Of several people's answers the most careful stands until its giver changes it.
func TestTheMostCarefulOfSeveralAnswersStands(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	h.review(p, "will", "APPROVED").good(t)
	want(t, "check after one approved", h.check(p.Head()), "success")
	h.review(p, "mona", "CHANGES_REQUESTED").good(t)
	want(t, "check after another one asked for changes", h.check(p.Head()), "failure")
	h.heard(p.Issue, "will", "/debate decide keep It is fine.")
	want(t, "check after the first one insists", h.check(p.Head()), "failure")
	wantText(t, "the answer", strings.Join(ours(p.Comments()), "\n"), "The answer of mona counts (changes first)")
	h.review(p, "mona", "APPROVED").good(t)
	want(t, "check after the second one changed her mind", h.check(p.Head()), "success")
	h.idle(h.sweep(), "the next sweep")
	h.issue().Reopen("mona")
	h.touched(h.issue(), "mona", "reopened").good(t)
	want(t, "check after it was taken back", h.check(p.Head()), "action_required")
	h.sweep().good(t)
	want(t, "no review before that counts again", h.check(p.Head()), "action_required")
}

// Two people who click before anybody looks: both count, and the more careful stands.
func TestTwoClicksAtOnce(t *testing.T) {
	t.Parallel()
	for _, order := range [][2]string{{"close", "review"}, {"review", "close"}} {
		h, p := critical(t, "bugs", "bugs")
		for _, way := range order {
			if way == "close" {
				h.issue().Close("mona", "not_planned")
			} else {
				p.Review("will", "APPROVED", "Fine.")
			}
		}
		h.sweep().good(t)
		want(t, order[0]+" first: check", h.check(p.Head()), "failure")
		want(t, order[0]+" first: issue is open", h.issue().Open(), false)
	}
	h, p := critical(t, "bugs", "bugs")
	h.shut(h.issue(), "mona", "completed").good(t)
	want(t, "check", h.check(p.Head()), "success")
	h.issue().Reopen("mona")
	h.shut(h.issue(), "mona", "not_planned").good(t)
	want(t, "check after she opened it again and closed it in another way", h.check(p.Head()), "failure")
}

// A review of an older head answers no question about this one, and its giver is asked to
// repeat it.
func TestAReviewOfAnOlderHead(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	older := p.Head()
	h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
	r := p.ReviewAt(older, "mona", "CHANGES_REQUESTED", "Keep a copy.")
	h.run("pull_request_review", h.repo.Event("pull_request_review", "submitted", ghtest.Happening{Pull: p, Review: r})).good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	wantText(t, "issue", said(h.issue()), "Please read it and answer again")

	h, p = critical(t, "agree", "agree")
	older = p.Head()
	h.push(p, map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a CASCADE;\n"}).good(t)
	p.ReviewAt(older, "mona", "APPROVED", "Fine.")
	h.sweep().good(t)
	want(t, "check after a review of other lines", h.check(p.Head()), "action_required")
	want(t, "sentences", strings.Count(said(h.issue()), "Please read it and answer again"), 1)
	h.idle(h.sweep(), "the next sweep")
}

// A review that is dismissed after it was heard still stands: only its giver, or a
// person who opens the issue again, changes what was decided.
func TestADismissedReview(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	r := p.Review("mona", "CHANGES_REQUESTED", "Keep a copy.")
	r.Dismiss()
	h.sweep().good(t)
	want(t, "check after a review that was dismissed before anybody looked", h.check(p.Head()), "action_required")
	r = p.Review("mona", "CHANGES_REQUESTED", "Keep a copy.")
	h.sweep().good(t)
	r.Dismiss()
	h.sweep().good(t)
	want(t, "check after a review that was dismissed later", h.check(p.Head()), "failure")
}

// The bot asks again by opening the same issue, and that takes nothing back.
func TestAskedAgainAfterAPush(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	i := h.issue()
	h.shut(i, "mona", "completed").good(t)
	h.push(p, map[string]string{"db/migrations/0004_b.up.sql": "DROP TABLE b;\n"}).good(t)
	want(t, "issue is open", i.Open(), true)
	wantText(t, "issue", said(i), "The question changed with [")
	if first, _, _ := strings.Cut(unhidden(i.Body()), "\n"); !strings.HasPrefix(first, "mona answered (merge it as it is, at [") || !strings.Contains(first, "0004") {
		t.Errorf("the issue begins:\n%s", first)
	}
	h.shut(i, "mona", "not_planned").good(t)
	want(t, "check", h.check(p.Head()), "failure")
	h.idle(h.sweep(), "the next sweep")
}

// The issue quotes every statement that asks people, also further ones of one file, and
// says in its title what the change does.
func TestTheIssueQuotesEveryHit(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"db/migrations/0004_c.up.sql": "ALTER TABLE orders DROP COLUMN a;\nSELECT 1;\nALTER TABLE orders DROP COLUMN b;\n"}, "operator-config", parties(t, "agree", "agree"))
	body := unhidden(h.issue().Body())
	for _, line := range []string{"0004\\_c.up.sql:1]", "0004\\_c.up.sql:3]", "`ALTER TABLE orders DROP COLUMN a;`", "`ALTER TABLE orders DROP COLUMN b;`"} {
		wantText(t, "issue", body, line)
	}
	want(t, "title", h.issue().Title(), "Decide: merge #"+strconv.Itoa(p.Number)+"? Migration drops column a of orders")
}
