package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
)

// debateFlags are the flags of every command with a debate.
type debateFlags struct {
	Config  string `placeholder:"FILE" help:"Use these settings instead of the repository's. They override your own."`
	Mode    string `placeholder:"MODE" enum:",standard,minimal,quick" default:"" help:"How long the models debate: standard, minimal or quick."`
	Verbose bool   `short:"v" help:"Show everything, even if it does not fit on one screen."`
	Output  string `short:"o" placeholder:"FILE" help:"Write the result to this file."`
	Record  string `placeholder:"FILE" help:"Keep the record of the debate in this file."`
	Tape    string `placeholder:"FILE" help:"Save the models' answers in this file. If it exists, use its answers and ask no model."`
	Resume  string `placeholder:"RECORD" help:"Go on with this interrupted debate. Repeat its other arguments, or use debate resume."`

	most report.USD // a further limit of the cost, 0 for none
}

// demand is what the flags want of the settings.
func (f debateFlags) demand(failOn debate.FailOn) demand {
	return demand{named: f.Config, path: debate.SettingsFile, mode: debate.Mode(f.Mode), failOn: failOn, tape: f.Tape, most: config.USD(f.most)} // millionths, both
}

// checkOutput refuses, before any spending, an output file that is also an input, or that cannot
// be written.
func (f debateFlags) checkOutput(r *run, inputs ...string) error {
	switch {
	case f.Resume != "" && f.Tape != "":
		return usage(errors.New("--resume goes on with live models: leave out --tape"))
	case f.Resume != "" && f.Record != "":
		return usage(errors.New("--resume goes on in the record that it names: leave out --record"))
	}
	if err := r.refuseOverwrite(f.Output, append(inputs, f.Config, f.Record, f.Tape, f.Resume)...); err != nil {
		return err
	}
	return r.writable(f.Output)
}

// debateRun is a debate with everything specific to its command.
type debateRun struct {
	debateFlags
	format   string
	review   *engine.Review // without a log and a publisher
	settings settings
	first    debate.Received          // the first event of a new record
	stops    string                   // the effect of Ctrl-C; "" is that of a debate with a record
	after    func(debate.State) error // once the result is shown; may be nil
}

// runDebate starts or resumes a debate and shows its result.
func (r *run) runDebate(o debateRun) error {
	o.first.Command = r.command(o.settings.clean)
	log, path, entries, err := r.openRecord(o)
	if err != nil {
		return err
	}
	defer log.Close()
	o.review.Log, r.record = log, path
	r.watch(o, entries)
	defer r.unwatch()
	shown := false
	show := func(s debate.State) error {
		shown = true
		r.unwatch()
		rec, _ := store.Read(path) // if it cannot be read, the report goes without the code around
		envelope := envelopeOf(s, rec.Entries)
		envelope.Record = path
		return r.show(envelope, o.format, o.Output, o.Verbose)
	}
	o.review.Publish = func(_ context.Context, s debate.State) ([]string, []debate.SinkFailed, error) {
		sink := "file"
		if isStandard(o.Output) {
			sink = "standard output"
		}
		return []string{sink}, nil, show(s)
	}

	var state debate.State
	if len(entries) > 0 {
		state, err = o.review.Resume(r.ctx, entries)
	} else {
		state, err = o.review.Start(r.ctx, o.first)
	}
	switch {
	case errors.Is(err, context.Canceled):
		command := "debate resume"
		switch newest, in := r.isNewest(path); {
		case !newest:
			command += " " + shellWord(path)
		case in != "":
			command += " -C " + in
		}
		return &exitError{code: exitInterrupted, err: errors.New("interrupted; to go on: " + command)}
	case errors.Is(err, engine.ErrChanged) && r.inWorkTree(path):
		return fmt.Errorf("%w (the record lies in the work tree and is a change itself: move it elsewhere and try again)", err)
	case err != nil:
		return err
	}
	aborted := state.Ending.Outcome == debate.Aborted
	if !shown && !aborted { // resumed after it was published
		r.progress("the debate in %s has ended already; this is its result", path)
	}
	if !shown && !(aborted && o.format == "text" && isStandard(o.Output)) { // programs and files get a result of every run
		if err := show(state); err != nil {
			return err
		}
	}
	if aborted {
		what := "the review could not be done: "
		if state.Received.Inquiry != nil {
			what = "the question could not be debated: "
		}
		return errors.New(what + report.Says(state, state.Ending.OutcomeReason))
	}
	_, isTerminal := r.Width(r.Stdout)
	open, _ := openIn(state)
	for _, d := range open { // the result names the decisions that need a person
		if isTerminal && d.Outcome != debate.AwaitingHuman && state.AwaitsAnswer() {
			r.progress("to decide %syourself, in the record: debate decide %s %s%s WHY", prefixed(state, d.ID, " "), path, prefixed(state, d.ID, " "), choicesOf(d))
		}
	}
	if o.after != nil {
		if err := o.after(state); err != nil {
			return err
		}
	}
	return o.exit(state)
}

// exit returns the command's error with its exit code, nil for success.
func (o debateRun) exit(state debate.State) error {
	ruling := state.Conclusion()
	switch code := int(ruling.Exit); code {
	case exitDone:
		return nil
	case exitFailed:
		err := unanswered(state)
		switch {
		case err == nil:
			err = errors.New("not all of the input could be read; the result says why")
		case o.format == "text" && isStandard(o.Output) && !state.Limited(): // the result above says why
			err = errors.New("no model answered")
		}
		return &exitError{code: code, err: err}
	default:
		if code == exitFindings && len(state.Failing()) == 0 { // no finding above says it
			return &exitError{code: code, err: errors.New("the check would fail: " + report.Says(state, ruling.Why))}
		}
		return &exitError{code: code}
	}
}

// openRecord opens the record to resume, or creates one. Entries are those of a resumed record;
// without any the debate starts.
func (r *run) openRecord(o debateRun) (log *store.File, path string, entries []debate.Entry, err error) {
	if o.Resume == "" {
		log, path, err = r.newRecord(o.Record, o.first.SessionID)
		return log, path, nil, err
	}
	path = r.path(o.Resume)
	log, rec, err := store.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", nil, usage(err)
	case err != nil:
		return nil, "", nil, err
	}
	if rec.Torn {
		r.progress("the last line of %s was incomplete and was removed", path)
	}
	if len(rec.Entries) > 0 { // else it was interrupted before its first event
		if began, ok := rec.Entries[0].Event.(debate.Received); ok {
			err = sameRequest(began, o.first)
		}
	}
	if err != nil {
		err = errors.Join(err, log.Close())
	}
	return log, path, rec.Entries, err
}

// sameRequest refuses to go on with a debate under other settings, or about another change or text,
// than it began with: they would be neither in force nor in the record.
func sameRequest(began, now debate.Received) error {
	a, b := began.Anchor, now.Anchor
	switch {
	case began.Inquiry != nil && now.Inquiry == nil:
		return usage(errors.New("the record is that of a question: go on with debate ask"))
	case began.Inquiry == nil && now.Inquiry != nil:
		return usage(errors.New("the record is that of a change: go on with debate review"))
	case a.PR > 0 && b.PR == 0:
		return usage(errors.New("the record is that of a pull request: name it with --pr"))
	case a.Repo != b.Repo || a.PR != b.PR:
		return usage(fmt.Errorf("the record is not that of %s#%d", b.Repo, b.PR))
	case began.Settings.ConfigHash != now.Settings.ConfigHash || began.Target != now.Target:
		return usage(errors.New("the settings are not those that the debate was started with: use the same flags and files, or start a new one"))
	case a.Intent != b.Intent || !reflect.DeepEqual(began.Inquiry, now.Inquiry):
		return usage(errors.New("the question, or the text of --body, is not the one that the record holds: repeat it as it was, or start a new debate"))
	}
	return nil
}
