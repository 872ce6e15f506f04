package admin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// The bounds of the count by model.
const (
	maxCounted    = 200 // reviews, the newest
	countedWithin = 6 * time.Second
)

// periods are the periods of the statistics, in days.
var periods = []int{7, 30, 90}

// statisticsPage shows the reviews by repository and the findings by model for a period.
func (d *Dashboard) statisticsPage(ctx context.Context, at part) (page, error) {
	period, err := strconv.Atoi(cmp.Or(at.query.Get("days"), "30"))
	if err != nil || !slices.Contains(periods, period) {
		return page{}, errBadQuery
	}
	var tabs []tab
	for _, n := range periods {
		tabs = append(tabs, tab{Text: days(n), URL: "/statistics?days=" + strconv.Itoa(n), Here: n == period})
	}
	since := d.Now().AddDate(0, 0, -period).UnixMilli()
	repos, err := d.Database.RepoStats(ctx, database.StatsFilter{Since: since, Limit: pageRows + 1, Offset: at.offset()})
	if err != nil {
		return page{}, fmt.Errorf("read the statistics of the repositories: %w", err)
	}
	models, counted, err := d.models(ctx, since)
	if err != nil {
		return page{}, err
	}
	p := page{Title: "Statistics", Sections: []section{{ID: "repositories", Title: "Repositories", Tabs: tabs, Pager: at.pager(len(repos))}}}
	byRepo := &p.Sections[0]
	if len(repos) == 0 {
		byRepo.Empty = &empty{Text: "No review ended in these days.", Next: "Choose a longer time, or wait for the next pull request.", Link: &tab{Text: "See all reviews", URL: "/reviews"}}
		return p, nil
	}
	p.Lead = "What was reviewed in the last " + days(period) + ", and which findings were confirmed. " + report.Severities + "."
	byRepo.Table = repoTable(shown(repos))
	if len(models) > 0 {
		p.Sections = append(p.Sections, section{
			ID: "models", Title: "Models", Table: modelTable(models),
			Note: fmt.Sprintf("Counted over the newest %s. A finding that several models reported counts once for each.", plural(counted, "review", "reviews")),
		})
	}
	return p, nil
}

func repoTable(list []database.RepoStats) *table {
	t := &table{Caption: "What was reviewed, by repository", Head: []column{{Name: "Repository"}, {Name: "Reviews", Number: true}, {Name: "Confirmed"}, {Name: "Calls", Number: true}, {Name: "Cost", Number: true}, {Name: "Average time", Number: true}}}
	for _, s := range list {
		average := time.Duration(s.Millis/int64(max(s.Reviews, 1))) * time.Millisecond
		t.add(
			cell{Text: name(s.Repo), URL: "/reviews?repository=" + strconv.FormatInt(s.Repo.ID, 10)},
			cell{Text: number(int64(s.Reviews))}, marks(s.P1, s.P2, s.P3), cell{Text: number(int64(s.Calls))}, dollars(s.Micro, s.Unpriced), cell{Text: lasted(average)},
		)
	}
	return t
}

// models counts the findings of models in the newest reviews since a moment, and those
// reviews.
func (d *Dashboard) models(ctx context.Context, since int64) ([]modelStats, int, error) {
	list, err := d.Database.Sessions(ctx, database.SessionFilter{Limit: maxCounted})
	if err != nil {
		return nil, 0, fmt.Errorf("read the reviews: %w", err)
	}
	ctx, done := context.WithTimeout(ctx, countedWithin)
	defer done()
	all := models{}
	counted := 0
	for _, s := range list {
		if s.Started < since {
			break
		}
		if v, known := d.verdicts.of(ctx, s); known {
			all.merge(v.models)
			counted++
		}
	}
	return all.list(), counted, nil
}

func modelTable(list []modelStats) *table {
	t := &table{Caption: "Findings and costs of models", Head: []column{
		{Name: "Model"}, {Name: "Reviews", Number: true}, {Name: "Findings", Number: true}, {Name: "Confirmed", Number: true}, {Name: "Disputed", Number: true},
		{Name: "Dismissed", Number: true}, {Name: "Calls", Number: true}, {Name: "Failed calls", Number: true}, {Name: "Cost", Number: true},
	}}
	for _, m := range list {
		row := []cell{{Text: report.OneLine(m.Model)}}
		for _, n := range []int{m.Reviews, m.Findings, m.Confirmed, m.Disputed, m.Dismissed, m.Calls, m.Failed} {
			row = append(row, cell{Text: number(int64(n))})
		}
		t.add(append(row, dollars(m.Micro, m.Unpriced))...)
	}
	return t
}
