package pull

import (
	"context"
	"errors"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// maxErrand bounds what is done beside the debate.
const maxErrand = time.Minute

// errand is something that the hand does while the debate goes on. The debate has
// nothing else of the hand meanwhile but the summary.
type errand struct {
	over chan struct{}
	err  error // once it is over
}

// goOn writes one word of progress, and the debate does not wait for it. That another
// run holds the head ends the debate.
func (s *session) goOn(ctx context.Context, text string) {
	s.word = &errand{over: make(chan struct{})}
	word, h, cut := s.word, s.hand, s.cut
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxErrand)
	go func() {
		defer close(word.over)
		defer cancel()
		if word.err = h.confirm(ctx); word.err == nil {
			word.err = h.showProgress(ctx, gh.Check{Title: "the debate goes on", Summary: text})
		}
		if errors.Is(word.err, errMeanwhile) && cut != nil {
			cut(word.err)
		}
	}()
}

// rejoin waits until the hand is free, before anything else is written.
func (s *session) rejoin() {
	if s.word != nil {
		<-s.word.over
		if err := s.word.err; err != nil && !errors.Is(err, errMeanwhile) {
			s.runner.say("the check cannot show progress: %v", err)
		}
		s.word.err = nil
	}
	s.hand.siblings = s.siblings
}
