package report

import (
	"slices"
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

// findingText is all details of a finding, without its title.
func findingText(f Finding) string {
	var b strings.Builder
	if f.Body != "" {
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

// quotation is a text with the mark of a quotation before each line.
func quotation(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lists.Map(lines, func(line string) string { return strings.TrimRight("> "+line, " ") + "\n" }), "")
}

// fold hides text behind a title; the title must be a fixed text.
func fold(title, text string) string {
	return "<details><summary>" + title + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>\n"
}

// sectionMarkdown is a section without its title.
func sectionMarkdown(part Section) string {
	return items(lists.Map(UpTo(MaxListed, slices.Concat(part.Lines, lists.Map(part.Said, Side.line))), entryMarkdown))
}

// entryMarkdown is an entry made of several fields, on one line.
func entryMarkdown(s string) string {
	return comment.MarkdownLine(ClipLine(s, MaxEntry))
}

// cell is a field of a table. A bar splits even a code span there.
func cell(s string) string {
	return inline(strings.ReplaceAll(OneLine(s), "|", "<U+007C>"))
}

// items is a list in Markdown.
func items(entries []string) string {
	return Wrapped("- ", strings.Join(entries, "\n- "), "\n")
}
