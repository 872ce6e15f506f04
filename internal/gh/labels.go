package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"
)

// EnsureLabel makes a label that the repository does not have. One that it has
// stays as it is. The color is six hex digits.
func (c *Client) EnsureLabel(ctx context.Context, name, color, description string) error {
	_, err := c.send(ctx, call{
		what: "make the label " + oneLine(name), kind: edit, method: http.MethodPost, path: c.repo("labels"),
		body: github.Label{Name: &name, Color: &color, Description: &description},
	}, nil)
	var refused *RefusedError
	if errors.As(err, &refused) && strings.Contains(refused.Message, "already_exists") {
		return nil
	}
	return err
}

// AddLabels puts labels on an issue or a pull request.
func (c *Client) AddLabels(ctx context.Context, number int, names ...string) error {
	_, err := c.send(ctx, call{
		what: fmt.Sprintf("label #%d", number), kind: edit, method: http.MethodPost, path: c.repo("issues/%d/labels", number),
		body: struct {
			Labels []string `json:"labels"`
		}{names},
	}, nil)
	return err
}

// RemoveLabel takes a label from an issue or a pull request. One that is not on it
// is no error.
func (c *Client) RemoveLabel(ctx context.Context, number int, name string) error {
	_, err := c.send(ctx, call{
		what: fmt.Sprintf("take a label from #%d", number), kind: edit, method: http.MethodDelete,
		path: c.repo("issues/%d/labels/%s", number, url.PathEscape(name)),
	}, nil)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		return nil
	}
	return err
}
