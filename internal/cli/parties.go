package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/tape"
	"github.com/prdebate/debate/internal/report"
)

// panel is the table of parties and a client for each available one. Its clients share their
// connections, and those of one provider its limit.
type panel struct {
	parties    []debate.Party
	clients    map[string]engine.Client // by party id
	sameFamily bool                     // it has no choice but to debate within one family
	access     map[string]string        // by party id: the variable of its key and an unusual address, for people
	files      []string                 // ids of the parties with programs that get files of the repository
	tape       *tape.Tape               // between the engine and the clients; may be nil

	providers model.Registry
	getenv    func(string) string
	prices    model.Prices
	limits    map[string]*model.Limit // by provider
	http      func() (*http.Client, error)
}

// newPanel is a panel without parties.
func newPanel(providers model.Registry, prices []config.Price, getenv func(string) string) panel {
	var own []model.Price
	for _, p := range prices {
		own = append(own, model.Price{
			Model: strings.ToLower(p.Model), Input: int64(p.Input), Cached: int64(p.Cached), Output: int64(p.Output), // millionths, both
		})
	}
	return panel{
		clients: map[string]engine.Client{}, access: map[string]string{}, limits: map[string]*model.Limit{},
		providers: providers, getenv: getenv, prices: providers.Prices().With(own...),
		http: sync.OnceValues(func() (*http.Client, error) { return model.HTTPClient(getenv("SSL_CERT_FILE")) }),
	}
}

// participants seats the parties of the settings, or without any the providers with a key, in
// their order: the first as primary, and a single family with itself in a fresh context. Then it
// seats the judges and an arbiter. An absent party stays in the table with the reason. If a
// tape plays, the parties on the tape take part, with or without keys.
func participants(c config.Config, providers model.Registry, getenv func(string) string, recorded *tape.Tape) (panel, error) {
	p := newPanel(providers, c.Prices, getenv)
	p.tape = recorded
	if c.Parties.Primary == nil && len(c.Parties.Challengers) == 0 {
		var all []config.Party
		for _, one := range providers {
			joins := one.Joins && getenv(one.KeyName(getenv)) != ""
			if p.plays() {
				joins = one.Joins && p.tape.Has(one.Called())
			}
			if joins {
				all = append(all, config.Party{ID: one.Called(), Provider: config.Provider(one.Name)})
			}
		}
		if len(all) == 1 {
			all = append(all, config.Party{ID: all[0].ID + "-2", Provider: all[0].Provider})
		}
		if len(all) > 0 {
			c.Parties.Primary, c.Parties.Challengers = &all[0], all[1:]
			p.sameFamily = !slices.ContainsFunc(all, func(one config.Party) bool { return p.family(one) != p.family(all[0]) })
		}
	}
	if c.Parties.Primary != nil {
		p.seat(c.Parties.PrimaryName(), debate.Primary, *c.Parties.Primary)
	}
	for _, one := range c.Parties.Challengers {
		p.seat(one.Name(), debate.Challenger, one)
		if p.sameFamily {
			p.parties[len(p.parties)-1].Persona = "skeptic"
		}
	}
	debaters := slices.Clone(p.parties)
	if err := p.seatJudges(c.Parties.Judges, debaters); err != nil {
		return panel{}, err
	}
	// The arbiter is that of the settings, else the last available challenger in a fresh
	// context (R157).
	if c.Parties.Arbiter != nil {
		p.seat(string(debate.Arbiter), debate.Arbiter, *c.Parties.Arbiter)
	} else if from := available(debaters); len(from) > 1 {
		p.seatServed(string(debate.Arbiter), debate.Arbiter, from[len(from)-1])
	}
	return p, nil
}

func (p *panel) plays() bool { return p.tape != nil && p.tape.Plays() }

func (p *panel) family(one config.Party) string {
	if name := strings.ToLower(strings.TrimSpace(one.Family)); name != "" {
		return name
	}
	return p.providers.Family(string(one.Provider), p.modelOf(one))
}

// askForFamilies asks the user for the families of unknown models.
func (p *panel) askForFamilies() []string {
	var said []string
	for _, one := range available(p.parties) {
		if one.Debater == "" && one.Family == model.UnknownFamily {
			said = append(said, one.ID+": "+wantsFamily)
		}
	}
	return said
}

// wantsFamily is the advice about an unknown model.
const wantsFamily = "the maker of its model is not known, so it counts as of the same maker as others like it: write family for this party, such as family: openai"

// seat puts a party into the table and makes its client; a recording tape wraps it, and a playing
// tape replaces it. Nothing is asked and no connection opened.
func (p *panel) seat(id string, role debate.Role, one config.Party) {
	from, _ := p.providers.Find(string(one.Provider))
	key, address := cmp.Or(one.APIKeyEnv, from.KeyName(p.getenv)), p.address(from, one)
	var access []string
	switch {
	case key == "":
	case p.getenv(key) == "":
		access = append(access, key+" is not set")
	default:
		access = append(access, key+" is set")
	}
	if address != "" {
		access = append(access, "at "+comment.Line(address))
	}
	p.access[id] = strings.Join(access, ", ")
	seated := debate.Party{
		ID: id, Role: role, Provider: string(one.Provider), Model: p.modelOf(one), Family: p.family(one),
		TimeoutS: cmp.Or(int(one.Timeout), int(from.Timeout/time.Second)), Status: debate.PartyOK,
	}
	if !from.Command {
		seated.Key = key
	}
	if one.Files && !p.plays() {
		p.files = append(p.files, id)
	}
	var asked engine.Client
	var err error
	switch {
	case !p.plays():
		if asked, err = p.connect(one); err == nil && p.tape != nil {
			asked = p.tape.Client(id, asked)
		}
	case p.tape.Has(id):
		asked = p.tape.Client(id, nil)
	default:
		err = &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("the tape has no answer of %s (%s)", id, one.Provider)}
	}
	if failed := model.Classify(err); failed != nil {
		seated.Status, seated.Detail = debate.PartyError, failed.Error()
		if failed.Class == debate.CallNotFound || failed.Class == debate.CallAuth { // no request was made yet, so no key was refused
			seated.Status = debate.PartyNotFound
		}
	} else {
		p.clients[id] = asked
	}
	p.parties = append(p.parties, seated)
}

// seatJudges deals the three stances to the debaters of the settings, else to all available
// ones (R178). There are no judges with fewer than two debaters.
func (p *panel) seatJudges(judges *config.Judges, debaters []debate.Party) error {
	var from []debate.Party
	if judges == nil {
		from = available(debaters)
	} else {
		for _, name := range judges.From {
			i := slices.IndexFunc(debaters, func(d debate.Party) bool {
				return d.ID == string(name) || name == "primary" && d.Role == debate.Primary
			})
			if i < 0 {
				return usage(fmt.Errorf("settings: parties.judges.from: there is no party named %q", name))
			}
			from = append(from, debaters[i])
		}
	}
	if len(available(debaters)) < 2 {
		return nil
	}
	for i, stance := range []debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort} {
		p.seatServed(string(stance), debate.Judge, from[i%len(from)])
	}
	return nil
}

// seatServed seats a role that a debater serves; the debater's client, or its replacement,
// answers.
func (p *panel) seatServed(id string, role debate.Role, debater debate.Party) {
	served := debater
	served.ID, served.Role, served.Persona, served.Debater = id, role, "", debater.ID
	p.parties = append(p.parties, served)
}

// available returns the parties that can take part.
func available(parties []debate.Party) []debate.Party {
	return lists.Keep(parties, func(p debate.Party) bool { return p.Status == debate.PartyOK })
}

// wantsPrice asks the user for an unknown price.
const wantsPrice = "copy the price of %s from its maker into prices: of your settings, as docs/costs.md shows"

// estimate describes the likely cost of a debate before the first call. Answers from a tape
// cost nothing.
func (set *settings) estimate(opens []engine.Sent) []string {
	if set.panel.plays() {
		return nil
	}
	calls := set.panel.likelyCalls(opens)
	return costs(calls, set.panel.prices.Estimate(calls), int64(set.config.Limits.MaxCostUSD))
}

// likelyCalls lists the likely calls after the openings: every debater weighs the others'
// findings in each part of the change, and answers once if they differ.
func (p *panel) likelyCalls(opens []engine.Sent) []model.Planned {
	names := map[string]string{}
	var debaters []debate.Party
	for _, one := range available(p.parties) {
		if one.Debates() {
			names[one.ID] = one.Model
			debaters = append(debaters, one)
		}
	}
	var calls []model.Planned
	opened, parts := map[string]bool{}, map[string]int{}
	for _, sent := range opens {
		calls = append(calls, model.Planned{Model: names[sent.Ask.Party], Bytes: sent.Bytes})
		opened[sent.Ask.Party], parts[sent.Ask.Chunk] = true, sent.Bytes
	}
	if len(debaters) < 2 || opens[0].Ask.Kind == debate.CallLocal {
		return calls
	}
	for _, one := range debaters {
		largest := 0
		for _, bytes := range parts {
			largest = max(largest, bytes)
			if one.Role == debate.Challenger || opened[one.ID] && len(opened) > 1 {
				calls = append(calls, model.Planned{Model: one.Model, Bytes: bytes, Again: opened[one.ID]})
			}
		}
		calls = append(calls, model.Planned{Model: one.Model, Bytes: largest, Again: true, Perhaps: true})
	}
	return calls
}

// costs describes the likely cost of calls; it is empty if no price counts. Most is the
// limit of a run, 0 for none.
func costs(calls []model.Planned, e model.Estimate, most int64) []string {
	few := len(lists.Keep(calls, func(c model.Planned) bool { return !c.Perhaps }))
	var lines []string
	if e.High > 0 {
		number := report.Count(len(calls), "call")
		if few != len(calls) {
			number = fmt.Sprintf("%d to %s", few, number)
		}
		cost := report.USD(e.High).Rounded()
		if low := report.USD(e.Low).Rounded(); low != cost {
			cost = low + " to " + cost
		}
		line := "about " + cost + " for " + number
		if most > 0 && e.High > most {
			line += fmt.Sprintf("; limits.max_cost_usd ends it at %s", report.USD(most).Rounded())
		}
		lines = append(lines, line)
	}
	for _, name := range e.Unknown {
		lines = append(lines, fmt.Sprintf("the price of %s is not known, so its calls are not counted: "+wantsPrice, name, name))
	}
	return lines
}

// connect makes the client of a party. Nothing is asked.
func (p *panel) connect(one config.Party) (engine.Client, error) {
	from, known := p.providers.Find(string(one.Provider))
	if !known {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("there is no provider %q", one.Provider)}
	}
	o, err := p.options(from, one)
	if err != nil {
		return nil, err
	}
	asked, err := from.New(o)
	if err == nil && o.KeyName != "" && !from.Command {
		asked = keyedClient{asked, o.KeyName, o.Key != ""}
	}
	return asked, err
}

// options returns the settings of a party, completed by the environment and the provider's
// entry. A server at another address may need no key.
func (p *panel) options(from model.Provider, one config.Party) (model.Options, error) {
	o := model.Options{
		Model: p.modelOf(one), BaseURL: p.address(from, one), Effort: string(cmp.Or(one.Effort, config.HighEffort)), Idle: time.Duration(one.Timeout) * time.Second, Prices: p.prices,
		API: string(one.API), Command: texts(one.Command), KeyName: cmp.Or(one.APIKeyEnv, from.KeyName(p.getenv)), Getenv: p.getenv,
		Headers: texts(one.Headers), APIVersion: one.APIVersion, Region: one.Region, Project: one.Project,
	}
	o.Key = p.getenv(o.KeyName)
	wanted := len(from.Keys) > 0 && (from.Command || from.Placed || o.BaseURL == "")
	switch {
	case o.Key != "":
	case one.APIKeyEnv != "":
		return o, missingKey(from.Name, one.APIKeyEnv)
	case wanted:
		return o, missingKey(from.Name, strings.Join(from.Keys, " or "))
	}
	if from.Command {
		return o, nil
	}
	var err error
	if o.HTTP, err = p.http(); err != nil {
		return o, &model.Error{Class: debate.CallError, Detail: "the provider " + from.Name + " cannot be asked", Err: err}
	}
	if p.limits[from.Name] == nil {
		p.limits[from.Name] = from.NewLimit()
	}
	o.Limit = p.limits[from.Name]
	return o, nil
}

func missingKey(provider, names string) error {
	return &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("there is no key for the provider %s: %s is not set", provider, names)}
}

// modelOf returns the model of a party from the settings, else the provider's default; ""
// for a command.
func (p *panel) modelOf(one config.Party) string {
	from, _ := p.providers.Find(string(one.Provider))
	return cmp.Or(one.Model, from.Model)
}

// address returns the address of a party, "" for the provider's usual one.
func (p *panel) address(from model.Provider, one config.Party) string {
	if from.Address == "" {
		return one.BaseURL
	}
	return cmp.Or(one.BaseURL, p.getenv(from.Address))
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
