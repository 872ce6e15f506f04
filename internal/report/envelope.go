// Package report renders the outcome of a run for people and for tools. All
// renderings start from one Envelope, which is computed from the folded record
// and holds nothing that the record does not.
package report

import "github.com/prdebate/debate/internal/debate"

// SchemaVersion of the JSON envelope. Adding a member does not raise it.
const SchemaVersion = 1

// Envelope is the result of a run: the output envelope (R055) with what people
// and scripts need around it. Every list is sorted and none is null in JSON.
type Envelope struct {
	SchemaVersion      int                `json:"schema_version"`
	SessionID          string             `json:"session_id"`
	Target             debate.Target      `json:"target"`
	Scope              string             `json:"scope"`
	Mode               debate.Mode        `json:"mode"`
	Outcome            debate.Outcome     `json:"outcome"`
	Confidence         debate.Confidence  `json:"confidence"`
	Disposition        debate.Disposition `json:"disposition"`
	Recommendation     debate.Disposition `json:"recommendation"`
	Summary            string             `json:"summary"`
	P1                 []Finding          `json:"p1"`
	P2                 []Finding          `json:"p2"`
	P3                 []Finding          `json:"p3"`
	Unresolved         []Finding          `json:"unresolved"`
	Dismissed          []Finding          `json:"dismissed"`
	NotEvaluated       []Finding          `json:"not_evaluated"`
	Missing            []string           `json:"missing"` // criteria and items without text (R055, S16)
	Notices            []debate.Notice    `json:"notices"` // facts about the change that are no findings (S22)
	Evidence           []string           `json:"evidence"`
	Decisions          []Decision         `json:"decisions"`
	Triggers           []Trigger          `json:"triggers"`
	Parties            []Party            `json:"parties"`
	BackendUnavailable []string           `json:"backend_unavailable"`
	Positions          []struct{}         `json:"positions"` // filled by a debate
	Deltas             []struct{}         `json:"deltas"`    // filled by a debate
	Question           *string            `json:"question"`
	Coverage           string             `json:"coverage"` // full, partial or none (S05)
	Stats              Stats              `json:"stats"`
	Record             string             `json:"record"`
	Notes              []string           `json:"notes"` // said at the top: what the scope took in, broken settings
}

// Finding is one claim as people see it.
type Finding struct {
	ID           string              `json:"id"`
	Severity     debate.Severity     `json:"severity"`
	Route        string              `json:"route"` // code or proposal
	Category     string              `json:"category"`
	Rule         string              `json:"rule"`
	Title        string              `json:"title"`
	Body         string              `json:"body"`
	Path         string              `json:"path"`
	Line         int                 `json:"line"`
	EndLine      int                 `json:"end_line"`
	Side         debate.Side         `json:"side"`
	EvidenceType debate.EvidenceType `json:"evidence_type"`
	Evidence     []string            `json:"evidence"`
	Quote        string              `json:"quote"`
	ReportedBy   []string            `json:"reported_by"`
	ConfirmedBy  []string            `json:"confirmed_by"`
	Bucket       debate.Bucket       `json:"bucket"`
	BucketReason string              `json:"bucket_reason,omitempty"`
	Suggestion   string              `json:"suggestion"`
}

// Decision is one question that the run answered or hands to a human.
type Decision struct {
	ID             string                 `json:"id"`
	Fingerprint    string                 `json:"fingerprint"`
	Question       string                 `json:"question"`
	Options        []Option               `json:"options"`
	Triggers       []DecisionTrigger      `json:"triggers"`
	Critical       bool                   `json:"critical"`
	Outcome        debate.DecisionOutcome `json:"outcome"`
	Recommendation debate.Disposition     `json:"recommendation"`
	Rubric         *struct{}              `json:"rubric"` // filled by a debate
	Panel          *struct{}              `json:"panel"`  // filled by a debate
	Human          *struct{}              `json:"human"`  // filled by a human decision
}

// Option of a decision.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description"`
	StatusQuo   bool   `json:"status_quo"`
}

// DecisionTrigger says why a decision is critical.
type DecisionTrigger struct {
	ID     debate.TriggerID `json:"id"`
	Source string           `json:"source"`
	Detail string           `json:"detail"`
}

// Trigger is one policy match, critical or merely shown.
type Trigger struct {
	ID     debate.TriggerID `json:"id"`
	Source string           `json:"source"`
	Path   string           `json:"path"`
	Line   int              `json:"line"`
	Detail string           `json:"detail"`
}

// Party is one participant and what became of it.
type Party struct {
	ID       string `json:"id"`
	Role     string `json:"role"`
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Family   string `json:"family"`
	Status   string `json:"status"`
}

// Stats counts what was read and what it cost.
type Stats struct {
	Files        int      `json:"files"`
	Additions    int      `json:"additions"`
	Deletions    int      `json:"deletions"`
	Segments     int      `json:"segments"`
	NotReviewed  []string `json:"not_reviewed"` // "path: reason", what not even the embedded critic read
	Rounds       int      `json:"rounds"`
	Calls        int      `json:"calls"`
	TokensIn     int      `json:"tokens_in"`
	TokensCached int      `json:"tokens_cached"`
	TokensOut    int      `json:"tokens_out"`
	CostUSD      float64  `json:"cost_usd"`
	DurationMS   int64    `json:"duration_ms"`
}
