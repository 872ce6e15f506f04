package bench

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// scene is a case with two defects and a clean one, reviewed by three members of which the
// last is absent.
func scene() []Outcome {
	one, two := at("a.go", 1, 3), at("a.go", 9, 9)
	planted := Case{ID: "planted", Name: "Two defects", Expected: []Expected{
		{What: "the first", Severity: debate.P2, Places: []Place{one}},
		{What: "the second", Severity: debate.P2, Places: []Place{two}},
	}}
	quiet := Case{ID: "quiet", Name: "Nothing", Clean: true}
	first, second, wrong := finding(debate.P1, "first", one), finding(debate.P2, "second", two), finding(debate.P3, "\x1b[31mwrong", at("a.go", 20, 20))
	absent := Heard{ID: "cyd", Absent: "no key"}
	return []Outcome{
		{planted, Held{
			Members: []Heard{
				{ID: "ada", Answered: true, Findings: []Finding{first, wrong}, Spent: Spent{CostMicro: 1000, MS: 2000}},
				{ID: "ben", Answered: true, Findings: []Finding{first, second, wrong}, Spent: Spent{CostMicro: 500, MS: 3000}},
				absent,
			},
			Agreed: []Finding{first, second}, Disputed: []Finding{wrong}, Debate: Spent{CostMicro: 4000, MS: 9000},
		}},
		{quiet, Held{
			Members: []Heard{
				{ID: "ada", Answered: true, Findings: []Finding{wrong}, Spent: Spent{CostMicro: 1000, MS: 118_000}},
				{ID: "ben", Spent: Spent{CostUnknown: true, MS: 100}},
				absent,
			},
			Debate: Spent{CostMicro: 1000, CostUnknown: true, MS: 130_000},
		}},
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	want := []Row{
		{Kind: Debated, Cases: 2, Expected: 2, Found: 2, Clean: 1, Quiet: 1, Timed: true, Spent: Spent{5000, true, 139_000}},
		{Kind: Shown, Cases: 2, Expected: 2, Found: 2, False: 1, Clean: 1, Quiet: 1, Timed: true, Spent: Spent{5000, true, 139_000}},
		{Kind: Voted, Cases: 2, Expected: 2, Found: 1, False: 1, Clean: 1, Quiet: 1, Timed: true, Spent: Spent{2500, true, 121_000}},
		{Kind: ByMember, Member: "ada", Cases: 2, Expected: 2, Found: 1, False: 2, Clean: 1, Timed: true, Spent: Spent{2000, false, 120_000}},
		{Kind: ByMember, Member: "ben", Cases: 2, Unanswered: 1, Expected: 2, Found: 2, False: 1, Clean: 1, Timed: true, Spent: Spent{500, true, 3100}},
		{Kind: ByMember, Member: "cyd", Absent: "no key", Timed: true},
	}
	if diff := cmp.Diff(want, Rows(scene())); diff != "" {
		t.Error(diff)
	}
}

func TestPercent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		part, whole int
		want        string
	}{{0, 3, "0 %"}, {1, 3, "33 %"}, {2, 3, "67 %"}, {1, 2, "50 %"}, {1, 8, "13 %"}, {1, 200, "1 %"}, {1, 201, "0 %"}, {7, 7, "100 %"}, {0, 0, "-"}} {
		if got := percent(tt.part, tt.whole); got != tt.want {
			t.Errorf("%d of %d: %s", tt.part, tt.whole, got)
		}
	}
}

// TestSurfaces: the table, with nothing that a terminal obeys, and the JSON.
func TestSurfaces(t *testing.T) {
	t.Parallel()
	r := Result{Done: scene(), Left: []Skipped{{"late", "the money was spent before"}}, Notes: []string{"a note"}}
	golden.Same(t, "testdata/table.golden", r.Text(true))
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden.Same(t, "testdata/json.golden", data)
	r.Done[0].Held.Scripted, r.Done[0].Held.Taped = true, true
	golden.Same(t, "testdata/scripted.golden", r.Text(false))
	var back struct {
		Scripted bool
		Rows     []struct{ Timed bool }
	}
	data, err = r.JSON()
	if err := errors.Join(err, json.Unmarshal(data, &back)); err != nil || !back.Scripted || back.Rows[0].Timed {
		t.Errorf("%v\n%s", err, data)
	}
	golden.Same(t, "testdata/nothing.golden", Result{}.Text(true))
}

// plan holds cases that cost what it says, by their order.
type plan struct {
	held []Held
	errs []error
	left []int64
}

func (p *plan) hold(_ context.Context, _ Case, left int64) (Held, error) {
	n := len(p.left)
	p.left = append(p.left, left)
	return p.held[n], p.errs[n]
}

// TestRunKeepsToItsMoney: what is left goes to the next case, tapes cost nothing, and what is
// cut short or left out is not counted.
func TestRunKeepsToItsMoney(t *testing.T) {
	t.Parallel()
	cost := func(micro report.USD) Held { return Held{Debate: Spent{CostMicro: micro}} }
	taped, cut := cost(50), cost(30)
	taped.Taped, cut.Left = true, "the money ran out in it"
	cases := []Case{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}}
	broken := errors.New("broken")
	p := &plan{held: []Held{cost(60), taped, cut, {Left: "no tape"}, {}}, errs: []error{nil, nil, nil, nil, broken}}
	var told []string
	done, left, err := Run(t.Context(), cases, p.hold, 100, func(o Outcome) { told = append(told, o.Case.ID) })
	if diff := cmp.Diff([]int64{100, 40, 40, 10, 10}, p.left); diff != "" {
		t.Error(diff)
	}
	wantLeft := []Skipped{{"c", "the money ran out in it"}, {"d", "no tape"}, {"e", "the run ended before"}}
	if diff := cmp.Diff(wantLeft, left); diff != "" || len(done) != 2 || !errors.Is(err, broken) {
		t.Errorf("%d done, %v\n%s", len(done), err, diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, told); diff != "" {
		t.Error(diff)
	}
	p = &plan{held: []Held{cost(60)}, errs: []error{nil}}
	if _, _, err := Run(t.Context(), cases[:1], p.hold, 0, func(Outcome) {}); err != nil || p.left[0] != math.MaxInt64 {
		t.Errorf("without a limit: %d, %v", p.left[0], err)
	}
}
