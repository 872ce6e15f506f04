package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/mcp"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
)

// Review implements mcp.Tools.
func (d *toolServer) Review(ctx context.Context, args mcp.Review, tell func(string)) (string, error) {
	if err := d.allows(ctx, args); err != nil {
		return "", err
	}
	scope := scopeFlags{Base: args.Base, Commit: args.Commit, Range: args.Range, Uncommitted: args.Uncommitted, File: args.File}
	return d.debate(ctx, tell, func(r *run, flags debateFlags) (string, error) {
		flags.Mode = args.Mode
		err := (&reviewCmd{scopeFlags: scope, Target: string(debate.TargetAuto), debateFlags: flags, Format: "agent"}).Run(r)
		text := written(r)
		if text != "" { // it came to its end
			d.last.Store(r.record)
		}
		return text, err
	})
}

// Ask implements mcp.Tools.
func (d *toolServer) Ask(ctx context.Context, args mcp.Ask, tell func(string)) (string, error) {
	framing, err := framingOf(args)
	if err != nil {
		return "", err
	}
	return d.debate(ctx, tell, func(r *run, flags debateFlags) (string, error) {
		err := (&askCmd{Question: args.Question, Framing: framing, Option: args.Options, debateFlags: flags, Format: "text"}).Run(r)
		if text := written(r); text != "" {
			return report.AsData(text), err
		}
		return "", err
	})
}

// Findings implements mcp.Tools.
func (d *toolServer) Findings(ctx context.Context, args mcp.Findings) (string, error) {
	return d.read(ctx, args.IDs, func(r *run, record string) (string, error) {
		_, state, err := r.foldRecord(record, "")
		if err != nil {
			return "", err
		}
		e := report.FromState(state)
		e.Record = record
		if len(args.IDs) == 0 {
			return string(report.ForAgent(e)), nil
		}
		var there []string
		for _, f := range report.Current(e) {
			there = append(there, f.ID)
		}
		for _, id := range args.IDs {
			if !slices.Contains(there, id) {
				return "", fmt.Errorf("there is no open finding %s; there are: %s", id, report.Capped(append(there, "no others"), ", "))
			}
		}
		return string(report.ForAgentOnly(e, args.IDs)), nil
	})
}

// Explain implements mcp.Tools.
func (d *toolServer) Explain(ctx context.Context, args mcp.Explain) (string, error) {
	return d.read(ctx, args.IDs, func(r *run, record string) (string, error) {
		if err := r.explain(args.IDs, record, ""); err != nil {
			return "", err
		}
		return report.AsData(written(r)), nil
	})
}

// read runs a tool that only reads the newest review of the repository.
func (d *toolServer) read(ctx context.Context, ids []string, tool func(r *run, record string) (string, error)) (string, error) {
	for _, id := range ids {
		if !findingID().MatchString(id) {
			return "", fmt.Errorf("ids: %q is no finding, such as F1", id)
		}
	}
	r := d.run(ctx, new(strings.Builder), func(string) {})
	record, held := d.last.Load().(string)
	if !held {
		var err error
		if record, err = r.recordAt(1, func(rec store.Record) bool { // a running review has no findings yet
			if !wasClosed(rec.Entries) {
				return false
			}
			first, ok := rec.Entries[0].Event.(debate.Received)
			return ok && first.Inquiry == nil
		}); err != nil {
			return "", forAgent(err)
		}
	}
	text, err := tool(r, record)
	return text, forAgent(err)
}

// written returns the output of a command.
func written(r *run) string { return r.Stdout.(*strings.Builder).String() }
