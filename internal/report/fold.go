package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// fold hides text behind a title; the title must be a fixed text.
func fold(title, text string) string {
	return "<details><summary>" + title + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>\n"
}

// folds has the lists for completeness.
func folds(e Envelope) []string {
	var out []string
	add := func(title string, entries []string) {
		if n := len(entries); n > 0 {
			out = append(out, fold(fmt.Sprintf("%s (%d)", title, n), items(upTo(MaxListed, entries))))
		}
	}
	add("Notices", lists.Map(e.Notices, func(n debate.Notice) string {
		return strings.TrimSpace(comment.Code(Spot(n.Path, n.Line)) + " " + inline(n.Text))
	}))
	add(LoneTitle, lists.Map(LoneLines(e), entryMarkdown))
	add("The proposal does not say", lists.Map(e.Missing, inline))
	add("What the policy noticed", lists.Map(Shown(e), func(t Trigger) string {
		return strings.Join(strings.Fields(comment.Code(OneLine(string(t.ID)))+" "+comment.Code(Spot(t.Path, t.Line))+" "), " ") + " " + inline(t.Detail)
	}))
	code := func(text string) string { return comment.Code(OneLine(text)) }
	add("Not read at all", lists.Map(e.Stats.NotReviewed, code))
	add("Not reviewed in full", lists.Map(e.Stats.Unreviewed, code))
	add("Not debated", lists.Map(ListedAll(e.NotEvaluated), entryMarkdown))
	if len(e.Unproved) > 0 {
		out = append(out, fold(UnprovedTitle(e), bullets(ListedAll(e.Unproved))))
	}
	for _, part := range Dropped(e) {
		if part.Title != byPerson { // shown outside the folds
			add(part.Title, lists.Map(part.Lines, entryMarkdown))
		}
	}
	add("Known", lists.Map(ListedAll(e.Known), entryMarkdown))
	return out
}

// UnprovedTitle is the title of the findings without proof.
func UnprovedTitle(e Envelope) string {
	if len(e.Unproved) == 1 {
		return "1 claim without proof is left out"
	}
	return fmt.Sprintf("%d claims without proof are left out", len(e.Unproved))
}

// byPerson is the title of the findings dismissed by people.
const byPerson = "Dismissed by a person"

// Dropped groups the dismissed findings by reason.
func Dropped(e Envelope) []Section {
	parts := []Section{{Title: "Withdrawn or refuted"}, {Title: "Fixed"}, {Title: "Not about this change"}, {Title: byPerson}}
	for _, f := range e.Dismissed {
		at := map[debate.Reason]int{debate.ReasonFixed: 1, debate.ReasonOutOfScope: 2, debate.ReasonHuman: 3}[debate.Reason(f.BucketReason)]
		parts[at].Lines = append(parts[at].Lines, listed(f))
	}
	return lists.Keep(parts, func(p Section) bool { return len(p.Lines) > 0 })
}

// detailsMarkdown is one folded section on how the debate went.
func detailsMarkdown(part Section) string {
	text := bullets(part.Lines)
	if len(part.Table) > 0 {
		text += tableMarkdown(part.Table)
	}
	return fold(part.Title, text)
}

// entryMarkdown is an entry made of several fields, on one line.
func entryMarkdown(s string) string {
	return comment.MarkdownLine(ClipLine(s, MaxEntry))
}

// bullets is a list of at most maxListed entries, and an empty line.
func bullets(entries []string) string {
	return Wrapped("", items(lists.Map(upTo(MaxListed, entries), entryMarkdown)), "\n")
}

// tableMarkdown is a table of at most maxRows rows.
func tableMarkdown(table [][]string) string {
	var b strings.Builder
	row := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + cell(c) + " ")
		}
		b.WriteString("|\n")
	}
	row(table[0])
	b.WriteString(strings.Repeat("|---", len(table[0])) + "|\n")
	rows := table[1:]
	for _, cells := range rows[:min(len(rows), maxRows)] {
		row(cells)
	}
	if len(rows) > maxRows {
		fmt.Fprintf(&b, "\nand %d more\n", len(rows)-maxRows)
	}
	return b.String()
}

// cell is a field of a table. A bar splits even a code span there.
func cell(s string) string {
	return inline(strings.ReplaceAll(OneLine(s), "|", "<U+007C>"))
}
