package ghtest

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// graph is what GitHub's graph shows to whoever asks.
type graph struct {
	c     *call
	nodes int // that the query may answer with
}

// maxBlobText is how much of a file the graph shows, in bytes.
const maxBlobText = 512_000

func (g *graph) query() *vertex {
	return &vertex{"Query", fields{
		"viewer": func(args) any {
			u := g.actor(g.c.token.user)
			f := fields{"name": nil, "__typename": "User"}
			maps.Copy(f, u.fields)
			f["login"] = g.c.token.user.login // with [bot], unlike elsewhere
			return &vertex{"User", f}
		},
		"rateLimit": func(args) any {
			t := g.c.token
			return &vertex{"RateLimit", fields{
				"cost": 1, "limit": t.limit, "nodeCount": g.nodes, "remaining": max(0, t.limit-t.used), "used": t.used,
				"resetAt": stamp(t.reset),
			}}
		},
		"repository": func(a args) any { return g.findRepository(a.text("owner"), a.text("name")) },
		"node":       func(a args) any { return g.node(a.text("id")) },
		"nodes": func(a args) any {
			var list []*vertex
			for _, id := range a.texts("ids") {
				v, _ := g.node(id).(*vertex)
				list = append(list, v)
			}
			return list
		},
	}}
}

func (g *graph) findRepository(owner, name string) any {
	r := g.c.world.repos.find(owner + "/" + name)
	if !g.c.token.sees(r) {
		return &graphError{"NOT_FOUND", "Could not resolve to a Repository with the name '" + owner + "/" + name + "'."}
	}
	return g.repository(r)
}

// allowed is what a field answers, or that the token may not see it.
func (g *graph) allowed(r *Repo, permission string, value func(args) any) func(args) any {
	return func(a args) any {
		if g.c.token.app != 0 && r.access.private && !g.c.token.may(read, permission) {
			return errGraphForbidden
		}
		return value(a)
	}
}

func (g *graph) repository(r *Repo) *vertex {
	visibility, admission := "PUBLIC", strings.ToUpper(string(r.access.role(g.c.token.user)))
	if r.access.private {
		visibility = "PRIVATE"
	}
	if admission == "NONE" {
		admission = "READ"
	}
	return &vertex{"Repository", fields{
		"id": nodeID("R", r.ID), "databaseId": databaseID(r.ID), "name": r.Name, "nameWithOwner": r.full(), "owner": g.actor(r.access.owner),
		"url": r.address().html(), "isPrivate": r.access.private, "isFork": r.parent != nil, "visibility": visibility, "hasIssuesEnabled": !r.noIssues,
		"isInOrganization": r.access.owner.kind == "Organization", "isArchived": false, "viewerPermission": admission,
		"defaultBranchRef": func(args) any { return g.ref(r, r.git.trunk) },
		"ref":              func(a args) any { return g.ref(r, strings.TrimPrefix(a.text("qualifiedName"), "refs/heads/")) },
		"object":           g.allowed(r, "contents", func(a args) any { return g.gitObject(r, a.text("expression"), a.text("oid")) }),
		"label": func(a args) any {
			if l := r.labels.find(a.text("name")); l != nil {
				return g.label(r, l)
			}
			return nil
		},
		"labels": func(a args) any { return g.labels(r, r.labels.list, a) },
		"pullRequest": g.allowed(r, "pull-requests", func(a args) any {
			if p := r.items.pull(a.int("number")); p != nil {
				return g.pull(p)
			}
			return unresolved("PullRequest", a.int("number"))
		}),
		"issue": g.allowed(r, "issues", func(a args) any {
			if i := r.items.issue(a.int("number")); i != nil && !r.noIssues {
				return g.issue(i)
			}
			return unresolved("Issue", a.int("number"))
		}),
		"issueOrPullRequest": func(a args) any {
			if p := r.items.pull(a.int("number")); p != nil {
				return g.pull(p)
			}
			if i := r.items.issue(a.int("number")); i != nil {
				return g.issue(i)
			}
			return unresolved("issue or pull request", a.int("number"))
		},
		"pullRequests": g.allowed(r, "pull-requests", func(a args) any { return g.pulls(r, a) }),
		"issues":       g.allowed(r, "issues", func(a args) any { return g.issues(r, a) }),
		"mergeQueue":   g.allowed(r, "pull-requests", func(a args) any { return g.mergeQueue(r, cmp.Or(a.text("branch"), r.git.trunk)) }),
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

func (g *graph) pulls(r *Repo, a args) any {
	list := slices.DeleteFunc(byState(r.items.pulls(), a), func(p *Pull) bool {
		return !a.fits("baseRefName", p.ends.base.ref) || !a.fits("headRefName", p.ends.head.ref)
	})
	ordered(list, a, func(p *Pull, updated bool) time.Time { return issueTime(p.Issue, updated) })
	return connection("PullRequestConnection", a, vertices(list, g.pull), nil)
}

func (g *graph) issues(r *Repo, a args) any {
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
	for _, i := range visible(g.c, r.items.list) {
		labelled := len(labels) == 0 || slices.ContainsFunc(labels, i.labels.has)
		inState := len(states) == 0 || slices.Contains(states, strings.ToUpper(i.standing.state()))
		if i.pull != nil || !labelled || !inState || i.history.updated.Before(since) {
			continue
		}
		if creator := cmp.Or(filter.text("createdBy"), i.author.login); !strings.EqualFold(creator, i.author.login) && !strings.EqualFold(creator, i.author.name()) {
			continue
		}
		list = append(list, i)
	}
	ordered(list, a, issueTime)
	return connection("IssueConnection", a, vertices(list, g.issue), nil)
}

func (g *graph) mergeQueue(r *Repo, branch string) any {
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
					"id": nodeID("MQE", e.id), "position": at + 1, "state": "AWAITING_CHECKS", "baseCommit": g.commit(r, e.base),
					"headCommit": g.commit(r, e.head), "pullRequest": g.pull(e.pull),
				}})
			}
			return connection("MergeQueueEntryConnection", a, list, nil)
		},
	}}
}

// actor is an account; a deleted one is null.
func (g *graph) actor(u *user) *vertex {
	if u == nil || u.login == "ghost" {
		return nil
	}
	kind, prefix := u.kind, map[string]string{"User": "U", "Bot": "BOT", "Organization": "O"}[u.kind]
	return &vertex{kind, fields{
		"id": nodeID(prefix, u.id), "databaseId": databaseID(u.id), "login": u.name(), "name": u.name(),
		"avatarUrl": string(g.c.world.site) + "/avatars/" + itoa(int(u.id)), "resourcePath": "/" + u.name(), "url": string(g.c.world.site) + "/" + u.name(),
	}}
}

func (g *graph) label(r *Repo, l *label) *vertex {
	return &vertex{"Label", fields{
		"id": nodeID("LA", l.id), "name": l.name, "color": l.color, "description": orNil(l.description), "url": r.address().html() + "/labels/" + l.name,
	}}
}

func (g *graph) labels(r *Repo, list []*label, a args) any {
	return connection("LabelConnection", a, vertices(list, func(l *label) *vertex { return g.label(r, l) }), nil)
}

func (g *graph) ref(r *Repo, branch string) any {
	sha := r.git.branches[branch]
	if sha == "" {
		return nil
	}
	return &vertex{"Ref", fields{
		"id": nodeID("REF", r.ID), "name": branch, "prefix": "refs/heads/",
		"target": g.allowed(r, "contents", func(args) any { return g.commit(r, sha) }),
		"associatedPullRequests": func(a args) any {
			list := slices.DeleteFunc(r.items.with(sha), func(p *Pull) bool { return p.ends.head.ref != branch })
			return connection("PullRequestConnection", a, vertices(byState(list, a), g.pull), nil)
		},
	}}
}

func byState(list []*Pull, a args) []*Pull {
	return slices.DeleteFunc(list, func(p *Pull) bool { return !a.lets("states", p.state()) })
}

func (g *graph) commit(r *Repo, sha string) *vertex {
	c := r.git.objects.commits[sha]
	if c == nil {
		return nil
	}
	headline, _, _ := strings.Cut(c.message, "\n")
	made := c.made
	if made.authors == nil {
		made.authors = []*user{c.author}
	}
	made.committer = cmp.Or(made.committer, made.authors[0])
	return &vertex{"Commit", fields{
		"id": "C_" + sha, "oid": sha, "abbreviatedOid": sha[:7], "url": r.address().html() + "/commit/" + sha, "message": c.message,
		"messageHeadline": headline, "committedDate": stamp(c.at), "authoredDate": stamp(c.at),
		"file": g.allowed(r, "contents", func(a args) any {
			if e, ok := r.git.objects.lookup(c.tree, a.text("path")); ok {
				return g.entry(r, e, a.text("path"))
			}
			return nil
		}),
		"tree": func(args) any { return g.tree(r, c.tree, "") },
		"parents": func(a args) any {
			return connection("CommitConnection", a, vertices(c.parents, func(p string) *vertex { return g.commit(r, p) }), nil)
		},
		"associatedPullRequests": func(a args) any {
			return connection("PullRequestConnection", a, vertices(byState(r.items.with(sha), a), g.pull), nil)
		},
		"authors": func(a args) any {
			return connection("GitActorConnection", a, vertices(made.authors, g.gitActor), nil)
		},
		"committer": g.gitActor(made.committer), "signature": signature(made),
	}}
}

// gitActor is an account as a commit names it.
func (g *graph) gitActor(u *user) *vertex {
	f := fields{"name": u.name(), "email": u.login + "@example.com", "user": nil}
	if u.kind != "" {
		f["user"] = &vertex{"User", fields{"id": nodeID("U", u.id), "databaseId": databaseID(u.id), "login": u.login, "name": u.name(),
			"avatarUrl": string(g.c.world.site) + "/avatars/" + itoa(int(u.id)), "resourcePath": "/" + u.name(), "url": string(g.c.world.site) + "/" + u.name()}}
	}
	return &vertex{"GitActor", f}
}

// signature is null for commits of people. GitHub signs those that bots make with its API.
func signature(made maker) any {
	author := made.authors[0]
	if author.kind != "Bot" || made.committer != author {
		return nil
	}
	return &vertex{"GpgSignature", fields{"email": author.login + "@example.com", "isValid": true, "wasSignedByGitHub": true}}
}

func (g *graph) tree(r *Repo, sha, below string) *vertex {
	return &vertex{"Tree", fields{"id": "T_" + sha, "oid": sha, "abbreviatedOid": sha[:7], "entries": func(args) any {
		return vertices(r.git.objects.trees[sha], func(e entry) *vertex { return g.entry(r, e, path.Join(below, e.name)) })
	}}}
}

func (g *graph) entry(r *Repo, e entry, name string) *vertex {
	mode, _ := strconv.ParseInt(e.mode, 8, 64)
	return &vertex{"TreeEntry", fields{
		"name": path.Base(name), "path": name, "mode": mode, "oid": e.sha, "type": e.kind(), "size": len(r.git.objects.blobs[e.sha]),
		"isGenerated": false, "extension": path.Ext(name), "object": func(args) any { return g.objectOf(r, e, name) },
	}}
}

func (g *graph) objectOf(r *Repo, e entry, name string) any {
	switch e.kind() {
	case "tree":
		return g.tree(r, e.sha, name)
	case "blob":
		return g.blob(r, e.sha)
	}
	return nil // a submodule's commit lies elsewhere
}

func (g *graph) blob(r *Repo, sha string) any {
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
func (g *graph) gitObject(r *Repo, expression, oid string) any {
	ref, name, inside := strings.Cut(expression, ":")
	if expression == "" {
		ref = oid
	}
	c := r.git.resolve(ref)
	switch {
	case inside && c == nil:
		return nil
	case inside:
	case c != nil:
		return g.commit(r, c.sha)
	case r.git.objects.trees[ref] != nil:
		return g.tree(r, ref, "")
	default:
		return g.blob(r, ref)
	}
	e, found := r.git.objects.lookup(c.tree, strings.Trim(name, "/"))
	if !found {
		return nil
	}
	return g.objectOf(r, e, name)
}

// node finds any object by its identifier.
func (g *graph) node(id string) any {
	found, in := g.c.world.repos.node(id)
	if !g.c.token.sees(in) {
		return unknownNode(id)
	}
	switch found := found.(type) {
	case *Repo:
		return g.repository(found)
	case *Issue:
		return g.issue(found)
	case *Pull:
		return g.pull(found)
	case *Review:
		return g.review(found)
	case *thread:
		return g.thread(found)
	case *Comment:
		return g.anyComment(found)
	}
	return nil
}
