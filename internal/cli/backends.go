package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/model"
)

// backends makes clients. Those of one process share their connections, and
// those of one provider its limit.
type backends struct {
	providers model.Registry
	getenv    func(string) string
	limits    map[string]*model.Limit
	prices    model.Prices
	http      func() (*http.Client, error)
}

func newBackends(providers model.Registry, prices []config.Price, getenv func(string) string) *backends {
	var own []model.Price
	for _, p := range prices {
		own = append(own, model.Price{
			Model: strings.ToLower(p.Model), Input: int64(p.Input), Cached: int64(p.Cached), Output: int64(p.Output), // millionths, both
		})
	}
	return &backends{
		providers: providers,
		getenv:    getenv,
		prices:    providers.Prices().With(own...),
		limits:    make(map[string]*model.Limit),
		http:      sync.OnceValues(func() (*http.Client, error) { return model.HTTPClient(getenv("SSL_CERT_FILE")) }),
	}
}

// connect makes the client of a party. Nothing is asked.
func (b *backends) connect(one config.Party) (engine.Client, error) {
	p, known := b.providers.Find(string(one.Provider))
	if !known {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("there is no provider %q", one.Provider)}
	}
	o, err := b.options(p, one)
	if err != nil {
		return nil, err
	}
	asked, err := p.New(o)
	if err == nil && o.KeyName != "" && !p.Command {
		asked = keyedClient{asked, o.KeyName, o.Key != ""}
	}
	return asked, err
}

// options returns the settings of a party, completed by the environment and the provider's
// entry. A server at another address may need no key.
func (b *backends) options(p model.Provider, one config.Party) (model.Options, error) {
	o := model.Options{
		Model: b.modelOf(one), BaseURL: b.address(p, one), Effort: string(cmp.Or(one.Effort, config.HighEffort)), Idle: time.Duration(one.Timeout) * time.Second, Prices: b.prices,
		API: string(one.API), Command: texts(one.Command), KeyName: cmp.Or(one.APIKeyEnv, p.KeyName(b.getenv)), Getenv: b.getenv,
		Headers: texts(one.Headers), APIVersion: one.APIVersion, Region: one.Region, Project: one.Project,
	}
	o.Key = b.getenv(o.KeyName)
	wanted := len(p.Keys) > 0 && (p.Command || p.Placed || o.BaseURL == "")
	switch {
	case o.Key != "":
	case one.APIKeyEnv != "":
		return o, missingKey(p.Name, one.APIKeyEnv)
	case wanted:
		return o, missingKey(p.Name, strings.Join(p.Keys, " or "))
	}
	if p.Command {
		return o, nil
	}
	var err error
	if o.HTTP, err = b.http(); err != nil {
		return o, &model.Error{Class: debate.CallError, Detail: "the provider " + p.Name + " cannot be asked", Err: err}
	}
	if b.limits[p.Name] == nil {
		b.limits[p.Name] = p.NewLimit()
	}
	o.Limit = b.limits[p.Name]
	return o, nil
}

func missingKey(provider, names string) error {
	return &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("there is no key for the provider %s: %s is not set", provider, names)}
}

// modelOf returns the model of a party from the settings, else the provider's default; ""
// for a command.
func (b *backends) modelOf(one config.Party) string {
	p, _ := b.providers.Find(string(one.Provider))
	return cmp.Or(one.Model, p.Model)
}

// address returns the address of a party, "" for the provider's usual one.
func (b *backends) address(p model.Provider, one config.Party) string {
	if p.Address == "" {
		return one.BaseURL
	}
	return cmp.Or(one.BaseURL, b.getenv(p.Address))
}

// access describes a party for people: the variable of its key, if it is set, and an
// unusual address.
func (b *backends) access(one config.Party) string {
	p, _ := b.providers.Find(string(one.Provider))
	name, address := cmp.Or(one.APIKeyEnv, p.KeyName(b.getenv)), b.address(p, one)
	var said []string
	switch {
	case name == "":
	case b.getenv(name) == "":
		said = append(said, name+" is not set")
	default:
		said = append(said, name+" is set")
	}
	if address != "" {
		said = append(said, "at "+comment.Line(address))
	}
	return strings.Join(said, ", ")
}

// keyedClient adds the key's variable to the error of a refused key.
type keyedClient struct {
	engine.Client
	name string
	set  bool
}

// Ask implements engine.Client.
func (k keyedClient) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	response, err := k.Client.Ask(ctx, req)
	var failed *model.Error
	if errors.As(err, &failed) && failed.Class == debate.CallAuth {
		todo := "check " + k.name
		if !k.set {
			todo = k.name + " is not set"
		}
		err = &model.Error{Class: failed.Class, Detail: failed.Error() + "; " + todo}
	}
	return response, err
}
