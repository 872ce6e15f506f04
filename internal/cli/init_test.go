package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/rhysd/actionlint"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// github answers requests to GitHub in the place of it.
type github func(*http.Request) (*http.Response, error)

func (g github) RoundTrip(r *http.Request) (*http.Response, error) { return g(r) }

// TestReference: the action is named by the commit that the program was built from. GitHub is
// asked for the commit of a release if the build does not say it. Else init says what to do by hand.
func TestReference(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	var asked []string
	answers := github(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.String()+r.Header.Get("Authorization"))
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"sha":"` + commit + `"}`)), Request: r}, nil
	})
	fails := github(func(*http.Request) (*http.Response, error) { return nil, errors.New("no way out") })
	const between = "v0.0.0-20260102030405-0123456789ab"
	for _, c := range []struct {
		version, commit string
		way             http.RoundTripper
		want            string
		known           bool
		advice          string // part of it
		asks            string
	}{
		{"v1.2.3", commit, fails, commit + " # v1.2.3", true, "", ""},
		{"v1.2.3", "", answers, commit + " # v1.2.3", true, "", "tags/v1.2.3"},
		{"v1.2.3", "", fails, "main # replace main by the full commit that you have read", false, "git ls-remote https://github.com/prdebate/debate", ""},
		{between, commit, fails, commit + " # no release", false, "https://github.com/prdebate/debate/tree/" + commit, ""},
		{"v1.2.3+dirty", commit, fails, commit + " # no release", false, "/tree/" + commit, ""},
		{"development version", "", answers, "main # replace main by the full commit that you have read", false, "does not know the commit", ""},
	} {
		asked = nil
		wait := func(context.Context, time.Duration) error { return nil }
		r := &run{ctx: t.Context(), Env: Env{GitHub: c.way, Now: time.Now, Wait: wait}}
		got, known, advice := r.reference(c.version, c.commit)
		if got != c.want || known != c.known || !strings.Contains(advice, c.advice) || c.advice == "" && advice != "" {
			t.Errorf("%s at %q: %q, %t, %q", c.version, c.commit, got, known, advice)
		}
		var want []string
		if c.asks != "" {
			want = []string{"https://api.github.com/repos/prdebate/debate/commits/" + c.asks + "?per_page=1"}
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Errorf("%s: asked (-want +got):\n%s", c.version, diff)
		}
	}
}

// TestSourceCommit: a program that "go run" builds in a clone knows the commit of the clone.
func TestSourceCommit(t *testing.T) {
	t.Parallel()
	if _, file, _, _ := runtime.Caller(0); !filepath.IsAbs(file) {
		t.Skip("built with -trimpath: no path leads to the clone")
	}
	out, err := exec.Command("git", "rev-parse", "HEAD").Output()
	r := &run{ctx: t.Context()}
	if got, want := r.sourceCommit(), strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
}

// TestOwnFilesAskNobody: policy knows what init of a release wrote, for the commit of that
// release alone.
func TestOwnFilesAskNobody(t *testing.T) {
	t.Parallel()
	const commit, another = "0123456789abcdef0123456789abcdef01234567", "fedcba9876543210fedcba9876543210fedcba98"
	for _, c := range []struct {
		name, version, commit, workflow string
		asks                            bool
	}{
		{"one job", "v1.2.3", commit, workflowAt(plainWorkflow, commit+" # v1.2.3"), false},
		{"three jobs", "v1.2.3", commit, workflowAt(splitWorkflow, commit+" # v1.2.3"), false},
		{"three jobs and tests", "v1.2.3", commit, workflowAt(testsWorkflow, commit+" # v1.2.3"), true},
		{"a commit of a fork", "v1.2.3", commit, workflowAt(plainWorkflow, another+" # v1.2.3"), true},
		{"one of three jobs from a fork", "v1.2.3", commit, strings.Replace(workflowAt(splitWorkflow, commit+" # v1.2.3"), commit, another, 1), true},
		{"a tag", "v1.2.3", commit, workflowAt(plainWorkflow, "v1.2.3 # replace the tag by its full commit"), true},
		{"a release whose commit is not known", "v1.2.3", "", workflowAt(plainWorkflow, commit+" # v1.2.3"), true},
		{"no release", "development version", commit, workflowAt(plainWorkflow, actionRef("development version", commit)), true},
		{"between two releases", "v0.0.0-20260102030405-0123456789ab", commit, workflowAt(plainWorkflow, actionRef("v0.0.0-20260102030405-0123456789ab", commit)), true},
	} {
		rules, err := policy.Compile(nil)
		if err != nil {
			t.Fatal(err)
		}
		expectOwn(rules, c.version, c.commit)
		change := patchtest.Change(patchtest.Move("", ownWorkflow, "", c.workflow), patchtest.Move("", debate.SettingsFile, "", string(config.Sample())))
		asks := slices.ContainsFunc(rules.Triggers(change, nil), debate.Trigger.Critical)
		if asks != c.asks {
			t.Errorf("%s: asks is %v", c.name, asks)
		}
	}
}

// shipped are the workflows that people get from us, as they get them.
func shipped() map[string]string {
	ref := actionRef("v1.2.3", "0123456789abcdef0123456789abcdef01234567")
	return map[string]string{
		"workflow.yml": strings.ReplaceAll(plainWorkflow, "DEBATE_REF", ref),
		"split.yml":    strings.ReplaceAll(splitWorkflow, "DEBATE_REF", ref),
		"tests.yml":    strings.ReplaceAll(testsWorkflow, "DEBATE_REF", ref),
	}
}

// TestWorkflowsLint: actionlint has nothing to say about the shipped workflows,
// about those of this repository, or about how they call the action here.
func TestWorkflowsLint(t *testing.T) {
	t.Parallel()
	root := t.TempDir() // a project with our action, so that its inputs and outputs are checked too
	for _, dir := range []string{".git", ".github/workflows"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	metadata := readFile(t, "../../action.yml")
	writeFile(t, filepath.Join(root, "action.yml"), metadata, 0o600)
	contents := shipped()
	own, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(own) == 0 {
		t.Fatalf("no workflows of this repository: %v", err)
	}
	for _, path := range own {
		data := readFile(t, path)
		contents["own-"+filepath.Base(path)] = string(data)
	}
	for name, content := range contents {
		local := regexp.MustCompile(`uses: prdebate/debate@.*`).ReplaceAllString(content, "uses: ./")
		for _, text := range []string{content, local} {
			path := filepath.Join(root, ".github", "workflows", name)
			writeFile(t, path, []byte(text), 0o600)
			var said bytes.Buffer
			linter, err := actionlint.NewLinter(&said, &actionlint.LinterOptions{WorkingDir: root, LogWriter: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			if problems, err := linter.LintFile(path, nil); err != nil || len(problems) > 0 {
				t.Errorf("%s: %v\n%s", name, err, said.String())
			}
		}
	}
}

// TestOwnWorkflow: this repository reviews its pull requests with the workflow that others
// get, but for where the action comes from: the branch main.
func TestOwnWorkflow(t *testing.T) {
	t.Parallel()
	own := readFile(t, "../../.github/workflows/debate.yml")
	body := func(text string) string { return text[strings.Index(text, "name: debate\n"):] }
	before, after, found := strings.Cut(body(plainWorkflow), "      - uses: prdebate/debate@DEBATE_REF\n")
	if text := body(string(own)); !found || !strings.HasPrefix(text, before) || !strings.HasSuffix(text, "      - uses: ./\n"+after) {
		t.Error("the workflow of this repository differs from the template; copy what changed")
	}
	if !strings.Contains(string(own), "          ref: main\n") {
		t.Error("the action of this repository's workflow is not that of the branch main")
	}
}

// TestWorkflowsAreSafe holds what we ship, and what this repository runs, to rules
// that actionlint does not have.
func TestWorkflowsAreSafe(t *testing.T) {
	t.Parallel()
	contents := shipped()
	for _, pattern := range []string{"../../.github/workflows/*.yml", "../../action.yml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			data := readFile(t, path)
			contents[path] = string(data)
		}
	}
	for name, content := range contents {
		for _, problem := range unsafe(content) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

var (
	usesLine    = regexp.MustCompile(`^\s*(?:- )?uses:\s*(\S+)(.*)$`)
	pinned      = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	hasVersion  = regexp.MustCompile(`^ # v[0-9]`)
	runLine     = regexp.MustCompile(`^(\s*)(?:- )?run:`)
	expression  = regexp.MustCompile(`\$\{\{`)
	topReads    = regexp.MustCompile(`(?m)^permissions:( \{\}|\n  contents: read)\n`)
	cachesWork  = regexp.MustCompile(`(?i)actions/cache|^\s*cache:\s*(true|["']?npm|["']?pip)`)
	readsChange = regexp.MustCompile(`(?i)actions/checkout`)
	// keptByDigest keeps the archive of the program between jobs: what comes back runs
	// only if it has the digest that release.txt says.
	keptByDigest = regexp.MustCompile(`(?m)^.*uses: actions/cache/(restore|save)@.*\n\s*with:\n\s*path: \$\{\{ steps\.(cache\.outputs\.dir|prepare\.outputs\.keep) \}\}\n`)
	persists     = regexp.MustCompile(`persist-credentials: false`)
)

// unsafe lists what is wrong with the text of a workflow or an action.
func unsafe(content string) []string {
	var problems []string
	workflow := strings.Contains(content, "\njobs:\n")
	if workflow && !topReads.MatchString(content) {
		problems = append(problems, "its jobs do not start without permissions")
	}
	if strings.Contains(content, "write-all") || strings.Contains(content, "read-all") {
		problems = append(problems, "all permissions at once")
	}
	if strings.Contains(content, "pull_request_target") && readsChange.MatchString(content) {
		problems = append(problems, "pull_request_target beside a checkout")
	}
	if strings.Count(content, "actions/checkout@") != len(persists.FindAllString(content, -1)) {
		problems = append(problems, "a checkout keeps its token")
	}
	if strings.Count(content, "actions/setup-go@") != strings.Count(content, "cache: false") {
		problems = append(problems, "a set-up that uses a cache")
	}
	if workflow && strings.Count(content, "runs-on:") != strings.Count(content, "timeout-minutes:") {
		problems = append(problems, "a job without a limit of time")
	}
	for line := range strings.SplitSeq(keptByDigest.ReplaceAllString(content, ""), "\n") {
		if cachesWork.MatchString(line) {
			problems = append(problems, "a cache: "+strings.TrimSpace(line))
		}
	}
	inRun, indent := false, 0
	for _, line := range strings.Split(content, "\n") {
		if m := usesLine.FindStringSubmatch(line); m != nil && m[1] != "./" && (!pinned.MatchString(m[1]) || !hasVersion.MatchString(m[2])) {
			problems = append(problems, "not pinned to a commit with its version: "+strings.TrimSpace(line))
		}
		own := len(line) - len(strings.TrimLeft(line, " -"))
		if m := runLine.FindStringSubmatch(line); m != nil {
			inRun, indent = true, own
		} else if inRun && strings.TrimSpace(line) != "" && own <= indent {
			inRun = false
		}
		if inRun && expression.MatchString(line) {
			problems = append(problems, "an expression in a script: "+strings.TrimSpace(line))
		}
	}
	return problems
}

// TestUnsafe keeps the rules themselves alive.
func TestUnsafe(t *testing.T) {
	t.Parallel()
	const head = "on: pull_request\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    timeout-minutes: 1\n    steps:\n"
	keep := func(path string) string {
		return "      - uses: actions/cache/restore@0123456789abcdef0123456789abcdef01234567 # v5\n        with:\n          path: " + path + "\n"
	}
	cases := []struct {
		name, content string
		want          []string
	}{
		{"nothing wrong", head + "      - uses: a/b@0123456789abcdef0123456789abcdef01234567 # v1\n      - run: |\n          make\n        env:\n          A: ${{ github.sha }}\n", nil},
		{"the action beside it", head + "      - uses: ./\n", nil},
		{"a tag", head + "      - uses: a/b@v1\n", []string{"not pinned to a commit with its version: - uses: a/b@v1"}},
		{"a commit without its version", head + "      - uses: a/b@0123456789abcdef0123456789abcdef01234567\n", []string{"not pinned to a commit with its version: - uses: a/b@0123456789abcdef0123456789abcdef01234567"}},
		{"an expression in one line", head + "      - run: echo ${{ github.event.pull_request.title }}\n", []string{"an expression in a script: - run: echo ${{ github.event.pull_request.title }}"}},
		{"an expression in a block", head + "      - run: |\n          a\n\n          echo ${{ github.head_ref }}\n", []string{"an expression in a script: echo ${{ github.head_ref }}"}},
		{"a cache by default", head + "      - uses: actions/setup-go@0123456789abcdef0123456789abcdef01234567 # v5\n", []string{"a set-up that uses a cache"}},
		{"a cache", head + "      - with:\n          cache: true\n", []string{"a cache: cache: true"}},
		{"a cache of builds", head + keep("~/.cache/go-build"), []string{"a cache: - uses: actions/cache/restore@0123456789abcdef0123456789abcdef01234567 # v5"}},
		{"the archive, which has its digest again", head + keep("${{ steps.cache.outputs.dir }}"), nil},
		{"all rights", strings.Replace(head, "permissions: {}", "permissions: write-all", 1), []string{"its jobs do not start without permissions", "all permissions at once"}},
		{"no limit", strings.Replace(head, "    timeout-minutes: 1\n", "", 1), []string{"a job without a limit of time"}},
		{
			"a checkout of the change", strings.Replace(head, "on: pull_request", "on: pull_request_target", 1) + "      - uses: actions/checkout@0123456789abcdef0123456789abcdef01234567 # v4\n",
			[]string{"pull_request_target beside a checkout", "a checkout keeps its token"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, unsafe(c.content)); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestActionPassesEveryInput: an input that action.yml does not hand on would be
// silently without effect, since a composite action sets no variables itself.
func TestActionPassesEveryInput(t *testing.T) {
	t.Parallel()
	data := readFile(t, "../../action.yml")
	content := string(data)
	inputs := section(t, content, "inputs")
	for _, name := range inputs {
		line := "INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + ": ${{ inputs." + name + " }}\n"
		if !strings.Contains(content, line) {
			t.Errorf("input %s is not handed on by %q", name, strings.TrimSpace(line))
		}
	}
	wantInputs := []string{
		"github-token", "openai-api-key", "anthropic-api-key", "gemini-api-key", "config", "mode", "target", "fail-on", "gate",
		"sarif", "sarif-output", "pull-request", "state-key", "operator-config", "binary", "upload-record", "stage", "bundle",
	}
	if diff := cmp.Diff(wantInputs, inputs); diff != "" {
		t.Errorf("inputs differ (-want +got):\n%s", diff)
	}
	wantOutputs := []string{
		"outcome", "disposition", "confidence", "p1", "p2", "p3", "decisions", "awaiting-human", "record", "report", "sarif", "head", "comment-url", "next",
	}
	if diff := cmp.Diff(wantOutputs, section(t, content, "outputs")); diff != "" {
		t.Errorf("outputs differ (-want +got):\n%s", diff)
	}
}

// section lists the keys of a top-level mapping of action.yml in their order.
func section(t *testing.T, content, name string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(content, "\n"+name+":\n")
	if !ok {
		t.Fatalf("action.yml has no %s", name)
	}
	var keys []string
	for _, line := range strings.Split(rest, "\n") {
		if line != "" && line[0] != ' ' {
			break
		}
		if m := regexp.MustCompile(`^  ([a-z0-9-]+):`).FindStringSubmatch(line); m != nil {
			keys = append(keys, m[1])
		}
	}
	return slices.Clip(keys)
}

// TestTestsWorkflowIsApart: the job that runs tests of models has neither a secret nor a
// right, and every job takes artifacts by their ids, which no other job can give.
func TestTestsWorkflowIsApart(t *testing.T) {
	t.Parallel()
	var w struct {
		Jobs map[string]struct {
			Permissions map[string]string
			Steps       []struct {
				Uses string
				With map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(testsWorkflow), &w); err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(testsWorkflow, "  debate-tests:\n")
	job, _, _ := strings.Cut(after, "  debate-weigh:\n")
	if p := w.Jobs["debate-tests"].Permissions; p == nil || len(p) > 0 || len(w.Jobs["debate-tests"].Steps) == 0 || strings.Contains(job, "secrets.") || strings.Contains(job, "actions/checkout") {
		t.Errorf("the job has rights or secrets: %v", p)
	}
	for name, j := range w.Jobs {
		for _, step := range j.Steps {
			if strings.HasPrefix(step.Uses, "actions/download-artifact@") && (step.With["artifact-ids"] == "" || step.With["name"] != "") {
				t.Errorf("%s takes an artifact by its name: %v", name, step.With)
			}
		}
	}
}
