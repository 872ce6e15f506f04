//go:build act

package action_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// actRef is the commit of the action that the workflow names here.
const actRef = "0123456789abcdef0123456789abcdef01234567"

// actWorld is a repository with the workflow that we ship, the action as a copy of
// what this repository holds, and a GitHub.
type actWorld struct {
	t      *testing.T
	act    string
	dir    string
	server *ghtest.Server
	repo   *ghtest.Repo
	pull   *ghtest.Pull
	token  string
}

func newActWorld(t *testing.T, template string) *actWorld {
	t.Helper()
	w := &actWorld{t: t, act: os.Getenv("ACT"), dir: t.TempDir(), server: ghtest.New(t)}
	if w.act == "" {
		t.Fatal("ACT is not set: .github/act/run.sh sets it")
	}
	w.repo = w.server.Repo("acme/shop")
	w.repo.SetPermission("alice", ghtest.Write)
	w.repo.SetPermission("mona", ghtest.Write)
	first := w.repo.Commit("", map[string]string{"README.md": "# shop\n", "db/1.sql": "CREATE TABLE orders (id INT);\n"})
	w.repo.SetBranch("main", first)
	w.repo.SetBranch("change", w.repo.Change(first, map[string]string{"db/2.sql": "DROP TABLE orders;\n"}))
	w.pull = w.repo.OpenPull("alice", ghtest.NewPull{Title: "\"; touch \"$HOME/pwned\"; # ::add-mask::x", Head: "change"})
	w.token = w.server.JobToken(map[string]string{"contents": "read", "pull-requests": "write", "issues": "write", "checks": "write"})

	workflow := strings.ReplaceAll(read(t, "../cli/templates/"+template), "DEBATE_REF", actRef+" # v1.2.3")
	w.write("shop/.github/workflows/debate.yml", workflow)
	w.write("action/action.yml", read(w.t, "../../action.yml"))
	for _, script := range []string{"prepare.sh", "attested.sh"} {
		w.write("action/.github/action/"+script, read(w.t, "../../.github/action/"+script))
	}
	w.write("home/.config/act/actrc", "-P ubuntu-latest=-self-hosted\n")
	// What stands in for the service of artifacts is a directory.
	w.write("upload/action.yml", strings.ReplaceAll(artifactAction, "SCRIPT", `
        printf '%s\n%s\n' "$NAMED" "$PATHS" >>"$WORLD/uploaded"
        mkdir -p "$WORLD/artifacts/$NAMED"
        while read -r path; do if [ -n "$path" ]; then cp -r "$path" "$WORLD/artifacts/$NAMED/"; fi; done <<<"$PATHS"`))
	w.write("download/action.yml", strings.ReplaceAll(artifactAction, "SCRIPT", `
        mkdir -p "$PATHS"
        cp -r "$WORLD/artifacts/$NAMED"/*/. "$PATHS"`))
	// The cache is that of GitHub's runners, and this is none of them: its steps are left out.
	for _, step := range []string{"restore", "save"} {
		w.write("cache/"+step+"/action.yml", strings.ReplaceAll(artifactAction, "SCRIPT", `
        echo "the cache is used"
        exit 1`))
	}
	w.git("init", "-q", "-b", "main")
	w.git("add", "-A")
	w.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
	return w
}

// artifactAction is an action with the inputs of those for artifacts.
const artifactAction = `name: artifact
description: artifact
inputs:
  name:
    description: name
  path:
    description: path
  if-no-files-found:
    description: what then
  retention-days:
    description: how long
  overwrite:
    description: whether
runs:
  using: composite
  steps:
    - shell: bash
      env:
        NAMED: ${{ inputs.name }}
        PATHS: ${{ inputs.path }}
      run: |SCRIPT
`

func (w *actWorld) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *actWorld) write(name, data string) {
	w.t.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

func (w *actWorld) git(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.path("shop")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.path("home"), "GIT_CONFIG_NOSYSTEM=1"} // no GIT_DIR of whoever tests
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// release makes binary the released file of the action's version, which a curl
// that reaches no network delivers.
func (w *actWorld) release(binary string) {
	w.t.Helper()
	data := archive("debate", read(w.t, binary))
	w.write("released", data)
	w.write("action/.github/action/release.txt", "version v9.9.9\nlinux/amd64 "+digest(data)+"\nlinux/arm64 "+digest(data)+"\n")
	w.write("bin/curl", "#!/bin/sh\nwhile [ \"$1\" != --output ]; do shift; done\ncp \""+w.path("released")+"\" \"$2\"\n")
}

// run lets act handle an event, which has to succeed, and returns its log.
func (w *actWorld) run(event string, payload []byte, more ...string) string {
	w.t.Helper()
	log, err := w.try(event, payload, more...)
	if err != nil {
		w.t.Fatalf("act %s: %v\n%s", event, err, log)
	}
	return log
}

func (w *actWorld) try(event string, payload []byte, more ...string) (log string, err error) {
	w.t.Helper()
	w.write("event.json", string(payload))
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.act, append([]string{
		event, "--no-cache-server", "-P", "ubuntu-latest=-self-hosted", "-e", w.path("event.json"), "-s", "GITHUB_TOKEN=" + w.token,
		"--local-repository", "prdebate/debate@" + actRef + "=" + w.path("action"),
		"--local-repository", "actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a=" + w.path("upload"),
		"--local-repository", "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c=" + w.path("download"),
		"--local-repository", "actions/cache@27d5ce7f107fe9357f9df03efb73ab90386fccae=" + w.path("cache"),
		"--env", "GITHUB_API_URL=" + w.server.URL, "--env", "GITHUB_GRAPHQL_URL=" + w.server.GraphQLURL,
		"--env", "GITHUB_REPOSITORY=acme/shop", "--env", "GITHUB_RUN_ID=4242", "--env", "WORLD=" + w.dir,
	}, more...)...)
	cmd.Dir = w.path("shop")
	cmd.Env = append(os.Environ(), "HOME="+w.path("home"), "XDG_CONFIG_HOME="+w.path("home/.config"), "PATH="+w.path("bin")+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// standIn is a program in the place of the binary that notes how it was called.
const standIn = `#!/bin/bash
set -eu
{
  echo "$# $1 $GITHUB_EVENT_NAME $PWD"
  env | grep -E '^(INPUT_|DEBATE_)' | sort
} >>"$WORLD/called"
echo record >"$RUNNER_TEMP/record.jsonl"
{
  echo "outcome=CONSENSUS"
  echo "record=$RUNNER_TEMP/record.jsonl"
} >>"$GITHUB_OUTPUT"
`

// beside is what is no input of the program: act also sets the inputs under names with a
// dash, and that of another step, which GitHub does not.
var beside = regexp.MustCompile(`^(DEBATE_BINARY=|INPUT_BINARY=|INPUT_[A-Z]+-)`)

// TestActRunsTheAction: the workflow and the action hand on what they should, and
// run for the events that ask for something and for no others.
func TestActRunsTheAction(t *testing.T) {
	w := newActWorld(t, "workflow.yml")
	w.write("standin", standIn)
	w.release(w.path("standin"))
	command := w.pull.Comment("mona", "/debate status")
	words := w.pull.Comment("mona", "I would debate that")
	issue := w.repo.OpenIssue("mona", "a decision", "x", "awaiting_human")
	other := w.repo.OpenIssue("mona", "a bug", "x", "bug")
	talk := issue.Comment("mona", "/debate decide D0 keep since it is planned")
	gossip := other.Comment("mona", "/debate run")
	cases := []struct {
		name, event string
		payload     []byte
		runs        bool
	}{
		{"opened", "pull_request", w.repo.Event("pull_request", "opened", ghtest.Happening{Pull: w.pull}), true},
		{"pushed", "pull_request", w.repo.Event("pull_request", "synchronize", ghtest.Happening{Pull: w.pull}), true},
		{"no-debate", "pull_request", w.repo.Event("pull_request", "labeled", ghtest.Happening{Pull: w.pull, Label: "no-debate"}), true},
		{"another label", "pull_request", w.repo.Event("pull_request", "labeled", ghtest.Happening{Pull: w.pull, Label: "bug"}), false},
		{"edited text", "pull_request", w.repo.Event("pull_request", "edited", ghtest.Happening{Pull: w.pull, BodyBefore: "x"}), false},
		{"edited base", "pull_request", w.repo.Event("pull_request", "edited", ghtest.Happening{Pull: w.pull, BaseBefore: "old"}), true},
		{"command", "issue_comment", w.repo.Event("issue_comment", "created", ghtest.Happening{Comment: command}), true},
		{"words", "issue_comment", w.repo.Event("issue_comment", "created", ghtest.Happening{Comment: words}), false},
		{"command on a decision", "issue_comment", w.repo.Event("issue_comment", "created", ghtest.Happening{Comment: talk}), true},
		{"command on another issue", "issue_comment", w.repo.Event("issue_comment", "created", ghtest.Happening{Comment: gossip}), false},
		{"decision closed", "issues", w.repo.Event("issues", "closed", ghtest.Happening{Issue: issue}), true},
		{"another issue closed", "issues", w.repo.Event("issues", "closed", ghtest.Happening{Issue: other}), false},
		{"label taken off", "issues", w.repo.Event("issues", "unlabeled", ghtest.Happening{Issue: other, Label: "awaiting_human"}), true},
		{"dispatched", "workflow_dispatch", w.repo.Event("workflow_dispatch", "", ghtest.Happening{Inputs: map[string]string{"pull-request": "1"}}), true},
	}
	for _, c := range cases {
		for _, name := range []string{"called", "uploaded"} {
			if err := os.RemoveAll(w.path(name)); err != nil {
				t.Fatal(err)
			}
		}
		log := w.run(c.event, c.payload, "-s", "OPENAI_API_KEY=sk-secret-of-openai", "-s", "DEBATE_STATE_KEY=sk-secret-of-state")
		called, err := os.ReadFile(w.path("called"))
		if ran := err == nil; ran != c.runs {
			t.Errorf("%s: ran %v, want %v\n%s", c.name, ran, c.runs, log)
		}
		if !c.runs {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(called)), "\n")
		if first := strings.Fields(lines[0]); len(first) != 4 || first[0] != "1" || first[1] != "action" || first[2] != c.event || strings.HasPrefix(first[3], w.path("shop")) {
			t.Errorf("%s: called as %q", c.name, lines[0])
		}
		wantPull := ""
		if c.event == "workflow_dispatch" {
			wantPull = "1"
		}
		lines = slices.DeleteFunc(lines[1:], beside.MatchString)
		want := []string{
			"DEBATE_ACTION_REF=" + actRef, "DEBATE_ACTION_REPOSITORY=prdebate/debate",
			"INPUT_ANTHROPIC_API_KEY=", "INPUT_BUNDLE=", "INPUT_CONFIG=.github/debate.yml", "INPUT_FAIL_ON=", "INPUT_GATE=", "INPUT_GEMINI_API_KEY=",
			"INPUT_GITHUB_TOKEN=" + w.token, "INPUT_MODE=", "INPUT_OPENAI_API_KEY=sk-secret-of-openai", "INPUT_OPERATOR_CONFIG=", "INPUT_PULL_REQUEST=" + wantPull,
			"INPUT_SARIF=", "INPUT_SARIF_OUTPUT=", "INPUT_STAGE=", "INPUT_STATE_KEY=sk-secret-of-state", "INPUT_TARGET=", "INPUT_UPLOAD_RECORD=true",
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("%s: inputs differ (-want +got):\n%s", c.name, diff)
		}
		if strings.Contains(log, "sk-secret") {
			t.Errorf("%s: a secret is in the log\n%s", c.name, log)
		}
		if uploaded, err := os.ReadFile(w.path("uploaded")); err != nil || !strings.Contains(string(uploaded), "debate-record-debate-review-") || !strings.Contains(string(uploaded), "/record.jsonl\n") {
			t.Errorf("%s: uploaded %q, %v\n%s", c.name, uploaded, err, log)
		}
	}
	if _, err := os.Stat(w.path("home/pwned")); err == nil {
		t.Error("the title of the pull request was executed")
	}
}

// TestActRefusesAnotherBinary: a byte more, and nothing runs.
func TestActRefusesAnotherBinary(t *testing.T) {
	w := newActWorld(t, "workflow.yml")
	w.write("standin", standIn)
	w.release(w.path("standin"))
	w.write("released", standIn+"\n")
	log, err := w.try("pull_request", w.repo.Event("pull_request", "opened", ghtest.Happening{Pull: w.pull}))
	if err == nil || !strings.Contains(log, "nothing was run") {
		t.Errorf("act: %v\n%s", err, log)
	}
	if _, err := os.Stat(w.path("called")); err == nil {
		t.Error("the binary was run")
	}
}

// TestActDebates: the built binary, started by the workflow, reviews a pull
// request, answers a command, and takes a closed issue for a decision.
func TestActDebates(t *testing.T) {
	w := newActWorld(t, "workflow.yml")
	w.build()

	log := w.run("pull_request", w.repo.Event("pull_request", "opened", ghtest.Happening{Pull: w.pull}))
	if got := w.conclusion(); got != "action_required" {
		t.Errorf("a destructive change comes to %q\n%s", got, log)
	}
	if n := len(w.pull.Inline()); n != 1 || len(w.pull.Comments()) != 1 {
		t.Errorf("%d inline comments and %d others, want one of each\n%s", n, len(w.pull.Comments()), log)
	}
	issues := w.repo.Issues()
	decision := issues[len(issues)-1]
	if !slices.Contains(decision.Labels(), "awaiting_human") {
		t.Fatalf("no decision was asked for\n%s", log)
	}

	command := w.pull.Comment("mona", "/debate status")
	log = w.run("issue_comment", w.repo.Event("issue_comment", "created", ghtest.Happening{Comment: command}))
	if n := len(w.pull.Comments()); n != 3 { // the summary, the command, its answer
		t.Errorf("%d comments after a command\n%s", n, log)
	}

	w.server.Advance(3 * time.Minute) // a question has to stand there for two before closing it answers it
	decision.Close("mona", "completed")
	log = w.run("issues", w.repo.Event("issues", "closed", ghtest.Happening{Issue: decision, Sender: "mona"}))
	if got := w.conclusion(); got == "action_required" || got == "" {
		t.Errorf("after the decision the check is %q\n%s", got, log)
	}
	if decision.Open() || !slices.Contains(decision.Labels(), "human_decided") {
		t.Errorf("the decided issue is open %v, labels %v\n%s", decision.Open(), decision.Labels(), log)
	}
	if len(w.pull.Inline()) != 1 || len(w.repo.Issues()) != len(issues) {
		t.Errorf("something was posted twice\n%s", log)
	}
}

// build makes the binary of this repository the released one.
func (w *actWorld) build() {
	w.t.Helper()
	build := exec.Command("go", "build", "-o", w.path("debate"), "../../cmd/debate")
	if out, err := build.CombinedOutput(); err != nil {
		w.t.Fatalf("go build: %v\n%s", err, out)
	}
	w.release(w.path("debate"))
}

// conclusion is that of the check "debate" on the head of the pull request.
func (w *actWorld) conclusion() string {
	last := ""
	for _, c := range w.repo.CheckRuns(w.pull.Head()) {
		if c.Name == "debate" {
			last = c.Conclusion
		}
	}
	return last
}

// TestActSplit: the workflow of three jobs comes to the same, and the job that
// asks the models speaks with no GitHub.
func TestActSplit(t *testing.T) {
	w := newActWorld(t, "split.yml")
	w.build()
	log := w.run("pull_request_target", w.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: w.pull}), "-s", "DEBATE_STATE_KEY=a-long-word")
	if got := w.conclusion(); got != "action_required" {
		t.Errorf("a destructive change comes to %q\n%s", got, log)
	}
	if n := len(w.pull.Inline()); n != 1 || len(w.pull.Comments()) != 1 {
		t.Errorf("%d inline comments and %d others, want one of each\n%s", n, len(w.pull.Comments()), log)
	}
	for _, name := range []string{"debate-collect-1/collect/bundle.json", "debate-models-1/debate/bundle.json"} {
		if _, err := os.Stat(w.path("artifacts/" + name)); err != nil {
			t.Errorf("nothing was handed on: %v\n%s", err, log)
		}
	}
	if strings.Contains(log, "needs no token of GitHub") {
		t.Errorf("the job that asks the models has a token\n%s", log)
	}
}
