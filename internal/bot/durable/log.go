package durable

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// quiet filters the log of DBOS: its information becomes debugging, because it covers every
// queue and connection, and the same warning passes once in half a minute, because it looks
// for work ten times a second.
type quiet struct {
	inner slog.Handler
	said  *said
}

const sayAgain = 30 * time.Second

// said remembers the times of messages. Derived handlers share it.
type said struct {
	mu     sync.Mutex
	last   map[string]time.Time
	hushed bool
}

// maxSaid bounds the memory. DBOS has fewer messages; they are constants.
const maxSaid = 256

// set turns everything into debugging, or ends that: a queue that shuts down complains
// about every unfinished query.
func (q *quiet) set(hushed bool) {
	q.said.mu.Lock()
	defer q.said.mu.Unlock()
	q.said.hushed = hushed
}

func (s *said) level(r slog.Record) slog.Level {
	if r.Level < slog.LevelWarn {
		return slog.LevelDebug
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	repeated := r.Time.Sub(s.last[r.Message]) < sayAgain
	if s.hushed || repeated {
		return slog.LevelDebug
	}
	if s.last == nil || len(s.last) >= maxSaid {
		s.last = make(map[string]time.Time)
	}
	s.last[r.Message] = r.Time
	return r.Level
}

// Enabled is part of slog.Handler. Whether a warning is passed on shows only in Handle.
func (q *quiet) Enabled(ctx context.Context, l slog.Level) bool {
	if l < slog.LevelWarn {
		l = slog.LevelDebug
	}
	return q.inner.Enabled(ctx, l)
}

// Handle is part of slog.Handler.
func (q *quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = q.said.level(r)
	if !q.inner.Enabled(ctx, r.Level) {
		return nil
	}
	return q.inner.Handle(ctx, r)
}

// WithAttrs is part of slog.Handler.
func (q *quiet) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &quiet{inner: q.inner.WithAttrs(attrs), said: q.said}
}

// WithGroup is part of slog.Handler.
func (q *quiet) WithGroup(name string) slog.Handler {
	return &quiet{inner: q.inner.WithGroup(name), said: q.said}
}
