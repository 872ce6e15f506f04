package debate

import (
	"slices"
	"testing"
)

// TestAsserted: what parties assert makes a decision critical with changed lines that are
// there: two parties, or one where policy knows the path (S03).
func TestAsserted(t *testing.T) {
	t.Parallel()
	at := func(path string, ok, changed bool) []Evidence {
		return []Evidence{{CitationOK: ok, Changed: changed, Cite: Citation{Path: path, Side: Right, StartLine: 3}}}
	}
	says := func(party string, evidence []Evidence) Asserted {
		return Asserted{Party: party, Trigger: TriggerMoney, Evidence: evidence, Reason: "it pays"}
	}
	known := []Trigger{{ID: TriggerMoney, Source: FromPolicy, Path: "pay.go"}, {ID: TriggerSecurity, Source: FromPolicy, Path: "auth.go"}}
	for name, row := range map[string]struct {
		asserted []Asserted
		inquiry  *Inquiry
		by       int // parties that the trigger names, 0 for no trigger
	}{
		"one party":                             {[]Asserted{says("gpt", at("a.go", true, true))}, nil, 0},
		"one party twice":                       {[]Asserted{says("gpt", at("a.go", true, true)), says("gpt", at("b.go", true, true))}, nil, 0},
		"two parties":                           {[]Asserted{says("gpt", at("a.go", true, true)), says("gemini", at("b.go", true, true))}, nil, 2},
		"one, where policy knows the path":      {[]Asserted{says("gpt", at("pay.go", true, true))}, nil, 1},
		"one, where it knows something else":    {[]Asserted{says("gpt", at("auth.go", true, true))}, nil, 0},
		"first a path that policy knows":        {[]Asserted{says("gpt", append(at("pay.go", true, true), at("a.go", true, true)...))}, nil, 1},
		"the lines are not there":               {[]Asserted{says("gpt", at("a.go", false, true)), says("gemini", at("b.go", false, true))}, nil, 0},
		"the lines of one are not there":        {[]Asserted{says("gpt", at("a.go", true, true)), says("gemini", at("b.go", false, true))}, nil, 0},
		"the lines were not changed":            {[]Asserted{says("gpt", at("a.go", true, false)), says("gemini", at("b.go", true, false))}, nil, 0},
		"a question has no changed lines":       {[]Asserted{says("gpt", at("a.go", true, false)), says("gemini", at("b.go", true, false))}, &Inquiry{}, 2},
		"its lines have to be there":            {[]Asserted{says("gpt", at("a.go", false, false)), says("gemini", at("b.go", false, false))}, &Inquiry{}, 0},
		"nothing is cited, by as many as speak": {[]Asserted{says("gpt", nil), says("gemini", nil)}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Received: Received{Inquiry: row.inquiry}, Agenda: Agenda{Assertions: row.asserted, Triggers: known}}
			found := s.asserted()
			by := 0
			for _, trigger := range found {
				by = len(trigger.By)
			}
			if len(found) > 1 || by != row.by || (len(found) == 1) != (row.by > 0) {
				t.Errorf("%+v, want one of %d parties", found, row.by)
			}
		})
	}
}

// TestWhatTheMergeRestsOn: the question about the merge names the confirmed claims that make
// it grave: P1 ones, and those that a trigger is about (R030-R038).
func TestWhatTheMergeRestsOn(t *testing.T) {
	t.Parallel()
	s := State{Book: Book{Claims: []Claim{
		{ID: "F1", Severity: P1, Bucket: Agreed},
		{ID: "F2", Severity: P2, Bucket: Agreed},
		{ID: "F3", Severity: P3, Bucket: Agreed, Trigger: TriggerSecurity},
		{ID: "F4", Severity: P1, Bucket: Unresolved},
	}}}
	(&reducer{State: &s, step: &Step{}}).decisions()
	d := s.Agenda.Decisions[0]
	if !slices.Equal(d.Claims, []string{"F1", "F3"}) {
		t.Errorf("it rests on %v", d.Claims)
	}
}
