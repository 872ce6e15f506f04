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

// Summary renders the one summary comment of a pull request: the verdict, what it rests
// on and what waits for a person, the findings with a link to their thread, what is
// disputed, and in folds how the debate went, what was read and what it cost (S05, S25).
// It takes at most p.Room bytes and says how many parts it leaves out; what a person
// decides is never among them. The caller adds the hidden marker and the state.
func Summary(e Envelope, p Pull, conclusion debate.Conclusion, why string) []byte {
	return p.page(e, conclusion, why, false)
}

// page is the report on a change in Markdown, with all that is known of the debate or
// without.
func (p Pull) page(e Envelope, conclusion debate.Conclusion, why string, whole bool) []byte {
	room := min(cmp.Or(max(p.Room, 0), MaxMarkdown), MaxMarkdown)
	last := p.closing(e)
	b := &blocks{room: room - len(last) - 1 - Reserved}
	open := fitted(Awaiting(e), b.room/2, func(d Decision, listed int) string { return p.waiting(e, d, listed) })
	b.room -= len(open) + 1 // kept free, whatever stands before it
	b.add(heading(e, conclusion, why))
	b.add(p.notes(e))
	b.add(answeredMarkdown(e))
	b.room += len(open) + 1
	b.add(open)
	b.add(criteriaMarkdown(e.Reviews))
	if !whole && !p.NoOverview { // else it is among the details
		b.add(overviewMarkdown(e))
	}
	p.findings(b, e)
	b.add(p.gone(e))
	b.add(course(e))
	if len(p.Unreviewed) > 0 {
		e.Stats.Unreviewed = nil // each is listed below
	}
	for _, f := range folds(withoutGone(e, p.Gone)) {
		b.add(f)
	}
	if len(p.Unreviewed) > 0 && e.Outcome != debate.DegradedLocal { // else the first line says it of all
		b.add(fold(fmt.Sprintf("Not reviewed in full (%d)", len(p.Unreviewed)), bullets(p.Unreviewed)))
	}
	if whole {
		for _, part := range Details(e) {
			b.add(detailsMarkdown(part))
		}
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for a comment: %s left out. The record holds everything._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String() + "\n" + last)
}

// heading is the verdict, what it rests on, and what the check says beyond it.
func heading(e Envelope, conclusion debate.Conclusion, why string) string {
	return "### debate: " + inline(Headline(e)) + "\n" + Wrapped("\n", entryMarkdown(e.Summary), "\n") +
		Wrapped("\n", inline(Wrapped("", keys(e), keysOnGitHub)), "\n") + Wrapped("\n", inline(CheckSays(e, conclusion, why)), "\n")
}

// keysOnGitHub says where a repository keeps its keys.
const keysOnGitHub = " Keys are secrets of the repository (Settings, Secrets and variables, Actions), or variables of the server that runs the App."

// CheckSays is what the check says to a merge where the verdict does not say it already.
func CheckSays(e Envelope, conclusion debate.Conclusion, why string) string {
	kept := HasDebate(e) && e.Recommendation == debate.Keep && whole(e)
	settled := len(Awaiting(e)) == 0
	switch {
	case why == "":
	case conclusion == debate.Failure:
		return "The check fails: " + why + "."
	case conclusion == debate.ActionRequired && settled:
		return "The check waits: " + why + "."
	case conclusion != debate.Neutral || !kept:
	case keptBare(e):
		return "The check does not pass."
	case settled:
		return "The check does not pass: " + why + "."
	}
	return ""
}

// keptBare reports whether nothing that was checked stands behind merging the change, as
// its lead says.
func keptBare(e Envelope) bool {
	d, _ := decisionOf(e, "D0")
	return d.Basis == debate.WhyBare && d.Recommendation == string(debate.Keep)
}

// notes are what weakens the result, said before it is read.
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

// waiting is a decision that waits: who has to decide what, and where or how.
func (p Pull) waiting(e Envelope, d Decision, listed int) string {
	text := "**" + p.mayDecide() + "** has to decide"
	if d.ID == "D0" {
		what := "this is merged"
		if e.Inquiry != nil {
			what = "the answer stands"
		}
		text += " whether " + what
		if hits := reasons(d, p.Hits[d.ID]); len(hits) > 0 {
			text += ": " + inline(hits[0])
			if n := len(hits) - 1; n > 0 {
				text += ", and " + Count(n, "more reason")
			}
		}
		text += ended(text)
	} else {
		text += ": " + p.link(ClipLine(d.Question, 500), p.Links[d.ID])
	}
	also := AlsoAsks(d)
	text += Wrapped(" It also asks: ", strings.Join(lists.Map(also[:min(len(also), listed)], inline), " "), "")
	if address := p.Links[d.ID]; address != "" {
		text += " Answer in " + p.link("the issue", address)
		if clickable(d) {
			return text + ", or approve or request changes here.\n" + alsoNeeded(d)
		}
		return text + ".\n"
	}
	if p.By != "" { // its record is with somebody else than who reads this
		return text + "\n"
	}
	if p.Number == 0 { // of a run on the command line
		return text + " Answer with " + comment.Code("debate decide") + ": " + optionIDs(d, listed) + ".\n"
	}
	return text + "\n\n" + p.ways(e, d, "")
}

// AlsoAsks are the further questions of a decision that no reason to ask it names.
func AlsoAsks(d Decision) []string {
	return lists.Keep(d.Grouped, func(q string) bool {
		return !slices.ContainsFunc(d.Triggers, func(t DecisionTrigger) bool { return t.Asks != "" && t.Asks == text.Clip(q, 500) })
	})
}

// mayDecide is who may answer a decision.
func (p Pull) mayDecide() string {
	who := "Someone with " + inline(string(orWrite(p.Deciders))) + " access"
	if p.Author != "" && !p.AuthorDecides {
		who += ", other than " + p.authors() + ","
	}
	return who
}

// reasons are why a decision is critical, each once, without what somebody waived.
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

// Recommended is the option that a decision recommends, "" for none: one that it
// does not offer is no recommendation.
func Recommended(d Decision) string {
	return d.option(d.Recommendation).ID
}
