package debate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFraming(t *testing.T) {
	t.Parallel()
	var refused *OrderError
	_, err := Apply(State{}, Entry{N: 1, Event: Received{Protocol: ProtocolVersion, Inquiry: &Inquiry{Framing: "sideways"}}})
	if !errors.As(err, &refused) || !strings.Contains(refused.Why, "sideways") {
		t.Errorf("an unknown framing: %v", err)
	}
	for _, f := range Framings() {
		r := Received{Protocol: ProtocolVersion, Inquiry: &Inquiry{Framing: f}}
		if _, err := Apply(State{}, Entry{N: 1, Event: r}); err != nil {
			t.Errorf("%s: %v", f, err)
		}
		for _, r.Settings.Opening = range []Opening{"", OpenParallel, OpenPosition} {
			for _, r.Mode = range []Mode{Standard, Minimal, Quick} {
				if r.blind() != (f == FramingParallel) {
					t.Errorf("%s, opening %q, mode %s: the openings are blind: %v", f, r.Settings.Opening, r.Mode, r.blind())
				}
			}
		}
	}
}

func TestFramed(t *testing.T) {
	t.Parallel()
	ids := func(list []Option) string {
		var all []string
		for _, o := range list {
			id := o.ID
			if o.StatusQuo {
				id += "*"
			}
			all = append(all, id)
		}
		return strings.Join(all, " ")
	}
	change := Received{}.Framed()
	if len(change) != 1 || change[0].Question != DispositionQuestion || ids(change[0].Options) != "keep revise reject*" {
		t.Errorf("of a change: %+v", change)
	}
	r := Received{Anchor: Anchor{Title: "Why?"}, Inquiry: &Inquiry{Framing: FramingPropose}}
	if d := r.Framed(); len(d) != 1 || d[0].Question != "Does the answer stand: Why?" || ids(d[0].Options) != "keep revise reject*" {
		t.Errorf("of a question: %+v", d)
	}
	var nine []Option
	for _, id := range strings.Fields("a b c d e f g h i") {
		nine = append(nine, Option{ID: id, Label: id})
	}
	for _, tt := range []struct {
		options []Option
		want    string
	}{
		{nine[:2], "a b status_quo*"},
		{[]Option{{ID: "a"}, {ID: "status_quo"}}, "a status_quo*"},
		{[]Option{{ID: "a", StatusQuo: true}, {ID: "b", StatusQuo: true}}, "a* b"},
		{[]Option{{ID: "a"}, {ID: ""}, {ID: "a"}, {ID: "b"}}, "a b status_quo*"},
		{nine, "a b c d e f g h status_quo*"},
	} {
		r.Inquiry.Options = tt.options
		d := r.Framed()
		if diff := cmp.Diff(tt.want, ids(d[1].Options)); diff != "" || d[1].ID != "D1" || !d[1].ScopeCritical || d[1].Question != "Why?" {
			t.Errorf("%+v: %s", d[1], diff)
		}
	}
}

// TestSoft: what may be a value judgment (R135, R145).
func TestSoft(t *testing.T) {
	t.Parallel()
	change := State{}
	abstract := State{Received: Received{Inquiry: &Inquiry{}}, Split: SplitDone{Segments: []Segment{{ID: "S1", Source: FromBody}}}}
	shows := abstract
	shows.Split.Segments = append(shows.Split.Segments[:1:1], Segment{ID: "S2", Source: FromDiff})
	for category, want := range map[Category][3]bool{
		Design: {true, true, true}, Maintainability: {true, true, true}, Docs: {true, true, true},
		Performance: {false, true, false}, Compatibility: {false, true, false},
		Correctness: {}, Security: {}, DataLoss: {}, Reliability: {},
	} {
		var got [3]bool
		for i, s := range []State{change, abstract, shows} {
			got[i] = s.soft(category)
		}
		if got != want {
			t.Errorf("%s: %v, want %v", category, got, want)
		}
	}
	m := &reducer{State: &abstract, step: &Step{}}
	for asserted, want := range map[Severity]ClaimKind{P1: Empirical, P2: Value, P3: Value} {
		if got := m.kindOf(Value, Claim{Category: Performance, Asserted: asserted}); got != want {
			t.Errorf("%s: %s", asserted, got)
		}
	}
}

// TestTrivial: what keeps a question from being one of fact that is settled early
// (R163).
func TestTrivial(t *testing.T) {
	t.Parallel()
	settled := func() State {
		return State{
			Received: Received{Inquiry: &Inquiry{Framing: FramingValidate}},
			Table:    Table{Primary: "a", Seats: []Seat{{Party: "a"}, {Party: "b", Engagement: Agrees, Option: Keep, Substance: true}}},
			Talk:     Talk{Positions: []Position{{Version: 1, By: "a", Disposition: Keep}}, Exchange: 2},

			Book: Book{Claims: []Claim{{ID: "F1", Owner: "a", Kind: Empirical, Severity: P3}}},
		}
	}
	trivial := func(s State) bool { return s.trivial() }
	if !trivial(settled()) {
		t.Error("a settled question of fact is not trivial")
	}
	for name, change := range map[string]func(*State){
		"a change":               func(s *State) { s.Received.Inquiry = nil },
		"options":                func(s *State) { s.Received.Inquiry.Options = []Option{{ID: "a"}, {ID: "b"}} },
		"a decision":             func(s *State) { s.Agenda.Asked = []Question{{Question: "Which?"}} },
		"a danger":               func(s *State) { s.Agenda.Assertions = []Asserted{{Party: "b", Trigger: TriggerMoney}} },
		"a value":                func(s *State) { s.Book.Claims[0].Kind = Value },
		"a third exchange":       func(s *State) { s.Talk.Exchange = 3 },
		"another answer":         func(s *State) { s.Table.Seats[1].Option = Reject },
		"no word":                func(s *State) { s.Table.Seats[1].Option = "" },
		"an empty agreement":     func(s *State) { s.Table.Seats[1].Substance = false },
		"nobody":                 func(s *State) { s.Table.Seats[1].Engagement = Abstains },
		"a lost primary":         func(s *State) { s.Table.PrimaryLost = true },
		"a claim nobody weighed": func(s *State) { s.Book.Claims[0].Owner, s.Book.Claims[0].Severity = "b", P2 },
	} {
		s := settled()
		change(&s)
		if trivial(s) {
			t.Errorf("%s: it is trivial", name)
		}
	}
}

// TestBegs: that a question says so is no evidence (R124).
func TestBegs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		inquiry *Inquiry
		kind    ClaimKind
		path    string
		want    bool
	}{
		{&Inquiry{}, Empirical, BodyPath, true},
		{&Inquiry{}, Empirical, "a.go", false},
		{&Inquiry{}, Proposal, BodyPath, false},
		{nil, Empirical, BodyPath, false},
	} {
		s := State{Received: Received{Inquiry: tt.inquiry}, Book: Book{
			Claims: []Claim{{
				ID: "F1", Owner: "a", Kind: tt.kind,
				Evidence:    []Evidence{{ID: "E1", Type: Textual, CitationOK: true, Cite: Citation{Path: tt.path, StartLine: 1, EndLine: 1}}},
				Evaluations: []Evaluation{{Party: "b", Class: ClassAgree, View: Supports, Reasoned: true}},
			}},
		}}
		(&reducer{State: &s, step: &Step{}}).verify(&s.Book.Claims[0])
		if s.Book.Claims[0].Verified() == tt.want {
			t.Errorf("%+v: verified is %v", tt, s.Book.Claims[0].Verified())
		}
	}
}

// TestByChoice: what the choice between the options of a question says about its answer.
func TestByChoice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		held, own, chosen string
		want              Disposition
		follows           bool
	}{
		"the answer's own option, and it was left open":   {"", "A", "A", Keep, true},
		"another option, and it was left open":            {"", "A", "B", Revise, true},
		"another option than that of a settled answer":    {"keep", "A", "B", Revise, true},
		"the answer's own option, and it was settled":     {"keep", "A", "A", Keep, false},
		"reservations that all have":                      {"revise", "A", "B", "", false},
		"an open choice, and the answer was left open":    {"", "A", "", "", true},
		"an open choice, and the answer was settled":      {"keep", "A", "", "", false},
		"an answer without an option, and it was settled": {"keep", "", "B", "", false},
		"an answer without an option, and it was open":    {"", "", "B", Revise, true},
	} {
		s := State{
			Received: Received{Inquiry: &Inquiry{Options: []Option{{ID: "A"}, {ID: "B"}}}},
			Table:    Table{Primary: "a", Seats: []Seat{{Party: "a", Options: []FinalOption{{Decision: "D1", Option: tt.own}}}}},
		}
		s.Agenda.Decisions = []Decision{
			{ID: "D0", Held: tt.held, Settled: tt.held != ""},
			{ID: "D1", Options: s.Received.Inquiry.Options, Outcome: Adopted, Recommendation: tt.chosen},
		}
		if option, follows := s.byChoice(s.Agenda.d0()); option != tt.want || follows != tt.follows {
			t.Errorf("%s: %q, %v", name, option, follows)
		}
		s.Received.Inquiry.Options = nil
		if _, follows := s.byChoice(s.Agenda.d0()); follows {
			t.Errorf("%s: a question without options has no choice", name)
		}
	}
}
