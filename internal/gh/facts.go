package gh

import (
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// Account is a user, a bot or an App. A deleted account has the login "ghost".
type Account struct {
	Login string
	Bot   bool // by its type, not by its name
}

// Repository is the repository of a pull request.
type Repository struct {
	ID          int64
	Owner, Name string
	OwnerIsUser bool // not of an organization
	URL         string
}

// PullState is the state of a pull request.
type PullState string

// The states of a pull request.
const (
	Open   PullState = "open"
	Closed PullState = "closed"
	Merged PullState = "merged"
)

// Pull is a pull request with its comments, reviews, threads and commits.
type Pull struct {
	Repository Repository
	Number     int
	URL        string
	Title      string
	Body       string
	State      PullState
	Draft      bool
	Fork       bool // its head is of another repository
	Author     Account
	EndedBy    Account // the account that merged or closed it
	BaseRef    string
	BaseSHA    string // tip of the base branch: settings and policy come from here
	BaseThen   string // its tip when the head was pushed; of a merged one, before the change was in it
	DefaultSHA string // tip of the default branch, "" if there is none
	Settings   string // names the bytes of the settings at both tips, for comparison alone
	HeadSHA    string
	HeadRef    string    // the branch with this commit at its tip
	HeadRepo   string    // owner/name of the repository with that branch, "" if it is gone
	HeadDate   time.Time // of the commit at the head, as its author has it
	Labels     []string
	CreatedAt  time.Time
	Siblings   []int    // other open pull requests with the same head
	Linked     []Linked // the first three issues that it closes

	Comments []Comment // in the order of creation
	Reviews  []Review
	Threads  []Thread
	Commits  []Commit // commits missing in the base, oldest first

	// Truncated names the lists that were read only in part.
	Truncated []string
}

// Commit is a commit with its makers.
type Commit struct {
	SHA    string
	By     []Account // its authors and its committer; one without a login is not known to GitHub
	Signed bool      // GitHub's signature confirms them
}

// Linked is an issue of the same repository that a pull request closes.
type Linked struct {
	Number      int
	Title, Body string
	Edits       []Edit // the last ones of its text and of its title
}

// Edit is one rewrite of a text.
type Edit struct {
	By Account
	At time.Time
}

// Comment is a comment of a conversation, of a review thread or of an issue.
type Comment struct {
	ID        int64  `json:",string"`
	Node      string // its name in GraphQL, for Glance
	URL       string
	Author    Account
	Mine      bool // written by the reading token
	Body      string
	CreatedAt time.Time
	Edited    bool    // after it was created, by anybody
	EditedBy  Account // the last editor
	EditedAt  time.Time
	Minimized bool // hidden by a person

	// Reactions of the reading token.
	Eyes, ThumbsUp, Confused bool
}

// Review is a submitted review of a pull request, without its inline comments.
type Review struct {
	ID          int64 `json:",string"`
	Author      Account
	Mine        bool
	State       ReviewState
	Body        string
	SubmittedAt time.Time
	HeadSHA     string // the reviewed commit
}

// ReviewState is the outcome of a review.
type ReviewState string

// The states that decide something. Others are COMMENTED and DISMISSED.
const (
	Approved         ReviewState = "APPROVED"
	ChangesRequested ReviewState = "CHANGES_REQUESTED"
)

// Thread is a thread of inline comments; the first comment opened it.
type Thread struct {
	Path     string
	Resolved bool
	Comments []Comment
}

// Issue is an issue with its history.
type Issue struct {
	Number    int
	URL       string
	Title     string
	Body      string
	Author    Account
	Mine      bool    // opened by the reading token
	Edited    bool    // its body or its title, after it was created
	EditedBy  Account // the author, unless the body or the title is that of another account
	EditedAt  time.Time
	Open      bool
	Labels    []string
	CreatedAt time.Time
	Comments  []Comment
	Events    []IssueEvent // in order of time
}

// IssueEvent is the closing or the reopening of an issue.
type IssueEvent struct {
	Kind   IssueEventKind
	By     Account
	At     time.Time
	Reason CloseReason // of a closing
	// ByCode: a commit or a merged pull request closed it, not a person by hand.
	ByCode bool
}

// IssueEventKind is the kind of an event of an issue.
type IssueEventKind string

// The kinds of events.
const (
	IssueClosed   IssueEventKind = "closed"
	IssueReopened IssueEventKind = "reopened"
)

// CloseReason is why an issue was closed.
type CloseReason string

// The reasons, spelled as in the REST API.
const (
	Completed  CloseReason = "completed"
	NotPlanned CloseReason = "not_planned"
	Duplicate  CloseReason = "duplicate"
)

// Glance is the small part of a pull request that a running debate reads again.
type Glance struct {
	State    PullState
	HeadSHA  string
	BaseRef  string
	BaseSHA  string // as in Pull
	Settings string // likewise
	Siblings []int
	Comments []Comment // the newest ones, in the order of creation
	Watched  *Comment  // the requested comment, nil if it is gone
	Open     bool      // the requested issue is open
	Closed   bool      // the requested issue is closed
}

// NewReview is a new review. Its event is always COMMENT, so it neither approves nor
// requests changes.
type NewReview struct {
	HeadSHA  string
	Body     string
	Comments []NewInline
	Marker   string // part of Body; a review of ours with it is this one
}

// NewInline is one inline comment of a new review.
type NewInline struct {
	Path      string
	Side      debate.Side
	StartLine int // 0 or Line: on one line
	Line      int
	Body      string
}

// NewIssue is a new issue.
type NewIssue struct {
	Title  string
	Body   string
	Labels []string
	Marker string // part of Body; an issue of ours with it is this one
}

// IssueChange is a change of an issue; nil leaves a field as it is.
type IssueChange struct {
	Title  *string
	Body   *string
	Labels []string // nil: as they are
	Open   *bool
	Reason CloseReason // of a closing
}

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

// CheckRun is a check run on GitHub.
type CheckRun struct {
	ID         int64
	Name       string
	Done       bool
	Conclusion string
	Title      string
	Summary    string
	ExternalID string
	StartedAt  time.Time
	Notes      int  // number of annotations
	Mine       bool // made by the App of the reading token
}

// Annotation marks lines of a file in a check run.
type Annotation struct {
	Path               string
	StartLine, EndLine int
	Level              string // notice, warning or failure
	Title              string
	Message            string
}
