package config

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/prdebate/debate/internal/lists"
)

// Server is the accounts file of an App: the accounts with a budget, and their keys.
type Server struct {
	// Version of the format of this file.
	Version int `yaml:"version,omitempty" jsonschema:"enum=1"`
	// US dollars of one calendar month, for all accounts together. Left out: no limit besides those below.
	MonthlyUSD USD `yaml:"monthly_usd,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1000000"`
	// The accounts that may use models. An account not in the list gets only the built-in rules.
	Accounts []Account `yaml:"accounts" jsonschema:"required,minItems=1,maxItems=500"`
}

// Account is a user or an organization with the App.
type Account struct {
	// Its name on GitHub.
	Name string `yaml:"name" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9-]*$,maxLength=100"`
	// Its number on GitHub, which stays after a rename and is never reused. Left out: any account with the name counts.
	ID int `yaml:"id,omitempty" jsonschema:"minimum=1"`
	// US dollars of one calendar month, of all its repositories. Left out: no limit of its own.
	MonthlyUSD USD `yaml:"monthly_usd,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1000000"`
	// File with the settings of an operator for this account. Left out: those of the server's operator.
	Settings string `yaml:"settings,omitempty" jsonschema:"maxLength=500"`
	// Keys of its own, instead of those of the server.
	Keys []OwnKey `yaml:"keys,omitempty" jsonschema:"maxItems=20"`
	// Repositories with a limit or with settings of their own.
	Repositories []OwnRepository `yaml:"repositories,omitempty" jsonschema:"maxItems=1000"`
}

// OwnKey names the key of a provider.
type OwnKey struct {
	// Who serves the models.
	Provider Provider `yaml:"provider" jsonschema:"required"`
	// Name of the environment variable with the key.
	Env string `yaml:"env" jsonschema:"required,pattern=^[A-Za-z_][A-Za-z0-9_]*$,maxLength=100"`
}

// OwnRepository is one repository of an account.
type OwnRepository struct {
	// Its name, without that of the account.
	Name string `yaml:"name" jsonschema:"required,pattern=^[A-Za-z0-9._-]+$,maxLength=100"`
	// US dollars of one calendar month. Left out: no limit of its own.
	MonthlyUSD USD `yaml:"monthly_usd,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1000000"`
	// File with the settings of an operator for this repository, instead of the account's.
	Settings string `yaml:"settings,omitempty" jsonschema:"maxLength=500"`
}

// ParseServer reads the accounts file of an App. Name is for messages. The error is of type Errors
// and has every problem.
func (v Vocabulary) ParseServer(name string, data []byte) (Server, error) {
	d := v.decoder(name, true)
	var s Server
	root := d.document(data)
	if root == nil || root.Type() == ast.NullType {
		if len(d.errs) == 0 { // else it cannot be read
			d.errorf(position{1, 1}, "the file says nothing: list who may have models asked, under accounts")
		}
		return Server{}, d.errs.sorted()
	}
	d.value(at(root), root, reflect.ValueOf(&s).Elem(), "", field{})
	if twice := s.listedTwice(); twice != "" {
		d.errorf(at(root), "%s is listed twice", twice)
	}
	if len(d.errs) > 0 {
		return Server{}, d.errs.sorted()
	}
	return s, nil
}

// listedTwice names an account or a repository with two entries, "" if there is none.
func (s Server) listedTwice() string {
	var seen []string
	add := func(name string) bool {
		name = strings.ToLower(name)
		known := slices.Contains(seen, name)
		seen = append(seen, name)
		return known
	}
	for _, a := range s.Accounts {
		if add(a.Name) {
			return a.Name
		}
		for _, r := range a.Repositories {
			if full := a.Name + "/" + r.Name; add(full) {
				return full
			}
		}
	}
	return ""
}

// KeyNames returns the variables with keys of accounts.
func (s Server) KeyNames() []string {
	var names []string
	for _, a := range s.Accounts {
		for _, k := range a.Keys {
			names = append(names, k.Env)
		}
	}
	return names
}

// Of returns the entries for a repository. Its owner's number on GitHub is id. ok is false if the
// owner is not listed. GitHub ignores the case of names.
func (s Server) Of(owner string, id int64, name string) (a Account, r OwnRepository, ok bool) {
	a = s.named(owner)
	if a.Name == "" || a.isOther(id) {
		return Account{}, OwnRepository{}, false
	}
	r = lists.Find(a.Repositories, func(r OwnRepository) bool { return strings.EqualFold(r.Name, name) })
	r.Name = cmp.Or(r.Name, name)
	return a, r, true
}

// Other returns the number of the listed account if another account has its name by now, else 0.
func (s Server) Other(owner string, id int64) int64 {
	if a := s.named(owner); a.isOther(id) {
		return int64(a.ID)
	}
	return 0
}

// named returns the account with a name, or an empty one.
func (s Server) named(owner string) Account {
	return lists.Find(s.Accounts, func(a Account) bool { return strings.EqualFold(a.Name, owner) })
}

// isOther reports whether an account with this number differs from the listed one.
func (a Account) isOther(id int64) bool { return a.ID != 0 && int64(a.ID) != id }
