package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// maxReply bounds, in bytes, an answer to a command.
const maxReply = 30_000

// Explain renders the answer to /debate explain: the statements about one finding by its F id and
// its result, without another call. It takes at most maxReply bytes.
func Explain(e Envelope, id string, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return []byte("There is no finding " + comment.Code(OneLine(id)) + " here." + Wrapped(" The findings are ", inline(Capped(e.FindingIDs(), ", ")), ".") + "\n")
	}
	b := &blocks{room: maxReply - Reserved}
	b.add("### " + strings.TrimSpace(p.headOf(f)) + "\n")
	text := inline("It is "+Standing(f)+Wrapped(": ", f.Why, "")) + "."
	if raised := cmp.Or(f.Asserted, f.Severity); raised != f.Severity {
		text += " It was raised as " + inline(string(raised)) + "."
	}
	b.add(text + Wrapped(" To settle it: ", comment.MarkdownLine(sentence(Crux(f))), "") + "\n")
	b.add(findingText(f))
	said := lists.Map(Thread(f), Side.line)
	if len(said) == 0 {
		said = []string{StandsBehind(f)}
	}
	b.list("**The debate**", said, maxConversation)
	about := lists.Keep(e.Decisions, func(d Decision) bool { return slices.Contains(d.Claims, f.ID) })
	b.list("**Questions about it**", lists.Map(about, func(d Decision) string { return withAnswer(e, d) }), MaxListed)
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_%s left out. The full report holds everything._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String())
}

// Disputed renders the answer to a dispute of a finding: its new state, and the statements since.
// Heard: the model that answers for the finding replied.
func Disputed(e Envelope, id string, heard bool, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return nil
	}
	text := inline(f.ID) + " is " + inline(Standing(f)) + Wrapped(" (", inline(string(f.Severity)), ")") + "."
	if !heard {
		text = inline(f.ID) + " stays as it was: the model that answers for it did not reply. Dispute it again later."
	}
	var since []Side
	for i, l := range f.Conversation {
		if l.Act == DidDispute {
			since = Thread(Finding{Conversation: f.Conversation[i+1:]})
		}
	}
	if e.Outcome == debate.DegradedLocal && len(since) == 0 {
		text = inline(f.ID) + " stays as it was: no model debated it" + Wrapped(" (", inline(because(e)), ")") + "."
	}
	for _, s := range since[max(0, len(since)-MaxSides):] {
		text += " " + entryMarkdown(s.line()) + "."
	}
	if f.Bucket != debate.Dismissed {
		text += " Not convinced? " + p.mayDecide() + " can comment " + comment.Code("/debate dismiss "+OneLine(f.ID)+" WHY") + "."
	}
	return []byte(text + "\n")
}

// Status renders the answer to /debate status in a few lines. An envelope without an outcome
// means that nothing was published yet.
func Status(e Envelope, p Pull, conclusion debate.Conclusion, why string) []byte {
	text := "No review has been published here yet.\n"
	if e.Outcome != "" {
		text = p.heading(e, conclusion, why) + Wrapped("\nCommit ", p.short(p.Head), "\n")
	}
	text += Wrapped("\n", strings.TrimSpace(p.notes(e)), "\n")
	for _, d := range Awaiting(e) {
		one, answers := p.waiting(e, d)
		text += "\n" + one + answers
	}
	return []byte(comment.ClipBody(text, maxReply))
}

// Help renders the answer to /debate help.
func Help() []byte {
	var b strings.Builder
	b.WriteString("| Command | Effect | Allowed for | Counts |\n|---|---|---|---|\n")
	for _, s := range comment.Commands() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", comment.Code(s.Forms()[0]), s.Effect, s.Allowed(), s.Holds)
	}
	b.WriteString("\nStart a line of a new comment with the command; one comment may have several. Edited comments do not count.\n")
	return []byte(b.String())
}

// CommandAnswer is the answer to one of several commands of a comment.
type CommandAnswer struct {
	Nth     int    // of the commands, from 1
	Command string // as it was given, "" if it was none
	Text    string // Markdown; "": it was carried out, and there is no more to say
}

// Answers renders the answers to several commands of one comment.
func Answers(list []CommandAnswer) []byte {
	all := lists.Map(list, func(a CommandAnswer) string {
		return fmt.Sprintf("**Command %d**", a.Nth) + Wrapped(", ", comment.Code(OneLine(a.Command)), "") + "\n\n" + cmp.Or(a.Text, "Done.\n")
	})
	return []byte(comment.ClipBody(strings.Join(all, "\n"), maxReply))
}

// Refused says in one sentence why a command was not obeyed.
func Refused(why string) []byte {
	return []byte("Not done: " + inline(why) + ended(why) + "\n")
}

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
	places := lists.Map(lists.First(also, MaxSides), func(place Cited) string { return comment.Code(place.At()) })
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
	return []byte("~~" + strings.TrimSpace(inline(g.ID)+" "+inline(g.Title)) + "~~ No longer there: " + inline(g.Why) + ".\n")
}
