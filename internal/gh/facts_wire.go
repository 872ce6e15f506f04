package gh

import (
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Fragments of GraphQL documents, each with the shape of its answer.

const actorFields = `{ __typename login }`

// wireActor is null for a deleted account.
type wireActor struct {
	Typename string `json:"__typename"`
	Login    string
}

// people are the account types of humans.
var people = []string{"User", "EnterpriseUserAccount"}

// account returns the account with the login that the REST API and the events use: a
// bot has the suffix [bot], so it never equals a user of that name.
func (a *wireActor) account() Account {
	switch {
	case a == nil, a.Login == "":
		return Account{Login: "ghost"}
	case a.Typename == "Bot":
		return Account{Login: a.Login + "[bot]", Bot: true}
	}
	return Account{Login: a.Login, Bot: !slices.Contains(people, a.Typename)}
}

const commentFields = `{
  id fullDatabaseId url body createdAt lastEditedAt isMinimized viewerDidAuthor
  author ` + actorFields + `
  editor ` + actorFields + `
  reactionGroups { content viewerHasReacted }
}`

type wireComment struct {
	ID              string
	FullDatabaseID  int64 `json:",string"`
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
		ID: w.FullDatabaseID, Node: w.ID, URL: w.URL, Author: w.Author.account(), Mine: w.ViewerDidAuthor, Body: w.Body,
		CreatedAt: w.CreatedAt, Minimized: w.IsMinimized,
	}
	if w.LastEditedAt != nil {
		c.Edited, c.EditedBy, c.EditedAt = true, w.Editor.account(), *w.LastEditedAt
	}
	reacted := make(map[string]bool)
	for _, g := range w.ReactionGroups {
		reacted[g.Content] = g.ViewerHasReacted
	}
	c.Eyes, c.ThumbsUp, c.Confused = reacted["EYES"], reacted["THUMBS_UP"], reacted["CONFUSED"]
	return c
}

func comments(l list[wireComment]) []Comment {
	var all []Comment
	for _, w := range l.nonNull() {
		all = append(all, w.comment())
	}
	return all
}

const reviewFields = `{
  fullDatabaseId state body submittedAt viewerDidAuthor
  author ` + actorFields + `
  commit { oid }
}`

type wireReview struct {
	FullDatabaseID  int64 `json:",string"`
	State, Body     string
	SubmittedAt     *time.Time
	ViewerDidAuthor bool
	Author          *wireActor
	Commit          struct{ OID string }
}

// review is false for a review that is not submitted.
func (w *wireReview) review() (Review, bool) {
	if w.SubmittedAt == nil || w.State == "PENDING" {
		return Review{}, false
	}
	return Review{
		ID: w.FullDatabaseID, Author: w.Author.account(), Mine: w.ViewerDidAuthor, State: ReviewState(w.State),
		Body: w.Body, SubmittedAt: *w.SubmittedAt, HeadSHA: w.Commit.OID,
	}, true
}

const threadFields = `{
  path isResolved
  comments(first: 100) { pageInfo { hasNextPage } nodes ` + commentFields + ` }
}`

type wireThread struct {
	Path       string
	IsResolved bool
	Comments   list[wireComment]
}

// wireSiblings are the pull requests of the last commit of one.
type wireSiblings struct {
	Nodes []struct {
		Commit struct{ AssociatedPullRequests list[wireSibling] }
	}
}

type wireSibling struct {
	Number     int
	State      string
	HeadRefOID string
	Repository struct{ DatabaseID int64 }
}

const siblingFields = `commits(last: 1) { nodes { commit {
  associatedPullRequests(first: 100) { pageInfo { hasNextPage endCursor } nodes { number state headRefOid repository { databaseId } } }
} } }`

// others lists the other open pull requests of the same repository with the same head.
// More is true if GitHub has more than it sent.
func (w *wireSiblings) others(repository int64, number int, head string) (all []int, more bool) {
	for i := range w.Nodes {
		found := &w.Nodes[i].Commit.AssociatedPullRequests
		more = more || found.PageInfo.HasNextPage
		for _, p := range found.nonNull() {
			switch {
			case p.Number == number, p.State != "OPEN", p.HeadRefOID != head, p.Repository.DatabaseID != repository:
			default:
				all = append(all, p.Number)
			}
		}
	}
	return all, more
}

// madeFields are the commits of a pull request with their makers. Authors include those
// of the trailer Co-authored-by.
const madeFields = `{ pageInfo { hasNextPage endCursor } nodes { commit {
  oid
  authors(first: 20) { pageInfo { hasNextPage } nodes ` + gitActorFields + ` }
  committer ` + gitActorFields + `
  signature { isValid wasSignedByGitHub }
} } }`

const gitActorFields = `{ email user ` + actorFields + ` }`

// wireGitActor is a person named by a commit; the account is null if GitHub knows no
// account with this address.
type wireGitActor struct {
	Email string
	User  *wireActor
}

// appAddress is the address of commits by an App.
var appAddress = lazyregexp.New(`^\d+\+([A-Za-z0-9-]+\[bot\])@users\.noreply\.github\.com$`)

// account returns an empty account if the author is unknown to GitHub.
func (w *wireGitActor) account(signed bool) Account {
	switch {
	case w.User != nil && strings.HasSuffix(w.User.Login, "[bot]"):
		return Account{Login: w.User.Login, Bot: true}
	case w.User != nil && w.User.Login != "":
		return w.User.account()
	case signed && appAddress().MatchString(w.Email):
		return Account{Login: appAddress().FindStringSubmatch(w.Email)[1], Bot: true}
	}
	return Account{}
}

type wireMade struct {
	Commit struct {
		OID       string
		Authors   list[wireGitActor]
		Committer *wireGitActor
		Signature *struct{ IsValid, WasSignedByGitHub bool }
	}
}

func (w *wireMade) commit() Commit {
	c := &w.Commit
	made := Commit{SHA: c.OID, Signed: c.Signature != nil && c.Signature.IsValid && c.Signature.WasSignedByGitHub}
	actors := c.Authors.nonNull()
	if by := c.Committer; by != nil {
		byGitHub := by.Email == "noreply@github.com" || by.User != nil && by.User.Login == "web-flow" // for a person on its pages
		if !byGitHub {
			actors = append(actors, by)
		}
	}
	for _, a := range actors {
		if by := a.account(made.Signed); !slices.Contains(made.By, by) {
			made.By = append(made.By, by)
		}
	}
	if c.Authors.PageInfo.HasNextPage {
		made.By = append(made.By, Account{})
	}
	return made
}

// linkedField is GitHub's name for the issues that a pull request closes.
const linkedField = "closingIssuesReferences"

const linkedFields = `
      head: commits(last: 1) { nodes { commit { committedDate } } }
      ` + linkedField + `(first: 3) { nodes {
        number title body lastEditedAt
        editor ` + actorFields + `
        repository { databaseId }
        renames: timelineItems(last: 1, itemTypes: [RENAMED_TITLE_EVENT]) { nodes { ... on RenamedTitleEvent { createdAt actor ` + actorFields + ` } } }
      } }`

// wireLinked is the answer to linkedFields.
type wireLinked struct {
	Head struct {
		Nodes []struct {
			Commit struct{ CommittedDate time.Time }
		}
	}
	ClosingIssuesReferences list[wireLinkedIssue]
}

type wireLinkedIssue struct {
	Number       int
	Title, Body  string
	LastEditedAt *time.Time
	Editor       *wireActor
	Repository   struct{ DatabaseID int64 }
	Renames      struct{ Nodes []wireRename }
}

// linked returns the issues of this repository. For an issue of another one, the rights
// of its writers and readers are unknown here.
func (w *wireLinked) linked(repository int64) []Linked {
	var all []Linked
	for _, i := range w.ClosingIssuesReferences.nonNull() {
		if i.Repository.DatabaseID != repository {
			continue
		}
		one := Linked{Number: i.Number, Title: i.Title, Body: i.Body}
		if i.LastEditedAt != nil {
			one.Edits = append(one.Edits, Edit{By: i.Editor.account(), At: *i.LastEditedAt})
		}
		for _, rename := range i.Renames.Nodes {
			one.Edits = append(one.Edits, Edit{By: rename.Actor.account(), At: rename.CreatedAt})
		}
		all = append(all, one)
	}
	return all
}
