package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// fold hides text behind a title, which must be a fixed one.
func fold(title, text string) string {
	return "\n<details><summary>" + title + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>\n"
}

// folds are the lists that are there for completeness.
func folds(e Envelope) []string {
	var out []string
	add := func(title string, n int, entry func(i int) string) {
		if n == 0 {
			return
		}
		var b strings.Builder
		for i := range n {
			if i == MaxListed {
				fmt.Fprintf(&b, "- and %d more\n", n-MaxListed)
				break
			}
			b.WriteString("- " + entry(i) + "\n")
		}
		out = append(out, strings.TrimPrefix(fold(fmt.Sprintf("%s (%d)", title, n), b.String()), "\n"))
	}
	line := inline
	add("Notices", len(e.Notices), func(i int) string {
		n := e.Notices[i]
		return strings.TrimSpace(comment.Code(Spot(n.Path, n.Line)) + " " + line(n.Text))
	})
	lone := LoneLines(e)
	add(LoneTitle, len(lone), func(i int) string { return entryMarkdown(lone[i]) })
	add("The proposal does not say", len(e.Missing), func(i int) string { return line(e.Missing[i]) })
	triggers := Shown(e)
	add("What the policy noticed", len(triggers), func(i int) string {
		t := triggers[i]
		return strings.Join(strings.Fields(comment.Code(OneLine(string(t.ID)))+" "+comment.Code(Spot(t.Path, t.Line))+" "), " ") + " " + line(t.Detail)
	})
	add("Not read at all", len(e.Stats.NotReviewed), func(i int) string { return comment.Code(OneLine(e.Stats.NotReviewed[i])) })
	add("Not reviewed in full", len(e.Stats.Unreviewed), func(i int) string { return comment.Code(OneLine(e.Stats.Unreviewed[i])) })
	for _, part := range []struct {
		title string
		list  []Finding
	}{{"Not debated", e.NotEvaluated}, {"Withdrawn or refuted", e.Dismissed}, {"Known", e.Known}} {
		entries := ListedAll(part.list)
		add(part.title, len(entries), func(i int) string { return entryMarkdown(entries[i]) })
	}
	return out
}

// detailsMarkdown is one folded section on how the debate went.
func detailsMarkdown(part Section) string {
	text := bullets(part.Lines)
	if len(part.Table) > 0 {
		text += tableMarkdown(part.Table)
	}
	return strings.TrimPrefix(fold(part.Title, text), "\n")
}

// entryMarkdown is an entry that is made of several fields, on one line.
func entryMarkdown(s string) string {
	return comment.MarkdownLine(ClipLine(s, MaxEntry))
}

// bullets is a list of at most maxListed entries, and an empty line.
func bullets(entries []string) string {
	var b strings.Builder
	for i, entry := range entries {
		if i == MaxListed {
			fmt.Fprintf(&b, "- and %d more\n", len(entries)-MaxListed)
			break
		}
		b.WriteString("- " + entryMarkdown(entry) + "\n")
	}
	if len(entries) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
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

// cell is a field in a table, where a bar splits even a code span.
func cell(s string) string {
	return inline(strings.ReplaceAll(OneLine(s), "|", "<U+007C>"))
}
