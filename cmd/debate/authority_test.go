package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// Where the summary is lost the label list is all that is left to find issues by,
// and anybody who may triage writes on it: an issue counts by its author and by what
// we signed.
func TestALostSummaryBelievesNoOtherIssue(t *testing.T) {
	t.Parallel()
	same := func(text string, _ *hosted, _ comment.Marker) string { return text }
	sign := func(h *hosted, m comment.Marker) comment.Marker {
		return comment.Signed([]byte(stateKey), comment.Bind{RepositoryID: h.repo.ID, Number: m.PR, Purpose: "decision"}, m)
	}
	elsewhere := func(text string, h *hosted, m comment.Marker) string {
		was := m.String()
		m.PR = h.open("ada", readme).Number
		return strings.Replace(text, was, sign(h, m).String(), 1)
	}
	for name, c := range map[string]struct {
		author string
		text   func(text string, h *hosted, m comment.Marker) string
		check  string
		noKey  bool // what is signed cannot be checked
	}{
		"ours, once more":         {author: ghtest.ActionsBot, text: same, check: "failure"},
		"a reader's copy":         {author: "olive", text: same, check: "action_required"},
		"of another pull request": {author: ghtest.ActionsBot, text: elsewhere, check: "action_required"},
		"signed for another pull request": {author: ghtest.ActionsBot, text: func(text string, h *hosted, m comment.Marker) string {
			was := m.MAC
			m.PR++
			return strings.Replace(text, was, sign(h, m).MAC, 1)
		}, check: "action_required"},
		"signed for another head": {author: ghtest.ActionsBot, text: func(text string, h *hosted, m comment.Marker) string {
			was := m.MAC
			m.Head = h.repo.Branch("main")
			return strings.Replace(text, was, sign(h, m).MAC, 1)
		}, check: "action_required"},
		"without a key, ours":                    {author: ghtest.ActionsBot, text: same, check: "failure", noKey: true},
		"without a key, a reader's copy":         {author: "olive", text: same, check: "action_required", noKey: true},
		"without a key, of another pull request": {author: ghtest.ActionsBot, text: elsewhere, check: "action_required", noKey: true},
		"signed by nobody": {author: ghtest.ActionsBot, text: func(text string, _ *hosted, m comment.Marker) string {
			return strings.Replace(text, m.MAC, "-", 1)
		}, check: "action_required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := critical(t)
			i := h.issue()
			title, text := i.Title(), i.Body()
			m, _ := comment.Marked(text, comment.DecisionMark)
			i.Delete()
			p.Comments()[0].Delete()
			if c.noKey {
				delete(h.inputs, "state-key")
			}
			h.server.Advance(time.Minute)
			other := h.repo.OpenIssue(c.author, title, c.text(text, h, m), "awaiting_human")
			if _, is := comment.Marked(other.Body(), comment.DecisionMark); !is {
				t.Fatal("it has no marker")
			}
			h.server.Advance(3 * time.Minute)
			other.Close("mona", "not_planned")
			h.sweep().good(t)
			want(t, "check by the sweep", h.check(p.Head()), c.check)
			h.run("issues", h.repo.Event("issues", "closed", ghtest.Happening{Issue: other, Sender: "mona"})).good(t)
			want(t, "check by its event", h.check(p.Head()), c.check)
		})
	}
}

// Of the check runs of a head those of other apps are not ours, whatever their name:
// ours stays as it is, and says no less.
func TestACheckOfAnotherAppIsNotOurs(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides}, "fail-on", "P2")
	own := h.repo.CheckRuns(p.Head())[0]
	want(t, "check", own.Conclusion, "failure")
	h.repo.AddCheckRun(ghtest.CheckRun{App: 99, Name: "debate", HeadSHA: p.Head(), Conclusion: "neutral", ExternalID: own.ExternalID})
	o := h.sweep().good(t)
	want(t, "writes of the sweep", requests(o.changes), "")
	h.heard(p.Issue, "mona", "/debate dismiss F1 The divisor is never zero.")
	for _, c := range h.repo.CheckRuns(p.Head()) {
		want(t, fmt.Sprintf("the check of app %d after the dismissal", c.App), c.Conclusion, map[int64]string{own.App: "success", 99: "neutral"}[c.App])
	}
	want(t, "statuses", len(h.repo.Statuses(p.Head())), 0)
}

// A running debate is ended by a person with write access who wrote the comment
// himself as it stands, and by nobody else.
func TestWhoseStopEndsARunningDebate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		who, before string // what the comment said before it was edited, "" for one that was not
		token       string // whose token the action has, "" for that of its job
		stops       bool
	}{
		"maintainer":       {who: "mona", stops: true},
		"writer":           {who: "ada", stops: true},
		"reader":           {who: "olive"},
		"triager":          {who: "tria"},
		"bot that writes":  {who: "helper[bot]"},
		"edited":           {who: "mona", before: "Go on."},
		"our own identity": {who: "root", token: "root"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.repo.SetPermission("helper[bot]", ghtest.Write)
			h.inputs["operator-config"] = parties(t, "agree", "object")
			if c.token != "" {
				h.token = h.server.PersonToken(c.token)
			}
			p := h.open("ada", map[string]string{"ratio.go": divides})
			spoken := false
			h.between(func(_ int, r *http.Request) {
				if spoken || r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/check-runs") {
					return
				}
				spoken = true
				if c.before == "" {
					p.Comment(c.who, "/debate stop")
				} else {
					p.Comment(c.who, c.before).Edit(c.who, "/debate stop")
				}
				h.server.Advance(2 * time.Minute)
			})
			o := h.on(p, "opened").good(t)
			want(t, "it was stopped", !strings.Contains(o.log, "\nreply  ") && !strings.Contains(o.log, "\nscores  "), c.stops)
			said, confirmed := 0, false
			for _, comment := range p.Comments() {
				if strings.HasPrefix(comment.Body(), "/debate stop") {
					said++
					confirmed = len(comment.Reactions(ghtest.ActionsBot))+len(comment.Reactions(c.token)) > 0
				}
			}
			want(t, "stops", said, 1)
			want(t, "it was confirmed", confirmed, c.stops)
		})
	}
}

// A comment of the identity that the action runs as commands nothing, even where it
// is a person with every right.
func TestACommandOfOurOwnIdentityIsNone(t *testing.T) {
	t.Parallel()
	h := host(t)
	delete(h.inputs, "operator-config")
	h.token = h.server.PersonToken("root")
	p := h.open("ada", drop)
	h.on(p, "opened").good(t)
	h.server.Advance(time.Minute)
	c, o := h.say(p.Issue, "root", "/debate decide D0 keep It is meant to be.")
	o.good(t)
	want(t, "reactions", len(c.Reactions("root")), 0)
	want(t, "issue is open", h.issue().Open(), true)
	h.sweep().good(t)
	want(t, "reactions after a sweep", len(c.Reactions("root")), 0)
	want(t, "issue is open after a sweep", h.issue().Open(), true)
	h.heard(p.Issue, "mona", "/debate decide D0 keep It is meant to be.")
	want(t, "issue is open once a person decided", h.issue().Open(), false)
}

// A waiver is for what its giver can have read: one that was written while the head
// was still reviewed waives nothing (A12).
func TestAWaiverThatCameBeforeTheReviewIsRefused(t *testing.T) {
	t.Parallel()
	for _, early := range []bool{true, false} {
		h := host(t)
		h.inputs["operator-config"] = parties(t, "bugs", "bugs")
		p := h.open("ada", drop)
		const text = "/debate waive destructive_schema The table is empty."
		if early {
			h.between(func(_ int, r *http.Request) {
				if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs") {
					p.Comment("mona", text)
					h.server.Advance(time.Minute)
				}
			})
		}
		h.on(p, "opened").good(t)
		want(t, "check of the review", h.check(p.Head()), "action_required")
		h.env = map[string]string{}
		h.server.Advance(time.Minute)
		if !early {
			p.Comment("mona", text)
		}
		h.sweep().good(t)
		reaction, check := "+1", "neutral"
		if early {
			reaction, check = "confused", "action_required"
		}
		for _, c := range p.Comments() {
			if c.Body() == text {
				want(t, fmt.Sprintf("early: %t: reaction", early), strings.Join(c.Reactions(ghtest.ActionsBot), " "), reaction)
			}
		}
		want(t, fmt.Sprintf("early: %t: check", early), h.check(p.Head()), check)
		if early {
			wantText(t, "reply", strings.Join(ours(p.Comments()), "\n"), "a waiver is about the review of the newest commit")
		}
	}
}

// What people did counts by GitHub's clock, whatever the runner's says.
func TestARunnersClockDecidesNothing(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{time.Hour, 0, -time.Hour} {
		for _, recalled := range []bool{false, true} {
			t.Run(fmt.Sprintf("ahead %s, recalled %t", ahead, recalled), func(t *testing.T) {
				t.Parallel()
				begin := func() (*hosted, *ghtest.Pull) {
					h := host(t)
					h.inputs["operator-config"] = parties(t, "bugs", "bugs")
					h.ahead = ahead
					p := h.open("ada", drop)
					early := false
					h.between(func(_ int, r *http.Request) {
						if !early && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs") {
							early = true
							p.Review("will", "APPROVED", "Before anybody asked.")
						}
					})
					h.on(p, "opened").good(t)
					h.env = map[string]string{}
					h.server.Advance(time.Minute)
					if recalled {
						h.heard(p.Issue, "mona", "/debate status")
						h.server.Advance(time.Minute)
					}
					want(t, "check of the review", h.check(p.Head()), "action_required")
					return h, p
				}
				h, p := begin()
				h.reacts("+1", p.Issue, "mona", "/debate waive destructive_schema The table is empty.")

				h, p = begin()
				p.Review("mona", "APPROVED", "Fine with me.")
				h.sweep().good(t)
				want(t, "issue is open after a deciding review", h.issue().Open(), false)
				wantText(t, "issue", strings.Join(ours(h.issue().Comments()), ""), "mona decided: merge it as it is.")
			})
		}
	}
}

// Who opens a pull request again while its question is taken back keeps the question.
func TestAPullRequestThatIsOpenedAgainMeanwhileKeepsItsQuestion(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	p.Close("ada", "")
	h.between(func(_ int, r *http.Request) {
		if strings.Contains(r.URL.Path, "/compare/") {
			p.Reopen("ada")
		}
	})
	o := h.on(p, "closed").good(t)
	wantText(t, "log", o.log, "looking again")
	want(t, "issue is open", h.issue().Open(), true)
	want(t, "notes", len(ours(h.issue().Comments())), 0)
	want(t, "check", h.check(p.Head()), "action_required")
}

// Who opens the issue again after an approval takes it back, even if no run saw it before.
func TestAnIssueThatIsOpenedAgainAfterAnApprovalStaysOpen(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	p.Close("ada", "")
	h.on(p, "closed").good(t)
	h.server.Advance(10 * time.Minute)
	p.Review("will", "APPROVED", "So it is.")
	h.server.Advance(time.Minute)
	h.issue().Reopen("mona")
	p.Reopen("ada")
	h.on(p, "reopened").good(t)
	want(t, "issue is open", h.issue().Open(), true)
	want(t, "check", h.check(p.Head()), "action_required")
	h.sweep().good(t)
	want(t, "check after a sweep", h.check(p.Head()), "action_required")
	wantText(t, "note", strings.Join(ours(h.issue().Comments()), "\n"), "The answer of will does not count: mona revoked it.")
	want(t, "issue is open", h.issue().Open(), true)
	h.server.Advance(time.Minute)
	h.review(p, "will", "APPROVED").good(t)
	want(t, "check after the next approval", h.check(p.Head()), "success")
}

// Who opens the issue again while its answer is carried out takes the answer back.
func TestAnIssueThatIsOpenedAgainMeanwhileStaysOpen(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	h.issue().Close("mona", "completed")
	h.between(func(_ int, r *http.Request) {
		if strings.Contains(r.URL.Path, "/compare/") {
			h.issue().Reopen("mona")
		}
	})
	o := h.sweep().good(t)
	wantText(t, "log", o.log, "the issue was opened or closed meanwhile; looking again")
	want(t, "issue is open", h.issue().Open(), true)
	want(t, "check", h.check(p.Head()), "action_required")
}

// A pull request closed while its review looks again for another base branch leaves no check in
// progress: after a reopening, the next run would wait for a review without an end.
func TestAReviewThatEndsWithThePullRequestEndsItsCheck(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	h.repo.SetBranch("release", p.Base())
	p.Push(h.repo.Change(p.Head(), map[string]string{"more.sql": "SELECT 1;\n"}))
	begun := false
	h.between(func(_ int, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs") && !begun {
			begun = true
			p.SetBase("release")
			p.Close("ada", "")
		}
	})
	o := h.on(p, "synchronize").good(t)
	wantText(t, "log", o.log, "looking again")
	want(t, "check", h.check(p.Head()), "action_required")
	p.Reopen("ada")
	h.on(p, "reopened").good(t)
	want(t, "check after it is opened again", h.check(p.Head()), "action_required")
	want(t, "summary", strings.Contains(summaries(p)[0], "waits for a decision"), true)
}
