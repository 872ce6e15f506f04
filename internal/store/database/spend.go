package database

import (
	"context"
	"fmt"
)

// Spend is the cost of one model in one session.
type Spend struct {
	Session                           string
	Repo                              Repo
	Pull                              int
	Model, Provider                   string
	Calls                             int
	TokensIn, TokensCached, TokensOut int64
	Micro                             int64 // millionths of a US dollar
	Unpriced                          bool  // Micro is too small, because a price is unknown
	At                                int64 // Unix ms
}

// SpendKey is the key of a sum of spending.
type SpendKey string

// The keys.
const (
	ByRepository SpendKey = "repository"
	ByModel      SpendKey = "model"
	ByPull       SpendKey = "pull" // without forgotten sessions
)

// columns returns the grouping columns of a key, and the columns to show.
func (k SpendKey) columns() (group, shown string, err error) {
	switch k {
	case ByRepository:
		return `installation, repo`, `installation, repo, max(owner), max(name), 0, '', ''`, nil
	case ByModel:
		return `model, provider`, `0, 0, '', '', 0, model, provider`, nil
	case ByPull:
		return `installation, repo, pull`, `installation, repo, max(owner), max(name), pull, '', ''`, nil
	}
	return "", "", fmt.Errorf("spend cannot be summed by %q", k)
}

// write stores the cost of one model. The last write for a session and a model counts, so a
// repetition is harmless.
func (o Spend) write(ctx context.Context, s statements) error {
	_, err := s.exec(ctx, `INSERT INTO spend (session, model, provider, installation, repo, owner, name, pull, calls, tokens_in, tokens_cached, tokens_out, micro, unpriced, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (session, model) DO UPDATE SET provider = excluded.provider, installation = excluded.installation, repo = excluded.repo,
			owner = excluded.owner, name = excluded.name, pull = excluded.pull, calls = excluded.calls, tokens_in = excluded.tokens_in,
			tokens_cached = excluded.tokens_cached, tokens_out = excluded.tokens_out, micro = excluded.micro, unpriced = excluded.unpriced, at = excluded.at`,
		clean(o.Session), clean(o.Model), clean(o.Provider), o.Repo.Installation, o.Repo.ID, clean(o.Repo.Owner), clean(o.Repo.Name), o.Pull,
		o.Calls, o.TokensIn, o.TokensCached, o.TokensOut, o.Micro, number(o.Unpriced), o.At)
	return err
}

// Spent returns the spending since a time (Unix ms) of an installation, or of one of its
// repositories; repo 0 means all of them, and installation 0 the whole server. Reservations
// of open sessions count, except those of a task's own sessions; an empty task has no exception.
// Unpriced means that some prices are unknown. For a month with forgotten sessions the
// whole sum counts if since is in it.
func (db *DB) Spent(ctx context.Context, installation, repo, since int64, task string) (micro int64, unpriced bool, err error) {
	err = db.conns.read(ctx, "sum up what was spent", func(ctx context.Context, s statements) (err error) {
		micro, unpriced, err = s.spent(ctx, installation, repo, since, task)
		return err
	})
	return micro, unpriced, err
}

func (s statements) spent(ctx context.Context, installation, repo, since int64, task string) (micro int64, unpriced bool, err error) {
	paid, reserved := conditionsOf(installation, repo), conditionsOf(installation, repo)
	paid.add(`at >= ?`, since)
	reserved.add(`ended = 0`)
	if task != "" {
		reserved.add(`subject <> ?`, task)
	}
	var more int64
	_, err = s.one(ctx, []any{&micro, &unpriced}, `SELECT CAST(coalesce(sum(micro), 0) AS BIGINT), CAST(coalesce(max(unpriced), 0) AS BIGINT) FROM spent `+paid.where(), paid.args...)
	if err != nil {
		return 0, false, err
	}
	_, err = s.one(ctx, []any{&more}, `SELECT CAST(coalesce(sum(reserved), 0) AS BIGINT) FROM sessions `+reserved.where(), reserved.args...)
	return micro + more, unpriced, err
}

// SpendFilter chooses the spending to sum up.
type SpendFilter struct {
	By     SpendKey
	From   int64 // Unix ms
	To     int64 // Unix ms, exclusive; 0 for no end
	Limit  int   // at most as many rows, 0 for 100
	Offset int   // rows to skip
}

// conditionsOf choose the rows of an installation or of a repository; 0 is all.
func conditionsOf(installation, repo int64) (c conditions) {
	if installation != 0 {
		c.add(`installation = ?`, installation)
	}
	if repo != 0 {
		c.add(`repo = ?`, repo)
	}
	return c
}

// SpendBy sums up the spending of a period, the most expensive first. Session and At are
// empty. A month with forgotten sessions counts at its end.
func (db *DB) SpendBy(ctx context.Context, f SpendFilter) ([]Spend, error) {
	group, shown, err := f.By.columns()
	if err != nil {
		return nil, err
	}
	c := conditions{}
	c.add(`at >= ?`, f.From)
	if f.To != 0 {
		c.add(`at < ?`, f.To)
	}
	if f.By == ByPull {
		c.add(`pull > 0`)
	}
	return list(ctx, db.conns, "sum up what was spent", func(o *Spend) []any {
		return []any{
			&o.Repo.Installation, &o.Repo.ID, &o.Repo.Owner, &o.Repo.Name, &o.Pull, &o.Model, &o.Provider,
			&o.Calls, &o.TokensIn, &o.TokensCached, &o.TokensOut, &o.Micro, &o.Unpriced,
		}
	}, `SELECT `+shown+`, `+sums+` FROM spent `+c.where()+` GROUP BY `+group+` ORDER BY sum(micro) DESC, `+group+` LIMIT ? OFFSET ?`, append(c.args, bounded(f.Limit), f.Offset)...)
}

// sums are integers in both databases.
const sums = `CAST(sum(calls) AS BIGINT), CAST(sum(tokens_in) AS BIGINT), CAST(sum(tokens_cached) AS BIGINT), CAST(sum(tokens_out) AS BIGINT), CAST(sum(micro) AS BIGINT), CAST(max(unpriced) AS BIGINT)`
