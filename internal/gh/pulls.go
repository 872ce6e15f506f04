package gh

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const openPullsQuery = `query OpenPulls($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 100, after: $after, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC}) {
      pageInfo { hasNextPage endCursor } nodes { number }
    }
  }
}`

// OpenPulls lists the open pull requests, the last changed first, at most 200.
func (c *Client) OpenPulls(ctx context.Context) ([]int, error) {
	const what = "list the open pull requests"
	v := variables{"owner": c.owner, "name": c.name, "after": nil}
	var all []int
	for len(all) < maxPulls {
		var reply struct {
			Repository *struct {
				PullRequests struct {
					PageInfo page
					Nodes    []*struct{ Number int }
				}
			}
		}
		if err := c.query(ctx, what, openPullsQuery, v, &reply); err != nil {
			return nil, err
		}
		if reply.Repository == nil {
			return nil, &NotFoundError{What: what}
		}
		list := reply.Repository.PullRequests
		for _, n := range list.Nodes {
			if n != nil && !slices.Contains(all, n.Number) {
				all = append(all, n.Number)
			}
		}
		if !list.PageInfo.HasNextPage {
			break
		}
		v["after"] = list.PageInfo.EndCursor
	}
	return all[:min(len(all), maxPulls)], nil
}

// Member is a pull request that a merge queue tries.
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

// QueueMembers lists the pull requests of a group of a merge queue, the first to
// be merged first. The branch is that of the queue, with or without refs/heads/; the
// commits are those of the event. A group that the queue does not know whole is a
// *NotFoundError: nobody can say then that all its members passed.
func (c *Client) QueueMembers(ctx context.Context, branch, baseSHA, headSHA string) ([]Member, error) {
	what := fmt.Sprintf("read the group %.12s of the merge queue", headSHA)
	for _, sha := range []string{baseSHA, headSHA} {
		if err := commitID(sha); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
	}
	type commit struct{ OID string }
	type entry struct {
		BaseCommit, HeadCommit *commit
		PullRequest            *struct {
			Number     int
			HeadRefOID string
		}
	}
	byHead := map[string]entry{}
	v := variables{"owner": c.owner, "name": c.name, "branch": strings.TrimPrefix(branch, "refs/heads/"), "after": nil}
	for range maxQueuePages {
		var reply struct {
			Repository *struct {
				MergeQueue *struct {
					Entries struct {
						PageInfo page
						Nodes    []*entry
					}
				}
			}
		}
		if err := c.query(ctx, what, queueQuery, v, &reply); err != nil {
			return nil, err
		}
		if reply.Repository == nil || reply.Repository.MergeQueue == nil {
			return nil, &NotFoundError{What: what}
		}
		list := reply.Repository.MergeQueue.Entries
		for _, e := range list.Nodes {
			if e != nil && e.HeadCommit != nil && e.BaseCommit != nil && e.PullRequest != nil {
				byHead[e.HeadCommit.OID] = *e
			}
		}
		if !list.PageInfo.HasNextPage {
			break
		}
		v["after"] = list.PageInfo.EndCursor
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
