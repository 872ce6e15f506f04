package pull

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// TestHappenings has a row for each thing that the remembered debate is told.
func TestHappenings(t *testing.T) {
	t.Parallel()
	secret := func(s *Snapshot) {
		s.clean = func(text string) string { return strings.ReplaceAll(text, "hunter2", "[redacted]") }
	}
	later := func(s *Snapshot) { s.now = at(5000) }
	bob := debate.Actor{Login: "bob", Permission: debate.AdminRole}
	rows := []struct {
		name string
		s    scene
		want []debate.Event // nil: it is settled by itself
	}{
		{"nothing", asking(), nil},
		{"an answer", asking().closes("bob", 1), []debate.Event{debate.Decided{
			Decision: "D0", Fingerprint: "f0", By: bob, Head: head1, Via: debate.ViaCompleted, At: millis(at(1)),
		}}},
		{"an answer that cannot count", asking().closes("bob", -70), []debate.Event{nil}},
		{"a dispute", reviewed().set(secret).says("bob", 1, "/debate dispute F1 it is hunter2"), []debate.Event{debate.Disputed{
			Claim: "F1", Text: "it is [redacted]", By: bob,
		}}},
		{"a reminder", asking().cause(Swept).set(later), []debate.Event{debate.Reminded{Decision: "D0"}}},
		{"it was closed", reviewed().set(ended(gh.Closed)), []debate.Event{debate.WithdrawnEvent{Reason: "closed_undecided", By: "bob"}}},
		{"it was merged", reviewed().set(ended(gh.Merged)), []debate.Event{debate.WithdrawnEvent{Reason: "merged_undecided", By: "bob"}}},
		{"it was closed, with a dispute", reviewed().says("bob", 1, "/debate dispute F1 no").set(ended(gh.Closed)), []debate.Event{debate.WithdrawnEvent{Reason: "closed_undecided", By: "bob"}}},
		{"it was closed, and a reminder is due", asking().cause(Swept).set(later).set(ended(gh.Closed)), []debate.Event{debate.WithdrawnEvent{Reason: "closed_undecided", By: "bob"}}},
	}
	for _, row := range rows {
		c := commandsOf(row.s.Snapshot)
		list := happenings(row.s.Snapshot, answersTo(row.s.Snapshot, c.asked), disputesOf(row.s.Snapshot, &row.s.checkpoint, c))
		got := lists.Map(list, func(h happening) debate.Event { return h.event })
		if !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
	}
}

// TestUnpaid has a row for each dispute that may ask models, and for each that may not.
func TestUnpaid(t *testing.T) {
	t.Parallel()
	strangers := func(s *Snapshot) { s.Access["alice"] = access{Permission: debate.ReadAccess} }
	mayNow := func(s *Snapshot) { s.Access["alice"] = access{Permission: debate.WriteAccess} }
	unpaid := func(s *Snapshot) { s.checkpoint.Stranger = true }
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	const dispute = "/debate dispute F1 no"
	rows := []struct {
		name string
		s    scene
		want bool
	}{
		{"by who may write, of a stranger's", reviewed().set(strangers).set(unpaid).says("bob", 1, dispute), false},
		{"by a stranger, of what was paid for", reviewed().set(strangers).says("alice", 1, dispute), false},
		{"by a stranger, of what nobody paid for", reviewed().set(strangers).set(unpaid).says("alice", 1, dispute), true},
		{"by a stranger, and a run is ordered", reviewed().set(strangers).set(unpaid).says("alice", 1, dispute).says("bob", 2, "/debate run"), false},
		{"by a stranger, on a head that nobody reviewed", reviewed().set(strangers).set(pushed).says("alice", 1, dispute), true},
		{"by a reader, on a new head of who may write", reviewed().set(mayNow).set(pushed).says("carol", 1, dispute), false},
		{"by a reader, on a new head after what nobody paid for", reviewed().set(mayNow).set(unpaid).set(pushed).says("carol", 1, dispute), true},
	}
	for _, row := range rows {
		a := row.s.requests[0]
		c := commandsOf(row.s.Snapshot)
		if got := row.s.unpaid(&row.s.checkpoint, a, c); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}

// TestDue has a row for each decision of which people are reminded, or are not.
func TestDue(t *testing.T) {
	t.Parallel()
	after := func(d time.Duration) func(*Snapshot) { return func(s *Snapshot) { s.now = at(-60).Add(d) } }
	reminded := func(s *Snapshot) { s.checkpoint.Debate.Agenda.Decisions[0].Human.Reminded = true }
	rows := []struct {
		name string
		s    scene
		want []string
	}{
		{"it waits for three days", asking().cause(Swept).set(after(remindAfter)), []string{"D0"}},
		{"it waits for less", asking().cause(Swept).set(after(remindAfter - time.Second)), nil},
		{"they were reminded", asking().cause(Swept).set(after(remindAfter)).set(reminded), nil},
		{"it was decided", decided().cause(Swept).set(after(remindAfter)), nil},
		{"somebody says something", asking().cause(Said).set(after(remindAfter)), nil},
	}
	for _, row := range rows {
		if got := row.s.due(); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
