package debate

import (
	"strings"
	"testing"
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
		"may not look": {Ask: "A", Seen: []Seen{seenAt("f")}}, "nobody was asked": {Ask: "C", Seen: []Seen{seenAt("f")}}, "at nothing": {Ask: "B"},
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
