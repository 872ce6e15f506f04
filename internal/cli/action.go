package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

type actionCmd struct {
	Stage string `enum:",collect,debate,publish" default:"" placeholder:"STAGE" help:"One part of a run that is split over jobs: collect, debate or publish."`
}

// job is one job of GitHub Actions.
type job struct {
	*run
	runner   *action.Runner
	server   action.Server
	in       action.Inputs
	sessions int
	report   string // path of the last report, "" for none
}

// Run does what the event of the job asks for. What a review found is no failure
// of the job: the check says it.
func (c *actionCmd) Run(r *run) error {
	runner := action.New(r.Stdout, r.Getenv)
	in, err := runner.Inputs(r.Providers.Inputs()...)
	if err != nil {
		return usage(err)
	}
	if c.Stage != "" {
		in.Stage = action.Stage(c.Stage)
	}
	r.Getenv, r.Environ = withKeys(r.Env, in)
	r.Stderr = runner.Log()
	defer runner.Flush()
	server, err := runner.Server()
	if err != nil {
		return usage(err)
	}
	j := &job{run: r, runner: runner, server: server, in: in}
	trigger, err := runner.Event(in.PullRequest)
	var ignored *action.Ignored
	switch {
	case errors.As(err, &ignored):
		r.progress("%v", ignored)
		return runner.SetOutputs(action.Outputs{})
	case err != nil:
		return usage(err)
	}
	return j.handle(trigger)
}

// withKeys puts the keys that the inputs hand over where the settings look for
// them.
func withKeys(e Env, in action.Inputs) (getenv func(string) string, environ func() []string) {
	keys := make(map[string]string)
	for _, p := range e.Providers {
		if key := in.Keys[p.Input]; key != "" {
			keys[p.Keys[0]] = key
		}
	}
	getenv = func(name string) string {
		if key := keys[name]; key != "" {
			return key
		}
		return e.Getenv(name)
	}
	environ = func() []string {
		all := e.Environ()
		for name, key := range keys {
			all = append(all, name+"="+key)
		}
		for _, secret := range []string{in.Token, in.StateKey} {
			if secret != "" {
				all = append(all, "DEBATE_SECRET="+secret)
			}
		}
		return all
	}
	return getenv, environ
}

// client is GitHub as the job's token sees it.
func (j *job) client() (*gh.Client, error) {
	client, err := gh.New(gh.Options{
		BaseURL: j.server.API, GraphQLURL: j.server.GraphQL, Token: j.in.Token, Owner: j.server.Owner, Repo: j.server.Name,
		Settings: j.in.Config, UserAgent: "debate/" + version(), Now: j.Now, Wait: j.Wait, HTTP: &http.Client{Transport: j.GitHub},
	})
	if err != nil {
		return nil, usage(err)
	}
	return client, nil
}

// reviewer reviews pull requests through a hub.
func (j *job) reviewer(hub pull.Hub) *pull.Runner {
	return &pull.Runner{
		Hub:        hub,
		Configure:  j.configure,
		Record:     j.record,
		Now:        j.Now,
		Say:        j.progress,
		DetailsURL: j.server.RunURL(),
	}
}

// handle does what a trigger asks for.
func (j *job) handle(t action.Trigger) error {
	switch j.in.Stage {
	case action.Collect:
		return j.collect(t)
	case action.Debate:
		return j.debate()
	}
	client, err := j.client()
	if err != nil {
		return err
	}
	reviewer := j.reviewer(client)
	each := reviewer.Run
	if j.in.Stage == action.Publish {
		each = func(ctx context.Context, t pull.Trigger) (pull.Result, error) { return j.publish(ctx, reviewer, t) }
	}
	switch {
	case t.QueueHead != "":
		return j.queue(reviewer, client, t)
	case t.Sweep:
		return j.sweep(reviewer, client, j.folded(each))
	case t.Number == 0:
		j.progress("the event names no pull request")
		return j.runner.SetOutputs(action.Outputs{})
	}
	result, err := each(j.ctx, pull.Trigger{Cause: cause(t), Number: t.Number})
	return errors.Join(err, j.show(result))
}

// folded folds what the log says about one pull request of a sweep.
func (j *job) folded(each func(context.Context, pull.Trigger) (pull.Result, error)) func(context.Context, pull.Trigger) (pull.Result, error) {
	return func(ctx context.Context, t pull.Trigger) (pull.Result, error) {
		end, err := j.runner.Group(fmt.Sprintf("pull request #%d", t.Number))
		if err != nil {
			return pull.Result{Number: t.Number}, err
		}
		result, err := each(ctx, t)
		return result, errors.Join(err, end())
	}
}

// cause is why an event makes somebody look at a pull request.
func cause(t action.Trigger) pull.Cause {
	switch {
	case t.Issue != 0:
		return pull.Answered
	case t.Event == "workflow_dispatch":
		return pull.Asked
	case strings.HasPrefix(t.Event, "pull_request_review"), t.Event == "issue_comment":
		return pull.Said
	case t.Action == "closed":
		return pull.Ended
	}
	return pull.Changed
}

// queue concludes the check of a merge group: no model is asked (S23).
func (j *job) queue(reviewer *pull.Runner, client *gh.Client, t action.Trigger) error {
	conclusion, why, err := reviewer.Queue(j.ctx, client, t.QueueRef, t.QueueBase, t.QueueHead)
	if err != nil {
		return err
	}
	j.progress("merge group at %s: %s: %s", t.QueueHead, conclusion, why)
	return errors.Join(j.runner.SetOutputs(action.Outputs{}), j.runner.Summary("### debate: merge group\n\n"+string(conclusion)+": "+why+".\n"))
}

// sweep looks at every open pull request, so that what an event was lost for
// happens all the same.
func (j *job) sweep(reviewer *pull.Runner, client *gh.Client, each func(context.Context, pull.Trigger) (pull.Result, error)) error {
	results, err := reviewer.Sweep(j.ctx, client, config.Default().Escalation.Label, each)
	for _, result := range results {
		err = errors.Join(err, j.summarise(result))
	}
	return errors.Join(err, j.runner.SetOutputs(action.Outputs{}))
}

// show writes the outputs, the step summary, the annotations and the report of a
// run. The outputs come first: later steps take the record from them, whatever
// becomes of the rest.
func (j *job) show(result pull.Result) error {
	if result.Done == "" { // nothing was read
		return j.runner.SetOutputs(action.Outputs{})
	}
	m := debate.Memory{} // what an earlier head came to says nothing of this one
	if result.Reviewed {
		m = result.Checkpoint.Debate
	}
	out := action.Outputs{
		Outcome: m.Outcome, Disposition: m.Disposition, Confidence: m.Confidence, Decisions: len(m.Decisions),
		Record: result.Record, CommentURL: result.CommentURL,
	}
	for _, d := range m.Decisions {
		if d.Outcome == debate.AwaitingHuman {
			out.AwaitingHuman++
		}
	}
	for _, c := range m.Claims {
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
	err := errors.Join(j.runner.SetOutputs(out), j.summarise(result))
	if j.report == "" {
		return err
	}
	out.Report = j.report
	return errors.Join(err, j.runner.SetOutputs(out))
}

// summarise writes what a run came to into the step summary, with everything that
// found no other place, and the report. Without the report the job goes on: the
// record holds all that it would say.
func (j *job) summarise(result pull.Result) error {
	if !result.Session {
		return j.runner.Summary(idle(result))
	}
	if result.State.Ending.Outcome == "" { // it broke off; its error says why
		return nil
	}
	e := report.FromState(result.State)
	e.Record = result.Record
	text := report.StepSummary(e, result.View, result.Conclusion, result.Why)
	err := errors.Join(
		j.runner.Foreign(string(terminal.Text(e, terminal.Options{Width: 100}))),
		j.runner.Summary(string(text)),
	)
	_, _, notes := report.CheckOutput(e, result.View, result.Conclusion, result.Why)
	var list []action.Note
	for _, n := range notes {
		list = append(list, action.Note{Level: action.Level(n.Level), Path: n.Path, Line: n.StartLine, EndLine: n.EndLine, Title: n.Title, Message: n.Message})
	}
	_, annotated := j.runner.Annotate(list)
	if result.Record != "" {
		if broken := j.file(e, result); broken != nil {
			j.progress("the report could not be written: %v", broken)
		}
	}
	return errors.Join(err, annotated)
}

// file writes the report next to the record, for whoever takes both from the
// artifact. It says what the check says.
func (j *job) file(e report.Envelope, result pull.Result) error {
	record, err := store.Read(result.Record)
	if err != nil {
		return err
	}
	e.Seal, e.Conclusion, e.ConclusionWhy = record.Last, result.Conclusion, result.Why
	page, err := html.Render(e)
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(result.Record), action.ReportFile)
	if err := os.WriteFile(path, page, 0o600); err != nil {
		return err
	}
	j.report = path
	return nil
}

// idle says that a run had nothing to review.
func idle(result pull.Result) string {
	text := fmt.Sprintf("### debate: pull request %d\n\nNothing was reviewed: %s.\n", result.Number, comment.MarkdownLine(result.Done))
	for _, note := range result.Notes {
		text += "\n- " + comment.MarkdownLine(note)
	}
	return text
}

// record opens the record of a session where later steps find it.
func (j *job) record(session string) (pull.Log, string, error) {
	path, err := j.server.File(filepath.Join(session, "record.jsonl"))
	if err != nil {
		return nil, "", err
	}
	log, err := store.Create(path)
	if err != nil {
		return nil, "", err
	}
	return log, path, nil
}

// session names the next session of the job: its number is the run, its attempt,
// and where a job holds several, which one it is (S24).
func (j *job) session() (session, error) {
	s, err := newSession(j.Now(), j.Random)
	if err != nil {
		return s, err
	}
	j.sessions++
	s.id = fmt.Sprintf("debate-%s-%s", j.Now().UTC().Format("20060102-150405"), j.server.Session())
	if j.sessions > 1 {
		s.id += fmt.Sprintf("-%d", j.sessions)
	}
	return s, nil
}

var _ pull.Hub = (*gh.Client)(nil)

// stateKey is the key that seals the state in the summary: the one that is handed
// over, else one made from a key of a model (S10). It is nil without either.
func (j *job) stateKey(repository int64) []byte {
	if j.in.StateKey != "" {
		return []byte(j.in.StateKey)
	}
	for _, p := range j.Providers {
		if key := j.in.Keys[p.Input]; key != "" {
			return derive(key, repository)
		}
	}
	return nil
}

// configure merges the settings for a pull request by S02: the inputs of the
// action are the operator's, and the repository's file is that of the base side.
func (j *job) configure(ctx context.Context, repository gh.Repository, file, guard pull.File) (pull.Setup, error) {
	set, err := j.settings(ctx, file, guard)
	if err != nil {
		return pull.Setup{}, err
	}
	return j.setup(set, repository, file)
}
