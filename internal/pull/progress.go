package pull

import (
	"context"
	"errors"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// maxErrand bounds what is done beside the debate.
const maxErrand = time.Minute

// errand is something that is done to the check while the debate goes on. The debate has
// nothing of the check meanwhile.
type errand struct {
	over chan struct{}
	err  error // once it is over
}

// goOn writes one word of progress, and the debate does not wait for it. That another
// run holds the head cuts the debate.
func (c *headCheck) goOn(ctx context.Context, text string, cut context.CancelCauseFunc) *errand {
	word := &errand{over: make(chan struct{})}
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
	return word
}

// rejoin waits until the check is free, before anything else is written.
func (s *session) rejoin() {
	if s.word != nil {
		<-s.word.over
		if err := s.word.err; err != nil && !errors.Is(err, errMeanwhile) {
			s.runner.say("the check cannot show progress: %v", err)
		}
		s.word.err = nil
	}
	s.check.siblings = s.siblings
}
