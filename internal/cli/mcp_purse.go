package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// purse is the money of a server's debates.
type purse struct {
	most, spent report.USD
}

// unpriced is the part of the ceiling, as a divisor, for a debate without a complete cost,
// in addition to the known cost.
const unpriced = 10

// left returns the rest of the money, or an error if there is none.
func (p *purse) left() (report.USD, error) {
	if p.spent >= p.most {
		return 0, fmt.Errorf("the ceiling of this server is reached: %s of %s are spent. "+
			"A person can start debate mcp anew with a higher --max-usd; findings and explain cost nothing", p.spent.Rounded(), p.most.Rounded())
	}
	return p.most - p.spent, nil
}

// book counts the cost of a debate. Calls without a price, and answers after the client
// left, have no known cost: such a debate counts for more.
func (p *purse) book(known report.USD, whole bool) {
	p.spent += known
	if !whole {
		p.spent += p.most / unpriced
	}
}

// says reports the cost of a debate and of the server.
func (p *purse) says(known report.USD, whole bool) string {
	if !whole {
		return fmt.Sprintf("It cost %s and calls whose price is not known; it counts for %s. This server has spent %s of %s.",
			known.Rounded(), (known + p.most/unpriced).Rounded(), p.spent.Rounded(), p.most.Rounded())
	}
	return fmt.Sprintf("It cost %s. This server has spent %s of %s.", known.Rounded(), p.spent.Rounded(), p.most.Rounded())
}

// debate runs a command within the money left, and adds the cost and the open decisions to
// its result.
func (d *desk) debate(ctx context.Context, tell func(string), command func(r *run, flags debateFlags) (string, error)) (string, error) {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
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

// waitsForPerson returns the command for a person to answer the open decisions; no tool
// does.
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
