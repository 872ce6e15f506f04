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

// File reads a file of the side whose settings count. One that does not exist is
// nil without an error.
type File func(ctx context.Context, path string) ([]byte, error)

// Files reads files of that side at once. Those that are too large are errors of
// *gh.LargeFileError, beside the others.
type Files func(ctx context.Context, paths []string) (map[string][]byte, error)

// Setup is what the settings of the base side come to for one pull request.
type Setup struct {
	Config config.Config
	Key    []byte // seals the state in the summary; nil: there is none (S10)
	// Clean takes the secrets of this process, and what looks like one, out of a text.
	Clean func(string) string
	// Review is wired but for its log, its source and what it publishes.
	Review func() *engine.Review
	// Results are those of other tools that are evidence on a change (S12); nil:
	// there are none.
	Results func(change patch.Change) ([]debate.Run, error)
	// First is the first event of a debate about a change: settings, notes,
	// guidance and advice, without what the pull request adds.
	First func(ctx context.Context, change patch.Change, files Files) (debate.Received, error)
	// Inquire is the first event of a question debate about a change, and the source of
	// what it shows.
	Inquire func(ctx context.Context, question string, framing debate.Framing, change *gh.Snapshot) (debate.Received, engine.Source, error)
	// Tests readies the runs of the tests that parties write, on a change that a fork
	// may have proposed; nil: none is run, and nothing is said of it.
	Tests func(ctx context.Context, tree *gh.Tree, fork bool) (Tests, error)
	// Close ends what was opened.
	Close func()
}

// Tests are how the tests of parties are run.
type Tests struct {
	Runner TestRunner   // nil: none is run
	Told   debate.Tests // to the parties
	Note   string       // what a reader has to know of it, "" for nothing
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
	Reader Reader // of GitHub, nil for a job that has no token
	Writer Writer // nil for a job that writes nothing
	// Configure merges the settings. Guard reads those of the default branch, nil
	// where that is the base: they hold the gate where the base has a lenient one.
	Configure func(ctx context.Context, repo gh.Repository, file, guard File) (Setup, error)
	// Record opens the record of a session and says where it is.
	Record func(session string) (Log, string, error)
	// Left finds the newest debate on a pull request whose run died, nil where there is
	// none; nil where nothing outlives a run.
	Left func(ctx context.Context, number int) (*Left, error)
	Now  func() time.Time
	// Say tells people what happens, a line each; it may be nil.
	Say func(format string, args ...any)
	// DetailsURL is where the run can be watched, "" if nowhere.
	DetailsURL string

	assume bool // the state in the summary is believed without its key: this job writes nothing
}

func (r *Runner) say(format string, args ...any) {
	if r.Say != nil {
		r.Say(format, args...)
	}
}

// Result is what came of one run.
type Result struct {
	Number     int
	Head       string
	Done       string // in words, what the run did
	Session    bool   // a session took place: State and what follows from it
	State      debate.State
	Checkpoint Checkpoint
	Reviewed   bool // Checkpoint is about this head, and nobody else wrote it
	Conclusion debate.Conclusion
	Why        string
	Record     string // path
	CommentURL string
	Checked    bool     // the check of the head says it, with its annotations
	Notes      []string // what was not possible, for people
	Refused    error    // of the token that GitHub does not take, nil where it is taken
	View       report.Pull

	unbooked cost
}
