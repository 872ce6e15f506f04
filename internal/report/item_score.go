package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// RubricTable has the combined result of every option.
func RubricTable(r Rubric) [][]string {
	var weights []string
	for _, c := range r.Criteria {
		weights = append(weights, OneLine(c.ID)+" "+percent(c.WeightBP))
	}
	table := [][]string{{"Option", "Combined of " + Capped(weights, ", ")}}
	for _, c := range r.Combined {
		table = append(table, []string{c.Option, fmt.Sprintf("%d of %d: %s", c.Sum, c.Max, share(c))})
	}
	return table
}

// sheetMarkdown is what one party scored on its own.
func sheetMarkdown(d Decision, s Sheet) string {
	text := "By " + inline(s.Party)
	if !s.Valid {
		text += ", it does not count: " + inline(s.Why)
	}
	text += "\n\n"
	if s.Rationale != "" {
		text += comment.MarkdownLine(ClipLine(s.Rationale, MaxEntry)) + "\n\n"
	}
	if len(s.Scores) == 0 {
		return text
	}
	return text + tableMarkdown(SheetTable(d, s))
}

// SheetTable has a row for every option and a column for every criterion.
func SheetTable(d Decision, s Sheet) [][]string {
	head := []string{"Option"}
	for _, c := range d.Rubric.Criteria {
		head = append(head, OneLine(c.ID))
	}
	table := [][]string{head}
	for _, o := range d.Options {
		row := []string{o.ID}
		for _, c := range d.Rubric.Criteria {
			cell := "none"
			if score, ok := s.of(o.ID, c.ID); ok {
				cell = fmt.Sprint(score)
			}
			row = append(row, cell)
		}
		table = append(table, row)
	}
	return table
}

// itemJudges is how the panel voted and why (R187-R189).
func itemJudges(d Decision) []string {
	if d.Panel == nil {
		return nil
	}
	out := append([]string{"Judges: " + PanelLine(*d.Panel)}, judgeLines(d)...)
	for _, line := range strings.Split(strings.TrimSpace(d.Panel.UserPrompt), "\n") {
		if line != "" {
			out = append(out, "To choose: "+line)
		}
	}
	return out
}
