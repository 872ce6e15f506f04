package model

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"github.com/prdebate/debate/internal/debate"
)

// Limit bounds the calls to one provider. The clients of one provider share it.
type Limit struct {
	slots chan struct{}
	pace  *rate.Limiter
}

// NewLimit allows atOnce calls at the same time, which may begin together, and perMinute new
// calls in a minute.
func NewLimit(atOnce, perMinute int) *Limit {
	return &Limit{
		slots: make(chan struct{}, atOnce),
		pace:  rate.NewLimiter(rate.Every(time.Minute/time.Duration(perMinute)), atOnce),
	}
}

// acquire waits until a call may begin. Its caller must release it.
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

// waited is the failure of a call without a start.
func waited(ctx context.Context) *Error {
	if ctx.Err() == context.Canceled {
		return Classify(ctx.Err())
	}
	return &Error{Class: debate.CallTimeout, Detail: "not asked: too many calls to this provider are under way"}
}
