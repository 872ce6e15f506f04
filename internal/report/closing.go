package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// closing is the last fold: the reviewed files, the models, the cost and the commands.
func (p Pull) closing(e Envelope) string {
	var lines []string
	add := func(texts ...string) { lines = append(lines, texts...) }
	reviewed := Reviewed(e)
	if DebatedChange(e) && !whole(e) { // else the verdict says it
		add(comment.MarkdownLine(Coverage(e)))
	}
	if reviewed {
		add(WhereRead(e, inline))
	}
	if scope := Scope(e); p.Head == "" && scope != "" {
		add("Reviewed: " + comment.Code(scope))
	}
	add(entryMarkdown(modelNames(e)))
	earlier := p.Spent > e.Stats.CostUSD || p.SpentUnknown && !e.Stats.CostUnknown
	if earlier {
		add(comment.MarkdownLine("All reviews of this pull request: " + Cost(p.Spent, p.SpentUnknown)))
	}
	if HasDebate(e) {
		add(entryMarkdown(Wrapped("Less sure because: ", Capped(e.Unsaid, "; "), "")))
	}
	add(p.at(e), p.fullReport(e))
	if p.RecordURL != "" && len(Current(e)) > 0 {
		add("Prompt for a coding agent: " + comment.Code("debate report RECORD --format agent"))
	}
	if reviewed && len(Current(e)) > 0 {
		add(Severities)
	}
	if p.Number > 0 {
		add(offered(e))
	}
	return fold(p.inBrief(e), items(Present(lines...)))
}

// at is the reviewed head, "" if it is not known.
func (p Pull) at(e Envelope) string {
	switch {
	case p.Head == "":
		return ""
	case HasDebate(e):
		return "Reviewed at " + p.short(p.Head)
	}
	return "Commit " + p.short(p.Head)
}

// Severities explains the three severities.
const Severities = "P1 breaks something, P2 should be fixed, P3 is optional"

// fullReport links the record of a review, with its hash. A skipped change has none.
func (p Pull) fullReport(e Envelope) string {
	sealed := ""
	if p.RecordHash != "" {
		sealed = "SHA-256 " + comment.Code(OneLine(p.RecordHash[:min(shownHash, len(p.RecordHash))]))
	}
	switch {
	case e.Outcome == debate.Skipped:
		return ""
	case p.RecordURL != "":
		return strings.Join(Present(p.link("Full report", p.RecordURL), sealed), ", ")
	case sealed == "" && e.Record != "":
		return "Record: " + comment.Code(OneLine(e.Record))
	}
	return Wrapped("Record with ", sealed, "")
}

// shownHash is how many digits of a hash people see.
const shownHash = 7

// offered names the commands for a comment.
func offered(e Envelope) string {
	text := comment.Code("/debate help") + " lists all commands"
	if len(Current(e)) > 0 {
		text = comment.Code("/debate dispute F1 WHY") + " objects to a finding, " + text
	}
	return text
}

// inBrief is the title of the last fold.
func (p Pull) inBrief(e Envelope) string {
	parts := []string{Count(e.Stats.Files, "file")}
	switch {
	case !DebatedChange(e) || !whole(e):
	case len(e.Stats.Excused) > 0:
		parts[0] += fmt.Sprintf(", %d not read", len(e.Stats.Excused))
	default:
		parts[0] += ", all read"
	}
	if e.Stats.Calls > 0 {
		parts = append(parts, Count(e.Stats.Calls, "call"), Cost(e.Stats.CostUSD, e.Stats.CostUnknown))
	}
	if p.Number > 0 {
		parts = append(parts, "commands")
	}
	return strings.Join(parts, " · ")
}

// modelNames lists the debaters, each with its model.
func modelNames(e Envelope) string {
	asked := lists.Keep(e.Parties, func(p Party) bool { return p.Calls > 0 && p.debates() })
	return Wrapped("Models: ", Capped(lists.Map(asked, func(p Party) string {
		return OneLine(p.ID) + Wrapped(" (", OneLine(p.Model), ")")
	}),

		", "), "")
}
