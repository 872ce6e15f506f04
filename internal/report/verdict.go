package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// facts about a decision that are never folded away: how it ended, what the
// judges and the scores say, and who dissents.
func verdict(d Decision) []string {
	var out []string
	if d.Panel != nil {
		out = append(out, "Judges: "+panelLine(*d.Panel))
		if d.Panel.UserPrompt != "" {
			for _, line := range strings.Split(strings.TrimSpace(d.Panel.UserPrompt), "\n") {
				out = append(out, "To choose: "+oneLine(line))
			}
		}
	}
	if d.Rubric != nil {
		out = append(out, "Scores: "+rubricLine(*d.Rubric))
	}
	out = append(out, dissent(d)...)
	if d.Why != "" {
		out = append(out, "Why: "+oneLine(d.Why))
	}
	for _, q := range d.Grouped {
		out = append(out, "Also asks: "+oneLine(q))
	}
	if d.Human != nil {
		out = append(out, humanLines(*d.Human)...)
	}
	return out
}

// dissent is who holds another answer than the one that is recommended. It is
// always printed (X16).
func dissent(d Decision) []string {
	var out []string
	if d.Panel != nil {
		for _, v := range d.Panel.dissent() {
			option := oneLine(v.Option)
			if option == "" {
				option = "nothing"
			}
			out = append(out, "Dissent: judge "+oneLine(string(v.Judge))+" holds "+option+": "+oneLine(v.Reason))
		}
	}
	for _, o := range d.FinalOptions {
		if o.Option != "" && o.Option != string(debate.Continue) && o.Option != d.Recommendation {
			out = append(out, "Dissent: "+oneLine(o.Party)+" holds "+oneLine(o.Option))
		}
	}
	return out
}

func panelLine(p Panel) string {
	text := strings.ToLower(oneLine(string(p.Type)))
	switch {
	case p.Option != "":
		text += " for " + oneLine(p.Option)
	default:
		text += ", they recommend nothing"
	}
	var votes []string
	for _, t := range p.Distribution {
		option := t.Option
		if option == "" {
			option = "nothing"
		}
		votes = append(votes, fmt.Sprintf("%s %d", oneLine(option), t.Votes))
	}
	if len(votes) > 0 {
		text += " (" + capped(votes, ", ") + ")"
	}
	if len(p.Missing) > 0 {
		var missing []string
		for _, stance := range p.Missing {
			missing = append(missing, string(stance))
		}
		text += "; missing: " + capped(missing, ", ")
	}
	return text
}

func rubricLine(r Rubric) string {
	text := ""
	if r.Winner == "" {
		text = "no winner"
		if r.Why != "" {
			text += ", " + oneLine(r.Why)
		}
	} else {
		text = oneLine(r.Winner) + " wins"
	}
	for _, c := range r.Combined[:min(len(r.Combined), maxListed)] {
		text += "; " + oneLine(c.Option) + " " + share(c)
	}
	if r.Tie {
		text += "; a tie"
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

func humanLines(h Human) []string {
	var out []string
	if h.By != "" {
		text := oneLine(h.By) + " decided " + oneLine(h.Option)
		if h.Reason != "" {
			text += ": " + oneLine(h.Reason)
		}
		out = append(out, text)
		text = "Decided"
		if h.Self {
			text += " by the author, as this repository allows"
		}
		if h.AskedAt > 0 && h.At >= h.AskedAt {
			text += ", " + count(int((h.At-h.AskedAt)/60_000), "minute") + " after it was asked"
		}
		if h.Head != "" {
			text += ", for head " + commitID.ReplaceAllString(oneLine(h.Head), "$1")
		}
		if text != "Decided" {
			out = append(out, text)
		}
	}
	if h.Status == debate.ItemSuperseded || h.Status == debate.ItemWithdrawn {
		out = append(out, "The item is "+string(h.Status))
	}
	for _, r := range h.Refused[:min(len(h.Refused), maxListed)] {
		out = append(out, "Did not count: "+oneLine(r))
	}
	return out
}

// status is how a decision ended, with its criticality class (R046).
func status(d Decision) string {
	text := strings.ReplaceAll(oneLine(string(d.Outcome)), "_", " ")
	if d.Recommendation != "" && d.Recommendation != string(debate.Continue) {
		text += ", recommended: " + oneLine(d.Recommendation)
	}
	if d.Critical {
		return text + ", critical"
	}
	return text + ", not critical"
}

func judgeLines(d Decision) []string {
	var out []string
	for _, v := range d.Panel.Perspectives {
		out = append(out, oneLine(d.ID)+", "+oneLine(string(v.Judge))+" for "+disposition(oneLine(v.Option))+": "+oneLine(v.Reason))
	}
	for _, c := range d.Panel.Changes {
		out = append(out, fmt.Sprintf("%s, round %d: %s changed from %s to %s: %s", oneLine(d.ID), c.Round, oneLine(string(c.Judge)), oneLine(c.From), oneLine(c.To), oneLine(c.Reason)))
	}
	for _, r := range d.Panel.Rounds {
		for _, v := range r.Votes {
			if v.Note != "" {
				out = append(out, fmt.Sprintf("%s, round %d: vote of %s: %s", oneLine(d.ID), r.Round, oneLine(string(v.Judge)), oneLine(v.Note)))
			}
		}
	}
	return out
}

func scoreLines(d Decision) []string {
	out := []string{oneLine(d.ID) + ": " + oneLine(d.Question)}
	for _, s := range d.Rubric.Sheets {
		switch {
		case !s.Valid:
			out = append(out, oneLine(s.Party)+": the sheet does not count: "+oneLine(s.Why))
		case s.Rationale != "":
			out = append(out, oneLine(s.Party)+": "+oneLine(s.Rationale))
		}
	}
	return out
}

// scoreTable has a row for every option and sheet, and the combined results.
func scoreTable(r Rubric) [][]string {
	head := []string{"Option", "By"}
	for _, c := range r.Criteria {
		head = append(head, oneLine(c.ID)+" ("+percent(c.WeightBP)+")")
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
