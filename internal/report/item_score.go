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

// weights lists the criteria of a scoring with their weights.
func weights(r Rubric) []string {
	return lists.Map(r.Criteria, func(c debate.Criterion) string {
		return strings.ReplaceAll(OneLine(c.ID), "_", " ") + " " + Percent(c.WeightBP)
	})
}

// scores adds the result of the scores and the reason of each model.
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
	b.list("**Reasons for the scores**", lists.Map(r.Sheets, scorer), MaxListed)
}

// scorer is the reason of one model for its scores. The full report has the scores.
func scorer(s Sheet) string {
	text := OneLine(s.Party)
	if !s.Valid {
		text += ", not counted: " + OneLine(s.Why)
	}
	return text + Wrapped(": ", OneLine(s.Rationale), "")
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
		option := OneLine(v.Option)
		if IsNone(option) {
			option = "no recommendation"
		}
		return OneLine(string(v.Judge)) + ": " + option + ", because " + OneLine(v.Reason)
	})

	changes := lists.Map(d.Panel.Changes, func(c VoteChange) string {
		return fmt.Sprintf("%s changed from %s to %s: %s", OneLine(string(c.Judge)), OneLine(c.From), OneLine(c.To), OneLine(c.Reason))
	})

	missing := lists.Map(d.Panel.Missing, func(s debate.Stance) string { return OneLine(string(s)) + ": no vote" })
	choose := lists.Map(d.Panel.Choices, func(line string) string { return "To choose: " + strings.TrimSpace(line) })
	lines := slices.Concat(votes, changes, missing, choose)
	b.list("**Judges**, each with one point of view", lines, MaxListed)
}
