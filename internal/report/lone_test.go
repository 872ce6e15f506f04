package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func TestLoneLinesNameWhatIsTouched(t *testing.T) {
	tests := map[debate.TriggerID]string{
		debate.TriggerArchitecture:      "gpt thinks this touches the architecture: billing.go:8",
		debate.TriggerDeploy:            "gpt thinks this touches the deployment: billing.go:8",
		debate.TriggerSecurity:          "gpt thinks this touches security: billing.go:8",
		debate.TriggerDestructiveSchema: "gpt thinks this destroys stored data: billing.go:8",
		debate.TriggerMoney:             "gpt thinks this touches money: billing.go:8",
		debate.TriggerGovernance:        "gpt thinks this touches the rules of the project: billing.go:8",
		debate.TriggerIrreversible:      "gpt thinks this cannot be undone: billing.go:8",
	}
	for id, want := range tests {
		e := Envelope{Lone: []Lone{{Party: "gpt", Trigger: id, Path: "billing.go", Side: debate.Right, Line: 8}}}
		if diff := cmp.Diff([]string{want}, LoneLines(e)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestLoneLinesOfAQuestionSpeakOfTheQuestion(t *testing.T) {
	e := Envelope{Inquiry: &Inquiry{}, Lone: []Lone{{Party: "gpt", Trigger: debate.TriggerMoney, Path: debate.BodyPath, Side: debate.Right, Line: 1, Reason: "what it costs"}}}
	want := []string{"gpt thinks this touches money: question:1 (what it costs)"}
	if diff := cmp.Diff(want, LoneLines(e)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
