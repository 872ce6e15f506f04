package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/report/sarif"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

// jobOutput writes the results of a job.
type jobOutput struct {
	*action.Runner
	progress func(format string, args ...any)
	sarif    string // file for findings in the workspace, "" for none
	report   string // path of the last report, "" for none
}

// show writes the outputs, the step summary, the annotations and the report. The outputs
// come first: later steps need the record even if the rest fails.
func (o *jobOutput) show(result pull.Result) error {
	if result.Done == "" { // nothing was read
		return o.SetOutputs(action.Outputs{})
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
	err := errors.Join(o.SetOutputs(out), o.summarise(result))
	written, broken := o.findings(result)
	out.Report, out.SARIF = o.report, written
	if out.Report != "" || out.SARIF != "" {
		err = errors.Join(err, o.SetOutputs(out))
	}
	return errors.Join(err, broken)
}

// summarise writes the step summary, the annotations and the report. A failed report does
// not fail the job: the record has its content.
func (o *jobOutput) summarise(result pull.Result) error {
	if !result.Session {
		return o.Summary(notReviewed(result))
	}
	if result.State.Ending.Outcome == "" { // it broke off; its error says why
		return nil
	}
	e := report.FromState(result.State)
	e.Record = result.Record
	text := report.Summary(e, result.View, result.Conclusion, result.Why)
	shown := e
	shown.Record = "" // readers of the log cannot open it
	err := errors.Join(o.Foreign(string(terminal.Text(shown, terminal.Options{Width: 100}))), o.Summary(string(text)))
	annotated := o.annotate(e, result)
	if result.Record != "" {
		if broken := o.file(e, result); broken != nil {
			o.progress("the report could not be written: %v", broken)
		}
	}
	return errors.Join(err, annotated)
}

// annotate shows the findings on the run's page and the diff if neither a comment nor a
// check could be written.
func (o *jobOutput) annotate(e report.Envelope, result pull.Result) error {
	if result.CommentURL != "" || result.Checked {
		return nil
	}
	_, _, notes := report.CheckOutput(e, result.View, result.Conclusion, result.Why)
	var list []action.Note
	for _, n := range notes {
		list = append(list, action.Note{Level: action.Level(n.Level), Path: n.Path, Line: n.StartLine, EndLine: n.EndLine, Title: n.Title, Message: n.Message})
	}
	_, err := o.Annotate(list)
	return err
}

// file writes the report next to the record, for the artifact. It has the conclusion of the
// check.
func (o *jobOutput) file(e report.Envelope, result pull.Result) error {
	record, err := store.Read(result.Record)
	if err != nil {
		return err
	}
	e.Seal, e.Conclusion, e.ConclusionWhy = record.Last, result.Conclusion, result.Why
	e.Version = Version()
	page, err := html.Render(withCode(e, result.State, record.Entries))
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(result.Record), action.ReportFile)
	if err := os.WriteFile(path, page, 0o600); err != nil {
		return err
	}
	o.report = path
	return nil
}

// notReviewed is the step summary of a run without a review.
func notReviewed(result pull.Result) string {
	text := fmt.Sprintf("### debate: pull request %d\n\nNothing was reviewed: %s.\n", result.Number, comment.MarkdownLine(result.Done))
	for _, note := range result.Notes {
		text += "\n- " + comment.MarkdownLine(note)
	}
	return text
}

// findings writes the confirmed findings as SARIF into the workspace and returns the path.
// It writes nothing without a review of this head: code scanning takes a file without
// findings as "all fixed".
func (o *jobOutput) findings(result pull.Result) (path string, err error) {
	if o.sarif == "" || !result.Session || !result.Reviewed {
		return "", nil
	}
	switch result.State.Ending.Outcome {
	case "", debate.Skipped, debate.Superseded, debate.Aborted:
		return "", nil
	}
	e := report.FromState(result.State)
	data, err := sarif.Render(e, sarifRules(), Version())
	if err == nil {
		path, err = o.WriteWorkspace(o.sarif, data)
	}
	if err != nil {
		return "", fmt.Errorf("write the findings to %s (sarif-output): %w", o.sarif, err)
	}
	o.progress("the findings are in %s", o.sarif)
	return path, nil
}
