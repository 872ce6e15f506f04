package database

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// AddressError reports an unusable address of a database.
type AddressError struct {
	Address string // without a password
	Why     string
}

func (e *AddressError) Error() string {
	return fmt.Sprintf("the database address %q cannot be used: %s; write sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/NAME", e.Address, e.Why)
}

// address is the place of a database: file or pool is set.
type address struct {
	file string          // path of a SQLite file, absolute
	pool *pgxpool.Config // of a PostgreSQL server
	name string          // for people, without a password
}

func (a address) isFile() bool { return a.file != "" }

// parseAddress reads "sqlite:PATH" or "postgres://...".
func parseAddress(raw string) (address, error) {
	scheme, rest, _ := strings.Cut(raw, ":")
	switch strings.ToLower(scheme) {
	case "sqlite":
		return parseFile(raw, rest)
	case "postgres", "postgresql":
		return parseServer(raw)
	}
	return address{}, &AddressError{Address: withoutPassword(raw), Why: "it names neither SQLite nor PostgreSQL"}
}

// parseFile reads the path of a SQLite file. It takes no parameters, because some make
// commits less durable.
func parseFile(raw, path string) (address, error) {
	path = strings.TrimPrefix(path, "//") // sqlite:///var/lib/debate.db
	why := ""
	switch {
	case path == "":
		why = "it names no file"
	case strings.HasPrefix(path, ":memory:"):
		why = "a database in memory forgets everything when the program ends"
	case strings.ContainsAny(path, "?#\x00"):
		why = "a path with ?, # or a zero byte is not supported"
	}
	if why != "" {
		return address{}, &AddressError{Address: raw, Why: why}
	}
	file, err := filepath.Abs(path)
	if err != nil {
		return address{}, fmt.Errorf("find the database file %s: %w", path, err)
	}
	return address{file: file, name: "sqlite:" + file}, nil
}

// spelling is advice about passwords in an address.
const spelling = "in a password write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23"

func parseServer(raw string) (address, error) {
	name := withoutPassword(raw)
	_, server, _ := strings.Cut(raw, "://")
	if end := strings.IndexAny(server, "/?"); end >= 0 {
		server = server[:end]
	}
	if strings.Count(server, "@") > 1 { // the driver would look up a part of the password as a host and print it
		return address{}, &AddressError{Address: name, Why: "it has more than one @; " + spelling}
	}
	pool, err := pgxpool.ParseConfig(raw)
	if err != nil { // its text may hold the password
		return address{}, &AddressError{Address: name, Why: "PostgreSQL's driver cannot read it; " + spelling}
	}
	return address{pool: pool, name: name}, nil
}

// withoutPassword returns an address for people. If it cannot be parsed, only the scheme
// remains.
func withoutPassword(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" && strings.Contains(u.Opaque, "@") {
		scheme, _, _ := strings.Cut(raw, ":")
		return scheme + ":..."
	}
	query := u.Query()
	if query.Has("password") {
		query.Set("password", "xxxxx")
		u.RawQuery = query.Encode()
	}
	return u.Redacted()
}
