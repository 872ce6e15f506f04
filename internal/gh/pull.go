package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/lists"
)

const (
	maxComments = 2_500 // GitHub takes no more
	maxReviews  = 500
	maxThreads  = 500
	maxCommits  = 500
)

const attributesFile = ".gitattributes"

// settingsField names the bytes of the settings file at the tip of a branch.
const settingsField = `... on Commit { file(path: $file) { oid } }`

// listFields are the long lists of a pull request, and listVariables their next pages. A
// complete list is left out.
const (
	listVariables = `$comments: String, $reviews: String, $threads: String, $commits: String,
  $moreComments: Boolean!, $moreReviews: Boolean!, $moreThreads: Boolean!, $moreCommits: Boolean!`
	listFields = `
      comments(first: 100, after: $comments) @include(if: $moreComments) { pageInfo { hasNextPage endCursor } nodes ` + commentFields + ` }
      reviews(first: 100, after: $reviews) @include(if: $moreReviews) { pageInfo { hasNextPage endCursor } nodes ` + reviewFields + ` }
      reviewThreads(first: 100, after: $threads) @include(if: $moreThreads) { pageInfo { hasNextPage endCursor } nodes ` + threadFields + ` }
      made: commits(first: 100, after: $commits) @include(if: $moreCommits) ` + madeFields
)

const pullQuery = `query Pull($owner: String!, $name: String!, $number: Int!, $file: String!, ` + listVariables + `) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    databaseId name url
    owner { __typename login }
    defaultBranchRef { target { oid ` + settingsField + ` } }
    pullRequest(number: $number) {
      url title body state isDraft isCrossRepository createdAt
      baseRefName baseRefOid headRefName headRefOid headRepository { nameWithOwner }
      author ` + actorFields + `
      mergedBy ` + actorFields + `
      baseRef { target { oid ... on Commit { file(path: $file) ` + fileFields + ` attributes: file(path: "` + attributesFile + `") ` + fileFields + ` } } }
      labels(first: 100) { nodes { name } }
      closings: timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { actor ` + actorFields + ` } } }
      ` + siblingFields + linkedFields + listFields + `
    }
  }
}`

const morePullQuery = `query MorePull($owner: String!, $name: String!, $number: Int!, ` + listVariables + `) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {` + listFields + `
  } }
}`

// wireLists are the long lists of a pull request, or the next part of them.
type wireLists struct {
	Comments      list[wireComment]
	Reviews       list[wireReview]
	ReviewThreads list[wireThread]
	Made          list[wireMade]
}

type wirePull struct {
	URL, Title, Body, State string
	IsDraft                 bool
	IsCrossRepository       bool
	CreatedAt               time.Time
	BaseRefName             string
	BaseRefOID              string
	HeadRefName, HeadRefOID string
	HeadRepository          struct{ NameWithOwner string }
	Author, MergedBy        Account
	BaseRef                 wireBranch
	Labels                  struct{ Nodes []struct{ Name string } }
	Closings                struct {
		Nodes []struct{ Actor Account }
	}
	Commits wireSiblings
	wireLinked
	wireLists
}

// wireBranch is a branch. A deleted branch has a tip without an id.
type wireBranch struct {
	Target struct {
		OID              string
		File, Attributes wireFile // the settings and the git attributes, without an id if there are none
	}
}

type wireRepository struct {
	DatabaseID int64
	Name       string
	URL        string
	Owner      struct {
		Typename string `json:"__typename"`
		Login    string
	}
	Default     wireBranch `json:"defaultBranchRef"`
	PullRequest *wirePull
	Issue       struct{ State string }
}

// Pull reads a pull request with its conversation: up to 2,500 comments, 500 reviews and
// 500 threads with up to 100 comments each. It is one request if each list fits on one
// page. It also reads the settings and the git attributes at the tip of the base, for Files.
func (r *Reader) Pull(ctx context.Context, number int) (Pull, error) {
	what := fmt.Sprintf("read pull request #%d", number)
	v := variables{
		"owner": r.sender.options.Owner, "name": r.sender.options.Repo, "number": number, "file": r.settings,
		"moreComments": true, "moreReviews": true, "moreThreads": true, "moreCommits": true,
	}
	var data struct {
		Viewer     struct{ Login string }
		Repository wireRepository
	}
	if err := r.sender.query(ctx, what, pullQuery, v, &data); err != nil {
		return Pull{}, err
	}
	if data.Repository.PullRequest == nil {
		return Pull{}, &NotFoundError{What: what}
	}
	r.mu.Lock()
	r.viewer = data.Viewer.Login
	r.mu.Unlock()
	w := data.Repository.PullRequest
	p := data.Repository.pull(number)
	tip := &w.BaseRef.Target
	for path, file := range map[string]*wireFile{r.settings: &tip.File, attributesFile: &tip.Attributes} {
		content, exact := file.whole()
		if isMissing := file.OID == ""; tip.OID == p.BaseSHA && (isMissing || exact && file.isRegular()) {
			r.keep(fileAt{p.BaseSHA, path}, content)
		}
	}
	if err := r.readLists(ctx, what, &p, &w.wireLists); err != nil {
		return Pull{}, err
	}
	slices.SortStableFunc(p.Comments, func(a, b Comment) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return p, nil
}

// pull makes the facts of the first answer, without the lists.
func (w *wireRepository) pull(number int) Pull {
	r := w.PullRequest
	p := Pull{
		Repository: Repository{
			ID: w.DatabaseID, Owner: w.Owner.Login, Name: w.Name,
			OwnerIsUser: w.Owner.Typename == "User", URL: w.URL,
		},
		Number: number, URL: r.URL, Title: r.Title, Body: r.Body, State: PullState(strings.ToLower(r.State)), Draft: r.IsDraft, Fork: r.IsCrossRepository,
		Author: r.Author, BaseRef: r.BaseRefName, BaseSHA: cmp.Or(r.BaseRef.Target.OID, r.BaseRefOID), BaseThen: r.BaseRefOID,
		HeadSHA: r.HeadRefOID, HeadRef: r.HeadRefName, HeadRepo: r.HeadRepository.NameWithOwner,
		CreatedAt: r.CreatedAt, DefaultSHA: w.Default.Target.OID, Settings: r.BaseRef.Target.File.OID + "/" + w.Default.Target.File.OID,
	}
	p.Linked = r.linked(w.DatabaseID)
	if len(r.Head.Nodes) > 0 {
		p.HeadDate = r.Head.Nodes[0].Commit.CommittedDate
	}
	for _, l := range r.Labels.Nodes {
		p.Labels = append(p.Labels, l.Name)
	}
	var more bool
	if p.Siblings, more = r.Commits.others(w.DatabaseID, number, r.HeadRefOID); more {
		p.noteCut("siblings")
	}
	switch {
	case p.State == Merged:
		p.EndedBy = r.MergedBy
	case p.State == Closed && len(r.Closings.Nodes) > 0:
		p.EndedBy = r.Closings.Nodes[0].Actor
	}
	return p
}

func (p *Pull) noteCut(list string) { p.Truncated = lists.Add(p.Truncated, list) }

// readLists takes the first part of the long lists and reads the rest.
func (r *Reader) readLists(ctx context.Context, what string, p *Pull, part *wireLists) error {
	for {
		p.Comments = append(p.Comments, comments(part.Comments)...)
		for _, w := range part.Reviews.nonNull() {
			if w.HeadSHA = w.Commit.OID; !w.SubmittedAt.IsZero() && w.State != "PENDING" {
				p.Reviews = append(p.Reviews, w.Review)
			}
		}
		for _, w := range part.Made.nonNull() {
			if w.Commit.Authors.PageInfo.HasNextPage {
				p.noteCut("authors of a commit")
			}
			p.Commits = append(p.Commits, w.commit())
		}
		for _, w := range part.ReviewThreads.nonNull() {
			if w.Comments.PageInfo.HasNextPage {
				p.noteCut("comments of threads")
			}
			w.Thread.Comments = comments(w.Comments)
			p.Threads = append(p.Threads, w.Thread)
		}
		more := func(next page, have, most int, name string) bool {
			if next.HasNextPage && have >= most {
				p.noteCut(name)
			}
			return next.HasNextPage && have < most
		}
		comments := more(part.Comments.PageInfo, len(p.Comments), maxComments, "comments")
		reviews := more(part.Reviews.PageInfo, len(p.Reviews), maxReviews, "reviews")
		threads := more(part.ReviewThreads.PageInfo, len(p.Threads), maxThreads, "threads")
		commits := more(part.Made.PageInfo, len(p.Commits), maxCommits, "commits")
		if !comments && !reviews && !threads && !commits {
			return nil
		}
		next, err := queryOne[wireLists](ctx, r.sender, what, morePullQuery, variables{
			"number":   p.Number,
			"comments": set(part.Comments.PageInfo.EndCursor), "moreComments": comments,
			"reviews": set(part.Reviews.PageInfo.EndCursor), "moreReviews": reviews,
			"threads": set(part.ReviewThreads.PageInfo.EndCursor), "moreThreads": threads,
			"commits": set(part.Made.PageInfo.EndCursor), "moreCommits": commits,
		})
		if err != nil {
			return err
		}
		part = next
	}
}

// glanceQuery reads the few facts that may change during a debate.
const glanceQuery = `query Glance($owner: String!, $name: String!, $number: Int!, $file: String!, $watched: ID!, $watch: Boolean!, $issue: Int!, $ask: Boolean!) {
  node(id: $watched) @include(if: $watch) { ... on IssueComment ` + commentFields + ` }
  repository(owner: $owner, name: $name) {
    databaseId
    defaultBranchRef { target { ` + settingsField + ` } }
    issue(number: $issue) @include(if: $ask) { state }
    pullRequest(number: $number) {
      state headRefOid baseRefName
      baseRef { target { oid ` + settingsField + ` } }
      ` + siblingFields + `
      comments(last: 30) { nodes ` + commentFields + ` }
    }
  }
}`

// Glance reads the few facts of a pull request that may change during a debate: one
// request with the newest 30 comments, the comment with the Node watched, "" for none, and the
// state of an issue, 0 for none.
func (r *Reader) Glance(ctx context.Context, number int, watched string, issue int) (Glance, error) {
	what := fmt.Sprintf("look at pull request #%d", number)
	o := r.sender.options
	v := variables{"owner": o.Owner, "name": o.Repo, "number": number, "file": r.settings, "watched": watched, "watch": watched != "", "issue": issue, "ask": issue != 0}
	var data struct {
		Node       wireComment
		Repository wireRepository
	}
	err := r.sender.query(ctx, what, glanceQuery, v, &data)
	if errors.As(err, new(*NotFoundError)) && (watched != "" || issue != 0) { // one of them is gone, or the pull request is
		return r.Glance(ctx, number, "", 0)
	}
	if err != nil {
		return Glance{}, err
	}
	w := data.Repository.PullRequest
	if w == nil {
		return Glance{}, &NotFoundError{What: what}
	}
	p := data.Repository.pull(number)
	g := Glance{
		State: p.State, HeadSHA: p.HeadSHA, BaseRef: p.BaseRef, BaseSHA: p.BaseSHA, Settings: p.Settings, Siblings: p.Siblings,
		Comments: comments(w.Comments),
	}
	g.Closed = data.Repository.Issue.State == "CLOSED"
	g.Open = data.Repository.Issue.State == "OPEN"
	if data.Node.ID != 0 {
		watched := data.Node.comment()
		g.Watched = &watched
	}
	return g, nil
}
