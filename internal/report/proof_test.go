package report

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// provenEnvelope has one finding with a test.
func provenEnvelope(box string) Envelope {
	return Envelope{P1: []Finding{{
		ID: "F1", Severity: debate.P1, Title: "It breaks", Path: "a.go", Line: 3, EndLine: 3, Side: debate.Right, Bucket: debate.Agreed, ReportedBy: []string{"claude"},
		Proof: &Proof{
			Shows: debate.ProvesRegression, Path: "a_test.go", Content: "package a\n// `\n", Command: []string{"go", "test", "./."}, Output: "--- FAIL", Sandbox: box,
		},
	}}}
}

// Every text for people and agents says what the test shows, and has the test.
func TestProofIsTold(t *testing.T) {
	t.Parallel()
	const says = "Proven: this test fails on the pull request and passes before it"
	e := provenEnvelope("bubblewrap")
	data, err := JSON(e)
	if err != nil {
		t.Fatal(err)
	}
	inline := string(Inline(e, "F1", Pull{}))
	for name, text := range map[string]string{"markdown": string(Markdown(e)), "inline": inline} {
		if !strings.Contains(text, says) || !strings.Contains(text, "package a") || !strings.Contains(text, "go test ./.") || strings.Contains(text, "without a sandbox") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if text := string(ForAgent(e)); !strings.Contains(text, "> package a") || !strings.Contains(text, "the test above passes.") {
		t.Errorf("agent:\n%s", text)
	}
	if !strings.Contains(string(data), `"shows": "regression"`) {
		t.Errorf("JSON:\n%s", data)
	}
	if text := string(Markdown(provenEnvelope(debate.NoSandbox))); !strings.Contains(text, says+" (run without a sandbox).") {
		t.Errorf("unsafe:\n%s", text)
	}
}
