package prompt

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// A test is read with its content whole, and nothing of it is taken for a read.
func TestLooksTest(t *testing.T) {
	t.Parallel()
	looks, ok := Looks([]byte(`{"look": [{"test": {"path": "a_test.go", "content": "package a\n\n\tx", "claim": "it breaks", "start_line": 3}}]}`))
	want := debate.Look{Kind: debate.LookTest, Path: "a_test.go", Content: "package a\n\n\tx", Claim: "it breaks"}
	if !ok || len(looks) != 1 || looks[0].Path != want.Path || looks[0].Content != want.Content || looks[0].Claim != want.Claim || looks[0].StartLine != 0 || looks[0].Kind != want.Kind {
		t.Errorf("%+v", looks)
	}
}

// What a party is told of a test says how to cite it, or why it shows nothing.
func TestTested(t *testing.T) {
	t.Parallel()
	run := func(outcomes ...debate.TestOutcome) debate.TestRun {
		r := debate.TestRun{Ref: "test:1"}
		for i, o := range outcomes {
			r.Runs = append(r.Runs, debate.SideRun{Side: []debate.Side{debate.Right, debate.Right, debate.Left}[i], Outcome: o, Output: "FAIL\n```"})
		}
		return r
	}
	for says, r := range map[string]debate.TestRun{
		"it runs later, and all see how it ends":                 run(),
		"the change breaks this: cite {\"run_ref\": \"test:1\"}": run(debate.TestFails, debate.TestFails, debate.TestPasses),
		"the new code behaves so":                                run(debate.TestFails, debate.TestFails, debate.TestNotBuilt),
		"it was so before the change":                            run(debate.TestFails, debate.TestFails, debate.TestFails),
		"the code passes":                                        run(debate.TestPasses, debate.TestPasses),
		"two runs on the head differ":                            run(debate.TestPasses, debate.TestFails),
		"it shows nothing":                                       run(debate.TestTimeout),
		"head cannot run any test":                               run(debate.TestBroken),
		"head does not build, or did n":                          run(debate.TestNotBuilt),
	} {
		if text := (&Packet{}).tested(r); !strings.Contains(text, says) || strings.Contains(text, "\n```") {
			t.Errorf("lacks %q:\n%s", says, text)
		}
	}
}
