package ghtest

import (
	"fmt"
	"sync"
)

// world is what there is at this GitHub, whoever asks for it and however.
type world struct {
	site site
	fail func(string)
	wire *wire

	mu       sync.Mutex // of all that follows, and of all that belongs to it
	clock    *clock
	accounts accounts
	tokens   tokens
	apps     apps
	repos    repos
}

func newWorld(fail func(string)) *world {
	at := newClock()
	return &world{
		fail: fail, wire: newWire(), clock: at,
		accounts: accounts{at, map[string]*user{}}, tokens: tokens{at, map[string]*token{}},
		apps: apps{clock: at, byID: map[int64]*App{}, offers: map[string]*offer{}}, repos: repos{map[string]*Repo{}, map[int64]*Repo{}},
	}
}

// lock returns what unlocks.
func (w *world) lock() func() {
	w.mu.Lock()
	return w.mu.Unlock
}

// failf tells the test what it did not expect.
func (w *world) failf(format string, args ...any) { w.fail(fmt.Sprintf(format, args...)) }
