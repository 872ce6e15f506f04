package report

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Review is one party's review of the proposals of a change along the six
// criteria (R064).
type Review struct {
	Party string `json:"party"`
	debate.ProposalReview
}

// criteria are the six on which a proposal is judged, in reading order.
var criteria = []struct {
	title string
	of    func(Review) string
}{
	{"Problem", func(r Review) string { return r.ProblemFraming }},
	{"Assumptions", func(r Review) string { return r.Assumptions }},
	{"Tradeoffs", func(r Review) string { return r.Tradeoffs }},
	{"Alternatives", func(r Review) string { return r.Alternatives }},
	{"Risk controls", func(r Review) string { return r.RiskControls }},
	{"Is it well decided", func(r Review) string { return r.DecisionQuality }},
}

// ReviewLines are what models say of a proposal, one line for each criterion.
func ReviewLines(list []Review) []string {
	var out []string
	for _, r := range list {
		for _, c := range criteria {
			out = append(out, Wrapped(OneLine(r.Party)+" on "+strings.ToLower(c.title)+": ", OneLine(c.of(r)), ""))
		}
	}
	return Present(out...)
}

// criteriaMarkdown are the answers on a design document, a paragraph for each criterion
// with what each model says of it (R064).
func criteriaMarkdown(reviews []Review) string {
	var b strings.Builder
	for _, c := range criteria {
		text := ""
		for _, r := range reviews {
			text += Wrapped(" "+inline(r.Party)+": ", cutShort(c.of(r)), "")
		}
		b.WriteString(Wrapped("**"+c.title+"**.", text, "\n\n"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
