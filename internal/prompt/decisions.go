package prompt

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

type decision struct {
	ID       string             `json:"id"`
	Question string             `json:"question"`
	Options  []choice           `json:"options"`
	Criteria []debate.Criterion `json:"criteria,omitempty"`
	Ended    string             `json:"ended,omitempty"`  // the outcome
	Chosen   string             `json:"chosen,omitempty"` // the recommendation
}

type choice struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	StatusQuo   bool   `json:"status_quo"`
}

// decisions returns the questions of a call: the judge's own, those with a frozen rubric, or
// during the debate all known ones, at least D0. The choices of others are never shown.
func (t turner) decisions() []decision {
	known := t.s.Agenda.Decisions
	if len(known) == 0 {
		known = t.s.Received.Framed()
	}
	known = lists.Keep(known, func(d debate.Decision) bool {
		switch t.ask.Kind {
		case debate.CallJudge1, debate.CallJudge2:
			return d.ID == t.ask.Decision
		case debate.CallScore:
			return d.Rubric != nil && len(d.Rubric.Criteria) > 0
		}
		return true
	})
	var shown []decision
	for _, d := range known[:min(len(known), mostDecisions)] {
		question := strings.Join(append([]string{d.Question}, d.Grouped...), "\nIt also asks: ") // as in the human item (A20)
		out := decision{ID: d.ID, Question: t.say(question, longText), Options: []choice{}}
		options := d.Options[:min(len(d.Options), mostOptions)]
		for _, o := range among(t, options, func(o debate.Option) string { return d.ID + " " + o.ID }) {
			out.Options = append(out.Options, choice{
				ID: t.name(o.ID), Label: t.say(o.Label, shortText), Description: t.say(o.Description, longText), StatusQuo: o.StatusQuo,
			})
		}
		if t.ask.Kind == debate.CallScore {
			out.Criteria = lists.Map(d.Rubric.Criteria, func(c debate.Criterion) debate.Criterion {
				return debate.Criterion{ID: t.name(c.ID), WeightBP: c.WeightBP}
			})
		}
		if t.ask.Kind == debate.CallSumUp {
			out.Ended, out.Chosen = string(d.Outcome), t.name(d.Recommendation)
		}
		shown = append(shown, out)
	}
	return shown
}

// side is the final choice of one party, in its own words.
type side struct {
	By          string       `json:"by"`
	Holds       []heldOption `json:"holds"`
	WhyDisagree string       `json:"why_disagree,omitempty"`
	RightIf     string       `json:"right_if,omitempty"`
}

type heldOption struct {
	Decision string `json:"decision"`
	Option   string `json:"option"`
	Needs    string `json:"needs,omitempty"`
}

// sides returns the final choices of the parties, in party order.
func (t turner) sides() []side {
	var shown []side
	for _, seat := range t.s.Table.Seats {
		x := side{By: t.speaker(seat.Party), Holds: []heldOption{}, WhyDisagree: t.say(seat.WhyDisagree, shortText), RightIf: t.say(seat.RightIf, shortText)}
		for _, d := range t.s.Agenda.Decisions {
			held := lists.Find(d.FinalOptions, func(o debate.PartyOption) bool { return o.Party == seat.Party })
			if held.Option != "" {
				x.Holds = append(x.Holds, heldOption{Decision: d.ID, Option: t.name(held.Option), Needs: t.say(seat.Needs(d.ID), shortText)})
			}
		}
		x.Holds = x.Holds[:min(len(x.Holds), mostDecisions)]
		shown = append(shown, x)
	}
	return shown
}

// panel has the votes of the first round.
type panel struct {
	Own    *vote  `json:"own"`
	Others []vote `json:"others"`
}

type vote struct {
	Judge        string   `json:"judge"`
	Option       string   `json:"option"`
	Confidence   string   `json:"confidence"`
	Reason       string   `json:"reason"`
	PerOption    []rated  `json:"per_option"`
	HiddenPoints []string `json:"hidden_points"`
}

type rated struct {
	Option     string `json:"option"`
	Assessment string `json:"assessment"`
	Score      *int   `json:"score"`
}

// panel is a judge's view of its panel in the second round: all votes of the first (R183). In
// the first round it sees none (R180, R191).
func (t turner) panel() *panel {
	d := lists.Find(t.s.Agenda.Decisions, func(d debate.Decision) bool { return d.ID == t.ask.Decision })
	if t.ask.Kind != debate.CallJudge2 || d.Panel == nil {
		return nil
	}
	p := &panel{Others: []vote{}}
	for _, v := range d.Panel.Rounds[0].Votes {
		shown := t.vote(v)
		if string(v.Judge) == t.ask.Party {
			p.Own = &shown
		} else if v.Option != "" {
			p.Others = append(p.Others, shown)
		}
	}
	return p
}

func (t turner) vote(v debate.Vote) vote {
	shown := vote{
		Judge: string(v.Judge), Option: t.name(v.Option), Confidence: v.Confidence, Reason: t.say(v.Reason, longText),
		PerOption: []rated{}, HiddenPoints: t.sayAll(v.Hidden, mostPoints, shortText),
	}
	for _, a := range v.PerOption[:min(len(v.PerOption), mostOptions)] {
		r := rated{Option: t.name(a.Option), Assessment: t.say(a.Assessment, longText)}
		if a.Score >= 0 {
			score := a.Score
			r.Score = &score
		}
		shown.PerOption = append(shown.PerOption, r)
	}
	return shown
}
