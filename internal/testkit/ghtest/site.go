package ghtest

import (
	"cmp"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// site is where this GitHub is, without a slash at its end. REST writes addresses into
// all that it shows.
type site string

// user is an account as REST shows it; nobody is null.
func (s site) user(u *user) any {
	if u == nil {
		return nil
	}
	api := string(s) + "/users/" + url.PathEscape(u.login)
	kind := "U"
	if u.kind == "Bot" {
		kind = "BOT"
	}
	return object{
		"login": u.login, "id": u.id, "node_id": nodeID(kind, u.id), "avatar_url": string(s) + "/avatars/" + strconv.FormatInt(u.id, 10),
		"gravatar_id": "", "url": api, "html_url": string(s) + "/" + url.PathEscape(u.name()), "followers_url": api + "/followers",
		"following_url": api + "/following{/other_user}", "gists_url": api + "/gists{/gist_id}",
		"starred_url": api + "/starred{/owner}{/repo}", "subscriptions_url": api + "/subscriptions",
		"organizations_url": api + "/orgs", "repos_url": api + "/repos", "events_url": api + "/events{/privacy}",
		"received_events_url": api + "/received_events", "type": u.kind, "user_view_type": "public", "site_admin": false,
	}
}

func (s site) users(list []*user) []any {
	shown := make([]any, 0, len(list))
	for _, u := range list {
		shown = append(shown, s.user(u))
	}
	return shown
}

// organization is one as events show it.
func (s site) organization(u *user) object {
	api := string(s) + "/orgs/" + u.login
	return object{
		"login": u.login, "id": u.id, "node_id": nodeID("O", u.id), "url": api, "description": nil, "avatar_url": string(s) + "/avatars/1",
		"repos_url": api + "/repos", "events_url": api + "/events", "hooks_url": api + "/hooks", "issues_url": api + "/issues",
		"members_url": api + "/members{/member}", "public_members_url": api + "/public_members{/member}",
	}
}

func (s site) reaction(r reaction) object {
	return object{
		"id": r.id, "node_id": nodeID("REA", r.id), "user": s.user(r.by), "content": r.content, "created_at": stamp(r.at),
	}
}

// address is where a repository is, for what REST shows of what is in it.
type address struct {
	site site
	full string // owner/name
}

// address is where the repository is by the name that it has now.
func (r *Repo) address() address { return address{r.world.site, r.full()} }

// api is the address in REST.
func (a address) api() string { return string(a.site) + "/repos/" + a.full }

// html is the address for people.
func (a address) html() string { return string(a.site) + "/" + a.full }

func (a address) label(l *label) object {
	return object{
		"id": l.id, "node_id": nodeID("LA", l.id), "url": a.api() + "/labels/" + url.PathEscape(l.name), "name": l.name,
		"color": l.color, "default": l.name == "bug", "description": orNil(l.description),
	}
}

func (a address) labels(list []*label) []object {
	shown := make([]object, 0, len(list))
	for _, l := range list {
		shown = append(shown, a.label(l))
	}
	return shown
}

func (a address) event(e *event) object {
	o := object{
		"id": e.id, "node_id": nodeID("E", e.id), "url": a.api() + "/issues/events/" + itoa(int(e.id)),
		"actor": a.site.user(e.actor), "event": e.kind, "commit_id": orNil(e.commit), "commit_url": nil, "created_at": stamp(e.at),
		"performed_via_github_app": nil,
	}
	if e.commit != "" {
		o["commit_url"] = a.api() + "/commits/" + e.commit
	}
	if e.label != nil {
		o["label"] = object{"name": e.label.name, "color": e.label.color}
	}
	if e.kind == "closed" {
		o["state_reason"] = orNil(e.reason)
	}
	if e.kind == "renamed" {
		o["rename"] = object{"from": e.from, "to": e.to}
	}
	return o
}

// status is a status that an account gave.
func (a address) status(st *Status, by *user) object {
	return object{
		"url": a.api() + "/statuses/" + st.SHA, "avatar_url": string(a.site) + "/avatars/1", "id": st.ID, "node_id": nodeID("SC", st.ID),
		"state": st.State, "description": orNil(st.Description), "target_url": orNil(st.TargetURL), "context": st.Context,
		"created_at": stamp(st.At), "updated_at": stamp(st.At), "creator": a.site.user(by),
	}
}

// file is what differs in one file, at a commit or a branch.
func (a address) file(c change, ref string) object {
	name := (&url.URL{Path: c.path}).EscapedPath()
	o := object{
		"sha": c.sha, "filename": c.path, "status": c.status, "additions": c.added, "deletions": c.deleted, "changes": c.added + c.deleted,
		"blob_url": a.html() + "/blob/" + ref + "/" + name, "raw_url": a.html() + "/raw/" + ref + "/" + name,
		"contents_url": a.api() + "/contents/" + name + "?ref=" + ref,
	}
	if c.old != "" {
		o["previous_filename"] = c.old
	}
	if c.patch != "" && len(c.patch) <= maxPatch {
		o["patch"] = strings.TrimSuffix(c.patch, "\n")
	}
	return o
}

func (a address) commit(c *commit) object {
	who := object{"name": c.author.login, "email": c.author.login + "@example.com", "date": stamp(c.at)}
	parents := make([]object, 0, len(c.parents))
	for _, p := range c.parents {
		parents = append(parents, object{"sha": p, "url": a.api() + "/commits/" + p, "html_url": a.html() + "/commit/" + p})
	}
	return object{
		"sha": c.sha, "node_id": "C_" + c.sha, "url": a.api() + "/commits/" + c.sha, "html_url": a.html() + "/commit/" + c.sha,
		"comments_url": a.api() + "/commits/" + c.sha + "/comments", "author": a.site.user(c.author), "committer": a.site.user(c.author),
		"parents": parents,
		"commit": object{
			"author": who, "committer": who, "message": c.message, "tree": object{"sha": c.tree, "url": a.api() + "/git/trees/" + c.tree},
			"url": a.api() + "/git/commits/" + c.sha, "comment_count": 0,
			"verification": object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil},
		},
	}
}

// entry is an entry of a tree at a path; size is of a file.
func (a address) entry(e entry, size int, path string) object {
	mode := e.mode
	if mode == "40000" {
		mode = "040000"
	}
	o := object{"path": path, "mode": mode, "type": e.kind(), "sha": e.sha}
	switch e.kind() {
	case "blob":
		o["size"], o["url"] = size, a.api()+"/git/blobs/"+e.sha
	case "tree":
		o["url"] = a.api() + "/git/trees/" + e.sha
	}
	return o
}

// content is an entry of a tree as contents shows it, without what is in it.
func (a address) content(e entry, size int, name, ref string) object {
	escaped := (&url.URL{Path: name}).EscapedPath()
	kind := cmp.Or(map[string]string{"40000": "dir", "120000": "symlink", "160000": "submodule"}[e.mode], "file")
	api := a.api() + "/contents/" + escaped + "?ref=" + url.QueryEscape(ref)
	git, html := a.api()+"/git/blobs/"+e.sha, a.html()+"/blob/"+ref+"/"+escaped
	return object{
		"type": kind, "size": size, "name": path.Base(name), "path": name, "sha": e.sha, "url": api, "git_url": git, "html_url": html,
		"download_url": string(a.site) + "/raw/" + a.full + "/" + ref + "/" + escaped,
		"_links":       object{"self": api, "git": git, "html": html},
	}
}
