package debate

import (
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/debate/rubric"
	"github.com/prdebate/debate/internal/lists"
)

// decisionOf is the docket of a state that has one decision.
func decisionOf(s *State) (*reducer, *Decision) {
	return &reducer{State: s, step: &Step{}}, &s.Agenda.Decisions[0]
}

// TestBarred: what forbids to keep a change as it is (S11, R095, R036).
func TestBarred(t *testing.T) {
	t.Parallel()
	claim := func(severity Severity, bucket Bucket, reason Reason, evidence []Evidence) Claim {
		return Claim{ID: "F1", Owner: "gpt", Severity: severity, Bucket: bucket, Reason: reason, Evidence: evidence}
	}
	shown := shownAt("a.go", 3)
	comment := slices.Clone(shown)
	comment[0].Code, comment[0].Verified = 0, true
	carried := claim(P2, Unresolved, ReasonOpen, shown)
	carried.Carried = "F1"
	granted := Challenge{ID: "K1", Claim: PositionSubject, Attacker: "gpt", Status: Conceded, Strength: StrengthModerate}
	for name, row := range map[string]struct {
		claim  Claim
		change func(*State)
		want   WhyCode
	}{
		"nothing":                               {Claim{}, nil, ""},
		"a confirmed P1":                        {claim(P1, Agreed, "", shown), nil, WhyOpenP1},
		"a confirmed P2":                        {claim(P2, Agreed, "", shown), nil, ""},
		"a disputed P1":                         {claim(P1, Unresolved, ReasonOpen, shown), nil, WhyOpenP1},
		"a disputed P1 that quotes nothing":     {claim(P1, Unresolved, ReasonOpen, nil), nil, WhyOpenP1},
		"a P1 that nobody confirmed":            {claim(P1, Unresolved, ReasonUnconfirmed, shown), nil, WhyOpenP1},
		"it quotes nothing":                     {claim(P1, Unresolved, ReasonUnconfirmed, nil), nil, ""},
		"its quote of a comment is verified":    {claim(P1, Unresolved, ReasonUnconfirmed, comment), nil, WhyOpenP1},
		"a P1 that was dismissed":               {claim(P1, Dismissed, ReasonConceded, shown), nil, ""},
		"it failed before, and is disputed":     {carried, nil, WhyFailedBefore},
		"it failed before, and was dismissed":   {carried, func(s *State) { s.Book.Claims[0].Bucket = Dismissed }, ""},
		"it is open, and new on this head":      {carried, func(s *State) { s.Book.Claims[0].Carried = "" }, ""},
		"it is of another head":                 {carried, func(s *State) { s.Received.Previous.Head = "h0" }, ""},
		"it did not fail the check":             {carried, func(s *State) { s.Book.Claims[0].Severity = P3 }, ""},
		"the primary granted an objection":      {Claim{}, func(s *State) { s.Book.Challenges = []Challenge{granted} }, WhyGrantedObjection},
		"a finding and an objection":            {claim(P1, Agreed, "", shown), func(s *State) { s.Book.Challenges = []Challenge{granted} }, WhyOpenP1},
		"another decision":                      {claim(P1, Agreed, "", shown), func(s *State) { s.Agenda.Decisions[0].ID = "D1" }, ""},
		"a question":                            {claim(P1, Agreed, "", shown), func(s *State) { s.Received.Inquiry = &Inquiry{} }, ""},
		"only the scores come to keep":          {Claim{}, func(s *State) { s.Table.Seats[0].Option = Revise }, WhyNobodyKeeps},
		"nobody keeps, nor do the scores":       {Claim{}, func(s *State) { s.Table.Seats[0].Option = Revise; s.Agenda.Decisions[0].Rubric.Winner = string(Revise) }, ""},
		"nobody keeps, and there is a finding":  {claim(P1, Agreed, "", shown), func(s *State) { s.Table.Seats[0].Option = Revise }, WhyOpenP1},
		"nobody keeps the answer to a question": {Claim{}, func(s *State) { s.Table.Seats[0].Option = Revise; s.Received.Inquiry = &Inquiry{} }, ""},
		"nobody keeps what is another decision": {Claim{}, func(s *State) { s.Table.Seats[0].Option = Revise; s.Agenda.Decisions[0].ID = "D1" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{
				Received: Received{Settings: Settings{FailOn: FailP2}, Previous: Previous{Head: "h1"}},
				Snapshot: Snapshotted{HeadSHA: "h1"},
				Table:    Table{Primary: "claude", Parties: []Party{{ID: "claude"}}, Seats: []Seat{{Party: "claude", Option: Keep}}},
				Talk:     Talk{Positions: []Position{{By: "claude", Disposition: Keep}}},
				Agenda:   Agenda{Decisions: []Decision{{ID: "D0", Rubric: &Rubric{Winner: string(Keep)}}}},
			}
			if row.claim.ID != "" {
				s.Book.Claims = []Claim{row.claim}
			}
			if row.change != nil {
				row.change(&s)
			}
			dk, d := decisionOf(&s)
			if got := dk.barred(d).Code; got != row.want {
				t.Errorf("keep is barred by %q, want %q", got, row.want)
			}
		})
	}
}

// TestUnscoredSaysWhy: a person who has to decide because options were not scored is told
// what was lacking: what the rubric lacks, or why there is none.
func TestUnscoredSaysWhy(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		d     Decision
		want  WhyCode
		cause WhyCode
	}{
		"the rubric came to nothing": {Decision{Rubric: &Rubric{Lack: rubric.NoOptions}, Unscored: because(WhyNoJudge)}, WhyOptionsUnscored, WhyCode(rubric.NoOptions)},
		"the rubric got no sheets":   {Decision{Rubric: &Rubric{}, Unscored: because(WhyNoJudge)}, WhyOptionsUnscored, WhyNoJudge},
		"there is no rubric":         {Decision{Unscored: because(WhyNoJudge)}, WhyDecisionUnscored, WhyNoJudge},
	} {
		row.d.divided(false)
		why := row.d.Triggers[0].Why
		if why.Code != row.want || why.Cause == nil || why.Cause.Code != row.cause {
			t.Errorf("%s: %+v", name, why)
		}
	}
}

// TestRecommended: what is recommended, and never keep over a bar or because of a tie (R036).
func TestRecommended(t *testing.T) {
	t.Parallel()
	open := because(WhyOpenP1, "F1")
	scored := func(winner string, tied ...string) Decision {
		return Decision{ID: "D0", Rubric: &Rubric{Winner: winner, Tied: tied}}
	}
	settled := func(option string, d Decision) Decision {
		d.Held, d.Settled = option, true
		return d
	}
	other := scored("", "keep", "revise")
	other.ID = "D1"
	diverging := scored("revise")
	diverging.Rubric.Diverging = true
	for name, row := range map[string]struct {
		d      Decision
		barred Why
		want   string
	}{
		"nothing":                           {Decision{ID: "D0"}, Why{}, ""},
		"what is settled":                   {settled("keep", Decision{ID: "D0"}), Why{}, "keep"},
		"what the scores say":               {scored("keep"), Why{}, "keep"},
		"settled before scored":             {settled("revise", scored("keep")), Why{}, "revise"},
		"what the judges say":               {Decision{ID: "D0", Panel: &Panel{Option: "revise"}, Rubric: &Rubric{Winner: "keep"}}, Why{}, "revise"},
		"a tie with keep":                   {scored("", "keep", "revise"), Why{}, "revise"},
		"a tie of the careful":              {scored("", "revise", "reject"), Why{}, "reject"},
		"a tie of three":                    {scored("", "keep", "revise", "reject"), Why{}, "reject"},
		"a tie of keep and something else":  {scored("", "keep", "split"), Why{}, ""},
		"a tie where nothing is careful":    {other, Why{}, ""},
		"keep over a confirmed P1":          {settled("keep", Decision{ID: "D0"}), open, ""},
		"scores for keep over a P1":         {scored("keep"), open, ""},
		"what is barred bars nothing else":  {scored("", "keep", "revise"), open, "revise"},
		"what diverges is still on sheets":  {diverging, Why{}, "revise"},
		"settled, and the scores are a tie": {settled("keep", scored("", "keep", "revise")), Why{}, "keep"},
	} {
		if got := row.d.recommended(row.barred); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

// TestDivided: what no choice of the parties settles is handed to a person (R036, R037, R192).
func TestDivided(t *testing.T) {
	t.Parallel()
	scored := func(r Rubric) *Rubric {
		r.Combined = []Combined{{Option: "keep"}}
		return &r
	}
	tie := Rubric{Tied: []string{"keep", "revise"}}
	for name, row := range map[string]struct {
		d       Decision
		stopped bool
		want    []WhyCode
	}{
		"settled":                    {Decision{Held: "keep", Settled: true}, false, nil},
		"a winner":                   {Decision{Rubric: scored(Rubric{Winner: "keep"})}, false, nil},
		"a tie":                      {Decision{Rubric: scored(tie)}, false, []WhyCode{WhyTie}},
		"sheets that diverge":        {Decision{Rubric: scored(Rubric{Winner: "keep", Diverging: true})}, false, []WhyCode{WhyDiverging}},
		"no sheets":                  {Decision{Rubric: &Rubric{}}, false, []WhyCode{WhyOptionsUnscored}},
		"no rubric":                  {Decision{}, false, []WhyCode{WhyDecisionUnscored}},
		"no rubric, critical anyway": {Decision{Triggers: []Trigger{{ID: TriggerMoney}}}, false, nil},
		"stopped":                    {Decision{Rubric: &Rubric{}, Unanswered: []string{"why?"}}, true, nil},
		"stopped after a tie":        {Decision{Rubric: scored(tie)}, true, []WhyCode{WhyTie}},
		"another question is open":   {Decision{Held: "keep", Settled: true, Unanswered: []string{"why?"}}, false, []WhyCode{WhyAlsoAsks}},
		"judges who differ":          {Decision{Rubric: scored(Rubric{Winner: "a"}), Panel: &Panel{}}, false, []WhyCode{WhyJudgesDiffer}},
		"judges who agree":           {Decision{Panel: &Panel{Option: "a"}}, false, nil},
		"judges who differ alone":    {Decision{Panel: &Panel{}}, false, []WhyCode{WhyJudgesDiffer}},
	} {
		before := len(row.d.Triggers)
		row.d.divided(row.stopped)
		got := lists.Map(row.d.Triggers[before:], func(t Trigger) WhyCode { return t.Why.Code })
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
}

// TestConcludedAnew: a decision that is ended once more says why it ended so now, and not
// why it ended otherwise before.
func TestConcludedAnew(t *testing.T) {
	t.Parallel()
	agreed := []Claim{{ID: "F1", Owner: "gpt", Severity: P2, Bucket: Agreed}}
	p1 := []Claim{{ID: "F1", Owner: "gpt", Severity: P1, Bucket: Agreed}}
	for name, row := range map[string]struct {
		was     Decision
		claims  []Claim
		outcome DecisionOutcome
		why     WhyCode
	}{
		"what nothing stood behind is confirmed":    {Decision{Outcome: Adopted, Why: because(WhyBare), Held: string(Revise)}, agreed, Settled, ""},
		"what was confirmed is not any more":        {Decision{Outcome: Settled, Held: string(Revise)}, nil, Adopted, WhyBare},
		"what forbade to keep is gone":              {Decision{Outcome: Undecided, Why: because(WhyOpenP1, "F1"), Held: string(Keep)}, nil, Settled, ""},
		"there is something that forbids to keep":   {Decision{Outcome: Settled, Held: string(Keep)}, p1, Undecided, WhyOpenP1},
		"another thing forbids to keep":             {Decision{Outcome: Undecided, Why: because(WhyGrantedObjection, "K1"), Held: string(Keep)}, p1, Undecided, WhyOpenP1},
		"a person was asked: nothing is ended anew": {Decision{Outcome: AwaitingHuman, Why: because(WhyOpenP1, "F1"), Held: string(Keep)}, nil, AwaitingHuman, WhyOpenP1},
	} {
		t.Run(name, func(t *testing.T) {
			row.was.ID, row.was.Options, row.was.Settled = "D0", dispositionOptions(), true
			at := Disposition(row.was.Held)
			s := State{
				Book:   Book{Claims: row.claims},
				Table:  Table{Primary: "claude", Parties: []Party{{ID: "claude"}, {ID: "gpt"}}, Seats: []Seat{{Party: "claude", Option: at}, {Party: "gpt", Option: at, Engagement: Agrees, Substance: true}}},
				Talk:   Talk{Positions: []Position{{By: "claude", Disposition: at}}},
				Ending: Ending{Outcome: Consensus},
				Agenda: Agenda{Decisions: []Decision{row.was}},
			}
			dk, d := decisionOf(&s)
			dk.concludeAgain()
			if d.Outcome != row.outcome || d.Why.Code != row.why {
				t.Errorf("%s because of %q, want %s because of %q", d.Outcome, d.Why.Code, row.outcome, row.why)
			}
		})
	}
}

// TestVerdictOverAnEarlierDecision: what a person decided for an earlier head does not
// carry this one where its own review came to something worse (M20).
func TestVerdictOverAnEarlierDecision(t *testing.T) {
	t.Parallel()
	open := Claim{ID: "F1", Owner: "gpt", Severity: P2, Bucket: Agreed, Evidence: shownAt("a.go", 3)}
	for name, row := range map[string]struct {
		claims []Claim
		held   Disposition // what this head settled
		head   string      // that the person decided on
		want   Disposition
	}{
		"this one came to keep":               {nil, Keep, "h0", Keep},
		"it has a confirmed P2":               {[]Claim{open}, Keep, "h0", Revise},
		"it came to revise":                   {nil, Revise, "h0", Revise},
		"it came to reject":                   {nil, Reject, "h0", Reject},
		"it came to reject, and has a P2":     {[]Claim{open}, Reject, "h0", Reject},
		"the person decided on this very one": {[]Claim{open}, Reject, "h1", Keep},
	} {
		t.Run(name, func(t *testing.T) {
			s := askedToKeep(row.claims...)
			s.Agenda.Decisions[0].Held, s.Agenda.Decisions[0].Human.Head = string(row.held), row.head
			s.verdict()
			if s.Ending.Disposition != row.want {
				t.Errorf("%s, want %s", s.Ending.Disposition, row.want)
			}
		})
	}
}

// TestKeepIsUnsettled: keep that was settled is not settled any more where too few of
// those who held it are left, and then the debate did not come to a consensus (M09, M19).
func TestKeepIsUnsettled(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		held    Disposition
		change  func(*State)
		settled bool
		outcome Outcome
	}{
		"all are left":                  {Keep, func(*State) {}, true, Consensus},
		"one of three is lost":          {Keep, func(s *State) { s.Table.Seats[1].Lost = true }, true, Consensus},
		"two of three are lost":         {Keep, func(s *State) { s.Table.Seats[1].Lost, s.Table.Seats[2].Lost = true, true }, false, Tradeoff},
		"two of three are lost, revise": {Revise, func(s *State) { s.Table.Seats[1].Lost, s.Table.Seats[2].Lost = true, true }, true, Consensus},
	} {
		t.Run(name, func(t *testing.T) {
			seat := func(party string) Seat {
				return Seat{Party: party, Option: row.held, Engagement: Agrees, Substance: true}
			}
			s := State{
				Table: Table{Primary: "claude", Parties: []Party{{ID: "claude", Family: "anthropic"}, {ID: "gpt", Family: "openai"}, {ID: "gemini", Family: "google"}},
					Seats: []Seat{seat("claude"), seat("gpt"), seat("gemini")}},
				Talk:   Talk{Positions: []Position{{By: "claude", Disposition: row.held}}},
				Ending: Ending{Outcome: Consensus},
				Agenda: Agenda{Decisions: []Decision{{ID: "D0", Options: dispositionOptions(), Held: string(row.held), Settled: true}}},
			}
			row.change(&s)
			(&reducer{State: &s, step: &Step{}}).gate()
			if d := s.Agenda.d0(); d.Settled != row.settled || s.Ending.Outcome != row.outcome {
				t.Errorf("settled %v, and the debate is a %s", d.Settled, s.Ending.Outcome)
			}
		})
	}
}
