package gh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	maxComments      = 1_000
	maxReviews       = 500
	maxThreads       = 500
	maxThreadPages   = 20 // further pages of the comments within threads, all together
	maxLabels        = 100
	glanced          = 30
	maxSettingsBytes = 64 << 10

	attributesFile = ".gitattributes"
)

const pullQuery = `query Pull($owner: String!, $name: String!, $number: Int!, $file: String!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    databaseId name isPrivate url
    owner { __typename login }
    defaultBranchRef { name }
    pullRequest(number: $number) {
      url title body state isDraft createdAt isCrossRepository
      baseRefName baseRefOid headRefOid
      author ` + actorFields + `
      mergedBy ` + actorFields + `
      baseRef { target { oid ... on Commit {
        file(path: $file) ` + fileFields + `
        attributes: file(path: "` + attributesFile + `") ` + fileFields + `
      } } }
      labels(first: 100) { nodes { name } }
      closings: timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { actor ` + actorFields + ` } } }
      ` + siblingFields + `
      comments(first: 100) { pageInfo { hasNextPage endCursor } nodes ` + commentFields + ` }
      reviews(first: 100) { pageInfo { hasNextPage endCursor } nodes ` + reviewFields + ` }
      reviewThreads(first: 100) { pageInfo { hasNextPage endCursor } nodes ` + threadFields + ` }
    }
  }
}`

// morePull reads the further pages of the three lists at once; a list that is
// complete is left out.
const morePullQuery = `query MorePull($owner: String!, $name: String!, $number: Int!,
  $comments: String, $reviews: String, $threads: String, $moreComments: Boolean!, $moreReviews: Boolean!, $moreThreads: Boolean!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $comments) @include(if: $moreComments) { pageInfo { hasNextPage endCursor } nodes ` + commentFields + ` }
      reviews(first: 100, after: $reviews) @include(if: $moreReviews) { pageInfo { hasNextPage endCursor } nodes ` + reviewFields + ` }
      reviewThreads(first: 100, after: $threads) @include(if: $moreThreads) { pageInfo { hasNextPage endCursor } nodes ` + threadFields + ` }
    }
  }
}`

const threadQuery = `query Thread($id: ID!, $after: String) {
  node(id: $id) { ... on PullRequestReviewThread {
    comments(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes ` + commentFields + ` }
  } }
}`

const glanceQuery = `query Glance($owner: String!, $name: String!, $number: Int!, $watched: ID!, $watch: Boolean!) {
  node(id: $watched) @include(if: $watch) { ... on IssueComment ` + commentFields + ` }
  repository(owner: $owner, name: $name) {
    databaseId
    pullRequest(number: $number) {
      state headRefOid baseRefName
      ` + siblingFields + `
      comments(last: 30) { nodes ` + commentFields + ` }
    }
  }
}`

// wireLists are the long lists of a pull request, or the next part of them.
type wireLists struct {
	Comments wireComments
	Reviews  struct {
		PageInfo page
		Nodes    []*wireReview
	}
	ReviewThreads struct {
		PageInfo page
		Nodes    []*wireThread
	}
}

type wirePull struct {
	URL, Title, Body, State string
	IsDraft                 bool
	CreatedAt               time.Time
	IsCrossRepository       bool
	BaseRefName             string
	BaseRefOID              string
	HeadRefOID              string
	Author, MergedBy        *wireActor
	BaseRef                 *struct {
		Target *struct {
			OID              string
			File, Attributes *wireFile
		}
	}
	Labels   struct{ Nodes []struct{ Name string } }
	Closings struct {
		Nodes []struct{ Actor *wireActor }
	}
	Commits wireSiblings
	wireLists
}

type wireRepository struct {
	DatabaseID       int64
	Name             string
	IsPrivate        bool
	URL              string
	Owner            wireActor
	DefaultBranchRef *struct{ Name string }
	PullRequest      *wirePull
}

// Pull reads a pull request and what was said on it, as far as 1,000 comments and
// the newest 100, 500 reviews and 500 threads go (R20). It is one request while each list fits on one
// page. The settings file and .gitattributes at the tip of the base come along, for
// Files.
func (c *Client) Pull(ctx context.Context, number int) (Pull, error) {
	what := fmt.Sprintf("read pull request #%d", number)
	v := variables{"owner": c.owner, "name": c.name, "number": number, "file": c.settings}
	var reply struct {
		Viewer     struct{ Login string }
		Repository *wireRepository
	}
	if err := c.query(ctx, what, pullQuery, v, &reply); err != nil {
		return Pull{}, err
	}
	if reply.Repository == nil || reply.Repository.PullRequest == nil {
		return Pull{}, &NotFoundError{What: what}
	}
	c.sawViewer(reply.Viewer.Login)
	w := reply.Repository.PullRequest
	p := reply.Repository.pull(number)
	if w.BaseRef != nil && w.BaseRef.Target != nil && w.BaseRef.Target.OID == p.BaseSHA {
		for path, file := range map[string]*wireFile{c.settings: w.BaseRef.Target.File, attributesFile: w.BaseRef.Target.Attributes} {
			if content, known := file.content(maxSettingsBytes); known && !file.large(maxSettingsBytes) {
				c.keep(fileAt{p.BaseSHA, path}, content)
			}
		}
	}
	if err := c.readOn(ctx, what, &p, &w.wireLists); err != nil {
		return Pull{}, err
	}
	if slices.Contains(p.Truncated, "comments") {
		if err := c.readNewest(ctx, what, &p); err != nil {
			return Pull{}, err
		}
	}
	slices.SortStableFunc(p.Comments, func(a, b Comment) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return p, nil
}

// pull makes the facts of the first answer, without the lists.
func (w *wireRepository) pull(number int) Pull {
	r := w.PullRequest
	p := Pull{
		Repository: Repository{
			ID: w.DatabaseID, Owner: w.Owner.Login, Name: w.Name, Private: w.IsPrivate,
			OwnerIsUser: w.Owner.Typename == "User", URL: w.URL,
		},
		Number: number, URL: r.URL, Title: r.Title, Body: r.Body, State: pullState(r.State), Draft: r.IsDraft,
		Author: r.Author.account(), BaseRef: r.BaseRefName, BaseSHA: r.BaseRefOID, HeadSHA: r.HeadRefOID,
		Fork: r.IsCrossRepository, CreatedAt: r.CreatedAt,
		Siblings: r.Commits.others(w.DatabaseID, number, r.HeadRefOID),
	}
	if w.DefaultBranchRef != nil {
		p.Repository.DefaultBranch = w.DefaultBranchRef.Name
	}
	if r.BaseRef != nil && r.BaseRef.Target != nil {
		p.BaseSHA = r.BaseRef.Target.OID // the other one is that of the last push
	}
	for _, l := range r.Labels.Nodes {
		p.Labels = append(p.Labels, l.Name)
	}
	if r.Commits.cut() {
		p.truncated("siblings")
	}
	switch {
	case p.State == Merged:
		p.EndedBy = r.MergedBy.account()
	case p.State == Closed && len(r.Closings.Nodes) > 0:
		p.EndedBy = r.Closings.Nodes[0].Actor.account()
	}
	return p
}

// readOn takes over the first part of the lists and reads what is left of them.
func (c *Client) readOn(ctx context.Context, what string, p *Pull, lists *wireLists) error {
	threadPages := 0
	for {
		p.Comments = append(p.Comments, lists.Comments.comments()...)
		for _, n := range lists.Reviews.Nodes {
			if n == nil {
				continue
			}
			if r, submitted := n.review(); submitted {
				p.Reviews = append(p.Reviews, r)
			}
		}
		for _, n := range lists.ReviewThreads.Nodes {
			if n == nil {
				continue
			}
			t := n.thread()
			if err := c.readThread(ctx, what, &t, n.Comments.PageInfo, &threadPages, p); err != nil {
				return err
			}
			p.Threads = append(p.Threads, t)
		}
		more := func(next page, have, most int, name string) bool {
			if next.HasNextPage && have >= most {
				p.truncated(name)
			}
			return next.HasNextPage && have < most
		}
		comments := more(lists.Comments.PageInfo, len(p.Comments), maxComments, "comments")
		reviews := more(lists.Reviews.PageInfo, len(p.Reviews), maxReviews, "reviews")
		threads := more(lists.ReviewThreads.PageInfo, len(p.Threads), maxThreads, "threads")
		if !comments && !reviews && !threads {
			return nil
		}
		v := variables{
			"owner": c.owner, "name": c.name, "number": p.Number,
			"comments": cursor(lists.Comments.PageInfo), "moreComments": comments,
			"reviews": cursor(lists.Reviews.PageInfo), "moreReviews": reviews,
			"threads": cursor(lists.ReviewThreads.PageInfo), "moreThreads": threads,
		}
		var reply struct {
			Repository *struct{ PullRequest *wireLists }
		}
		if err := c.query(ctx, what, morePullQuery, v, &reply); err != nil {
			return err
		}
		if reply.Repository == nil || reply.Repository.PullRequest == nil {
			return &NotFoundError{What: what}
		}
		lists = reply.Repository.PullRequest
	}
}

// readNewest adds the newest comments to a list that was cut: an order that
// somebody gives now must be seen however much was said before.
func (c *Client) readNewest(ctx context.Context, what string, p *Pull) error {
	newest, err := c.newestComments(ctx, what, p.Number)
	if err != nil {
		return err
	}
	known := make(map[int64]bool, len(p.Comments))
	for i := range p.Comments {
		known[p.Comments[i].ID] = true
	}
	for i := range newest {
		if !known[newest[i].ID] {
			p.Comments = append(p.Comments, newest[i])
		}
	}
	if len(newest) > 0 && known[newest[0].ID] { // there is no gap
		p.Truncated = slices.DeleteFunc(p.Truncated, func(list string) bool { return list == "comments" })
	}
	return nil
}

// readThread reads the comments of a thread beyond the first page.
func (c *Client) readThread(ctx context.Context, what string, t *Thread, next page, pages *int, p *Pull) error {
	for next.HasNextPage {
		if *pages++; *pages > maxThreadPages {
			p.truncated("comments of threads")
			return nil
		}
		var reply struct {
			Node *struct{ Comments wireComments }
		}
		if err := c.query(ctx, what, threadQuery, variables{"id": t.ID, "after": next.EndCursor}, &reply); err != nil {
			return err
		}
		if reply.Node == nil {
			return nil
		}
		t.Comments = append(t.Comments, reply.Node.Comments.comments()...)
		next = reply.Node.Comments.PageInfo
	}
	return nil
}

func (p *Pull) truncated(list string) {
	if !slices.Contains(p.Truncated, list) {
		p.Truncated = append(p.Truncated, list)
	}
}

// cursor is null before the first page.
func cursor(p page) any {
	if p.EndCursor == "" {
		return nil
	}
	return p.EndCursor
}

// Glance reads the little of a pull request that may change while it is debated:
// one request, with the newest 30 comments and the one that is named by its Node,
// "" for none.
func (c *Client) Glance(ctx context.Context, number int, watched string) (Glance, error) {
	what := fmt.Sprintf("look at pull request #%d", number)
	v := variables{"owner": c.owner, "name": c.name, "number": number, "watched": watched, "watch": watched != ""}
	var reply struct {
		Node       *wireComment
		Repository *struct {
			DatabaseID  int64
			PullRequest *struct {
				State, BaseRefName string
				HeadRefOID         string
				Commits            wireSiblings
				Comments           wireComments
			}
		}
	}
	err := c.query(ctx, what, glanceQuery, v, &reply)
	if errors.As(err, new(*NotFoundError)) && watched != "" { // the comment is gone, or the pull request is
		return c.Glance(ctx, number, "")
	}
	if err != nil {
		return Glance{}, err
	}
	if reply.Repository == nil || reply.Repository.PullRequest == nil {
		return Glance{}, &NotFoundError{What: what}
	}
	w := reply.Repository.PullRequest
	g := Glance{
		State: pullState(w.State), HeadSHA: w.HeadRefOID, BaseRef: w.BaseRefName,
		Siblings: w.Commits.others(reply.Repository.DatabaseID, number, w.HeadRefOID),
		Comments: w.Comments.comments(),
	}
	if reply.Node != nil && reply.Node.ID != "" {
		watched := reply.Node.comment()
		g.Watched = &watched
	}
	return g, nil
}
