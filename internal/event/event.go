// Package event reads events of GitHub and finds the pull request or the escalation issue to
// look at. It decides nothing: the next steps follow from the state on GitHub.
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

// Trigger is the content of an event: the pull request or the escalation issue to look at
// again. Its state is read from GitHub, not from the event.
type Trigger struct {
	Event  string // such as "pull_request"
	Action string // such as "opened"; "" for schedule and workflow_dispatch

	// Number is the pull request, 0 if unknown. For an event of an issue it is only an
	// unauthenticated claim in the issue: enough to choose a place to look at, never to decide
	// it.
	Number int
	// Issue is the escalation issue of an event, 0 for none.
	Issue int

	// QueueHead and QueueBase are the ends of a merge group, QueueRef is the branch of its
	// queue.
	QueueHead, QueueBase, QueueRef string

	// Sweep: look at every open pull request and every open escalation.
	Sweep bool
}

// Ignored is the error for an event without work for debate.
type Ignored struct{ Why string }

func (i *Ignored) Error() string { return "nothing to do: " + i.Why }

func ignored(format string, args ...any) (Trigger, error) {
	return Trigger{}, &Ignored{Why: fmt.Sprintf(format, args...)}
}

// Read reads the payload of the event name for the repository owner/name; "" skips the
// comparison. It fails with *Ignored for an event without work. Dispatched is the pull request
// in an input of workflow_dispatch, 0 for none; a dispatch without one is a sweep. These
// events and activities have work:
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

// parse reads a payload into its go-github type, nil for an unknown event.
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

// mistyped is the error for a member with a type unknown to GitHub. It is nil for custom
// properties: GitHub sends a list for several values, go-github expects a string. The rest of
// the event is read all the same.
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
	case !strings.Contains(strings.ToLower(body), "/debate"): // the same cheap check as in the workflow; the grammar decides later
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
		// Our edits are of this kind; the sweep sees those of other bots.
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

// checkOf finds the pull request in the external id of our check run.
var checkOf = lazyregexp.New(`^pr-([1-9][0-9]{0,9})/`)

// readCheck reads a person's click on the rerun button of our check. GitHub sends this event
// only to the App of the check run.
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

// onEscalation is the trigger of an escalation issue, known by one of its labels, by a label
// just removed, or by the marker in its text. Each can be forged; a later check against GitHub
// confirms the issue.
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

// isBot knows a bot by its type, or by the login suffix reserved for apps.
func isBot(u *github.User) bool {
	return u.GetType() == "Bot" || strings.HasSuffix(u.GetLogin(), "[bot]")
}

var sha = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// IsCommit reports whether a text is the full id of a commit.
func IsCommit(s string) bool { return sha().MatchString(s) }

// IsNumber reports whether a number can be a pull request or an issue.
func IsNumber(n int) bool { return n > 0 && n < maxNumber }
