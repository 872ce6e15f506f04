package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	_ "modernc.org/sqlite" // the driver
)

const (
	readers  = 4                     // connections of a SQLite file for reading
	askAgain = 20 * time.Millisecond // after others held it
)

// openFile opens the connections of a file. SQLite connects only when needed: so the reader
// finds the schema of the writer.
func (c *conns) openFile(ctx context.Context, o Options) (err error) {
	path := c.address.file
	c.rebind = asWritten
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return &AddressError{Address: c.address.name, Why: "it is a directory"}
	} else if err != nil && o.ReadOnly {
		return fmt.Errorf("open the database: %w", err)
	}
	if !o.ReadOnly {
		if err := makeFile(path); err != nil {
			return err
		}
		if c.writer, err = openHandle(path, 1, "_pragma=journal_mode(WAL)"); err != nil { // the file remembers it
			return err
		}
		if err = whileBusy(ctx, func() error { return c.writer.PingContext(ctx) }); err != nil {
			return fmt.Errorf("open the database: %w", err)
		}
	}
	if o.MigrateOnly {
		return nil
	}
	c.reader, err = openHandle(path, readers, "_pragma=query_only(1)")
	return err
}

// makeFile makes an empty database for this user alone, with the directories above it.
// SQLite gives its other files the rights of this one.
func makeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the directory of the database: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("make the database: %w", err)
	}
	return f.Close()
}

// openHandle opens a number of connections. Their commits survive a power cut.
func openHandle(path string, connections int, more ...string) (*sql.DB, error) {
	params := append([]string{
		"_txlock=immediate", // a late write lock could lose against another transaction
		"_error_rc=1",
		"_pragma=busy_timeout(5000)",
		"_pragma=synchronous(FULL)",
		"_pragma=fullfsync(1)", // without it macOS keeps synced data in the disk's own memory
		"_pragma=foreign_keys(1)",
		"_pragma=journal_size_limit(67108864)", // the log of one large change does not stay
	}, more...)
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive of Windows
	}
	file := url.URL{Scheme: "file", Path: slashed, RawQuery: strings.Join(params, "&")}
	handle, err := sql.Open("sqlite", file.String())
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	handle.SetMaxOpenConns(connections)
	handle.SetMaxIdleConns(connections)
	return handle, nil
}

// whileBusy repeats do while others hold the database. SQLite itself waits only briefly,
// and not at all if two programs would wait for each other: when both begin a new file.
func whileBusy(ctx context.Context, do func() error) error {
	try := func() (struct{}, error) {
		err := do()
		if cause, _ := causeOf(err); err != nil && cause != Busy {
			return struct{}{}, backoff.Permanent(err)
		}
		return struct{}{}, err
	}
	_, err := backoff.Retry(ctx, try, backoff.WithBackOff(backoff.NewConstantBackOff(askAgain)), backoff.WithMaxElapsedTime(answerWithin))
	return err
}
