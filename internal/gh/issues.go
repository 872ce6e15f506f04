package gh

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-github/v62/github"
)

const (
	maxIssues        = 500
	maxIssueComments = 500 // of one issue
	maxPulls         = 200
)

// issueFields: the first hundred events say who decided first, the newest ones what
// counts now; issues with more than a hundred closings are not waited for.
const issueFields = `{
  number url title body state stateReason(enableDuplicate: true) createdAt lastEditedAt viewerDidAuthor
  author ` + actorFields + `
  editor ` + actorFields + `
  labels(first: 100) { nodes { name } }
  timelineItems(last: 100, itemTypes: [CLOSED_EVENT, REOPENED_EVENT]) { nodes {
    __typename
    ... on ClosedEvent { createdAt stateReason actor ` + actorFields + ` closer { __typename } }
    ... on ReopenedEvent { createdAt actor ` + actorFields + ` }
  } }
  comments(first: 50) { pageInfo { hasNextPage endCursor } nodes ` + commentFields + ` }
}`

const issuesQuery = `query Issues($owner: String!, $name: String!, $label: String!, $since: DateTime, $after: String) {
  repository(owner: $owner, name: $name) {
    issues(first: 50, after: $after, orderBy: {field: CREATED_AT, direction: ASC}, filterBy: {labels: [$label], since: $since}) {
      pageInfo { hasNextPage endCursor } nodes ` + issueFields + `
    }
  }
}`

const issueQuery = `query Issue($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) ` + issueFields + ` }
}`

const issueCommentsQuery = `query IssueComments($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { issue(number: $number) {
    comments(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes ` + commentFields + ` }
  } }
}`

const newestIssuesQuery = `query NewestIssues($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    issues(first: 30, orderBy: {field: CREATED_AT, direction: DESC}) { nodes ` + issueFields + ` }
  }
}`

type wireIssue struct {
	Number                  int
	URL, Title, Body, State string
	StateReason             string
	CreatedAt               time.Time
	LastEditedAt            *time.Time
	ViewerDidAuthor         bool
	Author, Editor          *wireActor
	Labels                  struct{ Nodes []struct{ Name string } }
	TimelineItems           struct {
		Nodes []struct {
			Typename    string `json:"__typename"`
			CreatedAt   time.Time
			StateReason string
			Actor       *wireActor
			Closer      *struct {
				Typename string `json:"__typename"`
			}
		}
	}
	Comments wireComments
}

type wireIssues struct {
	PageInfo page
	Nodes    []*wireIssue
}

func (w *wireIssue) issue() Issue {
	i := Issue{
		Number: w.Number, URL: w.URL, Title: w.Title, Body: w.Body, Author: w.Author.account(), Mine: w.ViewerDidAuthor,
		Open: w.State == "OPEN", CreatedAt: w.CreatedAt, Comments: w.Comments.comments(),
	}
	if w.LastEditedAt != nil {
		i.Edited, i.EditedBy, i.EditedAt = true, w.Editor.account(), *w.LastEditedAt
	}
	for _, l := range w.Labels.Nodes {
		i.Labels = append(i.Labels, l.Name)
	}
	for _, n := range w.TimelineItems.Nodes {
		e := IssueEvent{Kind: IssueReopened, By: n.Actor.account(), At: n.CreatedAt}
		if n.Typename == "ClosedEvent" {
			e.Kind, e.ByCode, e.Reason = IssueClosed, n.Closer != nil, closeReason(n.StateReason)
		}
		i.Events = append(i.Events, e)
	}
	// An event may not tell a duplicate from another closing; the issue does.
	if last := len(i.Events) - 1; !i.Open && last >= 0 && i.Events[last].Kind == IssueClosed && w.StateReason != "" {
		i.Events[last].Reason = closeReason(w.StateReason)
	}
	return i
}

func closeReason(s string) CloseReason {
	switch s {
	case "NOT_PLANNED":
		return NotPlanned
	case "DUPLICATE":
		return Duplicate
	}
	return Completed
}

// Issues reads the issues with a label that changed since a time (zero: ever), the
// oldest first, at most 500, each with its closings, its reopenings and up to 500
// comments.
func (c *Client) Issues(ctx context.Context, label string, since time.Time) ([]Issue, error) {
	what := "read the issues with the label " + oneLine(label)
	v := variables{"owner": c.owner, "name": c.name, "label": label, "since": nil, "after": nil}
	if !since.IsZero() {
		v["since"] = utc(since)
	}
	var all []Issue
	for len(all) < maxIssues {
		var reply struct {
			Repository *struct{ Issues wireIssues }
		}
		if err := c.query(ctx, what, issuesQuery, v, &reply); err != nil {
			return nil, err
		}
		if reply.Repository == nil {
			return nil, &NotFoundError{What: what}
		}
		for _, n := range reply.Repository.Issues.Nodes {
			if n == nil {
				continue
			}
			issue := n.issue()
			if err := c.readIssue(ctx, what, &issue, n.Comments.PageInfo); err != nil {
				return nil, err
			}
			all = append(all, issue)
		}
		next := reply.Repository.Issues.PageInfo
		if !next.HasNextPage {
			break
		}
		v["after"] = next.EndCursor
	}
	return all, nil
}

// Issue reads one issue. A number that is a pull request's is not found.
func (c *Client) Issue(ctx context.Context, number int) (Issue, error) {
	what := fmt.Sprintf("read issue #%d", number)
	var reply struct {
		Repository *struct{ Issue *wireIssue }
	}
	v := variables{"owner": c.owner, "name": c.name, "number": number}
	if err := c.query(ctx, what, issueQuery, v, &reply); err != nil {
		return Issue{}, err
	}
	if reply.Repository == nil || reply.Repository.Issue == nil {
		return Issue{}, &NotFoundError{What: what}
	}
	issue := reply.Repository.Issue.issue()
	return issue, c.readIssue(ctx, what, &issue, reply.Repository.Issue.Comments.PageInfo)
}

// readIssue reads the comments of an issue beyond the first page.
func (c *Client) readIssue(ctx context.Context, what string, issue *Issue, next page) error {
	for next.HasNextPage && len(issue.Comments) < maxIssueComments {
		var reply struct {
			Repository *struct {
				Issue *struct{ Comments wireComments }
			}
		}
		v := variables{"owner": c.owner, "name": c.name, "number": issue.Number, "after": next.EndCursor}
		if err := c.query(ctx, what, issueCommentsQuery, v, &reply); err != nil {
			return err
		}
		if reply.Repository == nil || reply.Repository.Issue == nil {
			return &NotFoundError{What: what}
		}
		issue.Comments = append(issue.Comments, reply.Repository.Issue.Comments.comments()...)
		next = reply.Repository.Issue.Comments.PageInfo
	}
	return nil
}

// CreateIssue opens an issue. Where the repository has no issues, or the token may
// not open one, it is a *PermissionError.
func (c *Client) CreateIssue(ctx context.Context, n NewIssue) (Issue, error) {
	what := "open an issue"
	body := github.IssueRequest{Title: &n.Title, Body: &n.Body}
	if len(n.Labels) > 0 {
		body.Labels = &n.Labels
	}
	var reply github.Issue
	var found Issue
	err := c.createOnce(ctx, call{what: what, method: http.MethodPost, path: c.repo("issues"), body: body}, &reply, func() (bool, error) {
		var newest struct {
			Repository *struct{ Issues wireIssues }
		}
		if err := c.query(ctx, what, newestIssuesQuery, variables{"owner": c.owner, "name": c.name}, &newest); err != nil {
			return false, err
		}
		if newest.Repository == nil {
			return false, &NotFoundError{What: what}
		}
		for _, one := range newest.Repository.Issues.Nodes {
			if one != nil && one.ViewerDidAuthor && holds(one.Body, n.Marker) {
				found = one.issue()
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		return Issue{}, err
	}
	if found.Number == 0 {
		found = Issue{
			Number: reply.GetNumber(), URL: reply.GetHTMLURL(), Title: reply.GetTitle(), Body: reply.GetBody(),
			Author: restAccount(reply.User), Mine: true, Open: reply.GetState() != "closed", CreatedAt: reply.GetCreatedAt().Time,
		}
		for _, l := range reply.Labels {
			found.Labels = append(found.Labels, l.GetName())
		}
	}
	return found, nil
}

// EditIssue changes an issue.
func (c *Client) EditIssue(ctx context.Context, number int, change IssueChange) error {
	what := fmt.Sprintf("change issue #%d", number)
	body := github.IssueRequest{Title: change.Title, Body: change.Body}
	if change.Labels != nil {
		body.Labels = &change.Labels
	}
	if change.Open != nil {
		body.State = github.String("open")
		if !*change.Open {
			body.State = github.String("closed")
			if change.Reason != "" {
				body.StateReason = github.String(string(change.Reason))
			}
		}
	}
	var reply github.Issue
	_, err := c.send(ctx, call{what: what, kind: edit, method: http.MethodPatch, path: c.repo("issues/%d", number), body: body}, &reply)
	if err != nil || change.Body == nil {
		return err
	}
	return tookText(what, *change.Body, reply.GetBody())
}
