package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// glanceQuery asks for the little that may change while a pull request is debated, with
// further variables and fields of the repository.
func glanceQuery(variables, fields string) string {
	return `query Glance($owner: String!, $name: String!, $number: Int!, $file: String!, $watched: ID!, $watch: Boolean!` + variables + `) {
  node(id: $watched) @include(if: $watch) { ... on IssueComment ` + commentFields + ` }
  repository(owner: $owner, name: $name) {
    databaseId
    defaultBranchRef { target { ` + settingsField + ` } }
    pullRequest(number: $number) {
      state headRefOid baseRefName
      baseRef { target { oid ` + settingsField + ` } }
      ` + siblingFields + `
      comments(last: 30) { nodes ` + commentFields + ` }
    }` + fields + `
  }
}`
}

// The check runs of a commit in a glance. The app is named by its id: what a token may
// know of other apps is little.
const (
	checkVariables = `, $head: GitObjectID!, $app: Int!, $check: String!, $failed: Boolean!`
	checkFields    = `
    checks: object(oid: $head) { ... on Commit {
      own: checkSuites(first: 100, filterBy: {appId: $app, checkName: $check}) { pageInfo { hasNextPage } nodes {
        checkRuns(first: 100, filterBy: {appId: $app, checkName: $check, checkType: ALL}) { pageInfo { hasNextPage } nodes {
          databaseId name status conclusion title summary externalId startedAt
        } }
      } }
      failed: checkSuites(first: 100) @include(if: $failed) { pageInfo { hasNextPage } nodes {
        checkRuns(first: 10, filterBy: {checkType: LATEST, conclusions: [FAILURE, TIMED_OUT, STARTUP_FAILURE]}) { pageInfo { hasNextPage } nodes { name } }
      } }
    } }`
)

type wireSuites = list[struct{ CheckRuns list[wireRun] }]

type wireRun struct {
	DatabaseID                                           int64
	Name, Status, Conclusion, Title, Summary, ExternalID string
	StartedAt                                            time.Time
}

type wireChecks struct{ Own, Failed *wireSuites }

// wireGlance is the little of a pull request that is looked at again.
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
	Checks wireChecks
}

// Glance reads the little of a pull request that may change while it is debated:
// one request, with the newest 30 comments and the one that is named by its Node,
// "" for none.
func (r *Reader) Glance(ctx context.Context, number int, watched string) (Glance, error) {
	g, _, err := r.glance(ctx, number, watched, glanceQuery("", ""), variables{})
	return g, err
}

// GlanceWithChecks reads check runs of a head along, as far as GraphQL tells all of
// them to this token: where it does not, it is not asked again.
func (r *Reader) GlanceWithChecks(ctx context.Context, number int, watched string, at ChecksAt) (Glance, error) {
	if r.isBlind() || commitIDs("", at.Head) != nil || at.App == 0 {
		return r.Glance(ctx, number, watched)
	}
	v := variables{"head": at.Head, "app": at.App, "check": at.Name, "failed": at.Failed}
	g, checks, err := r.glance(ctx, number, watched, glanceQuery(checkVariables, checkFields), v)
	if isOf(err, new(*PermissionError), new(*RefusedError), new(*UnavailableError)) && ctx.Err() == nil {
		r.mu.Lock()
		r.blind = true
		r.mu.Unlock()
		return r.Glance(ctx, number, watched)
	}
	g.Checks = checks.seen(at)
	return g, err
}

func (r *Reader) isBlind() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.blind
}

func (r *Reader) glance(ctx context.Context, number int, watched, document string, v variables) (Glance, wireChecks, error) {
	what := fmt.Sprintf("look at pull request #%d", number)
	v["owner"], v["name"], v["number"], v["file"] = r.sender.options.Owner, r.sender.options.Repo, number, r.settings
	v["watched"], v["watch"] = watched, watched != ""
	var data struct {
		Node       wireComment
		Repository wireGlance
	}
	err := r.sender.query(ctx, what, document, v, &data)
	if errors.As(err, new(*NotFoundError)) && watched != "" { // the comment is gone, or the pull request is
		return r.glance(ctx, number, "", document, v)
	}
	if err != nil {
		return Glance{}, wireChecks{}, err
	}
	if data.Repository.PullRequest == nil {
		return Glance{}, wireChecks{}, &NotFoundError{What: what}
	}
	w := data.Repository.PullRequest
	g := Glance{State: pullState(w.State), HeadSHA: w.HeadRefOID, BaseRef: w.BaseRefName, BaseSHA: w.BaseRef.Target.OID, Settings: settingsOf(&w.BaseRef, &data.Repository.Default), Comments: comments(w.Comments)}
	g.Siblings, _ = w.Commits.others(data.Repository.DatabaseID, number, w.HeadRefOID)
	if data.Node.ID != "" {
		watched := data.Node.comment()
		g.Watched = &watched
	}
	return g, data.Repository.Checks, nil
}

// seen are the check runs that were asked for, nil where some may be missing.
func (w wireChecks) seen(at ChecksAt) *SeenChecks {
	if w.Own == nil || at.Failed && w.Failed == nil {
		return nil
	}
	own, whole := runsOf(w.Own)
	if !whole {
		return nil
	}
	seen := &SeenChecks{}
	for _, run := range own {
		seen.Runs = append(seen.Runs, CheckRun{
			ID: run.DatabaseID, Name: run.Name, Done: run.Status == "COMPLETED", Conclusion: strings.ToLower(run.Conclusion),
			Title: run.Title, Summary: run.Summary, ExternalID: run.ExternalID, StartedAt: run.StartedAt, App: at.App, Mine: true,
		})
	}
	slices.SortFunc(seen.Runs, func(a, b CheckRun) int { return cmp.Compare(a.ID, b.ID) })
	if !at.Failed {
		return seen
	}
	failed, whole := runsOf(w.Failed)
	seen.Failed = slices.ContainsFunc(failed, func(run *wireRun) bool { return run.Name != at.Name })
	if !whole && !seen.Failed {
		return nil
	}
	return seen
}

// runsOf are the runs of suites, and whether these are all.
func runsOf(suites *wireSuites) (runs []*wireRun, whole bool) {
	whole = !suites.PageInfo.HasNextPage
	for _, suite := range suites.present() {
		runs = append(runs, suite.CheckRuns.present()...)
		whole = whole && !suite.CheckRuns.PageInfo.HasNextPage
	}
	return runs, whole
}
