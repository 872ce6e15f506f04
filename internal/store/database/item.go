package database

import (
	"context"

	"github.com/prdebate/debate/internal/text"
)

// Item is an open or closed decision of a person.
type Item struct {
	Repo     Repo
	Pull     int
	Decision string // its id within the pull request, such as D1
	Question string
	URL      string // address for the answer
	Head     string // commit in question
	AskedAt  int64  // Unix ms
	ClosedAt int64  // Unix ms, 0 while it waits
	Outcome  string // the decision, "" without one
	By       string // login of the person
}

const maxQuestion = 2000 // bytes

// SetItems sets the decisions of a pull request. It closes other open ones without an
// outcome.
func (db *DB) SetItems(ctx context.Context, repo Repo, pull int, items []Item) error {
	now := db.now().UnixMilli()
	return db.conns.write(ctx, "keep the decisions of a pull request", func(ctx context.Context, s statements) error {
		_, err := s.exec(ctx, `UPDATE items SET closed_at = ? WHERE repo = ? AND pull = ? AND closed_at = 0`, now, repo.ID, pull)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := item.write(ctx, s, repo, pull); err != nil {
				return err
			}
		}
		return nil
	})
}

func (i Item) write(ctx context.Context, s statements, repo Repo, pull int) error {
	_, err := s.exec(ctx, `INSERT INTO items (repo, pull, decision, installation, owner, name, question, url, head, asked_at, closed_at, outcome, decided_by)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (repo, pull, decision) DO UPDATE SET installation = excluded.installation, owner = excluded.owner, name = excluded.name,
			question = excluded.question, url = excluded.url, head = excluded.head, asked_at = excluded.asked_at, closed_at = excluded.closed_at,
			outcome = excluded.outcome, decided_by = excluded.decided_by`,
		repo.ID, pull, clean(i.Decision), repo.Installation, clean(repo.Owner), clean(repo.Name), text.Clip(clean(i.Question), maxQuestion),
		clean(i.URL), clean(i.Head), i.AskedAt, i.ClosedAt, clean(i.Outcome), clean(i.By))
	return err
}

// OpenItems returns the open decisions, the oldest first, at most 10,000.
func (db *DB) OpenItems(ctx context.Context) ([]Item, error) {
	return list(ctx, db.conns, "list the open decisions", func(i *Item) []any {
		return []any{&i.Repo.ID, &i.Pull, &i.Decision, &i.Repo.Installation, &i.Repo.Owner, &i.Repo.Name, &i.Question, &i.URL, &i.Head, &i.AskedAt, &i.ClosedAt, &i.Outcome, &i.By}
	}, `SELECT repo, pull, decision, installation, owner, name, question, url, head, asked_at, closed_at, outcome, decided_by
		FROM items WHERE closed_at = 0 ORDER BY asked_at, repo, pull, decision LIMIT ?`, maxLimit)
}
