package database

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// querier is a transaction, or a handle with one transaction for each statement.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// statements runs statements with ? as the placeholder.
type statements struct {
	on     querier
	rebind func(query string) string
}

// exec returns how many rows a statement changed.
func (s statements) exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := s.on.ExecContext(ctx, s.rebind(query), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// rows returns the rows of a query. Fields are the places of a row's columns; a truth value
// is a number, 1 or 0.
func rows[T any](ctx context.Context, s statements, fields func(row *T) []any, query string, args ...any) (all []T, err error) {
	found, err := s.on.QueryContext(ctx, s.rebind(query), args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var row T
		if err := found.Scan(fields(&row)...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, found.Err()
}

// list returns the rows of one query.
func list[T any](ctx context.Context, c *conns, doing string, fields func(row *T) []any, query string, args ...any) (all []T, err error) {
	err = c.read(ctx, doing, func(ctx context.Context, s statements) (err error) {
		all, err = rows(ctx, s, fields, query, args...)
		return err
	})
	return all, err
}

// one scans the only row of a query. It reports whether there was one.
func (s statements) one(ctx context.Context, into []any, query string, args ...any) (found bool, err error) {
	all, err := rows(ctx, s, func(*struct{}) []any { return into }, query, args...)
	return len(all) > 0, err
}

// conditions are the conditions of a WHERE clause.
type conditions struct {
	all  []string
	args []any
}

func (c *conditions) add(condition string, args ...any) {
	c.all = append(c.all, condition)
	c.args = append(c.args, args...)
}

func (c *conditions) where() string {
	if len(c.all) == 0 {
		return ""
	}
	return "WHERE " + strings.Join(c.all, " AND ")
}

// asWritten leaves ? as it is, as SQLite wants it.
func asWritten(query string) string { return query }

// numbered turns each ? into $1, $2 and so on for PostgreSQL. In this package ? is always a
// placeholder.
func numbered(query string) string {
	var b strings.Builder
	parts := strings.Split(query, "?")
	for i, part := range parts {
		b.WriteString(part)
		if i < len(parts)-1 {
			b.WriteString("$" + strconv.Itoa(i+1))
		}
	}
	return b.String()
}
