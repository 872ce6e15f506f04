package cli

import (
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/report"
)

// wantsPrice asks the user for an unknown price.
const wantsPrice = "copy the price of %s from its maker into prices: of your settings, as docs/costs.md shows"

// estimate describes the likely cost of a debate before the first call. Answers from a tape
// cost nothing.
func (set *settings) estimate(opens []engine.Sent) []string {
	p := &set.panel
	if p.plays() {
		return nil
	}
	calls := p.likelyCalls(opens)
	return costs(calls, p.backends.prices.Estimate(calls), int64(set.config.Limits.MaxCostUSD))
}

// likelyCalls lists the likely calls after the openings: every debater weighs the others'
// findings in each part of the change, and answers once if they differ.
func (p *panel) likelyCalls(opens []engine.Sent) []model.Planned {
	names := map[string]string{}
	var debaters []debate.Party
	for _, one := range available(p.parties) {
		if isDebater(one) {
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
	few, many := 0, 0
	for _, c := range calls {
		if many++; !c.Perhaps {
			few++
		}
	}
	var lines []string
	if e.High > 0 {
		line := fmt.Sprintf("about %s for %s", span(report.USD(e.Low).Rounded(), report.USD(e.High).Rounded()), counted(few, many))
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

func counted(few, many int) string {
	if many == 1 {
		return "1 call"
	}
	return span(fmt.Sprint(few), fmt.Sprint(many)) + " calls"
}

func span(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}
