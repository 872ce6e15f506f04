package database

import (
	"context"
	"fmt"
)

// Limit bounds the spending since a time, of an installation or one of its repositories;
// repo 0 means all of them, and installation 0 the whole server.
type Limit struct {
	Installation, Repo int64
	Since              int64 // Unix ms
	Micro              int64 // millionths of a US dollar
}

// OverError reports that a limit has less left than a session may cost.
type OverError struct {
	Micro int64 // possible cost of the session, in millionths of a US dollar
	Left  int64 // of the limit
}

func (e *OverError) Error() string {
	return fmt.Sprintf("%.2f US dollars are left of a monthly limit, and %.2f were to be spent: another review has taken what was left a moment ago; the next try is held to what is left then",
		float64(max(e.Left, 0))/1e6, float64(e.Micro)/1e6)
}

// Reserve sets the possible cost of an open session, in millionths of a US dollar: it
// counts as spent until the session ends. If a limit has less left, it reserves nothing and
// returns an *OverError. Concurrent reservations wait for each other, so they never share
// money. Reservations of other sessions of the same task end: a task runs one session after
// the other.
func (db *DB) Reserve(ctx context.Context, session string, micro int64, limits ...Limit) error {
	return db.conns.write(ctx, "reserve what "+session+" may cost", func(ctx context.Context, s statements) error {
		// The write of this row is a lock until the end of the transaction.
		if _, err := s.exec(ctx, `INSERT INTO settings (name, value) VALUES ('reserving', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value`); err != nil {
			return err
		}
		_, err := s.exec(ctx, `UPDATE sessions SET reserved = 0 WHERE ended = 0 AND subject <> '' AND subject = (SELECT subject FROM sessions WHERE id = ?)`, session)
		if err != nil {
			return err
		}
		for _, limit := range limits {
			spent, _, err := s.spent(ctx, limit.Installation, limit.Repo, limit.Since, "")
			if err != nil {
				return err
			}
			if left := limit.Micro - spent; left < micro {
				return &OverError{Micro: micro, Left: left}
			}
		}
		_, err = s.exec(ctx, `UPDATE sessions SET reserved = ? WHERE id = ? AND ended = 0`, micro, session)
		return err
	})
}
