package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// purse is what the debates of a server cost, and may cost together.
type purse struct {
	most, spent report.USD
}

// unpriced is what part of the ceiling a debate counts for, beside what is known of its
// cost, where not all of that is known.
const unpriced = 10

// left is what may still be spent; an error says that it is nothing.
func (p *purse) left() (report.USD, error) {
	if p.spent >= p.most {
		return 0, fmt.Errorf("the ceiling of this server is reached: %s of %s are spent. "+
			"A person can start debate mcp anew with a higher --max-usd; findings and explain cost nothing", p.spent.Rounded(), p.most.Rounded())
	}
	return p.most - p.spent, nil
}

// book counts what a debate cost. What models answered when nobody listened any more, and
// calls without a price, would not count at all: such a debate counts for more.
func (p *purse) book(known report.USD, whole bool) {
	p.spent += known
	if !whole {
		p.spent += p.most / unpriced
	}
}

// says tells what a debate cost, and what is left.
func (p *purse) says(known report.USD, whole bool) string {
	if !whole {
		return fmt.Sprintf("It cost %s and calls whose price is not known; it counts for %s. This server has spent %s of %s.",
			known.Rounded(), (known + p.most/unpriced).Rounded(), p.spent.Rounded(), p.most.Rounded())
	}
	return fmt.Sprintf("It cost %s. This server has spent %s of %s.", known.Rounded(), p.spent.Rounded(), p.most.Rounded())
}

// debate runs a command that holds a debate, within what may still be spent, and says after
// its result what it cost and what waits for a person.
func (d *desk) debate(ctx context.Context, tell func(string), command func(r *run, flags debateFlags) (string, error)) (string, error) {
	if err := d.take(ctx); err != nil {
		return "", err
	}
	defer d.leave()
	left, err := d.purse.left()
	if err != nil {
		return "", err
	}
	r := d.run(ctx, new(strings.Builder), tell)
	text, err := command(r, debateFlags{most: left})
	if r.record == "" { // nothing was held
		return "", forAgent(err)
	}
	_, state, readErr := r.foldRecord(r.record, "")
	micro, unknown := state.Asking.Spent()
	whole := !unknown && readErr == nil && state.Ending.Outcome != ""
	d.purse.book(report.USD(micro), whole)
	switch why := forAgent(err); {
	case why == nil:
	case text == "":
		return "", fmt.Errorf("%w\n%s", why, d.purse.says(report.USD(micro), whole))
	case unanswered(state) != nil: // the result says why
		text += "\nNo model answered, for the reason above. A person can run debate doctor --online, which asks every model for a word.\n"
	default:
		text += "\n" + why.Error() + "\n"
	}
	return text + "\n" + d.purse.says(report.USD(micro), whole) + "\n" + waitsForPerson(state, r.record), nil
}

// waitsForPerson names the command by which a person decides what a debate left open; no tool does.
func waitsForPerson(s debate.State, record string) string {
	open := 0
	for i := range s.Agenda.Decisions {
		if s.Agenda.Decisions[i].AnswerableLocally() {
			open++
		}
	}
	if open == 0 {
		return ""
	}
	return report.Count(open, "decision") + " left open, for a person and not for you. Show the person this command, it lists them: debate decide " + record + "\n"
}
