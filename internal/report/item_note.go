package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// IssueDecided posts the decision of a person on the issue. More: other questions of the issue
// are open.
func IssueDecided(e Envelope, id string, p Pull, more bool) []byte {
	d, found := decisionOf(e, id)
	if !found || d.Human == nil {
		return nil
	}
	about := ""
	if !asksToMerge(d) {
		about = " (" + asks(d) + ")"
	}
	var b strings.Builder
	b.WriteString("Recorded: " + inline(d.Human.By) + " " + tookDecision(d) + about + ". ")
	if more {
		b.WriteString("This issue stays open for its other questions. " + comment.Code("/debate decide "+OneLine(d.ID)+" OPTION WHY") + " changes the answer.\n")
	} else {
		b.WriteString("Reopen this issue to undo this.\n")
	}
	if d.Human.Reason != "" {
		b.WriteString("\nReason: " + quoted(d.Human.Reason) + ".\n")
	}
	if d.Human.Self {
		b.WriteString("\n" + inline(d.Human.By) + " is an author of the change, and this repository lets authors decide.\n")
	}
	if d.Human.Head != "" {
		b.WriteString("\nThis holds for " + p.short(d.Human.Head) + " and for later commits, until the lines in question change.\n")
	}
	if open := StillOpen(d.Human.StillOpen); len(open) > 0 {
		b.WriteString("\n" + string(open))
	}
	return []byte(b.String())
}

// Outvoted says that an answer is recorded, but a more careful one counts.
func Outvoted(by, counts, option string) []byte {
	return []byte("Recorded for " + inline(by) + ". The answer of " + inline(counts) + " counts (" + inline(Ordered(option)) +
		"): if answers differ, the strictest one counts.\n")
}

// IssueWithdrawn is the last comment of an item without an answer after its pull request was
// merged or closed. By may be "".
func IssueWithdrawn(p Pull, merged bool, by string) []byte {
	return []byte(cameToItsEnd(p.titled(), inline(by), merged) + " before a decision was made.\n")
}

// EndedUndecided is the line of the summary after a pull request was merged or closed without an
// answer. By may be "".
func EndedUndecided(merged bool, by string) string {
	return cameToItsEnd("this", OneLine(by), merged) + " before a decision was made"
}

// cameToItsEnd says what was merged or closed, and by whom if it is known.
func cameToItsEnd(what, by string, merged bool) string {
	did := "closed"
	if merged {
		did = "merged"
	}
	if by == "" {
		return what + " was " + did
	}
	return by + " " + did + " " + what
}

// IssueSuperseded is the last comment of an item made obsolete by a new head.
func IssueSuperseded(p Pull, head string) []byte {
	return []byte("No decision is needed any more: " + p.short(head) + " changed the lines in question.\n")
}

// AskedAnew says on an issue that its text is written again: a person edited it, or a question
// changed.
func AskedAnew(p Pull, head, editor string) []byte {
	text := "The question changed with " + p.short(head) + ". "
	if editor != "" {
		text = inline(editor) + " edited this issue, so its text was written again. "
	}
	for _, id := range slices.Sorted(maps.Keys(p.News)) {
		n := p.News[id]
		text = "Asked again: the review of " + p.short(head) + " found something new, outside the answer of " + inline(n.By) + ": " + inline(Capped(n.Found, "; ")) + "\n\n"
	}
	return []byte(text + "Read it above before you answer. An approval, a request for changes or closing this issue counts two minutes after it was written.\n")
}

// Undone says in one sentence why a closing or another answer does not count.
func Undone(by, why string) []byte {
	return []byte("The action of " + inline(by) + " does not count: " + inline(why) + ".\n")
}
