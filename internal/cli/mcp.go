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
	MaxUSD float64 `name:"max-usd" placeholder:"USD" default:"1" help:"What all reviews and questions of this server may cost together, in US dollars (default: ${default})."`
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
	d := &desk{env: r.Env, repo: repo, turn: make(chan struct{}, 1), purse: purse{most: report.USD(math.Round(c.MaxUSD * 1e6))}}
	d.env.Dir = repo.Top()
	err = mcp.Serve(r.ctx, r.Stdin, r.Stdout, Version(), d)
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	return err
}

// desk carries out the tools of debate mcp, each by the command of the same name.
type desk struct {
	env   Env // of the server, at the top of its repository
	repo  *gitrepo.Repo
	turn  chan struct{} // holds a value during a debate: one at a time
	purse purse         // for the holder of the turn
	last  atomic.Value  // path of the latest review's record, a string; nil before the first
}

// run returns a run with its result in out and its progress in tell. It has no input and no
// terminal.
func (d *desk) run(ctx context.Context, out *strings.Builder, tell func(string)) *run {
	env := d.env
	env.Stdin, env.Stdout, env.Stderr, env.Typed = strings.NewReader(""), out, told(tell), nil
	env.Width = func(io.Writer) (int, bool) { return 0, false }
	return &run{Env: env, ctx: ctx, colouring: &colouring{env: env, asked: "never"}}
}

// told passes on each line.
type told func(line string)

// Write implements io.Writer. Callers write whole lines.
func (t told) Write(text []byte) (int, error) {
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
	for _, one := range apart(err) {
		lines = append(lines, report.ClipLine(one.Error(), report.MaxEntry))
	}
	return errors.New(strings.Join(lines[:min(len(lines), report.MaxListed)], "\n"))
}
