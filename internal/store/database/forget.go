package database

import (
	"context"
	"strconv"
	"time"
)

// forgetAtOnce bounds the rows of one deleting transaction, so that others do not wait
// long.
const forgetAtOnce = 500

// Forget deletes entries older than a time (Unix ms): deliveries, closed decisions, and
// sessions with their records, by their end, or by their start if they have none. It keeps
// one sum of the spending of each past month. It also deletes tasks of merge groups, and
// sweep times of removed repositories. Other tasks stay: their counts must never restart,
// because the queue knows its jobs by them.
func (db *DB) Forget(ctx context.Context, before int64) error {
	// The commits of merge groups matter only for minutes.
	const groups = `subject LIKE '%/queue/%' AND (wanted <= done OR parked > 0) AND wanted_at < ?`
	for _, query := range []string{
		`DELETE FROM wishes WHERE subject IN (SELECT subject FROM tasks WHERE ` + groups + ` AND subject IN (SELECT subject FROM wishes) LIMIT ?)`,
		`DELETE FROM tasks WHERE subject IN (SELECT subject FROM tasks WHERE ` + groups + ` LIMIT ?)`,
		`DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE at < ? ORDER BY at LIMIT ?)`,
		`DELETE FROM items WHERE (repo, pull, decision) IN (SELECT repo, pull, decision FROM items WHERE closed_at > 0 AND closed_at < ? LIMIT ?)`,
	} {
		err := db.untilNone(ctx, "forget old rows", func(ctx context.Context, s statements) (bool, error) {
			rows, err := s.exec(ctx, query, before, forgetAtOnce)
			return rows > 0, err
		})
		if err != nil {
			return err
		}
	}
	// Texts, but all of one length for some centuries.
	if err := db.conns.change(ctx, "forget sweep times", `DELETE FROM settings WHERE name LIKE 'swept/%' AND value < ?`, strconv.FormatInt(before, 10)); err != nil {
		return err
	}
	for _, which := range []string{
		`ended > 0 AND ended < ? ORDER BY ended`,
		`ended = 0 AND started < ? ORDER BY started`, // they will not be resumed any more
	} {
		// One session after the other: a record can be large.
		err := db.untilNone(ctx, "forget an old session", func(ctx context.Context, s statements) (bool, error) {
			var id string
			found, err := s.one(ctx, []any{&id}, `SELECT id FROM sessions WHERE `+which+` LIMIT 1`, before)
			for _, query := range []string{`DELETE FROM lines WHERE session = ?`, `DELETE FROM flights WHERE session = ?`, `DELETE FROM sessions WHERE id = ?`} {
				if found && err == nil {
					_, err = s.exec(ctx, query, id)
				}
			}
			return found, err
		})
		if err != nil {
			return err
		}
	}
	return db.untilNone(ctx, "sum up what was spent in a month", func(ctx context.Context, s statements) (bool, error) {
		var oldest int64 // the rows of the current month stay
		found, err := s.one(ctx, []any{&oldest}, `SELECT at FROM spend WHERE at < ? ORDER BY at LIMIT 1`, month(before))
		if err != nil || !found {
			return false, err
		}
		return true, sumMonth(ctx, s, month(oldest))
	})
}

// untilNone repeats a transaction until it finds nothing more.
func (db *DB) untilNone(ctx context.Context, doing string, change func(ctx context.Context, s statements) (found bool, err error)) error {
	for found := true; found; {
		err := db.conns.write(ctx, doing, func(ctx context.Context, s statements) (err error) {
			found, err = change(ctx, s)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func sumMonth(ctx context.Context, s statements, from int64) error {
	to := time.UnixMilli(from).UTC().AddDate(0, 1, 0).UnixMilli()
	_, err := s.exec(ctx, `INSERT INTO months (at, installation, repo, model, provider, owner, name, calls, tokens_in, tokens_cached, tokens_out, micro, unpriced)
		SELECT CAST(? AS BIGINT), installation, repo, model, provider, max(owner), max(name), `+sums+`
		FROM spend WHERE at >= ? AND at < ? GROUP BY installation, repo, model, provider
		ON CONFLICT (at, installation, repo, model, provider) DO UPDATE SET calls = months.calls + excluded.calls,
			tokens_in = months.tokens_in + excluded.tokens_in, tokens_cached = months.tokens_cached + excluded.tokens_cached,
			tokens_out = months.tokens_out + excluded.tokens_out, micro = months.micro + excluded.micro,
			unpriced = CASE WHEN excluded.unpriced > 0 THEN 1 ELSE months.unpriced END`, to-1, from, to)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `DELETE FROM spend WHERE at >= ? AND at < ?`, from, to)
	return err
}

// month returns the start of a moment's month, in UTC. Both are Unix ms.
func month(ms int64) int64 {
	t := time.UnixMilli(ms).UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).UnixMilli()
}
