package admin

import (
	"context"
	"fmt"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// installationsPage lists the installations of the App.
func (d *Dashboard) installationsPage(ctx context.Context, at part) (page, error) {
	all, err := d.Database.Installations(ctx)
	if err != nil {
		return page{}, fmt.Errorf("read the installations: %w", err)
	}
	found := slice(at, all)
	p := page{Title: "Installations", Sections: d.gapSections()}
	s := section{ID: "installations", Pager: at.pager(len(found))}
	if len(found) == 0 {
		s.Empty = d.uninstalled()
		p.Sections = append(p.Sections, s)
		return p, nil
	}
	p.Lead = "The App's installations, and the repositories it may see."
	t := &table{Caption: "Installations of the App", Head: []column{{Name: "Account"}, {Name: "Repositories", Number: true}, {Name: "State"}}}
	for _, i := range shown(found) {
		account := cell{Text: report.OneLine(i.Account), Sub: "installation " + strconv.FormatInt(i.ID, 10)}
		state := cell{Text: "active"}
		if i.Suspended {
			state = cell{Text: "suspended", Sub: "Nothing is reviewed until an owner of the account lets the App work again."}
		}
		t.add(account, cell{Text: number(int64(len(i.Repos)))}, state)
	}
	s.Table = t
	if len(p.Sections) > 0 {
		s.Title = "Accounts"
	}
	p.Sections = append(p.Sections, s)
	return p, nil
}

// gapSections lists the gaps; it is empty if there are none.
func (d *Dashboard) gapSections() []section {
	gaps := d.gaps()
	if len(gaps) == 0 {
		return nil
	}
	t := &table{Caption: "Permissions and events to change", Head: []column{{Name: "What"}, {Name: "Where to change it"}}}
	for _, g := range gaps {
		where := cell{Text: "in the settings of the App or the account"}
		if to := d.onGitHub(g.Link); to != "" {
			where = cell{Text: "Open its page on GitHub", URL: to, Away: true}
		}
		t.add(cell{Text: report.OneLine(g.Text)}, where)
	}
	return []section{{ID: "gaps", Title: "To change", Table: t}}
}

// maxGaps bounds the listed gaps.
const maxGaps = 100

// gaps returns the gaps, missing permissions first.
func (d *Dashboard) gaps() []Gap {
	if d.Gaps == nil {
		return nil
	}
	gaps := d.Gaps()
	surplus := lists.Keep(gaps, func(g Gap) bool { return !g.Missing })
	gaps = append(missing(gaps), surplus...)
	return gaps[:min(len(gaps), maxGaps)]
}

// missing returns the gaps that stop some of debate's work.
func missing(gaps []Gap) []Gap { return lists.Keep(gaps, func(g Gap) bool { return g.Missing }) }

// uninstalled is the advice if the App has no installation.
func (d *Dashboard) uninstalled() *empty {
	e := &empty{Text: "The App is installed nowhere yet.", Next: "Install it on an account or an organization, and choose the repositories that it may review."}
	if d.Install == nil {
		return e
	}
	if to := d.onGitHub(d.Install()); to != "" {
		e.Link = &tab{Text: "Install the App", URL: to}
	}
	return e
}
