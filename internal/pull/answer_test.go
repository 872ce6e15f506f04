package pull

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestWhatAnAnswerSays has a row for each way to answer, with all that the protocol is told
// of it.
func TestWhatAnAnswerSays(t *testing.T) {
	t.Parallel()
	bob := debate.Actor{Login: "bob", Permission: debate.AdminRole}
	earlier := func(s *Snapshot) { s.Pull.Reviews[0].HeadSHA = head0 }
	said := debate.Decided{Decision: "D0", Fingerprint: "f0", By: bob, Head: head1, At: millis(at(1))}
	as := func(change func(e *debate.Decided)) debate.Decided {
		e := said
		change(&e)
		return e
	}
	reviewed := func(e *debate.Decided) {
		e.Via, e.Option, e.Reason, e.Asked = debate.ViaReview, "keep", "seen", millis(at(-60))
	}
	tooEarly := "the question changed just before this answer, or after it. Please read it and answer again"
	rows := []struct {
		name string
		s    scene
		want debate.Decided
		void string
	}{
		{"a command", asking().says("bob", 1, "/debate decide D0 keep fine"), as(func(e *debate.Decided) {
			e.Via, e.Option, e.Reason = debate.ViaCommand, "keep", "fine"
		}), ""},
		{"a command too early", asking().says("bob", -70, "/debate decide D0 keep fine"), as(func(e *debate.Decided) {
			e.Via, e.Option, e.Reason, e.At = debate.ViaCommand, "keep", "fine", millis(at(-70))
		}), tooEarly},
		{"a closing by the author right after it was asked", asking().closes("alice", -59), as(func(e *debate.Decided) {
			e.Via, e.At, e.By = debate.ViaCompleted, millis(at(-59)), debate.Actor{Login: "alice", Permission: debate.WriteAccess, Author: true}
		}), ""},
		{"a closing as a duplicate right after it was asked", asking().happens(gh.IssueClosed, "bob", -59, gh.Duplicate), as(func(e *debate.Decided) {
			e.Via, e.At = debate.ViaDuplicate, millis(at(-59))
		}), ""},
		{"a closing", asking().closes("bob", 1), as(func(e *debate.Decided) { e.Via = debate.ViaCompleted }), ""},
		{"a reopening", decided().happens(gh.IssueReopened, "bob", 1, ""), as(func(e *debate.Decided) { e.Via = debate.ViaReopened }), ""},
		{"a review", asking().approves("bob", 1, gh.Approved), as(reviewed), ""},
		{"a review on several lines", asking().approves("bob", 1, gh.Approved).set(func(s *Snapshot) {
			s.Pull.Reviews[0].Body = "se<!-- not\nthis -->en\r\n\r\n- and read"
		}), as(func(e *debate.Decided) { reviewed(e); e.Reason = "se en - and read" }), ""},
		{"a review of an earlier head", asking().approves("bob", 1, gh.Approved).set(earlier), as(func(e *debate.Decided) { reviewed(e); e.Head = head0 }), "the question changed just before this answer, or after it. Please read it and answer again"},
	}
	for _, row := range rows {
		list := answersTo(row.s.Snapshot, commandsOf(row.s.Snapshot).asked)
		if len(list) != 1 || list[0].event != row.want || list[0].void != row.void || list[0].item.Fingerprint != "f0" {
			t.Errorf("%s: %+v, want %+v", row.name, list, row.want)
		}
	}
}

// TestReviewAfterADecision has a row for each review of a question that people decided: it
// says something new, or nothing.
func TestReviewAfterADecision(t *testing.T) {
	t.Parallel()
	// Bob decided half an hour before noon, and carol ten minutes later.
	others := func(s *Snapshot) {
		s.checkpoint.Debate.Agenda.Decisions[0].Human.Others = []debate.PersonAnswer{{By: "carol", Option: "keep", At: millis(at(-20))}}
	}
	rows := []struct {
		name, login string
		minutes     int
		state       gh.ReviewState
		said        bool
	}{
		{"who decided, before", "bob", -40, gh.ChangesRequested, true},
		{"who decided, in that moment", "bob", -30, gh.ChangesRequested, true},
		{"who decided, later", "bob", -10, gh.Approved, false},
		{"another one who decided, before", "carol", -25, gh.ChangesRequested, true},
		{"another one who decided, later", "carol", -10, gh.ChangesRequested, false},
		{"one more would merge", "alice", -10, gh.Approved, true},
		{"one more would not", "alice", -10, gh.ChangesRequested, false},
		{"one more would not, before", "alice", -40, gh.ChangesRequested, false},
	}
	for _, row := range rows {
		s := decided().set(others).approves(row.login, row.minutes, row.state)
		if got := len(answersTo(s.Snapshot, nil)) == 0; got != row.said {
			t.Errorf("%s: said %t", row.name, got)
		}
	}
}

// TestWhoReviewed has a row for each reason to ask GitHub what somebody may do who reviewed.
func TestWhoReviewed(t *testing.T) {
	t.Parallel()
	other := func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Options[0].ID = "accept" }
	rows := []struct {
		name string
		s    scene
		want string
	}{
		{"a question waits", asking().approves("bob", 1, gh.Approved).approves("ann", 2, gh.ChangesRequested), "bob person, ann person"},
		{"a question was answered", decided().approves("alice", 1, gh.ChangesRequested), "alice person"},
		{"nothing is asked", reviewed().approves("bob", 1, gh.Approved), ""},
		{"nothing is sealed, and a question waits", asking().forgotten().approves("bob", -70, gh.Approved).approves("alice", 1, gh.Approved), "bob person, alice person"},
		{"nothing is sealed, and another question waits", asking().forgotten().set(other).approves("bob", 1, gh.Approved), ""},
	}
	for _, row := range rows {
		var got []string
		for _, a := range row.s.whoReviewed() {
			got = append(got, fmt.Sprintf("%s %s", a.Login, map[bool]string{true: "bot", false: "person"}[a.Bot]))
		}
		if text := strings.Join(got, ", "); text != row.want {
			t.Errorf("%s: %q, want %q", row.name, text, row.want)
		}
	}
}
