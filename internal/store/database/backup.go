package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

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
	source, err := openHandle(db.conns.address.file, 1) // the readers may write no file at all
	if err == nil {
		_, err = source.ExecContext(ctx, "VACUUM INTO ?", part) // as one moment shows it
		err = errors.Join(err, source.Close())
	}
	if err == nil {
		err = check(ctx, part)
	}
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
