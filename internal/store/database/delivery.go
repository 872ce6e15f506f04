package database

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/text"
)

// Repo is a repository as an installation of the App sees it.
type Repo struct {
	Installation, ID int64
	Owner, Name      string
}

// Delivery is one delivery of a webhook, kept before it is answered.
type Delivery struct {
	ID      string // GitHub's GUID
	Event   string // such as "pull_request"
	Content string // hex SHA-256 of event name and raw body: the same content under another id is a duplicate
	At      int64  // Unix ms received
	Repo    Repo
	Trigger event.Trigger // the request of the event
	Trace   string        // the span of its arrival, for the job's trace; "" for none
}

// maxName bounds the names and ids in a delivery, in bytes.
const maxName = 256

// nameError reports an invalid name, such as the "id of the delivery".
func nameError(what string) error {
	return fmt.Errorf("the %s is empty, longer than %d bytes or no text", what, maxName)
}

// checkNames refuses names that the databases cannot store. PostgreSQL accepts neither zero
// bytes nor invalid UTF-8.
func (d Delivery) checkNames() error {
	for _, name := range []struct{ what, is string }{
		{"id of the delivery", d.ID}, {"name of the event", d.Event}, {"digest of the delivery", d.Content},
		{"owner of the repository", d.Repo.Owner}, {"name of the repository", d.Repo.Name},
	} {
		if !isName(name.is) {
			return nameError(name.what)
		}
	}
	return nil
}

func isName(s string) bool {
	if s == "" || len(s) > maxName || !utf8.ValidString(s) {
		return false
	}
	for _, c := range s {
		if c == 0 {
			return false
		}
	}
	return true
}

// Subject returns the subject of a trigger: "ID/pull/7", "ID/issue/31" for a decision if
// the event does not name its pull request, "ID/queue/SHA" or "ID/sweep". ID is the
// repository's id, which survives renaming.
func Subject(repo Repo, t event.Trigger) string {
	switch {
	case t.Number != 0:
		return fmt.Sprintf("%d/pull/%d", repo.ID, t.Number)
	case t.Issue != 0:
		return fmt.Sprintf("%d/issue/%d", repo.ID, t.Issue)
	case t.QueueHead != "":
		return fmt.Sprintf("%d/queue/%s", repo.ID, t.QueueHead)
	}
	return fmt.Sprintf("%d/sweep", repo.ID)
}

// Accept stores a delivery and its wish for the subject, in one transaction that is durable
// when Accept returns. A delivery with a known id or content is not fresh and changes
// nothing.
func (db *DB) Accept(ctx context.Context, d Delivery) (fresh bool, err error) {
	if err := d.checkNames(); err != nil {
		return false, err
	}
	want, err := newWant(d.Repo, d.Trigger, d.At, d.Trace)
	if err != nil {
		return false, err
	}
	err = db.conns.write(ctx, "keep the delivery", func(ctx context.Context, s statements) error {
		rows, err := s.exec(ctx, `INSERT INTO deliveries (id, content, event, at, installation, repo, subject)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			d.ID, d.Content, d.Event, d.At, d.Repo.Installation, d.Repo.ID, want.subject)
		fresh = rows == 1
		if err != nil || !fresh {
			return err
		}
		return want.write(ctx, s)
	})
	return fresh && err == nil, err
}

// want is one wish to have a subject looked at.
type want struct {
	subject string
	repo    Repo
	kind    string // of the event
	cause   string // the trigger as JSON, without zero bytes
	at      int64
}

// cause is why a subject is wanted.
type cause struct {
	event.Trigger
	Trace string `json:",omitempty"`
}

func newWant(repo Repo, t event.Trigger, at int64, trace string) (want, error) {
	cause, err := json.Marshal(cause{t, text.Clip(clean(trace), maxName)})
	if err != nil {
		return want{}, fmt.Errorf("encode the trigger: %w", err)
	}
	w := want{subject: Subject(repo, t), repo: repo, kind: text.Clip(clean(t.Event+"/"+t.Action), maxName), cause: string(cause), at: at}
	if !isName(w.subject) {
		return w, nameError("subject of the trigger")
	}
	return w, nil
}

// write counts the wish. An earlier failure gets a new chance, because something has
// changed. Of several events of one kind the last one counts.
func (w want) write(ctx context.Context, s statements) error {
	_, err := s.exec(ctx, `INSERT INTO tasks (subject, installation, repo, owner, name, wanted, wanted_at, done, attempts, retry_at, parked, error, since)
		VALUES (?, ?, ?, ?, ?, 1, ?, 0, 0, 0, 0, '', ?)
		ON CONFLICT (subject) DO UPDATE SET installation = excluded.installation, owner = excluded.owner, name = excluded.name,
			wanted = tasks.wanted + 1, wanted_at = excluded.wanted_at, attempts = 0, retry_at = 0, parked = 0,
			since = CASE WHEN tasks.wanted > tasks.done THEN tasks.since ELSE excluded.since END`,
		w.subject, w.repo.Installation, w.repo.ID, w.repo.Owner, w.repo.Name, w.at, w.at)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `INSERT INTO wishes (subject, kind, n, cause) SELECT subject, ?, wanted, ? FROM tasks WHERE subject = ?
		ON CONFLICT (subject, kind) DO UPDATE SET n = excluded.n, cause = excluded.cause`, w.kind, w.cause, w.subject)
	return err
}

// Delivered reports whether a delivery is kept, by GitHub's GUID.
func (db *DB) Delivered(ctx context.Context, id string) (known bool, err error) {
	var n int
	err = db.conns.read(ctx, "look for a delivery", func(ctx context.Context, s statements) (err error) {
		known, err = s.one(ctx, []any{&n}, `SELECT 1 FROM deliveries WHERE id = ?`, clean(id))
		return err
	})
	return known, err
}
