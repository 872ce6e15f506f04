package pull

import (
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// cents are calls that cost so many millionths of a US dollar; -1 is one without a price.
func cents(list ...int64) []debate.Call {
	return lists.Map(list, func(micro int64) debate.Call {
		if micro < 0 {
			return debate.Call{Usage: debate.Usage{CostUnknown: true}}
		}
		return debate.Call{Usage: debate.Usage{CostMicro: micro}}
	})

}

// TestCosts has a row for each thing that adds to what is not in the summary yet.
func TestCosts(t *testing.T) {
	t.Parallel()
	session := func(id string, recall []debate.Call, calls ...int64) debate.State {
		s := debate.State{Received: debate.Received{SessionID: id}, Asking: debate.Asking{Calls: cents(calls...)}}
		if recall != nil {
			s.Received.Recall = &debate.Memory{Asking: debate.Asking{Calls: recall}}
		}
		return s
	}
	lost := func(state debate.State) func(*ledger) { return func(l *ledger) { l.countLost(state) } }
	asked := func(calls ...int64) func(*ledger) { return func(l *ledger) { l.unbooked.add(cents(calls...)) } }
	wrote := func(l *ledger) {
		l.left = l.written
		l.left.cost = l.left.and(l.unbooked)
		l.written, l.sealed, l.booked = l.left, true, l.unbooked
	}
	unpriced := func(l *ledger) { l.written.Unpriced = true }
	rows := []struct {
		name  string
		steps []func(*ledger)
		want  cost
	}{
		{"nothing", nil, cost{}},
		{"a question", []func(*ledger){asked(5, 6)}, cost{Micro: 11}},
		{"a question with a call that has no price", []func(*ledger){asked(5, -1), asked(1)}, cost{Micro: 6, Unpriced: true}},
		{"it is no news that a price is missing", []func(*ledger){unpriced, asked(5, -1)}, cost{Micro: 5}},
		{"it is written", []func(*ledger){asked(5, -1), wrote}, cost{}},
		{"another question since", []func(*ledger){asked(5), wrote, asked(3)}, cost{Micro: 3}},
		{"a session that failed", []func(*ledger){lost(session("two", nil, 5, 6))}, cost{Micro: 11}},
		{"a session that is in the summary", []func(*ledger){lost(session("one", nil, 5, 6))}, cost{}},
		{"a recalled session that failed", []func(*ledger){lost(session("two", cents(5, 6), 5, 6, 7))}, cost{Micro: 7}},
		{"a recalled session that failed at once", []func(*ledger){lost(session("two", cents(5, 6)))}, cost{}},
	}
	for _, row := range rows {
		l := &ledger{written: Checkpoint{Debate: debate.Memory{SessionID: "one"}}}
		for _, step := range row.steps {
			step(l)
		}
		if got := l.open(); got != row.want {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
	}
}

// TestBooked: what is added to a checkpoint stays there, and so does that a price is
// missing.
func TestBooked(t *testing.T) {
	t.Parallel()
	l := &ledger{left: Checkpoint{NextF: 4}, unbooked: cost{Micro: 5}}
	l.written, l.sealed, l.booked = l.left, true, l.unbooked
	if l.written.NextF != 4 || !l.sealed || l.booked != l.unbooked {
		t.Errorf("%+v", l)
	}
	var m Checkpoint
	for _, step := range []struct {
		c    cost
		want cost
	}{
		{cost{Micro: 5}, cost{Micro: 5}}, {cost{Micro: 2, Unpriced: true}, cost{Micro: 7, Unpriced: true}}, {cost{Micro: 1}, cost{Micro: 8, Unpriced: true}},
	} {
		m.cost = m.and(step.c)
		if got := m.cost; got != step.want {
			t.Errorf("%+v, want %+v", got, step.want)
		}
	}
	m = Checkpoint{cost: cost{Micro: 10}, Handled: ids(1)}
	m.takeOver(Checkpoint{cost: cost{Micro: 3}, Handled: ids(1)}, Checkpoint{cost: cost{Micro: 7, Unpriced: true}, Handled: ids(1, 2)})
	if m.cost != (cost{14, true}) || !slices.Equal(m.Handled, ids(1, 2)) {
		t.Errorf("what another run wrote meanwhile: %+v, %v", m.cost, m.Handled)
	}
}

// TestCap has a row for each limit of what a debate may cost.
func TestCap(t *testing.T) {
	t.Parallel()
	const usedUp, unknown = "the cost limit of this pull request is used up", "the cost of earlier runs on this pull request is not known: the limit counts for this run alone"
	rows := []struct {
		name                    string
		limit, ofDebate         int64
		sealed, summarised      bool
		spent, unbooked, booked int64
		want                    int64
		notes                   []string
	}{
		{name: "no limit", ofDebate: 9, sealed: true, spent: 50, want: 9},
		{name: "no limit at all"},
		{name: "nothing is spent", limit: 100, ofDebate: 500, sealed: true, want: 100},
		{name: "the debate has no limit of its own", limit: 100, sealed: true, spent: 30, want: 70},
		{name: "the limit of the debate is lower", limit: 100, ofDebate: 40, sealed: true, spent: 30, want: 40},
		{name: "the limit of the debate is higher", limit: 100, ofDebate: 80, sealed: true, spent: 30, want: 70},
		{name: "something is not in the summary yet", limit: 100, sealed: true, spent: 30, unbooked: 9, booked: 4, want: 65},
		{name: "all is spent", limit: 100, sealed: true, spent: 100, want: 1, notes: []string{usedUp}},
		{name: "all but the smallest part is spent", limit: 100, sealed: true, spent: 99, want: 1},
		{name: "more is spent", limit: 100, ofDebate: 9, sealed: true, spent: 500, want: 1, notes: []string{usedUp}},
		{name: "nobody knows what is spent", limit: 100, summarised: true, spent: 30, want: 100, notes: []string{unknown}},
		{name: "the first run", limit: 100, spent: 30, want: 100},
	}
	for _, row := range rows {
		s := unreviewed()
		s.sealed, s.config.Limits.MaxCostUSDPerPR = row.sealed, config.USD(row.limit)
		l := &ledger{written: Checkpoint{cost: cost{Micro: row.spent}}, unbooked: cost{Micro: row.unbooked}, booked: cost{Micro: row.booked}}
		first := debate.Received{Settings: debate.Settings{MaxCostMicro: row.ofDebate}}
		l.cap(&first, s.Snapshot, row.summarised)
		if first.Settings.MaxCostMicro != row.want || !slices.Equal(first.Notes, row.notes) {
			t.Errorf("%s: %d, %q; want %d, %q", row.name, first.Settings.MaxCostMicro, first.Notes, row.want, row.notes)
		}
	}
}
