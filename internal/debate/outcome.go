package debate

import (
	"encoding/json"
	"fmt"

	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/lists"
)

// Result is the result of a debate, which its record seals and a replay must reproduce. It
// has ids, enums, numbers and references alone: the words of parties and people are in the
// events behind the ids, and sentences are made for readers.
type Result struct {
	Session     string      `json:"session"`
	Head        string      `json:"head,omitempty"`
	Target      Target      `json:"target"`
	Mode        Mode        `json:"mode"`
	Outcome     Outcome     `json:"outcome"`
	Exit        Exit        `json:"exit,omitempty"`
	Confidence  Confidence  `json:"confidence"`
	Disposition Disposition `json:"disposition"`
	Conclusion  Conclusion  `json:"conclusion"`

	Coverage  CoverageLevel `json:"coverage"`
	Read      []Readers     `json:"read,omitempty"`
	Primary   string        `json:"primary,omitempty"`
	Exchanges int           `json:"exchanges"`
	Calls     int           `json:"calls"`
	CostMicro int64         `json:"cost_micro"`
	TookMS    int64         `json:"took_ms"`

	Parties    []PartyResult     `json:"parties,omitempty"`
	Positions  []PositionResult  `json:"positions,omitempty"`
	Claims     []ClaimResult     `json:"claims,omitempty"`
	Challenges []ChallengeResult `json:"challenges,omitempty"`
	Decisions  []DecisionResult  `json:"decisions,omitempty"`
	Triggers   []TriggerResult   `json:"triggers,omitempty"`
}

// PartyResult is the result for a party.
type PartyResult struct {
	ID     string      `json:"id"`
	Role   Role        `json:"role"`
	Status PartyStatus `json:"status"`
}

// PositionResult is one version of the primary's position.
type PositionResult struct {
	By          string      `json:"by"`
	AfterN      int         `json:"after_n"`
	Disposition Disposition `json:"disposition"`
	Claims      []string    `json:"claims,omitempty"`
}

// ClaimResult is the result for a claim.
type ClaimResult struct {
	ID          string    `json:"id"`
	Owner       string    `json:"owner"`
	At          string    `json:"at,omitempty"` // path:line
	Side        Side      `json:"side,omitempty"`
	Severity    Severity  `json:"severity"`
	Bucket      Bucket    `json:"bucket"`
	Reason      Reason    `json:"reason,omitempty"`
	SameAs      string    `json:"same_as,omitempty"`
	Carried     string    `json:"carried,omitempty"`
	Trigger     TriggerID `json:"trigger,omitempty"`
	Verified    bool      `json:"verified"`
	Final       bool      `json:"final,omitempty"`
	ReportedBy  []string  `json:"reported_by,omitempty"`
	ConfirmedBy []string  `json:"confirmed_by,omitempty"`
}

// ChallengeResult is the result of a challenge.
type ChallengeResult struct {
	ID       string          `json:"id"`
	Claim    string          `json:"claim"`
	Attacker string          `json:"attacker"`
	Defender string          `json:"defender"`
	Strength Strength        `json:"strength"`
	Status   ChallengeStatus `json:"status"`
	Deadlock DeadlockClass   `json:"deadlock,omitempty"`
}

// DecisionResult is the end of a decision.
type DecisionResult struct {
	ID             string          `json:"id"`
	Fingerprint    string          `json:"fingerprint"`
	LinkedHash     string          `json:"linked_hash,omitempty"`
	Outcome        DecisionOutcome `json:"outcome"`
	Recommendation string          `json:"recommendation,omitempty"`
	Critical       bool            `json:"critical"`
	Claims         []string        `json:"claims,omitempty"`
	Triggers       []TriggerResult `json:"triggers,omitempty"`
	FinalOptions   []PartyOption   `json:"final_options,omitempty"`
	Scores         []Combined      `json:"scores,omitempty"`
	Votes          []jury.Tally    `json:"votes,omitempty"`
	Human          *HumanResult    `json:"human,omitempty"`
}

// TriggerResult is a reason why a decision may need a human.
type TriggerResult struct {
	ID     TriggerID `json:"id"`
	Source string    `json:"source"`
	Path   string    `json:"path,omitempty"`
	Line   int       `json:"line,omitempty"`
	By     []string  `json:"by,omitempty"`
	Waived bool      `json:"waived,omitempty"`
}

// HumanResult is a person's item and answer.
type HumanResult struct {
	Status HumanStatus `json:"status"`
	By     string      `json:"by,omitempty"`
	Option string      `json:"option,omitempty"`
	At     int64       `json:"at,omitempty"`
	Head   string      `json:"head,omitempty"`
	Local  bool        `json:"local,omitempty"` // on the command line, for this machine only
}

// Close returns the last event in the record of an ended debate.
func (s State) Close() (Closed, error) {
	outcome, err := json.Marshal(s.Result())
	if err != nil {
		return Closed{}, fmt.Errorf("encode the outcome: %w", err)
	}
	return Closed{Outcome: outcome}, nil
}

// Result computes the result of a debate.
func (s State) Result() Result {
	conclusion, _ := s.Conclusion()
	cost, _ := s.Asking.Spent()
	r := Result{
		Session: s.Received.SessionID, Head: s.Snapshot.HeadSHA, Target: s.Split.Target, Mode: s.Received.Mode,
		Outcome: s.Ending.Outcome, Exit: s.Talk.Exit, Confidence: s.Ending.Confidence, Disposition: s.Ending.Disposition, Conclusion: conclusion,
		Coverage: s.Coverage(), Read: readers(s.Split.Coverage), Primary: s.Table.Primary, Exchanges: s.Talk.Exchange,
		Calls: len(s.Asking.Calls), CostMicro: cost, TookMS: s.Clock.EndedAt - s.Clock.StartedAt, Triggers: triggerResults(s.Agenda.Triggers),
	}
	for _, p := range s.Table.Parties {
		r.Parties = append(r.Parties, PartyResult{p.ID, p.Role, p.Status})
	}
	for _, p := range s.Talk.Positions {
		r.Positions = append(r.Positions, PositionResult{p.By, p.AfterN, p.Disposition, p.Claims})
	}
	r.Claims, r.Decisions = lists.Map(s.Book.Claims, claimResult), lists.Map(s.Agenda.Decisions, decisionResult)
	for _, k := range s.Book.Challenges {
		r.Challenges = append(r.Challenges, ChallengeResult{k.ID, k.Claim, k.Attacker, k.Defender, k.Strength, k.Status, k.Deadlock})
	}
	return r
}

func claimResult(c Claim) ClaimResult {
	r := ClaimResult{
		ID: c.ID, Owner: c.Owner, Severity: c.Severity, Bucket: c.Bucket, Reason: c.Reason, SameAs: c.SameAs,
		Carried: c.Carried, Trigger: c.Trigger, Verified: c.Verified(), Final: c.Final,
		ReportedBy: c.ReportedBy, ConfirmedBy: c.ConfirmedBy,
	}
	if cite := c.Cite(); cite.Path != "" {
		r.At, r.Side = cite.String(), cite.Side
	}
	return r
}

func decisionResult(d Decision) DecisionResult {
	r := DecisionResult{
		ID: d.ID, Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, Outcome: d.Outcome, Recommendation: d.Recommendation,
		Critical: d.Critical, Claims: d.Claims, Triggers: triggerResults(d.Triggers), FinalOptions: d.FinalOptions,
	}
	if d.Rubric != nil {
		r.Scores = d.Rubric.Combined
	}
	if d.Panel != nil {
		r.Votes = d.Panel.Distribution
	}
	if h := d.Human; h != nil {
		r.Human = &HumanResult{h.Status, h.By, h.Option, h.At, h.Head, h.Local}
	}
	return r
}

func triggerResults(list []Trigger) []TriggerResult {
	return lists.Map(list, func(t Trigger) TriggerResult {
		return TriggerResult{t.ID, t.Source, t.Path, t.Line, t.By, t.Waived != ""}
	})

}
