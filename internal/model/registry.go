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

// Client asks one model, see the promises in the comment of this package.
type Client interface {
	Ask(ctx context.Context, req Request) (Response, error)
}

// Provider is all that this program knows of one who serves models.
type Provider struct {
	Name      string                        // in settings
	Serves    string                        // by what, in a few words, as docs/parties.md has it
	Input     string                        // of the action, for the key; "": there is none
	Keys      []string                      // variables of the environment that may hold the key, the first that is set counts; none: it wants no key
	Address   string                        // the variable that holds its base URL; "": there is none
	Model     string                        // that is asked where the settings name none; "": there is none
	Family    string                        // of the models that it serves by default; "": unknown
	Sole      bool                          // it serves no other family
	Words     []string                      // first words of the names of that family's models, see Registry.Family
	Prices    []byte                        // of its models, in JSON, see Price; nil: none is known
	Ambient   bool                          // it is asked as this machine's account at a cloud, so that only an operator may name it
	Joins     bool                          // where no parties are set, it takes part if its key is there
	Command   bool                          // it runs a program of this machine, so that only an operator may name it
	Free      bool                          // its program is one that the settings name
	Files     bool                          // its program can be given files: it has tools that read and do nothing else, or is the operator's own
	APIs      bool                          // it has several wire formats
	Placed    bool                          // it has no address of its own: each customer has another
	Timeout   time.Duration                 // of a call where the settings name none; 0: the usual one
	AtOnce    int                           // calls that it takes at once; 0: 8
	PerMinute int                           // calls that may begin in a minute; 0: 240
	New       func(Options) (Client, error) // nothing is asked, and no connection opened
}

// Called is what people call its models: the first word of their names, else the provider.
func (p Provider) Called() string {
	if len(p.Words) > 0 {
		return p.Words[0]
	}
	return p.Name
}

// KeyName is the variable that its key is taken from: the first that is set, else
// the first.
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

// Registry lists providers, in the order in which they join by themselves.
type Registry []Provider

// Find is the provider of a name.
func (r Registry) Find(name string) (p Provider, known bool) {
	i := slices.IndexFunc(r, func(p Provider) bool { return p.Name == name })
	if i < 0 {
		return Provider{}, false
	}
	return r[i], true
}

// Inputs are the inputs of the action that hold keys.
func (r Registry) Inputs() []string {
	var names []string
	for _, p := range r {
		if p.Input != "" {
			names = append(names, p.Input)
		}
	}
	return names
}

// Prices is the table of all providers' prices.
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

// UnknownFamily is the family of every model that no table knows. They all count
// as one family: what is not known to differ does not confirm (S15).
const UnknownFamily = "unknown"

// Family is the family of a model by its name, and by its provider where the
// name says nothing (S15, X30). Only a name that begins with a known word counts,
// after the prefixes that resellers put before it.
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

// begins reports whether a name begins with one of some words. A word counts where
// no letter follows it: "o1" is no "o1x", and "llama3" is "llama".
func begins(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		rest, ok := strings.CutPrefix(name, word)
		return ok && strings.IndexFunc(rest, unicode.IsLower) != 0
	})
}

// families lists the first words of the names of models whose makers are no
// providers here: others serve them.
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
