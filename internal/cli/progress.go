package cli

import (
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
)

// steps says in words what each piece of work does.
var steps = map[debate.WorkKind]string{
	debate.DoSnapshot:  "freezing the change",
	debate.DoSplit:     "splitting it into code and proposals",
	debate.DoCritique:  "checking the changed lines",
	debate.DoPolice:    "applying the policy",
	debate.DoPreflight: "looking for models",
	debate.DoChecks:    "reading the results of other checks",
	debate.DoPublish:   "writing the result",
	debate.DoClose:     "sealing the record",
}

// tell shows one line for each step of a review, and for each call one as it
// begins and one as it ends.
func (r *run) tell(p engine.Progress) {
	took := p.Took.Round(100 * time.Millisecond)
	switch ask := p.Work.Ask; {
	case p.Err != nil:
		r.progress("%v", p.Err)
	case ask == nil && !p.Done:
		r.progress("%s", steps[p.Work.Kind])
	case ask == nil:
	case p.Looks == 1:
		r.progress("%s looks at one more thing (%s)", ask.Party, ask.ID)
	case p.Looks > 0:
		r.progress("%s looks at %d more things (%s)", ask.Party, p.Looks, ask.ID)
	case !p.Done:
		r.progress("asking %s (%s)", ask.Party, ask.ID)
	case p.Status == debate.CallOK:
		r.progress("%s has answered after %s (%s)", ask.Party, took, ask.ID)
	default:
		r.progress("%s has not answered: %s after %s: %s (%s)", ask.Party, p.Status, took, p.Detail, ask.ID)
	}
}
