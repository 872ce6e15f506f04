package cli

import (
	"context"

	"github.com/prdebate/debate/internal/bot/spans"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/store/database"
)

// departing keeps a call before it is made.
type departing func(ctx context.Context, f database.Flight) error

// watchedCalls is what a server keeps and traces of each call. The zero value does neither.
type watchedCalls struct {
	spans  *spans.Tracer // may be nil
	depart departing     // may be nil
}

// watch puts it before the clients of a panel.
func (w watchedCalls) watch(p panel) {
	for _, one := range p.parties {
		asked := p.clients[one.ID]
		if asked == nil {
			continue
		}
		if w.spans != nil {
			asked = w.spans.Client(asked, spans.Asked{Party: one.ID, Provider: one.Provider, Model: one.Model})
		}
		// What a program of this machine costs is paid elsewhere.
		if served, _ := p.backends.providers.Find(one.Provider); w.depart != nil && !served.Command {
			asked = departed{asked, one, p.backends.prices, w.depart}
		}
		p.clients[one.ID] = asked
	}
}

// departed is a client whose calls are kept, with what they may cost, before they are made:
// what was under way when the server ended counts all the same.
type departed struct {
	engine.Client
	party  debate.Party
	prices model.Prices
	depart departing
}

// Ask implements engine.Client.
func (d departed) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	may := d.prices.Estimate([]model.Planned{{Model: d.party.Model, Bytes: req.Bytes()}})
	err := d.depart(ctx, database.Flight{Ask: req.Ask, Provider: d.party.Provider, Model: d.party.Model, Micro: may.High, Unpriced: len(may.Unknown) > 0})
	if err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "not asked: the database cannot keep that it was", Err: err}
	}
	return d.Client.Ask(ctx, req)
}
