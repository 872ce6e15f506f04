package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// stored is the envelope as somebody reads it from its JSON.
func stored(t *testing.T, s debate.State) Envelope {
	t.Helper()
	data, err := JSON(FromState(s))
	if err != nil {
		t.Fatal(err)
	}
	var e Envelope
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestMissing(t *testing.T) {
	t.Parallel()
	critical := func(e *Envelope) *Decision { return &e.Decisions[0] }
	for name, c := range map[string]struct {
		harm func(e *Envelope)
		want []string
	}{
		"nothing":                           {func(*Envelope) {}, nil},
		"a rating":                          {func(e *Envelope) { e.Deltas = e.Deltas[1:] }, []string{"R044: exchange 2: neither a rating of the primary nor that there is none"}},
		"that there is no rating":           {func(e *Envelope) { e.Rounds[2].Unrated = nil }, []string{"R044: exchange 3: neither a rating of the challengers nor that there is none"}},
		"a round":                           {func(e *Envelope) { e.Rounds = e.Rounds[:2] }, []string{"R044: 3 exchanges, the last one in the report is 2"}},
		"why it ended":                      {func(e *Envelope) { e.Exit = "" }, []string{"R044: it does not say why the debate ended"}},
		"ratings, but it converged":         {func(e *Envelope) { e.Deltas, e.Exit = nil, debate.ExitConverged }, nil},
		"decisions":                         {func(e *Envelope) { e.Decisions = nil }, []string{"R046: no decision, not even D0"}},
		"the rubric of an adopted decision": {func(e *Envelope) { e.Decisions[2].Outcome = debate.Adopted }, []string{"R045: D2 is adopted without scores"}},
		"why judges have no rubric beside":  {func(e *Envelope) { e.Decisions[1].Why = "" }, nil},
		"why there is no rubric":            {func(e *Envelope) { e.Decisions[1].Why, e.Decisions[1].Panel = "", nil }, []string{"R045: D1 is critical and has neither scores nor a reason why not"}},
		"options":                           {func(e *Envelope) { critical(e).Options = critical(e).Options[1:2] }, []string{"R045: D0 was scored with fewer than two options"}},
		"a weight":                          {func(e *Envelope) { critical(e).Rubric.Criteria[0].WeightBP-- }, []string{"R045: D0 has 3 criteria of 9999 basis points"}},
		"a score":                           {func(e *Envelope) { critical(e).Rubric.Sheets[0].Scores = critical(e).Rubric.Sheets[0].Scores[1:] }, []string{"R045: D0 gpt did not score keep by correctness"}},
		"sheets":                            {func(e *Envelope) { critical(e).Rubric.Sheets = nil }, []string{"R045: D0 has no sheet and no reason why not"}},
		"a combined result":                 {func(e *Envelope) { critical(e).Rubric.Combined = critical(e).Rubric.Combined[1:] }, []string{"R045: D0 keep has no combined result"}},
		"a winner":                          {func(e *Envelope) { critical(e).Rubric.Winner = "" }, []string{"R045: D0 has no winner and no reason why not"}},
		"a winner that is offered":          {func(e *Envelope) { critical(e).Rubric.Winner = "both" }, []string{"R045: D0 the winner is no option"}},
		"triggers":                          {func(e *Envelope) { critical(e).Triggers = nil }, []string{"R046: D0 is critical without a trigger"}},
		"triggers but waived ones":          {func(e *Envelope) { critical(e).Triggers[0].Waived = "ada" }, []string{"R046: D0 is critical without a trigger"}},
		"the source of a trigger":           {func(e *Envelope) { critical(e).Triggers[0].Source = "" }, []string{"R046: D0 has a trigger without id or source"}},
		"its class":                         {func(e *Envelope) { critical(e).Critical = false }, []string{"R046: D0 has a trigger and is not critical"}},
		"an outcome":                        {func(e *Envelope) { critical(e).Outcome = "" }, []string{"R046: D0 has no outcome"}},
		"the item":                          {func(e *Envelope) { critical(e).Human.Status = debate.ItemWithdrawn }, []string{"R047: D0 awaits a human, its item is withdrawn"}},
		"anybody to decide":                 {func(e *Envelope) { critical(e).Outcome = debate.Undecided }, []string{"R047: D0 is critical, undecided, and waits for nobody"}},
		"the human":                         {func(e *Envelope) { e.Decisions[1].Human = nil }, []string{"R048: D1 is decided without a human on record"}},
		"who decided":                       {func(e *Envelope) { e.Decisions[1].Human.By = "" }, []string{"R048: D1 is decided without a human on record"}},
		"the option":                        {func(e *Envelope) { e.Decisions[1].Human.Option = "both" }, []string{"R047: D1 the human chose an option that it does not have"}},
		"a human before adoption":           {func(e *Envelope) { critical(e).Outcome = debate.Adopted }, []string{"R048: D0 is critical and adopted without a human"}},
		"a human before settling":           {func(e *Envelope) { critical(e).Outcome = debate.Settled }, []string{"R048: D0 is critical and settled without a human"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := stored(t, contested())
			c.harm(&e)
			if got := strings.Join(Missing(e), "\n"); got != strings.Join(c.want, "\n") {
				t.Errorf("without %s: %q, want %q", name, got, c.want)
			}
		})
	}
	for name, s := range map[string]debate.State{"agreeing": agreeing()} {
		if got := Missing(stored(t, s)); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	degraded := contested()
	degraded.Ending.Outcome, degraded.Talk.Exit, degraded.Talk.Positions, degraded.Talk.Rounds, degraded.Talk.Deltas = debate.DegradedLocal, "", nil, nil, nil
	degraded.Agenda.Decisions = degraded.Agenda.Decisions[:1]
	degraded.Agenda.Decisions[0].Rubric, degraded.Agenda.Decisions[0].Human = nil, nil
	if e := stored(t, degraded); len(Missing(e)) > 0 || e.Decisions[0].Why != notScored {
		t.Errorf("degraded: %v, why %q", Missing(e), e.Decisions[0].Why)
	}
}
