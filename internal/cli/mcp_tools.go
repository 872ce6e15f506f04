package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
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
		return string(report.ForAgent(e, args.IDs...)), nil
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

// allows checks the arguments of a review. They can only name parts of the repository.
func (d *toolServer) allows(ctx context.Context, args mcp.Review) error {
	scopes := 0
	for _, arg := range []struct{ name, value string }{{"range", args.Range}, {"base", args.Base}, {"commit", args.Commit}, {"file", args.File}, {"mode", args.Mode}} {
		if err := plain(arg.name, arg.value); err != nil {
			return err
		}
		if arg.value != "" && arg.name != "mode" {
			scopes++
		}
	}
	if args.Uncommitted {
		scopes++
	}
	modes := []debate.Mode{"", debate.Standard, debate.Minimal, debate.Quick}
	switch {
	case scopes > 1:
		return errors.New("range, base, commit, uncommitted and file each say what to review: give one of them")
	case !slices.Contains(modes, debate.Mode(args.Mode)):
		return fmt.Errorf("mode: %q is none; it is standard, minimal or quick", args.Mode)
	case args.File != "":
		return d.holds(ctx, args.File)
	}
	return nil
}

// framingOf checks the arguments of a question and returns its framing.
func framingOf(args mcp.Ask) (string, error) {
	if err := plain("question", args.Question); err != nil {
		return "", err
	}
	for _, o := range args.Options {
		if err := plain("options", o); err != nil {
			return "", err
		}
	}
	framing := cmp.Or(debate.Framing(args.Framing), debate.FramingPropose)
	if !slices.Contains(debate.Framings(), framing) {
		return "", fmt.Errorf("framing: %q is none; there are %v", args.Framing, debate.Framings())
	}
	return string(framing), nil
}

// plain refuses an argument that a program could read as an option.
func plain(name, value string) error {
	if strings.HasPrefix(strings.TrimSpace(value), "-") {
		return fmt.Errorf("%s: %q begins with a hyphen, which no argument may", name, value)
	}
	return nil
}

// holds refuses a file outside the repository, also by a link, a file of git's own, and an
// ignored file, because those often have secrets.
func (d *toolServer) holds(ctx context.Context, file string) error {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return fmt.Errorf("file: %q is outside the repository, or no path from its top", file)
	}
	snapshot, err := d.repo.Snapshot(ctx, gitrepo.Scope{Kind: gitrepo.Uncommitted})
	if err != nil {
		return forAgent(err)
	}
	defer snapshot.Close()
	_, why := snapshot.Tree().Read(path.Clean(filepath.ToSlash(file)), debate.Right)
	if why == "" || why == debate.LookTooLarge {
		return nil
	}
	return fmt.Errorf("file: %q is no file of the repository: it does not exist, is a link, or git ignores it", file)
}
