package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

type dbCmd struct {
	Backup dbBackupCmd `cmd:"" help:"Copy an SQLite database to a file while the server goes on."`
	Move   dbMoveCmd   `cmd:"" help:"Copy everything to another database, which has to be empty. Stop the server first."`
}

type dbBackupCmd struct {
	databaseFlag

	File string `arg:"" help:"The file to make. It holds what a debate quotes and the key that seals summaries: keep it as safe as the database."`
}

// Run makes the backup.
func (c *dbBackupCmd) Run(r *run) error {
	db, err := r.openDatabase(r.databaseAt(c.Database), database.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer db.Close()
	err = db.Backup(r.ctx, r.path(c.File))
	switch {
	case errors.Is(err, fs.ErrExist):
		return usage(fmt.Errorf("cannot back up to %s: it exists; name a new file", c.File))
	case errors.Is(err, database.ErrNoBackup):
		return usage(err)
	case err != nil:
		return err
	}
	return r.say("Copied %s to %s.", db.Address(), c.File)
}

type dbMoveCmd struct {
	databaseFlag

	To string `required:"" placeholder:"URL" help:"Where to: postgres://... or sqlite:FILE."`
}

// Run moves the database.
func (c *dbMoveCmd) Run(r *run) error {
	at := r.databaseAt(c.Database)
	look, err := r.openDatabase(at, database.Options{ReadOnly: true}) // makes none where none is
	if err != nil {
		return err
	}
	if err := errors.Join(refuseAtWork(r.ctx, look, r.Now()), look.Close()); err != nil {
		return err
	}
	from, err := r.openDatabase(at, database.Options{})
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := r.openDatabase(r.databaseAt(c.To), database.Options{})
	if err != nil {
		return err
	}
	defer to.Close()
	rows := 0
	err = database.Move(r.ctx, from, to, func(table string, n int) {
		rows += n
		r.progress("%s: %s", table, report.Count(n, "row"))
	})
	var full *database.NotEmptyError
	if errors.As(err, &full) {
		return usage(full)
	}
	if err != nil {
		return err
	}
	return r.say("Copied %s from %s to %s. Start the server with the new address; the old database is as it was.",
		report.Count(rows, "row"), from.Address(), to.Address())
}

// refuseAtWork refuses a database that a server works on: what it keeps behind the move
// would be lost.
func refuseAtWork(ctx context.Context, db *database.DB, now time.Time) error {
	servers, err := db.LiveNodes(ctx, now.Add(-durable.DeadAfter).UnixMilli())
	if err != nil {
		return err
	}
	if len(servers) > 0 {
		return fmt.Errorf("a server was at work on %s less than %s ago (%s): stop it, wait for as long, and move then",
			db.Address(), durable.DeadAfter.Round(time.Second), report.OneLine(strings.Join(servers, ", ")))
	}
	return nil
}
