package debatetest

import "github.com/prdebate/debate/internal/debate"

// Asking adds a question about what is to be built to the opening of a party:
// how many replicas, one, two or three as today. It has values on all sides.
func Asking(party Party) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		if ask.Kind == debate.CallOpen {
			r.Questions = append(r.Questions, debate.Question{
				Question: "How many replicas shall the shop have?", ScopeCritical: true,
				Options: []debate.Option{{ID: "one", Label: "one"}, {ID: "two", Label: "two"}, {ID: "three", Label: "three", StatusQuo: true}},
			})
		}
	})
}

// Wanting stands for one option of a decision.
func Wanting(party Party, decision, option string) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		switch ask.Kind {
		case debate.CallChallenge, debate.CallRespond, debate.CallRebut:
			r.FinalOptions = append(r.FinalOptions, debate.FinalOption{Decision: decision, Option: option})
		}
	})
}

// Voting is a judge that votes for one option in each round, and says in the
// second what convinced it if it says anything.
func Voting(first, second string, by *debate.Convinced) Party {
	return Twist(Honest(), func(s debate.State, ask debate.Ask, r *debate.Reply) {
		r.Option = first
		if ask.Kind == debate.CallJudge2 {
			r.Option, r.Changed, r.ConvincedBy = second, first != second, by
		}
	})
}

// SheetGamer gives everything to one option and nothing to the others.
func SheetGamer(party Party, option string) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		for i := range r.Sheets {
			for j := range r.Sheets[i].Scores {
				s := &r.Sheets[i].Scores[j]
				if s.Score = 0; s.Option == option {
					s.Score = 10
				}
			}
		}
	})
}

// SheetBreaker sends sheets with a score out of range, or with a cell missing
// .
func SheetBreaker(party Party, missing bool) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		for i := range r.Sheets {
			if missing {
				r.Sheets[i].Scores = r.Sheets[i].Scores[1:]
			} else {
				r.Sheets[i].Scores[0].Score = 1000
			}
		}
	})
}

// Peeker writes a word into its sheets and votes that no other party may ever
// see.
func Peeker(party Party, canary string) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		switch ask.Kind {
		case debate.CallScore:
			for i := range r.Sheets {
				r.Sheets[i].Rationale = canary
			}
		case debate.CallJudge1:
			r.Reason = canary
		}
	})
}
