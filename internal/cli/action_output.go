package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

// show writes the outputs, the step summary, the annotations and the report. The outputs
// come first: later steps need the record even if the rest fails.
func (j *job) show(result pull.Result) error {
	if result.Done == "" { // nothing was read
		return j.runner.SetOutputs(action.Outputs{})
	}
	m, head := debate.Memory{}, "" // the result of an earlier head does not count
	if result.Reviewed {
		m, head = result.Checkpoint.Debate, result.Head
	}
	out := action.Outputs{
		Outcome: m.Ending.Outcome, Disposition: m.Ending.Disposition, Confidence: m.Ending.Confidence, Decisions: len(m.Agenda.Decisions),
		Head: head, Record: result.Record, CommentURL: result.CommentURL,
	}
	for _, d := range m.Agenda.Decisions {
		if d.Outcome == debate.AwaitingHuman {
			out.AwaitingHuman++
		}
	}
	for _, c := range m.Book.Claims {
		if c.Bucket != debate.Agreed || c.SameAs != "" {
			continue
		}
		switch c.Severity {
		case debate.P1:
			out.P1++
		case debate.P2:
			out.P2++
		case debate.P3:
			out.P3++
		}
	}
	err := j.runner.SetOutputs(out)
	page, broken := j.summarize(result)
	findings, unwritten := j.findings(result)
	err = errors.Join(err, broken, unwritten)
	if out.Report, out.SARIF = page, findings; page != "" || findings != "" {
		err = errors.Join(err, j.runner.SetOutputs(out))
	}
	return err
}

// summarize writes the step summary, the annotations and the report, and returns the path of the
// report. A failed report does not fail the job: the record has its content.
func (j *job) summarize(result pull.Result) (page string, err error) {
	switch {
	case !result.Session:
		text := fmt.Sprintf("### debate: pull request %d\n\nNothing was reviewed: %s.\n", result.Number, comment.MarkdownLine(result.Done))
		for _, note := range result.Notes {
			text += "\n- " + comment.MarkdownLine(note)
		}
		return "", j.runner.Summary(text)
	case result.State.Ending.Outcome == "": // it broke off; its error says why
		return "", nil
	}
	e := report.FromState(result.State)
	shown := e // without the record: readers of the log cannot open it
	e.Record = result.Record
	err = errors.Join(
		j.runner.Foreign(string(terminal.Text(shown, terminal.Options{Width: 100}))),
		j.runner.Summary(string(report.Summary(e, result.View, result.Conclusion, result.Why))),
	)
	if result.CommentURL == "" && !result.Checked { // neither a comment nor a check has the findings
		_, _, notes := report.CheckOutput(e, result.View, result.Conclusion, result.Why)
		_, broken := j.runner.Annotate(lists.Map(notes, func(n report.CheckNote) action.Note {
			return action.Note{Level: action.Level(n.Level), Path: n.Path, Line: n.StartLine, EndLine: n.EndLine, Title: n.Title, Message: n.Message}
		}))
		err = errors.Join(err, broken)
	}
	if result.Record != "" {
		var broken error
		if page, broken = writeReport(e, result); broken != nil {
			j.progress("the report could not be written: %v", broken)
		}
	}
	return page, err
}

// writeReport writes the report next to the record, for the artifact. It has the conclusion of
// the check.
func writeReport(e report.Envelope, result pull.Result) (path string, err error) {
	record, err := store.Read(result.Record)
	if err != nil {
		return "", err
	}
	e.Seal, e.Conclusion, e.ConclusionWhy = record.Last, result.Conclusion, result.Why
	page, err := render(withCode(e, result.State, record.Entries), "html", terminal.Options{})
	if err != nil {
		return "", err
	}
	path = filepath.Join(filepath.Dir(result.Record), "report.html")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		return "", err
	}
	return path, nil
}

// findings writes the confirmed findings as SARIF into the workspace and returns the path.
// It writes nothing without a review of this head: code scanning takes a file without
// findings as "all fixed".
func (j *job) findings(result pull.Result) (path string, err error) {
	if j.in.SARIFOutput == "" || !result.Session || !result.Reviewed {
		return "", nil
	}
	switch result.State.Ending.Outcome {
	case "", debate.Skipped, debate.Superseded, debate.Aborted:
		return "", nil
	}
	data, err := render(report.FromState(result.State), "sarif", terminal.Options{})
	if err == nil {
		path, err = j.runner.WriteWorkspace(j.in.SARIFOutput, data)
	}
	if err != nil {
		return "", fmt.Errorf("write the findings to %s (sarif-output): %w", j.in.SARIFOutput, err)
	}
	j.progress("the findings are in %s", j.in.SARIFOutput)
	return path, nil
}

// jobLog is the log of a job: the terminal's lines, in one group for each stage. Groups do
// not nest.
type jobLog struct {
	runner *action.Runner
	to     io.Writer
	whole  bool            // one group holds all of a pull request
	stage  string          // of the open group
	close  func() error    // nil: no group is open
	denied map[string]bool // models with a refused key, already on the run's page
	err    error           // of the first failed group
}

// at comes before the line of a step.
func (l *jobLog) at(done step) {
	isNext := done.stage != "" && done.stage != l.stage
	if isNext && !l.whole {
		l.err = errors.Join(l.err, l.end(), l.open(done.stage))
		l.stage = done.stage
	}
	if !done.denied || l.denied[done.who] {
		return
	}
	if l.denied == nil {
		l.denied = make(map[string]bool)
	}
	l.denied[done.who] = true
	_, err := l.runner.Annotate([]action.Note{{Level: action.Failure, Title: "debate", Message: done.who + ": " + done.result()}})
	l.err = errors.Join(l.err, err)
}

// open begins a group.
func (l *jobLog) open(title string) (err error) {
	l.close, err = l.runner.Group(title)
	return err
}

// end closes the open group and returns the errors so far.
func (l *jobLog) end() error {
	err := l.err
	if l.close != nil {
		err = errors.Join(err, l.close())
	}
	l.stage, l.close, l.err = "", nil, nil
	return err
}

// annotateError annotates the run's page with the job's own errors, and returns only the exit
// code.
func annotateError(runner *action.Runner, err error) error {
	if err == nil {
		return nil
	}
	code, said := failure(err)
	for _, line := range said {
		if _, err := runner.Annotate([]action.Note{{Level: action.Failure, Title: "debate", Message: line}}); err != nil {
			return err
		}
	}
	return &exitError{code: code}
}
