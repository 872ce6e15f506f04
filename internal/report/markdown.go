package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// MaxMarkdown bounds the Markdown report, in bytes: GitHub refuses a comment of
// more than 65,536 characters, and markers and links come on top.
const MaxMarkdown = 60_000

// Markdown renders the envelope for a comment or a step summary: the outcome,
// what must be decided, the findings and who dissents in the open, everything
// else folded. All text from outside is plain text in it: no mention, link,
// image, HTML or command. A report that would be longer than
// MaxMarkdown ends with a note that says how many parts were left out, of the
// history first; the outcome, what a human decides and the counts are never
// among them.
func Markdown(e Envelope) []byte {
	return markdown(Worded(e), MaxMarkdown)
}

// markdown is the report in at most so many bytes.
func markdown(e Envelope, most int) []byte {
	foot := closingMarkdown(e)
	b := &blocks{room: most - len(foot) - Reserved}
	b.add("### debate: " + inline(Headline(e)) + "\n")
	b.add(comment.MarkdownLine(ClipLine(Outcome(e), MaxBody)) + "\n")
	if text := Advice(e); text != "" {
		b.add("**" + inline(text) + "**\n")
	}
	decisions := decisionsMarkdown(Awaiting(e))
	b.room -= len(decisions) + 1 // kept free, whatever the answer and the notes say
	b.add(answeredMarkdown(e))
	b.add(scopeMarkdown(e))
	b.room += len(decisions) + 1
	b.add(decisions)
	for _, proposal := range []bool{false, true} {
		b.group("#### "+RouteTitle(e, proposal)+"\n", OfRoute(Agreed(e), proposal))
	}
	if text := NothingFound(e); text != "" && len(Agreed(e)) == 0 {
		b.add(text + "\n")
	}
	b.group("#### Unresolved\n", e.Unresolved[:min(len(e.Unresolved), MaxListed)])
	if n := len(e.Unresolved) - MaxListed; n > 0 {
		b.add(fmt.Sprintf("and %d more unresolved\n", n))
	}
	for i, d := range Closed(e) {
		block := closedMarkdown(d)
		if i == 0 {
			block = "#### Decisions\n\n" + block
		}
		b.add(block)
	}
	for _, f := range folds(e) {
		b.add(f)
	}
	for _, part := range Details(e) {
		b.add(detailsMarkdown(part))
	}
	if b.left > 0 {
		b.out.WriteString(fmt.Sprintf("\n_The report is too long for a comment: %s left out. The record holds everything._\n", Count(b.left, "part")))
	}
	return []byte(b.out.String() + foot)
}

// inline is a field from outside on one line of Markdown, bounded. It is clipped
// when what cannot be seen has become visible, which is longer.
func inline(s string) string { return comment.MarkdownLine(OneLine(s)) }

// Reserved is room for the note that something was left out.
const Reserved = 300

// blocks is Markdown that grows block by block while there is room.
type blocks struct {
	out  strings.Builder
	room int
	left int // blocks that found no room
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

// group adds findings under a title, if there are any.
func (b *blocks) group(title string, findings []Finding) {
	for i, f := range findings {
		block := findingMarkdown(f)
		if i == 0 {
			block = title + "\n" + block
		}
		b.add(block)
	}
}

func scopeMarkdown(e Envelope) string {
	var b strings.Builder
	b.WriteString("Scope: " + comment.Code(Scope(e)) + "\n")
	for _, note := range e.Notes[:min(len(e.Notes), MaxListed)] {
		b.WriteString("\n> " + inline(note) + "\n")
	}
	if e.Question != nil && *e.Question != "" {
		b.WriteString("\n**Question:** " + inline(*e.Question) + "\n")
	}
	return b.String()
}

func findingMarkdown(f Finding) string {
	var b strings.Builder
	b.WriteString("**" + comment.MarkdownLine(string(f.Severity)) + "** " + comment.Code(Place(f)))
	b.WriteString(" " + inline(f.Title))
	if f.Rule != "" {
		b.WriteString(" (" + comment.Code(OneLine(f.Rule)) + ")")
	}
	b.WriteByte('\n')
	b.WriteString(findingBody(f))
	return b.String()
}

// findingBody is what stands below the line that names a finding.
func findingBody(f Finding) string {
	var b strings.Builder
	if f.Bucket != debate.Agreed && BecauseOf(f) != "" {
		b.WriteString("\nOpen: " + inline(BecauseOf(f)) + "\n")
	}
	if f.Crux != "" {
		b.WriteString("\nTo settle it: " + inline(f.Crux) + "\n")
	}
	var inner strings.Builder
	if f.Body != "" {
		inner.WriteString(comment.Markdown(comment.Clip(f.Body, MaxBody)) + "\n\n")
	}
	if q := Quote(f); q != "" {
		inner.WriteString(comment.Fence("", q) + "\n")
	}
	if f.Suggestion != "" {
		inner.WriteString("Suggested, machine-written and unverified:\n\n" + comment.Fence("", Bounded(f.Suggestion)) + "\n")
	}
	if text := Provenance(f); text != "" {
		inner.WriteString(inline(text) + "\n\n")
	}
	inner.WriteString(bullets(Attacks(f.Challenges)))
	if inner.Len() > 0 {
		b.WriteString(fold("why", inner.String()))
	}
	return b.String()
}

func closingMarkdown(e Envelope) string {
	var b strings.Builder
	if text := MissingParties(e); text != "" {
		b.WriteString("\n" + comment.MarkdownLine(comment.Clip(text, MaxBody)) + "\n")
	}
	if Reviewed(e) {
		b.WriteString("\nCoverage: " + Coverage(e) + "\n")
	}
	b.WriteString("\n" + Counts(e))
	if e.Record != "" {
		b.WriteString("; record " + comment.Code(OneLine(e.Record)))
	}
	b.WriteByte('\n')
	return b.String()
}
