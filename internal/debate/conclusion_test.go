package debate

import "testing"

// TestHeldBack: a decision beside D0 that asks for another change leaves no
// success, and a person's keep gives way to a person only.
func TestHeldBack(t *testing.T) {
	human := func(option string) *Human {
		return &Human{Status: ItemDecided, PersonAnswer: PersonAnswer{By: "bob", Option: option}}
	}
	question := []Option{{ID: "now"}, {ID: "later"}, {ID: StatusQuoOption, Label: "status quo", StatusQuo: true}}
	kept := Decision{ID: "D0", Options: dispositionOptions(), Recommendation: string(Keep), Outcome: Adopted}
	decided := Decision{ID: "D0", Options: dispositionOptions(), Recommendation: string(Revise), Outcome: HumanDecided, Human: human("keep")}
	for name, c := range map[string]struct {
		d0, d1 Decision
		want   Conclusion
		why    string
	}{
		"address adopted":             {kept, Decision{Options: claimOptions(), Outcome: Adopted, Recommendation: "address"}, Neutral, "debate_chose address D1 'q'"},
		"leave out settled":           {kept, Decision{Options: claimOptions(), Outcome: Settled, Recommendation: "leave_out"}, Neutral, "debate_chose leave out D1 'q'"},
		"address by a person":         {kept, Decision{Options: claimOptions(), Outcome: HumanDecided, Recommendation: "accept", Human: human("address")}, Neutral, "chose_else bob address D1 'q'"},
		"accept by a person":          {kept, Decision{Options: claimOptions(), Outcome: HumanDecided, Recommendation: "address", Human: human("accept")}, Success, ""},
		"accept adopted":              {kept, Decision{Options: claimOptions(), Outcome: Adopted, Recommendation: "accept"}, Success, ""},
		"status quo by a person":      {kept, Decision{Options: question, Outcome: HumanDecided, Human: human(StatusQuoOption)}, Neutral, "chose_else bob status quo D1 'q'"},
		"status quo adopted":          {kept, Decision{Options: question, Outcome: Adopted, Recommendation: StatusQuoOption}, Success, ""},
		"another option by a person":  {kept, Decision{Options: question, Outcome: HumanDecided, Human: human("now")}, Success, ""},
		"a person keeps over scores":  {decided, Decision{Options: claimOptions(), Outcome: Adopted, Recommendation: "address"}, Success, ""},
		"a person against a person":   {decided, Decision{Options: claimOptions(), Outcome: HumanDecided, Human: human("leave_out")}, Neutral, "chose_else bob leave out D1 'q'"},
		"undecided":                   {kept, Decision{Options: claimOptions(), Outcome: Undecided, Recommendation: "address"}, Success, ""},
		"withdrawn, the item is gone": {kept, Decision{Options: claimOptions(), Outcome: Withdrawn, Recommendation: "address"}, Success, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.d1.ID, c.d1.Question = "D1", "q"
			s := State{Ending: Ending{Outcome: Consensus}, Agenda: Agenda{Decisions: []Decision{c.d0, c.d1}}}
			s.Split.Coverage = []Coverage{{ID: "H1", By: []string{"claude"}}}
			s.verdict()
			got, why := checkOf(s)
			if got != c.want || c.why != "" && why.String() != c.why {
				t.Errorf("%s, %s", got, why)
			}
			if (s.Ending.Disposition == Keep) != (got == Success) {
				t.Errorf("disposition %s", s.Ending.Disposition)
			}
			s.Received.Settings.Gate = Required
			if got := s.Conclusion().Check; (got == Failure) != (c.want != Success) {
				t.Errorf("%s under a required gate", got)
			}
		})
	}
}

// TestNextWithoutDebate: after a newer commit, and for an empty change, a further review is of no use.
func TestNextWithoutDebate(t *testing.T) {
	for name, c := range map[string]struct {
		outcome Outcome
		files   int
		want    Next
	}{
		"a newer commit":    {Superseded, 2, NextNothing},
		"an empty change":   {Skipped, 0, NextNothing},
		"skipped by policy": {Skipped, 2, NextReview},
		"no model answered": {DegradedLocal, 2, NextReview},
		"broken off":        {Aborted, 2, NextReview},
	} {
		s := State{Ending: Ending{Outcome: c.outcome}, Split: SplitDone{Totals: Totals{Files: c.files}}}
		if got := s.Conclusion(); got.Next != c.want || got.Check != Neutral {
			t.Errorf("%s: %s, next %q", name, got.Check, got.Next)
		}
	}
}
