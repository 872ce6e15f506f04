package ghtest

import (
	"encoding/json"
	"maps"
)

// Happening is what an event tells of. What the event's kind does not know is left
// out of it.
type Happening struct {
	Sender  string // "" is the author of what it is about
	Pull    *Pull
	Issue   *Issue
	Comment *Comment // of a conversation, or on lines
	Review  *Review
	Label   string

	Before, After        string // of synchronize
	BaseBefore           string // the branch before an edit changed the base
	BodyBefore           string // of what was edited
	QueueHead, QueueBase string // of merge_group
	QueueRef             string // "" is made of the pull request's number
	Inputs               map[string]string
	Schedule             string
}

// Event is the payload of a webhook or of a workflow's event file: kind is e.g.
// pull_request, action e.g. opened ("" for those that have none).
func (r *Repo) Event(kind, action string, h Happening) []byte {
	defer r.lock()()
	o := object{"repository": r.json()}
	if action != "" {
		o["action"] = action
	}
	if r.owner.kind == "Organization" {
		o["organization"] = r.organizationJSON()
	}
	sender := r.owner
	switch kind {
	case "pull_request", "pull_request_target":
		sender = h.Pull.author
		maps.Copy(o, h.Pull.eventJSON(action, h))
	case "issue_comment":
		sender = h.Comment.author
		o["issue"], o["comment"] = h.Comment.issue.json(), h.Comment.json()
	case "pull_request_review":
		sender = h.Review.author
		review := h.Review.json()
		review["state"] = lowerState(h.Review.state) // unlike in the API
		o["review"], o["pull_request"] = review, h.Review.pull.simpleJSON()
	case "pull_request_review_comment":
		sender = h.Comment.author
		o["comment"], o["pull_request"] = h.Comment.inlineJSON(), h.Comment.issue.pull.simpleJSON()
	case "issues":
		sender = h.Issue.author
		o["issue"] = h.Issue.json()
	case "merge_group":
		o["merge_group"] = r.queueJSON(h)
	case "schedule":
		delete(o, "action")
		o = object{"schedule": h.Schedule, "repository": o["repository"]}
	case "workflow_dispatch":
		delete(o, "action")
		o["inputs"], o["ref"], o["workflow"] = h.Inputs, "refs/heads/"+r.defaultBranch, ".github/workflows/debate.yml"
	default:
		r.s.failf("no event %q", kind)
	}
	if h.Label != "" && (action == "labeled" || action == "unlabeled") {
		o["label"] = r.labelJSON(r.label(h.Label, "ededed"))
	}
	if action == "edited" {
		o["changes"] = changes(h)
	}
	if h.Sender != "" {
		sender = r.s.user(h.Sender)
	}
	if kind != "schedule" {
		o["sender"] = r.s.userJSON(sender)
	}
	payload, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		r.s.failf("write an event: %v", err)
	}
	r.s.wire.event(kind, action, payload)
	return payload
}

func (r *Repo) organizationJSON() object {
	api := r.s.URL + "/orgs/" + r.Owner
	return object{
		"login": r.Owner, "id": r.owner.id, "node_id": nodeID("O", r.owner.id), "url": api, "description": nil, "avatar_url": r.s.URL + "/avatars/1",
		"repos_url": api + "/repos", "events_url": api + "/events", "hooks_url": api + "/hooks", "issues_url": api + "/issues",
		"members_url": api + "/members{/member}", "public_members_url": api + "/public_members{/member}",
	}
}

func (p *Pull) eventJSON(action string, h Happening) object {
	o := object{"number": p.Number, "pull_request": p.json()}
	if action == "synchronize" {
		o["before"], o["after"] = h.Before, p.headSHA
		if h.After != "" {
			o["after"] = h.After
		}
	}
	return o
}

func changes(h Happening) object {
	o := object{}
	if h.BodyBefore != "" {
		o["body"] = object{"from": h.BodyBefore}
	}
	if h.BaseBefore != "" {
		o["base"] = object{"ref": object{"from": h.BaseBefore}, "sha": object{"from": h.Before}}
	}
	return o
}

func (r *Repo) queueJSON(h Happening) object {
	ref := h.QueueRef
	if ref == "" && h.Pull != nil {
		ref = "refs/heads/gh-readonly-queue/" + h.Pull.baseRef + "/pr-" + itoa(h.Pull.Number) + "-" + h.QueueBase
	}
	base := r.defaultBranch
	if h.Pull != nil {
		base = h.Pull.baseRef
	}
	return object{
		"head_sha": h.QueueHead, "head_ref": ref, "base_sha": h.QueueBase, "base_ref": "refs/heads/" + base,
		"head_commit": r.headCommitJSON(h.QueueHead),
	}
}

func (r *Repo) headCommitJSON(sha string) any {
	c := r.objects.commits[sha]
	if c == nil {
		return nil
	}
	who := object{"name": c.author.login, "email": c.author.login + "@example.com"}
	return object{"id": sha, "tree_id": c.tree, "message": c.message, "timestamp": stamp(c.at), "author": who, "committer": who}
}

func lowerState(state string) string {
	switch state {
	case "APPROVED":
		return "approved"
	case "CHANGES_REQUESTED":
		return "changes_requested"
	case "DISMISSED":
		return "dismissed"
	}
	return "commented"
}
