package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"

	"github.com/prdebate/debate/internal/bot/admin"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// pages returns the options of the operator's pages.
func pages(s *running, r *cli.Run, with credentials) (admin.Options, error) {
	key, err := s.db.SettingOnce(r.Context(), "form_key", rand.Text())
	return admin.Options{
		Database: s.db, Meter: with.meter, Wake: s.dispatcher.Wake,
		Ready: []admin.Check{{Name: "the database", Run: s.db.Ready}}, Render: cli.Page,
		Warning: with.warning, Proxy: with.proxy, Key: []byte(key),
		GitHub: cli.Web(r.Getenv), Version: cli.Version(), Secrets: with.hidden, Logger: s.log, Now: r.Now,
	}, err
}

// proxy returns the reverse proxy that signs people in.
func (f flags) proxy() (admin.Proxy, error) {
	p := admin.Proxy{Header: f.ProxyHeader}
	for _, text := range f.ProxyFrom {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return p, cli.Usage(fmt.Errorf("--proxy-from %s is no range of addresses: write it as 10.0.0.5/32", text))
		}
		p.From = append(p.From, prefix)
	}
	if (p.Header == "") != (len(p.From) == 0) {
		return p, cli.Usage(errors.New("--proxy-header and --proxy-from go together: a header counts only in requests from the proxy"))
	}
	return p, nil
}

// gaps are the latest known gaps of the App's permissions, and the address at which it is installed.
type gaps struct{ found, address atomic.Value }

func (g *gaps) install() string {
	address, _ := g.address.Load().(string)
	return address
}

func (g *gaps) list() []admin.Gap {
	list, _ := g.found.Load().([]admin.Gap)
	return list
}

// look updates the gaps. Accounts are those with models; nil: all.
func (g *gaps) look(ctx context.Context, app *gh.App, accounts *config.Server) error {
	registration, err := app.Registration(ctx)
	if err != nil {
		return err
	}
	g.address.Store(registration.URL + "/installations/new")
	installed, _, err := app.Installations(ctx)
	if err != nil {
		return err
	}
	var found []admin.Gap
	for _, one := range gh.Gaps(registration, installed) {
		found = append(found, admin.Gap{Text: one.Text, Link: one.Link, Missing: one.Missing})
	}
	g.found.Store(append(found, renamed(accounts, installed)...))
	return nil
}

// renamed returns the accounts with a name that the file lists for another account.
func renamed(accounts *config.Server, installed []gh.Installation) (found []admin.Gap) {
	if accounts == nil {
		return nil
	}
	for _, in := range installed {
		if other := accounts.Other(in.Account.Login, in.Account.ID); other != 0 {
			text := fmt.Sprintf("the account %s has the id %d, and the accounts file lists this name with the id %d: no model is asked for it", in.Account.Login, in.Account.ID, other)
			found = append(found, admin.Gap{Text: text, Missing: true})
		}
	}
	return found
}

// watcher puts the step of a job's review on the board, and counts its calls.
type watcher struct {
	board   *admin.Board
	meter   *meter.Meter
	session func() string
	models  map[string]string // by party
	at      admin.Step
}

// tell takes in one step of a review.
func (w *watcher) tell(p engine.Progress) {
	ask := p.Work.Ask
	if ask == nil {
		return
	}
	model := w.models[ask.Party]
	w.at.Text = strings.TrimSpace(report.CallNames[ask.Kind] + " " + model)
	if reply, is := p.Event.(debate.Replied); is {
		w.at.Calls++
		w.at.Micro += reply.Usage.CostMicro
		w.at.Unpriced = w.at.Unpriced || reply.Usage.CostUnknown
		w.meter.Call(model, reply.Status == debate.CallOK, reply.Usage)
	}
	w.board.Set(w.session(), w.at)
}
