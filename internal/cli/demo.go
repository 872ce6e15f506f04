package cli

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/tape"
)

var (
	//go:embed demo/change.patch
	demoChange []byte
	//go:embed demo/answers.json
	demoAnswers []byte // replies by the ids of their asks
)

// The texts of the demo.
const (
	demoTitle = "Take gift cards as payment"
	demoBody  = "Customers pay for an order with the code of a gift card."
	demoModel = "recorded" // in place of the name of a model
	demoNote  = "this is a recorded example: the change and the answers were written for it, and no model was asked"
	demoMore  = `
The same as a page: debate demo --quick --format html --output demo.html
Your own change: set an API key, then run debate review in a git repository`
)

type demoCmd struct {
	Quick   bool   `help:"Show the result at once, without the pace of a real debate."`
	Format  string `enum:"text,json,markdown,html,sarif,agent" default:"text" help:"Show the result as text, json, markdown, html, sarif, or agent: the open findings for a coding agent to fix."`
	Verbose bool   `short:"v" help:"Show everything, even if it does not fit on one screen."`
	Output  string `short:"o" placeholder:"FILE" help:"Write the result to this file."`
}

// Run plays a recorded debate. It reads no settings, key or repository, asks no model,
// keeps its record in memory, and ends with 0.
func (c *demoCmd) Run(r *run) error {
	o := debateRun{debateFlags: debateFlags{Output: c.Output, Verbose: c.Verbose}, format: c.Format, stops: "Ctrl-C stops"}
	if err := o.checkOutput(r); err != nil {
		return err
	}
	change, err := gitrepo.FromPatch(demoChange)
	if err != nil {
		return err
	}
	defer change.Close()
	if o.settings, err = r.demoSettings(c.Quick); err != nil {
		return err
	}
	change.Notes = nil                           // of a patch from somewhere
	r.Random = bytes.NewReader(make([]byte, 32)) // a recording has no dice to throw
	review, first, err := o.settings.reviewOf(r, change, debate.TargetAuto, demoBody)
	if err != nil {
		return err
	}
	o.review = review
	first.Anchor.Title = demoTitle
	r.progress("a recorded example: three models review a change of a shop")
	r.progress("no model is asked, and nothing leaves this machine")
	var log inMemory
	var shown []byte
	o.review.Log = &log
	o.review.Publish = func(_ context.Context, s debate.State) (_ []string, _ []debate.SinkFailed, err error) {
		shape := r.shape(o.Output, o.Verbose)
		shape.Recorded = true
		shown, err = render(envelopeOf(s, log), o.format, shape)
		return []string{"standard output"}, nil, err
	}
	r.watch(o, nil)
	_, err = o.review.Start(r.ctx, first)
	r.unwatch()
	if err != nil {
		return err
	}
	if err := r.emit(c.Output, shown); err != nil || c.Format != "text" || c.Output != "" {
		return err
	}
	return r.say("%s", demoMore)
}

// demoSettings returns the defaults with three recorded models. On a terminal they answer
// at the pace of real ones, unless quick is set.
func (r *run) demoSettings(quick bool) (settings, error) {
	var replies map[string]json.RawMessage
	if err := json.Unmarshal(demoAnswers, &replies); err != nil {
		return settings{}, fmt.Errorf("read the recorded answers: %w", err)
	}
	c := config.Default()
	c.Limits.MaxCostUSD = 0 // nothing is paid for
	c.Parties.Primary = &config.Party{ID: "claude", Provider: "anthropic", Family: "anthropic", Model: demoModel}
	c.Parties.Challengers = []config.Party{
		{ID: "gpt", Provider: "openai", Family: "openai", Model: demoModel},
		{ID: "gemini", Provider: "gemini", Family: "google", Model: demoModel},
	}
	set := settings{config: c, secrets: ownSecrets(r.Environ(), nil)}
	err := set.complete(r.Env, tape.Of(replies))
	set.notes = []string{demoNote}
	if !quick && !r.quiet && r.screen() != nil {
		for id, client := range set.panel.clients {
			set.panel.clients[id] = pacedClient{client, r.Wait}
		}
	}
	return set, err
}

// inMemory is a record in memory.
type inMemory []debate.Entry

// Append implements engine.Log.
func (m *inMemory) Append(e debate.Entry) error {
	*m = append(*m, e)
	return nil
}

// pacedClient is a model that waits with its answer, longer for a longer one: about ten seconds
// for the whole debate.
type pacedClient struct {
	engine.Client
	wait func(context.Context, time.Duration) error
}

// Ask implements engine.Client.
func (p pacedClient) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	response, err := p.Client.Ask(ctx, req)
	if err == nil {
		err = p.wait(ctx, time.Second+time.Duration(len(response.Text))*time.Millisecond)
	}
	return response, err
}
