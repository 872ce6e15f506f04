package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// ModelStats has the findings and the cost of one model over several reviews. Each reported
// finding counts once, even if other models reported it too, and in one of the six counts.
type ModelStats struct {
	Model        string `json:"model"`
	Reviews      int    `json:"reviews"` // with a call to it or a finding of it
	Findings     int    `json:"findings"`
	Confirmed    int    `json:"confirmed"`     // agreed on, also if fixed since
	Disputed     int    `json:"disputed"`      // with an open objection
	NotConfirmed int    `json:"not_confirmed"` // without an objection and without a confirmation
	Dismissed    int    `json:"dismissed"`     // withdrawn, refuted, not about the change, or dismissed by a person
	Known        int    `json:"known"`         // the settings of the base side accept it
	NotDebated   int    `json:"not_debated"`
	Calls        int    `json:"calls"`
	Failed       int    `json:"failed_calls"`
	CostUSD      USD    `json:"cost_usd"`
	CostUnknown  bool   `json:"cost_unknown"` // of some calls no price is known: they are not in cost_usd
}

// builtIn replaces the name of a model for findings of a built-in rule.
const builtIn = "built-in rules"

// unnamed replaces a judge or an arbiter if the record does not name its model. The ids of those
// parties say what they look at, and are not model names.
const unnamed = "model not recorded"

// Models sums the work of the models in several reviews. The zero value is empty.
type Models struct {
	rows map[string]*ModelStats
}

// Add adds a review, without the part remembered from an earlier session. A question has no
// findings, and a finding of an earlier head was counted there.
func (m *Models) Add(s debate.State) {
	asked := make(map[string]bool)
	called := 0
	if s.Received.Recall != nil {
		called = len(s.Received.Recall.Asking.Calls)
	}
	for _, c := range s.Asking.Calls[min(called, len(s.Asking.Calls)):] {
		row := m.row(s, c.Party)
		asked[row.Model] = true
		row.Calls++
		if c.Status != debate.CallOK {
			row.Failed++
		}
		row.CostUSD += USD(c.Usage.CostMicro)
		row.CostUnknown = row.CostUnknown || c.Usage.CostUnknown
	}
	if s.Received.Recall == nil && s.Received.Inquiry == nil {
		e := FromState(s)
		for f := range e.Findings() {
			counted := make(map[string]bool)
			for _, party := range f.ReportedBy {
				row := m.row(s, party)
				if f.Carried == "" && !counted[row.Model] {
					counted[row.Model], asked[row.Model] = true, true
					row.count(*f)
				}
			}
		}
	}
	for model := range asked {
		m.of(model).Reviews++
	}
}

// row is the row for the model of a party. Judges and arbiters share the model of a debater.
func (m *Models) row(s debate.State, party string) *ModelStats {
	p := partyOf(s, party)
	if p.Model == "" && p.Debater != "" {
		p = partyOf(s, p.Debater)
	}
	switch {
	case party == debate.EngineParty:
		return m.of(builtIn)
	case p.Model == "" && p.Provider == "" && p.ID != "" && !isDebater(p.Role):
		return m.of(unnamed)
	}
	return m.of(cmp.Or(p.Model, p.Provider, p.ID, party, "unknown"))
}

// of is the row of a model.
func (m *Models) of(model string) *ModelStats {
	if m.rows == nil {
		m.rows = make(map[string]*ModelStats)
	}
	if m.rows[model] == nil {
		m.rows[model] = &ModelStats{Model: model}
	}
	return m.rows[model]
}

// Merge adds the counts of another list.
func (m *Models) Merge(list []ModelStats) {
	for _, from := range list {
		row := m.of(from.Model)
		row.Reviews += from.Reviews
		row.Findings += from.Findings
		row.Confirmed += from.Confirmed
		row.Disputed += from.Disputed
		row.NotConfirmed += from.NotConfirmed
		row.Dismissed += from.Dismissed
		row.Known += from.Known
		row.NotDebated += from.NotDebated
		row.Calls += from.Calls
		row.Failed += from.Failed
		row.CostUSD += from.CostUSD
		row.CostUnknown = row.CostUnknown || from.CostUnknown
	}
}

// Stats are the models in the order of their names.
func (m *Models) Stats() []ModelStats {
	list := []ModelStats{}
	for _, name := range slices.Sorted(maps.Keys(m.rows)) {
		list = append(list, *m.rows[name])
	}
	return list
}

// count counts a finding.
func (r *ModelStats) count(f Finding) {
	r.Findings++
	switch {
	case isKnown(f):
		r.Known++
	case f.Bucket == debate.Agreed, f.BucketReason == string(debate.ReasonFixed):
		r.Confirmed++
	case f.Bucket == debate.Dismissed:
		r.Dismissed++
	case NotEvaluated(f):
		r.NotDebated++
	case Contradicted(f):
		r.Disputed++
	default:
		r.NotConfirmed++
	}
}

// partyOf is a party by its id, an empty one if there is none.
func partyOf(s debate.State, id string) debate.Party {
	return lists.Find(s.Table.Parties, func(p debate.Party) bool { return p.ID == id })
}
