package debate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// Result is the result of a debate, which its record seals and a replay must reproduce. It
// has ids, enums and numbers alone: everything else about them follows from the events, and
// sentences are made for readers.
type Result struct {
	Session     string        `json:"session"`
	Head        string        `json:"head,omitempty"`
	Target      Target        `json:"target"`
	Mode        Mode          `json:"mode"`
	Outcome     Outcome       `json:"outcome"`
	Exit        Exit          `json:"exit,omitempty"`
	Confidence  Confidence    `json:"confidence"`
	Disposition Disposition   `json:"disposition"`
	Conclusion  Conclusion    `json:"conclusion"`
	Coverage    CoverageLevel `json:"coverage"`
	Exchanges   int           `json:"exchanges"`
	Calls       int           `json:"calls"`
	CostMicro   int64         `json:"cost_micro"`
	TookMS      int64         `json:"took_ms"`
	Findings    []string      `json:"findings,omitempty"`   // such as "F1/P1/agreed"
	Objections  []string      `json:"objections,omitempty"` // such as "K1/F1/resolved"
	Answers     []string      `json:"answers,omitempty"`    // such as "D0/settled/revise"
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
	conclusion := s.Conclusion().Check
	cost, _ := s.Asking.Spent()
	row := func(codes ...string) string {
		return strings.Join(slices.DeleteFunc(codes, func(code string) bool { return code == "" }), "/")
	}
	return Result{
		Session: s.Received.SessionID, Head: s.Snapshot.HeadSHA, Target: s.Split.Target, Mode: s.Received.Mode,
		Outcome: s.Ending.Outcome, Exit: s.Talk.Exit, Confidence: s.Ending.Confidence, Disposition: s.Ending.Disposition,
		Conclusion: conclusion, Coverage: s.Coverage(), Exchanges: s.Talk.Exchange,
		Calls: len(s.Asking.Calls), CostMicro: cost, TookMS: s.Clock.EndedAt - s.Clock.StartedAt,
		Findings: lists.Map(s.Book.Claims, func(c Claim) string {
			return row(c.ID, string(c.Severity), string(c.Bucket), string(c.Reason), c.SameAs)
		}),
		Objections: lists.Map(s.Book.Challenges, func(k Challenge) string {
			return row(k.ID, k.Claim, string(k.Status), string(k.Deadlock))
		}),
		Answers: lists.Map(s.Agenda.Decisions, func(d Decision) string {
			return row(d.ID, string(d.Outcome), d.Recommendation, d.item().By, d.item().Option)
		}),
	}
}
