package cli

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/store"
)

// databaseFlag is the flag for reviews in a server's database.
type databaseFlag struct {
	Database string `placeholder:"URL" help:"The server's database: sqlite:FILE or postgres://...; DEBATE_DATABASE names it too. The default is sqlite:debate.db."`
}

// databaseAt returns the address of the server's database: from the flag, the environment,
// or a file in this directory.
func (r *run) databaseAt(flag string) string {
	at := cmp.Or(flag, r.Getenv("DEBATE_DATABASE"), "sqlite:debate.db")
	file, isFile := strings.CutPrefix(at, "sqlite:")
	if isFile && file != "" && !strings.HasPrefix(file, ":") && !strings.HasPrefix(file, "//") {
		return "sqlite:" + r.path(file)
	}
	return at
}

// sessionID is the form of a review's id at a server.
var sessionID = lazyregexp.New(`^debate-[0-9]{8}-[0-9]{6}-[0-9]+$`)

// isKept reports whether a name is the id of a review in a database, and not a file.
func (r *run) isKept(name string) bool { return sessionID().MatchString(name) && !exists(r.path(name)) }

// readRecord reads a record from a file, or from the server's database by its id.
func (r *run) readRecord(name, flag string) (store.Record, error) {
	switch {
	case !r.isKept(name):
		return store.Read(r.path(name))
	case r.Server == nil:
		return store.Record{}, r.handOver()
	}
	return r.Server.Record(r, r.databaseAt(flag), name)
}
