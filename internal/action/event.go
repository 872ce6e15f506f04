package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// maxEvent bounds the file of an event in bytes. GitHub delivers no payload
// above 25 MB.
const maxEvent = 25 << 20

// maxNumber bounds the numbers of pull requests and issues.
const maxNumber = 1 << 31

// The labels of escalation issues.
const (
	labelAwaiting = "awaiting_human"
	labelDecided  = "human_decided"
	labelNoDebate = "no-debate"
)

// Account is who caused an event. An event names its sender and the author of
// its comment; who started or restarted the run is nobody's authority (T16).
type Account struct {
	ID    int64
	Login string
	Bot   bool // by its type, or by the suffix that GitHub keeps for apps
}

// Trigger is what an event says: which pull request, or which escalation issue,
// is to be looked at again. What is there is read from GitHub and not from here;
// of the event's words only the body of a new comment counts, since that is what
// its author sent (T17).
type Trigger struct {
	Event  string // the name of the event, such as "pull_request"
	Action string // its activity, such as "opened"; "" for schedule and workflow_dispatch
	Sender Account

	// Number is the pull request. For an event of an issue it is only what the
	// issue claims, unauthenticated: enough to choose what to look at, never to
	// decide it. 0 where none is known.
	Number int
	// Issue is the escalation issue that an event is about, 0 for none.
	Issue int
	// HeadSHA and BaseSHA are those of the event; the current ones may differ.
	HeadSHA, BaseSHA string

	Comment     int64  // id of a comment that was created, 0 for none
	CommentBody string // as its author sent it
	Review      int64  // id of a review that was submitted or dismissed, 0 for none

	// QueueHead and QueueBase are the ends of a merge group, QueueRef the branch
	// whose queue it is of.
	QueueHead, QueueBase, QueueRef string

	// Sweep: look at every open pull request and every open escalation.
	Sweep bool
}

// Ignored is the error for an event that asks for nothing.
type Ignored struct{ Why string }

func (i *Ignored) Error() string { return "nothing to do: " + i.Why }

func ignored(format string, args ...any) (Trigger, error) {
	return Trigger{}, &Ignored{Why: fmt.Sprintf(format, args...)}
}

// Event reads the event that started the job. It fails with *Ignored for one
// that asks for nothing. Dispatched is the pull request that a workflow_dispatch
// names by an input, 0 for none; a dispatch without one is a sweep.
func (r *Runner) Event(dispatched int) (Trigger, error) {
	name := r.getenv("GITHUB_EVENT_NAME")
	path := r.getenv("GITHUB_EVENT_PATH")
	if name == "" || path == "" {
		return Trigger{}, errors.New("GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set: this is not a job of GitHub Actions")
	}
	f, err := os.Open(path)
	if err != nil {
		return Trigger{}, fmt.Errorf("open the event: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEvent+1))
	if err != nil {
		return Trigger{}, fmt.Errorf("read the event: %w", err)
	}
	if len(data) > maxEvent {
		return Trigger{}, fmt.Errorf("the event is larger than %d bytes", maxEvent)
	}
	return ReadEvent(name, data, r.getenv("GITHUB_REPOSITORY"), dispatched)
}

// ReadEvent reads the payload of the event name, of the repository owner/name.
// See Runner.Event. These are the events and activities that ask for something:
//
//	pull_request, pull_request_target   opened, reopened, synchronize, ready_for_review, converted_to_draft, closed,
//	                                    edited (of the base branch), labeled and unlabeled (no-debate)
//	issue_comment                       created, with /debate, on a pull request or an escalation issue
//	pull_request_review                 submitted as approval or request for changes, or with /debate; dismissed
//	pull_request_review_comment         created, with /debate
//	issues                              closed, reopened, deleted, transferred, edited, unlabeled; of an escalation issue
//	merge_group                         checks_requested
//	schedule, workflow_dispatch         always
func ReadEvent(name string, data []byte, repository string, dispatched int) (Trigger, error) {
	if dispatched != 0 && name != "workflow_dispatch" {
		return Trigger{}, errors.New(`input "pull-request": only a workflow_dispatch takes it; the event names the pull request`)
	}
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		return Trigger{}, fmt.Errorf("read the event %s: %w", name, err)
	}
	// schedule alone has no repository in its payload.
	if p.Repository.FullName != "" && repository != "" && !strings.EqualFold(p.Repository.FullName, repository) {
		return Trigger{}, fmt.Errorf("the event is of repository %q and the job of %q", p.Repository.FullName, repository)
	}
	read, known := readers[name]
	if !known {
		return ignored("the event %q is none that debate works on", name)
	}
	t, err := read(p)
	if err != nil {
		return Trigger{}, err
	}
	t.Event, t.Action, t.Sender = name, p.Action, p.Sender.account()
	if name == "workflow_dispatch" {
		t.Number, t.Sweep = dispatched, dispatched == 0
	}
	return t, nil
}

// readers is one reader for each event. It is a switch in the form of a table
// and never changes.
var readers = map[string]func(payload) (Trigger, error){
	"pull_request":                readPull,
	"pull_request_target":         readPull,
	"issue_comment":               readIssueComment,
	"pull_request_review":         readReview,
	"pull_request_review_comment": readReviewComment,
	"issues":                      readIssue,
	"merge_group":                 readQueue,
	"schedule":                    func(payload) (Trigger, error) { return Trigger{Sweep: true}, nil },
	"workflow_dispatch":           func(payload) (Trigger, error) { return Trigger{}, nil },
}

func readPull(p payload) (Trigger, error) {
	switch p.Action {
	case "opened", "reopened", "synchronize", "ready_for_review", "converted_to_draft", "closed":
	case "edited":
		if p.Changes.Base == nil {
			return ignored("the title or the text of the pull request was edited, not its base branch")
		}
	case "labeled", "unlabeled":
		if p.Label.Name != labelNoDebate {
			return ignored("the label is not %s", labelNoDebate)
		}
	default:
		return ignored("the activity %q of a pull request changes nothing for debate", p.Action)
	}
	return p.Pull.trigger()
}

func readIssueComment(p payload) (Trigger, error) {
	if why := p.Comment.meaningless(p); why != "" {
		return ignored("%s", why)
	}
	var t Trigger
	var err error
	if p.Issue.Pull != nil {
		t.Number, err = number("pull request", p.Issue.Number)
	} else {
		t, err = p.Issue.escalation(p.Label.Name)
	}
	t.Comment, t.CommentBody = p.Comment.ID, p.Comment.Body
	return t, err
}

func readReviewComment(p payload) (Trigger, error) {
	if why := p.Comment.meaningless(p); why != "" {
		return ignored("%s", why)
	}
	t, err := p.Pull.trigger()
	t.Comment, t.CommentBody = p.Comment.ID, p.Comment.Body
	return t, err
}

func readReview(p payload) (Trigger, error) {
	switch {
	case p.Action != "submitted" && p.Action != "dismissed":
		return ignored("the activity %q of a review changes nothing for debate", p.Action)
	case p.Review.ID <= 0:
		return Trigger{}, errors.New("the event names no review")
	case p.Review.User.account().Bot:
		return ignored("the review is of a bot")
	case p.Action == "submitted" && strings.EqualFold(p.Review.State, "commented") && !mentionsCommand(p.Review.Body):
		return ignored("the review neither approves nor requests changes")
	}
	t, err := p.Pull.trigger()
	t.Review = p.Review.ID
	return t, err
}

func readIssue(p payload) (Trigger, error) {
	switch p.Action {
	case "closed", "reopened", "deleted", "transferred":
	case "edited", "unlabeled":
		// Ours are such edits; those of another bot are seen by the sweep.
		if p.Sender.account().Bot {
			return ignored("a bot changed the issue's text or labels")
		}
	default:
		return ignored("the activity %q of an issue changes nothing for debate", p.Action)
	}
	if p.Issue.Pull != nil {
		return ignored("the event is of a pull request")
	}
	return p.Issue.escalation(p.Label.Name)
}

func readQueue(p payload) (Trigger, error) {
	if p.Action != "checks_requested" {
		return ignored("the merge group is gone")
	}
	g := p.Group
	if !isSHA(g.HeadSHA) || !isSHA(g.BaseSHA) {
		return Trigger{}, errors.New("the event of a merge group names no commits")
	}
	return Trigger{QueueHead: g.HeadSHA, QueueBase: g.BaseSHA, QueueRef: g.BaseRef}, nil
}

// mentionsCommand is the cheap look at a text before anything is read from
// GitHub. Whether it holds a command is for its grammar to say.
func mentionsCommand(body string) bool { return strings.Contains(strings.ToLower(body), "/debate") }

var sha = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

func isSHA(s string) bool { return sha.MatchString(s) }

func number(what string, n int64) (int, error) {
	if n <= 0 || n >= maxNumber {
		return 0, fmt.Errorf("the event names no %s: its number is %d", what, n)
	}
	return int(n), nil
}
