package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const maxCreates = 3

// lookAfter are the waits before GitHub is asked whether something was created:
// its lists are at times some seconds old (R04).
var lookAfter = [...]time.Duration{2 * time.Second, 6 * time.Second}

// createOnce makes something that must not be made twice. Where it is not known
// whether it was made, find looks for it; only what is not there is made again
// (R03).
func (c *Client) createOnce(ctx context.Context, call call, out any, find func() (bool, error)) error {
	call.kind = create
	var uncertain *uncertainError
	for range maxCreates {
		_, err := c.send(ctx, call, out)
		if !errors.As(err, &uncertain) {
			return err
		}
		for _, pause := range lookAfter {
			if err := c.wait(ctx, pause); err != nil {
				return fmt.Errorf("%s: %w", call.what, err)
			}
			found, err := find()
			if err != nil {
				return fmt.Errorf("%s: find out whether it was done: %w", call.what, err)
			}
			if found {
				return nil
			}
		}
	}
	return uncertain.err
}

// textBody is the body of a request that carries only text.
type textBody struct {
	Body string `json:"body"`
}

// edit changes the text of a comment and sees that GitHub took it: it has been
// seen to answer yes and to keep the old one.
func (c *Client) edit(ctx context.Context, what, path, body string) error {
	var reply textBody
	if _, err := c.send(ctx, call{what: what, kind: edit, method: http.MethodPatch, path: path, body: textBody{body}}, &reply); err != nil {
		return err
	}
	return tookText(what, body, reply.Body)
}

func tookText(what, sent, has string) error {
	same := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	if same(sent) != same(has) {
		return &RefusedError{What: what, Status: http.StatusOK, Message: "it was accepted, and the text is another one"}
	}
	return nil
}

// React puts a reaction under a comment: of a review thread, or of a conversation
// or an issue. A reaction that is there already stays.
func (c *Client) React(ctx context.Context, commentID int64, inThread bool, reaction Reaction) error {
	path := c.repo("issues/comments/%d/reactions", commentID)
	if inThread {
		path = c.repo("pulls/comments/%d/reactions", commentID)
	}
	_, err := c.send(ctx, call{
		what: fmt.Sprintf("react to comment %d", commentID), kind: edit, method: http.MethodPost, path: path,
		body: struct {
			Content Reaction `json:"content"`
		}{reaction},
	}, nil)
	return err
}
