package server

import (
	"context"
	"log/slog"
	"os"

	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/bot/admin"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/bot/spans"
	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store/database"
)

// serving is what the reviews of a server have in common.
type serving struct {
	env      cli.Env
	app      *gh.App
	accounts *config.Server    // who may spend what; nil: all may, up to the limits of the settings
	texts    map[string]string // operator's settings by the file that an account names
	stateKey string            // seals what a summary remembers
	spent    spender
	meter    *meter.Meter
	board    *admin.Board
	spans    *spans.Tracer
	log      *slog.Logger
}

var _ bot.Bench = (*serving)(nil)

// Reviewer makes the reviewer of a repository for one job, signed in for it alone.
func (s *serving) Reviewer(ctx context.Context, repo database.Repo, task string) (bot.Reviewer, error) {
	client, err := s.app.Client(ctx, gh.InstalledRepo(repo), cli.RepositoryConfig)
	if err != nil {
		return bot.Reviewer{}, err
	}
	may, within, err := s.allowanceOf(ctx, repo, client.OwnerID, task)
	if err != nil {
		return bot.Reviewer{}, err
	}
	calls, watch := &watchedCalls{spans: s.spans}, &watcher{board: s.board, meter: s.meter}
	configure, session := cli.Hosting{
		Env: s.env, StateKey: s.stateKey, Accounts: s.accounts, Settings: s.texts,
		Owner: repo.Owner, OwnerID: client.OwnerID, Name: repo.Name,
		Allowance: may, Watch: calls.before, Tell: watch.of,
	}.Configure()
	watch.session = session
	return bot.Reviewer{
		Runner: &pull.Runner{Reader: client.Reader, Writer: client.Writer, Configure: configure, Now: s.env.Now},
		GitHub: client.Reader, Within: within, Close: watch.end,
		Book: func(depart func(ctx context.Context, f database.Flight) error) { calls.depart = depart },
	}, nil
}

// nodeName is how this server is called among those that share a database.
func nodeName(asked string) string {
	if asked != "" {
		return asked
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "debate"
}
