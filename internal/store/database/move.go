package database

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// NotEmptyError reports rows in the target database of a move.
type NotEmptyError struct {
	Address string // without a password
	Table   string
}

func (e *NotEmptyError) Error() string {
	return fmt.Sprintf("database %s is not empty, its table %s has rows: name a new one", e.Address, e.Table)
}

// tableNames lists the tables in an order that allows to fill them.
var tableNames = []string{"deliveries", "tasks", "wishes", "sessions", "lines", "settings", "items", "spend", "flights", "months", "installations", "repositories", "nodes"}

// Move copies everything from one database to an empty one in one transaction: after a
// failure the target stays empty. The source is locked for writes meanwhile. Tell is called
// after each table; it may be nil.
func Move(ctx context.Context, from, to *DB, tell func(table string, rows int)) error {
	source, err := from.conns.freeze(ctx)
	if err != nil {
		return from.conns.wrap("read the database to move", err)
	}
	defer func() { _ = source.Rollback() }() // nothing was changed
	target, err := to.conns.writer.BeginTx(ctx, nil)
	if err != nil {
		return to.conns.wrap("write the moved database", err)
	}
	defer func() { _ = target.Rollback() }() // after a commit this does nothing
	for _, table := range tableNames {
		rows, err := moveTable(ctx, table, source, target, to)
		if err != nil {
			return to.conns.wrap("move the table "+table, err)
		}
		if tell != nil {
			tell(table, rows)
		}
	}
	return to.conns.wrap("write the moved database", target.Commit())
}

// freeze begins a transaction that blocks all other writers.
func (c *conns) freeze(ctx context.Context) (*sql.Tx, error) {
	tx, err := c.writer.BeginTx(ctx, nil)
	if err != nil || c.address.isFile() {
		return tx, err
	}
	if _, err := tx.ExecContext(ctx, "LOCK TABLE "+strings.Join(tableNames, ", ")+" IN SHARE MODE"); err != nil {
		_ = tx.Rollback() // the first error says more
		return nil, err
	}
	return tx, nil
}

// moveTable copies one table and compares how many rows both sides have.
func moveTable(ctx context.Context, table string, source, target *sql.Tx, to *DB) (int, error) {
	there, err := countRows(ctx, target, table)
	if err != nil {
		return 0, err
	}
	if there > 0 {
		return 0, &NotEmptyError{Address: to.conns.address.name, Table: table}
	}
	want, err := countRows(ctx, source, table)
	if err != nil {
		return 0, err
	}
	if err := copyRows(ctx, table, source, target, to.conns.rebind); err != nil {
		return 0, err
	}
	got, err := countRows(ctx, target, table)
	if err == nil && got != want {
		err = fmt.Errorf("%d rows arrived of %d", got, want)
	}
	return got, err
}

func copyRows(ctx context.Context, table string, source, target *sql.Tx, rebind func(query string) string) error {
	rows, err := source.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	insert, err := target.PrepareContext(ctx, rebind("INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")"))
	if err != nil {
		return err
	}
	defer insert.Close()
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// countRows counts the rows of a table.
func countRows(ctx context.Context, on *sql.Tx, table string) (n int, err error) {
	err = on.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n)
	return n, err
}
