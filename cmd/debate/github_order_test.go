package main

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// An F id means what it meant when it was first read: where the state is lost, and
// the comment that bore it, ids begin anew, and an old dismissal is of nothing (S11).
func TestALostStateTurnsNoOldDismissalOnAnotherFinding(t *testing.T) {
	t.Parallel()
	h, p := dividing(t)
	h.say(p.Issue, "mona", "/debate dismiss F1 The callers check.")
	want(t, "check once it is dismissed", h.check(p.Head()), "success")
	p.Comments()[0].Delete()
	p.Inline()[0].Delete()
	h.push(p, map[string]string{"ratio.go": "package app\n\nfunc Ratio(a, b int) int {\n\treturn a / (b - 7) // another bug\n}\n"}).good(t)
	wantText(t, "summary", summaries(p)[0], "| **P2** F1 |")
	want(t, "check of another finding that is called F1", h.check(p.Head()), "failure")
}

// Nobody dismisses what is not known yet.
func TestADismissalBeforeTheReviewIsRefused(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["fail-on"] = "P2"
	p := h.open("ada", map[string]string{"ratio.go": divides})
	h.reacts("confused", p.Issue, "mona", "/debate dismiss F1 It is fine.")
	wantText(t, "reply", strings.Join(ours(p.Comments()), "\n"), "there is no finding F1")
	h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "failure")
	h.reacts("+1", p.Issue, "mona", "/debate dismiss F1 The callers check.")
	want(t, "check once it is dismissed", h.check(p.Head()), "success")
}

// A dismissal that comes while a new head waits for its review is taken up by the
// review that its run holds, and not forgotten.
func TestADismissalBeginsTheReviewThatIsDue(t *testing.T) {
	t.Parallel()
	h, p := dividing(t)
	p.Push(h.repo.Change(p.Head(), map[string]string{"other.go": "package app\n\nconst More = 1\n"}))
	c, o := h.say(p.Issue, "mona", "/debate dismiss F1 The callers check.")
	o.good(t)
	want(t, "reaction", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
	h.on(p, "synchronize").good(t)
	wantText(t, "summary", summaries(p)[0], "The divisor can be zero: mona dismissed it")
	wantText(t, "reactions in the end", strings.Join(c.Reactions(ghtest.ActionsBot), " "), "+1")
	h.push(p, map[string]string{"third.go": "package app\n\nconst Third = 1\n"}).good(t)
	if text := summaries(p)[0]; strings.Contains(text, "ratio.go:4](") {
		t.Errorf("it is back on the head after that:\n%s", unhidden(text))
	}
}

// Two findings on one line: who dismisses one leaves the other.
func TestADismissalIsOfOneFinding(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\n"})
	if text := summaries(p)[0]; !strings.Contains(text, "F1 | [") || !strings.Contains(text, "F2 | [") {
		t.Fatalf("there are no two findings:\n%s", unhidden(text))
	}
	h.say(p.Issue, "mona", "/debate dismiss F2 There is no divisor.")
	open, _, _ := strings.Cut(unhidden(summaries(p)[0]), "Gone")
	if !strings.Contains(open, "F1 | [") || strings.Contains(open, "F2 | [") {
		t.Errorf("F2 is dismissed, and the summary says:\n%s", open)
	}
}

// A waiver is for what its giver could read: for the head that was reviewed, and
// for no other (A12).
func TestAWaiverHoldsForTheReviewedHead(t *testing.T) {
	t.Parallel()
	h, p := critical(t, "agree", "agree")
	p.Comment("mona", "/debate waive destructive_schema The tables are empty.")
	h.push(p, map[string]string{"db/migrations/0004_b.up.sql": "DROP TABLE users;\n"}).good(t)
	want(t, "check of another head", h.check(p.Head()), "action_required")
	wantText(t, "reply", strings.Join(ours(p.Comments()), "\n"), "a waiver is about the review of the newest commit")
	h.heard(p.Issue, "mona", "/debate waive destructive_schema These tables are empty too.")
	if check := h.check(p.Head()); check == "action_required" {
		t.Errorf("the trigger is waived, and the check says %s", check)
	}
	p.Comments()[0].Edit("ada", p.Comments()[0].Body()+" ")
	h.push(p, map[string]string{"db/migrations/0005_b.up.sql": "DROP TABLE orders;\n"}).good(t)
	want(t, "check of the head after an edit of the summary", h.check(p.Head()), "action_required")
}

// Nobody waives what nobody has reviewed.
func TestAWaiverBeforeTheReviewIsRefused(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", drop)
	h.reacts("confused", p.Issue, "mona", "/debate waive destructive_schema The table is empty.")
	h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "action_required")
}
