package main

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// shaky is a migration that policy hands to a person, and code in which the parties
// find a P1 and a P2.
var shaky = map[string]string{
	"db/migrations/0002_b.up.sql": "DROP TABLE a;\n",
	"ratio.go":                    "package app\n\nvar door = 1 // BUG: it is open\nvar keys = 2 // GRAVE BUG: they are lost\n",
}

// A click that keeps accepts what the question asked, and nothing else: a P1 that
// stands, and what fails the check, stand until they are fixed or dismissed by name
// (M20).
func TestAClickThatKeepsWhileAP1IsOpen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failOn, check string
		open          []string
	}{
		"advisory":   {"none", "neutral", []string{"F3"}},
		"fail on P1": {"P1", "failure", []string{"F3"}},
		"fail on P2": {"P2", "failure", []string{"F2", "F3"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"], h.inputs["fail-on"] = parties(t, "bugs", "bugs"), c.failOn
			p := h.open("ada", shaky)
			h.on(p, "opened").good(t)
			wantText(t, "issue", h.issue().Body(), "Merging also needs F3 fixed, or dismissed by someone with write access (comment `/debate dismiss F3 WHY`).")
			wantText(t, "issue", h.issue().Body(), "F2 P2 This is a bug: it is open (ratio.go:3)")
			wantText(t, "issue", h.issue().Body(), "F3 P1 This is a bug: they are lost (ratio.go:4)")
			h.review(p, "mona", "APPROVED").good(t)
			want(t, "check", h.check(p.Head()), c.check)
			checks := h.repo.CheckRuns(p.Head())
			said := strings.Join(ours(h.issue().Comments()), "\n")
			needs := "erging also needs " + strings.Join(c.open, " and ") + " fixed, or dismissed by someone with write access (comment `/debate dismiss " + c.open[0] + " WHY`)."
			wantText(t, "check", checks[len(checks)-1].Summary, ": m"+needs)
			wantText(t, "issue", said, "M"+needs)
			for _, f := range c.open {
				h.heard(p.Issue, "mona", "/debate dismiss "+f+" It is meant to be.")
			}
			want(t, "check once they are dismissed by name", h.check(p.Head()), "success")
		})
	}
}

// A decision to merge holds for later commits while the lines that it is about are the
// same, under a gate that is required too: a model that goes on asking for changes because
// of what stood then changes nothing. What is new does.
func TestADecisionToMergeHoldsForLaterCommits(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(h *hosted, p *ghtest.Pull){
		"the command": func(h *hosted, p *ghtest.Pull) {
			h.say(p.Issue, "mona", "/debate decide keep The door is open by day.")
		},
		"a click": func(h *hosted, p *ghtest.Pull) { h.review(p, "mona", "APPROVED") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"], h.inputs["gate"] = parties(t, "bugs", "bugs"), "required"
			p := h.open("ada", map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\n", "ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"})
			h.on(p, "opened").good(t)
			answer(h, p)
			want(t, "check once it was decided", h.check(p.Head()), "success")
			for i := range 2 {
				h.push(p, map[string]string{"README.md": strings.Repeat("Hello.\n", i+1)}).good(t)
				want(t, "check of a later commit", h.check(p.Head()), "success")
				wantText(t, "summary of a later commit", summaries(p)[0], "### debate: mona decided: merge it as it is")
			}
			h.push(p, map[string]string{"more.go": "package app\n\nvar keys = 2 // BUG: they are lost\n"}).good(t)
			want(t, "check once something is new", h.check(p.Head()), "action_required")
			want(t, "the issue is open", h.issue().Open(), true)
			wantText(t, "summary once something is new", summaries(p)[0], "mona decided to merge an earlier commit as it is. That is not about F8, so it is asked again.")
			wantText(t, "issue once something is new", h.issue().Body(), "**New since then**: F8 P2 This is a bug: they are lost (more.go:3)")
			wantText(t, "comment on the issue", strings.Join(ours(h.issue().Comments()), "\n"), "**New since then**: F8 P2")
			h.push(p, map[string]string{"more.go": "package app\n"}).good(t)
			want(t, "check once that is gone", h.check(p.Head()), "success")
			want(t, "the issue is open", h.issue().Open(), false)
		})
	}
}

// An acceptance and a dismissal are about as many places as people could see. A second copy of
// the line is asked about, on its own head and on later ones; once it is gone, the answer
// holds again.
func TestTheSameLineTwiceIsAskedAgain(t *testing.T) {
	t.Parallel()
	const once = "package app\n\nvar door = 1 // BUG: it is open\n"
	const twice = once + "\nfunc init() {\n\tvar door = 1 // BUG: it is open\n}\n"
	for name, c := range map[string]struct{ migration, answer, open string }{
		"accepted":  {"DROP TABLE a;\n", "/debate decide keep The door is open by day.", "action_required"},
		"dismissed": {"CREATE TABLE a (id int);\n", "/debate dismiss F1 The door is open by day.", "failure"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"], h.inputs["gate"] = parties(t, "bugs", "bugs"), "required"
			p := h.open("ada", map[string]string{"db/migrations/0002_b.up.sql": c.migration, "ratio.go": once})
			h.on(p, "opened").good(t)
			h.say(p.Issue, "mona", c.answer)
			want(t, "check once it was answered", h.check(p.Head()), "success")
			h.push(p, map[string]string{"ratio.go": twice}).good(t)
			want(t, "check with a second copy", h.check(p.Head()), c.open)
			h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
			want(t, "check of a later commit", h.check(p.Head()), c.open)
			h.push(p, map[string]string{"ratio.go": once}).good(t)
			want(t, "check once the copy is gone", h.check(p.Head()), "success")
		})
	}
}

// What models chose because of a finding ends when a maintainer dismisses it, under a
// required gate too, on this commit and on later ones. Another finding stands.
func TestADismissalEndsWhatRestsOnIt(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"], h.inputs["gate"] = parties(t, "bugs", "bugs"), "required"
	p := h.open("ada", map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\nvar keys = 2 // BUG: they are lost\n"})
	h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "failure")
	h.say(p.Issue, "mona", "/debate dismiss F1 It is meant to be.")
	want(t, "check with one of two dismissed", h.check(p.Head()), "failure")
	wantText(t, "summary", summaries(p)[0], "### debate: changes needed")
	h.say(p.Issue, "mona", "/debate dismiss F2 These, too.")
	want(t, "check with both dismissed", h.check(p.Head()), "success")
	wantText(t, "summary", summaries(p)[0], "### debate: no problems found")
	h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
	want(t, "check of a later commit", h.check(p.Head()), "success")
	h.push(p, map[string]string{"more.go": "package app\n\nvar lock = 3 // BUG: it is rusty\n"}).good(t)
	want(t, "check once something is new", h.check(p.Head()), "failure")
}

// The command accepts by name what the question quoted, on its lines, on this head and
// on later ones; a confirmed P1 is not accepted so.
func TestACommandThatKeepsAcceptsWhatTheQuestionQuoted(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"], h.inputs["fail-on"] = parties(t, "bugs", "bugs"), "P2"
	p := h.open("ada", map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\n", "ratio.go": "package app\n\nvar door = 1 // BUG: it is open\n"})
	h.on(p, "opened").good(t)
	wantText(t, "issue", h.issue().Body(), "`/debate decide keep WHY` also accepts F2. A click does not.")
	c, o := h.say(p.Issue, "mona", "/debate decide keep The door is open by day.")
	o.good(t)
	want(t, "check", h.check(p.Head()), "success")
	want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
	wantText(t, "summary", summaries(p)[0], "mona decided: merge it as it is")
	wantText(t, "summary", summaries(p)[0], "p0 and p1 read the whole change and ask for changes.")
	wantText(t, "summary", summaries(p)[0], "mona accepted F2.")
	wantText(t, "row of the finding", summaries(p)[0], "This is a bug: it is open **(accepted by mona)** |")
	wantText(t, "row of the rule that the question is about", summaries(p)[0], "Migration drops table a **(accepted by mona)** |")
	h.push(p, map[string]string{"README.md": "Hello.\n"}).good(t)
	if got := h.check(p.Head()); got == "failure" {
		t.Errorf("what was accepted by name on the same lines fails the next head\n%s", unhidden(summaries(p)[0]))
	}
	wantText(t, "summary of the next head", summaries(p)[0], "mona decided: merge it as it is")
	h.push(p, map[string]string{"ratio.go": "package app\n\nvar door = 9 // BUG: it is open wide\n"}).good(t)
	want(t, "check once its lines changed", h.check(p.Head()), "action_required")
}
