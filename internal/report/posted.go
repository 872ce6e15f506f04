package report

import (
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// Posted renders a review that p.By posts from the command line: the poster, and the report as a
// quotation. The words of models appear there under the name of a person, and programs that obey
// a comment of this person skip quotations. It takes at most MaxMarkdown bytes with the hidden
// marker of the caller.
func Posted(e Envelope, p Pull) []byte {
	e.Record = "" // only the poster has it
	p.Room = MaxMarkdown
	head := "Posted by " + comment.MarkdownLine(OneLine(p.By)) + " from the command line. It is no check and blocks nothing.\n\n"
	for {
		body := head + quotation(string(p.page(e, "", "", false)))
		over := len(body) - (MaxMarkdown - Reserved)
		if over <= 0 || p.Room <= over {
			return []byte(body)
		}
		p.Room -= over // its lines grow by the mark of the quotation
	}
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
