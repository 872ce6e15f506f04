package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

type dbCmd struct {
	Backup dbBackupCmd `cmd:"" help:"Copy an SQLite database to a file while the server runs."`
	Move   dbMoveCmd   `cmd:"" help:"Copy everything to another, empty database. Stop the server first."`
}

type dbBackupCmd struct {
	databaseFlag

	File string `arg:"" help:"The file to make. Protect it like the database: it quotes code, and has the key for the summaries."`
}

// Run makes the backup.
func (c *dbBackupCmd) Run(r *run) error {
	if r.Server == nil {
		return r.handOver()
	}
	from, err := r.Server.Backup(r, r.databaseAt(c.Database), r.path(c.File))
	switch {
	case errors.Is(err, fs.ErrExist):
		return usage(fmt.Errorf("cannot back up to %s: it exists; name a new file", c.File))
	case err != nil:
		return err
	}
	return r.say("Copied %s to %s.", from, c.File)
}

type dbMoveCmd struct {
	databaseFlag

	To string `required:"" placeholder:"URL" help:"The new database: postgres://... or sqlite:FILE."`
}

// Run moves the database.
func (c *dbMoveCmd) Run(r *run) error {
	if r.Server == nil {
		return r.handOver()
	}
	said, err := r.Server.Move(r, r.databaseAt(c.Database), r.databaseAt(c.To))
	if err != nil {
		return err
	}
	return r.say("%s", said)
}

// databaseFlag is the flag for reviews in a server's database.
type databaseFlag struct {
	Database string `placeholder:"URL" help:"The server's database: sqlite:FILE or postgres://... (default: DEBATE_DATABASE, else sqlite:debate.db)."`
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
