package cli

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/report"
)

// withCode adds code lines to findings, from the parts of the change in the record.
func withCode(e report.Envelope, s debate.State, entries []debate.Entry) report.Envelope {
	lines := make(map[string][]report.CodeLine)
	for id, sent := range prompt.SentLines(entries) {
		for _, l := range sent {
			mark := string(l.Op)
			if l.Op == ' ' {
				mark = ""
			}
			lines[id] = append(lines[id], report.CodeLine{Mark: mark, Number: l.Number, Text: l.Text})
		}
	}
	return report.WithCode(e, s, lines)
}
