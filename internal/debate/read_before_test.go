package debate

import (
	"fmt"
	"testing"
)

// TestCarryable: a file is carried only if the next head loses nothing that was said
// about it.
func TestCarryable(t *testing.T) {
	t.Parallel()
	at := func(path string) []Evidence { return []Evidence{{Cite: Citation{Path: path}}} }
	for _, test := range []struct {
		name   string
		change func(m *Memory)
		want   string
	}{
		{"nothing was found", func(*Memory) {}, "[a.go b.go]"},
		{"the debate came to nothing", func(m *Memory) { m.Ending.Outcome = Unchallenged }, "[]"},
		{"somebody stopped it", func(m *Memory) { m.Asking.Stopped = true }, "[]"},
		{"claims are forgotten", func(m *Memory) { m.Forgotten = 1 }, "[]"},
		{"a finding that what they hold rests on", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Agreed, Severity: P2, Evidence: at("a.go")}}
		}, "[b.go]"},
		{"a small finding goes on", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Agreed, Severity: P3, Evidence: at("a.go")}}
		}, "[a.go b.go]"},
		{"a disputed claim", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Unresolved, Severity: P1, Evidence: append(at("a.go"), at("b.go")...)}}
		}, "[]"},
		{"a disputed claim without a place", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Unresolved, Severity: P2}}
		}, "[]"},
		{"an optional remark that nobody weighed", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Unresolved, Severity: P3, Evidence: at("a.go")}}
		}, "[a.go b.go]"},
		{"a refuted claim", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Dismissed, Severity: P1, Evidence: at("a.go")}}
		}, "[a.go b.go]"},
		{"what a person dismissed", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Dismissed, Reason: ReasonHuman, Severity: P1, Evidence: at("a.go")}}
		}, "[b.go]"},
		{"a finding of the built-in rules", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Owner: EngineParty, Bucket: Unresolved, Severity: P1, Evidence: at("a.go")}}
		}, "[a.go b.go]"},
		{"who is against it names a finding", func(m *Memory) {
			m.Book.Claims = []Claim{{ID: "F1", Bucket: Agreed, Severity: P2, Evidence: at("a.go"), ReportedBy: []string{"gpt"}}}
			m.Table.Seats = []Seat{{Party: "gpt", Option: Revise}}
		}, "[b.go]"},
		{"who is against it names none", func(m *Memory) { m.Table.Seats = []Seat{{Party: "gpt", Option: Revise}} }, "[]"},
		{"the position is against it for no finding", func(m *Memory) {
			m.Talk.Positions = []Position{{By: "claude", Disposition: Keep}, {By: "claude", Disposition: Reject}}
		}, "[]"},
		{"an open objection to the position", func(m *Memory) {
			m.Book.Challenges = []Challenge{{ID: "K1", Claim: PositionSubject, Status: Open}}
		}, "[]"},
		{"a question that nobody answered", func(m *Memory) { m.Agenda.Decisions = []Decision{{ID: "D1", Outcome: Undecided}} }, "[]"},
		{"a decision of policy waits", func(m *Memory) {
			m.Agenda.Decisions = []Decision{{ID: "D0", Outcome: AwaitingHuman}}
			m.Agenda.Triggers = []Trigger{{Source: FromPolicy, Path: "a.go"}}
		}, "[a.go b.go]"},
		{"a party calls it critical", func(m *Memory) { m.Agenda.Triggers = []Trigger{{Source: FromParty, Path: "a.go"}} }, "[b.go]"},
	} {
		m := Memory{Ending: Ending{Outcome: Consensus}, ReadBefore: ReadBefore{Base: "b", Terms: "t", By: []string{"claude", "gpt"}, Files: []FileRead{
			{FileKey{"a.go", "1"}, "h"}, {FileKey{"b.go", "2"}, "h"},
		}}}
		test.change(&m)
		paths := []string{}
		for _, f := range m.Previous().ReadBefore.Files {
			paths = append(paths, f.Path)
		}
		if got := fmt.Sprint(paths); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestHolds: what was read counts for the same bytes, base and terms alone.
func TestHolds(t *testing.T) {
	t.Parallel()
	r := ReadBefore{Base: "b", Terms: "t", By: []string{"claude"}, Files: []FileRead{{FileKey{"a.go", "1"}, "h"}, {FileKey{"b.go", "2"}, "h"}}}
	files := []FileKey{{"a.go", "1"}, {"b.go", "3"}, {"c.go", "1"}}
	if got := fmt.Sprint(r.Unchanged("b", "t", files)); got != "map[a.go:h]" {
		t.Errorf("got %s", got)
	}
	for _, other := range []map[string]string{r.Unchanged("other", "t", files), r.Unchanged("b", "other", files), ReadBefore{}.Unchanged("", "", files)} {
		if len(other) > 0 {
			t.Errorf("got %v", other)
		}
	}
}

// TestTerms: whoever reviews on other terms may answer otherwise.
func TestTerms(t *testing.T) {
	t.Parallel()
	r := Received{Protocol: "4", Mode: Standard}
	panel := []Party{{ID: "claude", Role: Primary, Model: "a"}, {ID: "gpt", Role: Challenger, Model: "b"}, {ID: "skeptic", Role: Judge}}
	same := append([]Party{{ID: "claude-2", Role: Challenger, Debater: "claude"}}, panel[:2]...)
	same[1].Status, same[1].Detail = PartyTimeout, "slow"
	if r.Terms(same) != r.Terms(panel) {
		t.Error("how a party fared changes the terms")
	}
	seen := map[string]string{r.Terms(panel): "as it was"}
	for name, other := range map[string]string{
		"a smaller panel": r.Terms(panel[:1]),
		"another model":   r.Terms([]Party{panel[0], {ID: "gpt", Role: Challenger, Model: "c"}}),
		"protocol":        Received{Protocol: "5", Mode: Standard}.Terms(panel),
		"mode":            Received{Protocol: "4", Mode: Quick}.Terms(panel),
		"target":          Received{Protocol: "4", Mode: Standard, Target: TargetCode}.Terms(panel),
		"settings":        Received{Protocol: "4", Mode: Standard, Settings: Settings{ConfigHash: "x"}}.Terms(panel),
		"advice":          Received{Protocol: "4", Mode: Standard, Advice: []Advice{{"AGENTS.md", "be kind"}}}.Terms(panel),
		"issue":           Received{Protocol: "4", Mode: Standard, Anchor: Anchor{Issue: "#1 Be kind"}}.Terms(panel),
		"guidance":        Received{Protocol: "4", Mode: Standard, Guidance: []string{"be kind"}}.Terms(panel),
		"language":        Received{Protocol: "4", Mode: Standard, Language: "de"}.Terms(panel),
	} {
		if was, known := seen[other]; known {
			t.Errorf("%s: the terms are those of: %s", name, was)
		}
		seen[other] = name
	}
}

// TestReadBeforeGoesOn: a part that was read on an earlier head counts for those who
// read it, the memory says where, and who joined since still owes it.
func TestReadBeforeGoesOn(t *testing.T) {
	t.Parallel()
	run := func(by ...string) State {
		x := newScene("gpt", "gemini")
		x.split.Files = []FileKey{{"a.go", "1"}}
		x.first.Previous = Previous{Head: "h0", Heads: 1, ReadBefore: ReadBefore{By: by}}
		x.split.Coverage[0].Carried = "h0"
		x.say("OPEN/0/claude", proposing())
		x.say("CHALLENGE/1/gpt", agreeing())
		x.say("CHALLENGE/1/gemini", agreeing())
		return x.run(t).end()
	}
	s := run("claude", "gpt", "gemini")
	if c := s.Split.Coverage[0]; !c.Read() || len(s.Memory().Read) == 0 || s.Memory().Read[0].Carried != "h0" {
		t.Errorf("it was read by all: %+v", c)
	}
	if c := run("claude", "gpt").Split.Coverage[0]; c.Read() {
		t.Errorf("gemini joined since: %+v", c)
	}
}
