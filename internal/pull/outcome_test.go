package pull

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestSettle has a row for each thing that comes of what people did.
func TestSettle(t *testing.T) {
	t.Parallel()
	human := func(outcome debate.DecisionOutcome, h *debate.Human) debate.State {
		return debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{{ID: "D0", Fingerprint: "f0", Outcome: outcome, Human: h}}}}
	}
	claim := func(c debate.Claim) debate.State {
		c.ID = "F1"
		return debate.State{Book: debate.Book{Claims: []debate.Claim{c}}}
	}
	counted := human(debate.HumanDecided, &debate.Human{PersonAnswer: debate.PersonAnswer{By: "bob", At: millis(at(1))}})
	outvoted := human(debate.HumanDecided, &debate.Human{Others: []debate.PersonAnswer{{By: "bob", At: millis(at(1))}}, PersonAnswer: debate.PersonAnswer{By: "alice", Option: "reject", At: millis(at(0))}})
	blocked := human(debate.HumanDecided, &debate.Human{PersonAnswer: debate.PersonAnswer{By: "bob", Option: "keep", At: millis(at(1))}})
	blocked.Book.Claims = []debate.Claim{{ID: "F1", Severity: debate.P1, Bucket: debate.Agreed}}
	waits := human(debate.AwaitingHuman, &debate.Human{})
	told := func(s *Snapshot) { tell(&s.Issue) }
	another := func(s *Snapshot) { s.Pull.Reviews[0].HeadSHA = head0 }
	noIssue := func(s *Snapshot) { s.Issue = gh.Issue{} }
	disputed := func() scene { return reviewed().says("bob", 1, "/debate dispute F1 no") }
	nothing := func(login string) string {
		return "undone The answer of " + login + " does not count: " + debate.NothingOpen + "."
	}
	const otherHead = "undone The answer of bob does not count: the question changed just before this answer, or after it. Please read it and answer again."
	const alsoBob = "Recorded for bob. The answer of alice counts (do not merge): if answers differ, the strictest one counts."
	rows := []struct {
		name    string
		s       scene
		refused string
		state   debate.State
		want    string
	}{
		{"a closing that counts", asking().closes("bob", 1), "", counted, ""},
		{"a closing that is refused", asking().closes("carol", 1), "carol needs write access", waits, "told The answer of carol does not count: carol needs write access."},
		{"a closing that the protocol does not take", asking().closes("bob", 1), "", human(debate.AwaitingHuman, &debate.Human{Void: []debate.VoidAnswer{{By: "bob", Why: "too late"}}}), "undone The answer of bob does not count: too late."},
		{"a closing of nothing", asking().closes("bob", 1), "", debate.State{}, nothing("bob")},
		{"a closing that is void", asking().closes("bob", -70), "", waits, "undone The answer of bob does not count: the question changed just before this answer, or after it. Please read it and answer again."},
		{"one more by a person who may not decide", asking().closes("carol", 1).set(told), "no", waits, ""},
		{"one more by a person who may", asking().closes("bob", 1).set(told), "no", waits, "undone The answer of bob does not count: no."},
		{"a closing that is outvoted", asking().closes("bob", 1), "", outvoted, ""},
		{"a closing at the time of another one's", asking().closes("bob", 1), "", human(debate.HumanDecided, &debate.Human{PersonAnswer: debate.PersonAnswer{By: "alice", At: millis(at(1))}}), nothing("bob")},
		{"another closing of whose counts", asking().closes("bob", 1), "", human(debate.HumanDecided, &debate.Human{PersonAnswer: debate.PersonAnswer{By: "bob", At: millis(at(2))}}), nothing("bob")},
		{"a closing of what was withdrawn", asking().closes("bob", 1), "", human(debate.Withdrawn, &debate.Human{PersonAnswer: debate.PersonAnswer{By: "bob", At: millis(at(1))}}), nothing("bob")},
		{"a reopening", decided().happens(gh.IssueReopened, "bob", 1, ""), "", waits, ""},
		{"a reopening that does not count", decided().happens(gh.IssueReopened, "bob", 1, ""), "", counted, nothing("bob")},
		{"a command", asking().says("bob", 1, "/debate decide D0 keep fine"), "", counted, "+1"},
		{"a command to merge what has an open finding", asking().says("bob", 1, "/debate decide D0 keep fine"), "", blocked,
			"+1 Merging also needs F1 fixed, or dismissed by someone with write access (comment /debate dismiss F1 WHY)."},
		{"a command that is outvoted", asking().says("bob", 1, "/debate decide D0 keep fine"), "", outvoted, "+1 " + alsoBob},
		{"a command with the answer that counts", asking().says("bob", 1, "/debate decide D0 reject no"), "", outvoted, "+1"},
		{"a command that is refused", asking().says("bob", 1, "/debate decide D0 keep fine"), "no", waits, "confused Not done: no."},
		{"a review", asking().approves("bob", 1, gh.Approved), "", counted, ""},
		{"a review that is outvoted", asking().approves("bob", 1, gh.Approved), "", outvoted, ""},
		{"a review that is refused", asking().approves("carol", 1, gh.Approved), "no", waits, ""},
		{"a review that the protocol does not take", asking().approves("bob", 1, gh.Approved), "no", waits, ""},
		{"a review of another head", asking().approves("bob", 1, gh.Approved).set(another), "", waits, otherHead},
		{"a review of another head by a reader", asking().approves("carol", 1, gh.Approved).set(another), "", waits, ""},
		{"a review of another head, and no issue asks", asking().set(noIssue).approves("bob", 1, gh.Approved).set(another), "", waits, ""},
		{"a dispute", disputed(), "", claim(debate.Claim{Final: true, Severity: debate.P2, Bucket: debate.Agreed}), "+1 F1 is confirmed (P2). Not convinced? Someone with write access can comment /debate dismiss F1 WHY."},
		{"a dispute that dismisses", disputed(), "", claim(debate.Claim{Final: true, Bucket: debate.Dismissed}), "+1 F1 is dismissed."},
		{"a dispute that stays open", disputed(), "", claim(debate.Claim{Final: true, Severity: debate.P1, Bucket: debate.Unresolved}), "+1 F1 is not confirmed (P1). Not convinced? Someone with write access can comment /debate dismiss F1 WHY."},
		{"a dispute that nobody debates", disputed(), "", claim(debate.Claim{Severity: debate.P3}), "+1 F1 stays as it was: the model that answers for it did not reply. Dispute it again later. Not convinced? Someone with write access can comment /debate dismiss F1 WHY."},
		{"a dispute of nothing", disputed(), "F1 is gone", debate.State{}, "confused Not done: F1 is gone."},
		{"an end", reviewed().set(ended(gh.Closed)), "", waits, ""},
	}
	for _, row := range rows {
		s := row.s.Snapshot
		c := commandsOf(s)
		o := &outcomes{answered: make(map[string]int64)}
		for _, h := range happenings(s, answersTo(s, c.asked), disputesOf(s, &s.checkpoint, c)) {
			o.settle(s, h, row.refused, row.state)
			if o.rewrite != (h.dispute == nil) {
				t.Errorf("%s: what stands is written anew %t", row.name, o.rewrite)
			}
			if h.answer != nil && o.answered["f0"] != h.answer.event.At {
				t.Errorf("%s: answered at %d", row.name, o.answered["f0"])
			}
			for _, n := range o.undone {
				if !strings.HasSuffix(n.Key, fmt.Sprintf("-%d", h.answer.event.At)) {
					t.Errorf("%s: the note is called %q", row.name, n.Key)
				}
			}
		}
		if got := plain(shownOutcomes(o)); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// shownOutcomes are the replies, and what is said on issues with the kind of its key.
func shownOutcomes(o *outcomes) string {
	text := ""
	for _, r := range o.replies {
		text += fmt.Sprintf("%s %s", r.Reaction, r.Body)
	}
	for _, n := range o.undone {
		kind, _, _ := strings.Cut(n.Key, "-")
		text += kind + " " + n.Body
	}
	return text
}

// plain is a text without what only Markdown needs.
func plain(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "`", "")) }

// TestOutcomesAddUp: the latest answer is remembered, whichever is settled last, and each
// request is answered where it stands.
func TestOutcomesAddUp(t *testing.T) {
	t.Parallel()
	s := asking().closes("bob", 5)
	late := answersTo(s.Snapshot, nil)[0]
	early := late
	early.event.At = millis(at(1))
	o := &outcomes{answered: make(map[string]int64)}
	o.settle(s.Snapshot, happening{answer: &late}, "", debate.State{})
	o.settle(s.Snapshot, happening{answer: &early}, "", debate.State{})
	if o.answered["f0"] != millis(at(5)) || len(o.undone) != 2 {
		t.Errorf("answered at %d, %+v", o.answered["f0"], o.undone)
	}

	on := request{comment: gh.Comment{ID: 200}, issue: gh.Issue{Number: 5}}
	in := request{comment: gh.Comment{ID: 300}, inThread: true}
	o.finish(on, "", "text")
	o.show(in, comment.Eyes)
	o.show(on, comment.Eyes)
	want := []comment.Reply{
		{To: comment.Ref{ID: 200}, On: 5, Body: "text", Reaction: comment.ThumbsUp},
		{To: comment.Ref{ID: 300, InThread: true}, Reaction: comment.Eyes}, {To: comment.Ref{ID: 200}, On: 5, Reaction: comment.Eyes},
	}
	if cmp.Diff(o.replies, want) != "" || !slices.Equal(o.carriedOut, ids(200)) {
		t.Errorf("%+v, carried out %v", o.replies, o.carriedOut)
	}
}

// TestCameTo: the answer to a dispute repeats the words of models, and names what they cite.
func TestCameTo(t *testing.T) {
	t.Parallel()
	cites := []debate.Evidence{{CitationOK: true, InHunk: true, Cite: debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 4, EndLine: 4, Quote: "x := 1"}}}
	state := debate.State{
		Book: debate.Book{Claims: []debate.Claim{{ID: "F2"}, {ID: "F1", Final: true, Severity: debate.P2, Bucket: debate.Agreed}, {ID: "F3"}}},
		Steps: []debate.Step{{Facts: []debate.Fact{
			{Kind: debate.DisputeOpened, Who: "bob", About: "F1", Text: "no"},
			{Kind: debate.ChallengeDefended, Who: "P1", About: "F1", Other: "F1", Text: "F2 says so, and the C3 diagram", Cites: cites},
		}}},
	}
	got := cameTo(unreviewed().Snapshot, debate.Disputed{Claim: "F1"}, state)
	for _, want := range []string{"F1 is confirmed (P2).", `"F2 says so, and the C3 diagram" — cites a.go:4`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
	if got := cameTo(unreviewed().Snapshot, debate.Disputed{Claim: "F9"}, state); got != "" {
		t.Errorf("a claim that is gone: %q", got)
	}
}

// TestOvertaken has a row for each answer to a question about an earlier head.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	state := func(outcome debate.DecisionOutcome) debate.State {
		return debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{{ID: "D0", Fingerprint: "f0", Outcome: outcome, Human: &debate.Human{}}}}}
	}
	settled := debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{{ID: "D0", Fingerprint: "f0", Outcome: debate.Settled}}}}
	noIssue := func(s *Snapshot) { s.Issue = gh.Issue{} }
	pushed := func(s *Snapshot) { s.checkpoint.Items[0].Head = head0 }
	reworded := state(debate.AwaitingHuman)
	reworded.Agenda.Decisions[0].Question = "other words"
	news := state(debate.AwaitingHuman)
	news.Agenda.Decisions[0].Human.Earlier = []debate.PersonAnswer{{By: "bob", At: millis(at(1))}}
	const different = "does not count: the question changed just before this answer, or after it. Please read it and answer again."
	rows := []struct {
		name  string
		s     scene
		state debate.State
		want  string
	}{
		{"it holds", asking().closes("bob", 1), state(debate.HumanDecided), ""},
		{"asked again", asking().closes("bob", 1), state(debate.AwaitingHuman), "undone The answer of bob " + different},
		{"by a reader", asking().closes("carol", 1), state(debate.AwaitingHuman), "told The answer of carol does not count: carol needs write access."},
		{"void", asking().closes("bob", -70), state(debate.AwaitingHuman), "undone The answer of bob does not count: the question changed just before this answer, or after it. Please read it and answer again."},
		{"as duplicate", asking().happens(gh.IssueClosed, "bob", 1, gh.Duplicate), state(debate.AwaitingHuman), "undone The answer of bob does not count: " + debate.StaleAnswer + "."},
		{"revoked", decided().happens(gh.IssueReopened, "bob", 1, ""), state(debate.AwaitingHuman), ""},
		{"not asked any more", asking().closes("bob", 1), debate.State{}, ""},
		{"commanded, and not asked any more", asking().says("bob", 1, "/debate decide D0 keep fine"), settled, ""},
		{"commanded", asking().says("bob", 1, "/debate decide D0 keep fine"), state(debate.HumanDecided), "+1"},
		{"commanded, asked again", asking().says("bob", 1, "/debate decide D0 keep fine"), state(debate.AwaitingHuman),
			"confused Not done: the question changed just before this answer, or after it. Please read it and answer again."},
		{"approved, asked again", asking().approves("bob", 1, gh.Approved), state(debate.AwaitingHuman), "undone The answer of bob " + different},
		{"asked again for something new, which the question names", asking().closes("bob", 1), news, ""},
		{"commanded, asked again for something new", asking().says("bob", 1, "/debate decide D0 keep fine"), news,
			"confused Not done: the question changed just before this answer, or after it. Please read it and answer again."},
		{"approved on this head, before it was asked", asking().set(pushed).approves("bob", 1, gh.Approved), state(debate.AwaitingHuman), ""},
		{"approved on this head, before it was asked in other words", asking().set(pushed).approves("bob", 1, gh.Approved), reworded, "undone The answer of bob " + different},
		{"approved by a reader", asking().approves("carol", 1, gh.Approved), state(debate.AwaitingHuman), ""},
		{"approved, asked again elsewhere", asking().set(noIssue).approves("bob", 1, gh.Approved), state(debate.AwaitingHuman), ""},
	}
	for _, row := range rows {
		s := row.s.Snapshot
		o := &outcomes{answered: make(map[string]int64)}
		o.overtaken(s, answersTo(s, commandsOf(s).asked), row.state, func(d debate.Decision) string { return d.Question })
		if got := plain(shownOutcomes(o)); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
		if row.want != "" && o.rewrite != (len(o.replies) == 0) {
			t.Errorf("%s: what stands is written anew %t", row.name, o.rewrite)
		}
	}
}
