package gh

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

const (
	maxIssues  = 500
	maxPulls   = 200
	maxRenames = 20 // of one issue
)

// issueFields reads the last 100 comments, closings and reopenings of an issue and no
// earlier ones.
var issueFields = `{
  number url title body state stateReason(enableDuplicate: true) createdAt editedAt: lastEditedAt mine: viewerDidAuthor
  author ` + actorFields + `
  editedBy: editor ` + actorFields + `
  labels(first: 100) { nodes { name } }
  timelineItems(last: 100, itemTypes: [CLOSED_EVENT, REOPENED_EVENT]) { nodes {
    __typename
    ... on ClosedEvent { createdAt stateReason actor ` + actorFields + ` closer { __typename } }
    ... on ReopenedEvent { createdAt actor ` + actorFields + ` }
  } }
  renames: timelineItems(last: ` + strconv.Itoa(maxRenames) + `, itemTypes: [RENAMED_TITLE_EVENT]) { nodes {
    ... on RenamedTitleEvent { createdAt previousTitle currentTitle actor ` + actorFields + ` }
  } }
  comments(last: 100) { nodes ` + commentFields + ` }
}`

var issuesQuery = `query Issues($owner: String!, $name: String!, $label: String!, $since: DateTime, $after: String) {
  repository(owner: $owner, name: $name) {
    issues(first: 50, after: $after, orderBy: {field: CREATED_AT, direction: ASC}, filterBy: {labels: [$label], since: $since}) {
      pageInfo { hasNextPage endCursor } nodes ` + issueFields + `
    }
  }
}`

var issueQuery = `query Issue($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) ` + issueFields + ` }
}`

var newestIssuesQuery = `query NewestIssues($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    issues(first: 30, orderBy: {field: CREATED_AT, direction: DESC}) { nodes ` + issueFields + ` }
  }
}`

type wireIssue struct {
	Issue
	State, StateReason string
	Labels             struct{ Nodes []struct{ Name string } }
	TimelineItems      struct {
		Nodes []struct {
			Typename    string `json:"__typename"`
			CreatedAt   time.Time
			StateReason string
			Actor       Account
			Closer      *struct {
				Typename string `json:"__typename"`
			}
		}
	}
	Renames  struct{ Nodes []wireRename }
	Comments list[wireComment]
}

type wireRename struct {
	CreatedAt                   time.Time
	PreviousTitle, CurrentTitle string
	Actor                       Account
}

func (w *wireIssue) issue() Issue {
	i := w.Issue
	i.Open, i.Comments = w.State == "OPEN", comments(w.Comments)
	if last := len(w.Renames.Nodes) - 1; last >= 0 {
		rename, isOwn := w.Renames.Nodes[last], w.Title == w.ownTitle()
		switch ownBody := i.EditedAt.IsZero() || i.EditedBy == i.Author; {
		case ownBody && isOwn:
			i.EditedBy = i.Author
		case ownBody:
			i.EditedBy = rename.Actor
		}
		if rename.CreatedAt.After(i.EditedAt) {
			i.EditedAt = rename.CreatedAt
		}
	}
	i.Edited = !i.EditedAt.IsZero()
	for _, l := range w.Labels.Nodes {
		i.Labels = append(i.Labels, l.Name)
	}
	for _, n := range w.TimelineItems.Nodes {
		e := IssueEvent{Kind: IssueReopened, By: n.Actor, At: n.CreatedAt}
		if n.Typename == "ClosedEvent" {
			e.Kind, e.ByCode, e.Reason = IssueClosed, n.Closer != nil, closeReason(n.StateReason)
		}
		i.Events = append(i.Events, e)
	}
	// The last closing has its reason itself, since that of the issue may have changed later. It
	// may lack it, and may not tell a duplicate from others; then the issue has it.
	if last := len(i.Events) - 1; !i.Open && last >= 0 && i.Events[last].Kind == IssueClosed {
		if w.TimelineItems.Nodes[last].StateReason == "" || w.StateReason == "DUPLICATE" {
			i.Events[last].Reason = closeReason(w.StateReason)
		}
	}
	return i
}

// ownTitle returns the title that the author gave a renamed issue last; "" if too many renames
// hide it.
func (w *wireIssue) ownTitle() string {
	renames := w.Renames.Nodes
	for _, rename := range slices.Backward(renames) {
		if rename.Actor == w.Author {
			return rename.CurrentTitle
		}
	}
	if len(renames) == maxRenames {
		return ""
	}
	return renames[0].PreviousTitle
}

// closeReason is Completed if GitHub gives no reason.
func closeReason(s string) CloseReason {
	return cmp.Or(CloseReason(strings.ToLower(s)), Completed)
}

// Issues reads the issues with a label that changed since a time (zero: all), oldest
// first, at most 500, each with its closings, its reopenings and the newest 100 comments.
func (r *Reader) Issues(ctx context.Context, label string, since time.Time) ([]Issue, error) {
	what := "read the issues with the label " + oneLine(label)
	v := variables{"label": label, "since": nil, "after": nil}
	if !since.IsZero() {
		v["since"] = since.UTC().Format(time.RFC3339)
	}
	var all []Issue
	for len(all) < maxIssues {
		part, err := queryOne[list[wireIssue]](ctx, r.sender, what, issuesQuery, v)
		if err != nil {
			return nil, err
		}
		for _, w := range part.nonNull() {
			all = append(all, w.issue())
		}
		if !part.PageInfo.HasNextPage {
			break
		}
		v["after"] = part.PageInfo.EndCursor
	}
	return all, nil
}

// Issue reads one issue. It does not find a pull request.
func (r *Reader) Issue(ctx context.Context, number int) (Issue, error) {
	what := fmt.Sprintf("read issue #%d", number)
	w, err := queryOne[wireIssue](ctx, r.sender, what, issueQuery, variables{"number": number})
	if err != nil {
		return Issue{}, err
	}
	return w.issue(), nil
}

// CreateIssue opens an issue. It returns a *PermissionError if the repository has no
// issues or the token may not open one.
func (w *Writer) CreateIssue(ctx context.Context, n NewIssue) (Issue, error) {
	const what = "open an issue"
	body := &github.IssueRequest{Title: &n.Title, Body: &n.Body}
	if len(n.Labels) > 0 {
		body.Labels = &n.Labels
	}
	return createOnce(ctx, w.sender, what, func(ctx context.Context, api api) (Issue, *github.Response, error) {
		made, resp, err := api.Issues.Create(ctx, api.owner, api.name, body)
		return Issue{
			Number: made.GetNumber(), URL: made.GetHTMLURL(), Title: n.Title, Body: n.Body, Labels: n.Labels, Author: restAccount(made.GetUser()), Mine: true,
			Open: true, CreatedAt: made.GetCreatedAt().Time,
		}, resp, err
	}, func() (*Issue, error) {
		newest, err := queryOne[list[wireIssue]](ctx, w.sender, what, newestIssuesQuery, nil)
		if err != nil {
			return nil, err
		}
		for _, w := range newest.nonNull() {
			if w.Mine && holds(w.Body, n.Marker) {
				found := w.issue()
				return &found, nil
			}
		}
		return nil, nil
	})
}

// EditIssue changes an issue.
func (w *Writer) EditIssue(ctx context.Context, number int, change IssueChange) error {
	wanted := &github.IssueRequest{Title: change.Title, Body: change.Body}
	if change.Labels != nil {
		wanted.Labels = &change.Labels
	}
	if open := change.Open; open != nil && *open {
		wanted.State = github.String("open")
	} else if open != nil {
		wanted.State, wanted.StateReason = github.String("closed"), set(string(change.Reason))
	}
	_, err := send(ctx, w.sender, request{fmt.Sprintf("change issue #%d", number), edit}, func(ctx context.Context, api api) (*github.Issue, *github.Response, error) {
		return api.Issues.Edit(ctx, api.owner, api.name, number, wanted)
	})
	return err
}
