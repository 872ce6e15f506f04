package server

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store/database"
)

// spender knows the spending.
type spender interface {
	// Spent returns the cost of a repository since a time, or with 0 of an installation, or
	// with 0 for both of the server. Reservations of the task's own sessions do not count:
	// the task continues them.
	Spent(ctx context.Context, installation, repository, since int64, task string) (micro int64, unpriced bool, err error)
}

// allowanceOf returns the allowance of a job now: the rest of this month's limits. Owner is
// the id of the repository's owner. Within are the limits to check when a debate begins,
// after other spending.
func (s *serving) allowanceOf(ctx context.Context, repo database.Repo, owner int64, task string) (may cli.Allowance, within []database.Limit, err error) {
	if s.accounts == nil {
		return may, nil, nil
	}
	account, own, listed := s.accounts.Of(repo.Owner, owner, repo.Name)
	if other := s.accounts.Other(repo.Owner, owner); other != 0 {
		s.log.WarnContext(ctx, "the account is another than the one that is listed by this name, and counts as not listed", "account", repo.Owner, "id", owner, "listed", other)
	}
	if !listed {
		return cli.Allowance{Forbidden: debate.ForAccount, Refused: "the server's operator allows no models for " + repo.Owner + ": only the built-in rules read the change"}, nil, nil
	}
	now := s.env.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
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
			return may, nil, fmt.Errorf("read what was spent this month: %w", err)
		}
		within = append(within, database.Limit{Installation: limit.installation, Repo: limit.repoID, Since: month.UnixMilli(), Micro: int64(limit.most)})
		left := limit.most - config.USD(spent) // millionths, all three
		if left <= 0 {
			return cli.Allowance{Forbidden: debate.ForMoney, Refused: fmt.Sprintf("the %s US dollars of %s for %s are spent: only the built-in rules read the change until %s",
				limit.most, limit.of, month.Format("January"), month.AddDate(0, 1, 0).Format("2 January"))}, nil, nil
		}
		may.Most = min(left, cmp.Or(may.Most, left))
	}
	return may, within, nil
}
