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

// Sight is what one look at a pull request sees.
type Sight struct {
	Head   string                 // its head now, "" if it has none
	Stop   *debate.Actor          // who ordered the debate to stop, nil if nobody did
	Closed *debate.WithdrawnEvent // that it was merged or closed, nil if it is open
}

// lookAround looks whether the debate still has its subject and may go on (A14,
// S10). It reports whether what it saw is a fact of the debate now.
//
// A look that fails, or sees what the protocol does not accept, does not stop the
// debate: there is another look before anything is published. That one must not
// fail, for nobody looks after it.
func (r *Review) lookAround(ctx context.Context) (changed bool, err error) {
	publishing := r.state.Stage == debate.StagePublish
	isRecent := r.lookedAt > 0 && r.Now()-r.lookedAt < r.LookEvery.Milliseconds()
	if r.Look == nil || isRecent && !publishing {
		return false, nil
	}
	sight, err := within(ctx, r.Look)
	r.lookedAt = r.Now()
	if err != nil {
		err = fmt.Errorf("look at the pull request: %w", err)
		if publishing {
			return false, err
		}
		return false, r.lookFailed(ctx, err)
	}
	for _, fact := range factsOf(r.state, sight) {
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

// factsOf are those that a sight adds to the debate where it stands, the one that
// ends most first.
func factsOf(s debate.State, sight Sight) []debate.Event {
	var facts []debate.Event
	if recorded := s.Snapshot.HeadSHA; recorded != "" && sight.Head != "" && sight.Head != recorded {
		facts = append(facts, debate.HeadMoved{Head: sight.Head})
	}
	publishing := s.Stage == debate.StagePublish
	if sight.Closed != nil && (!publishing || s.Agenda.AwaitsHuman()) {
		facts = append(facts, *sight.Closed)
	}
	if sight.Stop != nil && !s.Asking.Stopped && !publishing {
		facts = append(facts, debate.Stopped{By: *sight.Stop})
	}
	return facts
}

// lookFailed tells of a look that came to nothing.
func (r *Review) lookFailed(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		r.tell(Progress{Err: err})
	}
	return ctx.Err()
}

// within bounds what is asked of the world outside.
func within[T any](ctx context.Context, look func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	return look(ctx)
}
