package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// maxHitsShown bounds the visible places of a question; the others are folded.
const maxHitsShown = 3

// doing has the effect of a change for each trigger about something in the change, after "it".
var doing = map[debate.TriggerID]string{
	debate.TriggerArchitecture:      "changes the architecture",
	debate.TriggerDeploy:            "changes how this is deployed",
	debate.TriggerSecurity:          "touches security",
	debate.TriggerDestructiveSchema: "changes stored data",
	debate.TriggerMoney:             "touches money",
	debate.TriggerGovernance:        "changes the rules of this project",
	debate.TriggerIrreversible:      "cannot be undone",
}

// hitOf is the line of a trigger of a question, as far as it is known.
func hitOf(hits []Hit, i int) Hit {
	if i < len(hits) {
		return hits[i]
	}
	return Hit{}
}

// places has all places of a question: those of its triggers, and further ones of the same kind.
func (p Pull) places(d Decision) []Hit {
	var list []Hit
	hits := p.Hits[d.ID]
	for i, t := range d.Triggers {
		h := hitOf(hits, i)
		h.Says = cmp.Or(h.Says, upperFirst(WhyAsked(d, t))) + Wrapped(", waived by ", inline(t.Waived), "")
		list = append(list, h)
	}
	if len(hits) > len(list) {
		list = append(list, hits[len(list):]...)
	}
	slices.SortStableFunc(list, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return list
}

// WhyAsked is why a trigger of a question asks people, as a part of a sentence.
func WhyAsked(d Decision, t DecisionTrigger) string {
	switch {
	case t.ID == debate.TriggerTie && d.Rubric != nil && len(d.Rubric.Tied) > 0:
		tied := lists.Map(d.Rubric.Tied, func(option string) string { return "\"" + Label(d, option) + "\"" })
		return "the models score " + enumerated(tied) + " the same"
	case t.ID == debate.TriggerDivergence:
		return "the models rank the options very differently"
	}
	return t.Detail
}

// hits adds the first places of a question with their lines.
func (p Pull) hits(b *blocks, d Decision) {
	all := p.places(d)
	says := lists.Map(all[:min(len(all), maxHitsShown)], p.hit)
	if n := len(all) - maxHitsShown; n > 0 {
		says = append(says, "and "+Count(n, "more place")+", listed below")
	}
	b.add(items(says))
}

// hit is one place of a question, the text about it, and its line.
func (p Pull) hit(h Hit) string {
	line := strings.TrimSpace(BoundedTo(h.Text, 1, MaxQuoteWidth))
	says := inline(h.Says) + Wrapped(" (", inline(enumerated(h.By)), ")") + Wrapped(" ", comment.Code(line), "")
	if h.Path == "" {
		return says
	}
	return p.place(Finding{Path: h.Path, Line: h.Line, Side: h.Side}) + ": " + says
}
