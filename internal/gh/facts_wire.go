package gh

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// Fragments of GraphQL documents, each with the shape of its answer. Where the names of a fragment
// are those of a fact, the fact is read as it is.

const actorFields = `{ __typename login }`

// people are the account types of humans.
var people = []string{"User", "EnterpriseUserAccount"}

// UnmarshalJSON reads an account of GraphQL, null for a deleted one, or one written by another job.
// It has the login that the REST API and the events use: a bot has the suffix [bot], so it never
// equals a user of that name.
func (a *Account) UnmarshalJSON(data []byte) error {
	var w struct {
		Typename string `json:"__typename"`
		Login    string
		Bot      bool
	}
	err := json.Unmarshal(data, &w)
	switch {
	case string(data) == "null":
		w.Login = "ghost"
	case w.Typename == "Bot":
		w.Login, w.Bot = w.Login+"[bot]", true
	case w.Typename != "":
		w.Bot = !slices.Contains(people, w.Typename)
	}
	*a = Account{Login: w.Login, Bot: w.Bot}
	return err
}

const commentFields = `{
  id: fullDatabaseId node: id url body createdAt editedAt: lastEditedAt minimized: isMinimized mine: viewerDidAuthor
  author ` + actorFields + `
  editedBy: editor ` + actorFields + `
  reactionGroups { content viewerHasReacted }
}`

type wireComment struct {
	Comment
	ReactionGroups []struct {
		Content          string
		ViewerHasReacted bool
	}
}

func (w *wireComment) comment() Comment {
	c := w.Comment
	c.Edited = !c.EditedAt.IsZero()
	for _, g := range w.ReactionGroups {
		switch g.Content {
		case "EYES":
			c.Eyes = g.ViewerHasReacted
		case "THUMBS_UP":
			c.ThumbsUp = g.ViewerHasReacted
		case "CONFUSED":
			c.Confused = g.ViewerHasReacted
		}
	}
	return c
}

func comments(l list[wireComment]) []Comment {
	return lists.Map(l.nonNull(), (*wireComment).comment)
}

const reviewFields = `{
  id: fullDatabaseId state body submittedAt mine: viewerDidAuthor
  author ` + actorFields + `
  commit { oid }
}`

type wireReview struct {
	Review
	Commit struct{ OID string }
}

const threadFields = `{
  path resolved: isResolved
  comments(first: 100) { pageInfo { hasNextPage } nodes ` + commentFields + ` }
}`

type wireThread struct {
	Thread
	Comments list[wireComment]
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
	User  *Account
}

// appAddress is the address of commits by an App.
var appAddress = lazyregexp.New(`^\d+\+([A-Za-z0-9-]+\[bot\])@users\.noreply\.github\.com$`)

// account returns an empty account if the author is unknown to GitHub.
func (w *wireGitActor) account(signed bool) Account {
	switch {
	case w.User != nil && strings.HasSuffix(w.User.Login, "[bot]"):
		return Account{Login: w.User.Login, Bot: true}
	case w.User != nil && w.User.Login != "":
		return *w.User
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
        number title body editedAt: lastEditedAt
        editedBy: editor ` + actorFields + `
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
	Linked
	EditedAt   time.Time
	EditedBy   Account
	Repository struct{ DatabaseID int64 }
	Renames    struct{ Nodes []wireRename }
}

// linked returns the issues of this repository. For an issue of another one, the rights
// of its writers and readers are unknown here.
func (w *wireLinked) linked(repository int64) []Linked {
	var all []Linked
	for _, i := range w.ClosingIssuesReferences.nonNull() {
		if i.Repository.DatabaseID != repository {
			continue
		}
		if !i.EditedAt.IsZero() {
			i.Edits = append(i.Edits, Edit{By: i.EditedBy, At: i.EditedAt})
		}
		for _, rename := range i.Renames.Nodes {
			i.Edits = append(i.Edits, Edit{By: rename.Actor, At: rename.CreatedAt})
		}
		all = append(all, i.Linked)
	}
	return all
}
