package debate

import (
	"slices"
	"testing"
)

// TestHeirConcedesNothing: a party that defends the finding of an absent owner may
// give it up for itself alone. Neither its word nor its silence dismisses the
// finding, and running the same head again lets nothing through (S11).
func TestHeirConcedesNothing(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]struct {
		last Reply
		want Bucket // the heir and the earlier head hold it, as long as the heir does
	}{
		"it grants the objection": {answering(Answer{Challenge: "K1", Move: Accept, Text: "they are right"}), Unresolved},
		"it rewrites the finding": {answering(Answer{Challenge: "K1", Move: Accept, Text: "a typo", Amend: &Amend{Title: "typo", Severity: P3}}), Unresolved},
		"it says nothing of it":   {Reply{Summary: "keep"}, Agreed},
	} {
		t.Run(name, func(t *testing.T) {
			x := carrying("gpt")
			x.say("CHALLENGE/1/gpt", agreeing(rejecting("F1", citing(9)...)))
			x.say("RESPOND/2/claude", Reply{Evaluations: []Evaluating{supporting("F1")}})
			x.say("REBUT/2/claude", says.last)
			p := x.run(t)
			s := p.end()
			c, k := s.Book.Claims[0], s.Book.challenge("K1")
			if c.Bucket != says.want || c.Title != "nil deref" || c.Severity != P1 || !k.Live() {
				t.Errorf("%s %s %q is %s (%s), K1 is %s", c.ID, c.Severity, c.Title, c.Bucket, c.Why, k.Status)
			}
			if conclusion := s.Conclusion().Check; conclusion == Success || s.Ending.Disposition == Keep {
				t.Errorf("conclusion %s, disposition %s", conclusion, s.Ending.Disposition)
			}
			if p.asked("RESPOND/3/claude") {
				t.Error("nobody is left to defend it, and the debate went on")
			}
		})
	}
}

// TestDefenders: who may answer a challenge (M02, S11).
func TestDefenders(t *testing.T) {
	t.Parallel()
	with := func(said []Evaluation, change func(*Challenge)) func(*State) {
		return func(s *State) { s.Book.Claims[0].Evaluations = said; change(&s.Book.Challenges[0]) }
	}
	asIs := func(*Challenge) {}
	gaveIn := func(parties ...string) func(*Challenge) {
		return func(k *Challenge) { k.Yielded = parties }
	}
	clear := func(k *Challenge) { k.Clarify = true }
	gone := func(change func(*State)) func(*State) {
		return func(s *State) { change(s); s.Table.Seats[0].Lost = true }
	}
	onLines, inWords := []Evaluation{agrees("gemini")}, []Evaluation{agreesInWords("gemini")}
	for name, row := range map[string]struct {
		change func(*State)
		want   []string
	}{
		"its owner":                            {nil, []string{"claude"}},
		"who agrees on lines, after the owner": {with(onLines, asIs), []string{"claude", "gemini"}},
		"who agrees with a reason":             {with(inWords, asIs), []string{"claude", "gemini"}},
		"not who agrees without one":           {with([]Evaluation{agreesBarely("gemini")}, asIs), []string{"claude"}},
		"not who attacks it":                   {with([]Evaluation{agrees("gpt")}, asIs), []string{"claude"}},
		"the owner gave in":                    {with(inWords, gaveIn("claude")), []string{"gemini"}},
		"the other gave in":                    {with(onLines, gaveIn("gemini")), []string{"claude"}},
		"both gave in":                         {with(onLines, gaveIn("claude", "gemini")), nil},
		"the owner is gone":                    {gone(with(inWords, asIs)), []string{"gemini"}},
		"all are gone":                         {gone(func(*State) {}), nil},
		"one explains its words":               {with(onLines, clear), []string{"claude"}},
		"one answers a person":                 {with(onLines, func(k *Challenge) { k.Attacker = AuthorParty }), []string{"claude"}},
		"or another one, for the owner":        {gone(with(onLines, clear)), []string{"gemini"}},
		"nobody answers for a built-in rule":   {func(s *State) { with(onLines, asIs)(s); s.Book.Claims[0].Owner = EngineParty }, nil},
		"who holds the position":               {with(onLines, func(k *Challenge) { k.Claim = PositionSubject }), []string{"claude"}},
		"who is to reconcile its words":        {with(onLines, func(k *Challenge) { k.Kind, k.Attacker, k.Defender = Reconciling, EngineParty, "gpt" }), []string{"gpt"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, k := defended(row.change)
			if got := s.Defenders(*k); !slices.Equal(got, row.want) {
				t.Errorf("%s may answer, want %s", got, row.want)
			}
		})
	}
}

// TestOwnerLostInMidDebate: who raised a claim is lost before it could answer a
// doubt. Nobody else agrees with it, so that it stays open, and settles no keep.
func TestOwnerLostInMidDebate(t *testing.T) {
	t.Parallel()
	x := newScene("gpt", "gemini")
	x.say("OPEN/0/claude", proposing())
	x.say("CHALLENGE/1/gpt", agreeing())
	raised := agreeing()
	raised.Verdict, raised.Claims = VerdictPartial, []NewClaim{defect(P2, "slow loop", 3)}
	x.say("CHALLENGE/1/gemini", raised)
	x.say("RESPOND/2/claude", Reply{Evaluations: []Evaluating{doubting("F1")}})
	x.lose("REBUT/2/gemini")
	s := x.run(t).end()
	unsettled(t, s)
	if c, k := s.Book.Claims[0], s.Book.challenge("K1"); c.Bucket != Unresolved || c.Reason != ReasonOpen || len(s.Defenders(*k)) > 0 {
		t.Errorf("F1 is %s (%s), K1 is defended by %s", c.Bucket, c.Why, s.Defenders(*k))
	}
}

// TestDisputeAgainstAConfirmedFinding: whatever the parties of a dispute say, the words of
// who disputes settle nothing, and a doubt that cites nothing falls to evidence that
// others confirm (R153, A26).
func TestDisputeAgainstAConfirmedFinding(t *testing.T) {
	t.Parallel()
	x := newScene("gpt", "gemini")
	x.say("OPEN/0/claude", proposing(defect(P2, "retry loop never ends", 3)))
	x.say("CHALLENGE/1/gpt", agreeing(supporting("F1")))
	x.say("CHALLENGE/1/gemini", agreeing(supporting("F1")))
	p := x.run(t)
	x.say("RESPOND/1/claude", answering(Answer{Challenge: "K1", Move: Rebuff, Text: "it does not end"}))
	x.say("RESPOND/1/gpt", Reply{Evaluations: []Evaluating{doubting("F1")}})
	p.take(Disputed{Claim: "F1", Text: "it ends", By: Actor{Login: "author", Author: true}})
	p.goOn(t)
	s := p.end()
	if c := s.Book.Claims[0]; c.Bucket != Agreed || !c.Final {
		t.Errorf("the finding is %s (%s), final %v", c.Bucket, c.Why, c.Final)
	}
	for _, k := range s.Book.Challenges {
		if k.Live() {
			t.Errorf("%s by %s is %s", k.ID, k.Attacker, k.Status)
		}
	}
	if conclusion := s.Conclusion().Check; conclusion != Failure {
		t.Errorf("conclusion %s", conclusion)
	}
}

// TestGivingUpIsSaid: a challenger that gave up its objection to the position
// without a word may say why later, and moves then (R155).
func TestGivingUpIsSaid(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]struct {
		rebut Reply
		want  Disposition
	}{
		"without a word": {Reply{Answers: []Answer{{Challenge: "K1", Move: Accept}}, Recommendation: Keep}, Revise},
		"with a word":    {Reply{Answers: []Answer{{Challenge: "K1", Move: Accept, Text: "line 3 does it"}}, Recommendation: Keep}, Keep},
		"as a change":    {Reply{Answers: []Answer{{Challenge: "K1", Move: Accept}}, Recommendation: Keep, Changes: []Change{{Claim: PositionSubject, From: "revise", To: "keep", Because: "line 3"}}}, Keep},
	} {
		t.Run(name, func(t *testing.T) {
			x := newScene("gpt")
			x.say("OPEN/0/claude", proposing())
			objects := dissenting()
			objects.Checked = []Check{{Segment: "S1", Scenario: "an empty list"}} // who showed nothing abstains then (R093)
			x.say("CHALLENGE/1/gpt", objects)
			x.say("RESPOND/2/claude", answering(Answer{Challenge: "K1", Move: Rebuff, Text: "no"}))
			x.say("REBUT/2/gpt", says.rebut)
			s := x.run(t).end()
			if got := s.Table.seat("gpt").Option; got != says.want {
				t.Errorf("it holds %s", got)
			}
			if s.Agenda.Decisions[0].Settled != (says.want == Keep) {
				t.Errorf("settled %v", s.Agenda.Decisions[0].Settled)
			}
		})
	}
}

// TestGrantedForbidsKeep: what the primary granted without naming an option is not
// outweighed by scores either (R095).
func TestGrantedForbidsKeep(t *testing.T) {
	t.Parallel()
	x := newScene("gpt", "gemini")
	x.first.Settings.MaxRounds, x.first.Settings.Gate = 1, Advisory
	x.say("OPEN/0/claude", proposing(defect(P3, "typo", 3)))
	x.say("CHALLENGE/1/gpt", Reply{Summary: "it loses data", Verdict: VerdictDisagree})
	x.say("CHALLENGE/1/gemini", agreeing(Evaluating{Claim: "F1", Class: ClassSkeptical, Flaw: "it is right", Refs: citing(5)}))
	x.say("RESPOND/2/claude", answering(Answer{Challenge: "K1", Move: Accept, Text: "so it does"}, Answer{Challenge: "K2", Move: Rebuff, Text: "look", Refs: citing(3)}))
	x.say("REBUT/2/gemini", Reply{Answers: []Answer{{Challenge: "K2", Move: Maintain, Text: "line 9 is right too", Refs: citing(9)}}, Recommendation: Keep})
	var scores []Score
	for option, score := range map[string]int{"keep": 9, "revise": 4, "reject": 1} {
		for _, criterion := range []string{"correctness", "risk", "reversibility", "governance_fit", "cost", "time"} {
			scores = append(scores, Score{Option: option, Criterion: criterion, Score: score})
		}
	}
	for _, party := range []string{"claude", "gpt", "gemini"} {
		x.say("SCORE/2/"+party, Reply{Sheets: []Sheet{{Decision: "D0", Scores: scores}}})
	}
	s := x.run(t).end()
	d := s.Agenda.Decisions[0]
	if d.Rubric == nil || d.Rubric.Winner != string(Keep) || s.Talk.Position().Disposition != Revise {
		t.Fatalf("keep was not scored best: %+v, position %s", d.Rubric, s.Talk.Position().Disposition)
	}
	if conclusion := s.Conclusion().Check; d.Outcome != Undecided || conclusion == Success {
		t.Errorf("D0 is %s (%s), conclusion %s", d.Outcome, d.Why, conclusion)
	}
}

// TestLastOneGoesOn: where the primary failed its last call and the one challenger
// that answers is all that is left at the end, that one debates with itself, as it
// would with its own key alone: what only the lost ones had doubted in words is
// confirmed (M19). A primary that answered last is somebody to end a debate with.
func TestLastOneGoesOn(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string]bool{"the primary failed": false, "the primary answered": true} {
		t.Run(name, func(t *testing.T) {
			x := newScene("gpt", "gemini")
			x.first.Settings.Opening = OpenParallel
			x.say("OPEN/0/claude", Reply{Summary: "fine", Disposition: Revise, Recommendation: Revise})
			x.say("OPEN/0/gpt", Reply{Summary: "it hangs", Disposition: Revise, Recommendation: Revise, Claims: []NewClaim{defect(P1, "retry loop never ends", 3)}})
			x.say("OPEN/0/gemini", Reply{Summary: "fine", Disposition: Revise, Recommendation: Revise})
			if answers {
				x.say("CHALLENGE/1/claude", Reply{Summary: "fine", Recommendation: Revise})
			}
			partly := Reply{Verdict: VerdictPartial, Recommendation: Revise, Checked: []Check{{Scenario: "tried nil", Refs: citing(2)}}}
			x.say("CHALLENGE/1/gpt", partly)
			doubt := partly
			doubt.Evaluations = []Evaluating{doubting("F1")}
			x.say("CHALLENGE/1/gemini", doubt)
			x.say("REBUT/2/gpt", answering(Answer{Challenge: "K1", Move: Rebuff, Text: "it is so", Refs: citing(5)}))
			x.lose("REBUT/3/gemini")
			second := agreeing(supporting("F1"))
			second.Recommendation = Revise
			x.say("CHALLENGE/3/gpt-2", second)
			p := x.run(t)
			s := p.end()
			if asked := p.asked("CHALLENGE/3/gpt-2"); asked == answers || asked != (s.Table.Primary == "gpt") {
				t.Errorf("a second context was asked: %v, the primary is %s", asked, s.Table.Primary)
			}
			if c := s.Book.Claims[0]; (c.Bucket == Agreed) == answers {
				t.Errorf("F1 is %s (%s)", c.Bucket, c.Why)
			}
		})
	}
}

// TestLastChallengerFails: if the only challenger fails in the middle of the debate, a second
// context of the primary weighs the rest (M19).
func TestLastChallengerFails(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.say("OPEN/0/claude", proposing(defect(P1, "retry loop never ends", 3)))
	doubts := agreeing(doubting("F1"))
	doubts.Claims = []NewClaim{defect(P2, "slow loop", 5)}
	x.say("CHALLENGE/1/gpt", doubts)
	x.say("RESPOND/2/claude", answering(Answer{Challenge: "K1", Move: Rebuff, Text: "it is so"}))
	x.say("REBUT/2/claude", Reply{Summary: "as before"}) // it was reminded of F2
	x.lose("REBUT/2/gpt")
	x.say("CHALLENGE/2/claude-2", agreeing(supporting("F1")))
	p := x.run(t)
	if c := p.end().Book.Claims[0]; !p.asked("CHALLENGE/2/claude-2") || c.Bucket != Agreed {
		t.Errorf("F1 is %s (%s), a second context was asked: %v", c.Bucket, c.Why, p.asked("CHALLENGE/2/claude-2"))
	}
}
