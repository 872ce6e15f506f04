package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// lookTimeout bounds one look at the world around a debate.
const lookTimeout = 30 * time.Second

// Sight is the state of a pull request in one look.
type Sight struct {
	Head   string                 // its head now, "" if it has none
	Stop   *debate.Actor          // the person with the order to stop, nil if there is none
	Closed *debate.WithdrawnEvent // how it was merged or closed, nil if it is open
}

// lookAround checks if the debate still has its subject and may go on. It
// reports whether it recorded a new fact.
//
// If a look fails, or its fact is refused by the protocol, the debate goes on: there is
// another look before publishing. An error of that last look ends the review.
func (r *Review) lookAround(ctx context.Context) (changed bool, err error) {
	publishing := r.state.Stage == debate.StagePublish
	isRecent := r.lookedAt > 0 && r.Now()-r.lookedAt < r.LookEvery.Milliseconds()
	if r.Look == nil || isRecent && !publishing {
		return false, nil
	}
	sight, err := within(ctx, func(ctx context.Context) (Sight, error) { return r.Look(ctx, r.state) })
	r.lookedAt = r.Now()
	if err != nil {
		err = fmt.Errorf("look at the pull request: %w", err)
		if publishing {
			return false, err
		}
		return false, r.lookFailed(ctx, err)
	}
	var facts []debate.Event // the one with the widest effect first
	if recorded := r.state.Snapshot.HeadSHA; recorded != "" && sight.Head != "" && sight.Head != recorded {
		facts = append(facts, debate.HeadMoved{Head: sight.Head})
	}
	if sight.Closed != nil && (!publishing || r.state.Agenda.AwaitsHuman()) {
		facts = append(facts, *sight.Closed)
	}
	if sight.Stop != nil && !r.state.Asking.Stopped && !publishing {
		facts = append(facts, debate.Stopped{By: *sight.Stop})
	}
	for _, fact := range facts {
		switch err := r.append(fact); {
		case errors.As(err, new(*debate.OrderError)):
			if err := r.lookFailed(ctx, err); err != nil {
				return changed, err
			}
		case err != nil:
			return changed, err
		default:
			changed = true
		}
		if r.state.Terminal() {
			break
		}
	}
	return changed, nil
}

// lookFailed tells of a look without a result.
func (r *Review) lookFailed(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		r.tell(Progress{Err: err})
	}
	return ctx.Err()
}

// within bounds the time of a request to the outside.
func within[T any](ctx context.Context, look func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	return look(ctx)
}
