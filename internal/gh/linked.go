package gh

import (
	"context"
	"errors"
	"strings"
	"time"
)

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

// queryLinked sends a query with linkedFields, and again without them if GitHub does
// not know them. A review works without its issue.
func (r *Reader) queryLinked(ctx context.Context, what, document string, v variables, out any) error {
	err := r.sender.query(ctx, what, document, v, out)
	if errors.As(err, new(*RefusedError)) && strings.Contains(err.Error(), linkedField) {
		return r.sender.query(ctx, what, strings.Replace(document, linkedFields, "", 1), v, out)
	}
	return err
}

// headDate is when the last commit was made, by its own account; zero if nothing says.
func (w *wireLinked) headDate() time.Time {
	if len(w.Head.Nodes) == 0 {
		return time.Time{}
	}
	return w.Head.Nodes[0].Commit.CommittedDate
}

// linked returns the issues of this repository. For an issue of another one, the rights
// of its writers and readers are unknown here.
func (w *wireLinked) linked(repository int64) []Linked {
	var all []Linked
	for _, i := range w.ClosingIssuesReferences.present() {
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
