package gh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"
)

// variables of a GraphQL document.
type variables map[string]any

// reply is an answer of GraphQL. Its status is nearly always 200; its list of errors
// has the outcome. Data next to an error is ignored.
type reply struct {
	Data   json.RawMessage
	Errors []problem
}

// problem is an entry of the list of errors. Path leads to the affected field.
type problem struct {
	Type, Message string
	Path          []any
}

// query asks GraphQL for something and decodes its data into out.
func (s *sender) query(ctx context.Context, what, document string, v variables, out any) error {
	data, err := send(ctx, s, request{what: what}, func(ctx context.Context, api api) (json.RawMessage, *github.Response, error) {
		answer, resp, err := do[reply](ctx, api, http.MethodPost, s.graphQL, struct {
			Query     string    `json:"query"`
			Variables variables `json:"variables"`
		}{document, v})
		if err == nil {
			err = s.problem(&answer, resp)
		}
		return answer.Data, resp, err
	})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, out); err != nil {
		return &UnavailableError{What: what, Err: fmt.Errorf("the answer has an unexpected shape: %w", err)}
	}
	return nil
}

// queryOne asks GraphQL for one thing of the repository. It returns a *NotFoundError if
// this is null.
func queryOne[T any](ctx context.Context, s *sender, what, document string, v variables) (*T, error) {
	named := variables{"owner": s.options.Owner, "name": s.options.Repo}
	maps.Copy(named, v)
	var data struct{ Repository map[string]*T } // by the name of its field
	if err := s.query(ctx, what, document, named, &data); err != nil {
		return nil, err
	}
	for _, one := range data.Repository {
		if one != nil {
			return one, nil
		}
	}
	return nil, &NotFoundError{What: what}
}

// graphQLStatus maps a GraphQL error type to the status of the REST API.
var graphQLStatus = map[string]int{
	"NOT_FOUND": http.StatusNotFound,
	"FORBIDDEN": http.StatusForbidden, "INSUFFICIENT_SCOPES": http.StatusForbidden,
	"INTERNAL": http.StatusBadGateway, "SERVICE_UNAVAILABLE": http.StatusBadGateway, "RESOURCE_LIMITS_EXCEEDED": http.StatusBadGateway,
	"RATE_LIMITED": http.StatusTooManyRequests, "RATE_LIMIT": http.StatusTooManyRequests,
}

// problem finds the error in an answer of GraphQL.
func (s *sender) problem(r *reply, resp *github.Response) error {
	r.Errors = slices.DeleteFunc(r.Errors, func(p problem) bool { // an issue is hidden: the rest of the answer is useful
		return slices.Contains([]string{"FORBIDDEN", "NOT_FOUND", "INSUFFICIENT_SCOPES"}, p.Type) && slices.Contains(p.Path, any(linkedField))
	})
	if len(r.Errors) == 0 {
		if slices.Contains([]string{"", "null"}, string(r.Data)) {
			return errors.New("the answer holds no data")
		}
		return nil
	}
	e := r.Errors[0]
	says := func(words ...string) bool {
		text := strings.ToLower(e.Message)
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	status, known := graphQLStatus[e.Type]
	switch {
	case status == http.StatusTooManyRequests, says("secondary rate limit", "submitted too quickly"):
		return limit{after: s.after(resp.Header)}
	case e.Type == "" && says("something went wrong", "timeout", "timedout"):
		status = http.StatusBadGateway
	case !known:
		status = http.StatusUnprocessableEntity
	}
	return &refusal{status: status, message: oneLine(e.Message)}
}

// list is a part of a list.
type list[T any] struct {
	PageInfo page
	Nodes    []*T
}

// nonNull returns the entries except null.
func (l *list[T]) nonNull() []*T {
	return slices.DeleteFunc(l.Nodes, func(n *T) bool { return n == nil })
}

// page is the position after a part of a list.
type page struct {
	HasNextPage bool
	EndCursor   string
}
