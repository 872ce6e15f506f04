package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// maxHitsShown bounds the places of a question that stand in the open; the others are
// folded.
const maxHitsShown = 3

// doing is what a change does by which a trigger asks people, after "it" or "which".
func doing(id debate.TriggerID) string {
	switch id {
	case debate.TriggerArchitecture:
		return "changes the architecture"
	case debate.TriggerDeploy:
		return "changes how this is deployed"
	case debate.TriggerSecurity:
		return "touches security"
	case debate.TriggerDestructiveSchema:
		return "changes stored data"
	case debate.TriggerMoney:
		return "touches money"
	case debate.TriggerGovernance:
		return "changes the rules of this project"
	case debate.TriggerIrreversible:
		return "cannot be undone"
	}
	return ""
}

// atOdds reports whether nothing in the change asks people: the models could not settle
// the question among themselves.
func atOdds(d Decision) bool {
	return len(d.Triggers) > 0 && !slices.ContainsFunc(d.Triggers, func(t DecisionTrigger) bool { return doing(t.ID) != "" })
}

// whatItDoes is what a change does by which people are asked, each kind of it once.
func whatItDoes(d Decision) string {
	var all []string
	for _, t := range d.Triggers {
		if what := doing(t.ID); what != "" && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	if len(all) == 0 {
		return "needs a decision"
	}
	return enumerated(all)
}

// whichDoes is the first reason for which people are asked whether to merge, for a
// title: ", which drops column ref of orders".
func whichDoes(d Decision, hits []Hit) string {
	switch {
	case len(d.Triggers) == 0:
		return ""
	case atOdds(d):
		return ", on which the models do not agree"
	}
	at := slices.IndexFunc(d.Triggers, func(t DecisionTrigger) bool { return doing(t.ID) != "" })
	t := d.Triggers[at]
	says := OneLine(cmp.Or(hitOf(hits, at).Says, t.Detail))
	if what, is := strings.CutPrefix(says, "Migration "); is && t.ID == debate.TriggerDestructiveSchema {
		return ", which " + what
	}
	return ", which " + doing(t.ID) + " (" + says + ")"
}

// hitOf is the line that a trigger of a question is about, as far as it is known.
func hitOf(hits []Hit, i int) Hit {
	if i < len(hits) {
		return hits[i]
	}
	return Hit{}
}

// placesOf are all places that a question is about: those of its triggers, and further
// ones of the same kind.
func placesOf(d Decision, hits []Hit) []Hit {
	var list []Hit
	for i, t := range d.Triggers {
		h := hitOf(hits, i)
		h.Says = cmp.Or(h.Says, notSettled(d, t)) + waivedBy(t)
		list = append(list, h)
	}
	if len(hits) > len(list) {
		list = append(list, hits[len(list):]...)
	}
	slices.SortStableFunc(list, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return list
}

// notSettled says in a sentence of a trigger that is about no line why it asks people.
func notSettled(d Decision, t DecisionTrigger) string {
	switch says := WhyAsked(d, t); {
	case says == "":
	case t.ID == debate.TriggerTie, t.ID == debate.TriggerDivergence, t.ID == debate.TriggerContested:
		return upperFirst(says) + ended(says)
	}
	return t.Detail
}

// WhyAsked is why a trigger of a question asks people, as a part of a sentence.
func WhyAsked(d Decision, t DecisionTrigger) string {
	switch {
	case t.ID == debate.TriggerTie && d.Rubric != nil && len(d.Rubric.Tied) > 0:
		var tied []string
		for _, option := range d.Rubric.Tied {
			tied = append(tied, advised(d, option))
		}
		return "the scores of the models come out the same for " + enumerated(tied)
	case t.ID == debate.TriggerDivergence:
		return "the models rank the options very differently: what one puts first, another puts third or lower"
	}
	return t.Detail
}

// hits adds the first places that a question is about, with their lines: those of one
// file together.
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
	text, lines := "", []string{}
	for _, h := range list {
		text += mark + p.hit(h) + "\n"
		if line := BoundedTo(h.Text, 1, maxQuoteWidth); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		text += "\n" + comment.Fence("", strings.Join(lines, "\n"))
	}
	return text
}

// hit is one place that a question is about and what is said of it.
func (p Pull) hit(h Hit) string {
	says := inline(h.Says)
	if len(h.By) > 0 {
		says += " (" + inline(enumerated(h.By)) + ")"
	}
	if h.Path == "" {
		return says
	}
	return p.whereHit(h) + ": " + says
}

// whereHit is where a hit stands, linked where its line is in the head.
func (p Pull) whereHit(h Hit) string {
	place := Place(Finding{Path: h.Path, Line: h.Line, Side: h.Side})
	if address := p.lines(h.Path, h.Line, h.Line); address != "" && h.Side != debate.Left {
		return p.link(place, address)
	}
	return comment.Code(place)
}

// morePlaces adds those places of a question that do not stand in the open.
func (p Pull) morePlaces(b *blocks, d Decision) {
	all := placesOf(d, p.Hits[d.ID])
	if len(all) <= maxHitsShown {
		return
	}
	text := "**More places**\n\n"
	for i, h := range all[maxHitsShown:] {
		if i == maxRows {
			text += fmt.Sprintf("- and %d more\n", len(all)-maxHitsShown-maxRows)
			break
		}
		says := p.hit(h)
		if line := strings.TrimSpace(BoundedTo(h.Text, 1, maxQuoteWidth)); line != "" {
			says += " " + comment.Code(line)
		}
		text += "- " + says + "\n"
	}
	b.add(text)
}
