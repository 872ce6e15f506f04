package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
)

// pagesAtOnce is how many pages a backup copies between two looks at its context.
const pagesAtOnce = 1000

// ErrNoBackup is the answer of a PostgreSQL database to a wish for a backup.
var ErrNoBackup = errors.New("a PostgreSQL database is backed up by its own tools: use pg_dump")

// Backup writes the content of a SQLite database at this moment to a new file, while others
// read and write. It never touches an existing file: the error is fs.ErrExist. The file
// appears only when it is whole and on disk. For a PostgreSQL database the error is
// ErrNoBackup.
func (db *DB) Backup(ctx context.Context, path string) error {
	if !db.conns.address.isFile() {
		return ErrNoBackup
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("back up to %s: %w", path, errors.Join(err, fs.ErrExist))
	}
	part := path + ".part"
	if err := makePart(part); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	err := copyPages(ctx, db.conns.reader, part)
	if err == nil {
		err = settle(part, path)
	}
	if err != nil {
		_ = os.Remove(part) // the first error says more
		return fmt.Errorf("back up to %s: %w", path, address{name: "sqlite:" + path}.classify(err))
	}
	return nil
}

// makePart makes an empty file for this user alone, and removes the rest of an interrupted
// backup.
func makePart(part string) error {
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// copyPages copies the database as one moment shows it, and checks the copy.
func copyPages(ctx context.Context, db *sql.DB, part string) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// A read transaction fixes the moment: without it every write of others would restart
	// the copy.
	if _, err := conn.ExecContext(ctx, "BEGIN DEFERRED"); err != nil {
		return err
	}
	defer func() { _, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") }() // nothing was changed
	if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(new(int)); err != nil {
		return err
	}
	err = conn.Raw(func(driver any) error {
		source, ok := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the driver makes no backups")
		}
		backup, err := source.NewBackup(part)
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = backup.Step(pagesAtOnce)
			}
		}
		return errors.Join(err, backup.Finish())
	})
	if err != nil {
		return err
	}
	return check(ctx, part)
}

// check reads a whole database and looks for damage.
func check(ctx context.Context, path string) error {
	copied, err := openHandle(path, 1)
	if err != nil {
		return err
	}
	var found string
	err = copied.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	if err == nil && found != "ok" {
		err = fmt.Errorf("the copy is damaged: %s", found)
	}
	return errors.Join(err, copied.Close())
}

// settle gives a whole file its name and makes both durable.
func settle(part, path string) error {
	f, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	_ = dir.Sync() // some file systems cannot
	return dir.Close()
}
