package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// PanelLine is the result of the judges.
func PanelLine(p Panel) string {
	recommend := cmp.Or(Wrapped(" for ", OneLine(p.Option), ""), ", they recommend nothing")
	votes := lists.Map(p.Distribution, func(t Tally) string { return fmt.Sprintf("%s %d", OneLine(cmp.Or(t.Option, "nothing")), t.Votes) })
	missing := lists.Map(p.Missing, func(s debate.Stance) string { return string(s) })
	return strings.ToLower(OneLine(string(p.Type))) + recommend + Wrapped(" (", Capped(votes, ", "), ")") + Wrapped("; no vote of the judge for ", enumerated(missing), "")
}

// RubricLine is the result of the scores.
func RubricLine(r Rubric) string {
	text := "no winner"
	switch {
	case r.Winner != "":
		text = OneLine(r.Winner) + " wins"
	case len(r.Tied) > 0:
		text = "a tie of " + Capped(r.Tied, " and ")
	default:
		text += Wrapped(", ", OneLine(r.Why), "")
	}
	for _, c := range r.Combined[:min(len(r.Combined), MaxListed)] {
		text += "; " + OneLine(c.Option) + " " + share(c)
	}
	if r.Diverging {
		text += "; the models rank them differently by more than one place"
	}
	return text
}

// share is a combined result as a percentage of its maximum, rounded down to two decimals.
func share(c Combined) string {
	if c.Max <= 0 {
		return "0%"
	}
	return Percent(c.Sum * 10_000 / c.Max)
}

// HumanLines is the question to a person and the answer.
func HumanLines(h Human) []string {
	var out []string
	if h.By != "" {
		text := OneLine(h.By) + " decided: " + OneLine(h.Option)
		if h.Reason != "" {
			text += ", " + inQuotes(h.Reason)
		}
		out = append(out, text)
		text = "Decided"
		if h.Local {
			text += " on the command line, for this machine only"
		}
		if h.Self {
			text += " by the author, as this repository allows"
		}
		if h.AskedAt > 0 && h.At >= h.AskedAt {
			text += ", " + Count(int((h.At-h.AskedAt)/60_000), "minute") + " after it was asked"
		}
		text += Wrapped(", for commit ", shortCommit(h.Head), "")
		if text != "Decided" {
			out = append(out, text)
		}
	}
	switch h.Status {
	case debate.ItemSuperseded, debate.ItemWithdrawn:
		out = append(out, "The question is "+string(h.Status))
	}
	for _, r := range h.Refused[:min(len(h.Refused), MaxListed)] {
		out = append(out, "This answer did not count: "+OneLine(r))
	}
	return out
}

func judgeLines(d Decision) []string {
	out := []string{OneLine(d.Question) + " " + upperFirst(PanelLine(*d.Panel))}
	out = append(out, lists.Map(d.Panel.Perspectives, func(v Perspective) string {
		return "The judge for " + OneLine(string(v.Judge)) + ": " + labelOf(d, v.Option) + ", " + inQuotes(v.Reason)
	})...)
	out = append(out, lists.Map(d.Panel.Changes, func(c VoteChange) string {
		return fmt.Sprintf("The judge for %s changed in round %d from %s to %s: %s", OneLine(string(c.Judge)), c.Round, labelOf(d, c.From), labelOf(d, c.To), inQuotes(c.Reason))
	})...)
	for _, r := range d.Panel.Rounds {
		for _, v := range r.Votes {
			if v.Note != "" {
				out = append(out, fmt.Sprintf("The vote of the judge for %s in round %d does not count: %s", OneLine(string(v.Judge)), r.Round, OneLine(v.Note)))
			}
		}
	}
	return out
}

func scoreLines(d Decision) []string {
	out := []string{OneLine(d.Question) + " " + upperFirst(RubricLine(*d.Rubric))}
	for _, s := range d.Rubric.Sheets {
		switch {
		case !s.Valid:
			out = append(out, "The scores of "+OneLine(s.Party)+" do not count: "+OneLine(s.Why))
		case s.Rationale != "":
			out = append(out, OneLine(s.Party)+": "+inQuotes(s.Rationale))
		}
	}
	return out
}

// scoreTable has a row for every option and sheet, and the combined results.
func scoreTable(r Rubric) [][]string {
	criteria := lists.Map(r.Criteria, func(c debate.Criterion) string { return OneLine(c.ID) + " (" + Percent(c.WeightBP) + ")" })
	head := slices.Concat([]string{"Option", "By"}, criteria, []string{"In all"})
	table := [][]string{head}
	for _, c := range r.Combined {
		for _, s := range r.validSheets() {
			table = append(table, slices.Concat([]string{c.Option, s.Party}, s.row(c.Option, r.Criteria), []string{""}))
		}
		row := make([]string, len(head))
		row[0], row[1], row[len(row)-1] = c.Option, "all", share(c)
		table = append(table, row)
	}
	return table
}
