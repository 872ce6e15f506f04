package config

import (
	"reflect"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// values lists what a setting of a type may be, in the order in which it is shown.
// What a Provider may be, Services say.
var values = map[reflect.Type][]string{
	reflect.TypeFor[debate.Mode]():     names(debate.Standard, debate.Minimal, debate.Quick),
	reflect.TypeFor[OnNoChallengers](): names(LocalCritique, Abort),
	reflect.TypeFor[Opening]():         names(OpeningPosition, OpeningParallel),
	reflect.TypeFor[API]():             names(ResponsesAPI, ChatAPI),
	reflect.TypeFor[Effort]():          names(LowEffort, MediumEffort, HighEffort),
	reflect.TypeFor[debate.Gate]():     names(gates...),
	reflect.TypeFor[debate.FailOn]():   names(floors...),
	reflect.TypeFor[Deciders]():        names(deciders...),
	reflect.TypeFor[Context]():         names(contexts...),
	reflect.TypeFor[Network]():         names(NoNetwork, SetupNetwork),
	reflect.TypeFor[debate.TriggerID](): names(
		debate.TriggerArchitecture, debate.TriggerDeploy, debate.TriggerSecurity, debate.TriggerDestructiveSchema, debate.TriggerMoney,
		debate.TriggerGovernance, debate.TriggerIrreversible,
	),
}

// Values from lax to strict.
var (
	gates    = []debate.Gate{debate.Advisory, debate.Required}
	floors   = []debate.FailOn{debate.FailNone, debate.FailP1, debate.FailP2, debate.FailP3}
	deciders = []Deciders{WriteAccess, MaintainAccess, AdminAccess}
	contexts = []Context{ContextRepository, ContextChanged, ContextOff}
)

func names[T ~string](all ...T) []string {
	return lists.Map(all, func(one T) string { return string(one) })
}

// Service is what settings may say of one provider of models.
type Service struct {
	Name     string
	Operator bool // only an operator may name it
	APIs     bool // it has several wire formats
	Command  bool // it is a program that the settings name
	Files    bool // it has a program that can be given files to read
}

// Vocabulary is what settings may name beside what this package knows.
type Vocabulary struct {
	Services Services
	Rules    []Rule
}

// Rule is what settings may say of one built-in rule.
type Rule struct {
	ID    string
	Shown bool // what it finds is never hidden
}

// Services are the providers that settings may name.
type Services []Service

// bounds are those of a setting that names a provider.
func (s Services) bounds(f field) field {
	f.enum = s.those(func(Service) bool { return true })
	f.reserved = s.those(func(one Service) bool { return one.Operator })
	return f
}

// those are the names of the services that fit.
func (s Services) those(fit func(Service) bool) []string {
	return lists.Map(lists.Keep(s, fit), func(one Service) string { return one.Name })
}

// find is the service of a name, which has none if nobody is called so.
func (s Services) find(name Provider) Service {
	return lists.Find(s, func(one Service) bool { return one.Name == string(name) })
}

// only says of which providers something is a setting.
func (s Services) only(fit func(Service) bool) string {
	return "of the provider " + strings.Join(s.those(fit), " or ") + " only"
}
