package debate

import (
	"strings"
	"testing"
)

// unsettled fails if keep is settled or the check succeeds.
func unsettled(t *testing.T, s State) {
	t.Helper()
	conclusion := s.Conclusion().Check
	if d := s.Agenda.Decisions[0]; d.Settled || s.Ending.Disposition == Keep || conclusion == Success {
		t.Errorf("settled %v, disposition %s, conclusion %s", d.Settled, s.Ending.Disposition, conclusion)
	}
}

// TestFlipBackSilencesNobody: a proposer that withdraws its finding and goes back to keep has
// not settled anything; the dissenter still wants its option.
func TestFlipBackSilencesNobody(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.say("OPEN/0/claude", proposing(defect(P2, "retry loop never ends", 3)))
	x.say("CHALLENGE/1/gpt", dissenting(Evaluating{Claim: "F1", Class: ClassSkeptical, Flaw: "not sure", Refs: citing(5)}))
	x.say("RESPOND/2/claude", answering(Answer{Challenge: "K1", Move: Rebuff, Text: "it does not"}))
	rebut := answering(Answer{Challenge: "K1", Move: Maintain, Text: "it does end", Refs: citing(7)})
	rebut.FinalOptions, rebut.Recommendation = []FinalOption{{Decision: "D0", Option: "revise"}}, Revise
	x.say("REBUT/2/gpt", rebut)
	back := answering(Answer{Challenge: "K1", Move: Accept, Text: "conceded"})
	back.Position = &Restated{Disposition: Keep, Summary: "keep after all"}
	x.say("RESPOND/3/claude", back)
	unsettled(t, x.run(t).end())
}

// TestAcceptedInWordsOnly: an objection that was accepted while the position
// stayed keep is not settled by losing the only party that raised it.
func TestAcceptedInWordsOnly(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.say("OPEN/0/claude", proposing())
	x.say("CHALLENGE/1/gpt", dissenting())
	words := answering(Answer{Challenge: "K1", Move: Accept, Text: "you are right"})
	words.Position = &Restated{Disposition: Keep, Summary: "keep"}
	x.say("RESPOND/2/claude", words)
	x.lose("REBUT/2/gpt")
	unsettled(t, x.run(t).end())
}

// TestNobodyLeft: the proposer alone settles nothing once every challenger is
// lost.
func TestNobodyLeft(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.first.Settings.FailOn = FailP1
	x.say("OPEN/0/claude", proposing())
	partly := agreeing()
	partly.Verdict, partly.Recommendation = VerdictPartial, ""
	partly.Claims = []NewClaim{defect(P2, "slow loop", 3), defect(P3, "typo", 5)}
	x.say("CHALLENGE/1/gpt", partly)
	x.say("RESPOND/2/claude", Reply{Evaluations: []Evaluating{supporting("F1"), doubting("F2")}})
	x.lose("REBUT/2/gpt")
	unsettled(t, x.run(t).end())
}

// TestNobodyLeftWhoSpoke: neither a challenger that was never heard nor a second
// context that fails like it is somebody to settle anything with once those that
// spoke are lost (M19).
func TestNobodyLeftWhoSpoke(t *testing.T) {
	t.Parallel()
	x := newScene("gpt", "gemini")
	x.say("OPEN/0/claude", proposing(defect(P2, "slow loop", 3)))
	partly := agreeing(doubting("F1"))
	partly.Verdict, partly.Recommendation = VerdictPartial, ""
	partly.Claims = []NewClaim{defect(P3, "typo", 5)}
	x.say("CHALLENGE/1/gpt", partly)
	concedes := answering(Answer{Challenge: "K1", Move: Accept, Text: "you are right"})
	concedes.Evaluations = []Evaluating{doubting("F2")}
	x.say("RESPOND/2/claude", concedes)
	x.lose("REBUT/2/gpt")
	s := x.run(t).end()
	unsettled(t, s)
	if s.Ending.Outcome == Consensus || s.Table.seat("gemini").Active() || s.Table.seat("claude-2") == nil {
		t.Errorf("outcome %s, gemini takes part: %v", s.Ending.Outcome, s.Table.seat("gemini").Active())
	}
}

// TestKeepFallsWithWhoHeldIt: keep that two held is held by one once the other is lost
// in a later call, such as the scores of another question; where two are left, it
// stays (M09, M19).
func TestKeepFallsWithWhoHeldIt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		challengers []string
		lost        string
		kept        bool
	}{
		{[]string{"gpt"}, "", true},
		{[]string{"gpt"}, "gpt", false},
		{[]string{"gpt"}, "claude", false},
		{[]string{"gpt", "gemini"}, "gemini", true},
	} {
		t.Run(strings.Join(tt.challengers, "+")+" without "+tt.lost, func(t *testing.T) {
			x := newScene(tt.challengers...)
			asks := proposing()
			asks.Questions = []Question{{Question: "which queue?", Options: []Option{{ID: "a", Label: "a"}, {ID: "b", Label: "b"}}, ScopeCritical: true}}
			x.say("OPEN/0/claude", asks)
			for _, id := range tt.challengers {
				x.say("CHALLENGE/1/"+id, agreeing())
			}
			if tt.lost != "" {
				x.lose("SCORE/1/" + tt.lost)
			}
			p := x.run(t)
			if !p.asked("SCORE/1/gpt") {
				t.Fatal("nobody was asked for scores")
			}
			if !tt.kept {
				unsettled(t, p.end())
			} else if d := p.end().Agenda.Decisions[0]; !d.Settled || d.Recommendation != string(Keep) {
				t.Errorf("settled %v, recommended %s", d.Settled, d.Recommendation)
			}
		})
	}
}

// TestPartialStamp: a partial verdict that objects to nothing and shows nothing counts
// as none, like a bare agreement (R093).
func TestPartialStamp(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.say("OPEN/0/claude", proposing())
	x.say("CHALLENGE/1/gpt", Reply{Summary: "ok", Verdict: VerdictPartial, Recommendation: Keep})
	p := x.run(t)
	unsettled(t, p.end())
	if p.end().Ending.Outcome != Unchallenged {
		t.Errorf("outcome %s", p.end().Ending.Outcome)
	}
}

// TestNoVerdictIsNoAgreement: a verdict that is missing, or was dropped because
// nobody knows it, agrees to nothing, whatever is said of single claims.
func TestNoVerdictIsNoAgreement(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		wants  Disposition
		claims []NewClaim
		says   []Evaluating
	}{
		{"nothing said", "", nil, nil},
		{"claims agreed with", Continue, []NewClaim{defect(P3, "typo", 3)}, []Evaluating{{Claim: "F1", Class: ClassAgree}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newScene("gpt")
			x.say("OPEN/0/claude", proposing(tt.claims...))
			silent := agreeing(tt.says...)
			silent.Verdict, silent.Recommendation = "", tt.wants
			x.say("CHALLENGE/1/gpt", silent)
			s := x.run(t).end()
			unsettled(t, s)
			if s.Table.seat("gpt").Engagement == Agrees {
				t.Error("the challenger counts as agreeing")
			}
		})
	}
}

// TestStopBeforeAllSpoke: who stops a debate as soon as the friendly challenger
// has spoken settles nothing, and a stopped debate is never HIGH (M16).
func TestStopBeforeAllSpoke(t *testing.T) {
	t.Parallel()
	x := newScene("gpt", "gemini")
	x.say("OPEN/0/claude", proposing())
	x.say("CHALLENGE/1/gpt", agreeing())
	p := x.until(t, "CHALLENGE/1/gemini")
	p.take(x.script["CHALLENGE/1/gpt"])
	p.take(Stopped{By: Actor{Login: "author", Permission: WriteAccess, Author: true}})
	p.goOn(t)
	unsettled(t, p.end())
	if p.end().Ending.Confidence == High {
		t.Error("a stopped debate is HIGH")
	}
}

// TestStopAfterAllSpoke: what all agreed on before a person stopped the debate is
// settled, but not HIGH, as it would have been at its own end (M16).
func TestStopAfterAllSpoke(t *testing.T) {
	t.Parallel()
	for _, stop := range []bool{false, true} {
		x := newScene("gpt")
		x.parties = append(x.parties, Party{ID: ArbiterParty, Role: Arbiter, Family: "google", Status: PartyOK})
		x.first.Orders = []Order{{Kind: OrderArbiter, Reason: "to be sure", By: Actor{Login: "bob", Permission: WriteAccess}}}
		x.say("OPEN/0/claude", proposing(defect(P3, "typo", 3)))
		x.say("CHALLENGE/1/gpt", agreeing(supporting("F1")))
		x.say("ARBITER/1/arbiter", Reply{Flags: []Flagged{{Claim: "F1", Flag: FlagOK}}})
		p := x.until(t, "ARBITER/1/arbiter")
		if stop {
			p.take(Stopped{By: Actor{Login: "bob", Permission: WriteAccess}})
		}
		p.goOn(t)
		if s := p.end(); !s.Agenda.Decisions[0].Settled || (s.Ending.Confidence == High) == stop {
			t.Errorf("stopped %v: settled %v, confidence %s", stop, s.Agenda.Decisions[0].Settled, s.Ending.Confidence)
		}
	}
}

// TestDisputeNobodyAnswers: a dispute that no party could answer, for want of
// calls or of replies, leaves the finding as it was, and it may be disputed
// again (S11).
func TestDisputeNobodyAnswers(t *testing.T) {
	t.Parallel()
	for name, maxCalls := range map[string]int{"no calls left": 1, "no reply": 40} {
		t.Run(name, func(t *testing.T) {
			x := newScene("gpt")
			x.say("OPEN/0/claude", proposing(defect(P2, "retry loop never ends", 3)))
			x.say("CHALLENGE/1/gpt", agreeing(supporting("F1")))
			p := x.run(t)
			p.states[len(p.states)-1].Received.Settings.MaxCalls = maxCalls
			p.take(Disputed{Claim: "F1", Text: "no", By: Actor{Login: "author", Author: true}})
			p.goOn(t)
			if c := p.end().Book.Claims[0]; c.Bucket != Agreed || c.Final {
				t.Errorf("the finding is %s (%s), final %v", c.Bucket, c.Why, c.Final)
			}
			again := Disputed{Claim: "F1", Text: "once more", By: Actor{Login: "author", Author: true}}
			if _, err := Apply(p.end(), Entry{N: p.end().N + 1, At: p.end().Clock.At, Event: again}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLateEvidenceIsWeighed: evidence is never late. A P1 that cites what is
// there is weighed before keep is settled, even if it came up when nothing new
// should (R128).
func TestLateEvidenceIsWeighed(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.first.Settings.FailOn = FailP1
	x.say("OPEN/0/claude", proposing(defect(P2, "slow loop", 3)))
	x.say("CHALLENGE/1/gpt", agreeing(Evaluating{Claim: "F1", Class: ClassSkeptical, Flaw: "not sure", Refs: citing(5)}))
	defence := answering(Answer{Challenge: "K1", Move: Rebuff, Text: "no, it is slow"})
	x.say("RESPOND/2/claude", defence)
	x.say("REBUT/2/gpt", answering(Answer{Challenge: "K1", Move: Maintain, Text: "fast", Refs: citing(7)}))
	x.say("RESPOND/3/claude", defence)
	late := answering(Answer{Challenge: "K1", Move: Accept, Text: "ok, slow"})
	late.Claims = []NewClaim{defect(P1, "nil deref", 6)}
	x.say("REBUT/3/gpt", late)
	x.say("RESPOND/4/claude", Reply{Evaluations: []Evaluating{supporting("F2")}})
	p := x.run(t)
	if !p.asked("RESPOND/4/claude") {
		t.Error("nobody was asked about the late P1")
	}
	if s := p.end(); s.Book.Claims[1].Bucket != Agreed || s.Ending.Disposition == Keep {
		t.Errorf("the late P1 is %s, disposition %s", s.Book.Claims[1].Bucket, s.Ending.Disposition)
	}
}

// TestChunksAreNoDrift: what a party says of a claim from two chunks of one wave
// is one word, the harsher one, and no change of mind (S13).
func TestChunksAreNoDrift(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][2]Reply{
		"the doubt comes last":  {agreeing(supporting("F1")), agreeing(doubting("F1"))},
		"the doubt comes first": {agreeing(doubting("F1")), agreeing(supporting("F1"))},
	} {
		t.Run(name, func(t *testing.T) {
			x := newScene("gpt")
			x.split.Chunks = []Chunk{{ID: "X1", Segments: []string{"S1"}}, {ID: "X2", Segments: []string{"S2"}}}
			x.say("OPEN/0/claude/X1", proposing(defect(P2, "slow loop", 3)))
			x.say("OPEN/0/claude/X2", proposing())
			x.say("CHALLENGE/1/gpt/X1", order[0])
			x.say("CHALLENGE/1/gpt/X2", order[1])
			p := x.run(t)
			s := p.end()
			if seat := s.Table.seat("gpt"); seat.Drifts != 0 || seat.Lost {
				t.Errorf("%d changes of mind, lost %v", seat.Drifts, seat.Lost)
			}
			if !p.asked("RESPOND/2/claude") {
				t.Error("the doubt was not put to the proposer")
			}
			if len(s.Book.Challenges) != 1 || s.Book.Challenges[0].Attacker != "gpt" {
				t.Errorf("challenges %+v", s.Book.Challenges)
			}
		})
	}
}
