package ghtest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// written are the fields that everything written has in common.
func (g *graph) written(r *Repo, author *user, body edited) fields {
	return fields{
		"author": g.actor(author), "authorAssociation": r.access.association(author), "body": body.text, "viewerDidAuthor": author == g.c.token.user,
		"lastEditedAt": stamp(body.at), "editor": g.actor(body.by), "includesCreatedEdit": !body.at.IsZero(),
		"repository": func(args) any { return g.repository(r) },
	}
}

func big(id int64) string { return strconv.FormatInt(id, 10) }

func (g *graph) comment(c *Comment) *vertex {
	f := g.written(c.issue.Repo, c.author, c.body)
	maps.Copy(f, fields{
		"id": nodeID("IC", c.ID), "databaseId": databaseID(c.ID), "fullDatabaseId": big(c.ID), "url": c.html(), "createdAt": stamp(c.created),
		"updatedAt": stamp(c.updated), "isMinimized": c.minimized != "", "minimizedReason": orNil(c.minimized),
		"reactionGroups": c.reactions.groups(g.c.token.user),
		"issue":          func(args) any { return g.issue(c.issue) },
		"pullRequest": func(args) any {
			if c.issue.pull == nil {
				return nil
			}
			return g.pull(c.issue.pull)
		},
	})
	return &vertex{"IssueComment", f}
}

func (g *graph) comments(list []*Comment) func(args) any {
	return func(a args) any {
		return connection("IssueCommentConnection", a, vertices(visible(g.c, list), g.comment), nil)
	}
}

// graphReason is a state's reason as GraphQL spells it. A duplicate shows as one only
// where it is asked for.
func graphReason(reason string, duplicates bool) any {
	if reason == "duplicate" && !duplicates {
		return "NOT_PLANNED"
	}
	return orNil(strings.ToUpper(reason))
}

func (g *graph) issue(i *Issue) *vertex {
	f := g.written(i.Repo, i.author, i.body)
	maps.Copy(f, fields{
		"id": nodeID("I", i.id), "databaseId": databaseID(i.id), "fullDatabaseId": big(i.id), "number": i.Number, "url": i.html(),
		"title": i.title, "state": strings.ToUpper(i.standing.state()), "createdAt": stamp(i.history.created), "updatedAt": stamp(i.history.updated),
		"closedAt": stamp(i.standing.closedAt()), "closed": !i.standing.isOpen(), "locked": i.talk.locked,
		"reactionGroups": reactions(nil).groups(g.c.token.user),
		"stateReason": func(a args) any {
			duplicates, _ := a["enableDuplicate"].(bool)
			return graphReason(i.standing.reason, duplicates)
		},
		"labels":   func(a args) any { return g.labels(i.Repo, i.labels.list, a) },
		"comments": g.comments(i.talk.comments),
		"timelineItems": func(a args) any {
			list := g.timeline(i, a)
			return connection("IssueTimelineItemsConnection", a, list, fields{"filteredCount": len(list)})
		},
	})
	return &vertex{"Issue", f}
}

// timeline are the events and the comments in the order in which they happened.
func (g *graph) timeline(i *Issue, a args) []*vertex {
	wants := func(name string) bool { return a.lets("itemTypes", name) }
	type item struct {
		id int64
		v  *vertex
	}
	var list []item
	for _, e := range i.history.events {
		if kind := eventKinds[e.kind]; kind.vertex != "" && wants(kind.item) {
			list = append(list, item{e.id, g.event(i, e, kind.vertex)})
		}
	}
	if wants("ISSUE_COMMENT") {
		for _, c := range i.talk.comments {
			list = append(list, item{c.serial(), g.comment(c)})
		}
	}
	if i.pull != nil && wants("PULL_REQUEST_REVIEW") {
		for _, r := range i.pull.discussion.reviews {
			list = append(list, item{r.serial(), g.review(r)})
		}
	}
	slices.SortFunc(list, func(a, b item) int { return int(a.id - b.id) })
	return vertices(list, func(i item) *vertex { return i.v })
}

var eventKinds = map[string]struct{ vertex, item string }{
	"closed": {"ClosedEvent", "CLOSED_EVENT"}, "reopened": {"ReopenedEvent", "REOPENED_EVENT"}, "merged": {"MergedEvent", "MERGED_EVENT"},
	"labeled": {"LabeledEvent", "LABELED_EVENT"}, "unlabeled": {"UnlabeledEvent", "UNLABELED_EVENT"},
	"renamed": {"RenamedTitleEvent", "RENAMED_TITLE_EVENT"}, "head_ref_force_pushed": {"HeadRefForcePushedEvent", "HEAD_REF_FORCE_PUSHED_EVENT"},
}

func (g *graph) event(i *Issue, e *event, kind string) *vertex {
	f := fields{"id": nodeID("E", e.id), "actor": g.actor(e.actor), "createdAt": stamp(e.at)}
	switch e.kind {
	case "closed":
		f["stateReason"], f["url"], f["closer"] = graphReason(e.reason, true), i.html()+"#event-"+itoa(int(e.id)), nil
		if i.pull != nil {
			f["stateReason"] = nil
		}
		if e.merge != nil {
			f["closer"] = func(args) any { return g.pull(e.merge) }
		} else if e.commit != "" {
			f["closer"] = func(args) any { return g.commit(i.Repo, e.commit) }
		}
	case "reopened":
		f["stateReason"] = nil
		if i.pull == nil {
			f["stateReason"] = "REOPENED"
		}
	case "merged":
		f["commit"] = func(args) any { return g.commit(i.Repo, e.commit) }
	case "head_ref_force_pushed":
		f["beforeCommit"] = func(args) any { return g.commit(i.Repo, e.before) }
		f["afterCommit"] = func(args) any { return g.commit(i.Repo, e.commit) }
	case "labeled", "unlabeled":
		f["label"] = func(args) any { return g.label(i.Repo, e.label) }
	case "renamed":
		f["currentTitle"], f["previousTitle"] = e.to, e.from
	}
	return &vertex{kind, f}
}

func (g *graph) mutation() *vertex {
	return &vertex{"Mutation", fields{
		"resolveReviewThread":   func(a args) any { return g.resolveThread(a, true, "ResolveReviewThreadPayload") },
		"unresolveReviewThread": func(a args) any { return g.resolveThread(a, false, "UnresolveReviewThreadPayload") },
		"minimizeComment":       func(a args) any { return g.minimizeComment(a, true, "MinimizeCommentPayload", "minimizedComment") },
		"unminimizeComment":     func(a args) any { return g.minimizeComment(a, false, "UnminimizeCommentPayload", "unminimizedComment") },
	}}
}

// resolveThread marks a thread as resolved, or takes that back.
func (g *graph) resolveThread(a args, on bool, payload string) any {
	id := input(a).text("threadId")
	found, r := g.c.world.repos.node(id)
	t, is := found.(*thread)
	if !is {
		return unknownNode(id)
	}
	// replying is not enough: resolving asks for more of an app
	isAuthor := g.c.token.app == 0 && g.c.token.user == t.pull.author
	if !isAuthor && !(g.mayWrite(r, "contents") && g.mayWrite(r, "pull-requests")) {
		return errGraphForbidden
	}
	t.resolved = nil
	if on {
		t.resolved = g.c.token.user
	}
	g.c.world.clock.tick()
	return &vertex{payload, fields{"clientMutationId": a["clientMutationId"], "thread": g.thread(t)}}
}

// minimizeComment hides a comment, or shows it again.
func (g *graph) minimizeComment(a args, on bool, payload, field string) any {
	id := input(a).text("subjectId")
	found, r := g.c.world.repos.node(id)
	c, is := found.(*Comment)
	if !is {
		return unknownNode(id)
	}
	if !g.mayWrite(r, "issues", "pull-requests") {
		return errGraphForbidden
	}
	c.minimized = ""
	if on {
		c.minimized = strings.ReplaceAll(strings.ToLower(input(a).text("classifier")), "_", "-")
	}
	return &vertex{payload, fields{"clientMutationId": a["clientMutationId"], field: g.anyComment(c)}}
}

func (g *graph) anyComment(c *Comment) *vertex {
	if c.inline != nil {
		return g.inlineComment(c)
	}
	return g.comment(c)
}

// mayWrite tells whether whoever asks may change something in a repository: an app with
// one of the permissions, a person by the role.
func (g *graph) mayWrite(r *Repo, permissions ...string) bool {
	if g.c.token.app == 0 {
		return r.access.allows(g.c.token.user, Write)
	}
	return g.c.token.isFor(r) && g.c.token.may(write, permissions...)
}

func unknownNode(id string) *graphError {
	return &graphError{"NOT_FOUND", "Could not resolve to a node with the global id of '" + id + "'"}
}

func input(a args) args {
	in, _ := a["input"].(map[string]any)
	return in
}
