package report

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// About is the subject of a run, and its time.
type About struct {
	Repository  string `json:"repository"` // owner/name, "" if it is not known
	PullRequest int    `json:"pull_request"`
	Title       string `json:"title"`      // of the pull request
	Base        string `json:"base"`       // commit
	Head        string `json:"head"`       // commit
	StartedAt   int64  `json:"started_at"` // Unix milliseconds
	EndedAt     int64  `json:"ended_at"`   // Unix milliseconds, of the review
}

// Call is one call to a model.
type Call struct {
	Party     string            `json:"party"`
	Kind      debate.CallKind   `json:"kind"`
	N         int               `json:"n"` // exchange
	Status    debate.CallStatus `json:"status"`
	StartedMS int64             `json:"started_ms"` // since the first call
	TookMS    int64             `json:"took_ms"`
	CostUSD   USD               `json:"cost_usd"`

	CostUnknown bool `json:"cost_unknown"` // no price is known
}

// Alternative is another way to reach the goal of the change, as a model sees it.
type Alternative struct {
	Party string `json:"party"`
	Text  string `json:"text"`
}

// about sets the subject of the run, its calls, and the alternatives to the change.
func (e *Envelope) about(s debate.State, n names) {
	e.About = About{
		Repository: s.Received.Anchor.Repo, PullRequest: s.Received.Anchor.PR, Title: s.Received.Anchor.Title,
		Base: s.Snapshot.BaseSHA, Head: s.Snapshot.HeadSHA, StartedAt: s.Clock.StartedAt, EndedAt: s.Clock.EndedAt,
	}
	e.Calls = lists.Map(s.Asking.Calls, func(c debate.Call) Call {
		return Call{
			Party: n.of(c.Party), Kind: c.Kind, N: c.N, Status: c.Status,
			StartedMS: c.Started, TookMS: max(0, c.Ended-c.Started), CostUSD: USD(c.Usage.CostMicro), CostUnknown: c.Usage.CostUnknown,
		}
	})

	if len(e.Calls) > 0 {
		first := slices.MinFunc(e.Calls, func(a, b Call) int { return cmp.Compare(a.StartedMS, b.StartedMS) }).StartedMS
		for i := range e.Calls {
			e.Calls[i].StartedMS -= first
		}
	}
	for _, entry := range s.Book.Ledger {
		if entry.Alternative {
			e.Alternatives = append(e.Alternatives, Alternative{Party: n.of(entry.Source), Text: entry.Text})
		}
	}
}
