package gh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// variables of a GraphQL document.
type variables map[string]any

// query asks GraphQL and decodes its data into out.
func (c *Client) query(ctx context.Context, what, document string, v variables, out any) error {
	return c.graphQLCall(ctx, call{what: what, kind: read}, document, v, out)
}

// graphQLCall sends a document. GraphQL says 200 to nearly everything; what it
// means stands in its list of errors. Data that comes beside an error is not used.
func (c *Client) graphQLCall(ctx context.Context, call call, document string, v variables, out any) error {
	call.method, call.path = http.MethodPost, c.graphQL
	call.body = struct {
		Query     string    `json:"query"`
		Variables variables `json:"variables"`
	}{document, v}
	call.judge = c.judge
	var reply struct{ Data json.RawMessage }
	if _, err := c.send(ctx, call, &reply); err != nil {
		return err
	}
	if err := json.Unmarshal(reply.Data, out); err != nil {
		return &UnavailableError{What: call.what, Err: fmt.Errorf("the answer has an unexpected shape: %w", err)}
	}
	return nil
}

// judge finds the error in an answer of GraphQL.
func (c *Client) judge(resp *http.Response, body []byte) error {
	var reply struct {
		Data   json.RawMessage
		Errors []struct{ Type, Message string }
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return fmt.Errorf("read the answer: it is no JSON of the expected shape: %w", err)
	}
	if len(reply.Errors) == 0 {
		if len(reply.Data) == 0 || string(reply.Data) == "null" {
			return errors.New("the answer holds no data")
		}
		return nil
	}
	e := reply.Errors[0]
	message := c.conceal(oneLine(e.Message))
	text := strings.ToLower(e.Message)
	switch {
	case e.Type == "RATE_LIMITED", e.Type == "RATE_LIMIT", strings.Contains(text, "secondary rate limit"), strings.Contains(text, "submitted too quickly"):
		return limit{after: c.after(resp.Header)}
	case e.Type == "NOT_FOUND":
		return &statusError{code: http.StatusNotFound, message: message}
	case e.Type == "FORBIDDEN", e.Type == "INSUFFICIENT_SCOPES":
		return &statusError{code: http.StatusForbidden, message: message}
	case e.Type == "" && (strings.Contains(text, "something went wrong") || strings.Contains(text, "timeout") || strings.Contains(text, "timedout")),
		e.Type == "INTERNAL", e.Type == "SERVICE_UNAVAILABLE", e.Type == "RESOURCE_LIMITS_EXCEEDED":
		return &statusError{code: http.StatusBadGateway, message: message}
	}
	return &statusError{code: http.StatusUnprocessableEntity, message: message}
}

// bigID is an id of GraphQL's BigInt, which is written as a string.
type bigID int64

func (id *bigID) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `"`)
	if s == "null" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	*id = bigID(n)
	return err
}

// page says where a list goes on.
type page struct {
	HasNextPage bool
	EndCursor   string
}
