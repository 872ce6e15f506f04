package admin

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/prdebate/debate/internal/report"
)

// installationsPage lists where the App is installed.
func (d *Dashboard) installationsPage(r *http.Request) (page, error) {
	at, err := partOf(r)
	if err != nil {
		return page{}, err
	}
	all, err := d.Database.Installations(r.Context())
	if err != nil {
		return page{}, fmt.Errorf("read the installations: %w", err)
	}
	found := slice(at, all)
	p := page{Title: "Installations"}
	s := section{ID: "installations", Pager: at.pager(len(found))}
	if len(found) == 0 {
		s.Empty = d.uninstalled()
		p.Sections = []section{s}
		return p, nil
	}
	p.Lead = "Where the App is installed, and what it may see there."
	t := &table{Caption: "Installations of the App", Head: []column{{Name: "Account"}, {Name: "Repositories", Number: true}, {Name: "State"}}}
	for _, i := range shown(found) {
		account := cell{Text: report.OneLine(i.Account), Sub: "installation " + strconv.FormatInt(i.ID, 10)}
		state := cell{Text: "active"}
		if i.Suspended {
			state = cell{Text: "suspended", Sub: "Nothing is reviewed until somebody with rights on the account lets the App work again."}
		}
		t.add(account, cell{Text: number(int64(len(i.Repos)))}, state)
	}
	s.Table = t
	p.Sections = []section{s}
	return p, nil
}

// uninstalled is what to do where the App is installed nowhere.
func (d *Dashboard) uninstalled() *empty {
	e := &empty{Text: "The App is installed nowhere yet.", Next: "Install it on an account or an organization, and choose the repositories that it may review."}
	if to := d.onGitHub(d.Install); to != "" {
		e.Link = &tab{Text: "Install the App", URL: to}
	}
	return e
}
