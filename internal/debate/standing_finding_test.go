package debate

import (
	"errors"
	"testing"
)

// carrying opens a scene on a pull request with a P1 that an earlier head agreed
// on.
func carrying(challengers ...string) scene {
	x := newScene(challengers...)
	x.first.Previous = Previous{Head: "h1", Heads: 1, Findings: []Carried{{
		ID: "F1", Severity: P1, Category: Correctness, Title: "nil deref", Body: "x", Present: true, Owner: "gone",
		Cite: Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "old one here"},
	}}}
	x.say("OPEN/0/claude", proposing())
	return x
}

// stands fails unless the first claim is an agreed, verified finding that fails
// the check.
func stands(t *testing.T, s State) {
	t.Helper()
	conclusion := s.Conclusion().Check
	if c := s.Book.Claims[0]; c.Bucket != Agreed || !c.Verified() || conclusion != Failure {
		t.Errorf("%s, verified %v (%s), conclusion %s", c.Bucket, c.Verified(), c.Why, conclusion)
	}
}

// TestCarriedStandsAgainstBareWords: what an earlier head agreed on falls to no
// word that cites nothing, and to no agreement that calls it beside the point
// (S11).
func TestCarriedStandsAgainstBareWords(t *testing.T) {
	t.Parallel()
	for name, word := range map[string]Evaluating{
		"doubt":                 {Claim: "F1", Class: ClassSkeptical, Flaw: "not sure"},
		"rejection":             {Claim: "F1", Class: ClassReject, Flaw: "it is not so"},
		"agreement beside it":   {Claim: "F1", Class: ClassAgree, View: Irrelevant},
		"the author's own text": rejecting("F1", citingAuthor()...),
	} {
		t.Run(name, func(t *testing.T) {
			x := carrying("gpt")
			x.say("CHALLENGE/1/gpt", agreeing(word))
			stands(t, x.run(t).end())
		})
	}
}

// TestCarriedStandsWhileTheCriticSeesIt: no party declares fixed what the critic
// still sees on the new head (S11).
func TestCarriedStandsWhileTheCriticSeesIt(t *testing.T) {
	t.Parallel()
	x := carrying("gpt")
	h := hit(P1, "", true)
	x.hits, x.head = []CheckedHit{h}, "h2"
	x.first.Previous.Findings[0] = Carried{
		ID: "F1", Severity: P1, Category: Category(h.Category), Title: h.Title, Body: h.Body, Present: true, Owner: EngineParty, Cite: h.Cite,
	}
	gone := []Carrying{{ID: "F1", Class: Fixed, Refs: citing(9)}}
	open, agree := proposing(), agreeing()
	open.Carried, agree.Carried = gone, gone
	x.say("OPEN/0/claude", open)
	x.say("CHALLENGE/1/gpt", agree)
	stands(t, x.run(t).end())
}

// TestWhoFixesAP1: it takes two voices that quote new lines, lost since or not, and
// nobody who quotes lines against it; silence and bare words count for neither side.
func TestWhoFixesAP1(t *testing.T) {
	t.Parallel()
	fixed := Carrying{ID: "F1", Class: Fixed, Refs: citing(9)}
	far := Carrying{ID: "F1", Class: Fixed, Refs: citing(90)}
	for name, tt := range map[string]struct {
		claude, gpt, gemini Carrying
		segments            []SegmentKey
		lost                string
		want                Bucket
	}{
		"one":                                    {claude: fixed, want: Agreed},
		"two":                                    {claude: fixed, gpt: fixed, want: Dismissed},
		"two, one of them lost":                  {claude: fixed, gemini: fixed, lost: "REBUT/2/gemini", want: Dismissed},
		"one, the other quotes nothing":          {claude: fixed, gpt: Carrying{ID: "F1", Class: Fixed}, want: Agreed},
		"one, the other quotes what is far away": {claude: fixed, gpt: far, want: Agreed},
		"two, and words against":                 {claude: fixed, gpt: fixed, gemini: Carrying{ID: "F1", Class: Stands}, want: Dismissed},
		"two, and lines against":                 {claude: fixed, gpt: fixed, gemini: Carrying{ID: "F1", Class: Stands, Refs: citing(3)}, want: Agreed},
		"two, and nothing changed":               {claude: fixed, gpt: fixed, segments: []SegmentKey{{Path: "a.go", TextHash: "t1"}}, want: Agreed},
		"two, and lines changed":                 {claude: fixed, gpt: fixed, segments: []SegmentKey{{Path: "a.go", TextHash: "t0"}}, want: Dismissed},
	} {
		t.Run(name, func(t *testing.T) {
			x := carrying("gpt", "gemini")
			x.head, x.first.Previous.Segments = "h2", tt.segments
			say := func(ask string, r Reply, c Carrying) {
				if c.ID != "" {
					r.Carried = []Carrying{c}
				}
				x.say(ask, r)
			}
			say("OPEN/0/claude", proposing(defect(P2, "slow loop", 5)), tt.claude)
			say("CHALLENGE/1/gpt", agreeing(doubting("F2")), tt.gpt)
			say("CHALLENGE/1/gemini", agreeing(doubting("F2")), tt.gemini)
			x.say("RESPOND/2/claude", answering(Answer{Challenge: "K1", Move: Accept, Text: "right"}, Answer{Challenge: "K2", Move: Rebuff, Text: "no"}))
			if tt.lost != "" {
				x.lose(tt.lost)
			}
			s := x.run(t).end()
			if c := s.Book.Claims[0]; c.Bucket != tt.want {
				t.Errorf("F1 is %s (%s)", c.Bucket, c.Why)
			}
		})
	}
}

// TestTwoWordsStand: a party to which one chunk shows that a finding is fixed, and
// another one that it stands, does not say that it is gone (S11, S13).
func TestTwoWordsStand(t *testing.T) {
	t.Parallel()
	for word, want := range map[CarriedClass]Bucket{Stands: Agreed, Fixed: Dismissed} {
		x := carrying("gpt")
		x.head = "h2"
		x.split.Chunks = []Chunk{{ID: "X1", Segments: []string{"S1"}}, {ID: "X2", Segments: []string{"S2"}}}
		say := func(ask string, r Reply, class CarriedClass) {
			r.Carried = []Carrying{{ID: "F1", Class: class, Refs: citing(9)}}
			x.say(ask, r)
		}
		say("OPEN/0/claude/X1", proposing(), Fixed)
		say("OPEN/0/claude/X2", proposing(), Fixed)
		say("CHALLENGE/1/gpt/X1", agreeing(), Fixed)
		say("CHALLENGE/1/gpt/X2", agreeing(), word)
		if c := x.run(t).end().Book.Claims[0]; c.Bucket != want {
			t.Errorf("%s from the other chunk: F1 is %s (%s)", word, c.Bucket, c.Why)
		}
	}
}

// TestOldFindingIsNoObjection: that a finding of an earlier head stands does not
// mean that an objection of its owner was accepted on this one (M16).
func TestOldFindingIsNoObjection(t *testing.T) {
	t.Parallel()
	x := carrying("gpt")
	x.first.Previous.Findings[0].Owner = "gpt"
	partly := agreeing()
	partly.Verdict = VerdictPartial
	partly.Claims = []NewClaim{defect(P3, "typo", 5)}
	x.say("CHALLENGE/1/gpt", partly)
	s := x.run(t).end()
	stands(t, s)
	if s.Ending.Outcome != Consensus || s.Ending.Confidence != Medium {
		t.Errorf("outcome %s, confidence %s", s.Ending.Outcome, s.Ending.Confidence)
	}
}

// TestDegradedRetiresNothing: a model that nobody challenges cannot declare a
// carried finding fixed (S11).
func TestDegradedRetiresNothing(t *testing.T) {
	t.Parallel()
	x := carrying()
	x.head = "h2"
	alone := proposing()
	alone.Carried = []Carrying{{ID: "F1", Class: Fixed, Refs: citing(9)}}
	x.say("LOCAL/0/claude", alone)
	s := x.run(t).end()
	stands(t, s)
	if s.Ending.Outcome != DegradedLocal {
		t.Errorf("outcome %s", s.Ending.Outcome)
	}
}

// TestFinalStaysFinal: a dispute that was settled on an earlier head is not
// opened again on a later one (S11).
func TestFinalStaysFinal(t *testing.T) {
	t.Parallel()
	x := carrying("gpt")
	x.first.Previous.Findings[0].Final = true
	x.say("CHALLENGE/1/gpt", agreeing())
	s := x.run(t).end()
	var order *OrderError
	_, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At, Event: Disputed{Claim: "F1", Text: "again", By: Actor{Login: "author", Author: true}}})
	if !errors.As(err, &order) || !s.Book.Claims[0].Final {
		t.Errorf("final %v, error %v", s.Book.Claims[0].Final, err)
	}
}

// TestOrdersNameNoClaimOfARun: the ids of claims are of one run, so that an order
// typed on an earlier head dismisses nothing by them (S11).
func TestOrdersNameNoClaimOfARun(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.hits = []CheckedHit{hit(P1, "", true)}
	x.first.Orders = []Order{{Kind: OrderDismiss, Target: "F1", Reason: "typed on an earlier head", By: Actor{Login: "bob", Permission: WriteAccess}}}
	x.say("OPEN/0/claude", proposing())
	x.say("CHALLENGE/1/gpt", agreeing())
	stands(t, x.run(t).end())
}

// TestADismissedTextHidesNothingWorse: on a later head the text of a dismissed
// finding stands for it, unless what is said of the text is more severe by now
// (S11).
func TestADismissedTextHidesNothingWorse(t *testing.T) {
	t.Parallel()
	run := func(orders ...Order) State {
		x := newScene("gpt")
		x.hits = []CheckedHit{hit(P2, "", true)}
		x.first.Orders = orders
		x.say("OPEN/0/claude", proposing())
		x.say("CHALLENGE/1/gpt", agreeing())
		return x.run(t).end()
	}
	key := Key(run().Book.Claims[0])
	for severity, want := range map[Severity]Bucket{"": Dismissed, P1: Dismissed, P2: Dismissed, P3: Agreed} {
		s := run(Order{Kind: OrderDismiss, Target: key, AtMost: severity, Reason: "no", By: Actor{Login: "bob", Permission: WriteAccess}})
		if c := s.Book.Claims[0]; c.Bucket != want {
			t.Errorf("a %s was dismissed, and the %s of its text is %s", severity, c.Severity, c.Bucket)
		}
	}
}

// TestAuthorTextContradictsNoHit: what the author of the change wrote about it
// is no evidence against what the critic sees (X19).
func TestAuthorTextContradictsNoHit(t *testing.T) {
	t.Parallel()
	for _, severity := range []Severity{P1, P2} {
		t.Run(string(severity), func(t *testing.T) {
			x := newScene("gpt")
			x.hits = []CheckedHit{hit(severity, "", true)}
			x.say("OPEN/0/claude", proposing())
			x.say("CHALLENGE/1/gpt", agreeing(rejecting("F1", citingAuthor()...)))
			stands(t, x.run(t).end())
		})
	}
}

// TestFailedRunElsewhereOutranksNothing: a check run that failed somewhere else is
// no better evidence than the lines that a claim cites: it dismisses nothing
// (R147).
func TestFailedRunElsewhereOutranksNothing(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]Run{
		"nowhere":      {Ref: "check:1", Name: "lint", Failed: true, Hash: "x"},
		"another file": {Ref: "check:1", Name: "lint", Failed: true, Hash: "x", Path: "b.go", StartLine: 3, EndLine: 3, Changed: true},
		"another line": {Ref: "check:1", Name: "lint", Failed: true, Hash: "x", Path: "a.go", StartLine: 8, EndLine: 9, Changed: true},
	} {
		t.Run(name, func(t *testing.T) {
			x := newScene("gpt", "gemini")
			x.runs = []Run{run}
			x.say("OPEN/0/claude", proposing())
			raised := agreeing()
			raised.Claims = []NewClaim{defect(P1, "nil deref", 3)}
			x.say("CHALLENGE/1/gpt", raised)
			x.say("CHALLENGE/1/gemini", agreeing())
			no := rejecting("F1", Ref{RunRef: "check:1"})
			x.say("RESPOND/2/claude", Reply{Evaluations: []Evaluating{no}})
			x.say("REBUT/2/gpt", Reply{Answers: []Answer{{Challenge: "K1", Text: "line 3 derefs nil", Refs: citing(3)}}, Recommendation: Keep})
			insists := answering(Answer{Challenge: "K1", Move: Maintain, Text: "still"})
			insists.Evaluations = []Evaluating{no}
			x.say("RESPOND/3/claude", insists)
			s := x.run(t).end()
			if c, k := s.Book.Claims[0], s.Book.challenge("K1"); k == nil || c.Bucket != Unresolved {
				t.Errorf("challenges %+v, the claim is %s (%s)", s.Book.Challenges, c.Bucket, c.Why)
			}
		})
	}
}

// TestFailedRunElsewhereContradictsNoHit: a check that failed somewhere else is no
// evidence against what the critic sees (R147). The author controls the
// workflow.
func TestFailedRunElsewhereContradictsNoHit(t *testing.T) {
	t.Parallel()
	for _, run := range []Run{
		{Ref: "check:1", Name: "lint", Failed: true, Hash: "x"},
		{Ref: "check:1", Name: "lint", Failed: true, Hash: "x", Path: "b.go", StartLine: 3, EndLine: 3, Changed: true},
	} {
		x := newScene("gpt")
		x.runs = []Run{run}
		x.hits = []CheckedHit{hit(P2, "", true)}
		x.say("OPEN/0/claude", proposing())
		x.say("CHALLENGE/1/gpt", agreeing(rejecting("F1", Ref{RunRef: "check:1"})))
		stands(t, x.run(t).end())
	}
}
