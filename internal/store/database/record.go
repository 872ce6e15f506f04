package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
)

// Record reads and checks the record of a session. The error for a missing one is
// fs.ErrNotExist.
func (db *DB) Record(ctx context.Context, session string) (rec store.Record, err error) {
	err = db.conns.read(ctx, "read the record of "+session, func(ctx context.Context, s statements) error {
		rows, err := s.on.QueryContext(ctx, s.rebind(`SELECT line FROM lines WHERE session = ? ORDER BY n`), session)
		if err != nil {
			return err
		}
		defer rows.Close()
		lines := &lineReader{rows: rows}
		rec, err = store.Decode(lines)
		switch {
		case lines.err != nil:
			return lines.err
		case lines.count == 0:
			return fs.ErrNotExist
		}
		return err
	})
	if err != nil {
		return store.Record{}, err
	}
	return rec, nil
}

// lineReader reads the lines of a query as the bytes of a file.
type lineReader struct {
	rows interface {
		Next() bool
		Scan(into ...any) error
		Err() error
	}
	rest  []byte
	count int
	err   error // of the database
}

// Read implements io.Reader.
func (r *lineReader) Read(into []byte) (int, error) {
	if len(r.rest) == 0 {
		if !r.rows.Next() {
			r.err = r.rows.Err()
			return 0, io.EOF
		}
		var line []byte
		if r.err = r.rows.Scan(&line); r.err != nil {
			return 0, r.err
		}
		r.rest = append(line, '\n')
		r.count++
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// log is the record of one session, open for its writer.
type log struct {
	db      *DB
	session string

	mu     sync.Mutex
	end    store.Chain
	unsure bool // the last failed entry may be stored
}

var _ store.Log = (*log)(nil)

// Append writes the entry behind the last one and returns once it is durable.
func (l *log) Append(e debate.Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, next, err := l.end.Next(e)
	if err != nil {
		return err
	}
	doing := fmt.Sprintf("append event %d to the record of %s", e.N, l.session)
	err = l.db.conns.write(context.Background(), doing, func(ctx context.Context, s statements) error {
		rows, err := s.exec(ctx, `UPDATE sessions SET events = ?, last = ? WHERE id = ? AND events = ? AND last = ?`,
			next.Len(), next.Last(), l.session, l.end.Len(), l.end.Last())
		if err != nil {
			return err
		}
		if rows == 0 {
			return l.conflict(ctx, s, e, next)
		}
		_, err = s.exec(ctx, `INSERT INTO lines (session, n, line) VALUES (?, ?, ?)`, l.session, e.N, line)
		return err
	})
	if err == nil {
		l.end = next
	}
	l.unsure = err != nil && !errors.As(err, new(*store.ConflictError))
	return err
}

// conflict returns the error with the other writer's position, or nil if the entry itself
// was stored before and only the answer was lost.
func (l *log) conflict(ctx context.Context, s statements, e debate.Entry, next store.Chain) error {
	events, last := 0, ""
	found, err := s.one(ctx, []any{&events, &last}, `SELECT events, last FROM sessions WHERE id = ?`, l.session)
	if err == nil && !found {
		err = fs.ErrNotExist
	}
	if err != nil || l.unsure && events == next.Len() && last == next.Last() {
		return err
	}
	return &store.ConflictError{Expected: e.N - 1, Actual: events}
}

// Last is the digest of the last line.
func (l *log) Last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end.Last()
}

// Close releases nothing: the connections are the database's.
func (l *log) Close() error { return nil }
