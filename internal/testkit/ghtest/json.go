package ghtest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object.
type object = map[string]any

func itoa(n int) string { return strconv.Itoa(n) }

// stamp is a time as the API writes it; null for none.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

// orNil is null for an empty text.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// orNull is null for 0.
func orNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// nodeID is the identifier for GraphQL.
func nodeID(kind string, id int64) string {
	return kind + "_" + base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(id, 10)))
}

func (r *Repo) json() object {
	at := r.address()
	api, html := at.api(), at.html()
	visibility := "public"
	if r.access.private {
		visibility = "private"
	}
	open := 0
	for _, i := range r.items.list {
		if i.standing.isOpen() {
			open++
		}
	}
	return object{
		"id": r.ID, "node_id": nodeID("R", r.ID), "name": r.Name, "full_name": r.full(), "private": r.access.private,
		"owner": at.site.user(r.access.owner), "html_url": html, "description": nil, "fork": r.parent != nil, "url": api, "forks_url": api + "/forks",
		"keys_url": api + "/keys{/key_id}", "collaborators_url": api + "/collaborators{/collaborator}", "teams_url": api + "/teams",
		"hooks_url": api + "/hooks", "issue_events_url": api + "/issues/events{/number}", "events_url": api + "/events",
		"assignees_url": api + "/assignees{/user}", "branches_url": api + "/branches{/branch}", "tags_url": api + "/tags",
		"blobs_url": api + "/git/blobs{/sha}", "git_tags_url": api + "/git/tags{/sha}", "git_refs_url": api + "/git/refs{/sha}",
		"trees_url": api + "/git/trees{/sha}", "statuses_url": api + "/statuses/{sha}", "languages_url": api + "/languages",
		"stargazers_url": api + "/stargazers", "contributors_url": api + "/contributors", "subscribers_url": api + "/subscribers",
		"subscription_url": api + "/subscription", "commits_url": api + "/commits{/sha}", "git_commits_url": api + "/git/commits{/sha}",
		"comments_url": api + "/comments{/number}", "issue_comment_url": api + "/issues/comments{/number}",
		"contents_url": api + "/contents/{+path}", "compare_url": api + "/compare/{base}...{head}", "merges_url": api + "/merges",
		"archive_url": api + "/{archive_format}{/ref}", "downloads_url": api + "/downloads", "issues_url": api + "/issues{/number}",
		"pulls_url": api + "/pulls{/number}", "milestones_url": api + "/milestones{/number}",
		"notifications_url": api + "/notifications{?since,all,participating}", "labels_url": api + "/labels{/name}",
		"releases_url": api + "/releases{/id}", "deployments_url": api + "/deployments", "created_at": stamp(r.created),
		"updated_at": stamp(r.created), "pushed_at": stamp(r.created), "git_url": "git:" + strings.TrimPrefix(html, "http:") + ".git",
		"ssh_url": "git@example.com:" + r.full() + ".git", "clone_url": html + ".git", "svn_url": html, "homepage": nil, "size": 1,
		"stargazers_count": 0, "watchers_count": 0, "language": "Go", "has_issues": !r.noIssues, "has_projects": true,
		"has_downloads": true, "has_wiki": true, "has_pages": false, "has_discussions": false, "forks_count": 0, "mirror_url": nil,
		"archived": false, "disabled": false, "open_issues_count": open, "license": nil, "allow_forking": true, "is_template": false,
		"web_commit_signoff_required": false, "topics": []string{}, "visibility": visibility, "forks": 0, "open_issues": open,
		"watchers": 0, "default_branch": r.git.trunk,
	}
}

func (i *Issue) api() string { return i.Repo.address().api() + "/issues/" + itoa(i.Number) }

func (i *Issue) html() string {
	if i.pull != nil {
		return i.Repo.address().html() + "/pull/" + itoa(i.Number)
	}
	return i.Repo.address().html() + "/issues/" + itoa(i.Number)
}

func (i *Issue) json() object {
	at := i.Repo.address()
	o := object{
		"url": i.api(), "repository_url": at.api(), "labels_url": i.api() + "/labels{/name}", "comments_url": i.api() + "/comments",
		"events_url": i.api() + "/events", "html_url": i.html(), "id": i.id, "node_id": nodeID("I", i.id), "number": i.Number,
		"title": i.title, "user": at.site.user(i.author), "labels": at.labels(i.labels.list), "state": i.standing.state(),
		"locked": i.talk.locked, "assignee": nil, "assignees": []any{}, "milestone": nil, "comments": len(i.talk.comments), "created_at": stamp(i.history.created),
		"updated_at": stamp(i.history.updated), "closed_at": stamp(i.standing.closedAt()), "author_association": i.Repo.access.association(i.author),
		"active_lock_reason": nil, "body": orNil(i.body.text), "closed_by": at.site.user(i.standing.closedBy()),
		"reactions": reactions(nil).json(i.api()), "timeline_url": i.api() + "/timeline", "performed_via_github_app": nil,
		"state_reason": orNil(i.standing.reason),
	}
	if p := i.pull; p != nil {
		o["node_id"], o["draft"] = nodeID("PR", p.pullID), p.draft
		o["pull_request"] = object{
			"url": p.api(), "html_url": i.html(), "diff_url": i.html() + ".diff", "patch_url": i.html() + ".patch", "merged_at": stamp(p.merge.at),
		}
	}
	return o
}

func (c *Comment) api() string {
	id := strconv.FormatInt(c.ID, 10)
	if c.inline != nil {
		return c.issue.Repo.address().api() + "/pulls/comments/" + id
	}
	return c.issue.Repo.address().api() + "/issues/comments/" + id
}

func (c *Comment) html() string {
	if c.inline != nil {
		return fmt.Sprintf("%s#discussion_r%d", c.issue.html(), c.ID)
	}
	return fmt.Sprintf("%s#issuecomment-%d", c.issue.html(), c.ID)
}

func (c *Comment) json() object {
	r := c.issue.Repo
	return object{
		"url": c.api(), "html_url": c.html(), "issue_url": c.issue.api(), "id": c.ID, "node_id": nodeID("IC", c.ID),
		"user": r.world.site.user(c.author), "created_at": stamp(c.created), "updated_at": stamp(c.updated), "body": c.body.text,
		"author_association": r.access.association(c.author), "reactions": c.reactions.json(c.api()), "performed_via_github_app": nil,
	}
}

func (p *Pull) api() string { return p.Repo.address().api() + "/pulls/" + itoa(p.Number) }

// simpleJSON is the pull request as lists show it.
func (p *Pull) simpleJSON() object {
	link := func(of string) object { return object{"href": of} }
	at, api := p.Repo.address(), p.api()
	return object{
		"url": api, "id": p.pullID, "node_id": nodeID("PR", p.pullID), "html_url": p.html(), "diff_url": p.html() + ".diff",
		"patch_url": p.html() + ".patch", "issue_url": p.Issue.api(), "number": p.Number, "state": p.standing.state(), "locked": p.talk.locked,
		"title": p.title, "user": at.site.user(p.author), "body": orNil(p.body.text), "created_at": stamp(p.history.created),
		"updated_at": stamp(p.history.updated), "closed_at": stamp(p.standing.closedAt()), "merged_at": stamp(p.merge.at),
		"merge_commit_sha": orNil(p.merge.commit), "assignee": nil, "assignees": []any{}, "requested_reviewers": at.site.users(p.awaited),
		"requested_teams": []any{}, "labels": at.labels(p.labels.list), "milestone": nil, "draft": p.draft,
		"commits_url": api + "/commits", "review_comments_url": api + "/comments",
		"review_comment_url": at.api() + "/pulls/comments{/number}", "comments_url": p.Issue.api() + "/comments",
		"statuses_url": at.api() + "/statuses/" + p.ends.head.sha, "head": p.ends.head.json(),
		"base": p.ends.base.json(),
		"_links": object{
			"self": link(api), "html": link(p.html()), "issue": link(p.Issue.api()), "comments": link(p.Issue.api() + "/comments"),
			"review_comments": link(api + "/comments"), "review_comment": link(at.api() + "/pulls/comments{/number}"),
			"commits": link(api + "/commits"), "statuses": link(at.api() + "/statuses/" + p.ends.head.sha),
		},
		"author_association": p.Repo.access.association(p.author), "auto_merge": nil, "active_lock_reason": nil,
	}
}

// json is the pull request as its own address shows it.
func (p *Pull) json() object {
	o := p.simpleJSON()
	files := p.ends.changes()
	added, deleted := 0, 0
	for _, f := range files {
		added, deleted = added+f.added, deleted+f.deleted
	}
	maps.Copy(o, object{
		"merged": p.merge.isDone(), "mergeable": true, "rebaseable": true, "mergeable_state": "clean", "merged_by": p.Repo.world.site.user(p.merge.by),
		"comments": len(p.talk.comments), "review_comments": len(p.discussion.comments), "maintainer_can_modify": false,
		"commits":   len(p.ends.commits()),
		"additions": added, "deletions": deleted, "changed_files": len(files),
	})
	return o
}

func (r *Review) html() string { return fmt.Sprintf("%s#pullrequestreview-%d", r.pull.html(), r.ID) }

func (r *Review) json() object {
	p := r.pull
	return object{
		"id": r.ID, "node_id": nodeID("PRR", r.ID), "user": p.Repo.world.site.user(r.author), "body": r.body.text, "state": r.state,
		"html_url": r.html(), "pull_request_url": p.api(), "author_association": p.Repo.access.association(r.author),
		"_links":       object{"html": object{"href": r.html()}, "pull_request": object{"href": p.api()}},
		"submitted_at": stamp(r.at), "commit_id": r.commit,
	}
}

// inlineJSON is a comment on lines. The line is null where the lines are gone.
func (c *Comment) inlineJSON() object {
	in, p := c.inline, c.issue.pull
	line, start := p.ends.locate(in)
	o := object{
		"url": c.api(), "pull_request_review_id": in.review.ID, "id": c.ID, "node_id": nodeID("PRRC", c.ID), "diff_hunk": in.hunk,
		"path": in.path, "commit_id": p.ends.head.sha, "original_commit_id": in.commit, "user": p.Repo.world.site.user(c.author),
		"body": c.body.text, "created_at": stamp(c.created), "updated_at": stamp(c.updated), "html_url": c.html(),
		"pull_request_url": p.api(), "author_association": p.Repo.access.association(c.author),
		"_links": object{
			"self": object{"href": c.api()}, "html": object{"href": c.html()}, "pull_request": object{"href": p.api()},
		},
		"reactions": c.reactions.json(c.api()), "start_line": orNull(start), "original_start_line": orNull(in.start),
		"start_side": orNil(in.startSide), "line": orNull(line), "original_line": orNull(in.line), "side": in.side,
		"original_position": 1, "position": nil, "subject_type": "line",
	}
	if in.wholeFile {
		o["subject_type"] = "file"
	}
	if line != 0 {
		o["position"] = 1
	}
	if in.replyTo != 0 {
		o["in_reply_to_id"] = in.replyTo
	}
	return o
}
