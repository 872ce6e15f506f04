package gh

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

const openPullsQuery = `query OpenPulls($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 100, after: $after, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC}) {
      pageInfo { hasNextPage endCursor } nodes { number updatedAt }
    }
  }
}`

// ChangedPulls lists the open pull requests changed since a time (zero: all), newest change
// first, at most 200. Without changes it is one request.
func (r *Reader) ChangedPulls(ctx context.Context, since time.Time) ([]int, error) {
	v := variables{"after": nil}
	var all []int
	for len(all) < maxPulls {
		part, err := queryOne[list[openPull]](ctx, r.sender, "list the open pull requests", openPullsQuery, v)
		if err != nil {
			return nil, err
		}
		for _, n := range part.nonNull() {
			if n.UpdatedAt.Before(since) {
				return all, nil
			}
			if !slices.Contains(all, n.Number) && len(all) < maxPulls {
				all = append(all, n.Number)
			}
		}
		if !part.PageInfo.HasNextPage {
			break
		}
		v["after"] = part.PageInfo.EndCursor
	}
	return all, nil
}

type openPull struct {
	Number    int
	UpdatedAt time.Time
}

// Member is a pull request in a group of a merge queue.
type Member struct {
	Number  int
	HeadSHA string // of the pull request, not of the group
}

const queueQuery = `query Queue($owner: String!, $name: String!, $branch: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    mergeQueue(branch: $branch) { entries(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { baseCommit { oid } headCommit { oid } pullRequest { number headRefOid } }
    } }
  }
}`

const maxQueuePages = 5

// QueueMembers lists the pull requests of a group of a merge queue, the first to merge
// first. The branch is the queue's, with or without refs/heads/; the commits are from
// the event. It returns a *NotFoundError if the queue does not know the whole group,
// since a missing member may not have passed.
func (r *Reader) QueueMembers(ctx context.Context, branch, baseSHA, headSHA string) ([]Member, error) {
	what := fmt.Sprintf("read the group %.12s of the merge queue", headSHA)
	if err := commitIDs(what, baseSHA, headSHA); err != nil {
		return nil, err
	}
	byHead := map[string]*wireEntry{}
	v := variables{"branch": strings.TrimPrefix(branch, "refs/heads/"), "after": nil}
	for range maxQueuePages {
		queue, err := queryOne[struct{ Entries list[wireEntry] }](ctx, r.sender, what, queueQuery, v)
		if err != nil {
			return nil, err
		}
		for _, e := range queue.Entries.nonNull() {
			if e.HeadCommit != nil && e.BaseCommit != nil && e.PullRequest != nil {
				byHead[e.HeadCommit.OID] = e
			}
		}
		if !queue.Entries.PageInfo.HasNextPage {
			break
		}
		v["after"] = queue.Entries.PageInfo.EndCursor
	}
	var members []Member
	for at := headSHA; at != baseSHA; {
		e, ok := byHead[at]
		if !ok {
			return nil, &NotFoundError{What: what}
		}
		delete(byHead, at) // a circle ends
		members = append(members, Member{Number: e.PullRequest.Number, HeadSHA: e.PullRequest.HeadRefOID})
		at = e.BaseCommit.OID
	}
	slices.Reverse(members)
	return members, nil
}

// wireEntry is a pull request in a merge queue.
type wireEntry struct {
	BaseCommit, HeadCommit *struct{ OID string }
	PullRequest            *struct {
		Number     int
		HeadRefOID string
	}
}
