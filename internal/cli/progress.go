package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/lists"
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
	to     io.Writer
	now    func() time.Time
	set    settings   // of the debate
	screen *screen    // nil: plain lines
	before func(step) // called before the line of a step is written; may be nil
	stops  string     // the effect of Ctrl-C

	mu       sync.Mutex
	began    time.Time
	held     []step    // not said yet
	silent   bool      // it is too early to speak
	question bool      // the debate is about a question, not about a change
	parts    []string  // ids of the parts of the change
	pending  []pending // in the order of their start
	calls    int       // ended ones
	cost     report.USD
	unknown  bool // of some calls no price is known

	stop    context.CancelFunc
	running sync.WaitGroup
}

// watch starts the display of a debate, unless the run is quiet. It draws if standard error
// is a terminal; else it logs the calls that are still running, from time to time. Entries are
// those of a resumed debate.
func (r *run) watch(o debateRun, entries []debate.Entry) {
	if r.quiet {
		return
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(r.ctx))
	p := &progress{
		to: r.Stderr, now: r.Now, set: o.settings, screen: r.screen(), stops: cmp.Or(o.stops, "Ctrl-C stops, debate resume goes on"), silent: true, stop: stop,
	}
	if p.screen != nil { // lines alone need no clock
		p.began = r.Now()
	}
	for _, e := range entries {
		p.ownStep(e.Event) // its calls name the parts of the change
	}
	r.shown, o.review.Tell = p, p.tell
	p.running.Go(func() {
		for wait := quietFor; r.Wait(ctx, wait) == nil; wait = frame {
			p.mu.Lock()
			p.silent = false
			p.show()
			p.slow() // from now on
			p.mu.Unlock()
			if p.screen == nil {
				break
			}
		}
		tick := time.NewTicker(logEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			p.mu.Lock()
			if who := p.slow(); len(who) > 0 {
				p.add(step{came: "still waiting for " + strings.Join(who, ", ")}, true)
			}
			p.mu.Unlock()
		}
	})
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

// tell takes in one step of a debate.
func (p *progress) tell(e engine.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(e.Sends) > 0 {
		for _, line := range p.set.estimate(e.Sends) {
			p.add(step{came: line}, true)
		}
		return
	}
	var now time.Time
	if p.screen != nil {
		now = p.now()
	}
	if done, ok := p.enter(e, now); ok {
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

// stageChange is the stage before any model is asked.
const stageChange = "read the change"

// step is an ended step or call of a debate.
type step struct {
	name   string // "" for a note
	stage  string // of the debate, "" for any
	who    string // the model, "" for none
	took   string
	came   string // the result
	why    string // it failed, in the words of the provider
	failed bool
	denied bool // the key of the model was refused
}

// pending is a call under way.
type pending struct {
	id, name, who string
	stage         string
	since         time.Time
	began         int64 // with looks, Unix milliseconds
	looks         int   // things that the model asked to see
	slow          bool  // it was under way at the last look of a log
}

// enter takes in a message of the engine and returns the step that it ended; ok is false if
// there is nothing to show.
func (p *progress) enter(e engine.Progress, now time.Time) (done step, ok bool) {
	switch {
	case e.Err != nil:
		return step{came: e.Err.Error(), failed: true}, true
	case e.Work.Ask == nil:
		return p.ownStep(e.Event)
	}
	ask := *e.Work.Ask
	at := slices.IndexFunc(p.pending, func(one pending) bool { return one.id == ask.ID })
	switch {
	case at < 0 && !e.Done:
		name := report.CallNames[ask.Kind]
		if at := slices.Index(p.parts, ask.Chunk); at >= 0 && len(p.parts) > 1 {
			name += fmt.Sprintf(", part %d of %d", at+1, len(p.parts))
		}
		if ask.Format != "" {
			name += " again"
		}
		asked := lists.Find(p.set.panel.parties, func(one debate.Party) bool { return one.ID == ask.Party })
		who := cmp.Or(asked.Debater, ask.Party) // the one behind a judge or an arbiter
		p.pending = append(p.pending, pending{id: ask.ID, name: name, stage: report.CallNames[ask.Kind], who: who, since: now})
	case at < 0:
	case e.Looks > 0:
		one := &p.pending[at]
		one.looks, one.began = one.looks+e.Looks, cmp.Or(one.began, e.Began)
	case e.Done:
		one := p.pending[at]
		p.pending = slices.Delete(p.pending, at, at+1)
		reply, replied := e.Event.(debate.Replied)
		if !replied {
			break
		}
		p.calls++
		p.cost += report.USD(reply.Usage.CostMicro)
		p.unknown = p.unknown || reply.Usage.CostUnknown
		done = step{name: one.name, stage: one.stage, denied: reply.Status == debate.CallAuth, who: one.who, took: report.Took(reply.Ended - cmp.Or(one.began, reply.Started))}
		if reply.Status != debate.CallOK {
			done.failed, done.came, done.why = true, report.Failures[reply.Status], reply.Detail
			return done, true
		}
		var came []string
		if reply.Reply != nil && len(reply.Reply.Claims) > 0 {
			came = append(came, report.Count(len(reply.Reply.Claims), "finding"))
		}
		if one.looks > 0 {
			came = append(came, "looked at "+report.Count(one.looks, "thing"))
		}
		done.came = strings.Join(came, ", ")
		return done, true
	}
	return step{}, false
}

// ownStep returns the step of an event without a model.
func (p *progress) ownStep(event debate.Event) (step, bool) {
	switch ev := event.(type) {
	case debate.Snapshotted:
		p.question = ev.Scope == debate.ScopeQuestion
	case debate.SplitDone:
		p.parts = nil
		for _, chunk := range ev.Chunks {
			p.parts = append(p.parts, chunk.ID)
		}
		if p.question {
			return step{name: "read the question", stage: stageChange, came: report.Count(ev.Totals.Files, "file")}, true
		}
		came := fmt.Sprintf("%s, +%d -%d", report.Count(ev.Totals.Files, "file"), ev.Totals.Additions, ev.Totals.Deletions)
		return step{name: "read the change", stage: stageChange, came: came}, true
	case debate.Critiqued:
		return step{name: "built-in rules", stage: stageChange, came: report.Count(len(ev.Hits)+ev.Omitted, "finding")}, !p.question
	case debate.Checked:
		return step{name: "other checks", stage: stageChange, came: report.Count(len(ev.Runs), "result")}, len(ev.Runs) > 0
	}
	return step{}, false
}

// slow lists the models of calls that were already running at the last call of slow.
func (p *progress) slow() []string {
	var who []string
	for i := range p.pending {
		one := &p.pending[i]
		if one.slow && !slices.Contains(who, one.who) {
			who = append(who, one.who)
		}
		one.slow = true
	}
	return who
}

// costText returns the cost so far, and its limit if there is one.
func (p *progress) costText() string {
	text := report.Cost(p.cost, p.unknown)
	if most := report.USD(p.set.config.Limits.MaxCostUSD); most > 0 {
		text += " of " + most.Rounded()
	}
	return text
}
