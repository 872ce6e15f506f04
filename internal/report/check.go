package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
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

// CheckOutput renders what a check run shows: a title in plain text, a summary in
// Markdown, and at most MaxCheckNotes annotations: the most severe findings that no inline
// comment carries. Path is as the change spells it; a log has to escape it.
func CheckOutput(e Envelope, p Pull, conclusion debate.Conclusion, why string) (title, summary string, notes []CheckNote) {
	why = p.said(e, why)
	e = p.Named(e)
	b := &blocks{room: maxCheckText - Reserved}
	b.add(heading(e, conclusion, why))
	if conclusion == debate.Neutral {
		b.add("This check is advisory and does not block.\n")
	}
	b.add(p.notes(e))
	for i, d := range Awaiting(e) {
		if i == MaxListed {
			break
		}
		b.add(p.waiting(e, d, MaxListed))
	}
	b.add(strings.TrimPrefix(p.closing(e), "\n"))
	for _, f := range Agreed(e) {
		onHead := f.Path != "" && f.Path != debate.BodyPath && f.Line > 0 && f.Side != debate.Left
		if !onHead || p.Inline[f.ID] || e.Inquiry != nil {
			continue
		}
		if len(notes) == MaxCheckNotes {
			break
		}
		notes = append(notes, checkNote(f))
	}
	return checkTitle(e), b.out.String(), notes
}

// checkTitle is the verdict with what it counts, in one line of plain text.
func checkTitle(e Envelope) string {
	text := cameOut(e)
	var counts []string
	for _, c := range []struct {
		n        int
		severity debate.Severity
	}{{len(e.P1), debate.P1}, {len(e.P2), debate.P2}, {len(e.P3), debate.P3}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.severity))
		}
	}
	if Reviewed(e) && len(counts) > 0 && (len(e.P1) > 0 || text != p1InTheWay) { // a number stands there once
		text = strings.TrimSuffix(text, remarked(e))
		if all := strings.Join(counts, ", "); strings.Contains(text, ": ") {
			text += " (" + all + ")"
		} else {
			text += ": " + all
		}
	}
	text += stopped(e)
	return comment.Clip(unmarked(text), maxCheckTitle)
}

func checkNote(f Finding) CheckNote {
	level := "notice"
	switch f.Severity {
	case debate.P1:
		level = "failure"
	case debate.P2:
		level = "warning"
	}
	title := string(f.Severity)
	if f.ID != "" {
		title += " " + f.ID
	}
	text := OneLine(f.Title)
	if f.Body != "" {
		text += "\n\n" + comment.Clip(comment.Terminal(comment.Clip(f.Body, MaxBody)), MaxBody)
	}
	return CheckNote{
		Path: f.Path, StartLine: f.Line, EndLine: max(f.Line, f.EndLine), Level: level,
		Title: comment.Clip(unmarked(title), maxCheckTitle), Message: text + "\n\n" + StandsBehind(f),
	}
}

// Progress is one line of plain text on a debate that still runs (S23).
func Progress(s debate.State) string {
	text := "starting"
	switch s.Stage {
	case debate.StageOpening:
		text = "reviewing"
	case debate.StageChallenge, debate.StagePress:
		text = "checking what was found"
	case debate.StageConfront, debate.StageRebut, debate.StageConsensus, debate.StageIterate:
		text = "debating what is disputed"
	case debate.StageArbitrate, debate.StagePanel1, debate.StagePanel2, debate.StageScore, debate.StageSumUp, debate.StageGate, debate.StageSynthesise:
		text = "weighing the answers"
	case debate.StageDispute:
		text = "looking again at a disputed finding"
	case debate.StageDegraded:
		text = "applying the built-in rules"
	}
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
