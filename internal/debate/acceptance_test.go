package debate

import (
	"slices"
	"testing"
)

// shownAt is evidence that quotes a line of the change, and that the engine found there.
func shownAt(path string, line int) []Evidence {
	return []Evidence{{By: "gpt", CitationOK: true, InHunk: true, Changed: true, Code: Lines(0).With(0),
		Cite: Citation{Path: path, Side: Right, StartLine: line, EndLine: line, Quote: "quoted"}}}
}

// askedToKeep is a state in which bob decided at an earlier head to merge, and named
// nothing.
func askedToKeep(claims ...Claim) State {
	d := Decision{ID: "D0", Outcome: HumanDecided, Held: string(Keep), Settled: true,
		Human: &Human{Status: ItemDecided, PersonAnswer: PersonAnswer{By: "bob", Option: string(Keep), Head: "h0"}}}
	return State{
		Snapshot: Snapshotted{HeadSHA: "h1"},
		Book:     Book{Claims: claims},
		Agenda:   Agenda{Decisions: []Decision{d}},
	}
}

// TestKeepOfAnEarlierHead: who decided on an earlier head to merge accepted what the
// question was about and what the answer named. The rest of this head has to be fit to
// merge by its own review (M20).
func TestKeepOfAnEarlierHead(t *testing.T) {
	t.Parallel()
	claim := func(severity Severity, bucket Bucket) Claim {
		return Claim{ID: "F1", Owner: "gpt", Severity: severity, Bucket: bucket, Category: "security", Evidence: shownAt("a.go", 3)}
	}
	for name, row := range map[string]struct {
		claims []Claim
		change func(*State)
		stands string // what stands against it, "" for nothing
	}{
		"nothing is open":               {nil, nil, ""},
		"a person decided on this head": {[]Claim{claim(P2, Agreed)}, func(s *State) { s.Snapshot.HeadSHA = "h0" }, ""},
		"a person chose to revise":      {[]Claim{claim(P2, Agreed)}, func(s *State) { s.Agenda.Decisions[0].Human.Option = string(Revise) }, ""},
		"the debate decided": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Outcome, s.Agenda.Decisions[0].Recommendation = Settled, string(Keep)
		}, ""},
		"a P2 is confirmed":                {[]Claim{claim(P2, Agreed)}, nil, "since_finding bob F1"},
		"a P3 is confirmed":                {[]Claim{claim(P3, Agreed)}, nil, ""},
		"a P2 was dismissed":               {[]Claim{claim(P2, Dismissed)}, nil, ""},
		"a P1 looms that nobody confirmed": {[]Claim{claim(P1, Unresolved)}, nil, "since_finding bob F1"},
		"a P2 that nobody confirmed":       {[]Claim{claim(P2, Unresolved)}, nil, ""},
		"the answer named the finding": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P2}}
		}, ""},
		"the answer named a milder one": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P3}}
		}, "since_finding bob F1"},
		"the answer named one of another kind": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "tests", AtMost: P1}}
		}, "since_finding bob F1"},
		"the answer named one on other lines": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: "another", Category: "security", AtMost: P1}}
		}, "since_finding bob F1"},
		"the answer named a P1 that is confirmed by now": {[]Claim{claim(P1, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P1}}
		}, "since_finding bob F1"},
		"the question was about just this": {[]Claim{claim(P1, Agreed)}, func(s *State) {
			s.Book.Claims[0].Owner, s.Book.Claims[0].Trigger = EngineParty, TriggerSecurity
			s.Agenda.Decisions[0].Triggers = []Trigger{{ID: TriggerSecurity, Path: "a.go"}}
		}, ""},
		"the question was about another file": {[]Claim{claim(P1, Agreed)}, func(s *State) {
			s.Book.Claims[0].Owner, s.Book.Claims[0].Trigger = EngineParty, TriggerSecurity
			s.Agenda.Decisions[0].Triggers = []Trigger{{ID: TriggerSecurity, Path: "b.go"}}
		}, "since_finding bob F1"},
		"a model says what the question was about": {[]Claim{claim(P1, Agreed)}, func(s *State) {
			s.Book.Claims[0].Trigger = TriggerSecurity
			s.Agenda.Decisions[0].Triggers = []Trigger{{ID: TriggerSecurity, Path: "a.go"}}
		}, "since_finding bob F1"},
		"a model wants another option": {nil, func(s *State) {
			s.Agenda.Decisions[0].FinalOptions = []PartyOption{{Party: "claude", Option: string(Keep)}, {Party: "gpt", Option: string(Revise)}}
		}, "since_choice bob gpt revise"},
		"the person could read of it": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P2, Shown: true}}
		}, ""},
		"the person could read of it, and it fails the check": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Received.Settings.FailOn = FailP2
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P2, Shown: true}}
		}, "since_finding bob F1"},
		"the person could read of a milder one": {[]Claim{claim(P2, Agreed)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P3, Shown: true}}
		}, "since_finding bob F1"},
		"the person could read of a P1 that lines show": {[]Claim{claim(P1, Unresolved)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P1, Shown: true}}
		}, "since_finding bob F1"},
		"the answer named a P1 that lines show": {[]Claim{claim(P1, Unresolved)}, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P1}}
		}, ""},
		"an objection was granted": {nil, func(s *State) {
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: PositionSubject, Attacker: "gpt", Status: Conceded, Strength: StrengthModerate}}
		}, "since_objection bob K1"},
		"only scores came to keep": {nil, func(s *State) {
			s.Agenda.Decisions[0].Settled, s.Agenda.Decisions[0].Rubric = false, &Rubric{Winner: string(Keep)}
		}, ""},
		"this head did not come to keep": {nil, func(s *State) {
			s.Agenda.Decisions[0].Settled = false
		}, "since_review bob"},
	} {
		t.Run(name, func(t *testing.T) {
			s := askedToKeep(row.claims...)
			if row.change != nil {
				row.change(&s)
			}
			if got := s.beyondAcceptance().String(); got != row.stands {
				t.Errorf("%q stands against it, want %q", got, row.stands)
			}
		})
	}
}

// TestStillOpen: what a merge cannot be decided over: a confirmed P1, a disputed one whose
// lines are there, and what fails the check (M20).
func TestStillOpen(t *testing.T) {
	t.Parallel()
	claim := func(severity Severity, bucket Bucket, evidence []Evidence) Claim {
		return Claim{ID: "F1", Owner: "gpt", Severity: severity, Bucket: bucket, Category: "security", Evidence: evidence}
	}
	shown := shownAt("a.go", 3)
	awaiting := func(s *State) {
		s.Agenda.Decisions[0].Outcome, s.Agenda.Decisions[0].Human = AwaitingHuman, &Human{Status: ItemAwaiting}
	}
	for name, row := range map[string]struct {
		claim  Claim
		failOn FailOn
		change func(*State)
		open   bool
	}{
		"a confirmed P1":                      {claim(P1, Agreed, shown), "", nil, true},
		"an open P1 whose lines are there":    {claim(P1, Unresolved, shown), "", nil, true},
		"an open P1 that shows nothing":       {claim(P1, Unresolved, nil), "", nil, false},
		"a P1 at a place that was only named": {claim(P1, Unresolved, []Evidence{{Bare: true, CitationOK: true, Verified: true}}), "", nil, true},
		"what the question is about": {claim(P1, Agreed, shown), "", func(s *State) {
			awaiting(s)
			s.Book.Claims[0].Owner, s.Book.Claims[0].Trigger = EngineParty, TriggerSecurity
			s.Agenda.Decisions[0].Triggers = []Trigger{{ID: TriggerSecurity, Path: "a.go"}}
		}, false},
		"another trigger of that file": {claim(P1, Agreed, shown), "", func(s *State) {
			awaiting(s)
			s.Book.Claims[0].Owner, s.Book.Claims[0].Trigger = EngineParty, TriggerSecurity
			s.Agenda.Decisions[0].Triggers = []Trigger{{ID: TriggerDeploy, Path: "a.go"}}
		}, true},
		"a P1 that was dismissed":             {claim(P1, Dismissed, shown), "", nil, false},
		"a confirmed P2":                      {claim(P2, Agreed, shown), "", nil, false},
		"a confirmed P2 that fails the check": {claim(P2, Agreed, shown), FailP2, nil, true},
		"an open P2 of a check that P2 fails": {claim(P2, Unresolved, shown), FailP2, nil, false},
		"nobody decided, and nobody is asked": {claim(P1, Agreed, shown), "", func(s *State) { s.Agenda.Decisions[0].Outcome = Settled }, false},
		"a person is asked":                   {claim(P1, Agreed, shown), "", awaiting, true},
		"the question quotes what fails":      {claim(P2, Agreed, shown), FailP2, func(s *State) { awaiting(s); s.Agenda.Decisions[0].Human.Quoted = []string{"F1"} }, false},
		"the question quotes a confirmed P1":  {claim(P1, Agreed, shown), "", func(s *State) { awaiting(s); s.Agenda.Decisions[0].Human.Quoted = []string{"F1"} }, true},
		"the question quotes another finding": {claim(P2, Agreed, shown), FailP2, func(s *State) { awaiting(s); s.Agenda.Decisions[0].Human.Quoted = []string{"F2"} }, true},
		"an answer accepted what fails by name": {claim(P2, Agreed, shown), FailP2, func(s *State) {
			s.Agenda.Decisions[0].Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), Category: "security", AtMost: P2}}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := askedToKeep(row.claim)
			s.Received.Settings.FailOn = row.failOn
			if row.change != nil {
				row.change(&s)
			}
			if got := slices.Contains(s.StillOpen(), "F1"); got != row.open {
				t.Errorf("still open: %v", got)
			}
		})
	}
}

// TestAnswerAccepts: an answer to merge accepts the P1 and P2 that were there to be read, a
// command those by name that the question quotes. Another answer, another question and a
// confirmed P1 accept nothing.
func TestAnswerAccepts(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		via     Via
		option  Disposition
		change  func(d *Decision, c *Claim)
		accepts []string
	}{
		"a command to keep":                     {ViaCommand, Keep, nil, []string{"a.go by name", "b.go"}},
		"an answer in the record":               {ViaLocal, Keep, nil, []string{"a.go by name", "b.go"}},
		"an issue that was closed as completed": {ViaCompleted, Keep, nil, []string{"a.go", "b.go"}},
		"an approval":                           {ViaReview, Keep, nil, []string{"a.go", "b.go"}},
		"a request for changes":                 {ViaReview, Revise, nil, nil},
		"an issue closed as not planned":        {ViaNotPlanned, Keep, nil, nil},
		"a command to revise":                   {ViaCommand, Revise, nil, nil},
		"the question quotes nothing":           {ViaCommand, Keep, func(d *Decision, _ *Claim) { d.Human = nil }, []string{"a.go", "b.go"}},
		"the P1 is confirmed by now":            {ViaCommand, Keep, func(_ *Decision, c *Claim) { c.Severity, c.Bucket = P1, Agreed }, []string{"b.go"}},
		"a P1 that nobody confirmed":            {ViaCompleted, Keep, func(_ *Decision, c *Claim) { c.Severity, c.Bucket = P1, Unresolved }, []string{"a.go", "b.go"}},
		"it was dismissed":                      {ViaCommand, Keep, func(_ *Decision, c *Claim) { c.Bucket = Dismissed }, []string{"b.go"}},
		"a part of another one":                 {ViaCommand, Keep, func(_ *Decision, c *Claim) { c.SameAs = "F2" }, []string{"b.go"}},
		"a P3":                                  {ViaCommand, Keep, func(_ *Decision, c *Claim) { c.Severity = P3 }, []string{"b.go"}},
		"a question of a party":                 {ViaCommand, Keep, func(d *Decision, _ *Claim) { d.ID = "D1" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := Decision{ID: "D0", Options: dispositionOptions(), Human: &Human{Quoted: []string{"F1"}}}
			claims := []Claim{
				{ID: "F1", Severity: P2, Bucket: Agreed, Category: "security", Evidence: shownAt("a.go", 3)},
				{ID: "F2", Severity: P2, Bucket: Unresolved, Category: "tests", Evidence: shownAt("b.go", 7)},
			}
			if row.change != nil {
				row.change(&d, &claims[0])
			}
			var got []string
			for _, a := range d.Accepts(Decided{Via: row.via, Option: string(row.option)}, claims) {
				c := claims[slices.IndexFunc(claims, func(c Claim) bool { return Key(c) == a.Key })]
				if a.Category != c.Category || a.AtMost != c.Severity {
					t.Errorf("it accepts %+v of %+v", a, c)
				}
				says := c.Cite().Path
				if !a.Shown {
					says += " by name"
				}
				got = append(got, says)
			}
			if !slices.Equal(got, row.accepts) {
				t.Errorf("it accepts %v, want %v", got, row.accepts)
			}
		})
	}
}

// TestQuestionQuotes: the question about the merge quotes what stands in its way and can be
// accepted by name, the most severe first.
func TestQuestionQuotes(t *testing.T) {
	t.Parallel()
	shown := shownAt("a.go", 3)
	p2 := Claim{ID: "F1", Owner: "gpt", Severity: P2, Bucket: Agreed, Evidence: shown}
	with := func(change func(*Claim)) []Claim {
		c := p2
		change(&c)
		return []Claim{c}
	}
	d0 := Decision{ID: "D0", Triggers: []Trigger{{ID: TriggerSecurity, Path: "a.go"}}}
	for name, row := range map[string]struct {
		claims  []Claim
		inquiry *Inquiry
		of      Decision
		want    []string
	}{
		"a confirmed P2":              {[]Claim{p2}, nil, d0, []string{"F1"}},
		"a confirmed P3":              {with(func(c *Claim) { c.Severity = P3 }), nil, d0, nil},
		"a confirmed P1":              {with(func(c *Claim) { c.Severity = P1 }), nil, d0, nil},
		"a P1 that looms":             {with(func(c *Claim) { c.Severity, c.Bucket = P1, Unresolved }), nil, d0, []string{"F1"}},
		"a P2 that nobody confirmed":  {with(func(c *Claim) { c.Bucket = Unresolved }), nil, d0, nil},
		"a disputed P2":               {with(func(c *Claim) { c.Bucket, c.Reason = Unresolved, ReasonOpen }), nil, d0, []string{"F1"}},
		"it stands nowhere":           {with(func(c *Claim) { c.Evidence = nil }), nil, d0, nil},
		"the question is about it":    {with(func(c *Claim) { c.Owner, c.Trigger = EngineParty, TriggerSecurity }), nil, d0, nil},
		"a question of a party":       {[]Claim{p2}, nil, Decision{ID: "D1"}, nil},
		"a question without a change": {[]Claim{p2}, &Inquiry{}, d0, nil},
		"the most severe comes first": {append(with(func(c *Claim) { c.ID = "F2" }), with(func(c *Claim) { c.Severity, c.Bucket = P1, Unresolved })...), nil, d0, []string{"F1", "F2"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Received: Received{Inquiry: row.inquiry}, Book: Book{Claims: row.claims}}
			if got := s.quoted(&row.of); !slices.Equal(got, row.want) {
				t.Errorf("it quotes %v, want %v", got, row.want)
			}
		})
	}
}

// TestAcceptedByKeepOnly: who decides to merge accepts what the question is about and what
// the answer names; who decides otherwise, or did not decide yet, accepts nothing.
func TestAcceptedByKeepOnly(t *testing.T) {
	t.Parallel()
	about := Claim{ID: "F1", Owner: EngineParty, Trigger: TriggerSecurity, Severity: P1, Bucket: Agreed, Evidence: shownAt("a.go", 3)}
	named := Claim{ID: "F2", Owner: "gpt", Category: "tests", Severity: P2, Bucket: Agreed, Evidence: shownAt("b.go", 7)}
	other := Claim{ID: "F3", Owner: "gpt", Category: "tests", Severity: P2, Bucket: Agreed, Evidence: shownAt("c.go", 7)}
	for name, row := range map[string]struct {
		change func(*Decision)
		about  bool
		named  []string
	}{
		"keep":             {func(*Decision) {}, true, []string{"F2"}},
		"revise":           {func(d *Decision) { d.Human.Option = string(Revise) }, false, nil},
		"not decided":      {func(d *Decision) { d.Outcome = AwaitingHuman }, false, nil},
		"nobody was asked": {func(d *Decision) { d.Outcome, d.Human = Settled, nil }, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := askedToKeep(about, named, other)
			d := &s.Agenda.Decisions[0]
			d.Triggers = []Trigger{{ID: TriggerSecurity, Path: "a.go"}}
			d.Human.Accepted = []Acceptance{{Key: Key(named), Category: "tests", AtMost: P2}}
			row.change(d)
			if got := s.Agenda.accepted(&about); got != row.about {
				t.Errorf("what the question is about is accepted: %v", got)
			}
			if got := s.AcceptedByName(); !slices.Equal(got, row.named) {
				t.Errorf("accepted by name: %v, want %v", got, row.named)
			}
			for _, c := range s.Book.Claims {
				by := ""
				if c.ID == about.ID && row.about || slices.Contains(row.named, c.ID) {
					by = "bob"
				}
				if got := s.AcceptedBy(&c); got != by {
					t.Errorf("%s is accepted by %q, want %q", c.ID, got, by)
				}
			}
		})
	}
}

// TestUndebatedHead: a decision on this head merges a change with one reviewer; a decision on an
// earlier head lets no undebated one pass (M20).
func TestUndebatedHead(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		head    string
		outcome Outcome
		want    bool // it lacks a debate
	}{
		"decided on this head":               {"h0", Unchallenged, false},
		"decided on an earlier one":          {"h1", Unchallenged, true},
		"decided on an earlier one, debated": {"h1", Consensus, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := askedToKeep()
			s.Snapshot.HeadSHA, s.Ending = row.head, Ending{Outcome: row.outcome, Disposition: Keep}
			s.Received.Settings.Gate = Required
			r := s.Conclusion()
			lacks := r.Why.Cause != nil && r.Why.Cause.Code == WhyUndebated
			if lacks != row.want || row.want && r.Check != Failure {
				t.Errorf("the check is %s: %s", r.Check, r.Why)
			}
		})
	}
}
