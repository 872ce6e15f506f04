package terminal

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/report"
)

// details has everything other than the findings.
func (p *page) details(e report.Envelope) {
	for _, part := range slices.Concat(report.Noticed(e), report.Remaining(e), report.Details(e)) {
		p.part(part)
	}
	p.blank()
	if report.Reviewed(e) && len(report.Current(e)) > 0 {
		p.paragraph(dim, "", "  ", report.Severities+".")
	}
	p.paragraph(dim, "", "  ", report.Scope(e))
	if report.Reviewed(e) {
		p.paragraph(dim, "", "  ", report.Coverage(e)+".")
	}
	figures := []string{report.Size(e)}
	if e.Stats.Calls > 0 {
		figures = append(figures, report.Count(e.Stats.Rounds, "round"), report.Count(e.Stats.Calls, "call"))
	}
	p.paragraph(dim, "", "  ", strings.Join(figures, "; "))
}

// part is one section. A row of a table becomes a paragraph, to fit any width.
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
