package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/prdebate/debate/internal/bench"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

type benchCmd struct {
	Cases   string `arg:"" name:"DIR" help:"Folder with the cases, one folder each; docs/bench.md shows one."`
	Tapes   string `placeholder:"FOLDER" help:"Use the models' answers in this folder, and save new ones there."`
	Config  string `placeholder:"FILE" help:"Use these settings. They override your own."`
	MaxUSD  string `name:"max-usd" placeholder:"USD" help:"End the run at this cost (default: limits.max_cost_usd of the settings)."`
	Format  string `enum:"text,json" default:"text" help:"Show the result as text or json."`
	Verbose bool   `short:"v" help:"Show the missed and the wrong findings of each case."`
	Output  string `short:"o" placeholder:"FILE" help:"Write the result to this file."`
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
	set, err := flags.settings(r, config.Config{}, func(context.Context, string) ([]byte, error) { return nil, nil }, nil)
	if err != nil {
		return err
	}
	if set.config.Mode == debate.Quick {
		return usage(errors.New("in mode quick only one member reads the change by itself, so members cannot be compared: choose standard or minimal"))
	}
	most := report.USD(set.config.Limits.MaxCostUSD) // millionths, both; 0 for no limit
	if c.MaxUSD != "" {
		if err := most.UnmarshalJSON([]byte(c.MaxUSD)); err != nil || most <= 0 {
			return usage(fmt.Errorf("--max-usd is %q: write an amount of US dollars, such as 5 or 0.50", c.MaxUSD))
		}
	}
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
	absent := lists.Map(absentDebaters(h.set.panel.parties), func(p debate.Party) string { return p.ID + ": " + p.Detail })
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
