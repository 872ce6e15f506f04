package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lists"
)

// maxThread bounds, in bytes, the body of an inline comment.
const maxThread = 16_000

// Inline renders the body of the inline comment of one finding; nil if the envelope has no such
// finding. The suggestion is a fold of text, unless p.Blocks has the finding: then the caller
// adds it as a block that applies. The caller adds the hidden marker.
func Inline(e Envelope, id string, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return nil
	}
	b := &blocks{room: maxThread - Reserved}
	title := "**" + inline(string(f.Severity)) + " · " + strings.TrimSpace(inline(f.Title)) + "**"
	b.add(title + Wrapped(" · ", inline(f.ID), "") + "\n")
	b.add(Wrapped("", comment.Markdown(comment.Clip(f.Body, MaxBody)), "\n"))
	also := f.Also()
	places := lists.Map(also[:min(len(also), MaxSides)], func(place Cited) string { return comment.Code(place.At()) })
	b.add(Wrapped("See also ", strings.Join(places, ", "), ".\n"))
	if f.Suggestion != "" && !p.Blocks[f.ID] {
		b.add(fold("Suggested change (not tested)", comment.Fence("", Bounded(f.Suggestion))))
	}
	for _, proof := range Proofs(f) {
		b.add(proofMarkdown(proof))
	}
	foot := support(f)
	if f.ID != "" {
		foot += " · Wrong? Reply " + comment.Code("/debate dispute WHY") + "."
	}
	b.add(comment.Foot + "\n<sub>" + foot + "</sub>\n")
	return []byte(b.out.String())
}

// GoneNote renders the body of an inline comment for a gone finding: its title struck out, and
// the reason. GitHub keeps the former text in the history of the comment. The caller adds the
// hidden marker.
func GoneNote(g GoneFinding) []byte {
	why := cmp.Or(g.Why, "the latest review no longer says it")
	return []byte("~~" + strings.TrimSpace(inline(g.ID)+" "+inline(g.Title)) + "~~ No longer there: " + inline(why) + ".\n")
}
