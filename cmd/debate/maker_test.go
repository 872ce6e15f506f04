package main

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// Those who made a commit of the head count as its authors: their word decides no more
// than that of the person who opened the pull request.
func TestWhoMadeACommitDecidesNothing(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]func(h *hosted, p *ghtest.Pull){
		"author":    func(h *hosted, p *ghtest.Pull) { h.repo.MadeBy(p.Head(), "mona") },
		"co-author": func(h *hosted, p *ghtest.Pull) { h.repo.MadeBy(p.Head(), "ada", "mona") },
		"committer": func(h *hosted, p *ghtest.Pull) { h.repo.CommittedBy(p.Head(), "mona") },
		"pusher":    func(_ *hosted, p *ghtest.Pull) { p.PushedBy("mona") },
		"pusher of an unknown address": func(h *hosted, p *ghtest.Pull) {
			h.repo.MadeBy(p.Head(), "")
			p.PushedBy("mona")
		},
		"pusher with force": func(_ *hosted, p *ghtest.Pull) { p.ForcePush("mona", p.Head()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := critical(t)
			made(h, p)
			for _, text := range []string{"/debate decide D0 keep Fine.", "/debate dismiss F1 Fine.", "/debate waive irreversible Fine."} {
				c, o := h.say(p.Issue, "mona", text)
				o.good(t)
				want(t, text, strings.Join(c.Reactions(ghtest.ActionsBot), " "), "confused")
				said := p.Comments()
				wantText(t, text, said[len(said)-1].Body(), "Not done: mona is an author of the change.")
			}
			h.review(p, "mona", "APPROVED").good(t)
			h.shut(h.issue(), "mona", "completed").good(t)
			want(t, "check", h.check(p.Head()), "action_required")
			h.heard(p.Issue, "root", "/debate decide D0 keep Fine.")
			want(t, "check once another one decided", h.check(p.Head()), "neutral")
		})
	}
}

// A decision does not hold for commits that the decider made.
func TestADeciderWhoPushesDecidesNoMore(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "bugs", "bugs")
	h.heard(p.Issue, "mona", "/debate decide D0 keep Nobody reads it.")
	want(t, "check", h.check(p.Head()), "success")
	head := h.repo.Change(p.Head(), map[string]string{"README.md": "Hello.\n"})
	h.repo.MadeBy(head, "mona")
	before := p.Head()
	p.Push(head)
	h.run("pull_request", h.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: p, Before: before})).good(t)
	want(t, "check after a push of the decider", h.check(p.Head()), "action_required")
	want(t, "issue is open", h.issue().Open(), true)
	wantText(t, "issue", h.issue().Body(), "**New since then**: mona is an author of the change.")
	wantText(t, "summary", summaries(p)[0], "mona's decision does not hold for this commit: mona is an author of the change")
}

// Those who pushed a commit that is no longer in the pull request may decide.
func TestAPusherOfACommitThatIsGoneDecides(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	p.PushedBy("mona")
	p.ForcePush("ada", h.repo.Change(p.Base(), drop))
	h.on(p, "synchronize").good(t)
	want(t, "check", h.check(p.Head()), "action_required")
	h.heard(p.Issue, "mona", "/debate decide D0 keep Fine.")
	want(t, "check once mona decided", h.check(p.Head()), "neutral")
}

// If GitHub does not say who pushed, the pull request says so, and the decision of a person
// named by no commit counts.
func TestUnknownPushers(t *testing.T) {
	t.Parallel()
	h, p := critical(t)
	h.server.FaultOn("/activity", 9, ghtest.Answer(404))
	h.heard(p.Issue, "mona", "/debate decide D0 keep Fine.")
	want(t, "check", h.check(p.Head()), "neutral")
	wantText(t, "summary", summaries(p)[0], "GitHub did not say who pushed to this branch")
}
