package config

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// Merge returns the settings of a run. The operator's value wins over the repository's, and
// that over the default, with these exceptions: a limit is the lower of the two; gate, fail_on,
// deciders and context are the stricter of the two; the author may decide only if no file forbids
// it; lists of paths, instructions and critical rules are joined. Primary and challengers come from
// one file together with its judges.
func Merge(operator, repository Config) Config {
	base := Default()
	merged := Config{
		Version:         base.Version,
		Mode:            cmp.Or(operator.Mode, repository.Mode, base.Mode),
		Parties:         mergeParties(operator.Parties, repository.Parties),
		OnNoChallengers: cmp.Or(operator.OnNoChallengers, repository.OnNoChallengers, base.OnNoChallengers),
		AllowSameFamily: firstSwitch(operator.AllowSameFamily, repository.AllowSameFamily, base.AllowSameFamily),
		Limits:          mergeLimits(operator.Limits, repository.Limits, base.Limits),
		Prices:          slices.Concat(operator.Prices),
		Context:         stricter(operator.Context, repository.Context, contexts),
		Paths: Paths{
			Ignore:   joined(operator.Paths.Ignore, repository.Paths.Ignore),
			Proposal: joined(operator.Paths.Proposal, repository.Paths.Proposal),
			Private:  joined(operator.Paths.Private, repository.Paths.Private),
		},
		Instructions: slices.Concat(operator.Instructions, repository.Instructions),
		Critical:     slices.Concat(operator.Critical, repository.Critical),
		Known:        slices.Concat(repository.Known), // no operator accepts findings for a repository
		Rubric:       base.Rubric,
		Publish: Publish{
			Inline:    cmp.Or(operator.Publish.Inline, repository.Publish.Inline, base.Publish.Inline),
			MaxInline: cmp.Or(operator.Publish.MaxInline, repository.Publish.MaxInline, base.Publish.MaxInline),
			Overview:  firstSwitch(operator.Publish.Overview, repository.Publish.Overview, base.Publish.Overview),
			Questions: firstSwitch(operator.Publish.Questions, repository.Publish.Questions, base.Publish.Questions),
			Mention:   cmp.Or(operator.Publish.Mention, repository.Publish.Mention, base.Publish.Mention),
			Language:  cmp.Or(operator.Publish.Language, repository.Publish.Language, base.Publish.Language),
		},
		Gate:   stricter(operator.Gate, repository.Gate, gates),
		FailOn: stricter(operator.FailOn, repository.FailOn, floors),
		Escalation: Escalation{
			Label:    cmp.Or(operator.Escalation.Label, repository.Escalation.Label, base.Escalation.Label),
			Deciders: stricter(operator.Escalation.Deciders, repository.Escalation.Deciders, deciders),
			Notify:   joined(operator.Escalation.Notify, repository.Escalation.Notify),
		},
		Execution: mergeExecution(operator.Execution, repository.Execution),
		Evidence:  Evidence{Checks: firstSwitch(operator.Evidence.Checks, repository.Evidence.Checks, base.Evidence.Checks)},
	}
	for _, r := range []Rubric{repository.Rubric, operator.Rubric} {
		if len(r.Criteria) > 0 {
			merged.Rubric = Rubric{Criteria: append(Criteria(nil), r.Criteria...)}
		}
	}
	// The author may decide if one file allows it and none forbids it.
	said := slices.DeleteFunc([]*bool{operator.Escalation.AuthorMayDecide, repository.Escalation.AuthorMayDecide}, func(s *bool) bool { return s == nil })
	merged.Escalation.AuthorMayDecide = new(len(said) > 0 && !slices.ContainsFunc(said, func(s *bool) bool { return !*s }))
	if merged.Gate == debate.Required && merged.FailOn == debate.FailNone {
		merged.FailOn = debate.FailP1 // a required gate lets no P1 through
	}
	return merged
}

// Guarded returns the settings of a base branch, restricted by those of the default branch: the
// stricter gate of both, only the known findings that both accept, and only commands for tests that
// both have.
func Guarded(base, standard Config) Config {
	base.Known = slices.DeleteFunc(slices.Clone(base.Known), func(k Known) bool { return !slices.Contains(standard.Known, k) })
	e, o := base.Execution, standard.Execution
	if e == nil || o == nil || e.Run != o.Run || e.Setup != o.Setup || e.Network != o.Network || e.Image != o.Image || !slices.Equal(e.Files, o.Files) {
		base.Execution = nil
	}
	base.Gate, base.FailOn = stricter(base.Gate, standard.Gate, gates), stricter(base.FailOn, standard.FailOn, floors)
	return base
}

func mergeParties(operator, repository Parties) Parties {
	merged := repository
	if operator.Primary != nil || len(operator.Challengers) > 0 {
		merged = operator
	}
	merged.Judges = cmp.Or(operator.Judges, merged.Judges)
	merged.Arbiter = cmp.Or(operator.Arbiter, merged.Arbiter)
	merged.Opening = cmp.Or(operator.Opening, repository.Opening, Default().Parties.Opening)
	return merged
}

func mergeLimits(operator, repository, base Limits) Limits {
	// Looks may be 0, so its zero value does not mean not set.
	looks := min(*cmp.Or(operator.Looks, repository.Looks, base.Looks), *cmp.Or(repository.Looks, operator.Looks, base.Looks))
	return Limits{
		MaxRounds:       lower(operator.MaxRounds, repository.MaxRounds, base.MaxRounds),
		BudgetMinutes:   lower(operator.BudgetMinutes, repository.BudgetMinutes, base.BudgetMinutes),
		MaxCalls:        lower(operator.MaxCalls, repository.MaxCalls, base.MaxCalls),
		MaxCostUSD:      lower(operator.MaxCostUSD, repository.MaxCostUSD, base.MaxCostUSD),
		MaxCostUSDPerPR: lower(operator.MaxCostUSDPerPR, repository.MaxCostUSDPerPR, base.MaxCostUSDPerPR),
		MaxClaims:       lower(operator.MaxClaims, repository.MaxClaims, base.MaxClaims),
		MaxDecisions:    lower(operator.MaxDecisions, repository.MaxDecisions, base.MaxDecisions),
		Looks:           new(looks),
	}
}

// mergeExecution returns the operator's commands if it has any, else the repository's. An operator
// without commands only allows the repository's, with the lower limits of both.
func mergeExecution(operator, repository *Execution) *Execution {
	if operator != nil && operator.Run != "" {
		return new(*operator)
	}
	if repository == nil || repository.Run == "" {
		return nil
	}
	merged := *repository
	if operator == nil {
		return &merged
	}
	merged.Pulls, merged.Forks = operator.Pulls, operator.Forks
	merged.Image = cmp.Or(operator.Image, repository.Image)
	if operator.Network == NoNetwork {
		merged.Network = NoNetwork
	}
	a, b, base := operator.Limits, repository.Limits, ExecutionLimits{}.Whole()
	smaller := func(a, b, base Size) Size {
		a, b = cmp.Or(a, b, base), cmp.Or(b, a, base)
		if b.Bytes() < a.Bytes() {
			return b
		}
		return a
	}
	merged.Limits = ExecutionLimits{
		Time: lower(a.Time, b.Time, base.Time), Memory: smaller(a.Memory, b.Memory, base.Memory), Processes: lower(a.Processes, b.Processes, base.Processes),
		Output: smaller(a.Output, b.Output, base.Output), Runs: lower(a.Runs, b.Runs, base.Runs),
	}
	return &merged
}

// firstSwitch returns a copy of the first switch that is set.
func firstSwitch(values ...*bool) *bool { return new(*cmp.Or(values...)) }

// lower returns the lower of two limits, or the default if neither is set. A limit that is not set
// counts as high as the other.
func lower[T int | Seconds | USD](operator, repository, base T) T {
	return min(cmp.Or(operator, repository, base), cmp.Or(repository, operator, base))
}

// stricter returns the later of two values in an order from lax to strict.
func stricter[T comparable](a, b T, order []T) T {
	return order[max(0, slices.Index(order, a), slices.Index(order, b))]
}

// joined returns both lists without repeats, nil if empty.
func joined[T comparable](a, b []T) []T {
	var out []T
	for _, v := range slices.Concat(a, b) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
