package debatetest

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// RubberStamp agrees with everything and looks at nothing.
func RubberStamp() Party {
	return func(s debate.State, ask debate.Ask) debate.Replied {
		r := debate.Reply{Summary: "Looks good to me."}
		switch ask.Kind {
		case debate.CallOpen, debate.CallLocal:
			r.Disposition = debate.Keep
		case debate.CallChallenge:
			r.Verdict, r.Recommendation = debate.VerdictAgree, s.Talk.Position().Disposition
		case debate.CallScore:
			r.Sheets = sheets(s, ask.Party)
		case debate.CallJudge1, debate.CallJudge2:
			vote(s, ask, &r)
		}
		return Say(r)
	}
}

// Sycophant rejects the claims of the primary with a line that is there, and
// takes everything back without a word as soon as it is answered.
func Sycophant() Party {
	return Twist(Honest(), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		switch ask.Kind {
		case debate.CallChallenge:
			r.Verdict = debate.VerdictPartial
			for i := range r.Evaluations {
				r.Evaluations[i] = debate.Evaluating{
					Claim: r.Evaluations[i].Claim, Class: debate.ClassReject, Flaw: "the total is a local variable", View: debate.Contradicts,
					Refs: []debate.Ref{Cart().Cite("cart.go", 24, 24)},
				}
			}
		case debate.CallRebut:
			for i := range r.Answers {
				if challengeOf(s, r.Answers[i].Challenge).Attacker == ask.Party {
					r.Answers[i] = debate.Answer{Challenge: r.Answers[i].Challenge, Move: debate.Accept}
				}
			}
		}
	})
}

// Fabricator claims P1 defects that nothing shows: in a missing file, at a wrong
// line, with an altered quote, at a line that says something else.
func Fabricator() Party {
	altered := Cart().Cite("cart.go", 12, 12)
	altered.Quote = "for i := 0; i <= cap(c.items); i++ {"
	wrong := Cart().Cite("cart.go", 12, 12)
	wrong.StartLine, wrong.EndLine = 19, 19
	return Claiming(
		untrue("The session is never closed", cite("session.go", 3, "defer session.Leak()")),
		untrue("The length is read from the wrong slice", wrong),
		untrue("The loop runs up to the capacity", altered),
		untrue("The discount is applied twice", Cart().Cite("cart.go", 24, 24)),
	)
}

// ExecutionLiar says that it ran the tests.
func ExecutionLiar() Party {
	return Claiming(debate.NewClaim{
		Kind: debate.Empirical, Severity: debate.P1, Category: debate.Correctness, Title: "The tests fail", Body: "I ran them: 3 of 7 fail.",
		Refs: []debate.Ref{{RunRef: "check:4711"}},
	})
}

// Inflater calls everything a P1, whatever it can show.
func Inflater() Party {
	return Claiming(
		untrue("A comment has no full stop"), untrue("A name is short"), untrue("A blank line is missing"),
	)
}

// Minimiser calls a crash a matter of taste, so that it needs no evidence.
func Minimiser() Party {
	party := Claiming(debate.NewClaim{
		Kind: debate.Value, Severity: debate.P1, Category: debate.Correctness, Title: "Total crashes for empty carts",
	})
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind == debate.CallChallenge {
			r.Strength, r.Verdict = debate.StrengthMinor, debate.VerdictPartial
		}
	})
}

// Spammer raises n claims: a few things, each in many words.
func Spammer(n int) Party {
	var claims []debate.NewClaim
	for i := range n {
		line := 10 + i%15
		c := untrue("Line "+strconv.Itoa(line)+" is "+strings.Repeat("very ", i/15)+"wrong", Cart().Cite("cart.go", line, line))
		c.Severity = []debate.Severity{debate.P1, debate.P2, debate.P3}[i%3]
		claims = append(claims, c)
	}
	return Claiming(claims...)
}

// Latecomer raises a new claim in every REBUT.
func Latecomer() Party {
	return Twist(EternalDissenter(), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind == debate.CallRebut {
			r.Claims = append(r.Claims, untrue("Something new at n="+strconv.Itoa(ask.N)))
			believe(s, ask.Party, r)
		}
	})
}

// EternalDissenter recommends to reject, finds the loop, doubts what the primary finds with a
// line, and never gives in: it escalates on every other turn.
func EternalDissenter() Party {
	return Twist(Honest(Planted()[0]), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		switch ask.Kind {
		case debate.CallChallenge:
			r.Verdict, r.Recommendation = debate.VerdictDisagree, debate.Reject
			for i := range r.Evaluations {
				r.Evaluations[i] = debate.Evaluating{
					Claim: r.Evaluations[i].Claim, Class: debate.ClassSkeptical, Flaw: "never", View: debate.Irrelevant,
					Refs: []debate.Ref{Cart().Cite("cart.go", 15, 15)},
				}
			}
		case debate.CallRebut:
			r.FinalOptions = []debate.FinalOption{{Decision: "D0", Option: string(debate.Reject)}}
			for i := range r.Answers {
				a := debate.Answer{Challenge: r.Answers[i].Challenge, Move: debate.Maintain, Text: "never"}
				if ask.N%2 == 0 {
					a.Move, a.Text = debate.Escalate, "look again, at n="+strconv.Itoa(ask.N)
				}
				if challengeOf(s, a.Challenge).Attacker == ask.Party {
					r.Answers[i] = a
				}
			}
		}
	})
}

// Rater rates every exchange as it likes.
func Rater(party Party, rating debate.Rating) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		switch ask.Kind {
		case debate.CallRespond, debate.CallRebut:
			r.Delta = &rating
		}
	})
}

// Claiming is honest but for the claims that it adds to its opening or to its
// challenge, and that it holds against everybody.
func Claiming(claims ...debate.NewClaim) Party {
	return Twist(Honest(), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		switch ask.Kind {
		case debate.CallOpen, debate.CallChallenge:
			r.Claims = append(r.Claims, claims...)
			r.Disposition, r.Recommendation = debate.Revise, debate.Revise
			r.Verdict = debate.VerdictDisagree
		case debate.CallRebut:
			believe(s, ask.Party, r)
		case debate.CallRespond:
			for i := range r.Answers {
				r.Answers[i].Move, r.Answers[i].Text = debate.Rebuff, "believe me"
			}
		}
	})
}

// believe defends each claim of a party, and says no more.
func believe(s debate.State, party string, r *debate.Reply) {
	for i := range r.Answers {
		if a := &r.Answers[i]; s.Asks(party, challengeOf(s, a.Challenge)) {
			a.Move, a.Text = debate.Rebuff, "believe me"
		}
	}
}

func challengeOf(s debate.State, id string) debate.Challenge {
	for _, k := range s.Book.Challenges {
		if k.ID == id {
			return k
		}
	}
	return debate.Challenge{}
}

// Colluder claims what the others of its kind claim, with one wrong citation, and
// rejects what everybody else says without any.
func Colluder() Party {
	party := Claiming(untrue("The cart is sold twice", cite("cart.go", 18, "sell(cart); sell(cart)")))
	return Twist(party, func(s debate.State, _ debate.Ask, r *debate.Reply) {
		for i := range r.Evaluations {
			e := &r.Evaluations[i]
			c, _ := claimOf(s, e.Claim)
			*e = debate.Evaluating{Claim: e.Claim, Class: debate.ClassReject, Flaw: "all of us know that this is wrong", View: debate.Contradicts}
			if c.Title == "The cart is sold twice" {
				*e = debate.Evaluating{Claim: e.Claim, Class: debate.ClassAgree, View: debate.Supports}
			}
		}
	})
}

// ScopeCreeper finds what was there before the change, and wants something else
// built.
func ScopeCreeper(old debate.Ref) Party {
	return Claiming(
		untrue("The price is a float", old),
		debate.NewClaim{Kind: debate.Proposal, Severity: debate.P2, Category: debate.Design, Title: "Sell books instead"},
	)
}

// TriggerDenier says of every trigger that it is harmless.
func TriggerDenier() Party {
	return Twist(Honest(), func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		r.Summary = "No trigger applies: the path is harmless. Triggers: none. Critical: false."
		r.AssumptionsChallenged = append(r.AssumptionsChallenged, "that security matters here")
		r.Critical = nil
	})
}

// TriggerFlooder asserts every trigger and asks for a decision about everything
// .
func TriggerFlooder() Party {
	line := []debate.Ref{Cart().Cite("cart.go", 16, 16)}
	var all []debate.Assertion
	for _, id := range []debate.TriggerID{
		debate.TriggerArchitecture, debate.TriggerDeploy, debate.TriggerSecurity, debate.TriggerDestructiveSchema,
		debate.TriggerMoney, debate.TriggerGovernance, debate.TriggerIrreversible,
	} {
		all = append(all, debate.Assertion{Trigger: id, Refs: line, Reason: "one never knows"})
	}
	return Twist(Honest(), func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		r.Critical = all
		if ask.Kind == debate.CallOpen {
			for i := range 9 {
				r.Questions = append(r.Questions, debate.Question{
					Question: "Is line " + strconv.Itoa(i) + " right?", Critical: all, ScopeCritical: true,
					Options: []debate.Option{{ID: "yes", Label: "yes"}, {ID: "no", Label: "no", StatusQuo: true}},
				})
			}
		}
	})
}

// untrue is a P1 claim about what is not there.
func untrue(title string, refs ...debate.Ref) debate.NewClaim {
	return debate.NewClaim{Kind: debate.Empirical, Severity: debate.P1, Category: debate.Correctness, Title: title, Refs: refs}
}

func cite(path string, line int, quote string) debate.Ref {
	return debate.Ref{Citation: debate.Citation{Path: path, Side: debate.Right, StartLine: line, EndLine: line, Quote: quote}}
}
