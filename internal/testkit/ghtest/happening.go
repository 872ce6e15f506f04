package ghtest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
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

// telling writes into an event what its kind tells of. It returns whose doing that is
// unless somebody else is named; nobody: the event names nobody.
type telling func(r *Repo, action string, h Happening, o object) *user

// tellings are the kinds of events that are known.
var tellings = map[string]telling{
	"pull_request":                tellPull,
	"pull_request_target":         tellPull,
	"pull_request_review":         tellReview,
	"pull_request_review_comment": tellReviewComment,
	"issues":                      tellIssue,
	"issue_comment":               tellComment,
	"merge_group":                 tellQueue,
	"schedule":                    tellSchedule,
	"workflow_dispatch":           tellDispatch,
}

// Event is the payload of a webhook or of a workflow's event file: kind is e.g.
// pull_request, action e.g. opened ("" for those that have none).
func (r *Repo) Event(kind, action string, h Happening) []byte {
	defer r.lock()()
	tell, known := tellings[kind]
	if !known {
		r.world.failf("no event %q", kind)
		return nil
	}
	o := object{"repository": r.json()}
	if action != "" {
		o["action"] = action
	}
	if r.access.owner.kind == "Organization" {
		o["organization"] = r.world.site.organization(r.access.owner)
	}
	sender := tell(r, action, h, o)
	if h.Label != "" && slices.Contains([]string{"labeled", "unlabeled"}, action) {
		o["label"] = r.address().label(r.labels.get(h.Label, plainColor))
	}
	if action == "edited" {
		o["changes"] = changes(h)
	}
	if sender != nil {
		o["sender"] = r.world.site.user(sender)
		if h.Sender != "" {
			o["sender"] = r.world.site.user(r.user(h.Sender))
		}
	}
	payload, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		r.world.failf("write an event: %v", err)
	}
	r.world.wire.event(kind, action, payload)
	return payload
}

func tellPull(_ *Repo, action string, h Happening, o object) *user {
	o["number"], o["pull_request"] = h.Pull.Number, h.Pull.json()
	if action == "synchronize" {
		o["before"], o["after"] = h.Before, cmp.Or(h.After, h.Pull.ends.head.sha)
	}
	return h.Pull.author
}

func tellReview(_ *Repo, _ string, h Happening, o object) *user {
	review := h.Review.json()
	review["state"] = strings.ToLower(h.Review.state) // unlike in the API
	o["review"], o["pull_request"] = review, h.Review.pull.simpleJSON()
	return h.Review.author
}

func tellReviewComment(_ *Repo, _ string, h Happening, o object) *user {
	o["comment"], o["pull_request"] = h.Comment.inlineJSON(), h.Comment.issue.pull.simpleJSON()
	return h.Comment.author
}

func tellIssue(_ *Repo, _ string, h Happening, o object) *user {
	o["issue"] = h.Issue.json()
	return h.Issue.author
}

func tellComment(_ *Repo, _ string, h Happening, o object) *user {
	o["issue"], o["comment"] = h.Comment.issue.json(), h.Comment.json()
	return h.Comment.author
}

func tellQueue(r *Repo, _ string, h Happening, o object) *user {
	ref, base := h.QueueRef, r.git.trunk
	if h.Pull != nil {
		base = h.Pull.ends.base.ref
		ref = cmp.Or(ref, "refs/heads/gh-readonly-queue/"+base+"/pr-"+itoa(h.Pull.Number)+"-"+h.QueueBase)
	}
	o["merge_group"] = object{
		"head_sha": h.QueueHead, "head_ref": ref, "base_sha": h.QueueBase, "base_ref": "refs/heads/" + base,
		"head_commit": r.git.objects.commits[h.QueueHead].brief(),
	}
	return r.access.owner
}

// tellSchedule leaves out who caused it and what was done: the clock did.
func tellSchedule(_ *Repo, _ string, h Happening, o object) *user {
	delete(o, "action")
	delete(o, "organization")
	o["schedule"] = h.Schedule
	return nil
}

func tellDispatch(r *Repo, _ string, h Happening, o object) *user {
	delete(o, "action")
	o["inputs"], o["ref"], o["workflow"] = h.Inputs, "refs/heads/"+r.git.trunk, ".github/workflows/debate.yml"
	return r.access.owner
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

// brief is a commit as merge queues show it; none is null.
func (c *commit) brief() any {
	if c == nil {
		return nil
	}
	who := object{"name": c.author.login, "email": c.author.login + "@example.com"}
	return object{"id": c.sha, "tree_id": c.tree, "message": c.message, "timestamp": stamp(c.at), "author": who, "committer": who}
}
