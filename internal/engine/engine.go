// Package engine drives one review: it folds the log, asks the protocol what
// work is outstanding, does it, appends what came back, and repeats until
// nothing is outstanding. The order is always the same: an event is on disk
// before anything is done because of it, so that a crash costs at most the
// action in flight, and a resumed review equals the uninterrupted one.
package engine

import (
	"context"
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
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
	// Err returns the first error that reading the files of the change met. What
	// could not be read must not pass for empty.
	Err func() error
}

// Critique is what the embedded critic reports, before its citations are checked.
type Critique struct {
	Hits    []debate.Hit
	Notices []debate.Notice
	Missing []string
	Omitted int
}

// Critic reviews the files that skip does not exclude, without any model.
type Critic func(change patch.Change, skip func(path string) bool, proposals []segment.Proposal) Critique

// Publisher hands the outcome to its sinks and names them.
type Publisher func(ctx context.Context, s debate.State) (sinks []string, err error)

// Review is one review and everything it needs from outside.
type Review struct {
	Log     Log
	Source  Source
	Critic  Critic
	Publish Publisher
	Now     func() int64           // Unix milliseconds
	Step    func(work debate.Work) // told before each action; may be nil

	Rules        *policy.Rules
	PullRequest  policy.PullRequest
	Ignore       []string // globs of paths that are not reviewed
	Proposals    []string // globs of proposal documents
	Participants []debate.Party

	state  debate.State
	frozen *Frozen
	index  *patch.Index
	split  *segment.Result
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

// Resume folds what the log holds and runs what is outstanding.
func (r *Review) Resume(ctx context.Context, entries []debate.Entry) (debate.State, error) {
	state, err := debate.Fold(entries)
	if err != nil {
		return state, fmt.Errorf("fold the record: %w", err)
	}
	r.state = state
	return r.run(ctx)
}

func (r *Review) run(ctx context.Context) (debate.State, error) {
	for {
		work := debate.Outstanding(r.state)
		if len(work) == 0 {
			return r.state, nil
		}
		for _, w := range work {
			if err := ctx.Err(); err != nil {
				return r.state, err
			}
			if r.Step != nil {
				r.Step(w)
			}
			event, err := r.act(ctx, w)
			if err != nil {
				return r.state, err
			}
			if err := r.append(event); err != nil {
				return r.state, err
			}
		}
	}
}

// append makes an event durable and folds it. The protocol sees it first: what
// it refuses never reaches the log.
func (r *Review) append(event debate.Event) error {
	event, err := debate.Recorded(event)
	if err != nil {
		return err
	}
	entry := debate.Entry{N: r.state.N + 1, At: max(r.Now(), r.state.At), Event: event}
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
