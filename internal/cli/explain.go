package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
)

type explainCmd struct {
	databaseFlag

	What []string `arg:"" optional:"" help:"Findings, such as F1, and a review: its number in debate reviews, newest, its record, or its id at a server. Default: all findings of your newest review of this repository."`
}

// Help shows how the command is used.
func (c *explainCmd) Help() string {
	return `Examples:
  debate explain          all findings of your newest review
  debate explain F1 F3    two of them
  debate explain 2 F1     one of the second newest review`
}

// Run shows the debate about findings and how it was settled.
func (c *explainCmd) Run(r *run) error {
	ids, record, err := c.split(r)
	if err != nil {
		return usage(err)
	}
	if record, err = r.recordNamed(record); err != nil {
		return err
	}
	return r.explain(ids, record, c.Database)
}

// explain shows the debate about some findings of a record, or about all.
func (r *run) explain(ids []string, record, database string) error {
	_, state, err := r.foldRecord(record, database)
	if err != nil {
		return err
	}
	envelope := report.FromState(state)
	if state.Ending.Outcome == "" { // without findings a running review may just have none yet
		if len(terminal.Explainable(envelope)) == 0 {
			return errNotEnded(record)
		}
		r.progress("%v", errNotEnded(record))
	}
	text, unknown := terminal.Explain(envelope, ids, r.colouring.shape("", false))
	if len(unknown) > 0 {
		there := "the review has none; name the record of another review to look there"
		if ids := terminal.Explainable(envelope); len(ids) > 0 {
			there = "the review has " + report.Capped(ids, ", ")
		}
		return usage(fmt.Errorf("there is no finding %s; %s", strings.Join(unknown, ", "), there))
	}
	if len(text) == 0 {
		return r.say("The review has no findings.")
	}
	return r.emit("", text)
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
