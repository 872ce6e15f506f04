package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/store/database"
)

// Tenants stores the installations of the App and their repositories.
type Tenants interface {
	Installations(ctx context.Context) ([]database.Installation, error)
	// PutInstallation stores an installation. Nil fields stay unchanged.
	PutInstallation(ctx context.Context, i database.Installation) error
	ChangeRepositories(ctx context.Context, installation int64, added []database.Repo, removed []int64) error
	RemoveInstallation(ctx context.Context, id int64) error
}

// keepChange stores a change of an installation.
func keepChange(ctx context.Context, tenants Tenants, change event.Installed) error {
	if change.Gone {
		return tenants.RemoveInstallation(ctx, change.ID)
	}
	err := tenants.PutInstallation(ctx, database.Installation{ID: change.ID, Account: change.Account, Suspended: change.Suspended})
	if err != nil {
		return err
	}
	added := lists.Map(change.Added, func(r event.Repository) database.Repo {
		return database.Repo{Installation: change.ID, ID: r.ID, Owner: r.Owner, Name: r.Name}
	})
	removed := lists.Map(change.Removed, func(r event.Repository) int64 { return r.ID })
	return tenants.ChangeRepositories(ctx, change.ID, added, removed)
}

// AppList is the App as GitHub knows it.
type AppList interface {
	// Installations and Repositories say whether there are more than they list.
	Installations(ctx context.Context) (list []gh.Installation, more bool, err error)
	Repositories(ctx context.Context, installation int64) (list []gh.InstalledRepo, more bool, err error)
}

// ReadInstallations reads the installations from GitHub and forgets removed ones: this
// replaces lost events.
func ReadInstallations(ctx context.Context, app AppList, tenants Tenants, log *slog.Logger) error {
	list, more, err := app.Installations(ctx)
	if err != nil {
		return err
	}
	known, err := tenants.Installations(ctx)
	if err != nil {
		return err
	}
	there := make(map[int64]bool)
	var failed []error
	for _, i := range list {
		there[i.ID] = true
		failed = append(failed, readInstallation(ctx, app, tenants, i, log))
	}
	for _, i := range known {
		if !there[i.ID] && !more {
			log.InfoContext(ctx, "installation is gone", "installation", i.ID)
			failed = append(failed, tenants.RemoveInstallation(ctx, i.ID))
		}
	}
	return errors.Join(failed...)
}

func readInstallation(ctx context.Context, app AppList, tenants Tenants, i gh.Installation, log *slog.Logger) error {
	keep := database.Installation{ID: i.ID, Account: i.Account.Login, Suspended: i.Suspended != nil}
	if keep.Suspended { // it tells nothing of its repositories
		return tenants.PutInstallation(ctx, keep)
	}
	repos, more, err := app.Repositories(ctx, i.ID)
	if err != nil {
		return fmt.Errorf("read the repositories of installation %d: %w", i.ID, err)
	}
	if more {
		log.WarnContext(ctx, "only the first repositories of an installation are swept; deliveries count for all", "installation", i.ID, "listed", len(repos))
	}
	keep.Repos = []database.Repo{}
	for _, r := range repos {
		keep.Repos = append(keep.Repos, database.Repo(r))
	}
	return tenants.PutInstallation(ctx, keep)
}
