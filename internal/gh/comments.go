package gh

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

const newestCommentsQuery = `query NewestComments($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    issueOrPullRequest(number: $number) {
      ... on Issue { comments(last: 100) { nodes ` + commentFields + ` } }
      ... on PullRequest { comments(last: 100) { nodes ` + commentFields + ` } }
    }
  }
}`

// CreateComment comments on a pull request or an issue. The body contains the marker.
// If the outcome is unknown, a comment of ours with the marker is this one.
func (w *Writer) CreateComment(ctx context.Context, number int, body, marker string) (Comment, error) {
	what := fmt.Sprintf("comment on #%d", number)
	return createOnce(ctx, w.sender, what, func(ctx context.Context, api api) (Comment, *github.Response, error) {
		made, resp, err := api.Issues.CreateComment(ctx, api.owner, api.name, number, &github.IssueComment{Body: &body})
		return Comment{
			ID: made.GetID(), Node: made.GetNodeID(), URL: made.GetHTMLURL(), Author: restAccount(made.GetUser()), Mine: true, Body: body,
			CreatedAt: made.GetCreatedAt().Time,
		}, resp, err
	}, func() (*Comment, error) {
		newest, err := queryOne[struct{ Comments list[wireComment] }](ctx, w.sender, what, newestCommentsQuery, variables{"number": number})
		if err != nil {
			return nil, err
		}
		for _, c := range newest.Comments.nonNull() {
			if c.Mine && holds(c.Body, marker) {
				return &c.Comment, nil
			}
		}
		return nil, nil
	})
}

// EditComment gives a comment of a pull request or an issue another text.
func (w *Writer) EditComment(ctx context.Context, id int64, body string) error {
	_, err := send(ctx, w.sender, request{fmt.Sprintf("edit comment %d", id), edit}, func(ctx context.Context, api api) (*github.IssueComment, *github.Response, error) {
		return api.Issues.EditComment(ctx, api.owner, api.name, id, &github.IssueComment{Body: &body})
	})
	return err
}

// EditReviewComment gives an inline comment another text.
func (w *Writer) EditReviewComment(ctx context.Context, id int64, body string) error {
	_, err := send(ctx, w.sender, request{fmt.Sprintf("edit inline comment %d", id), edit}, func(ctx context.Context, api api) (*github.PullRequestComment, *github.Response, error) {
		return api.PullRequests.EditComment(ctx, api.owner, api.name, id, &github.PullRequestComment{Body: &body})
	})
	return err
}

// newestReviewsQuery also finds replies, since GitHub wraps each reply in its own
// review.
const newestReviewsQuery = `query NewestReviews($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(last: 50) { nodes {
        id: fullDatabaseId body mine: viewerDidAuthor
        comments(last: 20) { nodes { body mine: viewerDidAuthor } }
      } }
    }
  }
}`

type wireNewest struct {
	Review
	Comments struct{ Nodes []Comment }
}

// newestReviews reads the newest 50 reviews.
func (w *Writer) newestReviews(ctx context.Context, what string, number int) ([]wireNewest, error) {
	newest, err := queryOne[struct{ Reviews struct{ Nodes []wireNewest } }](ctx, w.sender, what, newestReviewsQuery, variables{"number": number})
	if err != nil {
		return nil, err
	}
	return newest.Reviews.Nodes, nil
}

// PostReview posts a review with its inline comments, all or nothing, bound to its
// head. The event is COMMENT. A *RefusedError may mean that a place is outside the
// diff; GitHub does not say which one.
func (w *Writer) PostReview(ctx context.Context, number int, r NewReview) (int64, error) {
	what := fmt.Sprintf("post a review on #%d", number)
	if err := commitIDs(what, r.HeadSHA); err != nil {
		return 0, err
	}
	review := &github.PullRequestReviewRequest{CommitID: &r.HeadSHA, Body: &r.Body, Event: github.String("COMMENT")}
	for _, n := range r.Comments {
		side := string(cmp.Or(n.Side, debate.Right))
		d := &github.DraftReviewComment{Path: &n.Path, Body: &n.Body, Side: &side, Line: &n.Line}
		if n.StartLine > 0 && n.StartLine < n.Line { // a comment on a single line must not name a start line
			d.StartLine, d.StartSide = &n.StartLine, &side
		}
		review.Comments = append(review.Comments, d)
	}
	return createOnce(ctx, w.sender, what, func(ctx context.Context, api api) (int64, *github.Response, error) {
		made, resp, err := api.PullRequests.CreateReview(ctx, api.owner, api.name, number, review)
		return made.GetID(), resp, err
	}, func() (*int64, error) {
		reviews, err := w.newestReviews(ctx, what, number)
		for i := range reviews {
			if reviews[i].Mine && holds(reviews[i].Body, r.Marker) {
				return &reviews[i].ID, nil
			}
		}
		return nil, err
	})
}

// ReviewComments reads the comments of a review of ours, at most a hundred. GitHub's
// answer to the review lacks their ids.
func (w *Writer) ReviewComments(ctx context.Context, number int, review int64) ([]Comment, error) {
	what := fmt.Sprintf("read the comments of review %d on #%d", review, number)
	all, err := send(ctx, w.sender, request{what: what}, func(ctx context.Context, api api) ([]*github.PullRequestComment, *github.Response, error) {
		return api.PullRequests.ListReviewComments(ctx, api.owner, api.name, number, review, &github.ListOptions{PerPage: 100})
	})
	return lists.Map(all, func(c *github.PullRequestComment) Comment {
		return Comment{ID: c.GetID(), URL: c.GetHTMLURL(), Mine: true, Body: c.GetBody()}
	}), err
}

// Reply answers in the thread of an inline comment. The body contains the marker. If
// the outcome is unknown, an inline comment of ours with the marker is this reply. It
// does not use go-github's service, which calls the endpoint for new comments instead.
func (w *Writer) Reply(ctx context.Context, number int, commentID int64, body, marker string) error {
	what := fmt.Sprintf("reply to inline comment %d on #%d", commentID, number)
	_, err := createOnce(ctx, w.sender, what, func(ctx context.Context, api api) (github.PullRequestComment, *github.Response, error) {
		path := fmt.Sprintf("repos/%s/%s/pulls/%d/comments/%d/replies", api.owner, api.name, number, commentID)
		return do[github.PullRequestComment](ctx, api, http.MethodPost, path, &github.PullRequestComment{Body: &body})
	}, func() (*github.PullRequestComment, error) {
		reviews, err := w.newestReviews(ctx, what, number)
		for _, review := range reviews {
			if slices.ContainsFunc(review.Comments.Nodes, func(c Comment) bool { return c.Mine && holds(c.Body, marker) }) {
				return &github.PullRequestComment{}, nil
			}
		}
		return nil, err
	})
	return err
}

// holds reports whether a text contains a marker; no text contains an empty one.
func holds(body, marker string) bool { return marker != "" && strings.Contains(body, marker) }

// restAccount converts an account of the REST API.
func restAccount(u *github.User) Account {
	if u.GetLogin() == "" {
		return Account{Login: "ghost"}
	}
	return Account{Login: u.GetLogin(), Bot: u.GetType() != "User"}
}

// React adds a reaction, such as "eyes", to a comment of a review thread, or of a
// conversation or an issue. An existing reaction stays.
func (w *Writer) React(ctx context.Context, commentID int64, inThread bool, reaction string) error {
	_, err := send(ctx, w.sender, request{fmt.Sprintf("react to comment %d", commentID), edit}, func(ctx context.Context, api api) (*github.Reaction, *github.Response, error) {
		if inThread {
			return api.Reactions.CreatePullRequestCommentReaction(ctx, api.owner, api.name, commentID, reaction)
		}
		return api.Reactions.CreateIssueCommentReaction(ctx, api.owner, api.name, commentID, reaction)
	})
	return err
}
