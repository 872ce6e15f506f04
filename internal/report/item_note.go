package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// IssueDecided says on the issue what a person decided. More: other questions of the
// issue are open.
func IssueDecided(e Envelope, id string, p Pull, more bool) []byte {
	d, found := decisionOf(p.named(e), id)
	if !found || d.Human == nil {
		return nil
	}
	var b strings.Builder
	about := ""
	if d.ID != "D0" {
		about = ", " + inline(d.ID)
	}
	b.WriteString("Recorded: " + inline(d.Human.By) + " decided: " + inline(wanted(d, d.Human.Option)) + " (" + comment.Code(OneLine(d.Human.Option)) + about + ").\n")
	if d.Human.Reason != "" {
		b.WriteString("\nReason: " + inline(d.Human.Reason) + "\n")
	}
	if d.Human.Self {
		b.WriteString("\nThe author decided, as this repository allows.\n")
	}
	if d.Human.Head != "" {
		b.WriteString("\nIt holds for " + p.commit(d.Human.Head) + ", and on later commits while the lines stay the same.\n")
	}
	for _, line := range stillOpen(d.Human.StillOpen) {
		b.WriteString("\n" + inline(line) + ".\n")
	}
	last := "Reopen this issue to take it back."
	if more {
		last = "This issue stays open for its other questions. " + comment.Code("/debate decide "+OneLine(d.ID)+" OPTION WHY") + " changes the answer."
	}
	return []byte(b.String() + "\n" + last + "\n")
}

// Outvoted says that an answer counts, and that a more careful one stands.
func Outvoted(by, stands, option string) []byte {
	return []byte("Recorded for " + inline(by) + ". What " + inline(stands) + " decided stands, " + comment.Code(OneLine(option)) +
		": of several people's answers the most careful one counts until its giver changes it.\n")
}

// QuestionsChanged says that questions of an issue were added, or say something else
// now.
func QuestionsChanged(e Envelope, p Pull, added, changed []string) []byte {
	e = p.named(e)
	var b strings.Builder
	for _, part := range []struct {
		says string
		ids  []string
	}{{"Added", added}, {"Changed", changed}} {
		for _, id := range part.ids {
			if d, found := decisionOf(e, id); found {
				b.WriteString(part.says + ": " + inline(d.ID) + ", " + inline(d.Question) + "\n\n")
			}
		}
	}
	return []byte(b.String() + "Read the text above again before you answer: a click counts once it has stood there for two minutes.\n")
}

// IssueWithdrawn is the last comment of an item that nobody has to decide any
// more, such as when its pull request was closed.
func IssueWithdrawn(p Pull, why string) []byte {
	return []byte(strings.TrimRight("Withdrawn, nobody decided this: "+p.pull()+" "+inline(why), " ") + ".\n")
}

// IssueSuperseded is the last comment of an item that a new head has overtaken;
// again is the address of the item that asks anew, "" if none does.
func IssueSuperseded(p Pull, head, again string) []byte {
	text := "Superseded: lines that this rests on are different at head " + p.commit(head) + " of " + p.pull() + "."
	if link := p.link("another issue", again); link != "another issue" {
		text += " It is asked again in " + link + "."
	}
	return []byte(text + "\n")
}

// AskedAgain says on an issue that was answered why it is open again: a push has
// overtaken the answer (S08).
func AskedAgain(p Pull, head string) []byte {
	text := "Asked again: lines that this rests on are different at " + p.commit(head) + ", so that the earlier answer does not hold any more.\n"
	for _, id := range slices.Sorted(maps.Keys(p.News)) {
		if n := p.News[id]; len(n.Hits) > 0 {
			text += "\n" + inline(id) + ", new since " + inline(n.By) + " answered: " + inline(Capped(n.Hits, "; ")) + "\n"
		}
	}
	return []byte(text)
}

// Undone says in one sentence why a closing or another answer does not count.
func Undone(by, why string) []byte {
	return []byte("What " + inline(by) + " did here decides nothing: " + inline(why) + ".\n")
}

// Restored says that an item has its own words again.
func Restored(by string) []byte {
	return []byte("The text of this question was edited by " + inline(by) + "; it is restored, as answers count for what was asked.\n")
}

// Reminder is the one reminder about an item that has waited so many days.
func Reminder(days int) []byte {
	return []byte("This has waited for " + Count(max(days, 0), "day") + ", and nothing happens without an answer. This is the only reminder.\n")
}
