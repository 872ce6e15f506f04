package config

import (
	"reflect"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// values lists the allowed values of a type, in the order to show them. Those of a Provider come
// from Services.
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

// Service describes one provider of models for settings.
type Service struct {
	Name     string
	Operator bool // only an operator may name it
	APIs     bool // has several wire formats
	Command  bool // is a program named in the settings
	Files    bool // has a program that can read files
}

// Vocabulary has the allowed names from other packages.
type Vocabulary struct {
	Services Services
	Rules    []Rule
}

// Rule describes one built-in rule for settings.
type Rule struct {
	ID    string
	Shown bool // its findings are never hidden
}

// Services are the providers that settings may name.
type Services []Service

// names returns the names of the services that fit.
func (s Services) names(fit func(Service) bool) []string {
	return lists.Map(lists.Keep(s, fit), func(one Service) string { return one.Name })
}
