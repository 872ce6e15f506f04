package action_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/actiontest"
)

// keys are the inputs that hold keys of models.
var keys = []string{"openai-api-key", "anthropic-api-key", "gemini-api-key"}

func TestInputs(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		env  map[string]string
		want action.Inputs
	}{
		{"nothing said", nil, action.Inputs{Keys: map[string]string{}, Config: debate.SettingsFile}},
		{"everything said", map[string]string{
			"INPUT_GITHUB_TOKEN": "ghs_x", "INPUT_OPENAI_API_KEY": "sk-o", "INPUT_OTHER_API_KEY": "sk-a", "INPUT_GEMINI_API_KEY": " g \n",
			"INPUT_STATE_KEY": "s", "INPUT_MODE": "quick", "INPUT_TARGET": "mixed", "INPUT_FAIL_ON": "P2", "INPUT_GATE": "required",
			"INPUT_PULL_REQUEST": "12", "INPUT_UPLOAD_RECORD": "False", "INPUT_CONFIG": "conf/debate.yml", "INPUT_SARIF": "out/lint.sarif",
			"INPUT_SARIF_OUTPUT":    "out//debate.sarif",
			"INPUT_OPERATOR_CONFIG": "parties:\n  - id: gpt\n", "INPUT_STAGE": "publish", "INPUT_BUNDLE": "/tmp/b",
			"GITHUB_WORKSPACE": "/srv",
		}, action.Inputs{
			Token: "ghs_x", Keys: map[string]string{"openai-api-key": "sk-o", "gemini-api-key": "g"}, StateKey: "s", Mode: debate.Quick, Target: debate.TargetMixed,
			FailOn: debate.FailP2, Gate: debate.Required, PullRequest: 12, Config: "conf/debate.yml", SARIF: "/srv/out/lint.sarif", SARIFOutput: "out/debate.sarif",
			OperatorConfig: "parties:\n  - id: gpt", Stage: action.Publish, Bundle: "/tmp/b",
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, _ := runner(c.env)
			got, err := r.Inputs(keys...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("inputs differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestInputsRefused: the message names the input and what it may be.
func TestInputsRefused(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, value, want string }{
		{"mode", "Quick", `input "mode": "Quick" is none of standard, minimal, quick`},
		{"target", "all", `input "target": "all" is none of auto, code, proposal, mixed`},
		{"fail-on", "p1", `input "fail-on": "p1" is none of P1, P2, P3, none`},
		{"gate", "on", `input "gate": "on" is none of advisory, required`},
		{"stage", "all", `input "stage": "all" is none of collect, debate, test, publish`},
		{"stage", "collect", `input "bundle": a stage needs the directory`},
		{"upload-record", "yes", `input "upload-record": "yes" is neither true nor false`},
		{"pull-request", "#3", `input "pull-request": "#3" is no number`},
		{"pull-request", "0", `is no number`},
		{"pull-request", "+3", `is no number`},
		{"pull-request", "3000000000", `is no number`},
		{"config", "../debate.yml", `input "config": "../debate.yml" is no path in the repository`},
		{"config", "/etc/passwd", `is no path in the repository`},
		{"config", "a//b", `is no path in the repository`},
		{"config", `C:\debate.yml`, `is no path in the repository`},
		{"config", strings.Repeat("a", 2000), `input "config": it is longer than 1024 bytes`},
		{"sarif", "a\x00b", `input "sarif": it holds a zero byte`},
		{"sarif-output", "debate.sarif", `input "sarif-output": GITHUB_WORKSPACE names no directory`},
		{"operator-config", strings.Repeat("a", 1<<17), `input "operator-config": it is longer`},
		{"openai-api-key", "sk-hush sk-two", `input "openai-api-key": a secret is one word`},
		{"github-token", strings.Repeat("hush", 4<<10), `input "github-token": a secret is one word`},
	}
	for _, c := range cases {
		t.Run(c.name+"="+c.value[:min(9, len(c.value))], func(t *testing.T) {
			t.Parallel()
			r, _ := runner(map[string]string{"INPUT_" + strings.ToUpper(strings.ReplaceAll(c.name, "-", "_")): c.value})
			_, err := r.Inputs(keys...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Inputs: %v; want %s", err, c.want)
			}
			if strings.Contains(err.Error(), "hush") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
}

func TestInputsNamesAllThatIsWrong(t *testing.T) {
	t.Parallel()
	r, _ := runner(map[string]string{"INPUT_MODE": "x", "INPUT_GATE": "y", "INPUT_UPLOAD_RECORD": "z"})
	_, err := r.Inputs(keys...)
	for _, name := range []string{"mode", "gate", "upload-record"} {
		if err == nil || !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("Inputs: %v; want it to name %s", err, name)
		}
	}
}

// TestSecretsAreMaskedFirst: each secret is masked, and before anything else is
// said, also one that is refused.
func TestSecretsAreMaskedFirst(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"INPUT_GITHUB_TOKEN": "one%0A::debug::x", "INPUT_OPENAI_API_KEY": "two", "INPUT_ANTHROPIC_API_KEY": "thr\nee",
		"INPUT_GEMINI_API_KEY": "four", "INPUT_STATE_KEY": "five", "INPUT_MODE": "bad",
	}
	r, log := runner(env)
	if _, err := r.Inputs(keys...); err == nil {
		t.Error("a bad mode and a key of two lines passed")
	}
	var want []actiontest.Command
	for _, secret := range []string{"one%0A::debug::x", "two", "thr\nee", "four", "five"} {
		want = append(want, actiontest.Command{Name: "add-mask", Data: secret})
	}
	if diff := cmp.Diff(want, actiontest.Commands(log.String())); diff != "" {
		t.Errorf("commands differ (-want +got):\n%s", diff)
	}
}
