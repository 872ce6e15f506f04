package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store"
)

// collect reads what a debate needs, in a job that has no key and writes nothing.
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
	if !ask {
		facts.Snapshot = nil
	}
	data, err := facts.Encode()
	if err != nil {
		return err
	}
	files := map[string][]byte{action.FactsFile: data}
	next := action.Publish
	if ask {
		files[action.SnapshotFile], next = facts.Snapshot, action.Debate
	}
	return errors.Join(j.hand(action.Collect, facts, files), j.runner.SetOutputs(action.Outputs{Next: next}))
}

// hand writes the bundle of a stage.
func (j *job) hand(stage action.Stage, facts *pull.Facts, files map[string][]byte) error {
	return action.WriteBundle(j.in.Bundle, action.Bundle{
		Stage: stage, Repository: j.server.Owner + "/" + j.server.Name, Number: facts.Pull.Number, HeadSHA: facts.Pull.HeadSHA, Files: files,
	})
}

// taken reads the bundle of a stage.
func (j *job) taken(stage action.Stage) (action.Bundle, error) {
	return action.ReadBundle(j.in.Bundle, stage, j.server.Owner+"/"+j.server.Name)
}

// debate asks the models, in a job that has no token.
func (j *job) debate(ctx context.Context) error {
	if j.in.Token != "" {
		j.say("this job needs no token of GitHub and has one: set github-token to nothing")
	}
	bundle, err := j.taken(action.Collect)
	if err != nil {
		return err
	}
	facts, err := pull.DecodeFacts(bundle.Files[action.FactsFile], bundle.Files[action.SnapshotFile])
	if err != nil {
		return err
	}
	path, err := j.reviewer(nil, nil).Debate(ctx, facts)
	if err != nil {
		return err
	}
	record, err := j.env.readFile(path, action.MaxBundleFile)
	if err != nil {
		return fmt.Errorf("hand on the record: %w", err)
	}
	return errors.Join(
		j.hand(action.Debate, facts, map[string][]byte{action.RecordFile: record}),
		j.runner.SetOutputs(action.Outputs{Next: action.Publish}),
	)
}

// publish writes what the debate of another job came to, if there was one.
func (j *job) publish(ctx context.Context, reviewer *pull.Runner, t pull.Trigger) (pull.Result, error) {
	bundle, err := j.taken(action.Debate)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && bundle.Number != t.Number:
		return reviewer.Publish(ctx, t, nil)
	case err != nil:
		return pull.Result{}, err
	}
	record, err := store.Decode(bytes.NewReader(bundle.Files[action.RecordFile]))
	if err != nil {
		return pull.Result{}, fmt.Errorf("read the record that was handed over: %w", err)
	}
	return reviewer.Publish(ctx, t, record.Entries)
}
