package cli

import (
	"errors"
	"io"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/engine"
)

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

// of returns the progress function for a review.
func (l *jobLog) of(set settings) func(engine.Progress) {
	return (&progress{to: l.to, estimate: set.estimate, before: l.at}).tell
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
