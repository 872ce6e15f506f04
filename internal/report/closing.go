package report

import (
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Severities explains the three severities.
const Severities = "P1 breaks something, P2 should be fixed, P3 is optional"

// shownHash is how many digits of a hash people see.
const shownHash = 7

// closing is the last fold: the reviewed files, the models, the cost and the commands.
func (p Pull) closing(e Envelope) string {
	title := []string{Count(e.Stats.Files, "file")}
	if DebatedChange(e) && whole(e) && len(e.Stats.Excused) == 0 {
		title[0] += ", all read"
	}
	if e.Stats.Calls > 0 {
		title = append(title, Count(e.Stats.Calls, "call"), Cost(e.Stats.CostUSD, e.Stats.CostUnknown))
	}
	current := e.Inquiry == nil && len(Current(e)) > 0
	var lines []string
	add := func(isTrue bool, text string) {
		if isTrue {
			lines = append(lines, text)
		}
	}
	add(Reviewed(e), WhereRead(e, inline))
	add(p.Head == "" && Scope(e) != "", "Reviewed: "+comment.Code(Scope(e)))
	asked := lists.Keep(e.Parties, func(p Party) bool { return p.Calls > 0 && p.debates() })
	add(len(asked) > 0, entryMarkdown("Models: "+Capped(lists.Map(asked, func(p Party) string { return OneLine(p.ID) + Wrapped(" (", OneLine(p.Model), ")") }), ", ")))
	add(p.Spent > e.Stats.CostUSD || p.SpentUnknown && !e.Stats.CostUnknown, comment.MarkdownLine("All reviews of this pull request: "+Cost(p.Spent, p.SpentUnknown)))
	add(HasDebate(e) && len(e.Unsaid) > 0, entryMarkdown("Less sure because: "+Capped(e.Unsaid, "; ")))
	add(p.Head != "", "Commit "+p.short(p.Head))
	add(e.Outcome != debate.Skipped, p.fullReport(e))
	add(p.RecordURL != "" && current, "Prompt for a coding agent: "+comment.Code("debate report RECORD --format agent"))
	add(Reviewed(e) && current, Severities)
	if p.Number > 0 && e.Inquiry == nil {
		title = append(title, "commands")
		add(current, comment.Code("/debate dispute F1 WHY")+" objects to a finding")
		add(true, comment.Code("/debate help")+" lists all commands")
	}
	return fold(strings.Join(title, " · "), items(Present(lines...)))
}

// fullReport links the record of a review, with its hash.
func (p Pull) fullReport(e Envelope) string {
	seal := Wrapped("SHA-256 ", comment.Code(OneLine(p.RecordHash[:min(shownHash, len(p.RecordHash))])), "")
	if p.RecordURL != "" {
		return strings.Join(Present(p.link("Full report", p.RecordURL), seal), ", ")
	}
	return Wrapped("Record: ", strings.Join(Present(comment.Code(OneLine(e.Record)), seal), ", "), "")
}
