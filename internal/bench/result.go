package bench

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// SchemaVersion of the JSON.
const SchemaVersion = 2

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

// shown is the JSON of a result.
type shown struct {
	SchemaVersion int         `json:"schema_version"`
	Notes         []string    `json:"notes"`
	Scripted      bool        `json:"scripted"`
	Rows          []Row       `json:"rows"`
	Cases         []shownCase `json:"cases"`
	NotCounted    []Skipped   `json:"not_counted"`
}

type shownCase struct {
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Taped bool      `json:"taped"`
	Ways  []Verdict `json:"ways"`
}

// JSON is the result for programs.
func (r Result) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(shown{
		SchemaVersion: SchemaVersion, Notes: r.notes(), Scripted: r.scripted(), Rows: Rows(r.Done), NotCounted: append([]Skipped{}, r.Left...),
		Cases: append([]shownCase{}, lists.Map(r.Done, func(o Outcome) shownCase { return shownCase{o.Case.ID, o.Case.Name, o.Held.Taped, Judge(o)} })...),
	}, "", "  ")
	return append(data, '\n'), err
}
