package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// seeing is a review in which a party that may look is asked, and an answer of it that asks
// to see something.
func seeing(t *testing.T, entries []debate.Entry, edit func(*debate.Received)) (*Review, answer) {
	t.Helper()
	r, e := looking(t, entries)
	if err := r.brief(); err != nil {
		t.Fatal(err)
	}
	edit(&r.state.Received)
	r.Now = func() int64 { return e.At }
	for _, w := range debate.Outstanding(r.state) {
		if w.Ask != nil && w.Ask.ID == e.Event.(debate.Looked).Ask {
			text := `{"summary": "wait", "look": [{"read": {"path": "lib/caller.sh"}}, {"list": {"path": "lib"}}]}`
			return r, answer{call: call{ask: *w.Ask, started: e.At}, response: model.Response{Text: text}}
		}
	}
	t.Fatal("nobody is asked")
	return nil, answer{}
}

// looking is a review that stands before the first look at a list, and that look. The first
// party to look differs from run to run.
func looking(t *testing.T, entries []debate.Entry) (*Review, debate.Entry) {
	t.Helper()
	for i, e := range entries {
		if ev, is := e.Event.(debate.Looked); !is || ev.Seen[0].Look.Kind != debate.LookList {
			continue
		}
		r, _ := seeking(t, searching(), callers)
		var err error
		if r.state, err = debate.Fold(copied(t, entries[:i])); err != nil {
			t.Fatal(err)
		}
		return r, e
	}
	t.Fatal("no party looked so")
	return nil, debate.Entry{}
}

// sought is the record of a debate in which the first answer asks to see something.
func sought(t *testing.T) []debate.Entry {
	t.Helper()
	r, log := seeking(t, searching(), callers)
	if _, err := r.Start(t.Context(), askedWithLooks(12)); err != nil {
		t.Fatal(err)
	}
	return log.entries
}

// TestAsksToSee: only an answer that came in time and can be read asks to see something,
// as long as its party may look.
func TestAsksToSee(t *testing.T) {
	t.Parallel()
	entries := sought(t)
	for name, row := range map[string]struct {
		edit func(*Review, *answer)
		want int
	}{
		"in time": {func(*Review, *answer) {}, 2},
		"late":    {func(_ *Review, a *answer) { a.late, a.err = true, &model.Error{Class: debate.CallTimeout} }, 0},
		"failed":  {func(_ *Review, a *answer) { a.err = errors.New("boom") }, 0},
		"as long as may be": {func(_ *Review, a *answer) {
			a.response.Text += strings.Repeat(" ", model.MaxReply-len(a.response.Text))
		}, 2},
		"too long": {func(_ *Review, a *answer) {
			a.response.Text += strings.Repeat(" ", model.MaxReply+1-len(a.response.Text))
		}, 0},
		"an answer":       {func(_ *Review, a *answer) { a.response.Text = `{"summary": "fine"}` }, 0},
		"it may not look": {func(r *Review, _ *answer) { r.state.Received.Settings.Looks = 0 }, 0},
	} {
		r, a := seeing(t, entries, func(*debate.Received) {})
		row.edit(r, &a)
		if got := r.asksToSee(a); len(got) != row.want {
			t.Errorf("%s: it asks to see %v", name, got)
		}
	}
}

// TestSpentOn: who has used up the money of the debate or the time of the call answers with
// what it has. All turns of a call count.
func TestSpentOn(t *testing.T) {
	t.Parallel()
	entries := sought(t)
	before := debate.Looked{Seen: []debate.Seen{{}}, Started: 1_000_000, Usage: debate.Usage{CostMicro: 30}}
	then := debate.Looked{Seen: []debate.Seen{{}}, Started: 1_050_000, Usage: debate.Usage{CostMicro: 20}}
	for name, row := range map[string]struct {
		most  int64 // micro dollars of the debate
		cost  int64 // of this turn
		looks []debate.Looked
		at    int64 // milliseconds after the turn began, which is at 1_100_000
		want  bool
	}{
		"no bound of money":           {0, 1 << 40, nil, 0, false},
		"money is left":               {100, 99, nil, 0, false},
		"no money is left":            {100, 100, nil, 0, true},
		"none, with the turns before": {100, 50, []debate.Looked{before, then}, 0, true},
		"some, with the turns before": {100, 49, []debate.Looked{before, then}, 0, false},
		"time is left":                {0, 0, nil, 119_999, false},
		"no time is left":             {0, 0, nil, 120_000, true},
		"none, since its first turn":  {0, 0, []debate.Looked{before, then}, 20_000, true},
		"some, since its first turn":  {0, 0, []debate.Looked{before, then}, 19_999, false},
	} {
		r, a := seeing(t, entries, func(in *debate.Received) { in.Settings.MaxCostMicro, in.Settings.TimeoutS = row.most, 120 })
		a.ask.Kind, a.started, a.response.Usage.CostMicro = debate.CallRebut, 1_100_000, row.cost
		for _, l := range row.looks {
			l.Ask = a.ask.ID
			r.state.Asking.Wave.Looks = append(r.state.Asking.Wave.Looks, l)
		}
		a.ended = a.started + row.at
		if got := r.spentOn(a); got != row.want {
			t.Errorf("%s: spent %v", name, got)
		}
	}
}

// TestSee: what a party is shown, how many looks it has left, and when it has to answer.
func TestSee(t *testing.T) {
	t.Parallel()
	entries := sought(t)
	turns := func(r *Review, a answer, n int) {
		for range n {
			r.state.Asking.Wave.Looks = append(r.state.Asking.Wave.Looks, debate.Looked{Ask: a.ask.ID, Seen: []debate.Seen{{}}, Started: a.started})
		}
	}
	for name, row := range map[string]struct {
		edit  func(*Review, answer)
		shown int // looks that show something
		last  bool
		says  string
	}{
		"two of twelve":    {func(*Review, answer) {}, 2, false, "look at up to 10 more things"},
		"two of three":     {func(r *Review, _ answer) { r.state.Received.Settings.Looks = 3 }, 2, false, "look at up to 1 more things"},
		"two of two":       {func(r *Review, _ answer) { r.state.Received.Settings.Looks = 2 }, 2, true, "cannot look any further"},
		"two of one":       {func(r *Review, _ answer) { r.state.Received.Settings.Looks = 1 }, 1, true, "cannot look any further"},
		"the turn before":  {func(r *Review, a answer) { turns(r, a, debate.LookTurns-2) }, 2, false, "look at up to 8 more things"},
		"the last turn":    {func(r *Review, a answer) { turns(r, a, debate.LookTurns-1) }, 2, true, "cannot look any further"},
		"no money is left": {func(r *Review, _ answer) { r.state.Received.Settings.MaxCostMicro = 1 }, 0, true, "cannot look any further"},
		"there is no tree": {func(r *Review, _ answer) { r.Subject.frozen.Tree = nil }, 0, true, "cannot look any further"},
	} {
		r, a := seeing(t, entries, func(*debate.Received) {})
		row.edit(r, a)
		a.response.Usage.CostMicro = 1
		parts, err := r.see(t.Context(), a, r.asksToSee(a))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		log := r.Log.(*memory)
		ev := log.entries[len(log.entries)-1].Event.(debate.Looked)
		shown := 0
		for _, s := range ev.Seen {
			if len(s.Runs)+len(s.Names) > 0 {
				shown++
			}
		}
		if shown != row.shown || ev.Last != row.last || !strings.Contains(strings.Join(parts, ""), row.says) || ev.Text != digest(strings.Join(parts, "")) {
			t.Errorf("%s: %d shown, last %v: %q", name, shown, ev.Last, parts)
		}
	}
	r, a := seeing(t, entries, func(*debate.Received) {})
	r.Log.(*memory).failAt = r.state.N + 1
	if _, err := r.see(context.Background(), a, r.asksToSee(a)); !errors.Is(err, errFull) {
		t.Errorf("what it is sent cannot be recorded: %v", err)
	}
}

// TestAsShown: a file that cannot be searched for secrets is not shown.
func TestAsShown(t *testing.T) {
	t.Parallel()
	r, _ := seeing(t, sought(t), func(*debate.Received) {})
	if lines, ok := r.asShown("x.sh", []byte("one\ntwo\n")); !ok || !slices.Equal(lines, []string{"one", "two"}) {
		t.Errorf("%q, %v", lines, ok)
	}
	if lines, ok := r.asShown("x.sh", []byte("one\n"+strings.Repeat("x", 1<<20)+"\n")); ok {
		t.Errorf("%d lines are shown", len(lines))
	}
}

// TestSeenIndex: lines stand where they were shown, and what lies between them nowhere.
func TestSeenIndex(t *testing.T) {
	t.Parallel()
	x := seenIndex([]debate.Seen{
		{Look: debate.Look{Side: debate.Right}, Runs: []debate.ShownRun{{Path: "f", First: 10, Lines: []string{"ten", "eleven"}}, {Path: "f", First: 3, Lines: []string{"three"}}}},
		{Look: debate.Look{Side: debate.Right}, Runs: []debate.ShownRun{{Path: "f", First: 4, Lines: []string{"four"}}, {Path: "g", First: 1, Lines: []string{"g one"}}}},
		{Look: debate.Look{Side: debate.Left}, Runs: []debate.ShownRun{{Path: "f", First: 4, Lines: []string{"was four"}}}},
	}, nil, nil)
	for name, row := range map[string]struct {
		path  string
		side  debate.Side
		line  int
		text  string
		first int // of the lines around it
		lines int
	}{
		"the first":                 {"f", debate.Right, 3, "three", 3, 2},
		"one of a later look":       {"f", debate.Right, 4, "four", 3, 2},
		"one that nobody looked at": {"f", debate.Right, 5, "", 0, 0},
		"one after a gap":           {"f", debate.Right, 11, "eleven", 10, 2},
		"the other side":            {"f", debate.Left, 4, "was four", 4, 1},
		"the other side alone":      {"f", debate.Left, 3, "", 0, 0},
		"another file":              {"g", debate.Right, 1, "g one", 1, 1},
	} {
		text, ok := x.Line(row.path, row.side, row.line)
		first, around := x.Around(row.path, row.side, row.line)
		if text != row.text || ok != (row.text != "") || first != row.first || len(around) != row.lines {
			t.Errorf("%s: %q, %v; %q from %d", name, text, ok, around, first)
		}
	}
}
