package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// RubricTable has the combined result of every option.
func RubricTable(r Rubric) [][]string {
	return combinedTable(r, "Combined of "+Capped(weights(r), ", "))
}

// combinedTable has the combined result of every option below a head.
func combinedTable(r Rubric, head string) [][]string {
	rows := lists.Map(r.Combined, func(c Combined) []string { return []string{c.Option, share(c)} })
	return append([][]string{{"Option", head}}, rows...)
}

// weights are the criteria of a scoring, each with what it counts.
func weights(r Rubric) []string {
	return lists.Map(r.Criteria, func(c debate.Criterion) string { return OneLine(c.ID) + " " + percent(c.WeightBP) })
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
	text := "**Scores**: each model scored each option from 0 to 10, unseen by the others. Weights: " + inline(Capped(weights(r), ", ")) + ".\n\n" + tableMarkdown(combinedTable(r, "Of all points"))
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
	text += "\n\n" + Wrapped("", entryMarkdown(s.Rationale), "\n\n")
	if len(s.Scores) == 0 {
		return strings.TrimRight(text, "\n") + "\n"
	}
	return text + tableMarkdown(SheetTable(d, s))
}

// SheetTable has a row for every option and a column for every criterion.
func SheetTable(d Decision, s Sheet) [][]string {
	criteria := lists.Map(d.Rubric.Criteria, func(c debate.Criterion) string { return OneLine(c.ID) })
	table := [][]string{append([]string{"Option"}, criteria...)}
	for _, o := range d.Options {
		table = append(table, append([]string{o.ID}, s.row(o.ID, d.Rubric.Criteria)...))
	}
	return table
}

// judges adds how the judges voted and why (R187-R189).
func (b *blocks) judges(d Decision) {
	if d.Panel == nil {
		return
	}
	votes := lists.Map(d.Panel.Perspectives, func(v Perspective) string {
		return OneLine(string(v.Judge)) + ": " + Disposition(OneLine(v.Option)) + ", because " + OneLine(v.Reason)
	})

	changes := lists.Map(d.Panel.Changes, func(c VoteChange) string {
		return fmt.Sprintf("%s changed from %s to %s: %s", OneLine(string(c.Judge)), OneLine(c.From), OneLine(c.To), OneLine(c.Reason))
	})

	missing := lists.Map(d.Panel.Missing, func(s debate.Stance) string { return OneLine(string(s)) + ": no vote" })
	choose := lists.Map(Present(strings.Split(strings.TrimSpace(d.Panel.UserPrompt), "\n")...), func(line string) string { return "To choose: " + line })
	lines := slices.Concat(votes, changes, missing, choose)
	b.list("**Judges**, each with one point of view", lines, MaxListed)
}
