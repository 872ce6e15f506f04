package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// facts about a decision that are never folded away: how it ended, what the
// judges and the scores say, and who dissents.
func Verdict(d Decision) []string {
	var out []string
	if d.Panel != nil {
		out = append(out, "Judges: "+PanelLine(*d.Panel))
		if d.Panel.UserPrompt != "" {
			for _, line := range strings.Split(strings.TrimSpace(d.Panel.UserPrompt), "\n") {
				out = append(out, "To choose: "+OneLine(line))
			}
		}
	}
	if d.Rubric != nil {
		out = append(out, "Scores: "+RubricLine(*d.Rubric))
	}
	out = append(out, Dissent(d)...)
	if d.Why != "" {
		out = append(out, "Why: "+OneLine(d.Why))
	}
	for _, q := range d.Grouped {
		out = append(out, "Also asks: "+OneLine(q))
	}
	if d.Human != nil {
		out = append(out, HumanLines(*d.Human)...)
	}
	return out
}

// Dissent is who holds another answer than the one that is recommended. It is
// always printed (X16).
func Dissent(d Decision) []string {
	var out []string
	if d.Panel != nil {
		for _, v := range d.Panel.dissent() {
			option := OneLine(v.Option)
			if option == "" {
				option = "nothing"
			}
			out = append(out, "Dissent: judge "+OneLine(string(v.Judge))+" holds "+option+": "+OneLine(v.Reason))
		}
	}
	for _, o := range d.FinalOptions {
		if o.Option != "" && o.Option != string(debate.Continue) && o.Option != d.Recommendation {
			out = append(out, "Dissent: "+OneLine(o.Party)+" holds "+OneLine(o.Option))
		}
	}
	return out
}

// PanelLine is what the judges came to.
func PanelLine(p Panel) string {
	text := strings.ToLower(OneLine(string(p.Type)))
	switch {
	case p.Option != "":
		text += " for " + OneLine(p.Option)
	default:
		text += ", they recommend nothing"
	}
	var votes []string
	for _, t := range p.Distribution {
		option := t.Option
		if option == "" {
			option = "nothing"
		}
		votes = append(votes, fmt.Sprintf("%s %d", OneLine(option), t.Votes))
	}
	if len(votes) > 0 {
		text += " (" + Capped(votes, ", ") + ")"
	}
	if len(p.Missing) > 0 {
		var missing []string
		for _, stance := range p.Missing {
			missing = append(missing, string(stance))
		}
		text += "; missing: " + Capped(missing, ", ")
	}
	return text
}

// RubricLine is what the scores came to.
func RubricLine(r Rubric) string {
	text := "no winner"
	switch {
	case r.Winner != "":
		text = OneLine(r.Winner) + " wins"
	case len(r.Tied) > 0:
		text = "a tie of " + Capped(r.Tied, " and ")
	case r.Why != "":
		text += ", " + OneLine(r.Why)
	}
	for _, c := range r.Combined[:min(len(r.Combined), MaxListed)] {
		text += "; " + OneLine(c.Option) + " " + share(c)
	}
	if r.Diverging {
		text += "; the parties diverge by more than one rank"
	}
	return text
}

// share is a combined result as a percentage of the most that it could have
// been, rounded down to two decimals.
func share(c Combined) string {
	if c.Max <= 0 {
		return "0%"
	}
	return percent(c.Sum * 10_000 / c.Max)
}

// HumanLines are what a person was asked and answered.
func HumanLines(h Human) []string {
	var out []string
	if h.By != "" {
		text := OneLine(h.By) + " decided " + OneLine(h.Option)
		if h.Reason != "" {
			text += ": " + OneLine(h.Reason)
		}
		out = append(out, text)
		text = "Decided"
		if h.Local {
			text += " on the command line, which counts in this record alone"
		}
		if h.Self {
			text += " by the author, as this repository allows"
		}
		if h.AskedAt > 0 && h.At >= h.AskedAt {
			text += ", " + Count(int((h.At-h.AskedAt)/60_000), "minute") + " after it was asked"
		}
		if h.Head != "" {
			text += ", for head " + commitID().ReplaceAllString(OneLine(h.Head), "$1")
		}
		if text != "Decided" {
			out = append(out, text)
		}
	}
	if h.Status == debate.ItemSuperseded || h.Status == debate.ItemWithdrawn {
		out = append(out, "The item is "+string(h.Status))
	}
	for _, r := range h.Refused[:min(len(h.Refused), MaxListed)] {
		out = append(out, "Did not count: "+OneLine(r))
	}
	return out
}

// HowItEnded is how a decision ended, with its criticality class (R046).
func HowItEnded(d Decision) string {
	text := strings.ReplaceAll(OneLine(string(d.Outcome)), "_", " ")
	if d.Recommendation != "" && d.Recommendation != string(debate.Continue) {
		text += ", recommended: " + OneLine(d.Recommendation)
	}
	if d.Critical {
		return text + ", critical"
	}
	return text + ", not critical"
}

func judgeLines(d Decision) []string {
	var out []string
	for _, v := range d.Panel.Perspectives {
		out = append(out, OneLine(d.ID)+", "+OneLine(string(v.Judge))+" for "+Disposition(OneLine(v.Option))+": "+OneLine(v.Reason))
	}
	for _, c := range d.Panel.Changes {
		out = append(out, fmt.Sprintf("%s, round %d: %s changed from %s to %s: %s", OneLine(d.ID), c.Round, OneLine(string(c.Judge)), OneLine(c.From), OneLine(c.To), OneLine(c.Reason)))
	}
	for _, r := range d.Panel.Rounds {
		for _, v := range r.Votes {
			if v.Note != "" {
				out = append(out, fmt.Sprintf("%s, round %d: vote of %s: %s", OneLine(d.ID), r.Round, OneLine(string(v.Judge)), OneLine(v.Note)))
			}
		}
	}
	return out
}

func scoreLines(d Decision) []string {
	out := []string{OneLine(d.ID) + ": " + OneLine(d.Question)}
	for _, s := range d.Rubric.Sheets {
		switch {
		case !s.Valid:
			out = append(out, OneLine(s.Party)+": the sheet does not count: "+OneLine(s.Why))
		case s.Rationale != "":
			out = append(out, OneLine(s.Party)+": "+OneLine(s.Rationale))
		}
	}
	return out
}

// scoreTable has a row for every option and sheet, and the combined results.
func scoreTable(r Rubric) [][]string {
	head := []string{"Option", "By"}
	for _, c := range r.Criteria {
		head = append(head, OneLine(c.ID)+" ("+percent(c.WeightBP)+")")
	}
	head = append(head, "Combined")
	table := [][]string{head}
	for _, c := range r.Combined {
		for _, s := range r.validSheets() {
			row := []string{c.Option, s.Party}
			for _, criterion := range r.Criteria {
				cell := "none"
				if score, ok := s.of(c.Option, criterion.ID); ok {
					cell = fmt.Sprint(score)
				}
				row = append(row, cell)
			}
			table = append(table, append(row, ""))
		}
		row := make([]string, len(head))
		row[0], row[1], row[len(row)-1] = c.Option, "all sheets", fmt.Sprintf("%d of %d: %s", c.Sum, c.Max, share(c))
		table = append(table, row)
	}
	return table
}
