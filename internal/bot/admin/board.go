package admin

import "sync"

// maxBoard bounds the reviews on a board.
const maxBoard = 1000

// Step is the state of a running review.
type Step struct {
	Text     string // in a few words: "challenge: gpt"
	Calls    int    // of models so far
	Micro    int64  // their cost, in millionths of a US dollar
	Unpriced bool   // of some calls no price is known
}

// Board has the steps of this process's reviews, for the page of running reviews. The
// database knows the running reviews of all servers; the board adds their current step. Its
// methods are safe for concurrent use.
type Board struct {
	mu      sync.Mutex
	steps   map[string]Step
	changed chan struct{} // closed and renewed when something changes
}

// NewBoard returns an empty board.
func NewBoard() *Board {
	return &Board{steps: make(map[string]Step), changed: make(chan struct{})}
}

// Set sets the step of a review.
func (b *Board) Set(session string, s Step) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.steps[session]; known || len(b.steps) < maxBoard {
		b.steps[session] = s
	}
	b.signal()
}

// End takes a review off the board.
func (b *Board) End(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.steps, session)
	b.signal()
}

func (b *Board) signal() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// change returns a channel that is closed at the next change.
func (b *Board) change() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

func (b *Board) step(session string) (Step, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, known := b.steps[session]
	return s, known
}
