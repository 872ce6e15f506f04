// Package engine drives one review. It folds the log, asks the protocol for outstanding
// work, does it, appends the results, and repeats until no work is left. An event is
// always on disk before the engine acts on it. So a crash costs at most the actions in
// flight, and a resumed review ends like an uninterrupted one.
//
// The calls of a wave start at once. Each reply is recorded as it arrives:
//
//	Ask ── Packet.Render ──> Client ── text ──> prompt.Read ──> resolve ──> redact ──> Replied
//
// The protocol reduces the wave after its last reply.
//
// If a later job runs the tests, the review ends when it has to wait for them, and
// debate.Tested resumes it. A review without a publisher ends before it publishes. Another
// process publishes it, after Rebuild held the same debate again with the same replies.
package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/look"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/segment"
)

// Log keeps the entries of one debate. Append returns once the entry is durable.
type Log interface {
	Append(entry debate.Entry) error
}

// Frozen is a frozen change: its event for the log, and access to its bytes. A resumed review
// must freeze the same change; the engine compares the hashes.
type Frozen struct {
	Event      debate.Snapshotted
	Change     patch.Change
	Attributes []byte // .gitattributes at the base, nil if there is none
	// Tree is both sides of the change, for parties that look further; nil if there is
	// nothing to look at.
	Tree look.Tree
	// Err returns the first error of reading the files of the change: an unreadable file
	// must not pass for an empty one.
	Err func() error

	index *patch.Index // of the change, set by the review
}

// Critique is the report of the embedded critic, before its citations are checked.
type Critique struct {
	Hits    []debate.Hit
	Notices []debate.Notice
	Missing []string
	Omitted int
	Secrets []string // of the change: no model, record or report shows them
}

// Critic reviews files without any model. It leaves out the paths for which skip is true.
type Critic func(change patch.Change, skip func(path string) bool, proposals []segment.Proposal) Critique

// Review is one review with everything it needs from outside.
type Review struct {
	Subject Subject
	Log     Log
	Publish Publisher         // nil: the review ends before it publishes, and another process resumes it
	Clients map[string]Client // by party id
	Now     func() int64      // Unix milliseconds
	Tell    func(p Progress)  // may be nil

	// Checks reads the finished check runs and SARIF results; nil: there are none.
	Checks func(ctx context.Context) ([]debate.Run, error)
	// Look looks at the pull request before each wave of calls and before publishing, and may
	// show there how far the debate is; nil: the head never moves and no order stops the debate.
	Look func(ctx context.Context, s debate.State) (Sight, error)
	// LookEvery is how long a look stays valid for the next waves; 0: every wave looks.
	LookEvery time.Duration

	// Tester runs the tests of the parties, or readies them for a later job; nil: no test
	// runs. A test with a result in the record does not run again.
	Tester Tester

	Files        []string // ids of parties: their programs get files of the head side if they may look
	Participants []debate.Party

	state    debate.State
	packet   *prompt.Packet
	resolver *resolver
	lookedAt int64        // Unix milliseconds, 0: never
	played   *playback    // the record of Rebuild, else nil
	sent     Prompts      // texts of the calls so far
	files    []model.File // of the head side; nil: they were not read yet
}

// Tester runs a test on both sides of the change, or says why not. A run for a later job
// names the job instead of a sandbox, and has no outcome yet.
type Tester interface {
	Test(ctx context.Context, look debate.Look) (*debate.TestRun, debate.Withheld)
}

// Progress is the beginning or the end of one step of a review. The goroutine of the review
// calls all its functions except its Clients.
type Progress struct {
	Work  debate.Work
	Sends []Sent // of the first calls, before the first of them begins
	Done  bool
	Looks int          // number of looks for which the party of a call asks before it answers
	Began int64        // with Looks: the beginning of the turn, Unix milliseconds
	Event debate.Event // the result of a step that is Done; debate.Replied for a call
	Err   error        // of a failed look around: there is no Work, and the review goes on
}

// Sent is the size of one call.
type Sent struct {
	Ask   debate.Ask
	Bytes int
}

// ErrChanged is the error of a resumed review with another change than its record froze.
var ErrChanged = errors.New("the change is not the one that the record froze; start a new review")

// Start opens the debate with its first event and runs it to its end.
func (r *Review) Start(ctx context.Context, first debate.Received) (debate.State, error) {
	return r.Continue(ctx, first)
}

// Resume folds the entries of the log and continues.
func (r *Review) Resume(ctx context.Context, entries []debate.Entry, facts ...debate.Event) (debate.State, error) {
	state, err := debate.Fold(entries)
	if err != nil {
		return state, fmt.Errorf("fold the record: %w", err)
	}
	r.state = state
	for _, e := range entries {
		if debate.KindOf(e.Event) == debate.KindShown {
			r.sent.Add(e.Event)
		}
	}
	if r.Now()-state.Clock.At > pause && state.Stage != debate.StageNone && !state.Terminal() {
		facts = append([]debate.Event{debate.Resumed{}}, facts...)
	}
	return r.Continue(ctx, facts...)
}

// Continue records newer facts, such as a person's answer, and does the outstanding work.
func (r *Review) Continue(ctx context.Context, facts ...debate.Event) (debate.State, error) {
	for _, fact := range facts {
		if err := r.append(fact); err != nil {
			return r.state, err
		}
	}
	return r.run(ctx)
}

// pause is the shortest interruption of a review, in milliseconds. A crash and its repair
// take less.
const pause = 60_000

func (r *Review) run(ctx context.Context) (debate.State, error) {
	for {
		work := debate.Outstanding(r.state)
		if len(work) == 0 || work[0].Kind == debate.DoTests || work[0].Kind == debate.DoPublish && r.Publish == nil {
			return r.state, nil
		}
		if err := ctx.Err(); err != nil {
			return r.state, err
		}
		step := r.do
		switch work[0].Kind {
		case debate.DoCall:
			step = r.wave
		case debate.DoPublish:
			step = r.publish
		}
		if err := step(ctx, work); err != nil {
			return r.state, err
		}
	}
}

// do does one piece of work other than a call or publishing.
func (r *Review) do(ctx context.Context, work []debate.Work) error {
	w := work[0]
	r.tell(Progress{Work: w})
	event, err := r.act(ctx, w)
	if err != nil {
		return err
	}
	if err := r.append(event); err != nil {
		return err
	}
	r.tell(Progress{Work: w, Done: true, Event: event})
	return nil
}

func (r *Review) tell(p Progress) {
	if r.Tell != nil {
		r.Tell(p)
	}
}

// append makes an event durable and folds it, without the secrets in its texts. The
// protocol checks it first: a refused event never reaches the log.
func (r *Review) append(event debate.Event) error {
	event, err := r.Subject.recorded(event)
	if err != nil {
		return err
	}
	entry := debate.Entry{N: r.state.N + 1, At: max(r.Now(), r.state.Clock.At), Event: event}
	next, err := debate.Apply(r.state, entry)
	if err != nil {
		return fmt.Errorf("the protocol refuses the next event: %w", err)
	}
	if err := r.Log.Append(entry); err != nil {
		return err
	}
	r.state = next
	return nil
}
