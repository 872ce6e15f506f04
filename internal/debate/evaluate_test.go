package debate

import "testing"

// TestEvaluate: which word on a claim counts, as what, and with which reason (R134, M03).
func TestEvaluate(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*State)
		party  string
		ev     Evaluating
		tries  []Check
		want   []Evaluation // what counts of it, of class, reason, lines and claim that it is said to be
	}{
		"it agrees":                           {nil, "gpt", Evaluating{Class: ClassAgree}, nil, []Evaluation{{Class: ClassAgree}}},
		"it agrees with a line":               {nil, "gpt", Evaluating{Class: ClassAgree, Refs: citing(5)}, nil, []Evaluation{{Class: ClassAgree, Reasoned: true, Qualified: true}}},
		"it agrees and says why":              {nil, "gpt", Evaluating{Class: ClassAgree, Flaw: "line 3"}, nil, []Evaluation{{Class: ClassAgree, Reasoned: true}}},
		"it agrees and tried a case":          {nil, "gpt", Evaluating{Class: ClassAgree}, []Check{{Claim: "F1", Scenario: "nil"}}, []Evaluation{{Class: ClassAgree, Reasoned: true}}},
		"it tried a case in its part":         {nil, "gpt", Evaluating{Class: ClassAgree}, []Check{{Segment: "S1", Scenario: "nil"}}, []Evaluation{{Class: ClassAgree, Reasoned: true}}},
		"it tried a case elsewhere":           {nil, "gpt", Evaluating{Class: ClassAgree}, []Check{{Segment: "S2", Scenario: "nil"}}, []Evaluation{{Class: ClassAgree}}},
		"it tried a case on another claim":    {nil, "gpt", Evaluating{Class: ClassAgree}, []Check{{Claim: "F2", Segment: "S1", Scenario: "nil"}}, []Evaluation{{Class: ClassAgree}}},
		"it names the claim, and no case":     {nil, "gpt", Evaluating{Class: ClassAgree}, []Check{{Claim: "F1"}}, []Evaluation{{Class: ClassAgree}}},
		"it doubts without a flaw":            {nil, "gpt", Evaluating{Class: ClassSkeptical}, nil, nil},
		"it doubts":                           {nil, "gpt", Evaluating{Class: ClassSkeptical, Flaw: "no"}, nil, []Evaluation{{Class: ClassSkeptical, Reasoned: true}}},
		"it rejects without a line":           {nil, "gpt", Evaluating{Class: ClassReject, Flaw: "no"}, nil, []Evaluation{{Class: ClassSkeptical, Reasoned: true}}},
		"it rejects with a line":              {nil, "gpt", Evaluating{Class: ClassReject, Flaw: "no", Refs: citing(5)}, nil, []Evaluation{{Class: ClassReject, Reasoned: true, Qualified: true}}},
		"it rejects with a line, and no flaw": {nil, "gpt", Evaluating{Class: ClassReject, Refs: citing(5)}, nil, nil},
		"it does not understand it":           {nil, "gpt", Evaluating{Class: ClassIllFormed}, nil, []Evaluation{{Class: ClassIllFormed}}},
		"it names no class":                   {nil, "gpt", Evaluating{Flaw: "no"}, nil, nil},
		"it is its own claim":                 {nil, "claude", Evaluating{Class: ClassAgree}, nil, nil},
		"it is not the same as its own":       {nil, "gpt", Evaluating{Class: ClassAgree, SameAs: NoClaim}, nil, []Evaluation{{Class: ClassAgree, SameAs: NoClaim}}},
		"it is the same as its own":           {nil, "gpt", Evaluating{Class: ClassAgree, SameAs: "F3"}, nil, []Evaluation{{Class: ClassAgree, SameAs: "F3"}}},
		"it is the same as another one's":     {nil, "gpt", Evaluating{Class: ClassAgree, SameAs: "F2"}, nil, []Evaluation{{Class: ClassAgree}}},
		"it is the same as what is not there": {nil, "gpt", Evaluating{Class: ClassAgree, SameAs: "F9"}, nil, []Evaluation{{Class: ClassAgree}}},
		"it objected, and gives in in words":  {objected, "gpt", Evaluating{Class: ClassAgree, Flaw: "line 3"}, nil, []Evaluation{{Class: ClassAgree}}},
		"it objected, and gives in to lines":  {objected, "gpt", Evaluating{Class: ClassAgree, Refs: citing(5)}, nil, []Evaluation{{Class: ClassAgree, Reasoned: true, Qualified: true}}},
		"it objected, and quotes the claim":   {objected, "gpt", Evaluating{Class: ClassAgree, Refs: citing(3)}, nil, []Evaluation{{Class: ClassAgree, Qualified: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(
				Claim{ID: "F1", Owner: "claude", Segment: "S1", Kind: Empirical, Severity: P2, Evidence: shownAt("a.go", 3)},
				Claim{ID: "F2", Owner: "gemini", Segment: "S2", Severity: P2}, Claim{ID: "F3", Owner: "gpt", Severity: P2},
			)
			s.Split = inTwoChunks()
			if row.change != nil {
				row.change(&s)
			}
			row.ev.Claim = "F1"
			(&reducer{State: &s, step: &Step{}}).evaluateAll(row.party, 2, &Reply{Evaluations: []Evaluating{row.ev}, Checked: row.tries})
			got := s.Book.Claims[0].Evaluations
			if len(got) != len(row.want) {
				t.Fatalf("%d count, want %d", len(got), len(row.want))
			}
			for i, e := range got {
				if is := (Evaluation{Class: e.Class, Reasoned: e.Reasoned, Qualified: e.Qualified, SameAs: e.SameAs}); is != row.want[i] {
					t.Errorf("it counts as %+v, want %+v", is, row.want[i])
				}
			}
		})
	}
}

// objected lets gpt have attacked the claim, and have been answered.
func objected(s *State) {
	s.Book.Challenges = []Challenge{{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Defended}}
}

// TestConsistent: what a party says may stand beside what it said before if it admits the
// change, or heard a defence; else it changes nothing but the record (R154, R155).
func TestConsistent(t *testing.T) {
	t.Parallel()
	admits := []Change{{Claim: "F1", Because: "line 3"}}
	for name, row := range map[string]struct {
		before, now Class
		changes     []Change
		change      func(*State)
		wave        bool
		n           int // of what it said before; it is 2 now
		stands      bool
		drifts      int
	}{
		"it said nothing before":                {"", ClassAgree, nil, nil, false, 1, true, 0},
		"it says the same":                      {ClassAgree, ClassAgree, nil, nil, false, 1, true, 0},
		"it did not understand it before":       {ClassIllFormed, ClassReject, nil, nil, false, 1, true, 0},
		"it admits the change":                  {ClassAgree, ClassSkeptical, admits, nil, false, 1, true, 0},
		"it admits another change":              {ClassAgree, ClassSkeptical, []Change{{Claim: "F2", Because: "line 3"}}, nil, false, 1, false, 1},
		"it admits it without a reason":         {ClassAgree, ClassSkeptical, []Change{{Claim: "F1"}}, nil, false, 1, false, 1},
		"it heard a defence":                    {ClassSkeptical, ClassAgree, nil, objected, false, 1, true, 0},
		"nobody has defended it yet":            {ClassSkeptical, ClassAgree, nil, func(s *State) { objected(s); s.Book.Challenges[0].Status = Open }, false, 1, false, 1},
		"it says something else":                {ClassAgree, ClassSkeptical, nil, nil, false, 1, false, 1},
		"it is harsher about another part":      {ClassAgree, ClassSkeptical, nil, nil, true, 2, true, 0},
		"it is milder about another part":       {ClassSkeptical, ClassAgree, nil, nil, true, 2, false, 0},
		"it is harsher in a later wave":         {ClassAgree, ClassSkeptical, nil, nil, true, 1, false, 1},
		"it is harsher at once, in a later one": {ClassAgree, ClassSkeptical, nil, nil, false, 2, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P2})
			if row.before != "" {
				s.Book.Claims[0].Evaluations = []Evaluation{{Party: "gpt", N: row.n, Class: row.before}}
			}
			if row.change != nil {
				row.change(&s)
			}
			h := (&reducer{State: &s, step: &Step{}})
			if row.wave {
				h.Stage = StageChallenge
			}
			stands := h.consistent(&s.Book.Claims[0], &Evaluation{Party: "gpt", N: 2, Class: row.now}, row.changes)
			if drifts := s.Table.Seats[1].Drifts; stands != row.stands || drifts != row.drifts {
				t.Errorf("it stands %v after %d drifts, want %v, %d", stands, drifts, row.stands, row.drifts)
			}
		})
	}
}

// TestDrift: who contradicts itself is asked once what it means; who does it again is
// dropped (R155, R156).
func TestDrift(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		party string
		was   int
		asked string // what it was asked to reconcile before
		lost  bool
		asks  int
	}{
		"the first time":                      {"gpt", 0, "", false, 1},
		"the second time":                     {"gpt", 1, "", true, 0},
		"again of what it explained":          {"gpt", 0, "F1", true, 0},
		"of something else than it explained": {"gpt", 0, "F2", false, 1},
		"somebody who is no debater":          {ArbiterParty, 0, "", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude"}, Claim{ID: "F2", Owner: "claude"})
			s.Table.Seats[1].Drifts = row.was
			if row.asked != "" {
				s.Book.Challenges = []Challenge{{ID: "K1", Claim: row.asked, Attacker: EngineParty, Defender: "gpt", Kind: Reconciling, Status: Resolved}}
			}
			had := len(s.Book.Challenges)
			(&reducer{State: &s, step: &Step{}}).drift(row.party, "F1", "AGREE became REJECT", "it was AGREE")
			if asks := len(s.Book.Challenges) - had; s.Table.Seats[1].Lost != row.lost || asks != row.asks {
				t.Errorf("it is lost %v, asked %d times, want %v, %d", s.Table.Seats[1].Lost, asks, row.lost, row.asks)
			}
		})
	}
}

// TestChallenges: which word opens a challenge, and how strong that is (R128, R140, R090).
func TestChallenges(t *testing.T) {
	t.Parallel()
	doubts := Evaluating{Class: ClassSkeptical, Flaw: "no"}
	rejects := Evaluating{Class: ClassReject, Flaw: "no", Refs: citing(5)}
	unclear := Evaluating{Class: ClassIllFormed}
	is := func(change func(*Claim)) func(*State) { return func(s *State) { change(&s.Book.Claims[0]) } }
	said := func(status ChallengeStatus) func(*State) {
		return func(s *State) { objected(s); s.Book.Challenges[0].Status = status }
	}
	engine := is(func(c *Claim) { c.Owner = EngineParty })
	carried := is(func(c *Claim) { c.Carried = "F1" })
	none := func(*State) {}
	for name, row := range map[string]struct {
		change func(*State)
		n      int
		ev     Evaluating
		opens  string // how strong it is, "" if none is opened
	}{
		"an agreement":                            {none, 2, Evaluating{Class: ClassAgree}, ""},
		"a doubt about a P2":                      {none, 2, doubts, "SKEPTICAL moderate"},
		"a doubt about a P3":                      {is(func(c *Claim) { c.Severity = P3 }), 2, doubts, "SKEPTICAL minor"},
		"a doubt that calls a P3 a P2":            {is(func(c *Claim) { c.Severity = P3 }), 2, Evaluating{Class: ClassSkeptical, Flaw: "no", Severity: P2}, "SKEPTICAL moderate"},
		"a rejection of a P2":                     {none, 2, rejects, "REJECT moderate"},
		"a rejection of a P1":                     {is(func(c *Claim) { c.Asserted, c.Severity = P1, P1 }), 2, rejects, "REJECT strong"},
		"a doubt about a P1":                      {is(func(c *Claim) { c.Asserted, c.Severity = P1, P1 }), 2, doubts, "SKEPTICAL moderate"},
		"a doubt late in the talk":                {none, 7, doubts, ""},
		"a rejection with lines late in the talk": {none, 7, rejects, "REJECT moderate"},
		"a doubt about what a rule found":         {engine, 2, doubts, ""},
		"a rejection of what a rule found":        {engine, 2, rejects, "REJECT moderate"},
		"a doubt about an earlier head's":         {carried, 2, doubts, ""},
		"it is not clear":                         {none, 2, unclear, "SKEPTICAL moderate"},
		"a P3 is not clear":                       {is(func(c *Claim) { c.Severity = P3 }), 2, unclear, "SKEPTICAL minor"},
		"what a rule found is not clear":          {engine, 2, unclear, ""},
		"it attacks it already":                   {said(Open), 2, doubts, ""},
		"its words were heard":                    {said(Dissent), 2, doubts, ""},
		"its words were heard, and now lines":     {said(Dissent), 2, rejects, "REJECT moderate"},
		"it is not clear, and it attacks it":      {said(Open), 2, unclear, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Kind: Empirical, Asserted: P2, Severity: P2, Evidence: shownAt("a.go", 3)})
			row.change(&s)
			if s.Book.Claims[0].Severity == P3 {
				s.Book.Claims[0].Asserted = P3
			}
			had := len(s.Book.Challenges)
			row.ev.Claim = "F1"
			(&reducer{State: &s, step: &Step{}}).evaluate("gpt", row.n, row.ev, &Reply{})
			got := ""
			for _, k := range s.Book.Challenges[had:] {
				got = string(k.Kind) + " " + string(k.Strength)
				if k.Clarify != (row.ev.Class == ClassIllFormed) {
					t.Errorf("it asks what is meant: %v", k.Clarify)
				}
			}
			if got != row.opens {
				t.Errorf("it opens %q, want %q", got, row.opens)
			}
		})
	}
}
