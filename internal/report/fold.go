package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lists"
)

// fold hides text behind a title; the title must be a fixed text.
func fold(title, text string) string {
	return "<details><summary>" + title + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>\n"
}

// sectionMarkdown is a section without its title.
func sectionMarkdown(part Section) string {
	text := bullets(part.Lines)
	if len(part.Table) > 0 {
		text += tableMarkdown(part.Table)
	}
	return text
}

// folded hides a section behind its title.
func folded(part Section) string { return fold(part.Title, sectionMarkdown(part)) }

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
