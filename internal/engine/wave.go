package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/prdebate/debate/internal/debate"
)

// wave starts all outstanding calls at once and records each answer as it arrives. The
// order of arrival decides nothing. If the protocol repeats a call while others still run,
// it starts at once too (R137), and so does the next turn of a party after a look.
func (r *Review) wave(ctx context.Context, work []debate.Work) error {
	if changed, err := r.lookAround(ctx); changed || err != nil {
		return err
	}
	if err := r.brief(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &wave{review: r, answers: make(chan answer), begun: make(map[string]debate.Work)}
	defer w.running.Wait() // after the cancel: no call outlives its wave
	defer cancel()
	calls := make([]call, len(work))
	for i, one := range work {
		calls[i] = r.newCall(*one.Ask)
	}
	r.announce(calls)
	for i, one := range work {
		if err := w.start(ctx, one, calls[i]); err != nil {
			return err
		}
	}
	for w.open > 0 {
		a, err := w.next(ctx)
		if err != nil {
			return err
		}
		w.open--
		if err := w.take(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// wave is a set of calls under way.
type wave struct {
	review  *Review
	running sync.WaitGroup
	answers chan answer
	open    int                    // number of unanswered calls
	begun   map[string]debate.Work // by the id of the ask
}

// start starts a call and tells of it.
func (w *wave) start(ctx context.Context, work debate.Work, c call) error {
	w.begun[work.Ask.ID] = work
	w.review.tell(Progress{Work: work})
	return w.ask(ctx, c)
}

// announce tells how much the openings of a debate, or a review by one model, will send.
func (r *Review) announce(calls []call) {
	var sends []Sent
	for _, c := range calls {
		if !slices.Contains([]debate.CallKind{debate.CallOpen, debate.CallLocal}, c.ask.Kind) {
			return
		}
		sends = append(sends, Sent{c.ask, c.request.Bytes()})
	}
	r.tell(Progress{Sends: sends})
}

// ask makes a call, for the first time or again after a look.
func (w *wave) ask(ctx context.Context, c call) error {
	if err := w.review.show(c.texts); err != nil {
		return err
	}
	w.open++
	if p := w.review.played; p != nil {
		p.asked[c.ask.ID] = c
		return nil
	}
	c.request.Files = w.review.filesFor(ctx, c.ask)
	w.running.Go(func() {
		a := c.run(ctx)
		select {
		case w.answers <- a:
		case <-ctx.Done():
		}
	})
	return nil
}

// next returns the next answer.
func (w *wave) next(ctx context.Context) (a answer, err error) {
	if p := w.review.played; p != nil {
		return p.next(ctx)
	}
	select {
	case a = <-w.answers:
		a.ended = max(w.review.Now(), a.started)
	case <-ctx.Done():
	}
	return a, ctx.Err() // a resumed review repeats the calls under way
}

// take records an answer, or makes the looks of a call and goes on with it.
func (w *wave) take(ctx context.Context, a answer) error {
	r, asked := w.review, w.begun[a.ask.ID]
	if looks := r.asksToSee(a); len(looks) > 0 {
		r.tell(Progress{Work: asked, Looks: len(looks), Began: a.started})
		results, err := r.see(ctx, a, looks)
		if err != nil {
			return err
		}
		return w.ask(ctx, r.again(a, results))
	}
	ev := r.replied(a)
	if err := r.append(ev); err != nil {
		return err
	}
	r.tell(Progress{Work: asked, Done: true, Event: ev})
	for _, again := range debate.Outstanding(r.state) {
		if again.Ask == nil || again.Ask.Format == "" {
			continue
		}
		if _, ok := w.begun[again.Ask.ID]; ok {
			continue
		}
		if err := w.start(ctx, again, r.newCall(*again.Ask)); err != nil {
			return err
		}
	}
	return nil
}
