package bench

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// SchemaVersion of the JSON.
const SchemaVersion = 1

// Result is the result of a run.
type Result struct {
	Done  []Outcome
	Left  []Skipped
	Notes []string // for readers, before the figures
}

// scripted reports whether no model gave some of the answers.
func (r Result) scripted() bool {
	return slices.ContainsFunc(r.Done, func(o Outcome) bool { return o.Held.Scripted })
}

// notes are those of the run and of its answers.
func (r Result) notes() []string {
	notes := []string{}
	if r.scripted() {
		notes = append(notes, "the answers are made up, to test this program: the figures say nothing of any model")
	}
	notes = append(notes, r.Notes...)
	if taped := len(lists.Keep(r.Done, func(o Outcome) bool { return o.Held.Taped })); taped > 0 {
		notes = append(notes, fmt.Sprintf("in %s the answers come from a tape: costs are those of the recording, and no time was measured", report.Count(taped, "case")))
	}
	for _, row := range Rows(r.Done) {
		if row.Unanswered > 0 {
			notes = append(notes, fmt.Sprintf("%s did not answer in full in %d of %s; what it did not say counts as not found", row.Member, row.Unanswered, report.Count(row.Cases, "case")))
		}
	}
	return notes
}

// wire is the JSON of a result.
type wire struct {
	SchemaVersion int           `json:"schema_version"`
	Notes         []string      `json:"notes"`
	Scripted      bool          `json:"scripted"`
	Rows          []wireRow     `json:"rows"`
	Cases         []wireCase    `json:"cases"`
	NotCounted    []wireSkipped `json:"not_counted"`
}

type wireRow struct {
	Way        Kind   `json:"way"`
	Member     string `json:"member,omitempty"`
	Absent     string `json:"absent,omitempty"`
	Cases      int    `json:"cases"`
	Unanswered int    `json:"unanswered"`
	Expected   int    `json:"expected"`
	Found      int    `json:"found"`
	False      int    `json:"false"`
	Mild       int    `json:"too_mild"`
	Repeats    int    `json:"repeats"`
	Clean      int    `json:"clean"`
	Quiet      int    `json:"clean_quiet"`
	Precision  *int   `json:"precision_percent"`
	Recall     *int   `json:"recall_percent"`
	F1         *int   `json:"f1_percent"`
	wireSpent
}

type wireSpent struct {
	Cost        *report.USD `json:"cost_usd"` // null: not known
	CostPartial bool        `json:"cost_partial"`
	MS          *int64      `json:"ms"` // null: not measured
}

type wireCase struct {
	ID    string        `json:"id"`
	Name  string        `json:"name"`
	Taped bool          `json:"taped"`
	Ways  []wireVerdict `json:"ways"`
}

type wireVerdict struct {
	Way      Kind          `json:"way"`
	Member   string        `json:"member,omitempty"`
	Answered bool          `json:"answered"`
	Found    []string      `json:"found"`
	Missed   []string      `json:"missed"`
	False    []wireFinding `json:"false"`
	Mild     int           `json:"too_mild"`
	Repeats  int           `json:"repeats"`
	wireSpent
}

type wireFinding struct {
	Severity string   `json:"severity"`
	Title    string   `json:"title"`
	Places   []string `json:"places"`
}

type wireSkipped struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// JSON is the result for programs.
func (r Result) JSON() ([]byte, error) {
	w := wire{
		SchemaVersion: SchemaVersion, Notes: r.notes(), Scripted: r.scripted(),
		Rows: append([]wireRow{}, lists.Map(Rows(r.Done), Row.wire)...), Cases: []wireCase{}, NotCounted: []wireSkipped{},
	}
	for _, o := range r.Done {
		one := wireCase{ID: o.Case.ID, Name: o.Case.Name, Taped: o.Held.Taped, Ways: []wireVerdict{}}
		for _, v := range Judge(o) {
			one.Ways = append(one.Ways, v.wire(o))
		}
		w.Cases = append(w.Cases, one)
	}
	for _, s := range r.Left {
		w.NotCounted = append(w.NotCounted, wireSkipped(s))
	}
	data, err := json.MarshalIndent(w, "", "  ")
	return append(data, '\n'), err
}

func (r Row) wire() wireRow {
	return wireRow{
		Way: r.Kind, Member: r.Member, Absent: r.Absent, Cases: r.Cases, Unanswered: r.Unanswered, Expected: r.Expected, Found: r.Found,
		False: r.False, Mild: r.Mild, Repeats: r.Repeats, Clean: r.Clean, Quiet: r.Quiet,
		Precision: known(r.Precision()), Recall: known(r.Recall()), F1: known(r.F1()), wireSpent: r.Spent.wire(r.Timed),
	}
}

func known(percent int, ok bool) *int {
	if !ok {
		return nil
	}
	return &percent
}

func (s Spent) wire(timed bool) wireSpent {
	w := wireSpent{CostPartial: s.CostUnknown}
	if cost := report.USD(s.CostMicro); cost > 0 || !s.CostUnknown {
		w.Cost = &cost
	}
	if timed {
		w.MS = &s.MS
	}
	return w
}

func (v Verdict) wire(o Outcome) wireVerdict {
	w := wireVerdict{
		Way: v.Kind, Member: v.Member, Answered: v.Answered, Mild: v.Matched.Mild, Repeats: v.Matched.Repeats,
		Found: []string{}, Missed: []string{}, False: []wireFinding{}, wireSpent: v.Spent.wire(!o.Held.Taped),
	}
	for i, e := range o.Case.Expected {
		if v.Matched.By[i] >= 0 {
			w.Found = append(w.Found, e.What)
		} else {
			w.Missed = append(w.Missed, e.What)
		}
	}
	for _, i := range v.Matched.False {
		f := v.Findings[i]
		places := append([]string{}, lists.Map(f.Places, Place.String)...)
		w.False = append(w.False, wireFinding{Severity: string(f.Severity), Title: f.Title, Places: places})
	}
	return w
}
