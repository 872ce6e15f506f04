// Package databasetest gives tests databases of their own: a SQLite file, and a database
// on a real PostgreSQL server.
package databasetest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// defaultServer is the server of the tests unless DEBATE_TEST_POSTGRES names another one.
const defaultServer = "postgres://postgres@localhost:5432/test"

// connections bounds those of one database: a server has a hundred for all tests.
const connections = "5"

// connectWithin bounds the look whether there is a server.
const connectWithin = 5 * time.Second

// SQLite is the address of a new file.
func SQLite(t testing.TB) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "debate.db")
}

// Postgres is the address of a new database, which is dropped when the test ends. The
// test is skipped where there is no server and none was promised.
func Postgres(t testing.TB) string {
	t.Helper()
	server := os.Getenv("DEBATE_TEST_POSTGRES")
	promised := server != ""
	if !promised {
		server = defaultServer
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil && promised {
		t.Fatalf("DEBATE_TEST_POSTGRES names a server that does not answer: %v", err)
	}
	if err != nil {
		t.Skipf("not tested with PostgreSQL: no server answers at %s; set DEBATE_TEST_POSTGRES to the address of one", defaultServer)
	}
	defer conn.Close(context.Background())
	name := newName(t)
	if _, err := conn.Exec(context.Background(), "CREATE DATABASE "+name); err != nil {
		t.Fatalf("make a database for the test: %v", err)
	}
	t.Cleanup(func() { drop(t, server, name) })
	at, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	at.Path = "/" + name
	query := at.Query()
	query.Set("pool_max_conns", connections)
	at.RawQuery = query.Encode()
	return at.String()
}

// newName is one that no other test has, in this program or another.
func newName(t testing.TB) string {
	var bits [8]byte
	if _, err := rand.Read(bits[:]); err != nil {
		t.Fatal(err)
	}
	return "debate_test_" + hex.EncodeToString(bits[:])
}

func drop(t testing.TB, server, name string) {
	conn, err := pgx.Connect(context.Background(), server)
	if err != nil {
		t.Errorf("drop the database of the test: %v", err)
		return
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
		t.Errorf("drop the database of the test: %v", err)
	}
}
