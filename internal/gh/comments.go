package gh

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
)

const newestCommentsQuery = `query NewestComments($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    issueOrPullRequest(number: $number) {
      ... on Issue { comments(last: 100) { nodes ` + commentFields + ` } }
      ... on PullRequest { comments(last: 100) { nodes ` + commentFields + ` } }
    }
  }
}`

// CreateComment comments on a pull request or an issue. The marker stands in the
// body; a comment of ours that holds it is this one.
func (c *Client) CreateComment(ctx context.Context, number int, body, marker string) (Comment, error) {
	what := fmt.Sprintf("comment on #%d", number)
	var reply github.IssueComment
	var found Comment
	err := c.createOnce(ctx, call{
		what: what, method: http.MethodPost, path: c.repo("issues/%d/comments", number), body: textBody{body},
	}, &reply, func() (bool, error) {
		var newest struct {
			Repository *struct {
				IssueOrPullRequest *struct{ Comments wireComments }
			}
		}
		v := variables{"owner": c.owner, "name": c.name, "number": number}
		if err := c.query(ctx, what, newestCommentsQuery, v, &newest); err != nil {
			return false, err
		}
		if newest.Repository == nil || newest.Repository.IssueOrPullRequest == nil {
			return false, &NotFoundError{What: what}
		}
		for _, one := range newest.Repository.IssueOrPullRequest.Comments.comments() {
			if one.Mine && holds(one.Body, marker) {
				found = one
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		return Comment{}, err
	}
	if found.ID == 0 {
		found = Comment{
			ID: reply.GetID(), Node: reply.GetNodeID(), URL: reply.GetHTMLURL(), Author: restAccount(reply.User), Mine: true, Body: reply.GetBody(),
			CreatedAt: reply.GetCreatedAt().Time,
		}
	}
	return found, nil
}

// newestComments reads the newest 100 comments of a pull request or an issue.
func (c *Client) newestComments(ctx context.Context, what string, number int) ([]Comment, error) {
	var newest struct {
		Repository *struct {
			IssueOrPullRequest *struct{ Comments wireComments }
		}
	}
	v := variables{"owner": c.owner, "name": c.name, "number": number}
	if err := c.query(ctx, what, newestCommentsQuery, v, &newest); err != nil {
		return nil, err
	}
	if newest.Repository == nil || newest.Repository.IssueOrPullRequest == nil {
		return nil, &NotFoundError{What: what}
	}
	return newest.Repository.IssueOrPullRequest.Comments.comments(), nil
}

// EditComment gives a comment of a pull request or an issue another text.
func (c *Client) EditComment(ctx context.Context, id int64, body string) error {
	return c.edit(ctx, fmt.Sprintf("edit comment %d", id), c.repo("issues/comments/%d", id), body)
}

// EditReviewComment gives an inline comment another text.
func (c *Client) EditReviewComment(ctx context.Context, id int64, body string) error {
	return c.edit(ctx, fmt.Sprintf("edit inline comment %d", id), c.repo("pulls/comments/%d", id), body)
}

// newestReviewsQuery finds reviews and replies: a reply is a comment of a review
// of its own.
const newestReviewsQuery = `query NewestReviews($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(last: 50) { nodes {
        fullDatabaseId body viewerDidAuthor
        comments(last: 20) { nodes { fullDatabaseId body viewerDidAuthor } }
      } }
    }
  }
}`

type wireNewest struct {
	FullDatabaseID  bigID
	Body            string
	ViewerDidAuthor bool
	Comments        struct{ Nodes []wireNewest }
}

// newestReviews reads the newest 50 reviews.
func (c *Client) newestReviews(ctx context.Context, what string, number int) ([]wireNewest, error) {
	var reply struct {
		Repository *struct {
			PullRequest *struct{ Reviews struct{ Nodes []wireNewest } }
		}
	}
	v := variables{"owner": c.owner, "name": c.name, "number": number}
	if err := c.query(ctx, what, newestReviewsQuery, v, &reply); err != nil {
		return nil, err
	}
	if reply.Repository == nil || reply.Repository.PullRequest == nil {
		return nil, &NotFoundError{What: what}
	}
	return reply.Repository.PullRequest.Reviews.Nodes, nil
}

// PostReview posts a review with its inline comments, all or nothing, bound to its
// head. The event is COMMENT. A *RefusedError may mean that one of the places is
// none of the diff; GitHub does not say which (R18).
func (c *Client) PostReview(ctx context.Context, number int, r NewReview) (int64, error) {
	what := fmt.Sprintf("post a review on #%d", number)
	if err := commitID(r.HeadSHA); err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	body := github.PullRequestReviewRequest{CommitID: &r.HeadSHA, Body: &r.Body, Event: github.String("COMMENT")}
	for i := range r.Comments {
		body.Comments = append(body.Comments, r.Comments[i].draft())
	}
	var reply github.PullRequestReview
	var id int64
	err := c.createOnce(ctx, call{what: what, method: http.MethodPost, path: c.repo("pulls/%d/reviews", number), body: body}, &reply,
		func() (bool, error) {
			reviews, err := c.newestReviews(ctx, what, number)
			for _, one := range reviews {
				if one.ViewerDidAuthor && holds(one.Body, r.Marker) {
					id = int64(one.FullDatabaseID)
				}
			}
			return id != 0, err
		})
	if err != nil {
		return 0, err
	}
	if id == 0 {
		id = reply.GetID()
	}
	return id, nil
}

// draft is the comment as the API takes it: one on a single line must not name
// where it starts.
func (n *NewInline) draft() *github.DraftReviewComment {
	side := string(debate.Right)
	if n.Side == debate.Left {
		side = string(debate.Left)
	}
	d := &github.DraftReviewComment{Path: &n.Path, Body: &n.Body, Side: &side, Line: &n.Line}
	if n.StartLine > 0 && n.StartLine < n.Line {
		d.StartLine, d.StartSide = &n.StartLine, &side
	}
	return d
}

// Reply answers in the thread of an inline comment. The marker stands in the body;
// an inline comment of ours that holds it is this reply.
func (c *Client) Reply(ctx context.Context, number int, commentID int64, body, marker string) error {
	what := fmt.Sprintf("reply to inline comment %d on #%d", commentID, number)
	var reply github.PullRequestComment
	return c.createOnce(ctx, call{
		what: what, method: http.MethodPost, path: c.repo("pulls/%d/comments/%d/replies", number, commentID), body: textBody{body},
	}, &reply, func() (bool, error) {
		reviews, err := c.newestReviews(ctx, what, number)
		for _, review := range reviews {
			for _, one := range review.Comments.Nodes {
				if one.ViewerDidAuthor && holds(one.Body, marker) {
					return true, nil
				}
			}
		}
		return false, err
	})
}

// holds reports whether a text carries a marker; no marker is nowhere.
func holds(body, marker string) bool { return marker != "" && strings.Contains(body, marker) }

// restAccount is an account as the REST API describes it.
func restAccount(u *github.User) Account {
	if u.GetLogin() == "" {
		return Account{Login: "ghost"}
	}
	return Account{Login: u.GetLogin(), Bot: u.GetType() != "User"}
}

// utc is how times are written for the API.
func utc(t time.Time) string { return t.UTC().Format(time.RFC3339) }
