package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/mcp"
	"github.com/prdebate/debate/internal/report"
)

type mcpCmd struct {
	MaxUSD dollars `name:"max-usd" placeholder:"USD" default:"1" help:"The most that all reviews and questions of this server may cost together, in US dollars (default: ${default})."`
}

// dearestServer bounds the ceiling of a server, in millionths of a US dollar.
const dearestServer = 1000 * 1_000_000

// dollars is an amount of money on the command line, in millionths of a US dollar.
type dollars report.USD

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *dollars) UnmarshalText(text []byte) error {
	if err := (*report.USD)(d).UnmarshalJSON(text); err != nil || *d <= 0 {
		return errors.New("write an amount of US dollars above 0, such as 5 or 0.50")
	}
	return nil
}

// Run serves until the client closes its stream, or a Ctrl-C.
func (c *mcpCmd) Run(r *run) error {
	if c.MaxUSD > dearestServer {
		return usage(fmt.Errorf("--max-usd: write an amount of at most %d US dollars", dearestServer/1_000_000))
	}
	repo, err := gitrepo.Open(r.ctx, r.Dir)
	if err != nil {
		return err
	}
	if repo.Top() == "" {
		return usage(errors.New("there is no work tree here: start debate mcp in a clone of the repository"))
	}
	if r.Typed != nil && r.Typed() {
		r.progress("waiting for a client: an editor or a coding agent starts this and speaks to it (docs/mcp.md); Ctrl-C stops it")
	}
	d := &toolServer{env: r.Env, repo: repo, turn: make(chan struct{}, 1), budget: budget{most: report.USD(c.MaxUSD)}}
	d.env.Dir = repo.Top()
	err = mcp.Serve(r.ctx, r.Stdin, r.Stdout, Version(), d)
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	return err
}

// toolServer carries out the tools of debate mcp, each by the command of the same name.
type toolServer struct {
	env    Env // of the server, at the top of its repository
	repo   *gitrepo.Repo
	turn   chan struct{} // holds a value during a debate: one at a time
	budget budget        // for the holder of the turn
	last   atomic.Value  // path of the latest review's record, a string; nil before the first
}

// run returns a run with its result in out and its progress in tell. It has no input and no
// terminal.
func (d *toolServer) run(ctx context.Context, out *strings.Builder, tell func(string)) *run {
	env := d.env
	env.Stdin, env.Stdout, env.Stderr, env.Typed = strings.NewReader(""), out, lineWriter(tell), nil
	env.Width = func(io.Writer) (int, bool) { return 0, false }
	return &run{Env: env, ctx: ctx, color: "never"}
}

// lineWriter passes on each line.
type lineWriter func(line string)

// Write implements io.Writer. Callers write whole lines.
func (t lineWriter) Write(text []byte) (int, error) {
	for line := range strings.SplitSeq(strings.TrimRight(string(text), "\n"), "\n") {
		t(strings.TrimPrefix(line, "debate: "))
	}
	return len(text), nil
}

// forAgent shortens an error for an agent. It is nil if the result has the reason.
func forAgent(err error) error {
	if err == nil {
		return nil
	}
	_, lines := failure(err)
	if len(lines) == 0 {
		return nil
	}
	clipped := lists.Map(lines[:min(len(lines), report.MaxListed)], func(line string) string { return report.ClipLine(line, report.MaxEntry) })
	return errors.New(strings.Join(clipped, "\n"))
}

// budget is the money of a server's debates.
type budget struct {
	most, spent report.USD
}

// unpriced is the part of the ceiling, as a divisor, for a debate without a complete cost,
// in addition to the known cost.
const unpriced = 10

// left returns the rest of the money, or an error if there is none.
func (p *budget) left() (report.USD, error) {
	if p.spent >= p.most {
		return 0, fmt.Errorf("the ceiling of this server is reached: %s of %s are spent. "+
			"A person can start debate mcp anew with a higher --max-usd; findings and explain cost nothing", p.spent.Rounded(), p.most.Rounded())
	}
	return p.most - p.spent, nil
}

// spend counts the cost of a debate and describes it. Calls without a price, and answers after the
// client left, have no known cost: such a debate counts for more.
func (p *budget) spend(known report.USD, whole bool) string {
	counted, cost := known, "It cost "+known.Rounded()
	if !whole {
		counted += p.most / unpriced
		cost += fmt.Sprintf(" and calls without a known price; it counts for %s", counted.Rounded())
	}
	p.spent += counted
	return fmt.Sprintf("%s. This server has spent %s of %s.", cost, p.spent.Rounded(), p.most.Rounded())
}

// debate runs a command within the money left, and adds the cost and the open decisions to
// its result.
func (d *toolServer) debate(ctx context.Context, tell func(string), command func(r *run, flags debateFlags) (string, error)) (string, error) {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	left, err := d.budget.left()
	if err != nil {
		return "", err
	}
	r := d.run(ctx, new(strings.Builder), tell)
	text, err := command(r, debateFlags{most: left})
	if r.record == "" { // nothing was held
		return "", forAgent(err)
	}
	_, _, state, readErr := r.readReview(r.record, "")
	micro, unknown := state.Asking.Spent()
	cost := d.budget.spend(report.USD(micro), !unknown && readErr == nil && state.Ending.Outcome != "")
	waits := ""
	if open, _ := openIn(state); len(open) > 0 { // no tool answers them
		waits = report.Count(len(open), "decision") + " left open, for a person and not for you. Show the person this command, it lists them: debate decide " + r.record + "\n"
	}
	switch why := forAgent(err); {
	case why == nil:
	case text == "":
		return "", fmt.Errorf("%w\n%s", why, cost)
	case unanswered(state) != nil: // the result says why
		text += "\nNo model answered, for the reason above. A person can run debate doctor --online, which asks every model for a word.\n"
	default:
		text += "\n" + why.Error() + "\n"
	}
	return text + "\n" + cost + "\n" + waits, nil
}

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
	return d.debate(ctx, tell, func(r *run, flags debateFlags) (string, error) {
		err := (&askCmd{Question: args.Question, Framing: string(framing), Option: args.Options, debateFlags: flags, Format: "text"}).Run(r)
		if text := written(r); text != "" {
			return report.AsData(text), err
		}
		return "", err
	})
}

// Findings implements mcp.Tools.
func (d *toolServer) Findings(ctx context.Context, args mcp.Findings, _ func(string)) (string, error) {
	return d.read(ctx, args.IDs, func(r *run, record string) (string, error) {
		_, _, state, err := r.readReview(record, "")
		if err != nil {
			return "", err
		}
		e := report.FromState(state)
		e.Record = record
		if len(args.IDs) == 0 {
			return string(report.ForAgent(e)), nil
		}
		there := lists.Map(report.Current(e), func(f report.Finding) string { return f.ID })
		for _, id := range args.IDs {
			if !slices.Contains(there, id) {
				return "", fmt.Errorf("there is no open finding %s; there are: %s", id, report.Capped(append(there, "no others"), ", "))
			}
		}
		return string(report.ForAgent(e, args.IDs...)), nil
	})
}

// Explain implements mcp.Tools.
func (d *toolServer) Explain(ctx context.Context, args mcp.Explain, _ func(string)) (string, error) {
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
	for path, rec := range r.ownRecords() {
		if held {
			break
		}
		if wasClosed(rec.Entries) { // a running review has no findings yet
			first, ok := rec.Entries[0].Event.(debate.Received)
			record, held = path, ok && first.Inquiry == nil
		}
	}
	if !held {
		return "", errors.New("there is no review of this repository yet: use the tool review first")
	}
	text, err := tool(r, record)
	return text, forAgent(err)
}

// written returns the output of a command.
func written(r *run) string { return r.Stdout.(*strings.Builder).String() }

// allows checks the arguments of a review. They can only name parts of the repository: no file
// outside of it, also by a link, no file of git's own, and no ignored file, because those often
// have secrets.
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
	case args.File == "":
		return nil
	case !filepath.IsLocal(filepath.FromSlash(args.File)):
		return fmt.Errorf("file: %q is outside the repository, or no path from its top", args.File)
	}
	snapshot, err := d.repo.Snapshot(ctx, gitrepo.Scope{Kind: gitrepo.Uncommitted})
	if err != nil {
		return forAgent(err)
	}
	defer snapshot.Close()
	_, why := snapshot.Tree().Read(path.Clean(filepath.ToSlash(args.File)), debate.Right)
	if why == "" || why == debate.LookTooLarge {
		return nil
	}
	return fmt.Errorf("file: %q is no file of the repository: it does not exist, is a link, or git ignores it", args.File)
}

// plain refuses an argument that a program could read as an option.
func plain(name, value string) error {
	if strings.HasPrefix(strings.TrimSpace(value), "-") {
		return fmt.Errorf("%s: %q begins with a hyphen, which no argument may", name, value)
	}
	return nil
}
