package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lists"
)

// MaxMarkdown bounds the Markdown report, in bytes: GitHub refuses a comment of
// more than 65,536 characters, and markers and links come on top.
const MaxMarkdown = 60_000

// inline is a field from outside on one line of Markdown, bounded. It is clipped after invisible
// characters were made visible, which makes it longer.
func inline(s string) string { return comment.MarkdownLine(OneLine(s)) }

// Reserved is room, in bytes, for the note about parts left out.
const Reserved = 300

// blocks is Markdown built block by block while there is room.
type blocks struct {
	out  strings.Builder
	room int
	left int // blocks without room
}

func (b *blocks) add(block string) {
	if block == "" {
		return
	}
	if b.out.Len()+len(block)+1 > b.room {
		b.left++
		return
	}
	if b.out.Len() > 0 {
		b.out.WriteByte('\n')
	}
	b.out.WriteString(block)
}

// addFolded adds a fold with as many entries as find room in it.
func (b *blocks) addFolded(title string, entries []string) {
	room := b.room - b.out.Len() - len(fold(title, "")) - 2
	n := 0
	for n < len(entries) && room >= len(entries[n])+1 {
		room -= len(entries[n]) + 1
		n++
	}
	b.left += len(entries) - n
	if n > 0 {
		b.add(fold(title, strings.Join(entries[:n], "\n")))
	}
}

// findingText is all details of a finding, without its title, and without its body if another
// line has it.
func findingText(f Finding, bodyToo bool) string {
	var b strings.Builder
	if f.Body != "" && bodyToo {
		b.WriteString(comment.Markdown(comment.Clip(f.Body, MaxBody)) + "\n\n")
	}
	switch q := Bounded(f.Quote); {
	case q == "":
	case f.Misquoted:
		b.WriteString(Unfound + ".\n\n")
	default:
		b.WriteString(comment.Fence("", q) + "\n")
	}
	if f.Suggestion != "" {
		b.WriteString("Suggested change (not tested):\n\n" + comment.Fence("", Bounded(f.Suggestion)) + "\n")
	}
	for _, p := range Proofs(f) {
		b.WriteString(proofMarkdown(p) + "\n")
	}
	return b.String()
}

// fitted renders decisions with ever shorter lists until they fit into so many
// bytes. If even the shortest do not, it says how many more there are.
func fitted(open []Decision, most int, render func(d Decision, listed int) string) string {
	var text string
	for _, listed := range []int{MaxListed, MaxSides, 2} {
		blocks := lists.Map(open, func(d Decision) string { return render(d, listed) })
		text = strings.Join(blocks, "\n")
		if len(text) <= most {
			return text
		}
		text = ""
		for i, block := range blocks {
			if len(text)+len(block) > most {
				text += fmt.Sprintf("\n**%s**\n", Count(len(blocks)-i, "more decision")+" for people.")
				break
			}
			text += block + "\n"
		}
	}
	return text
}

// quotation is a text with the mark of a quotation before each line.
func quotation(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if line != "" {
			line = " " + line
		}
		b.WriteString(">" + line + "\n")
	}
	return b.String()
}

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

// items is a list in Markdown.
func items(entries []string) string {
	var b strings.Builder
	for _, entry := range entries {
		b.WriteString("- " + entry + "\n")
	}
	return b.String()
}
