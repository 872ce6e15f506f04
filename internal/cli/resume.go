package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

type resumeCmd struct {
	Record string `arg:"" optional:"" help:"The review: its number in debate reviews, or its record. Default: your newest review of this repository without a result."`
}

// Run repeats the command line in a record, in its directory, with the record to go on with.
func (c *resumeCmd) Run(r *run) (err error) {
	path := c.Record
	if path == "" {
		path, err = r.interrupted()
	} else if path, err = r.recordNamed(path); err == nil {
		path = r.path(path)
	}
	if err != nil {
		return err
	}
	_, state, err := r.foldRecord(path, "")
	if err != nil {
		return err
	}
	began := state.Received.Command
	if began == nil {
		return usage(fmt.Errorf("%s does not name the command that began it: repeat that command with --resume %s", path, path))
	}
	args := append(slices.Clone(began.Args), "--resume", path)
	if r.quiet {
		args = append(args, "--quiet")
	}
	env := r.Env
	env.Dir = began.Dir
	return &exitError{code: Main(args, env)}
}

// interrupted returns the newest record of this repository without a result.
func (r *run) interrupted() (string, error) {
	for path, rec := range r.ownRecords() {
		if state, err := debate.Fold(rec.Entries); err == nil && state.Ending.Outcome == "" {
			return path, nil
		}
	}
	return "", usage(errors.New("each review of this repository has its result: there is none to go on with"))
}

// command is the command line of a review or a question, without secrets and the place of its
// record; nil for a debate that another command runs.
func (r *run) command(clean func(string) string) *debate.Command {
	var args []string
	for i := 0; i < len(r.args); i++ {
		switch name, _, joined := strings.Cut(r.args[i], "="); {
		case name != "--record" && name != "--resume":
			args = append(args, clean(r.args[i]))
		case !joined:
			i++ // its value
		}
	}
	if !slices.Contains(args, "review") && !slices.Contains(args, "ask") {
		return nil
	}
	return &debate.Command{Dir: clean(r.from), Args: args}
}
