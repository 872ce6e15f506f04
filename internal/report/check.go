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
	maxCheckTitle = 140 // characters; a commit status takes no more either
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
	b := &blocks{room: maxCheckText - Reserved}
	b.add(heading(e, conclusion, why))
	if e.Outcome == debate.Skipped {
		b.add("Comment /debate run to review it.\n")
	}
	if conclusion == debate.Neutral {
		b.add("This check is advisory and does not block.\n")
	}
	b.add(p.notes(e))
	open := Awaiting(e)
	for _, d := range open[:min(len(open), MaxListed)] {
		b.add(p.waiting(e, d, MaxListed))
	}
	if e.Inquiry == nil {
		silent := lists.Keep(Agreed(e), func(f Finding) bool {
			onHead := f.Line > 0 && f.Path != debate.BodyPath && f.Side != debate.Left
			return onHead && !p.Inline[f.ID]
		})
		notes = lists.Map(silent[:min(len(silent), MaxCheckNotes)], checkNote)
	}
	return checkTitle(e), b.out.String(), notes
}

// checkTitle is the verdict with its counts, in one line of plain text.
func checkTitle(e Envelope) string {
	v := cameOut(e)
	var counts []string
	for _, c := range []struct {
		n        int
		severity debate.Severity
	}{{len(e.P1), debate.P1}, {len(e.P2), debate.P2}, {len(e.P3), debate.P3}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.severity))
		}
	}
	text := v.String()
	if Reviewed(e) && len(counts) > 0 && (len(e.P1) > 0 || v.first != p1InTheWay) { // a verdict has only one number
		text = v.first + ": " + strings.Join(counts, ", ")
		if v.rest != "" {
			text = v.first + ": " + v.rest + " (" + strings.Join(counts, ", ") + ")"
		}
	}
	text += stopped(e)
	return comment.ClipWords(unmarked(text), maxCheckTitle)
}

func checkNote(f Finding) CheckNote {
	body := comment.Clip(comment.Terminal(comment.Clip(f.Body, MaxBody)), MaxBody)
	return CheckNote{
		Path: f.Path, StartLine: f.Line, EndLine: Last(f), Level: cmp.Or(levels[f.Severity], "notice"),
		Title:   comment.Clip(unmarked(string(f.Severity)+Wrapped(" ", f.ID, "")), maxCheckTitle),
		Message: OneLine(f.Title) + Wrapped("\n\n", body, "") + "\n\n" + StandsBehind(f),
	}
}

// levels are the annotation levels of P1 and P2.
var levels = map[debate.Severity]string{debate.P1: "failure", debate.P2: "warning"}

// stages names the work in each stage of a debate.
var stages = map[debate.Stage]string{
	debate.StageOpening:    "reviewing",
	debate.StageChallenge:  "checking what was found",
	debate.StageConfront:   "debating what is disputed",
	debate.StageRebut:      "debating what is disputed",
	debate.StageConsensus:  "debating what is disputed",
	debate.StageIterate:    "debating what is disputed",
	debate.StageArbitrate:  "weighing the answers",
	debate.StagePanel1:     "weighing the answers",
	debate.StagePanel2:     "weighing the answers",
	debate.StageScore:      "weighing the answers",
	debate.StageSumUp:      "weighing the answers",
	debate.StageGate:       "weighing the answers",
	debate.StageSynthesise: "weighing the answers",
	debate.StageDispute:    "looking again at a disputed finding",
	debate.StageDegraded:   "applying the built-in rules",
}

// Progress is one line of plain text on a running debate.
func Progress(s debate.State) string {
	text := cmp.Or(stages[s.Stage], "starting")
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
