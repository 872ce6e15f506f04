package database

import (
	"context"
	"fmt"
)

// Setting returns a stored value of the server, "" for none.
func (db *DB) Setting(ctx context.Context, name string) (value string, err error) {
	err = db.conns.read(ctx, "read the setting "+name, func(ctx context.Context, s statements) error {
		_, err := s.one(ctx, []any{&value}, `SELECT value FROM settings WHERE name = ?`, name)
		return err
	})
	return value, err
}

// SetSetting stores a text under a name.
func (db *DB) SetSetting(ctx context.Context, name, value string) error {
	if !isName(name) {
		return nameError("name of the setting")
	}
	if clean(value) != value {
		return fmt.Errorf("keep the setting %s: its value is no text", name)
	}
	return db.conns.change(ctx, "keep the setting "+name,
		`INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
}

// SettingOnce returns the stored value, or stores the given one if there is none. Servers
// that start together get the same value.
func (db *DB) SettingOnce(ctx context.Context, name, value string) (kept string, err error) {
	err = db.conns.write(ctx, "keep the setting "+name, func(ctx context.Context, s statements) error {
		if _, err := s.exec(ctx, `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
			return err
		}
		_, err := s.one(ctx, []any{&kept}, `SELECT value FROM settings WHERE name = ?`, name)
		return err
	})
	return kept, err
}
