package server

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/store/database"
)

// spentSums are what was spent: of a repository, of an account, of all.
type spentSums [3]config.USD

func (s spentSums) Spent(_ context.Context, installation, repository, since int64, _ string) (int64, bool, error) {
	if since != time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).UnixMilli() {
		return 0, false, context.DeadlineExceeded
	}
	switch {
	case repository != 0:
		return int64(s[0]), false, nil
	case installation != 0:
		return int64(s[1]), false, nil
	}
	return int64(s[2]), false, nil
}

func TestAllowance(t *testing.T) {
	t.Parallel()
	taken := &config.Server{Accounts: []config.Account{{Name: "acme", ID: 4}}}
	accounts := &config.Server{MonthlyUSD: 100 * config.Dollar, Accounts: []config.Account{
		{Name: "acme", MonthlyUSD: 50 * config.Dollar, Repositories: []config.OwnRepository{{Name: "shop", MonthlyUSD: 10 * config.Dollar}}},
	}}
	tests := []struct {
		name, owner, repo string
		accounts          *config.Server
		spent             spentSums
		most              config.USD
		refused           string
	}{
		{name: "nobody set a limit", owner: "acme", repo: "shop"},
		{name: "nothing was spent", accounts: accounts, owner: "acme", repo: "shop", most: 10 * config.Dollar},
		{name: "the narrowest of three counts", accounts: accounts, owner: "acme", repo: "shop", spent: spentSums{3 * config.Dollar, 46 * config.Dollar, 99 * config.Dollar}, most: config.Dollar},
		{name: "of a repository without a limit of its own", accounts: accounts, owner: "Acme", repo: "till", spent: spentSums{9, 48 * config.Dollar, 49 * config.Dollar}, most: 2 * config.Dollar},
		{name: "the repository's is spent", accounts: accounts, owner: "acme", repo: "shop", spent: spentSums{10 * config.Dollar}, refused: "the 10.00 US dollars of this repository for November are spent"},
		{name: "the account's is spent", accounts: accounts, owner: "acme", repo: "till", spent: spentSums{0, 51 * config.Dollar}, refused: "the 50.00 US dollars of this account"},
		{name: "the server's is spent", accounts: accounts, owner: "acme", repo: "till", spent: spentSums{0, 0, 100 * config.Dollar}, refused: "until 1 December"},
		{name: "an account that took the name of another", accounts: taken, owner: "acme", repo: "shop", refused: "allows no models for acme"},
		{name: "an account that is not listed", accounts: accounts, owner: "evil", repo: "shop", refused: "allows no models for evil"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			s := &serving{
				env: cli.Env{Now: func() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }}, accounts: tt.accounts, spent: tt.spent,
				log: slog.New(slog.NewTextHandler(&log, nil)),
			}
			got, within, err := s.allowanceOf(t.Context(), database.Repo{Installation: 1, ID: 2, Owner: tt.owner, Name: tt.repo}, 5, "2/pull/7")
			if err != nil {
				t.Fatal(err)
			}
			if got.Most != tt.most || (got.Refused == "") != (tt.refused == "") || !strings.Contains(got.Refused, tt.refused) {
				t.Errorf("allowance %+v, want %s and %q", got, tt.most, tt.refused)
			}
			if (len(within) > 0) != (got.Most > 0) {
				t.Errorf("a debate begins within %v", within)
			}
			if took := tt.accounts == taken; took != strings.Contains(log.String(), "account=acme id=5 listed=4") {
				t.Errorf("the log says %q", log.String())
			}
			want := debate.Forbidden("")
			if tt.refused != "" {
				want = debate.ForMoney
			}
			if strings.Contains(tt.refused, "allows no models") {
				want = debate.ForAccount
			}
			if got.Forbidden != want {
				t.Errorf("forbidden for %q, want %q", got.Forbidden, want)
			}
		})
	}
}

// TestRenamed: the dashboard tells of an account that took a name by which another is listed.
func TestRenamed(t *testing.T) {
	t.Parallel()
	accounts := &config.Server{Accounts: []config.Account{{Name: "acme", ID: 4}, {Name: "mona"}}}
	installed := []gh.Installation{{Account: gh.Owner{Login: "Acme", ID: 5}}, {Account: gh.Owner{Login: "mona", ID: 6}}}
	if found := renamed(accounts, installed); len(found) != 1 || !strings.Contains(found[0].Text, "the account Acme has the id 5, and the accounts file lists this name with the id 4") {
		t.Errorf("it tells of %v", found)
	}
	installed[0].Account.ID = 4
	if found := append(renamed(accounts, installed), renamed(nil, installed)...); len(found) != 0 {
		t.Errorf("it tells of %v", found)
	}
}

// TestDeparted: a call is kept with what it may cost before it is made, and not made where
// it cannot be kept.
func TestDeparted(t *testing.T) {
	t.Parallel()
	var kept []database.Flight
	var broken error
	asked := 0
	d := flightClient{
		Client: answeringWith(func() { asked++ }),
		asked:  cli.Asked{Party: debate.Party{ID: "gpt", Provider: "openai", Model: "gpt-5"}, Prices: cli.System().Providers.Prices()},
		depart: func(_ context.Context, f database.Flight) error {
			if asked != 0 {
				t.Error("it was kept after it was made")
			}
			kept = append(kept, f)
			return broken
		},
	}
	if _, err := d.Ask(t.Context(), model.Request{Ask: "OPEN/1/gpt", Packet: strings.Repeat("a", 3000)}); err != nil || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	if f := kept[0]; f.Ask != "OPEN/1/gpt" || f.Model != "gpt-5" || f.Provider != "openai" || f.Micro <= 0 || f.Unpriced {
		t.Errorf("kept %+v", f)
	}
	asked, broken = 0, errors.New("away")
	if _, err := d.Ask(t.Context(), model.Request{}); err == nil || asked != 0 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

type answeringWith func()

func (a answeringWith) Ask(context.Context, model.Request) (model.Response, error) {
	a()
	return model.Response{}, nil
}
