package pull

import (
	"context"
	"io"
	"time"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/report"
)

// Files reads files of the commit with the settings. A missing one is nil.
type Files func(ctx context.Context, paths []string) (map[string][]byte, error)

// Setup is made of the settings of the base branch for one pull request.
type Setup struct {
	Config config.Config
	Key    []byte // seals the state in the summary; nil: there is none
	// Clean removes the secrets of this process, and strings like secrets, from a text.
	Clean func(string) string
	// Review is complete except for its log, its source and its publisher.
	Review func() *engine.Review
	// Results are the results of other tools about a change (R147); nil: there are none.
	Results func(change patch.Change) ([]debate.Run, error)
	// First is the first event of a debate about a change: settings, notes, guidance and
	// advice, without the parts of the pull request.
	First func(ctx context.Context, change patch.Change, files Files) (debate.Received, error)
	// Inquire is the first event of a debate about a question on a change, and the lines
	// that it shows.
	Inquire func(ctx context.Context, question string, framing debate.Framing, change *gh.Snapshot) (debate.Received, engine.Frozen, error)
	// Tests prepares the tests that models write, on a change that may come from a fork;
	// nil: no test is run, and no note says so.
	Tests func(ctx context.Context, tree *gh.Tree, fork bool) (Tests, error)
	// Close closes open files.
	Close func()
}

// Tests are how the tests of parties are run.
type Tests struct {
	Runner TestRunner   // nil: none is run
	Told   debate.Tests // to the parties
	Note   string       // for readers, "" for none
}

// TestRunner runs tests until it is closed.
type TestRunner interface {
	engine.Tester
	io.Closer
}

func (s Setup) close() {
	if s.Close != nil {
		s.Close()
	}
}

// Log is the record of one session.
type Log interface {
	engine.Log
	// Last is the hash of the last entry, hex.
	Last() string
	Close() error
}

// Runner reviews the pull requests of one repository.
type Runner struct {
	Reader Reader // nil for a job without a token
	Writer Writer // nil for a job without writes
	// Configure merges the settings. Guard reads those of the default branch, nil if it
	// is the base: they keep the gate required if those of the base are weaker.
	Configure func(ctx context.Context, repo gh.Repository, files, guard Files) (Setup, error)
	// Record opens the record of a session and returns its place.
	Record func(session string) (Log, string, error)
	// Left finds the newest unfinished debate on a pull request, nil if there is none.
	// The field is nil if no record outlives a run.
	Left func(ctx context.Context, number int) (*Left, error)
	Now  func() time.Time
	// Say prints one line for people; it may be nil.
	Say func(format string, args ...any)
	// DetailsURL is the page of the run, "" if there is none.
	DetailsURL string

	facts *Facts // for or of another job: one of the two writes nothing, and believes the state in the summary without its key
}

func (r *Runner) say(format string, args ...any) {
	if r.Say != nil {
		r.Say(format, args...)
	}
}

// Result is the result of one run.
type Result struct {
	Number     int
	Head       string
	Done       string // the work of the run, in words
	Session    bool   // there is a session with a State
	State      debate.State
	Checkpoint Checkpoint
	Reviewed   bool // Checkpoint is about this head and by us
	Conclusion debate.Conclusion
	Why        string
	Record     string // path
	CommentURL string
	Checked    bool     // the check of the head says it, with its annotations
	Notes      []string // things not possible, for people
	Refused    error    // the error about an invalid token, nil if it is valid
	View       report.Pull

	unbooked cost
}

// Reader reads GitHub.
type Reader interface {
	Pull(ctx context.Context, number int) (gh.Pull, error)
	Glance(ctx context.Context, number int, watched string, issue int) (gh.Glance, error)
	Permission(ctx context.Context, login string) (debate.Permission, bool, error)
	Pushers(ctx context.Context, p gh.Pull) ([]gh.Account, error)
	Reviewers(ctx context.Context, number int) ([]gh.Account, error)
	Snapshot(ctx context.Context, base, head string, number int) (*gh.Snapshot, error)
	MergeBase(ctx context.Context, base, head string) (string, error)
	Files(ctx context.Context, sha string, paths []string) (map[string][]byte, error)
	Checks(ctx context.Context, sha, name string) ([]gh.CheckRun, error)
	FailedRuns(ctx context.Context, runs []gh.CheckRun, own string) ([]debate.Run, error)
	Issues(ctx context.Context, label string, since time.Time) ([]gh.Issue, error)
	Issue(ctx context.Context, number int) (gh.Issue, error)
	ChangedPulls(ctx context.Context, since time.Time) ([]int, error)
	QueueMembers(ctx context.Context, branch, baseSHA, headSHA string) ([]gh.Member, error)
}

// Writer writes on GitHub. It has no way to approve, to merge or to push.
type Writer interface {
	PostReview(ctx context.Context, number int, r gh.NewReview) (int64, error)
	ReviewComments(ctx context.Context, number int, review int64) ([]gh.Comment, error)
	EditReviewComment(ctx context.Context, id int64, body string) error
	Reply(ctx context.Context, number int, to int64, body, marker string) error
	CreateComment(ctx context.Context, number int, body, marker string) (gh.Comment, error)
	EditComment(ctx context.Context, id int64, body string) error
	CreateIssue(ctx context.Context, issue gh.NewIssue) (gh.Issue, error)
	EditIssue(ctx context.Context, number int, change gh.IssueChange) error
	React(ctx context.Context, id int64, inThread bool, reaction string) error
	CreateCheck(ctx context.Context, check gh.Check) (int64, error)
	UpdateCheck(ctx context.Context, id int64, check gh.Check) error
}
