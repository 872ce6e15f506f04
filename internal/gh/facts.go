package gh

import (
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// Account is who did something. A deleted account has the login "ghost".
type Account struct {
	Login string
	Bot   bool // an app or a bot, by its type and not by its name
}

// Repository is where a pull request lives.
type Repository struct {
	ID          int64
	Owner, Name string
	OwnerIsUser bool // it belongs to a user account and not to an organisation
	URL         string
}

// PullState is where a pull request is in its life.
type PullState string

// The states of a pull request.
const (
	Open   PullState = "open"
	Closed PullState = "closed"
	Merged PullState = "merged"
)

// Pull is a pull request with everything that was said on it.
type Pull struct {
	Repository Repository
	Viewer     string // login of whose token read it
	Number     int
	URL        string
	Title      string
	Body       string
	State      PullState
	Draft      bool
	Fork       bool // its head is of another repository
	Author     Account
	EndedBy    Account // who merged or closed it
	BaseRef    string
	BaseSHA    string // tip of the base branch: settings and policy come from here
	BaseThen   string // its tip when the head was pushed; of a merged one, before the change was in it
	DefaultSHA string // tip of the default branch, "" if there is none
	Settings   string // names the bytes of the settings at both tips, for comparison alone
	HeadSHA    string
	HeadDate   time.Time // of the commit at the head, as its author has it
	Labels     []string
	CreatedAt  time.Time
	Siblings   []int    // other open pull requests with the same head
	Linked     []Linked // issues that it is to close, the first three

	Comments []Comment // in the order of creation
	Reviews  []Review
	Threads  []Thread
	Commits  []Commit // that the base does not have, oldest first

	// Truncated names the lists of which only the first part was read.
	Truncated []string
}

// Commit is a commit with those who made it.
type Commit struct {
	SHA    string
	By     []Account // its authors and its committer; one without a login is not known to GitHub
	Signed bool      // GitHub signed that they did
}

// Linked is an issue of the same repository that a pull request is to close.
type Linked struct {
	Number      int
	Title, Body string
	Edits       []Edit // the last ones of its text and of its title
}

// Edit is that somebody wrote something anew.
type Edit struct {
	By Account
	At time.Time
}

// Comment is a comment of a conversation, of a review thread or of an issue.
type Comment struct {
	ID        int64
	Node      string // its name in GraphQL, for Glance
	URL       string
	Author    Account
	Mine      bool // the token that reads wrote it
	Body      string
	CreatedAt time.Time
	Edited    bool    // after it was created, by anybody
	EditedBy  Account // who edited it last
	EditedAt  time.Time
	Minimized bool // hidden by a person

	// What the token that reads reacted with.
	Eyes, ThumbsUp, Confused bool
}

// Review is a submitted review of a pull request, without its inline comments.
type Review struct {
	ID          int64
	Author      Account
	Mine        bool
	State       ReviewState
	Body        string
	SubmittedAt time.Time
	HeadSHA     string // the commit that was reviewed
}

// ReviewState is what a review says.
type ReviewState string

// The states of a review.
const (
	Approved         ReviewState = "APPROVED"
	ChangesRequested ReviewState = "CHANGES_REQUESTED"
	Commented        ReviewState = "COMMENTED"
)

// Thread is a thread of inline comments; the first comment opened it.
type Thread struct {
	ID        string // for GraphQL
	Path      string
	Side      debate.Side
	StartLine int // 0 for a thread on one line
	Line      int // at the current head; 0 where the lines are gone
	Resolved  bool
	Comments  []Comment
}

// Issue is an issue with what happened to it.
type Issue struct {
	Number    int
	URL       string
	Title     string
	Body      string
	Author    Account
	Mine      bool // the token that reads opened it
	Edited    bool // its body, after it was created
	EditedBy  Account
	EditedAt  time.Time
	Renamed   bool // given another title, by anybody
	RenamedBy Account
	RenamedAt time.Time
	OwnTitle  string // the last that its author gave it, "" where it was renamed too often to say
	Open      bool
	Labels    []string
	CreatedAt time.Time
	Comments  []Comment
	Events    []IssueEvent // in the order in which they happened
}

// IssueEvent is the closing or the reopening of an issue.
type IssueEvent struct {
	Kind   IssueEventKind
	By     Account
	At     time.Time
	Reason CloseReason // of a closing
	// ByCode: a commit or the merge of a pull request closed it, nobody who read it.
	ByCode bool
}

// IssueEventKind is what happened to an issue.
type IssueEventKind string

// The kinds of events.
const (
	IssueClosed   IssueEventKind = "closed"
	IssueReopened IssueEventKind = "reopened"
)

// CloseReason is why an issue was closed.
type CloseReason string

// The reasons, spelt as the REST API spells them.
const (
	Completed  CloseReason = "completed"
	NotPlanned CloseReason = "not_planned"
	Duplicate  CloseReason = "duplicate"
)

// Glance is the little that is looked at again while a debate runs.
type Glance struct {
	State    PullState
	HeadSHA  string
	BaseRef  string
	BaseSHA  string // as in Pull
	Settings string // likewise
	Siblings []int
	Comments []Comment   // the newest ones, in the order of creation
	Watched  *Comment    // the comment that was asked for, nil if it is gone
	Checks   *SeenChecks // as they were asked for, nil where GraphQL does not tell all of it
}

// NewReview is a review to be posted. Its event is always COMMENT: it neither
// approves nor requests anything.
type NewReview struct {
	HeadSHA  string
	Body     string
	Comments []NewInline
	Marker   string // stands in Body; a review of ours that holds it is this one
}

// NewInline is one inline comment of a new review.
type NewInline struct {
	Path      string
	Side      debate.Side
	StartLine int // 0 or Line: on one line
	Line      int
	Body      string
}

// NewIssue is an issue to be opened.
type NewIssue struct {
	Title  string
	Body   string
	Labels []string
	Marker string // stands in Body; an issue of ours that holds it is this one
}

// IssueChange is what is to change of an issue; nil leaves a field as it is.
type IssueChange struct {
	Title  *string
	Body   *string
	Labels []string // nil: as they are
	Open   *bool
	Reason CloseReason // of a closing
}

// Reaction is a reaction to a comment.
type Reaction string

// The reactions that are used, spelt as the REST API spells them.
const (
	Eyes     Reaction = "eyes"
	ThumbsUp Reaction = "+1"
	Confused Reaction = "confused"
)

// Check is the check run of a head.
type Check struct {
	Name        string
	HeadSHA     string
	DetailsURL  string
	ExternalID  string
	Conclusion  debate.Conclusion // "" while it is in progress
	Title       string
	Summary     string // Markdown
	Annotations []Annotation
}

// CheckRun is a check run as GitHub has it.
type CheckRun struct {
	ID         int64
	Name       string
	Done       bool
	Conclusion string
	Title      string
	Summary    string
	ExternalID string
	StartedAt  time.Time
	App        int64 // that made it
	Mine       bool  // the same app made it that this token belongs to
}

// ChecksAt names what a glance shall read along of the check runs of a head.
type ChecksAt struct {
	Head   string
	Name   string
	App    int64 // whose runs of that name are read, all of them
	Failed bool  // look whether another run failed, too
}

// SeenChecks are check runs as a glance read them along.
type SeenChecks struct {
	Runs   []CheckRun // of the name and the app, the oldest first
	Failed bool       // a run of another name failed, if that was asked
}

// Annotation marks lines of a file in a check run.
type Annotation struct {
	Path               string
	StartLine, EndLine int
	Level              string // notice, warning or failure
	Title              string
	Message            string
}

// StatusState is the state of a commit status.
type StatusState string

// The states of a commit status.
const (
	StatusPending StatusState = "pending"
	StatusSuccess StatusState = "success"
	StatusFailure StatusState = "failure"
	StatusError   StatusState = "error"
)

// Status is a commit status, the fallback where check runs cannot be written.
type Status struct {
	HeadSHA     string
	Context     string
	State       StatusState
	Description string // at most 140 characters
	TargetURL   string
}
