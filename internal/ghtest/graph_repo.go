package ghtest

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// maxBlobText is how much of a file the graph shows, in bytes.
const maxBlobText = 512_000

func (x *exec) query() *vertex {
	return &vertex{"Query", fields{
		"viewer": func(args) any {
			u := x.actor(x.c.token.user)
			f := fields{"name": nil, "__typename": "User"}
			for name, value := range u.fields {
				f[name] = value
			}
			f["login"] = x.c.token.user.login // with [bot], unlike elsewhere
			return &vertex{"User", f}
		},
		"rateLimit": func(args) any {
			t := x.c.token
			return &vertex{"RateLimit", fields{
				"cost": 1, "limit": t.limit, "nodeCount": x.nodes, "remaining": max(0, t.limit-t.used), "used": t.used,
				"resetAt": stamp(t.reset),
			}}
		},
		"repository": func(a args) any { return x.findRepository(a.text("owner"), a.text("name")) },
		"node":       func(a args) any { return x.node(a.text("id")) },
		"nodes": func(a args) any {
			var list []*vertex
			for _, id := range a.texts("ids") {
				v, _ := x.node(id).(*vertex)
				list = append(list, v)
			}
			return list
		},
	}}
}

func (x *exec) findRepository(owner, name string) any {
	r := x.c.world.repos.find(owner + "/" + name)
	if r == nil || !x.c.token.sees(r) {
		return &graphError{"NOT_FOUND", "Could not resolve to a Repository with the name '" + owner + "/" + name + "'."}
	}
	return x.repository(r)
}

// allowed is what a field answers, or that the token may not see it.
func (x *exec) allowed(r *Repo, permission string, value func(args) any) func(args) any {
	return func(a args) any {
		if x.c.token.app != 0 && r.access.private && !x.c.token.may(read, permission) {
			return errGraphForbidden
		}
		return value(a)
	}
}

func (x *exec) repository(r *Repo) *vertex {
	visibility, admission := "PUBLIC", strings.ToUpper(string(r.access.role(x.c.token.user)))
	if r.access.private {
		visibility = "PRIVATE"
	}
	if admission == "NONE" {
		admission = "READ"
	}
	return &vertex{"Repository", fields{
		"id": nodeID("R", r.ID), "databaseId": databaseID(r.ID), "name": r.Name, "nameWithOwner": r.full(), "owner": x.actor(r.access.owner),
		"url": r.address().html(), "isPrivate": r.access.private, "isFork": r.parent != nil, "visibility": visibility, "hasIssuesEnabled": !r.noIssues,
		"isInOrganization": r.access.owner.kind == "Organization", "isArchived": false, "viewerPermission": admission,
		"defaultBranchRef": func(args) any { return x.ref(r, r.git.trunk) },
		"ref":              func(a args) any { return x.ref(r, strings.TrimPrefix(a.text("qualifiedName"), "refs/heads/")) },
		"object":           x.allowed(r, "contents", func(a args) any { return x.gitObject(r, a.text("expression"), a.text("oid")) }),
		"label": func(a args) any {
			if l := r.labels.find(a.text("name")); l != nil {
				return x.label(r, l)
			}
			return nil
		},
		"labels": func(a args) any { return x.labels(r, r.labels.list, a) },
		"pullRequest": x.allowed(r, "pull-requests", func(a args) any {
			if p := r.items.pull(a.int("number")); p != nil {
				return x.pull(p)
			}
			return unresolved("PullRequest", a.int("number"))
		}),
		"issue": x.allowed(r, "issues", func(a args) any {
			if i := r.items.issue(a.int("number")); i != nil && !r.noIssues {
				return x.issue(i)
			}
			return unresolved("Issue", a.int("number"))
		}),
		"issueOrPullRequest": func(a args) any {
			if i := r.items.find(a.int("number")); i != nil && i.pull != nil {
				return x.pull(i.pull)
			} else if i != nil {
				return x.issue(i)
			}
			return unresolved("issue or pull request", a.int("number"))
		},
		"pullRequests": x.allowed(r, "pull-requests", func(a args) any { return x.pulls(r, a) }),
		"issues":       x.allowed(r, "issues", func(a args) any { return x.issues(r, a) }),
		"mergeQueue":   x.allowed(r, "pull-requests", func(a args) any { return x.mergeQueue(r, cmp.Or(a.text("branch"), r.git.trunk)) }),
	}}
}

func unresolved(kind string, number int) *graphError {
	return &graphError{"NOT_FOUND", "Could not resolve to a " + kind + " with the number of " + itoa(number) + "."}
}

// ordered sorts as orderBy says; by is the time of creation or of the last change.
func ordered[T any](list []T, a args, by func(T, bool) time.Time) {
	order, _ := a["orderBy"].(map[string]any)
	updated := order["field"] == "UPDATED_AT"
	slices.SortStableFunc(list, func(p, q T) int { return by(p, updated).Compare(by(q, updated)) })
	if order["direction"] == "DESC" {
		slices.Reverse(list)
	}
}

func issueTime(i *Issue, updated bool) time.Time {
	if updated {
		return i.history.updated
	}
	return i.history.created
}

func (x *exec) pulls(r *Repo, a args) any {
	var list []*Pull
	states := a.texts("states")
	for _, p := range r.items.pulls() {
		if len(states) > 0 && !slices.Contains(states, p.state()) {
			continue
		}
		if base := a.text("baseRefName"); base != "" && base != p.ends.base.ref {
			continue
		}
		if head := a.text("headRefName"); head != "" && head != p.ends.head.ref {
			continue
		}
		list = append(list, p)
	}
	ordered(list, a, func(p *Pull, updated bool) time.Time { return issueTime(p.Issue, updated) })
	return connection("PullRequestConnection", a, vertices(list, x.pull), nil)
}

func (x *exec) issues(r *Repo, a args) any {
	if r.noIssues {
		return connection("IssueConnection", a, nil, nil)
	}
	filter := args{}
	if given, ok := a["filterBy"].(map[string]any); ok {
		filter = given
	}
	labels, states := append(a.texts("labels"), filter.texts("labels")...), append(a.texts("states"), filter.texts("states")...)
	since, _ := time.Parse(time.RFC3339, filter.text("since"))
	var list []*Issue
	for _, i := range visible(x.c, r.items.list) {
		labelled := len(labels) == 0 || slices.ContainsFunc(labels, i.labels.has)
		if i.pull != nil || !labelled || i.history.updated.Before(since) || len(states) > 0 && !slices.Contains(states, strings.ToUpper(i.standing.state())) {
			continue
		}
		if creator := filter.text("createdBy"); creator != "" && !strings.EqualFold(creator, i.author.login) && !strings.EqualFold(creator, i.author.name()) {
			continue
		}
		list = append(list, i)
	}
	ordered(list, a, issueTime)
	return connection("IssueConnection", a, vertices(list, x.issue), nil)
}

func (x *exec) mergeQueue(r *Repo, branch string) any {
	queue := r.queues[branch]
	if queue == nil {
		return nil
	}
	return &vertex{"MergeQueue", fields{
		"id": nodeID("MQ", r.ID), "url": r.address().html() + "/queue/" + branch,
		"entries": func(a args) any {
			var list []*vertex
			for at, e := range queue {
				list = append(list, &vertex{"MergeQueueEntry", fields{
					"id": nodeID("MQE", e.id), "position": at + 1, "state": "AWAITING_CHECKS", "baseCommit": x.commit(r, e.base),
					"headCommit": x.commit(r, e.head), "pullRequest": x.pull(e.pull),
				}})
			}
			return connection("MergeQueueEntryConnection", a, list, nil)
		},
	}}
}

// actor is an account; a deleted one is null.
func (x *exec) actor(u *user) *vertex {
	if u == nil || u.login == "ghost" {
		return nil
	}
	kind, prefix := u.kind, map[string]string{"User": "U", "Bot": "BOT", "Organization": "O"}[u.kind]
	return &vertex{kind, fields{
		"id": nodeID(prefix, u.id), "databaseId": databaseID(u.id), "login": u.name(), "name": u.name(),
		"avatarUrl": string(x.c.world.site) + "/avatars/" + itoa(int(u.id)), "resourcePath": "/" + u.name(), "url": string(x.c.world.site) + "/" + u.name(),
	}}
}

func (x *exec) label(r *Repo, l *label) *vertex {
	return &vertex{"Label", fields{
		"id": nodeID("LA", l.id), "name": l.name, "color": l.color, "description": orNil(l.description), "url": r.address().html() + "/labels/" + l.name,
	}}
}

func (x *exec) labels(r *Repo, list []*label, a args) any {
	return connection("LabelConnection", a, vertices(list, func(l *label) *vertex { return x.label(r, l) }), nil)
}

func (x *exec) ref(r *Repo, branch string) any {
	sha := r.git.branches[branch]
	if sha == "" {
		return nil
	}
	return &vertex{"Ref", fields{
		"id": nodeID("REF", r.ID), "name": branch, "prefix": "refs/heads/",
		"target": x.allowed(r, "contents", func(args) any { return x.commit(r, sha) }),
		"associatedPullRequests": func(a args) any {
			list := slices.DeleteFunc(r.items.with(sha), func(p *Pull) bool { return p.ends.head.ref != branch })
			return connection("PullRequestConnection", a, vertices(byState(list, a), x.pull), nil)
		},
	}}
}

func byState(list []*Pull, a args) []*Pull {
	states := a.texts("states")
	return slices.DeleteFunc(list, func(p *Pull) bool { return len(states) > 0 && !slices.Contains(states, p.state()) })
}

func (x *exec) commit(r *Repo, sha string) *vertex {
	c := r.git.objects.commits[sha]
	if c == nil {
		return nil
	}
	headline, _, _ := strings.Cut(c.message, "\n")
	return &vertex{"Commit", fields{
		"id": "C_" + sha, "oid": sha, "abbreviatedOid": sha[:7], "url": r.address().html() + "/commit/" + sha, "message": c.message,
		"messageHeadline": headline, "committedDate": stamp(c.at), "authoredDate": stamp(c.at),
		"file": x.allowed(r, "contents", func(a args) any {
			if e, ok := r.git.objects.lookup(c.tree, a.text("path")); ok {
				return x.entry(r, e, a.text("path"))
			}
			return nil
		}),
		"checkSuites": x.allowed(r, "checks", func(a args) any { return x.checkSuites(r, sha, a) }),
		"tree":        func(args) any { return x.tree(r, c.tree, "") },
		"parents": func(a args) any {
			return connection("CommitConnection", a, vertices(c.parents, func(p string) *vertex { return x.commit(r, p) }), nil)
		},
		"associatedPullRequests": func(a args) any {
			return connection("PullRequestConnection", a, vertices(byState(r.items.with(sha), a), x.pull), nil)
		},
	}}
}

func (x *exec) tree(r *Repo, sha, below string) *vertex {
	return &vertex{"Tree", fields{"id": "T_" + sha, "oid": sha, "abbreviatedOid": sha[:7], "entries": func(args) any {
		return vertices(r.git.objects.trees[sha], func(e entry) *vertex { return x.entry(r, e, path.Join(below, e.name)) })
	}}}
}

func (x *exec) entry(r *Repo, e entry, name string) *vertex {
	mode := 0
	for _, digit := range e.mode {
		mode = mode*8 + int(digit-'0')
	}
	return &vertex{"TreeEntry", fields{
		"name": path.Base(name), "path": name, "mode": mode, "oid": e.sha, "type": e.kind(), "size": len(r.git.objects.blobs[e.sha]),
		"isGenerated": false, "extension": path.Ext(name), "object": func(args) any { return x.objectOf(r, e, name) },
	}}
}

func (x *exec) objectOf(r *Repo, e entry, name string) any {
	switch e.kind() {
	case "tree":
		return x.tree(r, e.sha, name)
	case "blob":
		return x.blob(r, e.sha)
	}
	return nil // a submodule's commit lies elsewhere
}

func (x *exec) blob(r *Repo, sha string) any {
	content, found := r.git.objects.blobs[sha]
	if !found {
		return nil
	}
	binary := bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 || !utf8.Valid(content)
	text, cut := any(string(content)), len(content) > maxBlobText
	if binary {
		text, cut = nil, false
	} else if cut {
		text = strings.ToValidUTF8(string(content[:maxBlobText]), "")
	}
	return &vertex{"Blob", fields{
		"id": "B_" + sha, "oid": sha, "abbreviatedOid": sha[:7], "byteSize": len(content), "isBinary": binary, "isTruncated": cut, "text": text,
	}}
}

// gitObject finds what "commit:path", a branch or a name of an object means.
func (x *exec) gitObject(r *Repo, expression, oid string) any {
	ref, name, inside := strings.Cut(expression, ":")
	if expression == "" {
		ref = oid
	}
	c := r.git.resolve(ref)
	switch {
	case c == nil && !inside && r.git.objects.trees[ref] != nil:
		return x.tree(r, ref, "")
	case c == nil && !inside:
		return x.blob(r, ref)
	case c == nil:
		return nil
	case !inside:
		return x.commit(r, c.sha)
	}
	e, found := r.git.objects.lookup(c.tree, strings.Trim(name, "/"))
	if !found {
		return nil
	}
	return x.objectOf(r, e, name)
}

// node finds any object by its identifier.
func (x *exec) node(id string) any {
	found, in := x.c.world.repos.node(id)
	if found == nil || !x.c.token.sees(in) {
		return unknownNode(id)
	}
	switch found := found.(type) {
	case *Repo:
		return x.repository(found)
	case *Issue:
		return x.issue(found)
	case *Pull:
		return x.pull(found)
	case *Review:
		return x.review(found)
	case *thread:
		return x.thread(found)
	case *Comment:
		return x.anyComment(found)
	}
	return nil
}
