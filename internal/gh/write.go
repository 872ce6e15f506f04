package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

const maxCreates = 3

// lookAfter are the waits before GitHub is asked whether something was created:
// its lists are at times some seconds old.
var lookAfter = [...]time.Duration{2 * time.Second, 6 * time.Second}

// createOnce makes a thing that must not be made twice. If the outcome is unknown, it
// calls find and makes the thing again only if find returns nil.
func createOnce[T any](ctx context.Context, s *sender, what string, make service[T], find func() (*T, error)) (T, error) {
	var none T
	var uncertain *uncertainError
	for range maxCreates {
		made, err := send(ctx, s, request{what, create}, make)
		if !errors.As(err, &uncertain) {
			return made, err
		}
		for _, pause := range lookAfter {
			if err := s.options.Wait(ctx, pause); err != nil {
				return none, fmt.Errorf("%s: %w", what, err)
			}
			found, err := find()
			if err != nil {
				return none, fmt.Errorf("%s: find out whether it was done: %w", what, err)
			}
			if found != nil {
				return *found, nil
			}
		}
	}
	return none, uncertain.err
}

// editText changes the text of a comment and checks that GitHub took it.
func (w *Writer) editText(ctx context.Context, what, body string, change service[string]) error {
	has, err := send(ctx, w.sender, request{what, edit}, change)
	if err != nil {
		return err
	}
	return tookText(what, body, has)
}

// tookText compares a text with GitHub's answer, since GitHub sometimes reports success
// and keeps the old text.
func tookText(what, sent, has string) error {
	same := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	if same(sent) != same(has) {
		return &RefusedError{What: what, Status: http.StatusOK, Message: "it was accepted, and the text is another one"}
	}
	return nil
}

// React adds a reaction to a comment of a review thread, or of a conversation or an
// issue. An existing reaction stays.
func (w *Writer) React(ctx context.Context, commentID int64, inThread bool, reaction Reaction) error {
	_, err := send(ctx, w.sender, request{fmt.Sprintf("react to comment %d", commentID), edit}, func(ctx context.Context, api api) (*github.Reaction, *github.Response, error) {
		if inThread {
			return api.Reactions.CreatePullRequestCommentReaction(ctx, api.owner, api.name, commentID, string(reaction))
		}
		return api.Reactions.CreateIssueCommentReaction(ctx, api.owner, api.name, commentID, string(reaction))
	})
	return err
}
