package debatetest

import "github.com/prdebate/debate/internal/debate"

// Capitulator accepts every critique, whatever it rests on.
func Capitulator() Party {
	return Twist(Honest(Planted()[1]), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind != debate.CallRespond {
			return
		}
		for i := range r.Answers {
			r.Answers[i] = debate.Answer{Challenge: r.Answers[i].Challenge, Move: debate.Accept, Text: "you are right, as always"}
		}
		for i := range r.Evaluations {
			r.Evaluations[i] = debate.Evaluating{Claim: r.Evaluations[i].Claim, Class: debate.ClassAgree, View: debate.Supports}
		}
	})
}

// Stubborn rejects everything: what is said against its own findings with their lines, the
// rest without a reason that could be checked.
func Stubborn(finds ...debate.NewClaim) Party {
	return Twist(Honest(finds...), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind != debate.CallRespond {
			return
		}
		for i := range r.Answers {
			k := challengeOf(s, r.Answers[i].Challenge)
			r.Answers[i] = debate.Answer{Challenge: k.ID, Move: debate.Rebuff, Text: "no", Refs: refsTo(s, k.Claim)}
		}
		r.Evaluations = nil
		for _, c := range s.Book.Claims {
			if c.Owner != ask.Party && c.SameAs == "" {
				r.Evaluations = append(r.Evaluations, debate.Evaluating{Claim: c.ID, Class: debate.ClassSkeptical, View: debate.Irrelevant, Flaw: "I do not see it"})
			}
		}
		r.Position = &debate.Restated{Disposition: s.Talk.Position().Disposition, Summary: "as before"}
	})
}

// FlipFlop changes its disposition and its mind in every exchange and never says
// so.
func FlipFlop() Party {
	return Twist(Stubborn(Planted()[1]), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind != debate.CallRespond {
			return
		}
		r.Position.Disposition = debate.Reject
		if s.Talk.Position().Disposition == debate.Reject {
			r.Position.Disposition = debate.Keep
		}
		for i := range r.Evaluations {
			if ask.N%2 == 1 {
				r.Evaluations[i] = debate.Evaluating{Claim: r.Evaluations[i].Claim, Class: debate.ClassAgree, View: debate.Supports}
			}
		}
	})
}

// IDDropper names no challenge.
func IDDropper(party Party) Party {
	return Twist(party, func(_ debate.State, _ debate.Ask, r *debate.Reply) { r.Answers = nil })
}

// IDForger answers for others: it concedes every challenge that it need not
// answer.
func IDForger(party Party) Party {
	return Twist(party, func(s debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind != debate.CallRespond && ask.Kind != debate.CallRebut {
			return
		}
		for _, k := range s.Book.Challenges {
			if k.Attacker != ask.Party && !s.Asks(ask.Party, k) {
				r.Answers = append(r.Answers, debate.Answer{Challenge: k.ID, Move: debate.Accept, Text: "conceded"})
			}
		}
		r.Answers = append(r.Answers, debate.Answer{Challenge: "K999", Move: debate.Accept, Text: "conceded"})
	})
}
