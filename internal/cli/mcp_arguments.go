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
)

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
