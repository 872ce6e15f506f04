package terminal

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// details has everything other than the findings.
func (p *page) details(e report.Envelope) {
	var answered []string
	for _, d := range report.Closed(e) {
		answered = append(answered, report.CameTo(d)...)
	}
	p.section("Questions", answered)
	p.facts(e)
	for _, part := range report.Details(e) {
		p.part(part)
	}
	p.blank()
	if report.Reviewed(e) && len(report.Agreed(e))+len(e.Unresolved) > 0 {
		p.paragraph(dim, "", "  ", report.Severities+".")
	}
	p.paragraph(dim, "", "  ", report.Scope(e))
	if report.Reviewed(e) {
		p.paragraph(dim, "", "  ", report.Coverage(e)+".")
	}
	p.paragraph(dim, "", "  ", report.Counts(e))
}

// part is one section about the debate. A row of a table becomes a paragraph, to fit any width.
func (p *page) part(part report.Section) {
	p.section(part.Title, part.Lines)
	if len(part.Table) == 0 {
		return
	}
	var rows []string
	for _, row := range part.Table[1:] {
		var cells []string
		for i, cell := range row {
			if cell != "" {
				cells = append(cells, strings.ToLower(report.OneLine(part.Table[0][i]))+" "+report.OneLine(cell))
			}
		}
		rows = append(rows, strings.Join(cells, ", "))
	}
	p.entries("  ", rows)
}

// facts has other facts about the change and the review.
func (p *page) facts(e report.Envelope) {
	p.section("Noticed", lists.Map(e.Notices, func(n debate.Notice) string {
		return strings.TrimSpace(report.Spot(n.Path, n.Line) + "  " + report.OneLine(n.Text))
	}))
	p.section(report.LoneTitle, report.LoneLines(e))
	p.section("The proposal does not say", lists.Map(e.Missing, report.OneLine))
	p.section("Touched, and no decision needed", lists.Map(report.Shown(e), func(t report.Trigger) string {
		return kind(t.ID) + "  " + strings.TrimSpace(report.Spot(t.Path, t.Line)+"  "+report.OneLine(t.Detail))
	}))
	p.section("Not read", lists.Map(e.Stats.NotReviewed, report.OneLine))
	p.section("Not reviewed in full", lists.Map(e.Stats.Unreviewed, report.OneLine))
	p.section("Not debated", report.ListedAll(e.NotEvaluated))
	p.section(report.UnprovedTitle(e), report.ListedAll(e.Unproved))
	for _, part := range report.Dropped(e) {
		p.section(part.Title, part.Lines)
	}
	p.section("Known", report.ListedAll(e.Known))
}
