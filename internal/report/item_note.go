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
		b.WriteString("Reopen this issue to take it back.\n")
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
func Outvoted(by, stands, option string) []byte {
	return []byte("Recorded for " + inline(by) + ". The answer of " + inline(stands) + " stands (" + inline(Ordered(option)) +
		"): if several people answer, the most careful answer counts until its giver changes it.\n")
}

// QuestionsChanged lists the added and changed questions of an issue.
func QuestionsChanged(e Envelope, p Pull, added, changed []string) []byte {
	var b strings.Builder
	for _, part := range []struct {
		says string
		ids  []string
	}{{"New question", added}, {"Changed question", changed}} {
		for _, id := range part.ids {
			if d, found := decisionOf(e, id); found {
				b.WriteString(part.says + ": " + asks(d) + "\n\n")
			}
		}
	}
	return []byte(b.String() + "Read the text above again before you answer. An approval, a request for changes or closing this issue counts once that text has stood there for two minutes.\n")
}

// IssueWithdrawn is the last comment of an item without an answer after its pull request was
// merged or closed. By may be "".
func IssueWithdrawn(p Pull, merged bool, by string) []byte {
	return []byte(cameToItsEnd(p.titled(), inline(by), merged) + " before anybody decided this.\n")
}

// EndedUndecided is the line of the summary after a pull request was merged or closed without an
// answer. By may be "".
func EndedUndecided(merged bool, by string) string {
	return cameToItsEnd("this", OneLine(by), merged) + " before anybody decided"
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

// IssueSuperseded is the last comment of an item made obsolete by a new head. Again is the
// address of the new item, "" if there is none.
func IssueSuperseded(p Pull, head, again string) []byte {
	text := "No decision is needed any more: " + p.short(head) + " changed the lines that it was about."
	if link := p.link("another issue", again); link != "another issue" {
		text += " It is asked again in " + link + "."
	}
	return []byte(text + "\n")
}

// AskedAgain says on an answered issue why it is open again after a push.
func AskedAgain(p Pull, head string) []byte {
	text := "Asked again: " + p.short(head) + " changed lines that the earlier answer was about, so that answer does not count any more.\n"
	for _, id := range slices.Sorted(maps.Keys(p.News)) {
		n := p.News[id]
		switch {
		case len(n.Beside) > 0:
			text = "Asked again: the review of " + p.short(head) + " found something that the answer of " + inline(n.By) + " is not about: " + inline(Capped(n.Beside, "; ")) + "\n"
		case len(n.Hits) > 0:
			text += "\nNew since " + inline(n.By) + " answered: " + inline(Capped(n.Hits, "; ")) + "\n"
		}
	}
	return []byte(text)
}

// Undone says in one sentence why a closing or another answer does not count.
func Undone(by, why string) []byte {
	return []byte("What " + inline(by) + " did here decides nothing: " + inline(why) + ".\n")
}

// Restored says on an item that its text is restored.
func Restored(by string) []byte {
	return []byte("The text of this question was edited by " + inline(by) + ". It is restored, because an answer counts for what was asked.\n")
}

// Reminder is the one reminder about an item after so many days.
func Reminder(days int) []byte {
	return []byte("This has waited for " + Count(max(days, 0), "day") + ". Nothing happens without an answer. This is the only reminder.\n")
}
