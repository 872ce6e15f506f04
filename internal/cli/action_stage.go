package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store"
)

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
	return errors.Join(j.writeBundle(action.Collect, facts, files), j.runner.SetOutputs(action.Outputs{Next: next}))
}

// writeBundle writes the bundle of a stage.
func (j *job) writeBundle(stage action.Stage, facts *pull.Facts, files map[string][]byte) error {
	return action.WriteBundle(j.in.Bundle, action.Bundle{
		Stage: stage, Repository: j.server.Owner + "/" + j.server.Name, Number: facts.Pull.Number, HeadSHA: facts.Pull.HeadSHA, Files: files,
	})
}

// readBundle reads the bundle of a stage.
func (j *job) readBundle(stage action.Stage) (action.Bundle, error) {
	return action.ReadBundle(j.in.Bundle, stage, j.server.Owner+"/"+j.server.Name)
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
	record, err := j.readFile(held.Record, action.MaxBundleFile)
	if err != nil {
		return fmt.Errorf("hand on the record: %w", err)
	}
	next := action.Publish
	if held.Waits {
		next = action.Test
	}
	return errors.Join(
		j.writeBundle(action.Debate, facts, map[string][]byte{action.RecordFile: record, action.RepliesFile: held.Replies}),
		j.runner.SetOutputs(action.Outputs{Next: next}),
	)
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
	return errors.Join(
		j.writeBundle(action.Test, facts, map[string][]byte{action.ResultsFile: data}),
		j.runner.SetOutputs(action.Outputs{Next: action.Debate}),
	)
}

// readFacts reads the facts of the first job.
func (j *job) readFacts() (*pull.Facts, error) {
	bundle, err := j.readBundle(action.Collect)
	if err != nil {
		return nil, err
	}
	return pull.DecodeFacts(bundle.Files[action.FactsFile], bundle.Files[action.SnapshotFile])
}

// readHanded reads the record of the debate and the results of its tests from other jobs, and
// the number of its pull request; 0 is none. Unreadable results count as none.
func (j *job) readHanded() (handed pull.Handed, number int, err error) {
	bundle, err := j.readBundle(action.Debate)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return handed, 0, nil
	case err != nil:
		return handed, 0, err
	}
	record, err := store.Decode(bytes.NewReader(bundle.Files[action.RecordFile]))
	if err != nil {
		return handed, 0, fmt.Errorf("read the record that was handed over: %w", err)
	}
	var said results
	tested, err := j.readBundle(action.Test)
	data := tested.Files[action.ResultsFile]
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil, tested.HeadSHA != bundle.HeadSHA, len(data) > maxResults, json.Unmarshal(data, &said) != nil:
		j.progress("the results of the tests cannot be used, so no test counts as run")
		said = results{}
	}
	return pull.Handed{Entries: record.Entries, Replies: bundle.Files[action.RepliesFile], Results: said.Tests}, bundle.Number, nil
}
