package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
)

func TestDebatedSettings(t *testing.T) {
	t.Parallel()
	c, err := known.vocabulary().Parse("a.yml", []byte(`
parties: {opening: parallel}
on_no_challengers: abort
allow_same_family: true
limits: {max_rounds: 3, budget_minutes: 7, max_calls: 11, max_cost_usd: 1.25, max_claims: 5, max_decisions: 2}
rubric: {criteria: {speed: 50, risk: 30, cost: 20}}
gate: required
fail_on: P2
escalation: {deciders: maintain, author_may_decide: true}
`))
	if err != nil {
		t.Fatal(err)
	}
	debated := func(s settings) debate.Settings {
		first, err := s.received(Env{Random: strings.NewReader(strings.Repeat("r", 20)), Now: time.Now}, "")
		if err != nil {
			t.Fatal(err)
		}
		return first.Settings
	}
	got := debated(settings{config: config.Merge(config.Config{}, c), hash: "h", defective: true})
	want := debate.Settings{
		Gate: debate.Required, FailOn: debate.FailP2, AbortIfNoParty: true, ConfigHash: "h", ConfigDefective: true,
		Opening: debate.OpenParallel, MaxRounds: 3, MaxClaims: 5, MaxDecisions: 2, MaxCalls: 11, MaxCostMicro: 1_250_000, BudgetMinutes: 7,
		Criteria:        []debate.Criterion{{ID: "speed", WeightBP: 5000}, {ID: "risk", WeightBP: 3000}, {ID: "cost", WeightBP: 2000}},
		AllowSameFamily: true, AuthorMayDecide: true, Deciders: debate.MaintainRole,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	// One family alone may debate with itself where nobody set anything.
	byItself := debated(settings{config: config.Default(), panel: panel{sameFamily: true}})
	if !byItself.AllowSameFamily || byItself.Opening != debate.OpenParallel || byItself.Deciders != debate.WriteAccess {
		t.Errorf("%+v", byItself)
	}
}
