package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// RubricTable has the combined result of every option.
func RubricTable(r Rubric) [][]string {
	table := [][]string{{"Option", "Combined of " + Capped(weights(r), ", ")}}
	for _, c := range r.Combined {
		table = append(table, []string{c.Option, share(c)})
	}
	return table
}

// weights are the criteria of a scoring, each with what it counts.
func weights(r Rubric) []string {
	var list []string
	for _, c := range r.Criteria {
		list = append(list, OneLine(c.ID)+" "+percent(c.WeightBP))
	}
	return list
}

// scores adds what each model gave each option, and what that comes to.
func (b *blocks) scores(d Decision) {
	if d.Rubric == nil {
		if d.Why != "" && d.Why != notScored {
			b.add("Not scored: " + inline(d.Why) + ".\n")
		}
		return
	}
	r := *d.Rubric
	table := [][]string{{"Option", "Of all points"}}
	for _, c := range r.Combined {
		table = append(table, []string{c.Option, share(c)})
	}
	text := "**Scores**: each model scored each option from 0 to 10, unseen by the others. Weights: " + inline(Capped(weights(r), ", ")) + ".\n\n" + tableMarkdown(table)
	if r.Winner == "" && r.Why != "" {
		text += "\nNo option wins: " + inline(r.Why) + ".\n"
	}
	b.add(text)
	for _, s := range r.Sheets {
		b.add(sheetMarkdown(d, s))
	}
}

// sheetMarkdown is what one party scored on its own.
func sheetMarkdown(d Decision, s Sheet) string {
	text := "**Scores of " + inline(s.Party) + "**"
	if !s.Valid {
		text += ", not counted: " + inline(s.Why)
	}
	text += "\n\n"
	if s.Rationale != "" {
		text += comment.MarkdownLine(ClipLine(s.Rationale, MaxEntry)) + "\n\n"
	}
	if len(s.Scores) == 0 {
		return strings.TrimRight(text, "\n") + "\n"
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

// judges adds how the judges voted and why (R187-R189).
func (b *blocks) judges(d Decision) {
	if d.Panel == nil {
		return
	}
	var lines []string
	for _, v := range d.Panel.Perspectives {
		lines = append(lines, OneLine(string(v.Judge))+": "+Disposition(OneLine(v.Option))+", because "+OneLine(v.Reason))
	}
	for _, c := range d.Panel.Changes {
		lines = append(lines, fmt.Sprintf("%s changed from %s to %s: %s", OneLine(string(c.Judge)), OneLine(c.From), OneLine(c.To), OneLine(c.Reason)))
	}
	for _, stance := range d.Panel.Missing {
		lines = append(lines, OneLine(string(stance))+": no vote")
	}
	for _, line := range strings.Split(strings.TrimSpace(d.Panel.UserPrompt), "\n") {
		if line != "" {
			lines = append(lines, "To choose: "+line)
		}
	}
	b.list("**Judges**, each with one point of view", lines, MaxListed)
}
