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

// criteria has the six criteria for a proposal, in reading order.
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

// reviewLines has the reviews of a proposal, one line for each model and criterion.
func reviewLines(list []Review) []string {
	var out []string
	for _, r := range list {
		for _, c := range criteria {
			out = append(out, Wrapped(OneLine(r.Party)+" on "+strings.ToLower(c.title)+": ", OneLine(c.of(r)), ""))
		}
	}
	return Present(out...)
}

// criteriaMarkdown has a paragraph for each criterion of a design document with the answer of
// each model (R064).
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
