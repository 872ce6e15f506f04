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

// Markdown renders the envelope of a run on the command line: the page of a summary comment, with
// all details of the debate in folds. Text from outside is plain text in it: no mention, link,
// image, HTML or command. It takes at most MaxMarkdown bytes, leaves out the history first, and
// counts the parts left out.
func Markdown(e Envelope) []byte { return Pull{}.page(e, e.Conclusion, "", true) }

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
	switch q := Quote(f); {
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
