package admin

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store/database"
)

// spendingPage shows the cost of a month by repository, model or pull request.
func (d *Dashboard) spendingPage(ctx context.Context, at part) (page, error) {
	now := d.Now().UTC()
	month, err := time.Parse("2006-01", cmp.Or(at.query.Get("month"), now.Format("2006-01")))
	if err != nil || month.Year() < 2000 || month.After(now) {
		return page{}, errBadQuery
	}
	by := database.SpendKey(cmp.Or(at.query.Get("by"), string(database.ByRepository)))
	to := func(month time.Time, by database.SpendKey) string {
		return "/spending?by=" + string(by) + "&month=" + month.Format("2006-01")
	}
	var tabs []tab
	known := false
	for _, one := range []struct {
		key  database.SpendKey
		text string
	}{{database.ByRepository, "By repository"}, {database.ByModel, "By model"}, {database.ByPull, "By pull request"}} {
		known = known || one.key == by
		tabs = append(tabs, tab{Text: one.text, URL: to(month, one.key), Here: one.key == by})
	}
	if !known {
		return page{}, errBadQuery
	}
	tabs = append(tabs, tab{Text: "Month before", URL: to(month.AddDate(0, -1, 0), by)})
	if next := month.AddDate(0, 1, 0); !next.After(now) {
		tabs = append(tabs, tab{Text: "Month after", URL: to(next, by)})
	}
	filter := database.SpendFilter{By: by, From: month.UnixMilli(), To: month.AddDate(0, 1, 0).UnixMilli(), Limit: pageRows + 1, Offset: at.offset()}
	found, err := d.Database.SpendBy(ctx, filter)
	if err != nil {
		return page{}, fmt.Errorf("read the costs: %w", err)
	}
	p := page{Title: "Spending in " + month.Format("January 2006"), Sections: []section{{ID: "spending", Tabs: tabs, Pager: at.pager(len(found))}}}
	s := &p.Sections[0]
	if len(found) == 0 {
		s.Empty = &empty{Text: "Nothing was spent.", Next: "Calls of models are counted here from the first review on.", Link: &tab{Text: "See what runs now", URL: "/"}}
		return p, nil
	}
	if p.Lead, err = d.spendTotal(ctx, filter); err != nil {
		return page{}, err
	}
	s.Table = d.spendTable(by, shown(found))
	return p, nil
}

// maxModels bounds the models in a total.
const maxModels = 1000

// spendTotal returns the cost of all calls of a month.
func (d *Dashboard) spendTotal(ctx context.Context, month database.SpendFilter) (string, error) {
	month.By, month.Offset, month.Limit = database.ByModel, 0, maxModels
	models, err := d.Database.SpendBy(ctx, month)
	if err != nil {
		return "", fmt.Errorf("add up the costs: %w", err)
	}
	var micro int64
	unpriced := false
	for _, row := range models {
		micro += row.Micro
		unpriced = unpriced || row.Unpriced
	}
	return "In all: " + report.Cost(report.USD(micro), unpriced) + ". The most expensive come first.", nil
}

func (d *Dashboard) spendTable(by database.SpendKey, list []database.Spend) *table {
	what := map[database.SpendKey]string{database.ByRepository: "Repository", database.ByModel: "Model", database.ByPull: "Pull request"}[by]
	t := &table{Caption: "What was spent", Head: []column{{Name: what}, {Name: "Calls", Number: true}, {Name: "Tokens in", Number: true}, {Name: "of them cached", Number: true}, {Name: "Tokens out", Number: true}, {Name: "Cost", Number: true}}}
	for _, row := range list {
		first := d.pull(row.Repo, row.Pull, "")
		if by == database.ByModel {
			first = cell{Text: report.OneLine(row.Model), Sub: report.OneLine(row.Provider)}
		}
		t.add(first, cell{Text: number(int64(row.Calls))}, cell{Text: number(row.TokensIn)}, cell{Text: number(row.TokensCached)}, cell{Text: number(row.TokensOut)}, dollars(row.Micro, row.Unpriced))
	}
	return t
}
