package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

type reviewsCmd struct{}

// maxVerdict and maxScope are how many characters of each a line of 80 columns has room for.
const (
	maxScope   = 18
	maxVerdict = 32
)

// Run lists the newest reviews of this repository with their numbers for other commands.
func (c *reviewsCmd) Run(r *run) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	n := 0
	for _, rec := range r.ownRecords() {
		n++
		state, err := debate.Fold(rec.Entries)
		if err != nil {
			fmt.Fprintf(table, "%d\t-\t-\t%s\t-\n", n, "cannot be read")
			continue
		}
		e := report.FromState(state)
		verdict := report.Headline(e)
		if state.Ending.Outcome == "" {
			verdict = "not finished"
		}
		what := state.Received.Scope
		switch {
		case state.Received.Anchor.PR > 0:
			what = fmt.Sprintf("#%d %s", state.Received.Anchor.PR, state.Received.Anchor.Title)
		case state.Received.Inquiry != nil:
			what = state.Received.Anchor.Title
		}
		began := time.UnixMilli(state.Clock.StartedAt).Local().Format("2006-01-02 15:04")
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\n", n, began, report.ClipLine(comment.Line(what), maxScope),
			report.ClipLine(comment.Line(verdict), maxVerdict), report.Cost(e.Stats.CostUSD, e.Stats.CostUnknown))
	}
	if n == 0 {
		return r.say("There are no reviews of this repository. To make one: debate review")
	}
	table.Flush()
	return r.emit("", []byte(b.String()))
}
