package admin

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// modelStats has the findings and the cost of one model over several reviews. Each reported
// finding counts once for it.
type modelStats struct {
	Model     string
	Reviews   int // with a call to it or a finding of it
	Findings  int
	Confirmed int // agreed on, also if fixed since
	Disputed  int // with an open objection
	Dismissed int // withdrawn, refuted, not about the change, or dismissed by a person
	Calls     int
	Failed    int
	Micro     int64
	Unpriced  bool // of some calls no price is known
}

// models sums the work of the models in several reviews, by their names.
type models map[string]*modelStats

// of is the row of a model.
func (m models) of(name string) *modelStats {
	if m[name] == nil {
		m[name] = &modelStats{Model: name}
	}
	return m[name]
}

// add adds a review, without the part remembered from an earlier session. A question has no
// findings, and a finding of an earlier head was counted there.
func (m models) add(s debate.State) {
	asked := make(map[*modelStats]bool)
	called := 0
	if s.Received.Recall != nil {
		called = len(s.Received.Recall.Asking.Calls)
	}
	for _, c := range s.Asking.Calls[min(called, len(s.Asking.Calls)):] {
		row := m.of(modelOf(s, c.Party))
		asked[row] = true
		row.Calls++
		if c.Status != debate.CallOK {
			row.Failed++
		}
		row.Micro += c.Usage.CostMicro
		row.Unpriced = row.Unpriced || c.Usage.CostUnknown
	}
	e := report.FromState(s)
	for f := range e.Findings() {
		counted := make(map[*modelStats]bool)
		for _, party := range f.ReportedBy {
			row := m.of(modelOf(s, party))
			if counted[row] || f.Carried != "" || s.Received.Recall != nil || s.Received.Inquiry != nil {
				continue
			}
			counted[row], asked[row] = true, true
			row.Findings++
			switch {
			case f.BucketReason == string(debate.ReasonKnown):
			case f.Bucket == debate.Agreed, f.BucketReason == string(debate.ReasonFixed):
				row.Confirmed++
			case f.Bucket == debate.Dismissed:
				row.Dismissed++
			case !report.NotEvaluated(*f) && report.Contradicted(*f):
				row.Disputed++
			}
		}
	}
	for row := range asked {
		row.Reviews++
	}
}

// modelOf is the name of a party's model. Judges and arbiters share the model of a debater. If a
// record does not name theirs, their ids are no names of models: they say what these parties look at.
func modelOf(s debate.State, party string) string {
	of := func(id string) debate.Party {
		return lists.Find(s.Table.Parties, func(p debate.Party) bool { return p.ID == id })
	}
	p := of(party)
	if p.Model == "" && p.Debater != "" {
		p = of(p.Debater)
	}
	switch {
	case party == debate.EngineParty:
		return "built-in rules"
	case p.Model == "" && p.Provider == "" && (p.Role == debate.Judge || p.Role == debate.Arbiter):
		return "model not recorded"
	}
	return cmp.Or(p.Model, p.Provider, p.ID, party, "unknown")
}

// merge adds the counts of another list.
func (m models) merge(list []modelStats) {
	for _, from := range list {
		row := m.of(from.Model)
		row.Reviews += from.Reviews
		row.Findings += from.Findings
		row.Confirmed += from.Confirmed
		row.Disputed += from.Disputed
		row.Dismissed += from.Dismissed
		row.Calls += from.Calls
		row.Failed += from.Failed
		row.Micro += from.Micro
		row.Unpriced = row.Unpriced || from.Unpriced
	}
}

// list has the models with a call or a finding, in the order of their names.
func (m models) list() []modelStats {
	var all []modelStats
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if m[name].Reviews > 0 {
			all = append(all, *m[name])
		}
	}
	return all
}
