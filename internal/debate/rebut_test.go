package debate

import (
	"testing"
)

// TestRebutHearsWhatWasShown: the parties of a wave do not hear each other. A
// defender is not blamed for an objection that is maintained in the same wave,
// and no attacker is taken to insist against a defence that it has not seen
// (R097, R149, R152).
func TestRebutHearsWhatWasShown(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{"gpt", "gemini"}, {"gemini", "gpt"}} {
		s := State{Stage: StageRebut, N: 20, Talk: Talk{Exchange: 1, Confrontations: 1, Positions: []Position{{Version: 1, Disposition: Keep}}}, Table: Table{Primary: "claude"}}
		s.Received = received()
		s.Table.Parties = []Party{{ID: "claude", Role: Primary, Family: "a"}, {ID: "gpt", Role: Challenger, Family: "b"}, {ID: "gemini", Role: Challenger, Family: "c"}}
		s.Table.Seats = []Seat{{Party: "claude"}, {Party: "gpt", Engagement: Partially}, {Party: "gemini", Engagement: Partially}}
		s.Book.Claims = []Claim{{ID: "F1", Owner: "gemini", Severity: P2, Title: "wrong lock"}, {ID: "F2", Owner: "gpt", Severity: P2, Title: "slow loop"}}
		s.Book.Challenges = []Challenge{
			{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "gemini", Kind: Skeptical, Status: Defended, Reminded: true, Shown: true},
			{ID: "K2", Claim: "F2", Attacker: "gemini", Defender: "gpt", Kind: Rejecting, Status: Open},
		}
		replies := map[string]*Reply{
			"gpt":    {Answers: []Answer{{Challenge: "K1", Move: Maintain, Text: "it is not held"}, {Challenge: "K2", Text: "it runs for each row"}}},
			"gemini": {Summary: "nothing was asked of me"},
		}
		var all []said
		for _, party := range order {
			ask := Ask{ID: "REBUT/2/" + party, Kind: CallRebut, Party: party, N: 2}
			all = append(all, said{Party: ask.Party, Chunk: ask.Chunk, Status: CallOK, Reply: replies[party]})
		}
		m := (&reducer{State: &s, step: &Step{}})
		m.spoken(&Wave{Kind: CallRebut, N: 2}, all)
		if k := s.Book.challenge("K1"); k.Status != Upheld || k.RoundsOpen != 1 {
			t.Errorf("%v: the maintained objection is %s after %d rounds", order, k.Status, k.RoundsOpen)
		}
		if k := s.Book.challenge("K2"); k.Status != Defended || k.RoundsOpen != 0 {
			t.Errorf("%v: the defence that nobody has seen left it %s after %d rounds", order, k.Status, k.RoundsOpen)
		}
	}
}

// TestRebutShows: what a party looked at it may show in a REBUT too, and another option
// opens a challenge there (R092, R090).
func TestRebutShows(t *testing.T) {
	t.Parallel()
	chooses := []FinalOption{{Decision: "D1", Option: "b"}}
	lines, gone := citing(3), []Ref{{}}
	for name, row := range map[string]struct {
		reply  Reply
		ask    bool
		shows  bool
		opened int
	}{
		"it agrees once more":                 {Reply{Recommendation: Keep}, false, false, 0},
		"it agrees, and tried a case":         {Reply{Checked: []Check{{Scenario: "nil"}}}, false, true, 0},
		"it agrees, and tried nothing":        {Reply{Checked: []Check{{Claim: "F1"}}}, false, false, 0},
		"it agrees, and answers with lines":   {Reply{Answers: []Answer{{Refs: lines}}}, false, true, 0},
		"it agrees, and answers without them": {Reply{Answers: []Answer{{Refs: gone}}}, false, false, 0},
		"it wants something else":             {Reply{Recommendation: Revise}, false, false, 1},
		"of a question, it chooses otherwise": {Reply{Recommendation: Keep, FinalOptions: chooses}, true, false, 1},
		"of a change, it chooses otherwise":   {Reply{Recommendation: Keep, FinalOptions: chooses}, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties()
			choosing("")(&s)
			s.Agenda.Decisions = s.Agenda.Framed
			s.Stage, s.Talk.Confrontations, s.Talk.Rounds = StageRebut, 1, []Round{{N: 1}, {N: 2}}
			if row.ask {
				s.Received.Inquiry = &Inquiry{}
			}
			s.Table.Seats[1].Engagement = Agrees
			all := ofGPT(row.reply)
			(&reducer{State: &s, step: &Step{}}).spoken(&Wave{Kind: CallRebut, N: 2}, all)
			if got, opened := s.Table.Seats[1].Substance, len(s.Book.attacks(PositionSubject)); got != row.shows || opened != row.opened {
				t.Errorf("it shows something: %v, and opened %d; want %v and %d", got, opened, row.shows, row.opened)
			}
		})
	}
}

// TestExchangeCounts: an exchange counts if a party answered in it, in its REBUT or in the
// RESPOND before (R097, R136).
func TestExchangeCounts(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		status CallStatus
		want   int
	}{
		"a party answered": {CallOK, 2},
		"no party did":     {CallTimeout, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties()
			s.Agenda.Decisions = []Decision{{ID: "D0", Options: dispositionOptions()}}
			s.Stage, s.Talk.Confrontations, s.Talk.Rounds = StageRebut, 1, []Round{{N: 1}, {N: 2}}
			all := ofGPT(Reply{Recommendation: Keep})
			all[0].Status = row.status
			(&reducer{State: &s, step: &Step{}}).spoken(&Wave{Kind: CallRebut, N: 2}, all)
			if s.Talk.Exchange != row.want {
				t.Errorf("exchange %d, want %d", s.Talk.Exchange, row.want)
			}
		})
	}
}

// TestJudgeDefences: an attacker says whether the defence holds; what it leaves out it
// maintains with nothing new, which ends it (R097, R148).
func TestJudgeDefences(t *testing.T) {
	t.Parallel()
	answers := func(move Move) Reply {
		return Reply{Answers: []Answer{{Challenge: "K1", Move: move, Text: "line 5 is not reached"}}}
	}
	weighs := func(claim string, class Class) Reply {
		return Reply{Evaluations: []Evaluating{{Claim: claim, Class: class}}}
	}
	both := answers(Accept)
	both.Evaluations = weighs("F1", ClassSkeptical).Evaluations
	for name, row := range map[string]struct {
		change func(k, shown *Challenge)
		reply  Reply
		status ChallengeStatus
	}{
		"it accepts the defence":                 {nil, answers(Accept), Resolved},
		"it maintains":                           {nil, answers(Maintain), Upheld},
		"it says nothing":                        {nil, Reply{}, Upheld},
		"it rejects the defence":                 {nil, answers(Rebuff), Upheld},
		"it grants a part of the defence":        {nil, answers(Partial), Upheld},
		"it answers without a move":              {nil, answers(""), Upheld},
		"it names the defence alone":             {nil, Reply{Answers: []Answer{{Challenge: "K1"}}}, Upheld},
		"it weighs the claim anew":               {nil, weighs("F1", ClassSkeptical), Defended},
		"it weighs the claim without a class":    {nil, weighs("F1", ""), Upheld},
		"it weighs another claim":                {nil, weighs("F2", ClassAgree), Upheld},
		"it weighs a claim that is not there":    {nil, weighs("F9", ClassAgree), Upheld},
		"it accepts, and weighs the claim":       {nil, both, Resolved},
		"it is a deadlock":                       {func(k, shown *Challenge) { k.Deadlock, shown.Deadlock = Criteria, Criteria }, answers(Accept), Defended},
		"the defence came in the same wave":      {func(_, shown *Challenge) { shown.Status = Open }, answers(Accept), Defended},
		"somebody settled it in the same wave":   {func(k, _ *Challenge) { k.Status = Conceded }, answers(Accept), Conceded},
		"it is another one's":                    {func(k, shown *Challenge) { k.Attacker, shown.Attacker = "gemini", "gemini" }, answers(Accept), Defended},
		"it maintains an objection to the whole": {toPosition, answers(Maintain), Upheld},
		"it gives up an objection to the whole":  {toPosition, answers(Accept), Resolved},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P2}, Claim{ID: "F2", Owner: "claude", Severity: P2})
			k := Challenge{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Defended, Shown: true}
			shown := k
			if row.change != nil {
				row.change(&k, &shown)
			}
			s.Book.Challenges = []Challenge{k}
			(&reducer{State: &s, step: &Step{}}).judgeDefences("gpt", &row.reply, []Challenge{shown})
			if got := s.Book.Challenges[0]; got.Status != row.status {
				t.Errorf("it is %s, want %s", got.Status, row.status)
			}
		})
	}
}

func toPosition(k, shown *Challenge) { k.Claim, shown.Claim = PositionSubject, PositionSubject }

// TestGivesUpAnObjection: who gives up an objection to the position must say why, unless
// the defence shows something or grants a part of it (R116, R155).
func TestGivesUpAnObjection(t *testing.T) {
	t.Parallel()
	lines := []Evidence{textOnly(3, "x", true)}
	for name, row := range map[string]struct {
		move        Move
		defence     []Evidence
		why         Why
		unexplained bool
	}{
		"without a word, to words":              {Rebuff, nil, Why{}, true},
		"without a word, to lines":              {Rebuff, lines, Why{}, false},
		"without a word, to lines that are not": {Rebuff, []Evidence{textOnly(3, "x", false)}, Why{}, true},
		"without a word, to a part granted":     {Partial, nil, Why{}, false},
		"with a word, to words":                 {Rebuff, nil, told("line 3 does it"), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties()
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: PositionSubject, Attacker: "gpt", Defender: "claude", Status: Defended, Move: row.move, DefenceBy: row.defence}}
			k := &s.Book.Challenges[0]
			(&reducer{State: &s, step: &Step{}}).accept(k, row.why, nil)
			if k.Unexplained != row.unexplained || k.Status != Resolved {
				t.Errorf("it is %s, unexplained %v, want %v", k.Status, k.Unexplained, row.unexplained)
			}
		})
	}
}

// TestInsist: what a challenge that is kept up brings: lines that were not given before
// have to be answered anew, and two sides that repeat themselves are stuck (M09).
func TestInsist(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		cites    []Ref
		answered bool
		rounds   int
		moves    bool
	}{
		"a new line near the claim":                {citing(5), false, 1, true},
		"a new line of another declaration":        {citing(90), true, 1, true},
		"the line of the claim once more":          {citing(3), true, deadlockRounds, false},
		"nothing":                                  {nil, true, deadlockRounds, false},
		"a line that is not there":                 {[]Ref{{}}, true, deadlockRounds, false},
		"the line that the challenge quoted first": {citing(7), true, deadlockRounds, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P2, ReportedBy: []string{"claude"}})
			b := (&reducer{State: &s, step: &Step{}})
			s.Book.Claims[0].Evidence = b.found("claude", citing(3))
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Defended, Shown: true, Answered: true, Evidence: b.found("gpt", citing(7))}}
			k := &s.Book.Challenges[0]
			b.N-- // what both have quoted so far
			b.said(&s.Book.Claims[0].Thread, "F1", Turn{Who: "claude", Act: Raise, Cites: s.Book.Claims[0].Evidence})
			b.said(&k.Thread, "F1", Turn{Who: "gpt", Act: Object, Cites: k.Evidence})
			b.N++
			b.insist(k, Maintain, "it is not reached", b.found("gpt", row.cites))
			moves := s.Book.news("claude", s.N, s.N+1)
			if k.Answered != row.answered || k.RoundsOpen != row.rounds || moves != row.moves || k.Status != Open || !k.Shown {
				t.Errorf("answered %v, open for %d rounds, moves something %v: %+v", k.Answered, k.RoundsOpen, moves, k)
			}
		})
	}
}

// TestEscalate: a challenge is escalated once, with a clearer text; a REJECT that was
// heard once is heard no more, and is a deadlock if its sides say so and repeat themselves
// (R152).
func TestEscalate(t *testing.T) {
	t.Parallel()
	views := []DeadlockSide{{Party: "gpt", DeadlockView: DeadlockView{Class: Criteria}}}
	for name, row := range map[string]struct {
		kind      ChallengeKind
		escalated bool
		views     []DeadlockSide
		move      Move
		cites     []Ref
		status    ChallengeStatus
		objection string
		deadlock  DeadlockClass
	}{
		"maintained":                           {Skeptical, false, nil, Maintain, nil, Open, "old", ""},
		"escalated":                            {Skeptical, false, nil, Escalate, nil, Open, "new", ""},
		"escalated again":                      {Skeptical, true, nil, Escalate, nil, Open, "old", ""},
		"a REJECT, maintained":                 {Rejecting, false, nil, Maintain, nil, Upheld, "old", ""},
		"a REJECT, escalated":                  {Rejecting, false, nil, Escalate, nil, Open, "new", ""},
		"a REJECT, escalated again":            {Rejecting, true, nil, Escalate, nil, Upheld, "old", ""},
		"a REJECT, and a side names a class":   {Rejecting, false, views, Maintain, nil, Upheld, "old", Criteria},
		"a REJECT, named a class, and a line":  {Rejecting, false, views, Maintain, citing(5), Upheld, "old", ""},
		"maintained, and a side names a class": {Skeptical, false, views, Maintain, nil, Open, "old", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P2, Evidence: shownAt("a.go", 3)})
			s.Book.Challenges = []Challenge{{
				ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: row.kind, Status: Defended, Objection: "old",
				Shown: true, Answered: true, Escalated: row.escalated, Views: row.views,
			}}
			k := &s.Book.Challenges[0]
			h := &reducer{State: &s, step: &Step{}}
			h.insist(k, row.move, "new", h.found("gpt", row.cites))
			if k.Status != row.status || k.Objection != row.objection || k.Deadlock != row.deadlock {
				t.Errorf("it is %s, %q, deadlock %q; want %s, %q, %q", k.Status, k.Objection, k.Deadlock, row.status, row.objection, row.deadlock)
			}
		})
	}
}

// TestHeardOut: words are heard once; what they are closed as follows from what they are
// said against (A06, M09, R153).
func TestHeardOut(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		severity Severity
		attacker string
		shown    bool
		verified bool
		status   ChallengeStatus
		code     WhyCode
	}{
		"words against a P2":          {P2, "gpt", false, false, Dissent, WhyWordsHeard},
		"words against a verified P2": {P2, "gpt", false, true, Dissent, WhyVerifiedWins},
		"words against a P3":          {P3, "gpt", false, false, Upheld, ""},
		"words against a verified P3": {P3, "gpt", false, true, Dissent, WhyVerifiedWins},
		"lines against a P2":          {P2, "gpt", true, false, Open, ""},
		"lines against a P3":          {P3, "gpt", true, false, Upheld, ""},
		"lines against a verified P3": {P3, "gpt", true, true, Upheld, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := Claim{ID: "F1", Owner: "claude", Kind: Empirical, Asserted: row.severity, Severity: row.severity, Evidence: shownAt("a.go", 3)}
			if row.verified {
				c.Evaluations = []Evaluation{{Party: "gemini", Class: ClassAgree, View: Supports, Reasoned: true}}
			}
			s := threeParties(c)
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: "F1", Attacker: row.attacker, Defender: "claude", Kind: Skeptical, Status: Open, Shown: row.shown, Answered: true}}
			k := &s.Book.Challenges[0]
			closed := (&reducer{State: &s, step: &Step{}}).heardOut(k)
			if k.Status != row.status || k.ResolvedWith.Code != row.code || closed != (row.status != Open) {
				t.Errorf("it is %s for %q, closed %v; want %s, %q", k.Status, k.ResolvedWith.Code, closed, row.status, row.code)
			}
		})
	}
}
