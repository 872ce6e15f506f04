package terminal

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// Explain shows the statements about findings in order, with checked quotes and the result. No
// ids means all findings. Unknown has the ids without a finding.
func Explain(e report.Envelope, ids []string, opt Options) (text []byte, unknown []string) {
	p := newPage(opt)
	for f := range e.Findings() {
		asked := slices.ContainsFunc(ids, func(id string) bool { return strings.EqualFold(id, f.ID) })
		if len(ids) > 0 && !asked {
			continue
		}
		if p.out.Len() > 0 {
			p.blank()
		}
		p.conversation(*f)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(Explainable(e), func(known string) bool { return strings.EqualFold(id, known) }) {
			unknown = append(unknown, id)
		}
	}
	return []byte(p.out.String()), unknown
}

// Explainable are the ids of the findings of a numbered envelope.
func Explainable(e report.Envelope) []string {
	var ids []string
	for f := range e.Findings() {
		ids = append(ids, f.ID)
	}
	return ids
}

// conversation writes a finding with the statements about it.
func (p *page) conversation(f report.Finding) {
	p.line(severityStyle(f.Severity), report.OneLine(f.ID)+"  "+report.OneLine(string(f.Severity))+"  "+report.Place(f)+"  "+report.Standing(f))
	p.paragraph(bold, "  ", "  ", report.OneLine(f.Title))
	wide := 0
	for _, l := range f.Conversation {
		wide = max(wide, uniseg.StringWidth(report.Speaker(l)))
	}
	wide = min(wide, 20)
	rest := strings.Repeat(" ", wide+4)
	for _, l := range f.Conversation {
		if more := report.LeftOut(l); more != "" {
			p.line(dim, rest+more)
		}
		who := report.Speaker(l)
		p.paragraph(plain, "  "+who+strings.Repeat(" ", max(0, wide-uniseg.StringWidth(who))+2), rest, report.Spoken(l))
	}
	for _, one := range report.Proofs(f) {
		p.paragraph(bold, "  ", "  ", one.Says())
		p.test(one)
	}
	p.settled(f, rest)
}

// settled writes the result of a finding, and what would settle an open one.
func (p *page) settled(f report.Finding, rest string) {
	if why := report.Settled(f); why != "" {
		p.paragraph(dim, "  "+report.Standing(f)+": ", rest, why)
	}
	if f.Crux != "" && f.Bucket != debate.Agreed {
		p.paragraph(bold, "  to settle it: ", rest, report.OneLine(f.Crux))
	}
}
