package database

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	gooseTable "github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The bounds of the wait for another program's migration of the same server.
const (
	lockEvery = 1   // seconds
	lockTries = 120 // times
)

// migrate updates the schema of a database to the newest version. If several programs start
// at once, one migrates and the others wait.
func migrate(ctx context.Context, db *sql.DB, a address) error {
	guard, provider, err := newGuard(db, a)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if err = whileBusy(ctx, func() error { return guard.prepare(ctx, db) }); err == nil {
		_, err = provider.Up(ctx)
	}
	var newer *NewerSchemaError
	if errors.As(err, &newer) {
		return newer
	}
	if err = a.classify(err); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}

// checkSchema refuses an old schema.
func checkSchema(ctx context.Context, db *sql.DB, a address) error {
	guard, _, err := newGuard(db, a)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	found, err := guard.version(ctx, db)
	if err == nil && found < guard.know {
		err = &OlderSchemaError{Address: a.name, Found: max(found, 0), Need: guard.know}
	}
	return err
}

// guard holds a lock around all migrations, and refuses a schema of a newer program under
// it. In a SQLite file the lock is one transaction around all migrations: goose makes none
// of its own there.
type guard struct {
	lock.SessionLocker
	address address
	dialect goose.Dialect
	know    int64  // newest version
	tables  string // query that counts the tables of this name
}

func newGuard(db *sql.DB, a address) (*guard, *goose.Provider, error) {
	g := &guard{address: a, dialect: goose.DialectSQLite3,
		tables: "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + goose.DefaultTablename + "'"}
	if !a.isFile() {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockEvery, lockTries))
		if err != nil {
			return nil, nil, err
		}
		g.SessionLocker, g.dialect = locker, goose.DialectPostgres
		g.tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = '" + goose.DefaultTablename + "'"
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, nil, err
	}
	provider, err := goose.NewProvider(g.dialect, db, files, goose.WithDisableGlobalRegistry(true),
		goose.WithSessionLocker(g), goose.WithIsolateDDL(a.isFile()))
	if err != nil {
		return nil, nil, err
	}
	for _, source := range provider.ListSources() {
		g.know = max(g.know, source.Version)
	}
	return g, provider, nil
}

// prepare refuses a newer schema, which goose would ignore. In a SQLite file it also makes
// goose's own table: goose makes it outside of the lock, and a kill between its two
// statements would break every later start.
func (g *guard) prepare(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit this does nothing
	found, err := g.version(ctx, tx)
	if err != nil {
		return err
	}
	if g.address.isFile() && found == noTable {
		table, err := gooseTable.NewStore(g.dialect, goose.DefaultTablename)
		if err != nil {
			return err
		}
		if err := table.CreateVersionTable(ctx, tx); err != nil {
			return err
		}
		if err := table.Insert(ctx, tx, gooseTable.InsertRequest{Version: 0}); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// SessionLock waits for its turn and checks the version again.
func (g *guard) SessionLock(ctx context.Context, conn *sql.Conn) error {
	if err := g.begin(ctx, conn); err != nil {
		return err
	}
	if _, err := g.version(ctx, conn); err != nil {
		return errors.Join(err, g.SessionUnlock(ctx, conn))
	}
	return nil
}

func (g *guard) begin(ctx context.Context, conn *sql.Conn) error {
	if g.address.isFile() {
		return whileBusy(ctx, func() error {
			_, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE")
			return err
		})
	}
	return g.SessionLocker.SessionLock(ctx, conn)
}

// SessionUnlock commits the migrations of a SQLite file if all succeeded, else it rolls
// them back. In PostgreSQL each migration has its own transaction.
func (g *guard) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	if !g.address.isFile() {
		return g.SessionLocker.SessionUnlock(ctx, conn)
	}
	found, err := g.version(ctx, conn)
	if err == nil && found == g.know {
		_, err = conn.ExecContext(ctx, "COMMIT")
		return err
	}
	_, undone := conn.ExecContext(ctx, "ROLLBACK")
	return errors.Join(err, undone)
}

// noTable is the version of a database without goose's table.
const noTable = -1

// version returns the version of the schema. The error for a newer one is a
// *NewerSchemaError.
func (g *guard) version(ctx context.Context, on rowQuerier) (version int64, err error) {
	var tables int
	if err := on.QueryRowContext(ctx, g.tables).Scan(&tables); err != nil || tables == 0 {
		return noTable, err
	}
	err = on.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM "+goose.DefaultTablename).Scan(&version)
	if err == nil && version > g.know {
		err = &NewerSchemaError{Address: g.address.name, Found: version, Know: g.know}
	}
	return version, err
}

// rowQuerier is a connection or a transaction.
type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
