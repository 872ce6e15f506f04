package debate

import (
	"slices"
	"testing"
)

// defended is a state in which gpt attacks a P2 of claude about line 3 of a.go with line 9.
func defended(change func(*State)) (*State, *reducer, *Challenge) {
	s := threeParties(Claim{
		ID: "F1", Owner: "claude", Segment: "S1", Title: "it leaks", Body: "every retry leaks", Kind: Empirical, Asserted: P2, Severity: P2,
		Category: Reliability, ReportedBy: []string{"claude"}, Evidence: shownAt("a.go", 3),
	})
	s.Split = inTwoChunks()
	s.Book.Claims[0].Evidence[0].By = "claude"
	s.Book.Challenges = []Challenge{{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Open, Objection: "it is closed", Shown: true, Evidence: shownAt("a.go", 9)}}
	if change != nil {
		change(&s)
	}
	return &s, (&reducer{State: &s, step: &Step{}}), &s.Book.Challenges[0]
}

// replying reduces a wave with one reply.
func replying(h *reducer, k *Challenge, party string, r Reply) []Because {
	return h.takeAnswers(k, h.Defenders(*k), []said{{Party: party, Reply: &r}}, 2)
}

// TestAnswer: which challenges an answer is taken to, and what becomes of those that it
// leaves out (R148-R152).
func TestAnswer(t *testing.T) {
	t.Parallel()
	on := func(change func(*Challenge)) func(*State) {
		return func(s *State) { change(&s.Book.Challenges[0]) }
	}
	says := func(a Answer) Reply { a.Challenge = "K1"; return Reply{Answers: []Answer{a}} }
	rebuffs := says(Answer{Move: Rebuff, Text: "it is not"})
	gone := func(s *State) {
		s.Table.Seats[0].Lost = true
		s.Book.Claims[0].Evaluations = []Evaluation{agrees("gemini")}
	}
	held := func(by ...Evaluation) func(*State) {
		return func(s *State) { s.Book.Claims[0].Evaluations = by }
	}
	grants := says(Answer{Move: Accept, Text: "so it is"})
	for name, row := range map[string]struct {
		change func(*State)
		party  string
		reply  Reply
		status ChallengeStatus
		asks   []string // next
	}{
		"it defends":                                  {nil, "claude", rebuffs, Defended, nil},
		"it names the claim":                          {nil, "claude", Reply{Answers: []Answer{{Challenge: "F1", Move: Rebuff, Text: "it is not"}}}, Defended, nil},
		"it names the claim, and it otherwise":        {nil, "claude", Reply{Answers: append(rebuffs.Answers, Answer{Challenge: "F1", Move: Accept})}, Defended, nil},
		"it accepts the claim by its name":            {nil, "claude", Reply{Answers: []Answer{{Challenge: "F1", Move: Accept, Text: "you are right"}}}, Dropped, []string{"claude"}},
		"it names another claim":                      {nil, "claude", Reply{Answers: []Answer{{Challenge: "F2", Move: Accept}}}, Dropped, []string{"claude"}},
		"it accepts without a word":                   {nil, "claude", says(Answer{Move: Accept}), Conceded, nil},
		"it defends without a word":                   {nil, "claude", says(Answer{Move: Rebuff}), Dropped, []string{"claude"}},
		"it names what it limits":                     {nil, "claude", says(Answer{Move: Partial, Limit: "only there"}), Defended, nil},
		"it rewrites the claim":                       {nil, "claude", says(Answer{Move: Accept, Amend: &Amend{Title: "it may leak"}}), Defended, nil},
		"it maintains its claim":                      {nil, "claude", says(Answer{Move: Maintain, Text: "it is"}), Defended, nil},
		"it escalates its claim":                      {nil, "claude", says(Answer{Move: Escalate, Text: "it is"}), Defended, nil},
		"it defends without a move":                   {nil, "claude", says(Answer{Text: "it is not"}), Defended, nil},
		"it quotes a line and says no more":           {nil, "claude", says(Answer{Refs: citing(3)}), Defended, nil},
		"it maintains without a word":                 {nil, "claude", says(Answer{Move: Maintain}), Dropped, []string{"claude"}},
		"it defends, and names it once more":          {nil, "claude", Reply{Answers: append(rebuffs.Answers, Answer{Challenge: "K1", Move: Maintain})}, Defended, nil},
		"it leaves it out":                            {nil, "claude", Reply{}, Dropped, []string{"claude"}},
		"it leaves it out once more":                  {on(func(k *Challenge) { k.Status = Dropped }), "claude", Reply{}, Undefended, nil},
		"it answers the reminder":                     {on(func(k *Challenge) { k.Status = Dropped }), "claude", rebuffs, Defended, nil},
		"it is asked nothing":                         {nil, "gemini", rebuffs, Open, []string{"claude"}},
		"it defended before":                          {on(func(k *Challenge) { k.Status = Defended }), "claude", rebuffs, Defended, nil},
		"it was settled":                              {on(func(k *Challenge) { k.Status = Resolved }), "claude", rebuffs, Resolved, nil},
		"it is a deadlock":                            {on(func(k *Challenge) { k.Deadlock = Criteria }), "claude", says(Answer{Move: Accept}), Open, nil},
		"its owner is gone, and it is left out":       {gone, "gemini", Reply{}, Dropped, []string{"gemini"}},
		"its owner is gone, and it is granted":        {gone, "gemini", grants, Dropped, nil},
		"its owner is gone, and it is defended":       {gone, "gemini", rebuffs, Defended, nil},
		"its owner is gone, and it is left out again": {func(s *State) { gone(s); s.Book.Challenges[0].Status = Dropped }, "gemini", Reply{}, Dropped, []string{"gemini"}},
		"another one defends it":                      {held(agrees("gemini")), "gemini", rebuffs, Defended, nil},
		"another one gives in":                        {held(agrees("gemini")), "gemini", grants, Open, []string{"claude"}},
		"another one holds what its owner concedes":   {held(agrees("gemini")), "claude", grants, Conceded, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, h, k := defended(row.change)
			replying(h, k, row.party, row.reply)
			var asks []string
			for _, p := range s.Table.Parties {
				if s.Asks(p.ID, *k) {
					asks = append(asks, p.ID)
				}
			}
			if k.Status != row.status || !slices.Equal(asks, row.asks) {
				t.Errorf("it is %s, and asks %s; want %s, %s", k.Status, asks, row.status, row.asks)
			}
		})
	}
}

// TestConcede: who gives in on lines that are there says why, of what the challenge shows,
// or quotes a line that nobody had quoted (M03).
func TestConcede(t *testing.T) {
	t.Parallel()
	bare := func(s *State) { s.Book.Challenges[0].Shown = false }
	gone := func(s *State) { misquoted(&s.Book.Claims[0]) }
	whole := func(s *State) { s.Book.Challenges[0].Claim = PositionSubject }
	for name, row := range map[string]struct {
		change               func(*State)
		text                 string
		refs                 []Ref
		inWords, unexplained bool
	}{
		"it says why, of lines":             {nil, "so it is", nil, false, false},
		"it says nothing, of lines":         {nil, "", nil, true, true},
		"it says why, of words":             {bare, "so it is", nil, true, false},
		"it quotes a new line, of words":    {bare, "so it is", citing(5), false, false},
		"it quotes the line of the claim":   {bare, "so it is", citing(3), true, false},
		"it quotes a new line, and no more": {bare, "", citing(5), false, true},
		"no line of the claim is there":     {gone, "", nil, false, false},
		"the position is given up":          {whole, "", nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, k := defended(row.change)
			h.concede(k, Answer{Move: Accept, Text: row.text}, h.found("claude", row.refs))
			if k.InWords != row.inWords || k.Unexplained != row.unexplained || !slices.Equal(k.Yielded, []string{"claude"}) {
				t.Errorf("it is %s, in words %v, unexplained %v", k.Status, k.InWords, k.Unexplained)
			}
		})
	}
}

// TestAnswerMoves: what an answer is worth to the primary's position, and whether it counts
// as something that moved (R095, M09).
func TestAnswerMoves(t *testing.T) {
	t.Parallel()
	toPosition := func(option Disposition) func(*State) {
		return func(s *State) {
			k := &s.Book.Challenges[0]
			k.Claim, k.Option, k.Evidence = PositionSubject, option, nil
		}
	}
	for name, row := range map[string]struct {
		change func(*State)
		answer Answer
		reason []string // the reasons to move that it gives
		moves  bool
	}{
		"words against a claim's attack":       {nil, Answer{Move: Rebuff, Text: "no"}, nil, false},
		"lines against it":                     {nil, Answer{Move: Rebuff, Text: "no", Refs: citing(5)}, nil, true},
		"a line that was quoted before":        {nil, Answer{Move: Rebuff, Text: "no", Refs: citing(3)}, nil, false},
		"a part is granted":                    {nil, Answer{Move: Partial, Limit: "there", Text: "yes"}, []string{"there yes"}, true},
		"it is granted":                        {nil, Answer{Move: Accept, Text: "yes"}, []string{"yes"}, true},
		"granted, and the claim is rewritten":  {nil, Answer{Move: Accept, Text: "yes", Amend: &Amend{Title: "x"}}, []string{"yes"}, true},
		"an objection to the position":         {toPosition(""), Answer{Move: Accept, Text: "yes"}, []string{"it is closed yes"}, true},
		"one that names what it wants":         {toPosition(Revise), Answer{Move: Accept, Text: "yes"}, []string{"yes"}, true},
		"an objection to the position in part": {toPosition(""), Answer{Move: Partial, Text: "yes"}, []string{"yes"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, h, _ := defended(row.change)
			h.said(&s.Book.Claims[0].Thread, "F1", Turn{Who: "claude", Cites: h.found("claude", citing(3))})
			row.answer.Challenge = "K1"
			h.N = 7
			var got []string
			for _, b := range replying(h, &s.Book.Challenges[0], "claude", Reply{Answers: []Answer{row.answer}}) {
				got = append(got, joined(b.Granted, b.Reason))
			}
			moves := s.Book.news("gpt", 7, 8)
			if !slices.Equal(got, row.reason) || moves != row.moves {
				t.Errorf("it gives %q, moves something %v; want %q, %v", got, moves, row.reason, row.moves)
			}
		})
	}
}

// TestGrantsOfOthers: a concession of a challenger moves the position of no other party (R095).
func TestGrantsOfOthers(t *testing.T) {
	t.Parallel()
	_, h, k := defended(func(s *State) {
		s.Book.Claims[0].Owner, s.Book.Challenges[0].Attacker, s.Book.Challenges[0].Defender = "gpt", "claude", "gpt"
	})
	got := replying(h, k, "gpt", Reply{Answers: []Answer{{Challenge: "K1", Move: Accept, Text: "so it is"}}})
	if len(got) > 0 || k.Status != Conceded {
		t.Errorf("it grants %v, and the challenge is %s", got, k.Status)
	}
}

// TestAnswerIsTakenBack: a concession takes back the earlier answer of its party (M02).
func TestAnswerIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		owner Answer // of the owner, in the same wave
		want  bool   // it is answered
	}{
		"and no other quotes":     {Answer{Move: Rebuff, Text: "it leaks"}, false},
		"and its owner quotes":    {Answer{Move: Rebuff, Text: "it leaks", Refs: citing(5)}, true},
		"and its owner gives in":  {Answer{Move: Accept, Text: "so it is"}, false},
		"and its owner is silent": {Answer{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, h, k := defended(func(s *State) { s.Book.Claims[0].Evaluations = []Evaluation{agrees("gemini")} })
			k.Answered, row.owner.Challenge = true, "K1"
			heard := []said{
				{Party: "gemini", Reply: &Reply{Answers: []Answer{{Challenge: "K1", Move: Accept, Text: "line 9 closes it"}}}},
				{Party: "claude", Reply: &Reply{Answers: []Answer{row.owner}}},
			}
			h.takeAnswers(k, s.Defenders(*k), heard, 2)
			if k.Answered != row.want {
				t.Errorf("it is answered: %v", k.Answered)
			}
		})
	}
}

// TestSomeGiveInInWords: if one holder gives a finding up in words alone, quotes of the others
// do not withdraw it (M03).
func TestSomeGiveInInWords(t *testing.T) {
	t.Parallel()
	s, h, k := defended(func(s *State) {
		s.Book.Challenges[0].Shown = false
		s.Book.Claims[0].Evaluations = []Evaluation{agrees("gemini")}
	})
	heard := []said{
		{Party: "gemini", Reply: &Reply{Answers: []Answer{{Challenge: "K1", Move: Accept, Text: "so it is"}}}},
		{Party: "claude", Reply: &Reply{Answers: []Answer{{Challenge: "K1", Move: Accept, Text: "so it is", Refs: citing(5)}}}},
	}
	h.takeAnswers(k, s.Defenders(*k), heard, 2)
	if k.Status != Conceded || !k.InWords {
		t.Errorf("it is %s, in words %v", k.Status, k.InWords)
	}
}

// TestWhoIsShown: of several defenses the owner's is shown, with the citations of all.
func TestWhoIsShown(t *testing.T) {
	t.Parallel()
	says := func(party, text string, line int) said {
		return said{Party: party, Reply: &Reply{Answers: []Answer{{Challenge: "K1", Move: Rebuff, Text: text, Refs: citing(line)}}}}
	}
	ofGemini, ofClaude := says("gemini", "it leaks at once", 5), says("claude", "it leaks", 3)
	for name, row := range map[string]struct {
		heard []said
		spoke string
		cites int
	}{
		"the owner first": {[]said{ofClaude, ofGemini}, "claude", 2},
		"the owner last":  {[]said{ofGemini, ofClaude}, "claude", 2},
		"the other alone": {[]said{ofGemini}, "gemini", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, h, k := defended(func(s *State) { s.Book.Claims[0].Evaluations = []Evaluation{agrees("gemini")} })
			k.Spoke, k.Defence, k.DefenceBy = "gemini", "as before", shownAt("a.go", 7) // of an earlier wave
			h.takeAnswers(k, s.Defenders(*k), row.heard, 2)
			want := map[string]string{"claude": "it leaks", "gemini": "it leaks at once"}[row.spoke]
			if k.Spoke != row.spoke || k.Defence != want || len(k.DefenceBy) != row.cites {
				t.Errorf("%s says %q with %d citations", k.Spoke, k.Defence, len(k.DefenceBy))
			}
		})
	}
}

// TestAmend: what an owner may make of its claim, and what becomes of its severity and of
// what others said of it (R135, R151, M03).
func TestAmend(t *testing.T) {
	t.Parallel()
	const again = "every retry leaks one" // the same in other words
	holds := func(list ...Evaluation) func(*State) {
		return func(s *State) { s.Book.Claims[0].Evaluations = list }
	}
	bare := func(s *State) { s.Book.Challenges[0].Shown = false }
	for name, row := range map[string]struct {
		change  func(*State)
		move    Move
		amend   Amend
		title   string
		stated  Severity
		weighed int // how many evaluations it keeps
	}{
		"nothing":                                 {nil, Partial, Amend{}, "it leaks", P2, 0},
		"another title":                           {nil, Partial, Amend{Title: "it panics"}, "it panics", P2, 0},
		"a lower severity, granted":               {nil, Partial, Amend{Severity: P3}, "it leaks", P3, 0},
		"a lower severity, not granted":           {nil, Rebuff, Amend{Severity: P3}, "it leaks", P2, 0},
		"a higher severity, not granted":          {nil, Rebuff, Amend{Severity: P1}, "it leaks", P1, 0},
		"a severity that nobody knows":            {nil, Partial, Amend{Title: "it panics", Severity: "P9"}, "it panics", P2, 0},
		"a lower one, in words, of words":         {bare, Partial, Amend{Severity: P3}, "it leaks", P2, 0},
		"a lower one, of words, with a new line":  {bare, Partial, Amend{Severity: P3, Refs: citing(5)}, "it leaks", P3, 0},
		"a lower one of a judgement":              {func(s *State) { bare(s); s.Book.Claims[0].Kind = Value; s.Book.Claims[0].Category = Design }, Partial, Amend{Severity: P3}, "it leaks", P3, 0},
		"a lower one of what shows nothing":       {func(s *State) { bare(s); misquoted(&s.Book.Claims[0]) }, Partial, Amend{Severity: P3}, "it leaks", P3, 0},
		"a higher one, of words":                  {bare, Partial, Amend{Severity: P1}, "it leaks", P1, 0},
		"the same in other words":                 {holds(agreesBarely("gemini")), Partial, Amend{Body: again}, "it leaks", P2, 1},
		"something else, nobody holds it":         {holds(agreesBarely("gemini")), Partial, Amend{Title: "it panics", Body: unlike}, "it panics", P2, 0},
		"something else, another one holds it":    {holds(agrees("gemini")), Partial, Amend{Title: "it panics", Body: unlike}, "it leaks", P2, 1},
		"the same, and another one holds it":      {holds(agrees("gemini")), Partial, Amend{Body: again}, "it leaks", P2, 1},
		"a lower one, and another one holds it":   {holds(agrees("gemini")), Partial, Amend{Severity: P3}, "it leaks", P2, 1},
		"a lower one, and only the attacker does": {holds(agrees("gpt")), Partial, Amend{Severity: P3}, "it leaks", P3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, h, k := defended(row.change)
			h.answer(k, "claude", Answer{Challenge: "K1", Move: row.move, Text: "line 9 says so", Amend: &row.amend}, 2)
			c := &s.Book.Claims[0]
			if c.Title != row.title || c.stated() != row.stated || len(c.Evaluations) != row.weighed {
				t.Errorf("it is %q, %s, weighed %d times; want %q, %s, %d", c.Title, c.stated(), len(c.Evaluations), row.title, row.stated, row.weighed)
			}
		})
	}
	t.Run("who defends it for the owner rewrites nothing", func(t *testing.T) {
		s, h, k := defended(nil)
		h.answer(k, "gemini", Answer{Challenge: "K1", Move: Partial, Text: "there", Amend: &Amend{Title: "it panics"}}, 2)
		if got := s.Book.Claims[0].Title; got != "it leaks" {
			t.Errorf("it is %q", got)
		}
	})
}

// TestReconcile: a party that is asked to reconcile what it says explains its change of
// mind, in a change or in its answer; else it is reminded once (R156, R155).
func TestReconcile(t *testing.T) {
	t.Parallel()
	change := func(c Change) Reply { c.Claim = "F1"; return Reply{Changes: []Change{c}} }
	for name, row := range map[string]struct {
		drifts  int
		reply   Reply
		status  ChallengeStatus
		left    int // changes of mind that are not explained
		revised bool
	}{
		"it says why":                          {1, change(Change{Because: "line 3"}), Resolved, 0, false},
		"it says why, and what became of what": {1, change(Change{From: "AGREE", To: "REJECT", Because: "line 3"}), Resolved, 0, true},
		"it says it in its answer":             {1, Reply{Answers: []Answer{{Challenge: "K1", Text: "line 3"}}}, Resolved, 0, false},
		"its answer has no words":              {1, Reply{Answers: []Answer{{Challenge: "K1", Move: Accept}}}, Dropped, 1, false},
		"it says nothing":                      {1, Reply{}, Dropped, 1, false},
		"it explains something else":           {1, Reply{Changes: []Change{{Claim: "F2", Because: "line 3"}}}, Dropped, 1, false},
		"nothing was left to explain":          {0, change(Change{Because: "line 3"}), Resolved, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, h, k := defended(func(s *State) {
				x := &s.Book.Challenges[0]
				x.Attacker, x.Defender, x.Kind = EngineParty, "gpt", Reconciling
				s.Table.Seats[1].Drifts = row.drifts
			})
			r := h.explained("gpt", &row.reply)
			replying(h, &s.Book.Challenges[0], "gpt", *r)
			revised := slices.ContainsFunc(s.Book.Ledger, func(e LedgerEntry) bool { return e.Tag == TagRevision && e.Text == "AGREE became REJECT" })
			if k.Status != row.status || s.Table.Seats[1].Drifts != row.left || revised != row.revised {
				t.Errorf("it is %s, %d are left, noted %v", k.Status, s.Table.Seats[1].Drifts, revised)
			}
		})
	}
}

// TestExplained: only an answer to a challenge that asks this party to reconcile, and that
// waits for it, is an explanation.
func TestExplained(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*Challenge)
		want   int
	}{
		"it is asked to reconcile": {func(*Challenge) {}, 1},
		"another one is":           {func(k *Challenge) { k.Defender = "gemini" }, 0},
		"it is attacked":           {func(k *Challenge) { k.Kind = Skeptical }, 0},
		"it explained it before":   {func(k *Challenge) { k.Status = Resolved }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, _ := defended(func(s *State) {
				k := &s.Book.Challenges[0]
				k.Defender, k.Kind = "gpt", Reconciling
				row.change(k)
			})
			reply := Reply{Answers: []Answer{{Challenge: "K1", Text: "line 3"}}}
			if got := h.explained("gpt", &reply).Changes; len(got) != row.want || len(reply.Changes) != 0 {
				t.Errorf("it explains %+v", got)
			}
		})
	}
}
