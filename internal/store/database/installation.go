package database

import "context"

// Installation is the App in one account.
type Installation struct {
	ID        int64
	Account   string // login of the user or the organisation
	Suspended bool
	Repos     []Repo // visible ones
}

// PutInstallation stores an installation. Nil Repos stay unchanged; empty ones remove all.
func (db *DB) PutInstallation(ctx context.Context, i Installation) error {
	return db.conns.write(ctx, "keep an installation", func(ctx context.Context, s statements) error {
		// No program reads permissions and events any more.
		_, err := s.exec(ctx, `INSERT INTO installations (id, account, suspended, permissions, events) VALUES (?, ?, ?, '', '')
			ON CONFLICT (id) DO UPDATE SET account = excluded.account, suspended = excluded.suspended`,
			i.ID, clean(i.Account), number(i.Suspended))
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
		repos, err := rows(ctx, s, repoFields, repoQuery+`ORDER BY id`)
		if err != nil {
			return err
		}
		of := make(map[int64][]Repo)
		for _, r := range repos {
			of[r.Installation] = append(of[r.Installation], r)
		}
		all, err = rows(ctx, s, func(i *Installation) []any { return []any{&i.ID, &i.Account, &i.Suspended} },
			`SELECT id, account, suspended FROM installations ORDER BY id`)
		for i := range all {
			all[i].Repos = of[all[i].ID]
		}
		return err
	})
	return all, err
}

// Repositories returns the repositories of all installations without the suspended ones,
// sorted by id.
func (db *DB) Repositories(ctx context.Context) ([]Repo, error) {
	return list(ctx, db.conns, "list the repositories", repoFields,
		repoQuery+`WHERE installation NOT IN (SELECT id FROM installations WHERE suspended <> 0) ORDER BY id`)
}

// Owner returns the known installation of a repository, 0 for none.
func (db *DB) Owner(ctx context.Context, repo int64) (installation int64, err error) {
	err = db.conns.read(ctx, "find the installation of a repository", func(ctx context.Context, s statements) error {
		_, err := s.one(ctx, []any{&installation}, `SELECT installation FROM repositories WHERE id = ?`, repo)
		return err
	})
	return installation, err
}

const repoQuery = `SELECT installation, id, owner, name FROM repositories `

func repoFields(r *Repo) []any { return []any{&r.Installation, &r.ID, &r.Owner, &r.Name} }
