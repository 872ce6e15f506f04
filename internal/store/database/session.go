package database

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/text"
)

// Session is one debate as lists show it. Its record holds everything.
type Session struct {
	ID         string // debate-YYYYmmdd-HHMMSS-NUMBER
	Repo       Repo
	Pull       int
	Subject    string // of its task
	Title      string // of the pull request, one line
	Head       string // commit
	Started    int64  // Unix ms
	Ended      int64  // Unix ms, 0 while it runs or waits to go on
	Outcome    string // how the debate ended
	Conclusion string // of the check
	P1, P2, P3 int    // open findings
	Micro      int64  // cost in millionths of a US dollar
	Unpriced   bool   // Micro is too small, because a price is unknown
	Calls      int
}

// SessionFilter chooses sessions.
type SessionFilter struct {
	Repo       int64  // of this repository, 0 for all
	Pull       int    // of this pull request, 0 for all
	Running    bool   // only those without an end
	Conclusion string // only those with this one, "" for all
	Limit      int    // at most as many, 0 for 100
	Offset     int    // sessions to skip
}

const maxTitle = 500 // bytes

const sessionColumns = `id, installation, repo, owner, name, pull, subject, title, head, started, ended, outcome, conclusion, p1, p2, p3, micro, unpriced, calls`

// BeginSession begins a debate and its record. The error for an existing id is fs.ErrExist.
func (db *DB) BeginSession(ctx context.Context, session Session) (store.Log, error) {
	session.clean()
	header, begun, err := store.Begin()
	if err != nil {
		return nil, fmt.Errorf("begin the record: %w", err)
	}
	if !isName(session.ID) {
		return nil, nameError("id of the session")
	}
	err = db.conns.write(ctx, "begin the session "+session.ID, func(ctx context.Context, s statements) error {
		rows, err := s.exec(ctx, `INSERT INTO sessions (`+sessionColumns+`, events, last)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`,
			session.ID, session.Repo.Installation, session.Repo.ID, session.Repo.Owner, session.Repo.Name, session.Pull, session.Subject,
			session.Title, session.Head, session.Started, session.Ended, session.Outcome, session.Conclusion,
			session.P1, session.P2, session.P3, session.Micro, number(session.Unpriced), session.Calls, begun.Last())
		if err == nil && rows == 0 {
			return fs.ErrExist
		}
		if err != nil {
			return err
		}
		_, err = s.exec(ctx, `INSERT INTO lines (session, n, line) VALUES (?, 0, ?)`, session.ID, header)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &log{db: db, session: session.ID, end: begun}, nil
}

// EndSession records the end of a debate. It updates the fields that can change during a
// run; a zero end means now.
func (db *DB) EndSession(ctx context.Context, id string, session Session) error {
	session.clean()
	if session.Ended == 0 {
		session.Ended = db.now().UnixMilli()
	}
	return db.conns.write(ctx, "end the session "+id, func(ctx context.Context, s statements) error {
		rows, err := s.exec(ctx, `UPDATE sessions SET reserved = 0, title = ?, head = ?, ended = ?, outcome = ?, conclusion = ?, p1 = ?, p2 = ?, p3 = ?, micro = ?, unpriced = ?, calls = ? WHERE id = ?`,
			session.Title, session.Head, session.Ended, session.Outcome, session.Conclusion, session.P1, session.P2, session.P3,
			session.Micro, number(session.Unpriced), session.Calls, id)
		if err == nil && rows == 0 {
			return fs.ErrNotExist
		}
		return err
	})
}

// Resume opens the record of a session to go on with it.
func (db *DB) Resume(ctx context.Context, session string) (store.Log, store.Record, error) {
	rec, err := db.Record(ctx, session)
	if err != nil {
		return nil, store.Record{}, err
	}
	return &log{db: db, session: session, end: rec.End()}, rec, nil
}

// Sessions returns debates, the newest first.
func (db *DB) Sessions(ctx context.Context, f SessionFilter) ([]Session, error) {
	c := conditions{}
	if f.Repo != 0 {
		c.add(`repo = ?`, f.Repo)
	}
	if f.Pull != 0 {
		c.add(`pull = ?`, f.Pull)
	}
	if f.Running {
		c.add(`ended = 0`)
	}
	if f.Conclusion != "" {
		c.add(`conclusion = ?`, f.Conclusion)
	}
	return list(ctx, db.conns, "list the sessions", func(s *Session) []any {
		return []any{
			&s.ID, &s.Repo.Installation, &s.Repo.ID, &s.Repo.Owner, &s.Repo.Name, &s.Pull, &s.Subject, &s.Title, &s.Head,
			&s.Started, &s.Ended, &s.Outcome, &s.Conclusion, &s.P1, &s.P2, &s.P3, &s.Micro, &s.Unpriced, &s.Calls,
		}
	}, `SELECT `+sessionColumns+` FROM sessions `+c.where()+` ORDER BY started DESC, id DESC LIMIT ? OFFSET ?`, append(c.args, bounded(f.Limit), f.Offset)...)
}

// clean makes the texts of a session fit for both databases and for a list.
func (s *Session) clean() {
	s.Title = text.Clip(text.OneLine(clean(s.Title)), maxTitle)
	for _, t := range []*string{&s.Subject, &s.Head, &s.Outcome, &s.Conclusion, &s.Repo.Owner, &s.Repo.Name} {
		*t = text.Clip(clean(*t), maxName)
	}
}

// clean removes bytes that PostgreSQL cannot store.
func clean(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}

// number keeps a truth value: 1 or 0.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
