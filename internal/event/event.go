// Package event reads what happened on GitHub: which pull request, or which issue
// that asks for a decision, an event makes somebody look at. It decides nothing: what
// is to be done follows from what stands on GitHub.
package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// MaxBytes bounds an event. GitHub delivers no payload above 25 MB.
const MaxBytes = 25 << 20

// maxNumber bounds the numbers of pull requests and issues.
const maxNumber = 1 << 31

// The labels of escalation issues.
const (
	labelAwaiting = "awaiting_human"
	labelDecided  = "human_decided"
	labelNoDebate = "no-debate"
)

// Trigger is what an event says: which pull request, or which escalation issue,
// is to be looked at again. What is there is read from GitHub and not from here.
type Trigger struct {
	Event  string // the name of the event, such as "pull_request"
	Action string // its activity, such as "opened"; "" for schedule and workflow_dispatch

	// Number is the pull request. For an event of an issue it is only what the
	// issue claims, unauthenticated: enough to choose what to look at, never to
	// decide it. 0 where none is known.
	Number int
	// Issue is the escalation issue that an event is about, 0 for none.
	Issue int

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

// Read reads the payload of the event name, of the repository owner/name, which is not
// compared where it is "". It fails with *Ignored for one that asks for nothing.
// Dispatched is the pull request that a workflow_dispatch names by an input, 0 for none;
// a dispatch without one is a sweep. These are the events and activities that ask for
// something:
//
//	pull_request, pull_request_target   opened, reopened, synchronize, ready_for_review, converted_to_draft, closed,
//	                                    edited (of the base branch), labeled and unlabeled (no-debate)
//	issue_comment                       created, with /debate, on a pull request or an escalation issue
//	pull_request_review                 submitted as approval or request for changes; dismissed
//	pull_request_review_comment         created, with /debate, or a reply with "?" or "@"
//	issues                              closed, reopened, deleted, transferred, edited, unlabeled; of an escalation issue
//	merge_group                         checks_requested
//	check_run                           rerequested, of our check; for an App alone
//	schedule, workflow_dispatch         always
func Read(name string, data []byte, repository string, dispatched int) (Trigger, error) {
	if dispatched != 0 && name != "workflow_dispatch" {
		return Trigger{}, errors.New(`input "pull-request": only a workflow_dispatch takes it; the event names the pull request`)
	}
	t, err := read(name, data, repository)
	if err != nil {
		return Trigger{}, err
	}
	t.Event = name
	if name == "workflow_dispatch" {
		t.Number, t.Sweep = dispatched, dispatched == 0
	}
	return t, nil
}

// read chooses the reader of an event.
func read(name string, data []byte, repository string) (Trigger, error) {
	if name == "schedule" { // it has no payload of its own
		return Trigger{Sweep: true}, nil
	}
	event, err := parse(name, data)
	if err != nil {
		return Trigger{}, fmt.Errorf("read the event %s: %w", name, err)
	}
	if of, known := event.(interface{ GetRepo() *github.Repository }); known {
		if full := of.GetRepo().GetFullName(); full != "" && repository != "" && !strings.EqualFold(full, repository) {
			return Trigger{}, fmt.Errorf("the event is of repository %q and the job of %q", full, repository)
		}
	}
	switch e := event.(type) {
	case *github.PullRequestEvent:
		return readPull(e)
	case *github.IssueCommentEvent:
		return readIssueComment(e)
	case *github.PullRequestReviewEvent:
		return readReview(e)
	case *github.PullRequestReviewCommentEvent:
		return readReviewComment(e)
	case *github.IssuesEvent:
		return readIssue(e)
	case *github.MergeGroupEvent:
		return readQueue(e)
	case *github.CheckRunEvent:
		return readCheck(e)
	case *github.WorkflowDispatchEvent:
		return Trigger{}, nil
	}
	return ignored("the event %q is none that debate works on", name)
}

// parse reads a payload into go-github's type for it, nil for an event that it
// does not know.
func parse(name string, data []byte) (any, error) {
	if name == "pull_request_target" {
		name = "pull_request" // the payload is the same
	}
	event := github.EventForType(name)
	if event == nil {
		return nil, nil
	}
	err := json.Unmarshal(data, event)
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &other):
		return event, mistyped(other)
	case err != nil:
		return nil, fmt.Errorf("its payload is no JSON: %w", err)
	}
	return event, nil
}

// mistyped says that a payload has something of another type than GitHub sends, nil where
// GitHub does send it: a property of several values is a list, which go-github takes for a
// word. The rest of the event is read all the same.
func mistyped(e *json.UnmarshalTypeError) error {
	switch {
	case strings.Contains(e.Field, "custom_properties"):
		return nil
	case e.Field == "":
		return fmt.Errorf("its payload is no object but of type %s, which GitHub does not send", e.Value)
	}
	return fmt.Errorf("%s in its payload is of type %s, which GitHub does not send", e.Field, e.Value)
}

func readPull(e *github.PullRequestEvent) (Trigger, error) {
	switch e.GetAction() {
	case "opened", "reopened", "synchronize", "ready_for_review", "converted_to_draft", "closed":
	case "edited":
		if e.GetChanges().GetBase() == nil {
			return ignored("the title or the text of the pull request was edited, not its base branch")
		}
	case "labeled", "unlabeled":
		if e.GetLabel().GetName() != labelNoDebate {
			return ignored("the label is not %s", labelNoDebate)
		}
	default:
		return ignored("the activity %q of a pull request changes nothing for debate", e.GetAction())
	}
	return onPull(e.GetAction(), e.GetPullRequest().GetNumber())
}

func readIssueComment(e *github.IssueCommentEvent) (Trigger, error) {
	if why := meaningless(e.GetAction(), e.GetSender(), e.GetComment().GetUser(), e.GetComment().GetBody()); why != "" {
		return ignored("%s", why)
	}
	if e.GetIssue().GetPullRequestLinks() != nil {
		return onPull(e.GetAction(), e.GetIssue().GetNumber())
	}
	return onEscalation(e.GetAction(), e.GetIssue(), nil)
}

func readReviewComment(e *github.PullRequestReviewCommentEvent) (Trigger, error) {
	why := meaningless(e.GetAction(), e.GetSender(), e.GetComment().GetUser(), e.GetComment().GetBody())
	if why == noCommand && e.GetComment().GetInReplyTo() != 0 && strings.ContainsAny(e.GetComment().GetBody(), "?@") {
		why = "" // perhaps a question about a finding, or the name in the settings
	}
	if why != "" {
		return ignored("%s", why)
	}
	return onPull(e.GetAction(), e.GetPullRequest().GetNumber())
}

// noCommand is why most comments ask for nothing.
const noCommand = "the comment holds no command"

// meaningless says why a comment asks for nothing; "" if it may.
func meaningless(activity string, sender, author *github.User, body string) string {
	switch {
	case activity != "created":
		return "a comment counts when it is created, not when it is edited or deleted"
	case isBot(author), isBot(sender):
		return "the comment is of a bot" // so are ours
	case author.GetID() != sender.GetID():
		return "the comment's author did not send it"
	case !mentionsCommand(body):
		return noCommand
	}
	return ""
}

func readReview(e *github.PullRequestReviewEvent) (Trigger, error) {
	review := e.GetReview()
	switch e.GetAction() {
	case "dismissed":
	case "submitted":
		if strings.EqualFold(review.GetState(), "commented") { // its comments on lines come by themselves
			return ignored("the review neither approves nor requests changes")
		}
	default:
		return ignored("the activity %q of a review changes nothing for debate", e.GetAction())
	}
	if isBot(review.GetUser()) {
		return ignored("the review is of a bot")
	}
	return onPull(e.GetAction(), e.GetPullRequest().GetNumber())
}

func readIssue(e *github.IssuesEvent) (Trigger, error) {
	switch e.GetAction() {
	case "closed", "reopened", "deleted", "transferred":
	case "edited", "unlabeled":
		// Ours are such edits; those of another bot are seen by the sweep.
		if isBot(e.GetSender()) {
			return ignored("a bot changed the issue's text or labels")
		}
	default:
		return ignored("the activity %q of an issue changes nothing for debate", e.GetAction())
	}
	if e.GetIssue().GetPullRequestLinks() != nil {
		return ignored("the event is of a pull request")
	}
	return onEscalation(e.GetAction(), e.GetIssue(), e.GetLabel())
}

func readQueue(e *github.MergeGroupEvent) (Trigger, error) {
	if e.GetAction() != "checks_requested" {
		return ignored("the merge group is gone")
	}
	g := e.GetMergeGroup()
	if !IsCommit(g.GetHeadSHA()) || !IsCommit(g.GetBaseSHA()) {
		return Trigger{}, errors.New("the event of a merge group names no commits")
	}
	return Trigger{Action: e.GetAction(), QueueHead: g.GetHeadSHA(), QueueBase: g.GetBaseSHA(), QueueRef: g.GetBaseRef()}, nil
}

// checkOf is how our check run names the pull request that it is of.
var checkOf = lazyregexp.New(`^pr-([1-9][0-9]{0,9})/`)

// readCheck reads that a person asked for our check again, by a button on its page. That
// the run is ours is for GitHub to say: it tells an App of its own alone.
func readCheck(e *github.CheckRunEvent) (Trigger, error) {
	if e.GetAction() != "rerequested" {
		return ignored("the activity %q of a check run changes nothing for debate", e.GetAction())
	}
	of := checkOf().FindStringSubmatch(e.GetCheckRun().GetExternalID())
	if of == nil {
		return ignored("the check run is of no pull request")
	}
	number, _ := strconv.Atoi(of[1]) // ten digits
	return onPull(e.GetAction(), number)
}

func onPull(activity string, n int) (Trigger, error) {
	if !IsNumber(n) {
		return Trigger{}, fmt.Errorf("the event names no pull request: its number is %d", n)
	}
	return Trigger{Action: activity, Number: n}, nil
}

// onEscalation is the trigger of an escalation issue, known by one of its labels,
// by the one that was just taken off, or by the marker in its text. Any of them
// can be forged; that it is ours is checked against GitHub later.
func onEscalation(activity string, issue *github.Issue, removed *github.Label) (Trigger, error) {
	if issue == nil {
		issue = &github.Issue{}
	}
	mark, marked := comment.Marked(issue.GetBody(), comment.DecisionMark)
	labelled := slices.ContainsFunc(append(issue.Labels, removed), func(l *github.Label) bool {
		return slices.Contains([]string{labelAwaiting, labelDecided}, l.GetName())
	})
	if !marked && !labelled {
		return ignored("the issue is no decision of debate")
	}
	if n := issue.GetNumber(); !IsNumber(n) {
		return Trigger{}, fmt.Errorf("the event names no issue: its number is %d", n)
	}
	t := Trigger{Action: activity, Issue: issue.GetNumber()}
	if IsNumber(mark.PR) {
		t.Number = mark.PR
	}
	return t, nil
}

// isBot tells a bot by its type, or by the suffix that GitHub keeps for apps.
func isBot(u *github.User) bool {
	return u.GetType() == "Bot" || strings.HasSuffix(u.GetLogin(), "[bot]")
}

// mentionsCommand is the cheap look at a text before anything is read from GitHub, the same
// as in the workflow. Whether it holds a command is for its grammar to say.
func mentionsCommand(body string) bool {
	return strings.Contains(strings.ToLower(body), "/debate")
}

var sha = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// IsCommit reports whether a text is the full id of a commit.
func IsCommit(s string) bool { return sha().MatchString(s) }

// IsNumber reports whether a number can be that of a pull request or an issue.
func IsNumber(n int) bool { return n > 0 && n < maxNumber }
