package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Bounds of a check run: GitHub takes 65,535 characters of summary and 50
// annotations in one request.
const (
	maxCheckTitle = 140 // characters
	maxCheckText  = 30_000
	MaxCheckNotes = 50 // annotations of one check run
)

// CheckNote is an annotation of a check run: plain text on lines of the head.
type CheckNote struct {
	Path      string
	StartLine int
	EndLine   int
	Level     string // failure for a P1, warning for a P2, notice for a P3
	Title     string
	Message   string
}

// CheckOutput renders a check run: a title in plain text, a summary in Markdown, and at most
// MaxCheckNotes annotations: the most severe findings without an inline comment. A path is as the
// change spells it; a log has to escape it.
func CheckOutput(e Envelope, p Pull, conclusion debate.Conclusion, why string) (title, summary string, notes []CheckNote) {
	var counts []string
	for i, list := range [][]Finding{e.P1, e.P2, e.P3} {
		if len(list) > 0 && Reviewed(e) {
			counts = append(counts, fmt.Sprintf("%d P%d", len(list), i+1))
		}
	}
	title = comment.ClipWords(unmarked(headline(e, strings.Join(counts, ", "))), maxCheckTitle)

	b := &blocks{room: maxCheckText - Reserved}
	b.add(p.heading(e, conclusion, why))
	if e.Outcome == debate.Skipped && !Nothing(e) {
		b.add("Someone with write access can comment " + comment.Code("/debate run") + " for a review.\n")
	}
	if conclusion == debate.Neutral {
		b.add("This check is advisory and does not block.\n")
	}
	b.add(p.notes(e))
	for _, d := range lists.First(Awaiting(e), MaxListed) {
		text, answers := p.waiting(e, d)
		b.add(text + answers)
	}
	for _, f := range Agreed(e) {
		onHead := f.Line > 0 && f.Path != debate.BodyPath && f.Side != debate.Left
		if !onHead || p.Inline[f.ID] || e.Inquiry != nil || len(notes) == MaxCheckNotes {
			continue
		}
		notes = append(notes, CheckNote{
			Path: f.Path, StartLine: f.Line, EndLine: Last(f), Level: cmp.Or(levels[f.Severity], "notice"),
			Title:   comment.ClipWords(unmarked(strings.Join(Present(string(f.Severity), f.ID, f.Title), " ")), maxCheckTitle),
			Message: Wrapped("", BoundedText(f.Body, MaxBody), "\n\n") + StandsBehind(f),
		})
	}
	return title, b.out.String(), notes
}

// levels are the annotation levels of P1 and P2.
var levels = map[debate.Severity]string{debate.P1: "failure", debate.P2: "warning"}

// Progress is one line of plain text on a running debate.
func Progress(s debate.State) string {
	text := cmp.Or(map[debate.Stage]string{
		"": "starting", debate.StageOpening: "reviewing", debate.StageDegraded: "applying the built-in rules",
	}[s.Stage], "debating")
	if s.Terminal() {
		text = "finished"
	}
	if s.Talk.Exchange > 0 {
		text += fmt.Sprintf(", round %d", s.Talk.Exchange)
	}
	if n := len(s.Asking.Calls); n > 0 {
		text += ", " + Count(n, "call") + " so far"
	}
	return text
}
