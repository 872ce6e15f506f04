package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/report/sarif"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

type reportCmd struct {
	databaseFlag

	Record  string `arg:"" optional:"" help:"A review: its number in debate reviews, its record, or its id at a server. newest, the default, is your newest review of this repository."`
	Format  string `enum:"text,json,markdown,html,sarif,agent" default:"text" help:"Show it as text, json, markdown, html, sarif, or agent: the open findings for a coding agent to fix."`
	Verbose bool   `short:"v" help:"Show everything, even if it does not fit on one screen."`
	Output  string `short:"o" placeholder:"FILE" help:"Write the report to this file."`
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
	envelope := envelopeOf(state, rec.Entries)
	envelope.Seal = rec.Last
	if !r.isKept(name) { // GitHub takes the answers to a review of a server
		envelope.Record = r.path(name)
	}
	return r.show(envelope, c.Format, c.Output, c.Verbose)
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

// envelopeOf is the result of a review, with the lines of code around its findings from the record.
func envelopeOf(s debate.State, entries []debate.Entry) report.Envelope {
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
	return report.WithCode(report.FromState(s), s, lines)
}

type explainCmd struct {
	databaseFlag

	What []string `arg:"" optional:"" help:"Findings, such as F1, and a review: its number in debate reviews, newest, its record, or its id at a server. Default: the whole debate of your newest review of this repository."`
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

// explain shows the debate about some findings of a record, or all of it.
func (r *run) explain(ids []string, record, database string) error {
	record, _, state, err := r.readReview(record, database)
	if err != nil {
		return err
	}
	envelope := report.FromState(state)
	if state.Ending.Outcome == "" { // without findings a running review may just have none yet
		if len(envelope.FindingIDs()) == 0 {
			return errNotEnded(record)
		}
		r.progress("%v", errNotEnded(record))
	}
	text, unknown := terminal.Explain(envelope, ids, r.shape("", false))
	if len(unknown) > 0 {
		there := "this review has none, and debate reviews lists the others"
		if ids := envelope.FindingIDs(); len(ids) > 0 {
			there = "the review has " + report.Capped(ids, ", ")
		}
		return usage(fmt.Errorf("there is no finding %s; %s", strings.Join(unknown, ", "), there))
	}
	return r.emit("", text)
}

var findingID = lazyregexp.New(`^[A-Za-z][0-9]+$`)

type replayCmd struct {
	databaseFlag

	Record  string `arg:"" optional:"" help:"A review: its number in debate reviews, its record, or its id at a server. newest, the default, is your newest review of this repository."`
	Verbose bool   `short:"v" help:"List each event in the words of the protocol."`
}

// Run folds a record again and compares the outcome with the recorded one. Exit code 4
// means a difference.
func (c *replayCmd) Run(r *run) error {
	name, rec, state, err := r.readReview(c.Record, c.Database)
	if err != nil {
		return err
	}
	if c.Verbose {
		if err := r.emit("", transcript(rec, state)); err != nil {
			return err
		}
	}
	var sent engine.Prompts
	for _, e := range rec.Entries {
		if why := sent.Add(e.Event); why != "" {
			return fmt.Errorf("event %d of the record: %s", e.N, why)
		}
	}
	if state.Ending.Closing == nil {
		return errNotEnded(name)
	}
	replayed, err := state.Close()
	if err != nil {
		return err
	}
	if err := sameOutcome(state.Ending.Closing.Outcome, replayed.Outcome); err != nil {
		return err
	}
	if c.Verbose {
		return nil
	}
	text := fmt.Sprintf("%s\nThe record has %s, and they come to this result again.\n",
		comment.Line(report.Headline(report.FromState(state))), report.Count(len(rec.Entries), "event"))
	if rec.Torn {
		text += "Its last line is incomplete and was left out.\n"
	}
	return r.emit("", []byte(text+"Its seal is "+rec.Last+"\n"))
}

// sameOutcome compares two outcomes, member by member. An earlier build sealed other members as well,
// such as the parties: it compares only the members of both builds.
func sameOutcome(recorded, found json.RawMessage) error {
	var says, comes map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(recorded, &says), json.Unmarshal(found, &comes)); err != nil {
		return fmt.Errorf("read the outcome of the record: %w", err)
	}
	isEarlier := says["parties"] != nil
	both := maps.Clone(says)
	maps.Copy(both, comes)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		inBoth := says[name] != nil && comes[name] != nil
		if !bytes.Equal(says[name], comes[name]) && (inBoth || !isEarlier) {
			return fmt.Errorf("the replay differs in %.40q: the record says %.200q, the events lead to %.200q", name, says[name], comes[name])
		}
	}
	return nil
}

// transcript lists each event with its facts as the record has them: kind, actor, subjects, code,
// words, citations and reason.
func transcript(rec store.Record, s debate.State) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, protocol version %s\n", s.Received.SessionID, s.Received.Protocol)
	for _, step := range s.Steps {
		fmt.Fprintf(&b, "%3d  %-12s", step.N, step.Kind)
		for _, stage := range step.Stages {
			fmt.Fprintf(&b, " -> %s", stage)
		}
		b.WriteByte('\n')
		for _, f := range step.Facts {
			text := strings.Join(report.Present(string(f.Kind), f.Who, f.About, f.Other, f.Code), " ")
			if f.Text != "" {
				text += ": " + strconv.Quote(report.ClipLine(f.Text, 120))
			}
			for _, e := range f.Cites {
				text += report.Wrapped(", ", report.Spot(e.Cite.Path, e.Cite.StartLine), "")
			}
			text += report.Wrapped("; ", report.ClipLine(report.Says(s, f.Why), 120), "")
			fmt.Fprintf(&b, "       %s\n", comment.Line(text))
		}
	}
	if rec.Torn {
		b.WriteString("the last line is incomplete and was left out\n")
	}
	if s.Ending.Outcome != "" {
		fmt.Fprintf(&b, "outcome %s, disposition %s, confidence %s\n", s.Ending.Outcome, s.Ending.Disposition, s.Ending.Confidence)
	}
	fmt.Fprintf(&b, "sealed by %s\n", rec.Last)
	return []byte(b.String())
}

type promptsCmd struct {
	databaseFlag

	Call   string `arg:"" help:"The id of a call, such as REBUT/2/gpt; an unknown one lists all."`
	Record string `placeholder:"REVIEW" help:"A review: its number in debate reviews, its record, or its id at a server (default: your newest review of this repository)."`
}

// Run prints the prompt of a recorded call: its three parts, below them the request line by line
// for people, and what the party looked at.
func (c *promptsCmd) Run(r *run) error {
	_, rec, _, err := r.readReview(c.Record, c.Database)
	if err != nil {
		return err
	}
	var sent engine.Prompts
	var calls []string
	for _, e := range rec.Entries {
		if why := sent.Add(e.Event); why != "" {
			return fmt.Errorf("event %d of the record: %s", e.N, why)
		}
		ev, ok := e.Event.(debate.Replied)
		if ok && !slices.Contains(calls, ev.Ask) {
			calls = append(calls, ev.Ask)
		}
		if !ok || ev.Ask != c.Call {
			continue
		}
		system, packet, looked, held := sent.Sent(ev)
		if !held {
			return fmt.Errorf("the record does not hold what was sent for %s", c.Call)
		}
		var b bytes.Buffer
		b.WriteString("=== system\n" + system + "\n=== packet\n" + packet + "\n=== turn\n")
		if err := json.Indent(&b, []byte(ev.Turn), "", "  "); err != nil {
			b.WriteString(ev.Turn)
		}
		var turn struct{ Request string }
		if json.Unmarshal([]byte(ev.Turn), &turn) == nil {
			b.WriteString("\n\n=== request\n" + turn.Request)
		}
		b.WriteString(report.Wrapped("\n=== looked\n", looked, ""))
		return r.emit("", b.Bytes())
	}
	if len(calls) == 0 {
		return usage(errors.New("the record has no calls: no model was asked"))
	}
	return usage(fmt.Errorf("the record has no call %q; it has %s", c.Call, report.Capped(calls, ", ")))
}
