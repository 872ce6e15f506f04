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
// methods are safe for concurrent use, and do nothing on nil.
type Board struct {
	mu      sync.Mutex
	steps   map[string]Step
	changed chan struct{} // holds one signal when something changed
}

// NewBoard returns an empty board.
func NewBoard() *Board {
	return &Board{steps: make(map[string]Step), changed: make(chan struct{}, 1)}
}

// Set sets the step of a review.
func (b *Board) Set(session string, s Step) {
	if b == nil {
		return
	}
	b.mu.Lock()
	if _, known := b.steps[session]; known || len(b.steps) < maxBoard {
		b.steps[session] = s
	}
	b.mu.Unlock()
	b.signal()
}

// End takes a review off the board.
func (b *Board) End(session string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	delete(b.steps, session)
	b.mu.Unlock()
	b.signal()
}

func (b *Board) signal() {
	select {
	case b.changed <- struct{}{}:
	default: // one is waiting already
	}
}

func (b *Board) step(session string) (Step, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, known := b.steps[session]
	return s, known
}
