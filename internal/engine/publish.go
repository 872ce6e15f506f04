package engine

import (
	"context"
	"errors"

	"github.com/prdebate/debate/internal/debate"
)

// Publisher hands the outcome to its sinks and names them. A second call must find the
// writes of the first one. If no issue can ask a question, the publisher says so: the question
// moves into the comment, and the engine publishes the outcome once more (R043).
type Publisher func(ctx context.Context, s debate.State) (sinks []string, refused []debate.SinkFailed, err error)

// ErrLookAgain is the error, wrapped, of a publisher when its subject changes while it
// writes. If another look confirms the change, the debate ends as superseded, else
// with this error.
var ErrLookAgain = errors.New("the subject changed while it was published")

// publish hands the outcome to its sinks, after a last look at the pull request.
func (r *Review) publish(ctx context.Context, work []debate.Work) error {
	if _, err := r.lookAround(ctx); err != nil || r.state.Stage != debate.StagePublish {
		return err
	}
	w := work[0]
	r.tell(Progress{Work: w})
	sinks, err := r.handOut(ctx)
	if errors.Is(err, ErrLookAgain) {
		if _, lookErr := r.lookAround(ctx); lookErr != nil || r.state.Stage != debate.StagePublish {
			return lookErr
		}
	}
	if err != nil {
		return err
	}
	published := debate.Published{Sinks: sinks}
	if err := r.append(published); err != nil {
		return err
	}
	r.tell(Progress{Work: w, Done: true, Event: published})
	return nil
}

// PublishAgain hands out the outcome of a published review after newer facts.
func (r *Review) PublishAgain(ctx context.Context) (debate.State, error) {
	_, err := r.handOut(ctx)
	return r.state, err
}

// handOut hands the outcome to its sinks until each question has one. Each round moves a question
// from its issue into the comment, so there are few rounds.
func (r *Review) handOut(ctx context.Context) ([]string, error) {
	for {
		sinks, refused, err := r.Publish(ctx, r.state)
		if err != nil || len(refused) == 0 {
			return sinks, err
		}
		for _, fact := range refused {
			if err := r.append(fact); err != nil {
				return nil, err
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}
