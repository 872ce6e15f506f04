package bot

import (
	"sync"
	"time"
)

// Limits remembers until when GitHub takes no requests of an installation. All its jobs
// share one limit: one of them asks, and the others need not. A nil one remembers nothing.
type Limits struct {
	mu    sync.Mutex
	until map[int64]time.Time
}

// used records that the limit of an installation is used up until then.
func (l *Limits) used(installation int64, until time.Time) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil {
		l.until = make(map[int64]time.Time)
	}
	l.until[installation] = later(l.until[installation], until)
}

// wait returns the time until which requests of an installation must wait; ok is false if
// they need not.
func (l *Limits) wait(installation int64, now time.Time) (until time.Time, ok bool) {
	if l == nil {
		return time.Time{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	until = l.until[installation]
	if !now.Before(until) {
		delete(l.until, installation)
		return time.Time{}, false
	}
	return until, true
}
