package server

import (
	"context"

	"github.com/prdebate/debate/internal/bot/spans"
	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/store/database"
)

// keepFlight keeps a call before it is made.
type keepFlight func(ctx context.Context, f database.Flight) error

// watchedCalls stores and traces each call.
type watchedCalls struct {
	spans  *spans.Tracer // nil: nothing is traced
	depart keepFlight    // may be nil
}

// before is the client of a party with both before it.
func (w *watchedCalls) before(client engine.Client, asked cli.Asked) engine.Client {
	client = w.spans.Client(client, spans.Asked{Party: asked.ID, Provider: asked.Provider, Model: asked.Model})
	if w.depart != nil && !asked.Command {
		client = flightClient{client, asked, w.depart}
	}
	return client
}

// flightClient is a client that stores each call with its possible cost before the call: if the
// server dies, the call counts.
type flightClient struct {
	engine.Client
	asked  cli.Asked
	depart keepFlight
}

// Ask implements engine.Client.
func (d flightClient) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	may := d.asked.Prices.Estimate([]model.Planned{{Model: d.asked.Model, Bytes: req.Bytes()}})
	err := d.depart(ctx, database.Flight{Ask: req.Ask, Provider: d.asked.Provider, Model: d.asked.Model, Micro: may.High, Unpriced: len(may.Unknown) > 0})
	if err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "not asked: the database cannot keep that it was", Err: err}
	}
	return d.Client.Ask(ctx, req)
}
