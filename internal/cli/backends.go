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
	"github.com/prdebate/debate/internal/model/agent"
	"github.com/prdebate/debate/internal/model/anthropic"
	"github.com/prdebate/debate/internal/model/exec"
	"github.com/prdebate/debate/internal/model/gemini"
	"github.com/prdebate/debate/internal/model/openai"
)

// service is a provider that is asked over the network, with the variables that
// its key and its address come from where the settings name none.
type service struct {
	provider, key, address string // key: "" for one that wants none
}

// services lists them in the order in which they join by themselves.
func services() []service {
	return []service{
		{"anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"},
		{"openai", "OPENAI_API_KEY", "OPENAI_BASE_URL"},
		{"gemini", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"},
		{"ollama", "", "OLLAMA_HOST"},
	}
}

// backends makes clients. Those of one process share their connections, and
// those of one provider its limit.
type backends struct {
	getenv func(string) string
	limits map[string]*model.Limit
	prices model.Prices
	http   func() (*http.Client, error)
}

func newBackends(prices []config.Price, getenv func(string) string) *backends {
	var own []model.Price
	for _, p := range prices {
		own = append(own, model.Price{
			Model: strings.ToLower(p.Model), Input: int64(p.Input), Cached: int64(p.Cached), Output: int64(p.Output), // millionths, both
		})
	}
	return &backends{
		getenv: getenv,
		prices: model.Prices{}.With(own...),
		limits: make(map[string]*model.Limit),
		http:   sync.OnceValues(func() (*http.Client, error) { return model.HTTPClient(getenv("SSL_CERT_FILE")) }),
	}
}

// connect makes the client of a party, and says which model it asks where that is
// not what the settings name. Nothing is asked.
func (b *backends) connect(one config.Party) (asked engine.Client, name string, err error) {
	if one.APIKeyEnv != "" && b.getenv(one.APIKeyEnv) == "" {
		return nil, "", missingKey(string(one.Provider), one.APIKeyEnv)
	}
	for _, s := range services() {
		if s.provider == string(one.Provider) {
			asked, err = b.service(s, one)
			return asked, "", err
		}
	}
	if one.Provider == "exec" {
		asked, err = b.command(one)
		return asked, "", err
	}
	a, err := agent.New(agent.Options{
		Agent: string(one.Provider), Model: one.Model, Effort: effort(one), KeyName: one.APIKeyEnv, BaseURL: one.BaseURL, Getenv: b.getenv,
		Prices: b.prices,
	})
	if err != nil {
		return nil, "", err
	}
	return a, a.Model(), nil
}

func missingKey(provider, name string) error {
	return &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("there is no key for the provider %s: %s is not set", provider, name)}
}

// access says which variable holds the key of a party, whether it is set, and at
// which address the party is asked if not at its provider's own; "" where that is
// not known here.
func (b *backends) access(one config.Party) string {
	name, address := one.APIKeyEnv, one.BaseURL
	for _, s := range services() {
		if s.provider == string(one.Provider) {
			name, address = cmp.Or(name, s.key), cmp.Or(address, b.getenv(s.address))
		}
	}
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

// effort is how hard a party thinks (S14).
func effort(one config.Party) string {
	if one.Effort == "" {
		return string(config.HighEffort)
	}
	return string(one.Effort)
}

// keyed names the variable of a key that was refused.
type keyed struct {
	engine.Client
	name string
}

// Ask implements engine.Client.
func (k keyed) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	response, err := k.Client.Ask(ctx, req)
	var failed *model.Error
	if errors.As(err, &failed) && failed.Class == debate.CallAuth {
		err = &model.Error{Class: failed.Class, Detail: failed.Error() + "; check " + k.name}
	}
	return response, err
}

// service makes the client of a provider that is asked over the network. A server
// at an address of its own may want no key.
func (b *backends) service(s service, one config.Party) (engine.Client, error) {
	asked, err := b.unkeyed(s, one)
	if name := cmp.Or(one.APIKeyEnv, s.key); name != "" && err == nil {
		asked = keyed{asked, name}
	}
	return asked, err
}

func (b *backends) unkeyed(s service, one config.Party) (engine.Client, error) {
	key := b.getenv(cmp.Or(one.APIKeyEnv, s.key))
	address := cmp.Or(one.BaseURL, b.getenv(s.address))
	if key == "" && address == "" && s.key != "" {
		return nil, missingKey(s.provider, s.key)
	}
	client, err := b.http()
	if err != nil {
		return nil, &model.Error{Class: debate.CallError, Detail: "the provider " + s.provider + " cannot be asked", Err: err}
	}
	if b.limits[s.provider] == nil {
		b.limits[s.provider] = model.LimitFor(s.provider)
	}
	o := model.Options{
		Model: one.Model, Key: key, BaseURL: address, Effort: effort(one), HTTP: client,
		Idle: time.Duration(one.Timeout) * time.Second, Limit: b.limits[s.provider], Prices: b.prices,
	}
	switch s.provider {
	case "anthropic":
		return anthropic.New(o)
	case "gemini":
		return gemini.New(o)
	}
	return openai.New(openai.Options{Options: o, Chat: one.API == "chat", Ollama: s.provider == "ollama"})
}

// command makes the client of a command of the operator.
func (b *backends) command(one config.Party) (engine.Client, error) {
	o := exec.Options{Getenv: b.getenv, Command: texts(one.Command)}
	if one.APIKeyEnv != "" {
		o.Keys = []string{one.APIKeyEnv}
	}
	return exec.New(o)
}
