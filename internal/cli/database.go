package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// databaseFlag is the flag of commands that work on what a server keeps.
type databaseFlag struct {
	Database string `placeholder:"URL" help:"The server's database: sqlite:FILE or postgres://...; DEBATE_DATABASE names it too. The default is sqlite:debate.db."`
}

// databaseAt is the address of the server's database: that of a flag, or of the
// environment, or a file in this directory.
func (r *run) databaseAt(flag string) string {
	at := cmp.Or(flag, r.Getenv("DEBATE_DATABASE"), "sqlite:debate.db")
	file, isFile := strings.CutPrefix(at, "sqlite:")
	if isFile && file != "" && !strings.HasPrefix(file, ":") && !strings.HasPrefix(file, "//") {
		return "sqlite:" + r.path(file)
	}
	return at
}

// openDatabase opens a database for a command.
func (r *run) openDatabase(at string, o database.Options) (*database.DB, error) {
	o.Now = r.Now
	db, err := database.Open(r.ctx, at, o)
	var address *database.AddressError
	if errors.As(err, &address) || errors.Is(err, fs.ErrNotExist) {
		return nil, usage(err)
	}
	return db, err
}

// sessionID is the form of the id of a review that a server keeps.
var sessionID = lazyregexp.New(`^debate-[0-9]{8}-[0-9]{6}-[0-9]+$`)

// isKept reports whether a name is the id of a review in a database, and not a file.
func (r *run) isKept(name string) bool { return sessionID().MatchString(name) && !exists(r.path(name)) }

// readRecord reads a record: a file, or a review that a server keeps, by its id.
func (r *run) readRecord(name, flag string) (store.Record, error) {
	if !r.isKept(name) {
		return store.Read(r.path(name))
	}
	db, err := r.openDatabase(r.databaseAt(flag), database.Options{ReadOnly: true})
	if err != nil {
		return store.Record{}, fmt.Errorf("look for the review %s: %w; name its database by --database or DEBATE_DATABASE, or name a file", name, err)
	}
	defer db.Close()
	rec, err := db.Record(r.ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return store.Record{}, usage(fmt.Errorf("the database %s keeps no review %s", db.Address(), name))
	}
	return rec, err
}
