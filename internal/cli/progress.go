package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

const (
	quietFor = time.Second            // a shorter debate prints no steps
	frame    = 100 * time.Millisecond // between two drawings on a screen
	logEvery = 30 * time.Second       // between two lines of a log about calls under way
)

// progress prints a debate on standard error: one line for each ended step and call and, on
// a terminal, the current calls below.
type progress struct {
	to       io.Writer
	now      func() time.Time
	estimate func([]engine.Sent) []string // the likely cost; may be nil
	most     report.USD                   // limit of its cost, 0 for none
	screen   *screen                      // nil: plain lines
	before   func(step)                   // called before the line of a step is written; may be nil
	stops    string                       // the effect of Ctrl-C

	mu     sync.Mutex
	ledger ledger
	began  time.Time
	held   []step // not said yet
	silent bool   // it is too early to speak
	frames int

	stop    context.CancelFunc
	running sync.WaitGroup
}

// watch starts the display of a debate, unless the run is quiet. It draws if standard error
// is a terminal.
func (r *run) watch(o debateRun) {
	if r.quiet {
		return
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(r.ctx))
	p := &progress{
		to: r.Stderr, now: r.Now, estimate: o.settings.estimate, most: report.USD(o.settings.config.Limits.MaxCostUSD),
		screen: r.colouring.screen(), stops: cmp.Or(o.stops, "Ctrl-C stops, debate resume goes on"), silent: true, stop: stop,
	}
	if p.screen != nil { // lines alone need no clock
		p.began = r.Now()
	}
	r.shown, o.review.Tell = p, p.tell
	p.running.Go(func() {
		for wait := quietFor; r.sleep(ctx, wait) == nil; wait = frame {
			p.mu.Lock()
			p.silent = false
			p.frames++
			p.show()
			p.mu.Unlock()
			if p.screen == nil {
				p.wait(ctx)
				return
			}
		}
	})
}

// wait logs the calls that are still running, from time to time.
func (p *progress) wait(ctx context.Context) {
	p.mu.Lock()
	p.ledger.slow() // from now on
	p.mu.Unlock()
	tick := time.NewTicker(logEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		p.mu.Lock()
		if who := p.ledger.slow(); len(who) > 0 {
			p.add(step{came: "still waiting for " + strings.Join(who, ", ")}, true)
		}
		p.mu.Unlock()
	}
}

// unwatch ends the display and removes the current calls from the terminal.
func (r *run) unwatch() {
	p := r.shown
	if p == nil {
		return
	}
	r.shown = nil
	p.stop()
	p.running.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen != nil {
		held := p.held
		if p.silent {
			held = nil
		}
		p.screen.draw(held, nil)
	}
}

// sleep waits, or returns the cause of the context's end.
func (e Env) sleep(ctx context.Context, d time.Duration) error {
	if e.Wait != nil {
		return e.Wait(ctx, d)
	}
	return gh.Sleep(ctx, d)
}

// tell takes in one step of a debate.
func (p *progress) tell(e engine.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(e.Sends) > 0 {
		if p.estimate != nil {
			for _, line := range p.estimate(e.Sends) {
				p.add(step{came: line}, true)
			}
		}
		return
	}
	var now time.Time
	if p.screen != nil {
		now = p.now()
	}
	if done, ok := p.ledger.enter(e, now); ok {
		p.add(done, done.failed)
	}
}

// add takes in an ended step. An urgent one ends the silence of the first moments.
func (p *progress) add(done step, urgent bool) {
	p.held = append(p.held, done)
	p.silent = p.silent && !urgent
	p.show()
}

// show prints the steps so far and, on a terminal, draws the current calls again.
func (p *progress) show() {
	if p.silent {
		return
	}
	held := p.held
	p.held = nil
	if p.screen != nil {
		p.screen.draw(held, p.underWay())
		return
	}
	for _, done := range held {
		if p.before != nil {
			p.before(done)
		}
		fmt.Fprintln(p.to, done.plain())
	}
}

// result returns the result of a step with all details of a failure, for a log. On a screen
// the final result has them.
func (s step) result() string {
	if s.why == "" {
		return s.came
	}
	return s.came + ": " + s.why
}

// plain is a step on one line.
func (s step) plain() string {
	if s.name == "" {
		return "debate: " + comment.Line(s.came)
	}
	said := []string{s.name}
	for _, part := range []string{s.who, s.took, s.result()} {
		if part != "" {
			said = append(said, comment.Line(part))
		}
	}
	return comment.Line(strings.Join(said, "  "))
}
