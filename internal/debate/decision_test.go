package debate

import (
	"fmt"
	"slices"
	"testing"
)

// wondering is a question that openings see beside the merge.
func wondering(text string, scope bool, options ...string) Question {
	q := Question{Question: text, ScopeCritical: scope}
	for _, id := range options {
		q.Options = append(q.Options, Option{ID: id})
	}
	return q
}

// TestFrame: the parties are asked about the merge, and about each question that an opening
// sees and that leaves a choice, once.
func TestFrame(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		asked []Question
		want  []string // question and whether it is about the whole scope, beside D0
	}{
		"nothing":                             {nil, nil},
		"a question":                          {[]Question{wondering("which cipher", false, "a", "b")}, []string{"which cipher [a b status_quo] false"}},
		"it is about the whole scope":         {[]Question{wondering("which cipher", true, "a", "b")}, []string{"which cipher [a b status_quo] true"}},
		"two ask alike":                       {[]Question{wondering("which cipher", false, "a"), wondering("Which  cipher", false, "b")}, []string{"which cipher [a b status_quo] false"}},
		"the second is about the whole scope": {[]Question{wondering("which cipher", false, "a"), wondering("which cipher", true, "b")}, []string{"which cipher [a b status_quo] true"}},
		"the first is about the whole scope":  {[]Question{wondering("which cipher", true, "a"), wondering("which cipher", false, "b")}, []string{"which cipher [a b status_quo] true"}},
		"it leaves no choice":                 {[]Question{wondering("which cipher", false, "a")}, nil},
		"an option twice, one without an id":  {[]Question{wondering("which cipher", false, "a", "a", "", "b")}, []string{"which cipher [a b status_quo] false"}},
		"it has the status quo":               {[]Question{wondering("which cipher", false, "status_quo", "a")}, []string{"which cipher [status_quo a] false"}},
		"more options than fit":               {[]Question{wondering("which", false, "1", "2", "3", "4", "5", "6", "7", "8", "9")}, []string{"which [1 2 3 4 5 6 7 8 status_quo] false"}},
		"it has no text":                      {[]Question{wondering("", false, "a", "b")}, nil},
		"it asks about the merge":             {[]Question{wondering(DispositionQuestion, false, "a", "b")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := framed(row.asked)
			var got []string
			for _, d := range a.Decisions[1:] {
				got = append(got, fmt.Sprint(d.Question, " ", d.optionIDs(), " ", d.ScopeCritical))
			}
			if !slices.Equal(got, row.want) || !a.Decisions[0].disposes() || a.NextDecision != len(a.Decisions) {
				t.Errorf("%q of %d, want %q", got, a.NextDecision, row.want)
			}
		})
	}
	if scope := framed([]Question{wondering(DispositionQuestion, true)}); !scope.Decisions[0].ScopeCritical {
		t.Error("an opening that says that the merge is about the whole scope is not heard")
	}
	var many []Question
	for i := range 30 {
		many = append(many, wondering(fmt.Sprint("question ", i), false, "a", "b"))
	}
	if got := framed(many).Decisions; len(got) != maxFramed+1 {
		t.Errorf("%d decisions", len(got))
	}
}

// framed is the agenda of a debate whose openings ask these questions.
func framed(asked []Question) Agenda {
	s := State{Agenda: Agenda{Asked: asked}}
	(&reducer{State: &s, step: &Step{}}).frame()
	return s.Agenda
}

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
			found := s.asserted(Decision{ID: "D0", Question: DispositionQuestion}, nil)
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

// TestGrouped: what is beyond the decisions that may be asked goes into the last one, with
// all that makes it weigh (A20).
func TestGrouped(t *testing.T) {
	t.Parallel()
	scope := Decision{ID: "D1", Question: "which cipher", ScopeCritical: true, Claims: []string{"F1"}, Triggers: []Trigger{{ID: TriggerSecurity}}, Options: claimOptions()}
	plain := Decision{ID: "D2", Question: "which port", Options: claimOptions()}
	address := []FinalOption{{Decision: "D2", Option: "address"}}
	s := State{
		Received: Received{Settings: Settings{MaxDecisions: 1}},
		Table: Table{Primary: "claude", Parties: []Party{{ID: "claude", Family: "anthropic"}, {ID: "gpt", Family: "openai"}},
			Seats: []Seat{{Party: "claude", Options: address}, {Party: "gpt", Engagement: Agrees, Options: address}}},
	}
	list := (&reducer{State: &s, step: &Step{}}).grouped([]Decision{{ID: "D0"}, scope, plain})
	if len(list) != 1 {
		t.Fatalf("%d decisions", len(list))
	}
	d := list[0]
	if !d.ScopeCritical || len(d.Triggers) != 1 || !slices.Equal(d.Claims, []string{"F1"}) || !slices.Equal(d.Grouped, []string{"which cipher", "which port"}) {
		t.Errorf("%+v", d)
	}
	if !slices.Equal(d.Unanswered, []string{"which cipher"}) {
		t.Errorf("nobody settles %q", d.Unanswered)
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
	s.Agenda.Framed = []Decision{{ID: "D0"}}
	(&reducer{State: &s, step: &Step{}}).decisions()
	d := s.Agenda.Decisions[0]
	if !slices.Equal(d.Claims, []string{"F1", "F3"}) {
		t.Errorf("it rests on %v", d.Claims)
	}
}
