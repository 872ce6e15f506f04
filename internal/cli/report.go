package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/report/sarif"
	"github.com/prdebate/debate/internal/report/terminal"
)

type reportCmd struct {
	databaseFlag

	Record  string `arg:"" optional:"" help:"A review: its number in debate reviews, its record, or its id at a server. Default, and newest: your newest review of this repository."`
	Format  string `enum:"text,json,markdown,html,sarif,agent" default:"text" help:"Show it as text, json, markdown, html, sarif, or agent: the open findings for a coding agent to fix."`
	Verbose bool   `short:"v" help:"Show everything, even if it does not fit on one screen."`
	Output  string `short:"o" placeholder:"FILE" help:"Write the report to this file."`
}

// Help shows how the command is used.
func (c *reportCmd) Help() string {
	return `Examples:
  debate report                                  your newest review
  debate report 2 --format html -o page.html     the one before, as a page
  debate report --format agent                   findings for an agent`
}

// Run renders a record.
func (c *reportCmd) Run(r *run) error {
	name, rec, state, err := r.readReview(c.Record, c.Database)
	if err != nil {
		return err
	}
	if rec.Torn {
		r.progress("the last line of %s is incomplete and was left out", name)
	}
	if state.Ending.Outcome == "" {
		return errNotEnded(name)
	}
	envelope := withCode(report.FromState(state), state, rec.Entries)
	envelope.Seal = rec.Last
	if !r.isKept(name) { // GitHub takes the answers to a review of a server
		envelope.Record = r.path(name)
	}
	data, err := render(envelope, c.Format, r.shape(envelope.Record, c.Output, c.Verbose))
	if err != nil {
		return err
	}
	return r.emit(c.Output, data)
}

// errNotEnded is the error for a record without a result.
func errNotEnded(record string) error {
	return fmt.Errorf("the review in %s has not ended; to go on: debate resume %s", record, record)
}

// render renders an envelope in one of the formats of the command line.
func render(e report.Envelope, format string, opt terminal.Options) ([]byte, error) {
	switch format {
	case "json":
		return report.JSON(e)
	case "markdown":
		return report.Markdown(e), nil
	case "html":
		e.Version = Version()
		return html.Render(e)
	case "sarif":
		var rules []sarif.Rule
		for _, r := range critic.Rules() {
			if !r.Notice {
				rules = append(rules, sarif.Rule{ID: r.ID, Title: r.Title, Help: "Source: " + r.Source, Severity: r.Severity, Category: r.Category})
			}
		}
		return sarif.Render(e, rules, Version())
	case "agent":
		return report.ForAgent(e), nil
	}
	return terminal.Text(e, opt), nil
}

// withCode adds code lines to findings, from the parts of the change in the record.
func withCode(e report.Envelope, s debate.State, entries []debate.Entry) report.Envelope {
	lines := make(map[string][]report.CodeLine)
	for id, sent := range prompt.SentLines(entries) {
		for _, l := range sent {
			mark := string(l.Op)
			if l.Op == ' ' {
				mark = ""
			}
			lines[id] = append(lines[id], report.CodeLine{Mark: mark, Number: l.Number, Text: l.Text})
		}
	}
	return report.WithCode(e, s, lines)
}

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
	var ids []string
	record := ""
	for _, word := range c.What {
		_, absent := os.Stat(r.path(word))
		switch {
		case findingID().MatchString(word) && absent != nil:
			ids = append(ids, word)
		case record != "":
			return usage(fmt.Errorf("%s and %s are two records: explain one at a time", record, word))
		default:
			record = word
		}
	}
	return r.explain(ids, record, c.Database)
}

// explain shows the debate about some findings of a record, or about all.
func (r *run) explain(ids []string, record, database string) error {
	record, _, state, err := r.readReview(record, database)
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
