package report

import (
	"maps"
	"slices"
)

// IssueDecided posts the decision of a person on the issue. More: other questions of the issue
// are open.
func IssueDecided(e Envelope, id string, p Pull, more bool) []byte {
	d, found := decisionOf(e, id)
	if !found || d.Human == nil {
		return nil
	}
	text := "Recorded: " + itemState(d, more)
	if d.Human.Self {
		text += "\n" + inline(d.Human.By) + " is an author of the change, and this repository lets authors decide.\n"
	}
	text += Wrapped("\nThis holds for ", p.short(d.Human.Head), " and for later commits, until the lines in question change.\n")
	return []byte(text + Wrapped("\n", alsoNeeded(d), ""))
}

// Outvoted says that an answer is recorded, but a more careful one counts.
func Outvoted(by, counts, option string) []byte {
	return []byte("Recorded for " + inline(by) + ". The answer of " + inline(counts) + " counts (" + inline(mergeLabel(option)) +
		"): if answers differ, the strictest one counts.\n")
}

// IssueWithdrawn is the last comment of an item without an answer after its pull request was
// merged or closed. By may be "".
func IssueWithdrawn(p Pull, merged bool, by string) []byte {
	return []byte(cameToItsEnd(p.titled(), inline(by), merged) + ".\n")
}

// EndedUndecided is the line of the summary after a pull request was merged or closed without an
// answer. By may be "".
func EndedUndecided(merged bool, by string) string { return cameToItsEnd("this", OneLine(by), merged) }

// cameToItsEnd says what was merged or closed without an answer, and by whom if it is known.
func cameToItsEnd(what, by string, merged bool) string {
	did := "closed"
	if merged {
		did = "merged"
	}
	if by == "" {
		return what + " was " + did + " before a decision was made"
	}
	return by + " " + did + " " + what + " before a decision was made"
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
		text += p.since(p.News[id]) + "\n\n"
	}
	return []byte(text + "Read it above before you answer. An approval, a request for changes or closing this issue counts only after two minutes.\n")
}

// Undone says in one sentence why a closing or another answer does not count.
func Undone(by, why string) []byte {
	return []byte("The answer of " + inline(by) + " does not count: " + inline(why) + ".\n")
}

// Reminder is the one reminder about an item after so many days.
func Reminder(days int) []byte {
	return []byte("This has waited for " + Count(max(days, 0), "day") + ". Nothing happens without an answer. This is the only reminder.\n")
}
