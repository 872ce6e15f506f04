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
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store/database"
)

// serving is common to all reviews of a server.
type serving struct {
	env      cli.Env
	app      *gh.App
	accounts *config.Server    // limits of spending; nil: all accounts, up to the limits of the settings
	texts    map[string]string // operator's settings, by file name in accounts
	stateKey string            // seals the memory in summaries
	spent    spender
	meter    *meter.Meter
	board    *admin.Board
	spans    *spans.Tracer
	log      *slog.Logger
}

var _ bot.Bench = (*serving)(nil)

// Reviewer makes the reviewer of a repository for one job, signed in for it alone.
func (s *serving) Reviewer(ctx context.Context, repo database.Repo, task string) (bot.Reviewer, error) {
	client, err := s.app.Client(ctx, gh.InstalledRepo(repo), debate.SettingsFile)
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
		Allowance: may, Watch: calls.before, Tell: func(models map[string]string) func(engine.Progress) { watch.models = models; return watch.tell },
	}.Configure()
	watch.session = session
	return bot.Reviewer{
		Runner: &pull.Runner{Reader: client.Reader, Writer: client.Writer, Configure: configure, Now: s.env.Now},
		Within: within, Close: func() { s.board.End(session()) },
		Book: func(depart func(ctx context.Context, f database.Flight) error) { calls.depart = depart },
	}, nil
}

// nodeName returns the name of this server among those with the same database.
func nodeName(asked string) string {
	if asked != "" {
		return asked
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "debate"
}
