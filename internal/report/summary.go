package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Summary renders the one summary comment of a pull request: the verdict and its reasons, the
// decisions for people, the findings with links to their threads, the disputed ones, and in folds
// the course of the debate, the reviewed files and the cost. It takes at most p.Room
// bytes and counts the parts left out; it never leaves out a decision. The caller adds the hidden
// marker and the state.
func Summary(e Envelope, p Pull, conclusion debate.Conclusion, why string) []byte {
	return p.page(e, conclusion, why, false)
}

// page is the report on a change in Markdown. Whole: with all details of the debate.
func (p Pull) page(e Envelope, conclusion debate.Conclusion, why string, whole bool) []byte {
	room := min(cmp.Or(max(p.Room, 0), MaxMarkdown), MaxMarkdown)
	last := p.closing(e)
	b := &blocks{room: room - len(last) - 1 - Reserved}
	open := fitted(Awaiting(e), b.room/2, func(d Decision, listed int) string { return p.waiting(e, d, listed) })
	b.room -= len(open) + 1 // kept free for the open decisions
	b.add(heading(e, conclusion, why))
	b.add(p.notes(e))
	b.add(strings.Join(lists.Map(Answered(e), func(part told) string {
		return "**" + comment.Markdown(part.Name) + "**\n\n" + comment.Markdown(comment.Clip(part.Text, MaxAnswer)) + "\n"
	}), "\n"))
	b.room += len(open) + 1
	b.add(open)
	b.add(criteriaMarkdown(e.Reviews))
	if !whole && !p.NoOverview { // else it is among the details
		b.add(overviewMarkdown(e))
	}
	p.findings(b, e)
	b.add(p.gone(e))
	if len(p.Unreviewed) > 0 {
		e.Stats.Unreviewed = nil // each is listed below
	}
	for _, part := range append(Noticed(e), Remaining(p.untold(e))...) {
		b.add(fold(fmt.Sprintf("%s (%d)", part.Title, len(part.Lines)), sectionMarkdown(part)))
	}
	if len(p.Unreviewed) > 0 && e.Outcome != debate.DegradedLocal { // else the first line says it of all
		b.add(fold(fmt.Sprintf("Not reviewed in full (%d)", len(p.Unreviewed)), bullets(p.Unreviewed)))
	}
	if whole {
		for _, part := range Details(e) {
			b.add(folded(part))
		}
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for a comment: %s left out. The record holds everything._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String() + "\n" + last)
}

// heading is the verdict, its reasons, and the words of the check if they say more.
func heading(e Envelope, conclusion debate.Conclusion, why string) string {
	return "### debate: " + inline(Headline(e)) + "\n" + Wrapped("\n", entryMarkdown(e.Summary), "\n") +
		Wrapped("\n", inline(Wrapped("", keys(e), keysOnGitHub)), "\n") + Wrapped("\n", inline(CheckSays(e, conclusion, why)), "\n")
}

const keysOnGitHub = " For the Action add them under Settings, Secrets and variables, Actions; for the App set them on its server."

// notes has the caveats to read before the result.
func (p Pull) notes(e Envelope) string {
	var b strings.Builder
	all := append(append([]string{}, p.Notes...), e.Notes...)
	for i, note := range all {
		if i == MaxListed {
			fmt.Fprintf(&b, "> and %s\n", Count(len(all)-MaxListed, "more note"))
			break
		}
		b.WriteString("> " + inline(note) + "\n\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// waiting is an open decision: the people to decide, the question, and how to answer.
func (p Pull) waiting(e Envelope, d Decision, listed int) string {
	what := "this is merged"
	if e.Inquiry != nil {
		what = "the answer holds"
	}
	text := "**" + p.mayDecide() + "** has to decide"
	if asksToMerge(d) {
		text += " whether " + what + Wrapped(": ", inline(inWords(reasons(d, p.Hits[d.ID]), "; ")), "")
		text += ended(text)
	} else {
		text += ": " + p.link(ClipLine(d.Question, 500), p.Links[d.ID])
	}
	also := AlsoAsks(d)
	text += Wrapped(" It also asks: ", strings.Join(lists.Map(also[:min(len(also), listed)], inline), " "), "")
	switch address := p.Links[d.ID]; {
	case address != "":
		text += " Answer in " + p.link("the issue", address)
		if clickable(d) {
			return text + ", or approve or request changes here.\n" + Wrapped("\n", alsoNeeded(d), "")
		}
		return text + ".\n"
	case p.By != "": // the reader does not have its record
		return text + "\n"
	case p.Number == 0: // of a run on the command line
		return text + " Answer with " + comment.Code("debate decide") + ": " + optionIDs(d, listed) + ".\n"
	}
	return text + "\n\n" + p.waysToAnswer(e, d, "")
}

// AlsoAsks has the further questions of a decision without a trigger of their own.
func AlsoAsks(d Decision) []string {
	return lists.Keep(d.Grouped, func(q string) bool {
		return !slices.ContainsFunc(d.Triggers, func(t DecisionTrigger) bool { return t.Asks != "" && t.Asks == text.Clip(q, 500) })
	})
}

// reasons is why a decision is critical, each reason once, without waived ones.
func reasons(d Decision, hits []Hit) []string {
	var out []string
	for i, t := range d.Triggers {
		if t.Waived != "" {
			continue
		}
		out = append(out, OneLine(cmp.Or(hitOf(hits, i).Says, WhyAsked(d, t))))
	}
	return once(out)
}

// optionIDs are the options as a command names them.
func optionIDs(d Decision, listed int) string {
	return strings.Join(upTo(listed, lists.Map(d.Options, func(o Option) string {
		text := comment.Code(OneLine(o.ID))
		switch {
		case o.ID == Recommended(d):
			text += " (recommended)"
		case o.StatusQuo:
			text += " (nothing changes)"
		}
		return text
	})), ", ")
}
