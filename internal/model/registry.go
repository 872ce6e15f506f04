package model

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Client asks one model. It keeps the promises in the comment of this package.
type Client interface {
	Ask(ctx context.Context, req Request) (Response, error)
}

// Provider is a provider of models.
type Provider struct {
	Name      string                        // in settings
	Serves    string                        // its API in a few words, for docs/parties.md
	Input     string                        // of the action, for the key; "": there is none
	Keys      []string                      // environment variables for the key, the first set one counts; none: it needs no key
	Address   string                        // the variable for its base URL; "": there is none
	Model     string                        // its default model; "": there is none
	Family    string                        // of its models by default; "": unknown
	Sole      bool                          // it serves no other family
	Words     []string                      // first words of the names of that family's models, see Registry.Family
	Prices    []byte                        // of its models, in JSON, see Price; nil: none is known
	Ambient   bool                          // it uses this machine's account at a cloud, so only an operator may name it
	Joins     bool                          // without parties in the settings, it takes part if its key is set
	Command   bool                          // it runs a program of this machine, so only an operator may name it
	Free      bool                          // the settings name its program
	Files     bool                          // its program can get files: its tools can only read, or it is the operator's own
	APIs      bool                          // it has several wire formats
	Placed    bool                          // it has no address of its own: each customer has another
	Timeout   time.Duration                 // the default for a call; 0: the usual one
	AtOnce    int                           // calls at once; 0: 8
	PerMinute int                           // new calls in a minute; 0: 240
	New       func(Options) (Client, error) // it sends nothing and opens no connection
}

// Called is the common name of its models: the first word of their names, else the provider.
func (p Provider) Called() string {
	if len(p.Words) > 0 {
		return p.Words[0]
	}
	return p.Name
}

// KeyName is the variable of its key: the first set one, else the first.
func (p Provider) KeyName(getenv func(string) string) string {
	isSet := func(name string) bool { return getenv(name) != "" }
	if i := slices.IndexFunc(p.Keys, isSet); i >= 0 {
		return p.Keys[i]
	}
	return slices.Concat(p.Keys, []string{""})[0]
}

// NewLimit is a new limit of its calls.
func (p Provider) NewLimit() *Limit {
	return NewLimit(cmp.Or(p.AtOnce, 8), cmp.Or(p.PerMinute, 240))
}

// Registry lists providers. They join by themselves in this order.
type Registry []Provider

// Find returns the provider with a name.
func (r Registry) Find(name string) (p Provider, known bool) {
	i := slices.IndexFunc(r, func(p Provider) bool { return p.Name == name })
	if i < 0 {
		return Provider{}, false
	}
	return r[i], true
}

// Inputs returns the inputs of the action for keys.
func (r Registry) Inputs() []string {
	var names []string
	for _, p := range r {
		if p.Input != "" {
			names = append(names, p.Input)
		}
	}
	return names
}

// Prices returns the table of all providers' prices.
func (r Registry) Prices() Prices {
	var listed []Price
	for _, p := range r {
		var prices []Price
		if p.Prices == nil {
			continue
		}
		if err := json.Unmarshal(p.Prices, &prices); err != nil {
			panic("model: the prices of " + p.Name + " cannot be read: " + err.Error()) // a test reads them
		}
		listed = append(listed, prices...)
	}
	return Prices{listed: listed}
}

// UnknownFamily is the family of every unknown model. All of them count as one family, so
// they cannot confirm one another.
const UnknownFamily = "unknown"

// Family returns the family of a model by the first word of its name, after the prefixes of
// resellers, else by its provider.
func (r Registry) Family(provider, model string) string {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.TrimPrefix(strings.TrimPrefix(name, "ft:"), "databricks-")
	for rest := name; rest != ""; {
		if family := r.familyOf(rest); family != "" {
			return family
		}
		_, rest, _ = strings.Cut(rest, ".") // us.anthropic.claude-...
	}
	if p, _ := r.Find(provider); p.Sole || name == "" {
		return cmp.Or(p.Family, UnknownFamily)
	}
	return UnknownFamily
}

func (r Registry) familyOf(name string) string {
	if i := slices.IndexFunc(r, func(p Provider) bool { return begins(name, p.Words) }); i >= 0 {
		return r[i].Family
	}
	for family, words := range families {
		if begins(name, words) {
			return family
		}
	}
	return ""
}

// begins reports whether a name begins with one of some words. A small letter must not
// follow the word: "o1x" does not begin with "o1", but "llama3" begins with "llama".
func begins(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		rest, ok := strings.CutPrefix(name, word)
		return ok && strings.IndexFunc(rest, unicode.IsLower) != 0
	})
}

// families lists the first words of the names of other families: their makers are no
// providers here, but other providers serve them.
var families = map[string][]string{
	"meta":      {"llama", "codellama", "meta-llama"},
	"mistral":   {"mistral", "open-mistral", "open-mixtral", "mixtral", "ministral", "magistral", "codestral", "devstral", "pixtral"},
	"deepseek":  {"deepseek"},
	"xai":       {"grok"},
	"cohere":    {"command-r", "command-a", "aya"},
	"microsoft": {"phi"},
	"moonshot":  {"kimi", "moonshot"},
	"zhipu":     {"glm", "chatglm"},
	"ibm":       {"granite"},
	"amazon":    {"nova-micro", "nova-lite", "nova-pro", "nova-premier", "nova-2"},
	"ai21":      {"jamba"},
	"nvidia":    {"nemotron"},
	"minimax":   {"minimax"},
	"tencent":   {"hunyuan"},
	"allenai":   {"olmo"},
	"writer":    {"palmyra"},
}
