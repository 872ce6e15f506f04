package pull

import (
	"context"
	"errors"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// maxErrand bounds one write of progress during the debate.
const maxErrand = time.Minute

// errand is a write of the check during the debate. The debate does not use the check
// until it is over.
type errand struct {
	over chan struct{}
	err  error // once it is over
}

// goOn writes one word of progress in the background. If another run holds the head, it
// cuts the debate.
func (c *headCheck) goOn(ctx context.Context, text string, cut context.CancelCauseFunc) {
	word := &errand{over: make(chan struct{})}
	c.word = word
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxErrand)
	go func() {
		defer close(word.over)
		defer cancel()
		if word.err = c.confirm(ctx); word.err == nil {
			word.err = c.showProgress(ctx, gh.Check{Title: "the debate goes on", Summary: text})
		}
		if errors.Is(word.err, errMeanwhile) && cut != nil {
			cut(word.err)
		}
	}()
}

// rejoin waits until the check is free, before anything else is written.
func (c *headCheck) rejoin() {
	if c.word != nil {
		<-c.word.over
		if err := c.word.err; err != nil && !errors.Is(err, errMeanwhile) {
			c.runner.say("the check cannot show progress: %v", err)
		}
		c.word.err = nil
	}
	c.siblings = c.seenSiblings
}
