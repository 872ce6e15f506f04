package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// open opens a database for a command.
func open(r *cli.Run, at string, o database.Options) (*database.DB, error) {
	o.Now = r.Now
	db, err := database.Open(r.Context(), at, o)
	var address *database.AddressError
	if errors.As(err, &address) || errors.Is(err, fs.ErrNotExist) {
		return nil, cli.Usage(err)
	}
	return db, err
}

// Record implements cli.Server.
func (App) Record(r *cli.Run, at, id string) (store.Record, error) {
	db, err := open(r, at, database.Options{ReadOnly: true})
	if err != nil {
		return store.Record{}, fmt.Errorf("look for the review %s: %w; name its database by --database or DEBATE_DATABASE, or name a file", id, err)
	}
	defer db.Close()
	rec, err := db.Record(r.Context(), id)
	if errors.Is(err, fs.ErrNotExist) {
		return store.Record{}, cli.Usage(fmt.Errorf("the database %s keeps no review %s", db.Address(), id))
	}
	return rec, err
}

// Backup implements cli.Server.
func (App) Backup(r *cli.Run, at, file string) (from string, err error) {
	db, err := open(r, at, database.Options{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.Backup(r.Context(), file)
	if errors.Is(err, database.ErrNoBackup) {
		err = cli.Usage(err)
	}
	return db.Address(), err
}

// Move implements cli.Server.
func (App) Move(r *cli.Run, at, target string) (said string, err error) {
	look, err := open(r, at, database.Options{ReadOnly: true}) // creates no database
	if err != nil {
		return "", err
	}
	if err := errors.Join(refuseAtWork(r.Context(), look, r.Now()), look.Close()); err != nil {
		return "", err
	}
	from, err := open(r, at, database.Options{})
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := open(r, target, database.Options{})
	if err != nil {
		return "", err
	}
	defer to.Close()
	rows := 0
	err = database.Move(r.Context(), from, to, func(table string, n int) {
		rows += n
		r.Progress("%s: %s", table, report.Count(n, "row"))
	})
	var full *database.NotEmptyError
	if errors.As(err, &full) {
		return "", cli.Usage(full)
	}
	return fmt.Sprintf("Copied %s from %s to %s. Start the server with the new address; the old database is as it was.",
		report.Count(rows, "row"), from.Address(), to.Address()), err
}

// refuseAtWork refuses a database with a running server: its later writes would be lost.
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
