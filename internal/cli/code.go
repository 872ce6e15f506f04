package cli

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/report"
)

// withCode adds to findings the lines of the change around them, as far as the record
// holds what models were shown.
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
