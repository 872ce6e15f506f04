package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

type explainCmd struct {
	databaseFlag

	What []string `arg:"" optional:"" help:"Findings, such as F1, and a record, or the id of a review that a server keeps. Default: all findings of your newest review of this repository."`
}

// Run tells who said what of findings, and what settled it.
func (c *explainCmd) Run(r *run) error {
	ids, record, err := c.split(r)
	if err != nil {
		return usage(err)
	}
	if record == "" {
		if record, err = r.anyRecord(); err != nil {
			return err
		}
	}
	return r.explain(ids, record, c.Database)
}

// explain tells who said what of some findings of a record, or of all of them.
func (r *run) explain(ids []string, record, database string) error {
	_, state, err := r.foldRecord(record, database)
	if err != nil {
		return err
	}
	envelope := report.FromState(state)
	if state.Ending.Outcome == "" { // what it will come to is not known, and no findings may be none yet
		if len(terminal.Explainable(report.Numbered(envelope))) == 0 {
			return unended(record)
		}
		r.progress("%v", unended(record))
	}
	text, unknown := terminal.Explain(envelope, ids, r.colouring.shape("", false))
	if len(unknown) > 0 {
		return usage(fmt.Errorf("there is no finding %s; %s", strings.Join(unknown, ", "), thoseThereAre(envelope)))
	}
	if len(text) == 0 {
		return r.say("The review has no findings.")
	}
	return r.emit("", text)
}

// thoseThereAre lists the findings of a review.
func thoseThereAre(e report.Envelope) string {
	ids := terminal.Explainable(report.Numbered(e))
	if len(ids) == 0 {
		return "the review has none; name the record of another review to look there"
	}
	return "the review has " + report.Capped(ids, ", ")
}

var findingID = lazyregexp.New(`^[A-Za-z][0-9]+$`)

// split tells ids from the name of a record.
func (c *explainCmd) split(r *run) (ids []string, record string, err error) {
	for _, word := range c.What {
		_, statErr := os.Stat(r.path(word))
		switch {
		case findingID().MatchString(word) && statErr != nil:
			ids = append(ids, word)
		case record != "":
			return nil, "", fmt.Errorf("%s and %s are two records: explain one at a time", record, word)
		default:
			record = word
		}
	}
	return ids, record, nil
}

// maxRecords bounds how many records are looked at for one of this repository.
const maxRecords = 50

// anyRecord is the newest record of this repository, whatever it is about. It says which.
func (r *run) anyRecord() (string, error) {
	record, err := r.newestRecord(func(store.Record) bool { return true })
	if err == nil {
		r.progress("the newest review: %s", record)
	}
	return record, err
}

// newestRecord is the newest record of this user that is wanted and whose change this
// repository knows, or that is about no commit at all, such as that of a repository
// without one or of a patch; outside of a repository it is the newest one.
func (r *run) newestRecord(isWanted func(store.Record) bool) (string, error) {
	dir := r.stateDir()
	sessions, err := filepath.Glob(filepath.Join(dir, "debate-*", "record.jsonl"))
	if err != nil || dir == "" {
		return "", usage(errors.New("name the record of a review"))
	}
	slices.Sort(sessions) // their names begin with the time
	slices.Reverse(sessions)
	repo, outside := gitrepo.Open(r.ctx, r.Dir)
	for _, path := range sessions[:min(len(sessions), maxRecords)] {
		rec, err := store.Read(path)
		if err != nil || !isWanted(rec) {
			continue // one that is broken keeps nobody from the others
		}
		if outside != nil || isOf(r.ctx, repo, rec) {
			return path, nil
		}
	}
	return "", usage(fmt.Errorf("no record of a review of this repository is in %s: name one", dir))
}

// isOf reports whether a repository has the commits that a record is about, or it is about none.
func isOf(ctx context.Context, repo *gitrepo.Repo, rec store.Record) bool {
	for _, e := range rec.Entries {
		if ev, ok := e.Event.(debate.Snapshotted); ok {
			return ev.BaseSHA+ev.HeadSHA == "" || repo.Has(ctx, ev.BaseSHA) || repo.Has(ctx, ev.HeadSHA)
		}
	}
	return false
}
