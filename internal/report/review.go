package report

import "github.com/prdebate/debate/internal/debate"

// Review is one party's review of the proposals of a change along the six
// criteria (R064).
type Review struct {
	Party string `json:"party"`
	debate.ProposalReview
}

// ReviewLines are what parties say of a proposal, one for each criterion.
func ReviewLines(list []Review) []string {
	var out []string
	for _, r := range list {
		for _, part := range []struct{ criterion, text string }{
			{"problem framing", r.ProblemFraming}, {"assumptions", r.Assumptions}, {"tradeoffs", r.Tradeoffs},
			{"alternatives", r.Alternatives}, {"risk controls", r.RiskControls}, {"decision quality", r.DecisionQuality},
		} {
			if part.text != "" {
				out = append(out, OneLine(r.Party)+" on "+part.criterion+": "+OneLine(part.text))
			}
		}
	}
	return out
}
