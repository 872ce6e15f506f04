package engine

import (
	"context"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// wave starts all outstanding calls at once and records each answer as it
// arrives. The order of arrival decides nothing. A call that the protocol
// asks for again while others still run starts at once too (R137).
func (r *Review) wave(ctx context.Context, work []debate.Work) error {
	if changed, err := r.lookAround(ctx); changed || err != nil {
		return err
	}
	if err := r.brief(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait() // after the cancel: no call outlives its wave
	defer cancel()

	answers := make(chan answer)
	open := 0
	begun := make(map[string]debate.Work)
	begin := func(w debate.Work) error {
		c := r.newCall(*w.Ask)
		if err := r.show(c.texts); err != nil {
			return err
		}
		begun[w.Ask.ID] = w
		open++
		r.tell(Progress{Work: w})
		running.Go(func() {
			a := c.run(ctx)
			select {
			case answers <- a:
			case <-ctx.Done():
			}
		})
		return nil
	}
	for _, w := range work {
		if err := begin(w); err != nil {
			return err
		}
	}
	for open > 0 {
		var a answer
		select {
		case a = <-answers:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil { // what is under way is given up, and asked again on resume
			return err
		}
		open--
		if looks := r.asksToSee(a); len(looks) > 0 {
			if err := r.see(ctx, a, looks); err != nil {
				return err
			}
			if err := begin(begun[a.ask.ID]); err != nil {
				return err
			}
			continue
		}
		ev := r.replied(a)
		if err := r.append(ev); err != nil {
			return err
		}
		r.tell(Progress{
			Work: begun[ev.Ask], Done: true, Status: ev.Status, Detail: ev.Detail,
			Took: time.Duration(ev.Ended-ev.Started) * time.Millisecond,
		})
		for _, w := range debate.Outstanding(r.state) {
			if w.Ask == nil || w.Ask.Format == "" {
				continue
			}
			if _, ok := begun[w.Ask.ID]; ok {
				continue
			}
			if err := begin(w); err != nil {
				return err
			}
		}
	}
	return nil
}
