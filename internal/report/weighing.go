package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// weighed has the scores of a question and the votes of the judges (R187-R189).
func weighed(d Decision) []Section {
	var out []Section
	if d.Rubric != nil {
		out = append(out, Section{Title: "Scores", Lines: scoreLines(d), Table: scoreTable(*d.Rubric)})
	}
	if d.Panel != nil {
		out = append(out, Section{Title: "Three judges", Lines: judgeLines(d)})
	}
	return out
}

// scoreLines has the result of the scores, and the reasons of each model.
func scoreLines(d Decision) []string {
	r := *d.Rubric
	text := "No option wins" + Wrapped(": ", OneLine(r.Why), "")
	switch {
	case r.Winner != "":
		text = "Highest score: " + Label(d, r.Winner)
	case len(r.Tied) > 0:
		text = "The same score: " + enumerated(lists.Map(r.Tied, func(option string) string { return Label(d, option) }))
	}
	if r.Diverging {
		text += "; the models rank the options very differently"
	}
	out := []string{Question(d) + " " + text}
	for _, s := range r.Sheets {
		switch {
		case !s.Valid:
			out = append(out, "The scores of "+OneLine(s.Party)+" do not count: "+OneLine(s.Why))
		case s.Rationale != "":
			out = append(out, OneLine(s.Party)+": "+inQuotes(s.Rationale))
		}
	}
	return out
}

// scoreTable has a row for every option and sheet, from 0 to 10, and the combined results.
func scoreTable(r Rubric) [][]string {
	criteria := lists.Map(r.Criteria, func(c debate.Criterion) string {
		return strings.ReplaceAll(OneLine(c.ID), "_", " ") + " (" + Percent(c.WeightBP) + ")"
	})
	head := slices.Concat([]string{"Option", "By"}, criteria, []string{"In all"})
	table := [][]string{head}
	for _, c := range r.Combined {
		for _, s := range lists.Keep(r.Sheets, func(s Sheet) bool { return s.Valid }) {
			table = append(table, slices.Concat([]string{c.Option, s.Party}, s.row(c.Option, r.Criteria), []string{""}))
		}
		row := make([]string, len(head))
		row[0], row[1], row[len(row)-1] = c.Option, "all", "0%"
		if c.Max > 0 {
			row[len(row)-1] = Percent(c.Sum * 10_000 / c.Max) // rounded down
		}
		table = append(table, row)
	}
	return table
}

// judgeLines has the result of the judges, the last vote of each, and the changed and the invalid
// votes.
func judgeLines(d Decision) []string {
	p := *d.Panel
	votes := lists.Map(p.Distribution, func(t Tally) string { return fmt.Sprintf("%s %d", OneLine(cmp.Or(t.Option, "nothing")), t.Votes) })
	missing := lists.Map(p.Missing, func(s debate.Stance) string { return string(s) })
	out := []string{Question(d) + " Judges: " + strings.ToLower(OneLine(string(p.Type))) + cmp.Or(Wrapped(" for ", OneLine(p.Option), ""), ", they recommend nothing") +
		Wrapped(" (", Capped(votes, ", "), ")") + Wrapped("; no vote of the judge for ", enumerated(missing), "")}
	for _, v := range p.Perspectives {
		out = append(out, "The judge for "+OneLine(string(v.Judge))+": "+Label(d, v.Option)+", "+inQuotes(v.Reason))
	}
	for _, c := range p.Changes {
		out = append(out, fmt.Sprintf("The judge for %s changed in round %d from %s to %s: %s", OneLine(string(c.Judge)), c.Round, Label(d, c.From), Label(d, c.To), inQuotes(c.Reason)))
	}
	for _, r := range p.Rounds {
		for _, v := range r.Votes {
			if v.Note != "" {
				out = append(out, fmt.Sprintf("The vote of the judge for %s in round %d does not count: %s", OneLine(string(v.Judge)), r.Round, OneLine(v.Note)))
			}
		}
	}
	return out
}
