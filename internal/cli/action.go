package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

type actionCmd struct {
	Stage string `enum:",collect,debate,test,publish" default:"" placeholder:"STAGE" help:"One part of a run in several jobs: collect, debate, test or publish."`
}

// job is one job of GitHub Actions.
type job struct {
	*run
	runner *action.Runner
	server action.Server
	in     action.Inputs
	log    *jobLog
}

// Run handles the event of the job. The job does not fail for findings: the check reports
// them. Its own errors are on the run's page.
func (c *actionCmd) Run(r *run) error {
	runner := action.New(r.Stdout, r.Getenv)
	err := c.run(r, runner)
	if r.Getenv("GITHUB_ACTIONS") == "" || errors.Is(err, context.Canceled) {
		return err
	}
	return annotateError(runner, err)
}

func (c *actionCmd) run(r *run, runner *action.Runner) error {
	in, err := runner.Inputs(r.Providers.Inputs()...)
	if err != nil {
		return usage(err)
	}
	in.Stage = action.Stage(cmp.Or(c.Stage, string(in.Stage)))
	// The keys of the inputs are in the variables that the settings name.
	keys, getenv := make(map[string]string), r.Getenv
	for _, p := range r.Providers {
		if key := in.Keys[p.Input]; key != "" {
			keys[p.Keys[0]] = key
		}
	}
	r.Getenv = func(name string) string { return cmp.Or(keys[name], getenv(name)) }
	r.Environ = withKeysOf(r.Environ, keys)
	r.KeepSecret(in.Token)
	r.KeepSecret(in.StateKey)
	r.Stderr = runner.Log()
	defer runner.Flush()
	server, err := runner.Server()
	if err != nil {
		return usage(err)
	}
	j := &job{run: r, runner: runner, server: server, in: in, log: &jobLog{runner: runner, to: r.Stderr}}
	trigger, err := runner.Event(in.PullRequest)
	var ignored *event.Ignored
	switch {
	case errors.As(err, &ignored):
		r.progress("%v", ignored)
		return runner.SetOutputs(action.Outputs{})
	case err != nil:
		return usage(err)
	}
	return errors.Join(j.handle(r.ctx, trigger), j.log.end())
}

// client is GitHub as the job's token sees it.
func (j *job) client() (*gh.Client, error) {
	return j.github(gh.Options{
		BaseURL: j.server.API, GraphQLURL: j.server.GraphQL, Token: j.in.Token, Owner: j.server.Owner, Repo: j.server.Name, Settings: j.in.Config,
	})
}

// reviewer returns the runner of a job. A stage without rights on GitHub passes nil. The record
// of a session is at the path that the job's outputs name.
func (j *job) reviewer(from pull.Reader, to pull.Writer) *pull.Runner {
	c := &configurer{
		env: j.Env, demand: demands(j.in), in: j.in, commit: cmp.Or(j.runner.Taken(ownOwner+"/"+ownName), revision()),
		number: j.server.Session(), inWorkflow: true,
	}
	if j.in.SARIF != "" {
		c.results = func(change patch.Change) ([]debate.Run, error) {
			runs, _, err := j.readRuns([]string{j.in.SARIF}, j.Getenv("GITHUB_WORKSPACE"), change.Set)
			if err != nil {
				err = fmt.Errorf("input \"sarif\": %w", err)
			}
			return runs, err
		}
	}
	if !j.quiet {
		c.tell = func(set settings) func(engine.Progress) {
			return (&progress{to: j.log.to, set: set, before: j.log.at}).tell
		}
	}
	return &pull.Runner{
		Reader: from, Writer: to, Configure: c.configure, Now: j.Now, Say: j.progress, DetailsURL: j.server.RunURL(),
		Record: func(session string) (pull.Log, string, error) {
			path, err := j.server.File(filepath.Join(session, "record.jsonl"))
			if err != nil {
				return nil, "", err
			}
			log, err := store.Create(path)
			if err != nil {
				return nil, "", err
			}
			return log, path, nil
		},
	}
}

func (j *job) handle(ctx context.Context, t event.Trigger) error {
	switch j.in.Stage {
	case action.Collect:
		return j.collect(ctx, t)
	case action.Debate:
		return j.debate(ctx)
	case action.Test:
		return j.test(ctx)
	}
	client, err := j.client()
	if err != nil {
		return err
	}
	reviewer := j.reviewer(client.Reader, client.Writer)
	each := reviewer.Run
	if j.in.Stage == action.Publish { // of another job's debate, if there was one
		each = func(ctx context.Context, t pull.Trigger) (pull.Result, error) {
			handed, number, err := j.readHanded()
			switch {
			case err != nil:
				return pull.Result{}, err
			case number != t.Number:
				handed = pull.Handed{}
			}
			return reviewer.Publish(ctx, t, handed)
		}
	}
	switch {
	case t.QueueHead != "": // a merge group: no model is asked
		conclusion, why, err := reviewer.Queue(ctx, t.QueueRef, t.QueueBase, t.QueueHead)
		if err != nil {
			return err
		}
		j.progress("merge group at %s: %s: %s", t.QueueHead, conclusion, why)
		return errors.Join(j.runner.SetOutputs(action.Outputs{}), j.runner.Summary("### debate: merge group\n\n"+string(conclusion)+": "+why+".\n"))
	case t.Sweep: // of every open pull request, to catch up on lost events
		if j.in.SARIFOutput != "" {
			j.progress("a run over all pull requests writes no SARIF file: set pull-request to have one")
		}
		results, err := reviewer.Sweep(ctx, config.Default().Escalation.Label, func(ctx context.Context, t pull.Trigger) (pull.Result, error) {
			j.log.whole = true
			if err := j.log.open(fmt.Sprintf("pull request #%d", t.Number)); err != nil {
				return pull.Result{Number: t.Number}, err
			}
			result, err := each(ctx, t)
			return result, errors.Join(err, j.log.end())
		})
		for _, result := range results {
			_, broken := j.summarize(result)
			err = errors.Join(err, broken, unansweredIn(result))
		}
		return errors.Join(err, j.runner.SetOutputs(action.Outputs{}))
	case t.Number == 0:
		j.progress("the event names no pull request")
		return j.runner.SetOutputs(action.Outputs{})
	}
	result, err := each(ctx, pull.TriggerOf(t))
	return errors.Join(err, j.log.end(), j.show(result), result.Refused, unansweredIn(result))
}

// unansweredIn returns an error if this run asked models and none answered, as the command
// line does.
func unansweredIn(result pull.Result) error {
	if !result.Session {
		return nil
	}
	return unanswered(result.State)
}

// collect reads the facts for a debate, in a job without a key and without the right to
// write.
func (j *job) collect(ctx context.Context, t event.Trigger) error {
	if t.QueueHead != "" || t.Sweep || t.Number == 0 { // no model is asked for these
		return j.runner.SetOutputs(action.Outputs{Next: action.Publish})
	}
	client, err := j.client()
	if err != nil {
		return err
	}
	facts, ask, err := j.reviewer(client.Reader, nil).Collect(ctx, pull.TriggerOf(t))
	if err != nil {
		return err
	}
	data, err := json.Marshal(facts)
	if err != nil {
		return fmt.Errorf("hand on what was collected: %w", err)
	}
	next := action.Publish
	if ask {
		next = action.Debate
	}
	return j.handOn(action.Bundle{Facts: data, Snapshot: facts.Snapshot}, facts, next)
}

// repository is owner/name of the job's repository.
func (j *job) repository() string { return j.server.Owner + "/" + j.server.Name }

// handOn writes the bundle of this stage, and names the next one.
func (j *job) handOn(b action.Bundle, of *pull.Facts, next action.Stage) error {
	b.Stage, b.Repository, b.Number, b.HeadSHA = j.in.Stage, j.repository(), of.Pull.Number, of.Pull.HeadSHA
	return errors.Join(action.WriteBundle(j.in.Bundle, b), j.runner.SetOutputs(action.Outputs{Next: next}))
}

// debate asks the models, in a job without a token.
func (j *job) debate(ctx context.Context) error {
	if j.in.Token != "" {
		j.progress("this job needs no token of GitHub and has one: set github-token to nothing")
	}
	facts, err := j.readFacts()
	if err != nil {
		return err
	}
	waited, _, err := j.readHanded()
	if err != nil {
		return err
	}
	held, err := j.reviewer(nil, nil).Debate(ctx, facts, waited)
	if err != nil {
		return err
	}
	record, err := os.ReadFile(held.Record)
	if err != nil {
		return fmt.Errorf("hand on the record: %w", err)
	}
	next := action.Publish
	if held.Waits {
		next = action.Test
	}
	return j.handOn(action.Bundle{Record: record, Replies: held.Replies}, facts, next)
}

// results is the file with how the tests of a debate ended.
type results struct {
	Tests []debate.TestResult `json:"tests"`
}

// maxResults bounds the file of results, in bytes.
const maxResults = 64 << 10

// test runs the tests of the debate, in a job without secrets.
func (j *job) test(ctx context.Context) error {
	facts, err := j.readFacts()
	if err != nil {
		return err
	}
	waits, _, err := j.readHanded()
	if err != nil {
		return err
	}
	client, err := j.client()
	if err != nil {
		return err
	}
	ran, err := j.reviewer(nil, nil).Test(ctx, facts, waits.Entries, client.Reader)
	if err != nil {
		return err
	}
	data, err := json.Marshal(results{ran})
	if err != nil {
		return fmt.Errorf("hand on the results: %w", err)
	}
	return j.handOn(action.Bundle{Results: data}, facts, action.Debate)
}

// readFacts reads the facts of the first job.
func (j *job) readFacts() (*pull.Facts, error) {
	bundle, err := action.ReadBundle(j.in.Bundle, action.Collect, j.repository())
	if err != nil {
		return nil, err
	}
	facts := &pull.Facts{Snapshot: bundle.Snapshot}
	if err := json.Unmarshal(bundle.Facts, facts); err != nil {
		return nil, fmt.Errorf("read what was collected: %w", err)
	}
	return facts, nil
}

// readHanded reads the record of the debate and the results of its tests from other jobs, and
// the number of its pull request; 0 is none. Unreadable results count as none.
func (j *job) readHanded() (handed pull.Handed, number int, err error) {
	bundle, err := action.ReadBundle(j.in.Bundle, action.Debate, j.repository())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return handed, 0, nil
	case err != nil:
		return handed, 0, err
	}
	record, err := store.Decode(bytes.NewReader(bundle.Record))
	if err != nil {
		return handed, 0, fmt.Errorf("read the record that was handed over: %w", err)
	}
	var said results
	tested, err := action.ReadBundle(j.in.Bundle, action.Test, j.repository())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil, tested.HeadSHA != bundle.HeadSHA, len(tested.Results) > maxResults, json.Unmarshal(tested.Results, &said) != nil:
		j.progress("the results of the tests cannot be used, so no test counts as run")
		said = results{}
	}
	return pull.Handed{Entries: record.Entries, Replies: bundle.Replies, Results: said.Tests}, bundle.Number, nil
}

// show writes the step summary, the annotations, the report and the outputs: these even if the rest
// fails, because later steps need the record.
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
	confirmed := make(map[debate.Severity]int)
	for _, c := range m.Book.Claims {
		if c.Bucket == debate.Agreed && c.SameAs == "" {
			confirmed[c.Severity]++
		}
	}
	out.P1, out.P2, out.P3 = confirmed[debate.P1], confirmed[debate.P2], confirmed[debate.P3]
	var broken, unwritten error
	out.Report, broken = j.summarize(result)
	out.SARIF, unwritten = j.findings(result)
	return errors.Join(broken, unwritten, j.runner.SetOutputs(out))
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
		err = errors.Join(err, j.runner.Annotate(lists.Map(notes, func(n report.CheckNote) action.Note { return action.Note(n) })...))
	}
	if result.Record != "" {
		var broken error
		if page, broken = writeReport(result); broken != nil {
			j.progress("the report could not be written: %v", broken)
		}
	}
	return page, err
}

// writeReport writes the report next to the record, for the artifact. It has the conclusion of
// the check.
func writeReport(result pull.Result) (path string, err error) {
	record, err := store.Read(result.Record)
	if err != nil {
		return "", err
	}
	e := envelopeOf(result.State, record.Entries)
	e.Record, e.Seal, e.Conclusion, e.ConclusionWhy = result.Record, record.Last, result.Conclusion, result.Why
	page, err := render(e, "html", terminal.Options{})
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
	l.err = errors.Join(l.err, l.runner.Annotate(action.Note{Level: action.Failure, Title: "debate", Message: done.who + ": " + done.result()}))
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
	notes := lists.Map(said, func(line string) action.Note {
		return action.Note{Level: action.Failure, Title: "debate", Message: line}
	})
	if err := runner.Annotate(notes...); err != nil {
		return err
	}
	return &exitError{code: code}
}
