package database

import "context"

// Backlog is how much waits, and since when.
type Backlog struct {
	Open      int   // tasks, including running ones
	Since     int64 // when the oldest of them was wanted, Unix ms, 0 for none
	Parked    int   // tasks given up
	Decisions int   // waiting for a person
	AskedAt   int64 // when the oldest of them was asked for, Unix ms, 0 for none
}

// Backlog counts the waiting work.
func (db *DB) Backlog(ctx context.Context) (Backlog, error) {
	var b Backlog
	err := db.conns.read(ctx, "count what waits", func(ctx context.Context, s statements) error {
		for _, count := range []struct {
			into  []any
			query string
		}{
			{[]any{&b.Open, &b.Since}, `SELECT count(*), coalesce(min(since), 0) FROM tasks WHERE wanted > done AND parked = 0`},
			{[]any{&b.Parked}, `SELECT count(*) FROM tasks WHERE wanted > done AND parked > 0`},
			{[]any{&b.Decisions, &b.AskedAt}, `SELECT count(*), coalesce(min(asked_at), 0) FROM items WHERE closed_at = 0`},
		} {
			if _, err := s.one(ctx, count.into, count.query); err != nil {
				return err
			}
		}
		return nil
	})
	return b, err
}

// RepoStats sums up the reviews of one repository.
type RepoStats struct {
	Repo       Repo
	Reviews    int // ended ones
	P1, P2, P3 int // open findings at the ends
	Calls      int
	Micro      int64 // cost in millionths of a US dollar
	Unpriced   bool  // Micro is too small, because a price is unknown
	Millis     int64 // total time
}

// StatsFilter chooses the reviews to count.
type StatsFilter struct {
	Since  int64 // earliest end, Unix ms
	Limit  int   // at most as many repositories, 0 for 100
	Offset int   // repositories to skip
}

// RepoStats counts the ended reviews by repository, the most reviews first.
func (db *DB) RepoStats(ctx context.Context, f StatsFilter) ([]RepoStats, error) {
	return list(ctx, db.conns, "count the reviews", func(r *RepoStats) []any {
		return []any{&r.Repo.Installation, &r.Repo.ID, &r.Repo.Owner, &r.Repo.Name, &r.Reviews, &r.P1, &r.P2, &r.P3, &r.Calls, &r.Micro, &r.Unpriced, &r.Millis}
	}, `SELECT max(installation), repo, max(owner), max(name), count(*), CAST(sum(p1) AS BIGINT), CAST(sum(p2) AS BIGINT), CAST(sum(p3) AS BIGINT),
		CAST(sum(calls) AS BIGINT), CAST(sum(micro) AS BIGINT), max(unpriced), CAST(sum(ended - started) AS BIGINT)
		FROM sessions WHERE ended > 0 AND ended >= ? GROUP BY repo ORDER BY count(*) DESC, repo LIMIT ? OFFSET ?`, f.Since, bounded(f.Limit), f.Offset)
}
