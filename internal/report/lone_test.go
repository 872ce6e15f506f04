package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func TestLoneTrigger(t *testing.T) {
	tests := map[debate.TriggerID]string{
		debate.TriggerArchitecture:      "gpt: it changes the architecture, billing.go:8",
		debate.TriggerDeploy:            "gpt: it changes how this is deployed, billing.go:8",
		debate.TriggerSecurity:          "gpt: it touches security, billing.go:8",
		debate.TriggerDestructiveSchema: "gpt: it changes stored data, billing.go:8",
		debate.TriggerMoney:             "gpt: it touches money, billing.go:8",
		debate.TriggerGovernance:        "gpt: it changes the rules of this project, billing.go:8",
		debate.TriggerIrreversible:      "gpt: it cannot be undone, billing.go:8",
	}
	for id, want := range tests {
		e := Envelope{Lone: []Lone{{Party: "gpt", Trigger: id, Path: "billing.go", Side: debate.Right, Line: 8}}}
		if diff := cmp.Diff([]string{want}, Noticed(e)[0].Lines); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestLoneTriggerOfAQuestion(t *testing.T) {
	e := Envelope{Inquiry: &Inquiry{}, Lone: []Lone{{Party: "gpt", Trigger: debate.TriggerMoney, Path: debate.BodyPath, Side: debate.Right, Line: 1, Reason: "what it costs"}}}
	want := []string{"gpt: it touches money, question:1 (what it costs)"}
	if diff := cmp.Diff(want, Noticed(e)[0].Lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
