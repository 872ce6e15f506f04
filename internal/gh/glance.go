package gh

import (
	"context"
	"errors"
	"fmt"
)

// glanceQuery reads the few facts that may change during a debate.
const glanceQuery = `query Glance($owner: String!, $name: String!, $number: Int!, $file: String!, $watched: ID!, $watch: Boolean!) {
  node(id: $watched) @include(if: $watch) { ... on IssueComment ` + commentFields + ` }
  repository(owner: $owner, name: $name) {
    databaseId
    defaultBranchRef { target { ` + settingsField + ` } }
    pullRequest(number: $number) {
      state headRefOid baseRefName
      baseRef { target { oid ` + settingsField + ` } }
      ` + siblingFields + `
      comments(last: 30) { nodes ` + commentFields + ` }
    }
  }
}`

// wireGlance is the answer to glanceQuery.
type wireGlance struct {
	DatabaseID  int64
	Default     wireBranch `json:"defaultBranchRef"`
	PullRequest *struct {
		State, BaseRefName string
		BaseRef            wireBranch
		HeadRefOID         string
		Commits            wireSiblings
		Comments           list[wireComment]
	}
}

// Glance reads the few facts of a pull request that may change during a debate: one
// request with the newest 30 comments and the comment with the Node watched, "" for none.
func (r *Reader) Glance(ctx context.Context, number int, watched string) (Glance, error) {
	what := fmt.Sprintf("look at pull request #%d", number)
	o := r.sender.options
	v := variables{"owner": o.Owner, "name": o.Repo, "number": number, "file": r.settings, "watched": watched, "watch": watched != ""}
	var data struct {
		Node       wireComment
		Repository wireGlance
	}
	err := r.sender.query(ctx, what, glanceQuery, v, &data)
	if errors.As(err, new(*NotFoundError)) && watched != "" { // the comment is gone, or the pull request is
		return r.Glance(ctx, number, "")
	}
	if err != nil {
		return Glance{}, err
	}
	w := data.Repository.PullRequest
	if w == nil {
		return Glance{}, &NotFoundError{What: what}
	}
	g := Glance{
		State: pullState(w.State), HeadSHA: w.HeadRefOID, BaseRef: w.BaseRefName, BaseSHA: w.BaseRef.Target.OID,
		Settings: settingsOf(&w.BaseRef, &data.Repository.Default), Comments: comments(w.Comments),
	}
	g.Siblings, _ = w.Commits.others(data.Repository.DatabaseID, number, w.HeadRefOID)
	if data.Node.ID != "" {
		watched := data.Node.comment()
		g.Watched = &watched
	}
	return g, nil
}
