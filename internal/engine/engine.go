// Package engine drives one review: it folds the log, asks the protocol what
// work is outstanding, does it, appends what came back, and repeats until
// nothing is outstanding. The order is always the same: an event is on disk
// before anything is done because of it, so that a crash costs at most the
// actions in flight, and a resumed review equals the uninterrupted one.
//
// The calls of a wave start at once. Each reply is recorded as it arrives:
//
//	Ask ── Packet.Render ──> Client ── text ──> prompt.Read ──> resolve ──> redact ──> Replied
//
// The protocol reduces the wave when its last reply is there.
//
// A review whose tests a later job runs ends where it waits for them, and is resumed
// with debate.Tested. A review without a publisher ends where it would publish. Another
// process publishes it, after Rebuild held the same debate again with the same replies.
package engine

import (
	"context"
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

// Source freezes the change that is reviewed. Asked again it must freeze the
// same change; the engine compares the hashes.
type Source interface {
	Snapshot(ctx context.Context) (Frozen, error)
}

// Frozen is a frozen change: what the log says of it, and where its bytes are.
type Frozen struct {
	Event      debate.Snapshotted
	Change     patch.Change
	Attributes []byte // .gitattributes at the base, nil if there is none
	// Tree is both sides of the change, for parties that look further; nil: there is
	// nothing to look at.
	Tree look.Tree
	// Err returns the first error that reading the files of the change met. What
	// could not be read must not pass for empty.
	Err func() error

	index *patch.Index // of the change, once the review has it
}

// Critique is what the embedded critic reports, before its citations are checked.
type Critique struct {
	Hits    []debate.Hit
	Notices []debate.Notice
	Missing []string
	Omitted int
	Secrets []string // of the change: no model, record or report shows them
}

// Critic reviews the files that skip does not exclude, without any model.
type Critic func(change patch.Change, skip func(path string) bool, proposals []segment.Proposal) Critique

// Review is one review and everything it needs from outside.
type Review struct {
	Subject Subject
	Log     Log
	Publish Publisher         // nil: the review ends where it would publish, and another process resumes it
	Clients map[string]Client // by party id
	Now     func() int64      // Unix milliseconds
	Tell    func(p Progress)  // may be nil

	// Checks reads the finished check runs and SARIF results; nil: there are none.
	Checks func(ctx context.Context) ([]debate.Run, error)
	// Look looks at the pull request before each wave of calls and before publishing;
	// nil: nothing moves, and nobody stops the debate.
	Look func(ctx context.Context) (Sight, error)
	// LookEvery is for how long a look holds before a wave; 0: every wave looks.
	LookEvery time.Duration
	// Entered is told each stage that the debate stands in after a step, with all
	// that is known by then; nil: nobody is. Calls never run meanwhile, and ctx ends
	// soon: what the hook cannot write now it leaves.
	Entered func(ctx context.Context, s debate.State)

	// Tester runs the tests that parties write, or readies them for a later job; nil: none
	// is run. What the record holds is not run again.
	Tester Tester

	Files        []string // ids of parties whose programs get files of the head side, where they may look
	Participants []debate.Party

	state    debate.State
	packet   *prompt.Packet
	resolver *resolver
	lookedAt int64     // Unix milliseconds, 0: never
	played   *playback // the record that is held again, nil in a debate of our own
	looked   lookedTexts
	files    []model.File // of the head side, once somebody got them
	laidOut  bool         // they were read
}

// Tester runs a test on both sides of the change, or says why it does not. A run by a
// later job has its name in the place of a sandbox, and no outcome yet.
type Tester interface {
	Test(ctx context.Context, look debate.Look) (*debate.TestRun, debate.Withheld)
}

// Progress is one step of a review as it begins or ends. All functions of a
// Review but its Clients are called by the goroutine that runs it.
type Progress struct {
	Work  debate.Work
	Sends []Sent // what the first calls are about to send, before the first of them begins
	Done  bool
	Looks int          // things that the party of a call asks to see before it answers
	Event debate.Event // what came of a step that is Done, of a call debate.Replied
	Err   error        // of a look around that failed: there is no Work, and the review goes on
}

// Sent is what one call sends.
type Sent struct {
	Ask   debate.Ask
	Bytes int
}

// ChangedError reports that a resumed review no longer finds the change that
// its record froze.
type ChangedError struct{ Recorded, Found string }

func (e *ChangedError) Error() string {
	return "the change is not the one that the record froze; start a new review"
}

// LedgerError reports that the coverage ledger does not account for the change
// (A24). No review may go on without knowing what it covers.
type LedgerError struct{ Why error }

func (e *LedgerError) Error() string { return "the coverage ledger does not add up: " + e.Why.Error() }

func (e *LedgerError) Unwrap() error { return e.Why }

// Start opens the debate with its first event and runs it to its end.
func (r *Review) Start(ctx context.Context, first debate.Received) (debate.State, error) {
	if err := r.append(first); err != nil {
		return r.state, err
	}
	return r.run(ctx)
}

// Resume folds what the log holds, records facts that came up since, such as a
// person's answer, and runs what is outstanding.
func (r *Review) Resume(ctx context.Context, entries []debate.Entry, facts ...debate.Event) (debate.State, error) {
	state, err := debate.Fold(entries)
	if err != nil {
		return state, fmt.Errorf("fold the record: %w", err)
	}
	r.state = state
	r.looked.recall(entries)
	if r.Now()-state.Clock.At > pause && state.Stage != debate.StageNone && !state.Terminal() {
		facts = append([]debate.Event{debate.Resumed{}}, facts...)
	}
	for _, fact := range facts {
		if err := r.append(fact); err != nil {
			return r.state, err
		}
	}
	return r.run(ctx)
}

// pause is, in milliseconds, how long a review stood still if it counts as
// interrupted. What is shorter is the time that a crash and its repair take.
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
		before := r.state.Stage
		if err := step(ctx, work); err != nil {
			return r.state, err
		}
		if r.Entered != nil && r.state.Stage != before {
			soon, cancel := context.WithTimeout(ctx, lookTimeout)
			r.Entered(soon, r.state)
			cancel()
		}
	}
}

// do does one piece of work that is neither a call nor publishing.
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

// append makes an event durable and folds it, without what its texts show to be a
// secret. The protocol sees it first: what it refuses never reaches the log.
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
