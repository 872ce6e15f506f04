package database

import (
	"context"
)

// Flight is a started call of a model. Its cost is known at its end; then the session's
// record has it.
type Flight struct {
	Session         string
	Ask             string // its id within the session
	Provider, Model string
	Micro           int64 // possible cost, in millionths of a US dollar
	Unpriced        bool  // Micro is too small, because a price is unknown
}

// lost is the suffix of a session's name for its calls without a known end.
const lost = "/lost"

// Depart stores a call before it is made. A repeated call counts again.
func (db *DB) Depart(ctx context.Context, f Flight) error {
	return db.conns.change(ctx, "keep a call that begins", `INSERT INTO flights (session, ask, provider, model, calls, micro, unpriced) VALUES (?, ?, ?, ?, 1, ?, ?)
		ON CONFLICT (session, ask) DO UPDATE SET calls = flights.calls + 1, micro = flights.micro + excluded.micro`,
		clean(f.Session), clean(f.Ask), clean(f.Provider), clean(f.Model), f.Micro, number(f.Unpriced))
}

// Arrive books the cost of a session without running calls: spend is the cost in its
// record, and told reports whether the record has the end of a turn. All other started
// calls count in full, at the time at, because their cost is unknown.
func (db *DB) Arrive(ctx context.Context, session Session, at int64, spend []Spend, told func(turn string) bool) error {
	return db.conns.write(ctx, "book what "+session.ID+" cost", func(ctx context.Context, s statements) error {
		for _, one := range spend {
			if err := one.write(ctx, s); err != nil {
				return err
			}
		}
		begun, err := rows(ctx, s, func(f *flight) []any {
			return []any{&f.ask, &f.provider, &f.model, &f.calls, &f.micro, &f.unpriced}
		}, `SELECT ask, provider, model, calls, micro, unpriced FROM flights WHERE session = ? ORDER BY ask`, clean(session.ID))
		if err != nil {
			return err
		}
		for _, f := range begun {
			if told(f.ask) {
				continue
			}
			if err := f.book(ctx, s, session, at); err != nil {
				return err
			}
		}
		_, err = s.exec(ctx, `DELETE FROM flights WHERE session = ?`, clean(session.ID))
		return err
	})
}

// flight is a row of the table.
type flight struct {
	ask, provider, model   string
	calls, micro, unpriced int64
}

// book adds a call to the lost calls of a session.
func (f flight) book(ctx context.Context, s statements, of Session, at int64) error {
	_, err := s.exec(ctx, `INSERT INTO spend (session, model, provider, installation, repo, owner, name, pull, calls, tokens_in, tokens_cached, tokens_out, micro, unpriced, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?, ?, ?)
		ON CONFLICT (session, model) DO UPDATE SET calls = spend.calls + excluded.calls, micro = spend.micro + excluded.micro,
			unpriced = CASE WHEN excluded.unpriced > 0 THEN 1 ELSE spend.unpriced END, at = excluded.at`,
		clean(of.ID)+lost, f.model, f.provider, of.Repo.Installation, of.Repo.ID, clean(of.Repo.Owner), clean(of.Repo.Name), of.Pull,
		f.calls, f.micro, f.unpriced, at)
	return err
}
