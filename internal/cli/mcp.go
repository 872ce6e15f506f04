package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync/atomic"

	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/mcp"
	"github.com/prdebate/debate/internal/report"
)

type mcpCmd struct {
	MaxUSD float64 `name:"max-usd" placeholder:"USD" default:"1" help:"The most that all reviews and questions of this server may cost together, in US dollars (default: ${default})."`
}

// dearestServer bounds the ceiling of a server, in US dollars.
const dearestServer = 1000

// Run serves until the client closes its stream, or a Ctrl-C.
func (c *mcpCmd) Run(r *run) error {
	if !(0 < c.MaxUSD && c.MaxUSD <= dearestServer) {
		return usage(fmt.Errorf("--max-usd %g: it is more than 0 and at most %d", c.MaxUSD, dearestServer))
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
	d := &toolServer{env: r.Env, repo: repo, turn: make(chan struct{}, 1), budget: budget{most: report.USD(math.Round(c.MaxUSD * 1e6))}}
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
	return &run{Env: env, ctx: ctx, colouring: &colouring{env: env, asked: "never"}}
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
	var exit *exitError
	if errors.As(err, &exit) && exit.err == nil {
		return nil
	}
	if err == nil {
		return nil
	}
	var lines []string
	for _, one := range errorParts(err) {
		lines = append(lines, report.ClipLine(one.Error(), report.MaxEntry))
	}
	return errors.New(strings.Join(lines[:min(len(lines), report.MaxListed)], "\n"))
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

// spend counts the cost of a debate. Calls without a price, and answers after the client
// left, have no known cost: such a debate counts for more.
func (p *budget) spend(known report.USD, whole bool) {
	p.spent += known
	if !whole {
		p.spent += p.most / unpriced
	}
}

// summary reports the cost of a debate and of the server.
func (p *budget) summary(known report.USD, whole bool) string {
	if !whole {
		return fmt.Sprintf("It cost %s and calls whose price is not known; it counts for %s. This server has spent %s of %s.",
			known.Rounded(), (known + p.most/unpriced).Rounded(), p.spent.Rounded(), p.most.Rounded())
	}
	return fmt.Sprintf("It cost %s. This server has spent %s of %s.", known.Rounded(), p.spent.Rounded(), p.most.Rounded())
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
	_, state, readErr := r.foldRecord(r.record, "")
	micro, unknown := state.Asking.Spent()
	whole := !unknown && readErr == nil && state.Ending.Outcome != ""
	d.budget.spend(report.USD(micro), whole)
	waits := ""
	if open, _ := openIn(state); len(open) > 0 { // no tool answers them
		waits = report.Count(len(open), "decision") + " left open, for a person and not for you. Show the person this command, it lists them: debate decide " + r.record + "\n"
	}
	switch why := forAgent(err); {
	case why == nil:
	case text == "":
		return "", fmt.Errorf("%w\n%s", why, d.budget.summary(report.USD(micro), whole))
	case unanswered(state) != nil: // the result says why
		text += "\nNo model answered, for the reason above. A person can run debate doctor --online, which asks every model for a word.\n"
	default:
		text += "\n" + why.Error() + "\n"
	}
	return text + "\n" + d.budget.summary(report.USD(micro), whole) + "\n" + waits, nil
}
