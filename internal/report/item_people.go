package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// mention is a login or a team as GitHub spells them.
var mention = lazyregexp.New(`^@?([A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})(?:/[A-Za-z0-9._-]{1,100})?)$`)

// maxNotify bounds how many people one item notifies.
const maxNotify = 20

// WhoAnswers names the people allowed to answer a decision.
const WhoAnswers = "Someone with write access has to answer, not a bot; the author of the change only if this repository allows it."

// orWrite is the least access for a decision.
func orWrite(p debate.Permission) debate.Permission { return cmp.Or(p, debate.WriteAccess) }

// whatCounts lists the forms of an answer, the people allowed to answer, and how long an answer
// holds.
func (p Pull) whatCounts(open []Decision, asked Asked) string {
	not := "Those of bots and of " + p.authors() + ", who wrote the change, do not."
	if p.Author == "" || p.AuthorDecides {
		not = "Those of bots do not."
	}
	lines := []string{
		"Answers of people with " + inline(string(orWrite(p.Deciders))) + " access count. " + not,
		"Comments count here and on the pull request.",
	}
	click := slices.IndexFunc(open, clickable)
	switch {
	case click >= 0:
		answers := "the question"
		if len(open) > 1 {
			answers = inline(open[click].ID)
		}
		lines = append(lines, "An approval, a request for changes and closing this issue answer "+answers+". They count two minutes after this text last changed.")
	case closable(open[0]) != "":
		lines = append(lines, "Closing this issue does not say which option you want: the comment does.")
	}
	lines = append(lines,
		"If answers differ, the strictest one counts.",
		"Closing this issue as a duplicate decides nothing. Reopening it undoes an answer.",
	)
	if p.Head != "" {
		lines = append(lines, "This is about "+p.short(p.Head)+". An answer holds for later commits until the lines in question change.")
	}
	if reasons := waivable(open); len(reasons) > 0 {
		lines = append(lines, "Someone with maintain access can remove a reason for this question, for this commit: "+strings.Join(reasons, ", ")+".")
	}
	if asked.At != "" {
		lines = append(lines, "Asked on "+inline(asked.At)+".")
	}
	return items(once(lines))
}

// authors are the authors of the change; they may not decide.
func (p Pull) authors() string {
	return enumerated(lists.Map(append([]string{p.Author}, p.Makers...), inline))
}

// waivable lists the comments to waive a reason to ask people, each with its subject.
func waivable(open []Decision) []string {
	var all []string
	for _, d := range open {
		for _, t := range d.Triggers {
			all = append(all, comment.Code("/debate waive "+OneLine(string(t.ID))+" WHY")+" ("+cmp.Or(t.does(), "the models disagree")+")")
		}
	}
	return once(all)
}

// forWhom mentions the people to notify of a question. No other text has live mentions.
func forWhom(asked Asked) string {
	var who []string
	for _, name := range asked.Notify {
		if m := mention().FindStringSubmatch(name); m != nil {
			who = append(who, "@"+m[1])
		}
	}
	return Wrapped("cc ", strings.Join(who[:min(len(who), maxNotify)], ", "), "\n")
}
