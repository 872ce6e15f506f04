package debate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asking is a state in which two parties are asked.
func asking(kind CallKind, looks int) State {
	var s State
	s.Received.Settings.Looks = looks
	s.Asking.Wave = &Wave{Kind: kind, Asks: []Ask{{ID: "A", Kind: kind, Party: "a"}, {ID: "B", Kind: kind, Party: "b"}}, Replies: make([]Replied, 2)}
	return s
}

func seenAt(path string) Seen {
	return Seen{Look: Look{Kind: LookRead, Path: path}, Runs: []ShownRun{{Path: path, First: 1, Lines: []string{"x"}}}}
}

// A call may look as often as the settings say, in four turns at most, until it is told
// that it has to answer. Who judges, arbitrates or repeats a reply does not look.
func TestMayLook(t *testing.T) {
	t.Parallel()
	for kind, want := range map[CallKind]int{
		CallOpen: 5, CallLocal: 5, CallChallenge: 5, CallRespond: 5, CallRebut: 5,
		CallArbiter: 0, CallJudge1: 0, CallJudge2: 0, CallScore: 0,
	} {
		if got := asking(kind, 5).MayLook(Ask{ID: "A", Kind: kind}); got != want {
			t.Errorf("%s: %d, want %d", kind, got, want)
		}
	}
	if got := asking(CallOpen, 5).MayLook(Ask{ID: "A/format", Kind: CallOpen, Format: "x"}); got != 0 {
		t.Errorf("a repeated ask: %d", got)
	}
	if got := asking(CallOpen, 900).MayLook(Ask{ID: "A", Kind: CallOpen}); got != MostLooks {
		t.Errorf("no setting goes beyond the bound: %d", got)
	}
	s := asking(CallOpen, 12)
	m := (&reducer{State: &s, step: &Step{}})
	a := s.Asking.Wave.Asks[0]
	for turn, left := range []int{10, 8, 6, 0} {
		if why := m.looked(Looked{Ask: "A", Seen: []Seen{seenAt("f"), seenAt("g")}}); why != "" || s.MayLook(a) != left {
			t.Errorf("after turn %d: %d left, want %d (%s)", turn+1, s.MayLook(a), left, why)
		}
	}
	if s.MayLook(s.Asking.Wave.Asks[1]) != 12 {
		t.Error("what one party looks at counts for the other")
	}
	last := asking(CallOpen, 12)
	m = &reducer{State: &last, step: &Step{}}
	if why := m.looked(Looked{Ask: "A", Last: true, Seen: []Seen{seenAt("f")}}); why != "" || last.MayLook(a) != 0 {
		t.Errorf("after the last turn: %d (%s)", last.MayLook(a), why)
	}
	for says, ev := range map[string]Looked{
		"may not look": {Ask: "A", Seen: []Seen{seenAt("f")}}, "no party was asked": {Ask: "C", Seen: []Seen{seenAt("f")}}, "at nothing": {Ask: "B"},
	} {
		if why := m.looked(ev); !strings.Contains(why, says) {
			t.Errorf("%q is refused with %q", says, why)
		}
	}
}

// What others look at in the same wave is not known yet, whichever comes first; once the
// wave is over, everybody may cite it. Its cost is that of the call.
func TestSeenBy(t *testing.T) {
	t.Parallel()
	s := asking(CallOpen, 12)
	s.Asking.Looks = []Looked{{Ask: "earlier", Seen: []Seen{seenAt("old")}}}
	m := (&reducer{State: &s, step: &Step{}})
	for _, ev := range []Looked{
		{Ask: "B", Seen: []Seen{seenAt("b")}, Usage: Usage{TokensIn: 7, CostMicro: 3, CostUnknown: true}, Started: 5},
		{Ask: "A", Seen: []Seen{seenAt("a")}, Started: 6},
		{Ask: "B", Seen: []Seen{seenAt("c")}, Usage: Usage{TokensIn: 1}, Started: 8},
	} {
		if why := m.looked(ev); why != "" {
			t.Fatal(why)
		}
	}
	paths := func(ask Ask) (list []string) {
		for _, seen := range s.SeenBy(ask) {
			list = append(list, seen.Path)
		}
		return list
	}
	same(t, []string{"old", "b", "c"}, paths(s.Asking.Wave.Asks[1]))
	same(t, []string{"old", "a"}, paths(Ask{ID: "A" + formatRetry, Format: "unreadable"}))
	wave := s.Asking.Wave
	wave.Replies = []Replied{{Ask: "A", Status: CallOK, Started: 9, Ended: 10}, {Ask: "B", Status: CallOK, Started: 9, Ended: 11, Usage: Usage{TokensIn: 2}}}
	s.Asking.Wave = nil
	m.bookCalls(wave)
	same(t, []string{"old", "a", "b", "c"}, paths(Ask{ID: "later"}))
	if b := s.Asking.Calls[1]; len(s.Asking.Calls) != 2 || b.Looks != 2 || b.Started != 5 || b.Usage != (Usage{TokensIn: 10, CostMicro: 3, CostUnknown: true}) {
		t.Errorf("the calls: %+v", s.Asking.Calls)
	}
}

// TestRefusedInAWave: a look, a test or a text that nothing asks for is refused, and the wave
// goes on as before.
func TestRefusedInAWave(t *testing.T) {
	t.Parallel()
	text := Shown{Texts: []ShownText{{Hash: "h", Text: "x"}}}
	waits := func(s *State) { // for the test of a
		run := ranAt("a_test.go")
		run.Seen[0].Test.Sandbox, run.Seen[0].Test.Runs = ByWorkflow, nil
		s.Asking.Wave.Looks = []Looked{run, {Ask: "B", Seen: []Seen{seenAt("f")}}}
		s.Asking.Wave.Replies = []Replied{{Ask: "A"}, {Ask: "B"}}
	}
	pending, ran := ranAt("a_test.go"), ranAt("a_test.go")
	pending.Seen[0].Test.Sandbox, pending.Seen[0].Test.Runs = ByWorkflow, nil
	odd := Looked{Ask: "A", Seen: []Seen{{Test: &TestRun{Ref: "check:1", Runs: []SideRun{{Side: Right, Outcome: TestFails}}}}}}
	later := func(s *State) { s.Received.Settings.Tests = Tests{Runs: 2, Later: true} }
	for name, row := range map[string]struct {
		change func(*State)
		event  Event
		want   string
	}{
		"a look without a wave":             {func(s *State) { s.Asking.Wave = nil }, ran, "nothing is being asked"},
		"a look after the answer":           {func(s *State) { s.Asking.Wave.Replies[0].Ask = "A" }, ran, "is answered"},
		"a look at no test":                 {later, odd, "no run of a test"},
		"a test in the wrong place":         {later, ran, "does not run where the settings say"},
		"a test after the later job":        {func(s *State) { later(s); s.Asking.Tested = true }, pending, "no job runs more tests"},
		"a result of no test":               {func(*State) {}, Tested{}, "no test is waited for"},
		"a result of another test":          {waits, Tested{Results: []TestResult{{Ref: "test:x"}}}, "not the tests that are waited for"},
		"a result in words that none has":   {waits, Tested{Results: []TestResult{{Ref: TestRef("a_test.go", ""), Outcomes: []TestOutcome{"well"}}}}, "not the tests that are waited for"},
		"a text without a wave":             {func(s *State) { s.Asking.Wave = nil }, text, "no party is asked"},
		"no text":                           {func(*State) {}, Shown{}, "no texts"},
		"more texts than a record may have": {func(s *State) { s.Asking.Shown = make([]string, maxShown) }, text, "too many"},
		"a text that the record has":        {func(s *State) { s.Asking.Shown = []string{"h"} }, text, "holds this text"},
	} {
		s := asking(CallOpen, 12)
		row.change(&s)
		before := s.clone()
		m := &reducer{State: &s, step: &Step{}}
		if why := rules[KindOf(row.event)].does(m, row.event); !strings.Contains(why, row.want) {
			t.Errorf("%s: refused with %q, want %q", name, why, row.want)
		}
		if diff := cmp.Diff(before, s); diff != "" {
			t.Errorf("%s: it left a trace:\n%s", name, diff)
		}
	}
}
