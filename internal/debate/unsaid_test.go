package debate

import (
	"slices"
	"testing"
)

// TestOver: when the talk is over, and why: the first exit that holds.
func TestOver(t *testing.T) {
	t.Parallel()
	attack := func(change func(*Challenge)) func(*State) {
		return func(s *State) {
			k := Challenge{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Open, Shown: true, Answered: true}
			change(&k)
			s.Book.Challenges = append(s.Book.Challenges, k)
		}
	}
	open := attack(func(*Challenge) {})
	stuck := attack(func(k *Challenge) { k.Deadlock = Criteria })
	inWords := attack(func(k *Challenge) { k.Status, k.InWords = Conceded, true })
	tired := func(s *State) { s.Talk.ThinStreak = thinStop }
	thinOnce := func(s *State) { s.Talk.ThinStreak = thinStop - 1 }
	gone := func(s *State) { s.Table.Seats[1].Lost = true }
	both := func(list ...func(*State)) func(*State) {
		return func(s *State) {
			for _, change := range list {
				change(s)
			}
		}
	}
	none := func(*State) {}
	unweighed := func(s *State) { s.Book.Claims[0].Owner = "gpt" }
	for name, row := range map[string]struct {
		change func(*State)
		want   Exit
	}{
		"nothing is open":                                  {none, ExitConverged},
		"a challenge is open":                              {open, ""},
		"a challenge is open, and nothing moves":           {both(open, tired), ExitThin},
		"a challenge is open, and one round was thin":      {both(open, thinOnce), ""},
		"the attacker is gone, and its objection waits":    {both(open, gone), ""},
		"a claim was not weighed":                          {unweighed, ""},
		"a claim was not weighed, and nothing moves":       {both(tired, unweighed), ""},
		"both sides are stuck":                             {stuck, ExitDeadlock},
		"both are stuck, and another challenge is open":    {both(stuck, open), ""},
		"a claim was conceded in words":                    {inWords, ExitLeftOpen},
		"a party wants another option, and said no reason": {wanting, ExitConverged},
		"a party is to reconcile what it says":             {attack(func(k *Challenge) { k.Kind, k.Attacker, k.Defender = Reconciling, EngineParty, "claude" }), ""},
		"nobody is left to answer":                         {both(attack(func(k *Challenge) { k.Shown = false }), func(s *State) { s.Table.Seats[0].Lost = true }), ExitLeftOpen},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Kind: Empirical, Severity: P2, Evidence: shownAt("a.go", 3)})
			row.change(&s)
			if got, _ := s.over(); got != row.want {
				t.Errorf("it is over: %q, want %q", got, row.want)
			}
		})
	}
}

// wanting lets gpt hold another option than the position.
func wanting(s *State) { s.Table.Seats[1].Option = Revise }

// TestWhoseTurn: who has to speak now (M07b, R149).
func TestWhoseTurn(t *testing.T) {
	t.Parallel()
	attack := func(change func(*Challenge)) *Challenge {
		k := &Challenge{ID: "K1", Claim: "F1", Attacker: "gpt", Defender: "claude", Kind: Skeptical, Status: Open}
		change(k)
		return k
	}
	waits := attack(func(k *Challenge) { k.Claim = PositionSubject })
	for name, row := range map[string]struct {
		k      *Challenge
		change func(*State)
		turn   bool // of gpt
	}{
		"nothing is said":                      {nil, nil, false},
		"it waits for an answer":               {attack(func(*Challenge) {}), nil, false},
		"it has to judge a defence":            {attack(func(k *Challenge) { k.Status = Defended }), nil, true},
		"it has to answer":                     {attack(func(k *Challenge) { k.Attacker, k.Defender, k.Claim = "gemini", "gpt", "F2" }), nil, true},
		"it has to answer once more":           {attack(func(k *Challenge) { k.Attacker, k.Defender, k.Claim, k.Status = "gemini", "gpt", "F2", Dropped }), nil, false},
		"it is to reconcile what it says":      {attack(func(k *Challenge) { k.Kind, k.Attacker, k.Defender = Reconciling, EngineParty, "gpt" }), nil, true},
		"it has answered":                      {attack(func(k *Challenge) { k.Attacker, k.Defender, k.Claim, k.Status = "gemini", "gpt", "F2", Defended }), nil, false},
		"somebody else has to judge":           {attack(func(k *Challenge) { k.Attacker, k.Status = "gemini", Defended }), nil, false},
		"it is stuck":                          {attack(func(k *Challenge) { k.Status, k.Deadlock = Defended, Criteria }), nil, false},
		"it wants something else":              {nil, wanting, true},
		"it wants what the position says":      {nil, func(s *State) { s.Table.Seats[1].Option = Keep }, false},
		"it wants something else, and waits":   {waits, wanting, false},
		"it was heard about that":              {attack(func(k *Challenge) { k.Claim, k.Status = PositionSubject, Dissent }), wanting, false},
		"another one was heard about that":     {attack(func(k *Challenge) { k.Claim, k.Status, k.Attacker = PositionSubject, Dissent, "gemini" }), wanting, true},
		"it wants something else, and is lost": {nil, func(s *State) { wanting(s); s.Table.Seats[1].Lost = true }, false},
		"it is the primary":                    {nil, func(s *State) { wanting(s); s.Table.Primary = "gpt" }, false},
		"it has to judge, and is lost":         {attack(func(k *Challenge) { k.Status = Defended }), func(s *State) { s.Table.Seats[1].Lost = true }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Severity: P3}, Claim{ID: "F2", Owner: "gpt", Severity: P3})
			if row.k != nil {
				s.Book.Challenges = []Challenge{*row.k}
			}
			if row.change != nil {
				row.change(&s)
			}
			if turn := slices.Contains(s.turns(), "gpt"); turn != row.turn {
				t.Errorf("it has to speak: %v, want %v", turn, row.turn)
			}
		})
	}
}

// TestWhoIsAsked: whom an exchange asks about a severe claim: those that have not weighed it (M01, M07b).
func TestWhoIsAsked(t *testing.T) {
	t.Parallel()
	found := func(owner string, severity Severity, said ...Evaluation) Claim {
		return Claim{ID: "F1", Owner: owner, Severity: severity, RaisedN: 1, Evaluations: said}
	}
	for name, row := range map[string]struct {
		claim Claim
		mode  Mode
		want  []string
	}{
		"a P3":                             {found("gpt", P3), Standard, nil},
		"a P2 of a challenger":             {found("gpt", P2), Standard, []string{"claude", "gemini"}},
		"a P2 that one challenger weighed": {found("gpt", P2, agrees("gemini")), Standard, []string{"claude"}},
		"a P2 that the primary weighed":    {found("gpt", P2, agrees("claude")), Standard, []string{"gemini"}},
		"a P2 that all weighed":            {found("gpt", P2, agrees("claude"), agrees("gemini")), Standard, nil},
		"a P2 of the primary":              {found("claude", P2), Standard, []string{"gpt", "gemini"}},
		"the quick mode":                   {found("gpt", P2), Quick, []string{"claude"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(row.claim)
			s.Received.Mode = row.mode
			if got := s.turns(); !slices.Equal(got, row.want) {
				t.Errorf("asked: %v, want %v", got, row.want)
			}
		})
	}
}
