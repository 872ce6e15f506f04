package gh

import (
	"slices"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// The parts of GraphQL documents that several share, and the shapes they come
// back in. A fragment and its shape stand side by side.

const actorFields = `{ __typename login }`

// wireActor is null for an account that was deleted.
type wireActor struct {
	Typename string `json:"__typename"`
	Login    string
}

// account spells a bot as the REST API and the events do, so that it is nobody
// else of that name.
func (a *wireActor) account() Account {
	switch {
	case a == nil || a.Login == "":
		return Account{Login: "ghost"}
	case a.Typename == "Bot":
		return Account{Login: a.Login + "[bot]", Bot: true}
	}
	return Account{Login: a.Login, Bot: a.Typename != "User" && a.Typename != "EnterpriseUserAccount"}
}

const commentFields = `{
  id fullDatabaseId url body createdAt lastEditedAt isMinimized viewerDidAuthor
  author ` + actorFields + `
  editor ` + actorFields + `
  reactionGroups { content viewerHasReacted }
}`

type wireComment struct {
	ID              string
	FullDatabaseID  bigID
	URL, Body       string
	CreatedAt       time.Time
	LastEditedAt    *time.Time
	IsMinimized     bool
	ViewerDidAuthor bool
	Author, Editor  *wireActor
	ReactionGroups  []struct {
		Content          string
		ViewerHasReacted bool
	}
}

func (w *wireComment) comment() Comment {
	c := Comment{
		ID: int64(w.FullDatabaseID), Node: w.ID, URL: w.URL, Author: w.Author.account(), Mine: w.ViewerDidAuthor, Body: w.Body,
		CreatedAt: w.CreatedAt, Minimized: w.IsMinimized,
	}
	if w.LastEditedAt != nil {
		c.Edited, c.EditedBy, c.EditedAt = true, w.Editor.account(), *w.LastEditedAt
	}
	for _, g := range w.ReactionGroups {
		if !g.ViewerHasReacted {
			continue
		}
		switch g.Content {
		case "EYES":
			c.Eyes = true
		case "THUMBS_UP":
			c.ThumbsUp = true
		case "CONFUSED":
			c.Confused = true
		}
	}
	return c
}

// wireComments is a part of a list of comments.
type wireComments struct {
	PageInfo page
	Nodes    []*wireComment
}

func (w *wireComments) comments() []Comment {
	var all []Comment
	for _, n := range w.Nodes {
		if n != nil {
			all = append(all, n.comment())
		}
	}
	return all
}

const reviewFields = `{
  fullDatabaseId state body submittedAt lastEditedAt viewerDidAuthor
  author ` + actorFields + `
  commit { oid }
}`

type wireReview struct {
	FullDatabaseID  bigID
	State, Body     string
	SubmittedAt     *time.Time
	LastEditedAt    *time.Time
	ViewerDidAuthor bool
	Author          *wireActor
	Commit          *struct{ OID string }
}

// review is false for one that was not submitted.
func (w *wireReview) review() (Review, bool) {
	if w.SubmittedAt == nil || w.State == "PENDING" {
		return Review{}, false
	}
	r := Review{
		ID: int64(w.FullDatabaseID), Author: w.Author.account(), Mine: w.ViewerDidAuthor, State: ReviewState(w.State),
		Body: w.Body, SubmittedAt: *w.SubmittedAt, Edited: w.LastEditedAt != nil,
	}
	if w.Commit != nil {
		r.HeadSHA = w.Commit.OID
	}
	return r, true
}

const threadFields = `{
  id path diffSide startLine line isOutdated isResolved
  comments(first: 50) { pageInfo { hasNextPage endCursor } nodes ` + commentFields + ` }
}`

type wireThread struct {
	ID, Path, DiffSide string
	StartLine, Line    *int
	IsOutdated         bool
	IsResolved         bool
	Comments           wireComments
}

func (w *wireThread) thread() Thread {
	t := Thread{
		ID: w.ID, Path: w.Path, Side: debate.Right, Outdated: w.IsOutdated, Resolved: w.IsResolved,
		Comments: w.Comments.comments(),
	}
	if w.DiffSide == "LEFT" {
		t.Side = debate.Left
	}
	if w.Line != nil {
		t.Line = *w.Line
	}
	if w.StartLine != nil && *w.StartLine != t.Line {
		t.StartLine = *w.StartLine
	}
	return t
}

func pullState(s string) PullState {
	switch s {
	case "OPEN":
		return Open
	case "MERGED":
		return Merged
	}
	return Closed
}

// wireSiblings are the pull requests of a commit.
type wireSiblings struct{ Nodes []wireSiblingNode }

type wireSiblingNode struct {
	Commit struct {
		OID                    string
		AssociatedPullRequests struct {
			PageInfo page
			Nodes    []*struct {
				Number     int
				State      string
				HeadRefOID string
				Repository struct{ DatabaseID int64 }
			}
		}
	}
}

const siblingFields = `commits(last: 1) { nodes { commit {
  oid associatedPullRequests(first: 100) { pageInfo { hasNextPage endCursor } nodes { number state headRefOid repository { databaseId } } }
} } }`

// cut reports whether there are more than were read.
func (w *wireSiblings) cut() bool {
	return slices.ContainsFunc(w.Nodes, func(n wireSiblingNode) bool { return n.Commit.AssociatedPullRequests.PageInfo.HasNextPage })
}

// others lists the other open pull requests of the same repository with the same
// head (T46).
func (w *wireSiblings) others(repository int64, number int, head string) []int {
	var all []int
	for _, n := range w.Nodes {
		for _, p := range n.Commit.AssociatedPullRequests.Nodes {
			if p != nil && p.State == "OPEN" && p.HeadRefOID == head && p.Number != number && p.Repository.DatabaseID == repository {
				all = append(all, p.Number)
			}
		}
	}
	return all
}
