package pull

import (
	"fmt"
	"maps"
	"reflect"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestLinks: a finding links to its first thread, and a question to its item.
func TestLinks(t *testing.T) {
	t.Parallel()
	at := func(url string, list gh.Thread) gh.Thread {
		list.Comments[0].URL = url
		return list
	}
	m := Checkpoint{Names: []Name{{F: "F1", Key: "aa-0"}, {F: "F2", Key: "bb-0"}}}
	got := m.links([]gh.Thread{
		at("first", thread("aa-0", "F1", "", false)), at("again", thread("aa-0", "F1", "", false)), at("unknown", thread("zz-0", "F9", "", false)), {},
		at("", thread("bb-0", "F2", "", false)), at("second", thread("bb-0", "F2", "", false)),
	})
	if want := map[string]string{"F1": "first", "F2": "second"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRememberedItems has a row for each place of a question.
func TestRememberedItems(t *testing.T) {
	t.Parallel()
	var state debate.State
	state.Agenda.Decisions = []debate.Decision{{ID: "D0", Fingerprint: "f0", Human: &debate.Human{}}}
	noIssue := func(s *Snapshot) { s.Issue = gh.Issue{} }
	argued := func(s *Snapshot) {
		note := comment.Marker{Kind: comment.NoteMark, Value: "told-5"}
		s.Issue.Comments = append(s.Issue.Comments, gh.Comment{Mine: true, Body: note.String()})
	}
	inSummary := func(s *Snapshot) {
		s.Issue, s.checkpoint.At = gh.Issue{}, millis(at(4))
		s.checkpoint.Debate.Agenda.Decisions[0].Human.Sink = debate.SinkComment
	}
	rows := []struct {
		name string
		s    scene
		want []Item
	}{
		{"in an issue", asking(), []Item{{Decision: "D0", Fingerprint: "f0", Head: head1, AskedAt: millis(at(-60))}}},
		{"in an issue, argued about", asking().set(argued), []Item{{Decision: "D0", Fingerprint: "f0", Head: head1, AskedAt: millis(at(-60))}}},
		{"in the summary", asking().set(inSummary), []Item{{Decision: "D0", Fingerprint: "f0", Head: head1, AskedAt: millis(at(4))}}},
		{"nowhere", asking().set(noIssue), nil},
	}
	for _, row := range rows {
		if got := row.s.remembering(state).checkpoint.Items; !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
	}
}

// TestRemembering: after a debate that was held without a memory, the answers that came
// before are those to what it asks.
func TestRemembering(t *testing.T) {
	t.Parallel()
	s := asking().forgotten()
	s.checkpoint.Micro, s.checkpoint.Debate.Asking.Calls = 3, cents(4, -1)
	s.checkpoint.Items[0].Decision = "D7"
	state := debate.State{Received: debate.Received{SessionID: "two"}, Asking: debate.Asking{Calls: cents(9)}}
	state.Agenda.Decisions = []debate.Decision{
		{ID: "D0", Fingerprint: "f0", Human: &debate.Human{}}, {ID: "D1", Fingerprint: "f0"}, {ID: "D2", Fingerprint: "f2", Human: &debate.Human{}},
	}
	now := s.remembering(state)
	m := now.checkpoint
	if m.Debate.SessionID != "two" || m.Micro != 7 || !m.Unpriced || len(m.Debate.Asking.Calls) != 0 || now.Pull.Number != 7 {
		t.Errorf("session %s, %d spent, unpriced %t, %d calls", m.Debate.SessionID, m.Micro, m.Unpriced, len(m.Debate.Asking.Calls))
	}
	if len(m.Items) != 1 || m.Items[0].Decision != "D0" || m.Issue != 5 {
		t.Errorf("%+v", m.Items)
	}
	if s.checkpoint.Debate.SessionID != "one" || s.checkpoint.Items[0].Decision != "D7" {
		t.Error("the snapshot itself has changed")
	}
}

// TestKnown has a row for each reason to believe that this head was reviewed, as the
// remembered debate says or only that it was.
func TestKnown(t *testing.T) {
	t.Parallel()
	keyed := func(s *Snapshot) { s.key = []byte("key") }
	rows := []struct {
		name            string
		s               scene
		known, repeated bool
	}{
		{"sealed", reviewed().set(keyed), true, false},
		{"sealed, a stub", reviewed().set(keyed).stub(), false, true},
		{"not sealed, and there is a key", reviewed().set(keyed).forgotten(), false, false},
		{"not sealed, and there is no key", reviewed().forgotten(), false, true},
		{"another head", reviewed().set(func(s *Snapshot) { s.Pull.HeadSHA = head2 }), false, false},
		{"another base branch", reviewed().set(func(s *Snapshot) { s.Pull.BaseRef = "next" }), false, false},
		{"the base branch has some of it", reviewed().set(func(s *Snapshot) { s.Ahead = true }), false, false},
		{"the base branch has some of it, a stub", reviewed().stub().set(func(s *Snapshot) { s.Ahead = true }), false, false},
	}
	for _, row := range rows {
		if row.s.known() != row.known || row.s.repeated() != row.repeated {
			t.Errorf("%s: known %t, repeated %t", row.name, row.s.known(), row.s.repeated())
		}
	}
}

// TestUnderWay has a row for each check that may be of a run that goes on.
func TestUnderWay(t *testing.T) {
	t.Parallel()
	longest := time.Duration(reviewed().config.Limits.BudgetMinutes)*time.Minute + 10*time.Minute
	begun := func(ago int) string { return fmt.Sprintf("pr-7/x~@%d", noon.Unix()-int64(ago)) }
	left := func(session string) func(*Snapshot) { return func(s *Snapshot) { s.trigger.left = session } }
	unchecked := func(s *Snapshot) { s.checkpoint.Unchecked = true }
	startedAt := func(ago time.Duration) func(*Snapshot) {
		return func(s *Snapshot) { s.Checks.Own.StartedAt = noon.Add(-ago) }
	}
	own := checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one")
	rows := []struct {
		name string
		s    scene
		want bool
	}{
		{"just begun", reviewed().checked("", begun(0)), true},
		{"for as long as it may take", reviewed().checked("", begun(int(longest.Seconds())-1)), true},
		{"for longer", reviewed().checked("", begun(int(longest.Seconds()))), false},
		{"ended", reviewed().checked("success", begun(0)), false},
		{"of a dead run", reviewed().checked("", begun(0)).set(left("x")), false},
		{"of another run than the dead one", reviewed().checked("", begun(0)).set(left("y")), true},
		{"begun long ago, by GitHub's time", reviewed().checked("", "pr-7/x~").set(startedAt(longest)), false},
		{"begun lately, by GitHub's time", reviewed().checked("", "pr-7/x~").set(startedAt(longest - time.Second)), true},
		{"begun again lately", reviewed().checked("", begun(0)).set(startedAt(longest)), true},
		{"of a run that was published, and could write", reviewed().checked("", own), true},
		{"of another run than that which was published", reviewed().checked("", begun(0)).set(unchecked), true},
	}
	for _, row := range rows {
		if got := row.s.underWay(); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
	lost := []struct {
		name string
		s    scene
		want bool
	}{
		{"it goes on", unreviewed().checked("", begun(0)), true},
		{"it has gone on for too long", unreviewed().checked("", begun(int(longest.Seconds()))), false},
		{"it ended just now", unreviewed().checked("success", begun(0)), true},
		{"it came to nothing", unreviewed().checked("neutral", begun(0)).set(func(s *Snapshot) { s.Checks.Own.Title = titleNone }), false},
		{"it is of another pull request", unreviewed().checked("success", "pr-8/x"), false},
		{"its summary is written", reviewed(), false},
	}
	for _, row := range lost {
		s := row.s.set(func(s *Snapshot) { s.trigger.lost = true })
		if p := plan(s.Snapshot); (p.why == whyUnderWay) != row.want {
			t.Errorf("held elsewhere, %s: %s", row.name, p.why)
		}
	}
}

// TestAsksPeople has a row for each thing on GitHub that asks people something.
func TestAsksPeople(t *testing.T) {
	t.Parallel()
	noIssue := func(s *Snapshot) { s.Issue = gh.Issue{} }
	closed := func(s *Snapshot) { s.Issue.Open = false }
	inSummary := func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Human.Sink = debate.SinkComment }
	rows := []struct {
		name             string
		s                scene
		asks, questioned bool
	}{
		{"nothing", reviewed(), false, false},
		{"an issue", asking(), true, true},
		{"an issue that nothing remembers", decided().set(func(s *Snapshot) { s.Issue.Open = true }), true, true},
		{"an issue that was closed", decided().set(closed), false, true},
		{"what is remembered", asking().set(noIssue), true, false},
		{"the summary", asking().set(noIssue).set(inSummary), true, true},
	}
	for _, row := range rows {
		if asks, questioned := row.s.asksPeople(row.s.Issue), row.s.questioned(); asks != row.asks || questioned != row.questioned {
			t.Errorf("%s: asks %t, questioned %t", row.name, asks, questioned)
		}
	}
}

// TestReopened: a question that was withdrawn is asked again once the pull request is open.
func TestReopened(t *testing.T) {
	t.Parallel()
	withdrawn := func() scene {
		return asking().set(func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Outcome = debate.Withdrawn })
	}
	for name, row := range map[string]struct {
		s    scene
		want bool
	}{
		"open": {withdrawn(), true}, "closed": {withdrawn().set(ended(gh.Closed)), false}, "nothing was withdrawn": {asking(), false},
	} {
		if got := row.s.reopened(); got != row.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
