package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/store/database"
)

// allowance is what one job may spend beside the limits of its settings.
type allowance struct {
	most      config.USD       // 0: no other limit
	refused   string           // why no model may be asked, in a sentence; "" if some may
	forbidden debate.Forbidden // the same as the record keeps it
	within    []database.Limit // that hold when a debate begins, whatever was spent meanwhile
}

// holdTo holds settings to the allowance. Where no model may be asked nobody takes part, and
// the review says why. A limit holds nothing where a price is not known: then none may be
// asked either.
func (p allowance) holdTo(set settings) (settings, error) {
	set.spendAtMost(p.most)
	if name := set.panel.unpriced(); p.refused == "" && p.most > 0 && name != "" {
		p.forbidden = debate.ForPrice
		p.refused = fmt.Sprintf("the price of %s is not known, so that the monthly limit could not hold: only the built-in rules read the change. Whoever runs this server can "+wantsPrice, name, name)
	}
	if p.refused == "" {
		return set, nil
	}
	set.notes, set.forbidden = append(set.notes, p.refused), p.forbidden
	err := set.panel.close()
	set.panel = panel{clients: map[string]engine.Client{}, access: map[string]string{}}
	return set, err
}

// unpriced is a model that takes part and whose price is not known, "" if there is none.
// Programs of this machine, which an operator alone can name, count as paid for.
func (p *panel) unpriced() string {
	for _, one := range able(p.parties) {
		served, _ := p.backends.providers.Find(one.Provider)
		if _, known := p.backends.prices.Of(one.Model); !known && !served.Command {
			return one.Model
		}
	}
	return ""
}

// spender knows what was spent.
type spender interface {
	// Spent is what a repository cost since a time, or with 0 all of an installation, or
	// with 0 for both all of the server. What sessions of the task have reserved does
	// not count: the task goes on with them.
	Spent(ctx context.Context, installation, repository, since int64, task string) (micro int64, unpriced bool, err error)
}

// allowanceOf is what a job of a repository may spend now: what is left this month of its
// limits. Owner is the number of the account that has the repository.
func (s *serving) allowanceOf(ctx context.Context, repo database.Repo, owner int64, task string) (allowance, error) {
	if s.accounts == nil {
		return allowance{}, nil
	}
	account, own, listed := s.accounts.Of(repo.Owner, owner, repo.Name)
	if other := s.accounts.Other(repo.Owner, owner); other != 0 {
		s.log.WarnContext(ctx, "the account is another than the one that is listed by this name, and counts as not listed", "account", repo.Owner, "id", owner, "listed", other)
	}
	if !listed {
		return allowance{forbidden: debate.ForAccount, refused: "whoever runs this server lets no models be asked for " + repo.Owner + ": only the built-in rules read the change"}, nil
	}
	month := monthOf(s.env.Now())
	var p allowance
	for _, limit := range []struct {
		of                   string
		installation, repoID int64
		most                 config.USD
	}{
		{"this repository", repo.Installation, repo.ID, own.MonthlyUSD},
		{"this account", repo.Installation, 0, account.MonthlyUSD},
		{"this server", 0, 0, s.accounts.MonthlyUSD},
	} {
		if limit.most == 0 {
			continue
		}
		spent, _, err := s.spent.Spent(ctx, limit.installation, limit.repoID, month.UnixMilli(), task)
		if err != nil {
			return allowance{}, fmt.Errorf("read what was spent this month: %w", err)
		}
		p.within = append(p.within, database.Limit{Installation: limit.installation, Repo: limit.repoID, Since: month.UnixMilli(), Micro: int64(limit.most)})
		left := limit.most - config.USD(spent) // millionths, all three
		if left <= 0 {
			return allowance{forbidden: debate.ForMoney, refused: fmt.Sprintf("the %s US dollars of %s for %s are spent: only the built-in rules read the change until %s",
				limit.most, limit.of, month.Format("January"), month.AddDate(0, 1, 0).Format("2 January"))}, nil
		}
		p.most = min(left, cmp.Or(p.most, left))
	}
	return p, nil
}

// monthOf is the beginning of the calendar month of a time, UTC.
func monthOf(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}
