package ghtest

import (
	"maps"
	"slices"
	"strings"
)

// state is where a pull request is in its life, as GraphQL spells it.
func (p *Pull) state() string {
	if p.merge.isDone() {
		return "MERGED"
	}
	return strings.ToUpper(p.standing.state())
}

func (g *graph) pull(p *Pull) *vertex {
	r := p.Repo
	f := g.written(r, p.author, p.body)
	maps.Copy(f, fields{
		"id": nodeID("PR", p.pullID), "databaseId": databaseID(p.pullID), "fullDatabaseId": big(p.pullID), "number": p.Number, "url": p.html(),
		"title": p.title, "state": p.state(), "isDraft": p.draft, "merged": p.merge.isDone(), "mergedAt": stamp(p.merge.at), "mergedBy": g.actor(p.merge.by),
		"closed": !p.standing.isOpen(), "closedAt": stamp(p.standing.closedAt()),
		"baseRefName": p.ends.base.ref, "baseRefOid": p.ends.base.sha, "headRefName": p.ends.head.ref, "headRefOid": p.ends.head.sha,
		"isCrossRepository": p.ends.head.repo != r, "createdAt": stamp(p.history.created), "updatedAt": stamp(p.history.updated),
		"locked": p.talk.locked, "mergeable": "MERGEABLE", "reactionGroups": reactions(nil).groups(g.c.token.user),
		"baseRepository":      func(args) any { return g.repository(r) },
		"headRepository":      func(args) any { return g.headRepository(p) },
		"headRepositoryOwner": func(args) any { return g.actor(p.ends.head.repo.access.owner) },
		"baseRef":             func(args) any { return g.ref(r, p.ends.base.ref) },
		"headRef":             func(args) any { return g.ref(p.ends.head.repo, p.ends.head.ref) },
		"mergeCommit":         func(args) any { return g.commit(r, p.merge.commit) },
		"labels":              func(a args) any { return g.labels(r, p.labels.list, a) },
		"closingIssuesReferences": g.allowed(r, "issues", func(a args) any {
			list := p.closing()
			ordered(list, a, issueTime)
			return connection("IssueConnection", a, vertices(list, g.issue), nil)
		}),
		"comments": g.comments(p.talk.comments),
		"reviews":  func(a args) any { return g.reviews(p, a) },
		"reviewThreads": func(a args) any {
			list := visible(g.c, p.discussion.threads)
			return connection("PullRequestReviewThreadConnection", a, vertices(list, g.thread), nil)
		},
		"commits": func(a args) any {
			list := vertices(p.ends.commits(), func(c *commit) *vertex {
				if c.made.authors == nil {
					c.made.authors = []*user{p.author}
				}
				return &vertex{"PullRequestCommit", fields{"id": "PRC_" + c.sha, "commit": g.commit(r, c.sha)}}
			})
			return connection("PullRequestCommitConnection", a, list, nil)
		},
		"timelineItems": func(a args) any {
			list := g.timeline(p.Issue, a)
			return connection("PullRequestTimelineItemsConnection", a, list, fields{"filteredCount": len(list)})
		},
		"files":        func(a args) any { return connection("PullRequestChangedFileConnection", a, g.files(p), nil) },
		"changedFiles": func(args) any { return len(p.ends.changes()) },
		"additions":    func(args) any { return sum(p, func(c change) int { return c.added }) },
		"deletions":    func(args) any { return sum(p, func(c change) int { return c.deleted }) },
	})
	return &vertex{"PullRequest", f}
}

func sum(p *Pull, of func(change) int) int {
	n := 0
	for _, c := range p.ends.changes() {
		n += of(c)
	}
	return n
}

func (g *graph) files(p *Pull) []*vertex {
	return vertices(p.ends.changes(), func(c change) *vertex {
		return &vertex{"PullRequestChangedFile", fields{
			"path": c.path, "additions": c.added, "deletions": c.deleted,
			"changeType": map[string]string{"added": "ADDED", "removed": "DELETED", "modified": "MODIFIED", "renamed": "RENAMED"}[c.status],
		}}
	})
}

func (g *graph) headRepository(p *Pull) any {
	if g.c.world.repos.byID[p.ends.head.repo.ID] == nil {
		return nil
	}
	return g.repository(p.ends.head.repo)
}

func (g *graph) reviews(p *Pull, a args) any {
	list := slices.Clone(visible(g.c, p.discussion.reviews))
	list = slices.DeleteFunc(list, func(r *Review) bool { return !a.lets("states", r.state) })
	return connection("PullRequestReviewConnection", a, vertices(list, g.review), nil)
}

func (g *graph) review(r *Review) *vertex {
	p := r.pull
	f := g.written(p.Repo, r.author, r.body)
	maps.Copy(f, fields{
		"id": nodeID("PRR", r.ID), "databaseId": databaseID(r.ID), "fullDatabaseId": big(r.ID), "url": r.html(), "state": r.state,
		"submittedAt": stamp(r.at), "createdAt": stamp(r.at), "updatedAt": stamp(r.at), "isMinimized": false, "minimizedReason": nil,
		"reactionGroups": reactions(nil).groups(g.c.token.user),
		"commit":         func(args) any { return g.commit(p.Repo, r.commit) },
		"pullRequest":    func(args) any { return g.pull(p) },
		"comments": func(a args) any {
			list := of(visible(g.c, p.discussion.comments), func(in *inline) bool { return in.review == r })
			return connection("PullRequestReviewCommentConnection", a, vertices(list, g.inlineComment), nil)
		},
	})
	return &vertex{"PullRequestReview", f}
}

func (g *graph) thread(t *thread) *vertex {
	p, in := t.pull, t.first.inline
	subject := "LINE"
	if in.wholeFile {
		subject = "FILE"
	}
	line := func(args) any { line, _ := p.ends.locate(in); return orNull(line) }
	return &vertex{"PullRequestReviewThread", fields{
		"id": nodeID("PRRT", t.id), "path": in.path, "diffSide": in.side, "startDiffSide": orNil(in.startSide), "originalLine": orNull(in.line),
		"originalStartLine": orNull(in.start), "subjectType": subject, "isResolved": t.resolved != nil, "isCollapsed": t.resolved != nil,
		"resolvedBy": g.resolver(t), "viewerCanReply": true, "viewerCanResolve": true, "viewerCanUnresolve": true, "line": line,
		"startLine":  func(args) any { _, start := p.ends.locate(in); return orNull(start) },
		"isOutdated": func(args) any { return p.ends.outdated(in) },
		"comments": func(a args) any {
			list := of(visible(g.c, p.discussion.comments), func(in *inline) bool { return in.thread == t })
			return connection("PullRequestReviewCommentConnection", a, vertices(list, g.inlineComment), nil)
		},
		"pullRequest": func(args) any { return g.pull(p) },
		"repository":  func(args) any { return g.repository(p.Repo) },
	}}
}

// resolver is who resolved a thread: a person, or null for a bot.
func (g *graph) resolver(t *thread) any {
	if t.resolved == nil || t.resolved.kind != "User" {
		return nil
	}
	return g.actor(t.resolved)
}

func (g *graph) inlineComment(c *Comment) *vertex {
	in, p := c.inline, c.issue.pull
	f := g.written(p.Repo, c.author, c.body)
	subject := "LINE"
	if in.wholeFile {
		subject = "FILE"
	}
	maps.Copy(f, fields{
		"id": nodeID("PRRC", c.ID), "databaseId": databaseID(c.ID), "fullDatabaseId": big(c.ID), "url": c.html(), "createdAt": stamp(c.created),
		"updatedAt": stamp(c.updated), "isMinimized": c.minimized != "", "minimizedReason": orNil(c.minimized), "path": in.path,
		"originalLine": orNull(in.line), "originalStartLine": orNull(in.start), "diffHunk": in.hunk, "subjectType": subject,
		"state": "SUBMITTED", "reactionGroups": c.reactions.groups(g.c.token.user),
		"line":           func(args) any { line, _ := p.ends.locate(in); return orNull(line) },
		"startLine":      func(args) any { _, start := p.ends.locate(in); return orNull(start) },
		"outdated":       func(args) any { return p.ends.outdated(in) },
		"commit":         func(args) any { return g.commit(p.Repo, p.ends.head.sha) },
		"originalCommit": func(args) any { return g.commit(p.Repo, in.commit) },
		"replyTo": func(args) any {
			if in.replyTo == 0 {
				return nil
			}
			return g.inlineComment(in.thread.first)
		},
		"pullRequestReview": func(args) any { return g.review(in.review) },
		"pullRequest":       func(args) any { return g.pull(p) },
	})
	return &vertex{"PullRequestReviewComment", f}
}
