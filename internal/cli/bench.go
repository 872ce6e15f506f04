package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/bench"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model/tape"
	"github.com/prdebate/debate/internal/report"
)

type benchCmd struct {
	Cases   string  `arg:"" name:"DIR" help:"Folder with the cases, one folder each; docs/bench.md shows one."`
	Tapes   string  `placeholder:"FOLDER" help:"Use the models' answers in this folder, and save new ones there."`
	Config  string  `placeholder:"FILE" help:"Use these settings. They override your own."`
	MaxUSD  dollars `name:"max-usd" placeholder:"USD" help:"End the run at this cost (default: limits.max_cost_usd of the settings)."`
	Format  string  `enum:"text,json" default:"text" help:"Show the result as text or json."`
	Verbose bool    `short:"v" help:"Show the missed and the wrong findings of each case."`
	Output  string  `short:"o" placeholder:"FILE" help:"Write the result to this file."`
}

// Run debates every case and shows the findings of the debate, of a plain vote and of each
// member.
func (c *benchCmd) Run(r *run) error {
	flags := debateFlags{Config: c.Config, Output: c.Output}
	if err := flags.checkOutput(r); err != nil {
		return err
	}
	dir := r.path(c.Cases)
	if !exists(dir) {
		return usage(fmt.Errorf("there is no folder %s: name the one in which each case has a folder of its own", c.Cases))
	}
	cases, err := bench.Load(os.DirFS(dir))
	if err != nil {
		return usage(fmt.Errorf("%s: %w", c.Cases, err))
	}
	set, err := r.settings(r.ctx, flags.demand(""), func(context.Context, []string) (map[string][]byte, error) { return nil, nil }, nil)
	if err != nil {
		return err
	}
	if set.config.Mode == debate.Quick {
		return usage(errors.New("in mode quick only one member reads the change by itself, so members cannot be compared: choose standard or minimal"))
	}
	most := cmp.Or(report.USD(c.MaxUSD), report.USD(set.config.Limits.MaxCostUSD)) // millionths, all; 0 for no limit
	h := &benchRun{run: r, set: set, dir: dir, tapes: c.Tapes}
	if err := h.prepare(cases, most); err != nil {
		return err
	}
	ended := 0
	done, left, err := bench.Run(r.ctx, cases, h.hold, int64(most), func(o bench.Outcome) {
		ended++
		line := fmt.Sprintf("%d of %d  %s  %s", ended, len(cases), o.Case.ID, bench.Judge(o)[0].Line(o.Case))
		if !o.Held.Taped {
			line += "  cost " + o.Held.Debate.Bill()
		}
		r.progress("%s", line)
	})
	result := bench.Result{Done: done, Left: left, Notes: set.panel.askForFamilies()}
	if err == nil && len(done) == 0 {
		err = errors.New("no case was counted")
	}
	data := result.Text(c.Verbose)
	if c.Format == "json" {
		var failed error
		if data, failed = result.JSON(); failed != nil {
			return errors.Join(failed, err)
		}
	}
	return errors.Join(r.emit(c.Output, data), err)
}

// prepare checks before any spending that every case can be read and fits its tape. It
// reports absent members.
func (h *benchRun) prepare(cases []bench.Case, most report.USD) error {
	taped := 0
	for _, c := range cases {
		prepared, err := h.open(h.run.ctx, c)
		if err == nil {
			if prepared.tape != nil {
				taped++
			}
			err = prepared.close()
		}
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			return usage(fmt.Errorf("case %s: %w", c.ID, err))
		}
	}
	h.run.progress("%d cases, the answers to %d of them are on tape", len(cases), taped)
	if taped == len(cases) {
		return nil
	}
	absent := absences(h.set.panel.parties)
	able := len(h.set.panel.clients) > 0
	if len(absent) == 0 && !able {
		absent = append(absent, "no API key is set and no settings name a model; set a key, or play tapes with --tapes")
	}
	if !able && taped == 0 {
		return fmt.Errorf("no model can take part: %s", strings.Join(absent, "; "))
	}
	for _, line := range absent {
		h.run.progress("cannot take part: %s", line)
	}
	if most > 0 && able {
		h.run.progress("the run ends at %s", most.Rounded())
	}
	return nil
}

// benchRun holds the cases of one run.
type benchRun struct {
	run   *run
	set   settings
	dir   string // of the cases
	tapes string // folder of the tapes, "" for none
}

// openCase is a case with its change and its tape.
type openCase struct {
	bench.Case
	change *gitrepo.Snapshot
	tape   *tape.Tape // to play; nil for none
}

func (c *openCase) close() error {
	var err error
	if c.tape != nil {
		err = c.tape.Close()
	}
	return errors.Join(err, c.change.Close())
}

// open freezes the change of a case and opens its tape. The tape must fit the change and
// the models of the settings: else its answers would count for the wrong panel.
func (h *benchRun) open(ctx context.Context, c bench.Case) (*openCase, error) {
	o := &openCase{Case: c}
	var err error
	if c.Change.Range == "" {
		o.change, err = gitrepo.FromFiles(ctx, c.Change.Files, c.Change.Patch)
	} else {
		path := c.Change.Repository
		if !filepath.IsAbs(path) {
			path = filepath.Join(h.dir, c.ID, path)
		}
		o.change, err = scopeFlags{Range: c.Change.Range}.snapshot(&run{Env: Env{Dir: path}, ctx: ctx})
	}
	if err != nil {
		return nil, err
	}
	path := h.tapeOf(c)
	if h.tapes == "" || !exists(path) {
		return o, nil
	}
	if o.tape, err = tape.Open(path, h.set.clean); err == nil {
		about := o.tape.About()
		if about.Change != "" && about.Change != o.change.Hash {
			err = errors.New("it was recorded about another change than the case has now: move it away, or name another folder")
		}
		debaters := lists.Keep(h.set.panel.parties, debate.Party.Debates) // none: the tape has its own
		for _, p := range debaters {
			if asked := about.Models[p.ID]; err == nil && asked != "" && asked != p.Model {
				err = fmt.Errorf("it holds answers of %s, and the settings name %s for %s: name another folder", asked, cmp.Or(p.Model, "no model"), p.ID)
			}
		}
		if err == nil && len(debaters) > 0 && !slices.ContainsFunc(debaters, func(p debate.Party) bool { return o.tape.Has(p.ID) }) {
			err = fmt.Errorf("it holds answers of %s, and none of them takes part: play it with the settings that it was recorded with, by --config, or name another folder", strings.Join(o.tape.Parties(), ", "))
		}
	}
	if err != nil {
		o.change.Close()
		return nil, fmt.Errorf("the tape %s: %w", path, err)
	}
	return o, nil
}

func (h *benchRun) tapeOf(c bench.Case) string {
	return filepath.Join(h.run.path(h.tapes), c.ID+".tape")
}

// ranOut says that a case does not count, as its debate ended at the limit of the money.
const ranOut = "the money ran out in it"

// hold implements bench.Hold.
func (h *benchRun) hold(ctx context.Context, c bench.Case, left int64) (bench.Held, error) {
	o, err := h.open(ctx, c)
	if err != nil {
		return bench.Held{}, err
	}
	defer o.close()
	limit := int64(h.set.config.Limits.MaxCostUSD)
	switch {
	case o.tape != nil:
		about := o.tape.About()
		held, err := h.debate(ctx, o, o.tape, cmp.Or(about.MostMicro, limit))
		held.Taped, held.Scripted = true, about.Scripted
		return held, err
	case len(h.set.panel.clients) == 0:
		return bench.Held{Left: "there is no tape of it, and no model can be asked"}, nil
	case left <= 0:
		return bench.Held{Left: "the money was spent before"}, nil
	}
	most := min(cmp.Or(limit, math.MaxInt64), left)
	if most == math.MaxInt64 {
		most = 0 // no limit
	}
	held, err := h.debateAndRecord(ctx, o, most)
	if held.Left == ranOut && most == limit { // its own limit
		held.Left = ""
	}
	return held, err
}

// debateAndRecord debates with the models. If the user wants tapes, it keeps the answers once the
// case has ended: half a tape is useless.
func (h *benchRun) debateAndRecord(ctx context.Context, o *openCase, most int64) (bench.Held, error) {
	if h.tapes == "" {
		return h.debate(ctx, o, nil, most)
	}
	path := h.tapeOf(o.Case)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return bench.Held{}, fmt.Errorf("make the folder of the tapes: %w", systemError(err))
	}
	about := tape.About{Change: o.change.Hash, Models: map[string]string{}, MostMicro: most}
	for _, p := range h.set.panel.parties {
		if p.Debates() && p.Status == debate.PartyOK {
			about.Models[p.ID] = p.Model
		}
	}
	part := filepath.Join(filepath.Dir(path), "."+o.ID+"-"+rand.Text()+".part")
	recording, err := tape.Record(part, h.set.clean, about)
	if err != nil {
		return bench.Held{}, err
	}
	defer os.Remove(part)
	held, err := h.debate(ctx, o, recording, most)
	if err = errors.Join(err, recording.Close()); err != nil || held.Left != "" {
		return held, err
	}
	return held, os.Link(part, path) // Link never replaces a file
}

// debate holds the debate of a case.
func (h *benchRun) debate(ctx context.Context, o *openCase, answers *tape.Tape, most int64) (bench.Held, error) {
	set := h.set
	if answers != nil {
		var err error
		if set.panel, err = participants(set.config, h.run.Providers, h.run.Getenv, answers); err != nil {
			return bench.Held{}, err
		}
	}
	r := *h.run
	r.ctx, r.Random = ctx, bytes.NewReader(make([]byte, 32)) // so that a tape gets the same questions again
	review, first, err := set.reviewOf(&r, o.change, debate.TargetAuto, set.clean(o.Body))
	if err != nil {
		return bench.Held{}, err
	}
	first.Settings.Opening, first.Settings.MaxCostMicro = debate.OpenParallel, most
	var log inMemory
	review.Log = &log
	review.Publish = func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
		return []string{"bench"}, nil, nil
	}
	state, err := review.Start(ctx, first)
	if err != nil {
		return bench.Held{}, err
	}
	if len(state.Asking.Calls) == 0 {
		return bench.Held{Left: report.Headline(report.FromState(state))}, nil
	}
	if err := unanswered(state); err != nil {
		return bench.Held{Left: err.Error()}, nil
	}
	held := heldOf(set.panel.parties, state, log)
	if state.Talk.Exit == debate.ExitBudget {
		held.Left = ranOut
	}
	return held, nil
}

// heldOf reads an ended debate: each member's opening, the confirmed findings and the
// disputed ones.
func heldOf(parties []debate.Party, s debate.State, log inMemory) bench.Held {
	replies := make(map[string]*debate.Reply)
	for _, e := range log {
		if ev, ok := e.Event.(debate.Replied); ok {
			replies[ev.Ask] = ev.Reply
		}
	}
	held := bench.Held{Debate: spent(s.Asking.Calls)}
	held.Debate.MS = log[len(log)-1].At - log[0].At
	for _, p := range parties {
		if p.Debates() {
			held.Members = append(held.Members, heardOf(p, s.Asking.Calls, replies))
		}
	}
	for _, c := range s.Book.Claims {
		modelsOwn := slices.ContainsFunc(c.ReportedBy, func(who string) bool { return who != debate.EngineParty })
		switch {
		case c.SameAs != "", !modelsOwn: // a finding of the built-in rules alone is the same for all members
		case c.Bucket == debate.Agreed:
			held.Agreed = append(held.Agreed, findingOf(c, s.Book.Claims))
		case c.Bucket == debate.Unresolved && c.Reason != debate.ReasonUnproved:
			held.Disputed = append(held.Disputed, findingOf(c, s.Book.Claims))
		}
	}
	return held
}

// heardOf returns the findings of a member's own openings, as it reported them: without a check
// of their citations.
func heardOf(p debate.Party, calls []debate.Call, replies map[string]*debate.Reply) bench.Heard {
	h := bench.Heard{ID: p.ID}
	if p.Status != debate.PartyOK {
		h.Absent = p.Detail
		return h
	}
	answered := make(map[string]bool) // by the part of the change
	var own []debate.Call
	for _, c := range calls {
		opens := c.Kind == debate.CallOpen || c.Kind == debate.CallLocal
		if !opens || c.Party != p.ID {
			continue
		}
		own = append(own, c)
		reply := replies[c.Ask]
		answered[c.Chunk] = answered[c.Chunk] || reply != nil && c.Status == debate.CallOK
		if reply == nil {
			continue
		}
		for _, claim := range reply.Claims {
			f := bench.Finding{Severity: claim.Severity, Title: claim.Title, Text: claim.Body}
			if !f.Severity.AtLeast(debate.P3) {
				f.Severity = debate.P3
			}
			for _, ref := range claim.Refs {
				f.Places = append(f.Places, placesOf(ref.Citation)...)
			}
			h.Findings = append(h.Findings, f)
		}
	}
	h.Answered = len(own) > 0
	for _, ok := range answered {
		h.Answered = h.Answered && ok
	}
	h.Spent = spent(own)
	return h
}

// spent adds up the cost and the time of calls.
func spent(calls []debate.Call) bench.Spent {
	var sum bench.Spent
	var began, ended int64
	for i, c := range calls {
		sum.CostMicro += report.USD(c.Usage.CostMicro)
		sum.CostUnknown = sum.CostUnknown || c.Usage.CostUnknown
		if i == 0 || c.Started < began {
			began = c.Started
		}
		ended = max(ended, c.Ended)
	}
	sum.MS = ended - began
	return sum
}

// findingOf returns a finding of the debate with the words and lines of its duplicates.
func findingOf(c debate.Claim, all []debate.Claim) bench.Finding {
	f := bench.Finding{Severity: c.Severity, Title: c.Title, Text: c.Body, Places: placesOf(c.Cite())}
	for _, one := range all {
		if one.ID != c.ID && one.SameAs != c.ID {
			continue
		}
		f.Text += "\n" + one.Title + "\n" + one.Body
		for _, e := range one.Evidence {
			if e.CitationOK {
				f.Places = append(f.Places, placesOf(e.Cite)...)
			}
		}
	}
	return f
}

// placesOf is the place of a citation, if it names one.
func placesOf(c debate.Citation) []bench.Place {
	if c.Path == "" || c.StartLine < 1 {
		return nil
	}
	return []bench.Place{{Path: c.Path, Side: cmp.Or(c.Side, debate.Right), Start: c.StartLine, End: max(c.StartLine, c.EndLine)}}
}
