package model

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"github.com/prdebate/debate/internal/debate"
)

// Limit keeps the calls to one provider within bounds. The clients of one
// provider share one.
type Limit struct {
	slots chan struct{}
	pace  *rate.Limiter
}

// NewLimit allows so many calls at once, and so many to begin in a minute. As
// many as are allowed at once may begin together.
func NewLimit(atOnce, perMinute int) *Limit {
	return &Limit{
		slots: make(chan struct{}, atOnce),
		pace:  rate.NewLimiter(rate.Every(time.Minute/time.Duration(perMinute)), atOnce),
	}
}

// acquire waits until a call may begin. Whoever got it releases it.
func (l *Limit) acquire(ctx context.Context) (release func(), err error) {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, waited(ctx)
	}
	if err := l.pace.Wait(ctx); err != nil {
		<-l.slots
		return nil, waited(ctx)
	}
	return func() { <-l.slots }, nil
}

// waited is the failure of a call that never began.
func waited(ctx context.Context) *Error {
	if ctx.Err() == context.Canceled {
		return Classify(ctx.Err())
	}
	return &Error{Class: debate.CallTimeout, Detail: "not asked: too many calls to this provider are under way"}
}
