package database

import (
	"context"
	"encoding/json"
	"fmt"
)

// Installation is the App in one account.
type Installation struct {
	ID          int64
	Account     string // login of the user or the organisation
	Suspended   bool
	Permissions map[string]string // such as "checks": "write"
	Events      []string          // subscribed ones
	Repos       []Repo            // visible ones
}

// PutInstallation stores an installation. Nil Permissions, Events or Repos stay unchanged;
// empty Repos remove all.
func (db *DB) PutInstallation(ctx context.Context, i Installation) error {
	permissions, events, err := encodeInstallation(i)
	if err != nil {
		return err
	}
	return db.conns.write(ctx, "keep an installation", func(ctx context.Context, s statements) error {
		_, err := s.exec(ctx, `INSERT INTO installations (id, account, suspended, permissions, events) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET account = excluded.account, suspended = excluded.suspended,
				permissions = CASE WHEN excluded.permissions = '' THEN installations.permissions ELSE excluded.permissions END,
				events = CASE WHEN excluded.events = '' THEN installations.events ELSE excluded.events END`,
			i.ID, clean(i.Account), number(i.Suspended), permissions, events)
		if err != nil || i.Repos == nil {
			return err
		}
		if _, err := s.exec(ctx, `DELETE FROM repositories WHERE installation = ?`, i.ID); err != nil {
			return err
		}
		return addRepositories(ctx, s, i.ID, i.Repos)
	})
}

// ChangeRepositories adds repositories to an installation and takes others, by their
// ids, away.
func (db *DB) ChangeRepositories(ctx context.Context, installation int64, added []Repo, removed []int64) error {
	return db.conns.write(ctx, "change the repositories of an installation", func(ctx context.Context, s statements) error {
		for _, id := range removed {
			if _, err := s.exec(ctx, `DELETE FROM repositories WHERE id = ? AND installation = ?`, id, installation); err != nil {
				return err
			}
		}
		return addRepositories(ctx, s, installation, added)
	})
}

// addRepositories takes repositories over from another installation too: GitHub lets a
// repository be in one only.
func addRepositories(ctx context.Context, s statements, installation int64, repos []Repo) error {
	for _, r := range repos {
		_, err := s.exec(ctx, `INSERT INTO repositories (id, installation, owner, name) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET installation = excluded.installation, owner = excluded.owner, name = excluded.name`,
			r.ID, installation, clean(r.Owner), clean(r.Name))
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveInstallation forgets an installation and its repositories. Its debates, tasks
// and costs stay.
func (db *DB) RemoveInstallation(ctx context.Context, id int64) error {
	return db.conns.write(ctx, "remove an installation", func(ctx context.Context, s statements) error {
		if _, err := s.exec(ctx, `DELETE FROM repositories WHERE installation = ?`, id); err != nil {
			return err
		}
		_, err := s.exec(ctx, `DELETE FROM installations WHERE id = ?`, id)
		return err
	})
}

// Installations returns all installations with their repositories, sorted by id.
func (db *DB) Installations(ctx context.Context) ([]Installation, error) {
	var all []Installation
	err := db.conns.read(ctx, "list the installations", func(ctx context.Context, s statements) error {
		repos, err := s.repositories(ctx, `ORDER BY id`)
		if err != nil {
			return err
		}
		all = nil
		of := make(map[int64][]Repo)
		for _, r := range repos {
			of[r.Installation] = append(of[r.Installation], r)
		}
		return s.each(ctx, func(scan func(into ...any) error) error {
			var i Installation
			var suspended int
			var permissions, events string
			if err := scan(&i.ID, &i.Account, &suspended, &permissions, &events); err != nil {
				return err
			}
			i.Suspended, i.Repos = suspended != 0, of[i.ID]
			all = append(all, i)
			return decodeInstallation(&all[len(all)-1], permissions, events)
		}, `SELECT id, account, suspended, permissions, events FROM installations ORDER BY id`)
	})
	return all, err
}

// Repositories returns the repositories of all installations without the suspended ones,
// sorted by id.
func (db *DB) Repositories(ctx context.Context) (all []Repo, err error) {
	err = db.conns.read(ctx, "list the repositories", func(ctx context.Context, s statements) (err error) {
		all, err = s.repositories(ctx, `WHERE installation NOT IN (SELECT id FROM installations WHERE suspended <> 0) ORDER BY id`)
		return err
	})
	return all, err
}

// Owner returns the known installation of a repository, 0 for none.
func (db *DB) Owner(ctx context.Context, repo int64) (installation int64, err error) {
	err = db.conns.read(ctx, "find the installation of a repository", func(ctx context.Context, s statements) error {
		_, err := s.one(ctx, []any{&installation}, `SELECT installation FROM repositories WHERE id = ?`, repo)
		return err
	})
	return installation, err
}

func (s statements) repositories(ctx context.Context, which string) (all []Repo, err error) {
	err = s.each(ctx, func(scan func(into ...any) error) error {
		var r Repo
		err := scan(&r.Installation, &r.ID, &r.Owner, &r.Name)
		all = append(all, r)
		return err
	}, `SELECT installation, id, owner, name FROM repositories `+which)
	return all, err
}

func decodeInstallation(i *Installation, permissions, events string) error {
	if permissions != "" {
		if err := json.Unmarshal([]byte(permissions), &i.Permissions); err != nil {
			return fmt.Errorf("the permissions of installation %d: %w", i.ID, err)
		}
	}
	if events != "" {
		if err := json.Unmarshal([]byte(events), &i.Events); err != nil {
			return fmt.Errorf("the events of installation %d: %w", i.ID, err)
		}
	}
	return nil
}

// encodeInstallation returns the JSON of permissions and events, "" for nil.
func encodeInstallation(i Installation) (permissions, events string, err error) {
	if i.Permissions != nil {
		data, err := json.Marshal(i.Permissions)
		if err != nil {
			return "", "", fmt.Errorf("encode the permissions of installation %d: %w", i.ID, err)
		}
		permissions = string(data)
	}
	if i.Events != nil {
		data, err := json.Marshal(i.Events)
		if err != nil {
			return "", "", fmt.Errorf("encode the events of installation %d: %w", i.ID, err)
		}
		events = string(data)
	}
	return permissions, events, nil
}
