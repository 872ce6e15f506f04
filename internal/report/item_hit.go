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

// maxHitsShown bounds the visible places of a question; the others are folded.
const maxHitsShown = 3

// doing has the effect of a change for each trigger, after "it".
var doing = map[debate.TriggerID]string{
	debate.TriggerArchitecture:      "changes the architecture",
	debate.TriggerDeploy:            "changes how this is deployed",
	debate.TriggerSecurity:          "touches security",
	debate.TriggerDestructiveSchema: "changes stored data",
	debate.TriggerMoney:             "touches money",
	debate.TriggerGovernance:        "changes the rules of this project",
	debate.TriggerIrreversible:      "cannot be undone",
}

func (t DecisionTrigger) does() string { return doing[t.ID] }

// asking is the index of the first trigger about something in the change, -1 if there is none.
func (d Decision) asking() int {
	return slices.IndexFunc(d.Triggers, func(t DecisionTrigger) bool { return t.does() != "" })
}

// atOdds reports whether nothing in the change asks people: the models could not settle
// the question among themselves.
func atOdds(d Decision) bool { return len(d.Triggers) > 0 && d.asking() < 0 }

// firstReason is why people are asked whether to merge, for a title: "Migration drops
// column ref of orders".
func firstReason(d Decision, hits []Hit) string {
	switch {
	case len(d.Triggers) == 0:
		return ""
	case atOdds(d):
		return "The models do not agree"
	}
	at := d.asking()
	t := d.Triggers[at]
	if t.Source == debate.FromParty { // the words of a model are no title of ours
		return "It " + t.does()
	}
	return OneLine(cmp.Or(hitOf(hits, at).Says, t.Says, t.Detail))
}

// hitOf is the line of a trigger of a question, as far as it is known.
func hitOf(hits []Hit, i int) Hit {
	if i < len(hits) {
		return hits[i]
	}
	return Hit{}
}

// placesOf has all places of a question: those of its triggers, and further ones of the same
// kind.
func placesOf(d Decision, hits []Hit) []Hit {
	var list []Hit
	for i, t := range d.Triggers {
		h := hitOf(hits, i)
		h.Says = cmp.Or(h.Says, notSettled(d, t)) + Wrapped(", waived by ", inline(t.Waived), "")
		list = append(list, h)
	}
	if len(hits) > len(list) {
		list = append(list, hits[len(list):]...)
	}
	slices.SortStableFunc(list, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return list
}

// notSettled says in a sentence why a trigger without a line asks people.
func notSettled(d Decision, t DecisionTrigger) string {
	says := WhyAsked(d, t)
	if says == "" || !slices.Contains(unsettled, t.ID) {
		return t.Detail
	}
	return upperFirst(says) + ended(says)
}

// unsettled has the triggers for questions left open by the models.
var unsettled = []debate.TriggerID{debate.TriggerTie, debate.TriggerDivergence, debate.TriggerContested}

// WhyAsked is why a trigger of a question asks people, as a part of a sentence.
func WhyAsked(d Decision, t DecisionTrigger) string {
	switch {
	case t.ID == debate.TriggerTie && d.Rubric != nil && len(d.Rubric.Tied) > 0:
		tied := lists.Map(d.Rubric.Tied, func(option string) string { return wayOf(d, option).advised })
		return "the scores of the models come out the same for " + enumerated(tied)
	case t.ID == debate.TriggerDivergence:
		return "the models rank the options very differently: the first choice of one is third or lower for another"
	}
	return t.Detail
}

// hits adds the first places of a question with their lines, grouped by file.
func (p Pull) hits(b *blocks, d Decision) {
	all := placesOf(d, p.Hits[d.ID])
	shown := all[:min(len(all), maxHitsShown)]
	for len(shown) > 0 {
		same := func(h Hit) bool { return h.Path == "" || h.Path != shown[0].Path }
		end := 1 + slices.IndexFunc(append(slices.Clone(shown[1:]), Hit{}), same)
		b.add(p.hitsOf(shown[:end]))
		shown = shown[end:]
	}
	if n := len(all) - maxHitsShown; n > 0 {
		b.add(fmt.Sprintf("and %s, listed below.\n", Count(n, "more place")))
	}
}

// hitsOf are places of one file, with their lines.
func (p Pull) hitsOf(list []Hit) string {
	mark := ""
	if len(list) > 1 {
		mark = "- "
	}
	text := ""
	for _, h := range list {
		text += mark + p.hit(h) + "\n"
	}
	lines := Present(lists.Map(list, Hit.line)...)
	if len(lines) > 0 {
		text += "\n" + comment.Fence("", strings.Join(lines, "\n"))
	}
	return text
}

// line is the line of a hit, bounded.
func (h Hit) line() string { return BoundedTo(h.Text, 1, MaxQuoteWidth) }

// hit is one place of a question and the text about it.
func (p Pull) hit(h Hit) string {
	says := inline(h.Says) + Wrapped(" (", inline(enumerated(h.By)), ")")
	if h.Path == "" {
		return says
	}
	return p.whereHit(h) + ": " + says
}

// whereHit is the place of a hit, linked if its line is in the head.
func (p Pull) whereHit(h Hit) string {
	place := Place(Finding{Path: h.Path, Line: h.Line, Side: h.Side})
	if address := p.lines(h.Path, h.Line, h.Line); address != "" && h.Side != debate.Left {
		return p.link(place, address)
	}
	return comment.Code(place)
}

// morePlaces adds the places of a question left out above the fold.
func (p Pull) morePlaces(b *blocks, d Decision) {
	all := placesOf(d, p.Hits[d.ID])
	if len(all) <= maxHitsShown {
		return
	}
	says := lists.Map(all[maxHitsShown:], func(h Hit) string {
		line := strings.TrimSpace(h.line())
		if line == "" {
			return p.hit(h)
		}
		return p.hit(h) + " " + comment.Code(line)
	})

	b.add("**More places**\n\n" + items(upTo(maxRows, says)))
}
