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

// Markdown renders the envelope for a comment or a step summary: what must be
// decided and the findings in the open, everything else folded. All text from
// outside is plain text in it: no mention, link, image, HTML or command
// (T10, T30-T36). A report that would be too long ends with a note that says
// how many blocks were left out; the decision, the outcome and the counts are
// never among them.
func Markdown(e Envelope) []byte {
	e = complete(e)
	foot := closingMarkdown(e)
	b := &blocks{room: MaxMarkdown - len(foot) - reserved}
	b.add("### debate: " + headline(e) + "\n")
	b.add(comment.MarkdownLine(comment.Clip(outcome(e), maxBody)) + "\n")
	var asked []string
	for _, d := range awaiting(e) {
		asked = append(asked, decisionMarkdown(d))
	}
	decisions := strings.Join(asked, "\n")
	b.room -= len(decisions) + 1 // kept free, whatever the notes say
	b.add(scopeMarkdown(e))
	b.room += len(decisions) + 1
	b.add(decisions)
	for _, proposal := range []bool{false, true} {
		b.group("#### "+routeTitle(proposal)+"\n", ofRoute(agreed(e), proposal))
	}
	if text := nothingFound(e); text != "" && len(agreed(e)) == 0 {
		b.add(text + "\n")
	}
	b.group("#### Unresolved\n", e.Unresolved)
	b.group("#### Not evaluated\n", e.NotEvaluated)
	for _, f := range folds(e) {
		b.add(f)
	}
	if b.left > 0 {
		b.out.WriteString(fmt.Sprintf("\n_The report is too long for a comment: %s left out. The record holds everything._\n", count(b.left, "part")))
	}
	return []byte(b.out.String() + foot)
}

// reserved is room for the note that something was left out.
const reserved = 300

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

func headline(e Envelope) string {
	switch e.Outcome {
	case debate.DegradedLocal:
		return "checked by the embedded critic alone, no debate"
	case debate.Skipped:
		return "skipped, not reviewed"
	case debate.Aborted:
		return "the review could not be done"
	}
	return comment.MarkdownLine(strings.ToLower(strings.ReplaceAll(string(e.Outcome), "_", " ")))
}

func scopeMarkdown(e Envelope) string {
	var b strings.Builder
	b.WriteString("Scope: " + comment.Code(scope(e)) + "\n")
	for _, note := range e.Notes[:min(len(e.Notes), maxListed)] {
		b.WriteString("\n> " + comment.MarkdownLine(comment.Clip(note, maxTitle)) + "\n")
	}
	if e.Question != nil && *e.Question != "" {
		b.WriteString("\n**Question:** " + comment.MarkdownLine(comment.Clip(*e.Question, maxTitle)) + "\n")
	}
	return b.String()
}

func decisionMarkdown(d Decision) string {
	field := func(s string) string { return comment.MarkdownLine(comment.Clip(s, maxTitle)) }
	var b strings.Builder
	b.WriteString("#### A human has to decide\n\n")
	b.WriteString("**" + field(d.ID) + "** " + field(d.Question) + "\n\n")
	for i, t := range d.Triggers {
		if i == maxListed {
			fmt.Fprintf(&b, "- and %d more\n", len(d.Triggers)-maxListed)
			break
		}
		b.WriteString("- because " + comment.Code(oneLine(string(t.ID))) + " " + comment.Code(oneLine(t.Detail)) + "\n")
	}
	b.WriteString("\nOptions:\n\n")
	for _, o := range d.Options {
		b.WriteString("- " + field(option(o)) + "\n")
	}
	if d.Recommendation != "" {
		b.WriteString("\nRecommended: " + field(recommendation(d)) + "\n")
	}
	return b.String()
}

func findingMarkdown(f Finding) string {
	var b strings.Builder
	b.WriteString("**" + comment.MarkdownLine(string(f.Severity)) + "** " + comment.Code(place(f)))
	b.WriteString(" " + comment.MarkdownLine(comment.Clip(f.Title, maxTitle)))
	if f.Rule != "" {
		b.WriteString(" (" + comment.Code(oneLine(f.Rule)) + ")")
	}
	b.WriteByte('\n')
	var inner strings.Builder
	if f.Body != "" {
		inner.WriteString(comment.Markdown(comment.Clip(f.Body, maxBody)) + "\n\n")
	}
	if q := quote(f); q != "" {
		inner.WriteString(comment.Fence("", q) + "\n")
	}
	if f.Suggestion != "" {
		inner.WriteString("Suggested, machine-written and unverified:\n\n" + comment.Fence("", bounded(f.Suggestion)) + "\n")
	}
	if f.BucketReason != "" {
		inner.WriteString("Why it is open: " + comment.MarkdownLine(comment.Clip(f.BucketReason, maxTitle)) + "\n\n")
	}
	if inner.Len() > 0 {
		b.WriteString(fold("why", inner.String()))
	}
	return b.String()
}

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
			if i == maxListed {
				fmt.Fprintf(&b, "- and %d more\n", n-maxListed)
				break
			}
			b.WriteString("- " + entry(i) + "\n")
		}
		out = append(out, strings.TrimPrefix(fold(fmt.Sprintf("%s (%d)", title, n), b.String()), "\n"))
	}
	line := func(s string) string { return comment.MarkdownLine(comment.Clip(s, maxTitle)) }
	add("Notices", len(e.Notices), func(i int) string {
		n := e.Notices[i]
		return strings.TrimSpace(comment.Code(spot(n.Path, n.Line)) + " " + line(n.Text))
	})
	add("Missing from the proposal", len(e.Missing), func(i int) string { return line(e.Missing[i]) })
	triggers := shown(e)
	add("Policy triggers, shown only", len(triggers), func(i int) string {
		t := triggers[i]
		return strings.Join(strings.Fields(comment.Code(oneLine(string(t.ID)))+" "+comment.Code(spot(t.Path, t.Line))+" "), " ") + " " + line(t.Detail)
	})
	add("Not read", len(e.Stats.NotReviewed), func(i int) string { return comment.Code(oneLine(e.Stats.NotReviewed[i])) })
	add("Dismissed", len(e.Dismissed), func(i int) string {
		f := e.Dismissed[i]
		return comment.Code(place(f)) + " " + line(f.Title) + ": " + line(f.BucketReason)
	})
	return out
}

func closingMarkdown(e Envelope) string {
	var b strings.Builder
	if text := missingParties(e); text != "" {
		b.WriteString("\n" + comment.MarkdownLine(comment.Clip(text, maxBody)) + "\n")
	}
	if e.Outcome != debate.Skipped && e.Outcome != debate.Aborted {
		b.WriteString("\n" + coverage(e) + "\n")
	}
	b.WriteString("\n" + counts(e))
	if e.Record != "" {
		b.WriteString("; record " + comment.Code(oneLine(e.Record)))
	}
	b.WriteByte('\n')
	return b.String()
}
