package debate

import (
	"testing"
)

func TestLone(t *testing.T) {
	at := func(path string, line int, found bool) Evidence {
		return Evidence{CitationOK: found, Changed: found, Cite: Citation{Path: path, Side: Right, StartLine: line, EndLine: line}}
	}
	money := func(party string, evidence ...Evidence) Asserted {
		return Asserted{Party: party, Trigger: TriggerMoney, Evidence: evidence}
	}
	told := func(party, path string, line int) Lone {
		return Lone{Party: party, Trigger: TriggerMoney, At: at(path, line, true).Cite}
	}
	asked := func(t Trigger) []Decision { return []Decision{{ID: "D0", Triggers: []Trigger{t}}} }
	tests := map[string]struct {
		said      []Asserted
		decisions []Decision
		want      []Lone
	}{
		"one party alone":              {said: []Asserted{money("gpt", at("b.go", 8, true))}, want: []Lone{told("gpt", "b.go", 8)}},
		"the first line that is there": {said: []Asserted{money("gpt", at("no.go", 1, false), at("b.go", 8, true))}, want: []Lone{told("gpt", "b.go", 8)}},
		"no line that is there":        {said: []Asserted{money("gpt", at("no.go", 1, false)), money("gemini")}},
		"in order of the places":       {said: []Asserted{money("gpt", at("b.go", 8, true)), money("claude", at("a.go", 9, true))}, want: []Lone{told("claude", "a.go", 9), told("gpt", "b.go", 8)}},
		"said again for a question": {
			said: []Asserted{money("gpt", at("b.go", 8, true)), {Party: "gpt", Trigger: TriggerMoney, Decision: "Which price?", Evidence: []Evidence{at("b.go", 8, true)}}},
			want: []Lone{told("gpt", "b.go", 8)},
		},
		"a decision that the party is behind": {said: []Asserted{money("gpt", at("b.go", 8, true))}, decisions: asked(Trigger{ID: TriggerMoney, Path: "a.go", By: []string{"claude", "gpt"}})},
		"a decision of policy in that file":   {said: []Asserted{money("gpt", at("b.go", 8, true))}, decisions: asked(Trigger{ID: TriggerMoney, Path: "b.go"})},
		"a decision of policy elsewhere":      {said: []Asserted{money("gpt", at("b.go", 8, true))}, decisions: asked(Trigger{ID: TriggerMoney, Path: "a.go"}), want: []Lone{told("gpt", "b.go", 8)}},
		"a decision for another reason":       {said: []Asserted{money("gpt", at("b.go", 8, true))}, decisions: asked(Trigger{ID: TriggerDeploy, Path: "b.go"}), want: []Lone{told("gpt", "b.go", 8)}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Agenda{Assertions: tt.said, Decisions: tt.decisions}.Lone()
			same(t, tt.want, got, "lone triggers")
		})
	}
}
