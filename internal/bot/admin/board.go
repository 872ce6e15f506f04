package admin

import "sync"

// maxBoard bounds the reviews that a board holds.
const maxBoard = 1000

// Step is where a review stands.
type Step struct {
	Text     string // what it does now, in a few words: "challenge: gpt"
	Calls    int    // of models so far
	Micro    int64  // what they cost, in millionths of a US dollar
	Unpriced bool   // of some calls no price is known
}

// Board holds where the reviews of this process stand, for the page that shows what runs.
// The database knows which reviews run, on all servers; the board adds what they do now.
// Its methods may be called from any goroutine, and on nil, where they do nothing.
type Board struct {
	mu      sync.Mutex
	steps   map[string]Step
	changed chan struct{} // holds one signal when something changed
}

// NewBoard returns an empty board.
func NewBoard() *Board {
	return &Board{steps: make(map[string]Step), changed: make(chan struct{}, 1)}
}

// Set says where a review stands.
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
