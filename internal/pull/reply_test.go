package pull

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// settled is what follows from a snapshot and a debate of it.
func settled(s scene, state debate.State) settlement {
	w := settling(s)
	w.state, w.plan.commands, w.ledger.sealed = state, commandsOf(s.Snapshot), s.sealed
	return w
}

// TestReplies has a row for each answer to a command.
func TestReplies(t *testing.T) {
	t.Parallel()
	stranger := func(s *Snapshot) {
		s.Access["alice"] = access{Permission: debate.ReadAccess}
		s.checkpoint.Stranger = true
	}
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	done := debate.State{Stage: debate.StageDone, Book: debate.Book{Claims: []debate.Claim{{ID: "F1", Title: "a leak", Severity: debate.P2, Bucket: debate.Agreed}}}}
	waiting := debate.State{Stage: debate.StageAwaitingHuman, Agenda: debate.Agenda{Decisions: []debate.Decision{{ID: "D2", Outcome: debate.AwaitingHuman}}}}
	both := debate.State{Stage: debate.StageAwaitingHuman, Agenda: debate.Agenda{Decisions: []debate.Decision{
		{ID: "D0", Outcome: debate.AwaitingHuman}, {ID: "D1", Outcome: debate.AwaitingHuman},
	}}}
	none := debate.State{}
	rows := []struct {
		name  string
		s     scene
		state debate.State
		want  string
	}{
		{"help", reviewed().says("carol", 1, "/debate help"), none, "+1 "},
		{"decide, nothing waits", reviewed().says("bob", 1, "/debate decide D1 keep fine"), none, "no question is open here"},
		{"decide without an id, nothing waits", reviewed().says("bob", 1, "/debate decide keep fine"), none, "no question is open here"},
		{"decide without an id, two wait", reviewed().says("bob", 1, "/debate decide keep fine"), both, "it names no open question. Open: D0, D1. Write `/debate decide D0 OPTION WHY`."},
		{"decide, others wait", reviewed().says("bob", 1, "/debate decide D1 keep fine"), waiting, "it names no open question. Open: D2."},
		{"decide what is asked just now", reviewed().says("bob", 1, "/debate decide D2 keep fine"), waiting, "the question changed just before this answer"},
		{"decide what an earlier head left", asking().set(pushed).says("bob", 1, "/debate decide keep fine"), none, "the question is about `111111111111`, and the newest commit is not reviewed yet."},
		{"decide, others are remembered", asking().says("bob", 1, "/debate decide D1 keep fine"), none, "it names no open question. Open: D0."},
		{"status of a stub", reviewed().stub().says("carol", 1, "/debate status"), none, "This commit is reviewed"},
		{"status of nothing", unreviewed().says("carol", 1, "/debate status"), none, "This commit is not reviewed yet."},
		{"status of a closed one", reviewed().set(ended(gh.Closed)).says("carol", 1, "/debate status"), none, "confused Not done: the pull request is closed."},
		{"dispute on a merged one", reviewed().set(ended(gh.Merged)).says("bob", 1, "/debate dispute F1 no"), none, "the pull request is merged"},
		{"explain on a closed one with a question", reviewed().set(ended(gh.Closed)).says("bob", 1, "/debate explain F1"), done, "a leak"},
		{"help on a closed one", reviewed().set(ended(gh.Closed)).says("carol", 1, "/debate help"), none, "+1 "},
		{"status", reviewed().says("carol", 1, "/debate status"), done, "+1 "},
		{"explain without a finding", reviewed().says("bob", 1, "/debate dispute no"), done, "it does not say which finding it is about"},
		{"explain an unknown one", reviewed().says("bob", 1, "/debate explain F9"), done, "there is no finding F9 here. There are F1"},
		{"dispute by a stranger", reviewed().set(stranger).says("alice", 1, "/debate dispute F1 no"), done, "a dispute asks models"},
		{"explain of a stub", reviewed().stub().says("bob", 1, "/debate explain F1"), none, "the debate is not remembered"},
		{"explain, not reviewed", reviewed().set(pushed).says("bob", 1, "/debate explain F1"), none, "this commit is not reviewed yet"},
		{"dispute of what is gone", reviewed().says("bob", 1, "/debate dispute F2 no"), done, "F2 is not there any more"},
		{"explain", reviewed().says("bob", 1, "/debate explain F1"), done, "a leak"},
	}
	for _, row := range rows {
		w := settled(row.s, row.state)
		for _, a := range w.plan.commands.asked {
			refused, text := w.textFor(a)
			w.outcomes.finish(a, refused, text)
		}
		if got := shownOutcomes(w.outcomes); !strings.Contains(got, row.want) || got == "" {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestEnds has a row for each command that ends without a debate about it.
func TestEnds(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		s     scene
		state debate.State
		want  string
	}{
		{"run on a merged one", reviewed().set(ended(gh.Merged)).says("bob", 1, "/debate run"), debate.State{}, "the pull request is merged"},
		{"dismiss on a merged one", reviewed().set(ended(gh.Merged)).says("bob", 1, "/debate dismiss F1 no"), debate.State{}, "the pull request is merged"},
		{"dismiss on one that is closed and may be opened again", reviewed().set(ended(gh.Closed)).says("bob", 1, "/debate dismiss F1 no"), debate.State{}, "eyes "},
		{"run", unreviewed().says("bob", 1, "/debate run"), debate.State{Stage: debate.StageDone}, "+1 "},
		{"stop, nothing runs", unreviewed().says("bob", 1, "/debate stop"), debate.State{}, "If none runs, none begins"},
		{"stop", unreviewed().says("bob", 1, "/debate stop"), debate.State{Stage: debate.StageDone}, "+1 "},
		{"pause", unreviewed().says("bob", 1, "/debate pause"), debate.State{}, "+1 Reviews of new commits are paused on this pull request. `/debate resume` starts them again."},
		{"resume", unreviewed().says("bob", 1, "/debate pause").reacted().says("bob", 2, "/debate resume"), debate.State{}, "+1 "},
		{"resume, nothing paused", unreviewed().says("bob", 1, "/debate resume"), debate.State{}, "+1 Reviews are not paused on this pull request."},
		{"resume twice", unreviewed().says("bob", 1, "/debate pause").reacted().says("bob", 2, "/debate resume").reacted().says("bob", 3, "/debate resume"), debate.State{}, "+1 Reviews are not paused on this pull request."},
		{"resume, paused by a reader", unreviewed().says("carol", 1, "/debate pause").says("bob", 2, "/debate resume"), debate.State{}, "+1 Reviews are not paused on this pull request."},
		{"dismiss, not remembered yet", reviewed().says("bob", 1, "/debate dismiss F1 no"), debate.State{}, "eyes "},
		{"waive, not remembered yet", reviewed().says("bob", 1, "/debate waive security no"), debate.State{}, "eyes "},
		{"a writer is refused", reviewed().says("alice", 1, "/debate waive security no"), debate.State{}, "alice needs maintain access"},
		{"a reader is refused", reviewed().says("carol", 1, "/debate run"), debate.State{}, "confused "},
	}
	for _, row := range rows {
		w := settled(row.s, row.state)
		for _, a := range w.plan.commands.obeyed {
			w.answerObeyed(a)
		}
		for _, a := range w.plan.commands.refused {
			if err := (&session{settlement: w}).answer(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		if got := shownOutcomes(w.outcomes); !strings.Contains(got, row.want) || got == "" {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestWaits has a row for each command that the review of a new head takes up.
func TestWaits(t *testing.T) {
	t.Parallel()
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	none, done := debate.State{}, debate.State{Stage: debate.StageDone}
	rows := []struct {
		name  string
		s     scene
		state debate.State
		want  bool
	}{
		{"a decision about the head before", asking().set(pushed).says("bob", 1, "/debate decide D0 keep fine"), none, true},
		{"another decision", asking().set(pushed).says("bob", 1, "/debate decide D1 keep fine"), none, false},
		{"a dispute", asking().set(pushed).says("bob", 1, "/debate dispute F1 no"), none, true},
		{"a dispute of what is gone", asking().set(pushed).says("bob", 1, "/debate dispute F2 no"), none, false},
		{"a question", asking().set(pushed).says("bob", 1, "/debate explain F1"), none, false},
		{"a dispute of this head", asking().says("bob", 1, "/debate dispute F1 no"), none, false},
		{"the review is done", asking().set(pushed).says("bob", 1, "/debate dispute F1 no"), done, false},
		{"nobody will review it", asking().set(pushed).says("bob", 1, "/debate pause").says("bob", 1, "/debate dispute F1 no"), none, false},
	}
	for _, row := range rows {
		w := settled(row.s, row.state)
		if got := w.waits(w.plan.commands.asked[0]); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}

// TestUnanswered has a row for each order in which commands are answered.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	// Carol may read, bob maintains. Their comments are 100 and on.
	said := func(logins ...string) scene {
		s := reviewed()
		for i, login := range logins {
			s.says(login, i, "/debate status")
		}
		return s
	}
	rows := []struct {
		name string
		s    scene
		want []int64
	}{
		{"the newest first", said("carol", "carol"), []int64{101, 100}},
		{"the newest first, with any number", said("carol", "carol").set(func(s *Snapshot) {
			s.requests[0].comment.CreatedAt, s.requests[1].comment.CreatedAt = s.requests[1].comment.CreatedAt, s.requests[0].comment.CreatedAt
		}), []int64{100, 101}},
		{"the last one of a moment first", said("carol", "carol").set(func(s *Snapshot) { s.requests[1].comment.CreatedAt = s.requests[0].comment.CreatedAt }), []int64{101, 100}},
		{"people at work first", said("bob", "carol"), []int64{100, 101}},
		{"people at work first, the newest of them", said("bob", "carol", "alice"), []int64{102, 100, 101}},
		{"a refused one by its time", said("carol", "carol").says("carol", 5, "/debate run"), []int64{102, 101, 100}},
	}
	for _, row := range rows {
		w := settled(row.s, debate.State{})
		got := lists.Map(w.unanswered(), func(a request) int64 { return a.comment.ID })
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
		w.outcomes.finish(w.unanswered()[0], "", "text")
		if again := w.unanswered(); len(again) != len(row.want)-1 || again[0].comment.ID != row.want[1] {
			t.Errorf("%s: an answered command is answered again", row.name)
		}
	}
}

// TestSeveralCommands has a row for each comment that gives several commands, by what is
// answered and by the reaction.
func TestSeveralCommands(t *testing.T) {
	t.Parallel()
	const both = "/debate dismiss F1 known\n/debate status"
	ended := func(refused, text string) func(*settlement, request) {
		return func(w *settlement, a request) { w.outcomes.finish(a, refused, text) }
	}
	waits := func(w *settlement, a request) { w.outcomes.show(a, comment.Eyes) }
	left := func(*settlement, request) {}
	rows := []struct {
		name   string
		body   string
		became []func(*settlement, request)
		before func(*settlement)
		want   string // reaction, commands that the text answers, and what it says
	}{
		{"carried out", both, []func(*settlement, request){ended("", ""), ended("", "")}, nil, "+1 []"},
		{"one text", both, []func(*settlement, request){ended("", ""), ended("", "how it stands\n")}, nil,
			"+1 [0 1] **Command 1**, `/debate dismiss F1`\n\nDone.\n\n**Command 2**, `/debate status`\n\nhow it stands\n"},
		{"one is refused", both, []func(*settlement, request){ended("too late", ""), ended("", "")}, nil,
			"confused [0 1] **Command 1**, `/debate dismiss F1`\n\nNot done: too late.\n\n**Command 2**, `/debate status`\n\nDone.\n"},
		{"one waits", both, []func(*settlement, request){waits, ended("", "how it stands\n")}, nil, "eyes [1] **Command 2**, `/debate status`\n\nhow it stands\n"},
		{"one is refused, and another one waits", both, []func(*settlement, request){ended("too late", ""), waits}, nil, "eyes [0] **Command 1**, `/debate dismiss F1`\n\nNot done: too late.\n"},
		{"one is left to the next run", both, []func(*settlement, request){ended("", ""), left}, nil, "eyes []"},
		{"one has its text, and the other one ends", both, []func(*settlement, request){ended("", ""), ended("", "how it stands\n")}, func(w *settlement) {
			w.posts.have.Replied[comment.Ref{ID: 100, Nth: 1}] = true
		}, "+1 []"},
		{"one was handled before", both, []func(*settlement, request){left, ended("", "how it stands\n")}, func(w *settlement) {
			w.snap.checkpoint.Handled = ids(100)
			w.snap.requests = readRequests(w.snap)
		}, "+1 [1] **Command 2**, `/debate status`\n\nhow it stands\n"},
		{"one is none", "/debate dismis F1\n/debate status", []func(*settlement, request){ended("there is no such command", ""), ended("", "")}, nil,
			"confused [0 1] **Command 1**\n\nNot done: there is no such command.\n\n**Command 2**, `/debate status`\n\nDone.\n"},
	}
	for _, row := range rows {
		w := settled(reviewed().says("bob", 1, row.body), debate.State{})
		if row.before != nil {
			row.before(&w)
		}
		for i, a := range w.snap.requests {
			row.became[i](&w, a)
		}
		list := w.wantReplies()
		got := "nothing"
		if len(list) == 1 {
			r := list[0]
			answered := []int{}
			if r.Body != "" {
				answered = append(answered, r.To.Nth)
			}
			for _, also := range r.Also {
				answered = append(answered, also.Nth)
			}
			got = strings.TrimSuffix(fmt.Sprintf("%s %v %s", r.Reaction, answered, r.Body), " ")
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestToldStranger has a row for each stranger who gets a text, or a mere reaction because
// of an earlier text.
func TestToldStranger(t *testing.T) {
	t.Parallel()
	// The head was reviewed an hour before noon.
	asked := func(first string, minutes int, second string) scene {
		return reviewed().says(first, minutes, "/debate status").says(second, 2, "/debate status")
	}
	first := comment.Ref{ID: 100}
	replied := func(w *settlement) { w.posts.have.Replied[first] = true }
	text := func(w *settlement) { w.outcomes.replies = []comment.Reply{{To: first, Body: "text"}} }
	reaction := func(w *settlement) { w.outcomes.replies = []comment.Reply{{To: first}} }
	own := func(w *settlement) { w.outcomes.replies = []comment.Reply{{To: comment.Ref{ID: 101}, Body: "text"}} }
	rows := []struct {
		name   string
		s      scene
		change func(*settlement)
		want   bool
	}{
		{"nobody was told", asked("carol", 1, "carol"), nil, false},
		{"one was told", asked("carol", 1, "carol"), replied, true},
		{"one is told just now", asked("carol", 1, "carol"), text, true},
		{"one got a reaction", asked("carol", 1, "carol"), reaction, false},
		{"this one was told", asked("carol", 1, "carol"), own, false},
		{"one was told about an earlier head", asked("carol", -61, "carol"), replied, false},
		{"one was told in the moment of the review", asked("carol", -60, "carol"), replied, true},
		{"another stranger was told", asked("dave", 1, "carol"), replied, false},
		{"somebody who works was told", asked("bob", 1, "carol"), replied, false},
		{"somebody who works asks", asked("carol", 1, "bob"), replied, false},
	}
	for _, row := range rows {
		w := settled(row.s, debate.State{})
		if row.change != nil {
			row.change(&w)
		}
		if got := w.toldStranger(row.s.requests[1]); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}

// TestWidened has a row for each order to run whose bounds were kept, or not.
func TestWidened(t *testing.T) {
	t.Parallel()
	held := debate.State{Stage: debate.StageDone, Received: debate.Received{Mode: debate.Standard, Target: debate.TargetAuto}}
	const required = "The check is required here"
	for order, row := range map[string]struct {
		state debate.State
		want  string
	}{
		"/debate run":            {held, ""},
		"/debate run quick":      {held, required},
		"/debate run code":       {held, required},
		"/debate run quick code": {debate.State{}, ""},
	} {
		s := unreviewed().says("bob", 1, order)
		if got := settled(s, row.state).widened(s.requests[0]); !strings.HasPrefix(got, row.want) || row.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", order, got, row.want)
		}
	}
}
