package action

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

const (
	maxSecret = 4 << 10  // bytes of a token or a key
	maxYAML   = 64 << 10 // bytes of the input operator-config
	maxPath   = 1 << 10  // bytes of a path
)

// Inputs are the inputs of the action. Mode, Target, FailOn and Gate are "" if they are not
// set; then the settings of the repository count.
type Inputs struct {
	Token          string            // of GitHub; "" in the stage debate
	Keys           map[string]string // of models, by the name of the input; only set ones
	StateKey       string            // for the memory's MAC
	OperatorConfig string            // YAML
	Config         string            // path in the repository, on the base side
	SARIF          string            // path of a file with results of other tools on the runner, "" for none
	SARIFOutput    string            // file for the findings, relative to the workspace, "" for none
	Mode           debate.Mode
	Target         debate.Target
	FailOn         debate.FailOn
	Gate           debate.Gate
	PullRequest    int    // for workflow_dispatch; 0 for none
	Stage          Stage  // "" runs all of them
	Bundle         string // directory of the bundles of all stages
}

// Inputs reads the inputs: the environment variables INPUT_NAME with "_" for "-", as
// action.yml sets them. It masks secrets in the log first. One error lists all wrong inputs
// by name, with the allowed values and without secrets. Keys are the names of the inputs
// with keys of providers.
func (r *Runner) Inputs(keys ...string) (Inputs, error) {
	in := inputs{r: r}
	got := Inputs{
		Token: in.secret("github-token"),
		Keys:  make(map[string]string),
	}
	for _, name := range keys {
		if key := in.secret(name); key != "" {
			got.Keys[name] = key
		}
	}
	got.StateKey = in.secret("state-key")
	got.Mode = oneOf(&in, "mode", debate.Standard, debate.Minimal, debate.Quick)
	got.Target = oneOf(&in, "target", debate.TargetAuto, debate.TargetCode, debate.TargetProposal, debate.TargetMixed)
	got.FailOn = oneOf(&in, "fail-on", debate.FailP1, debate.FailP2, debate.FailP3, debate.FailNone)
	got.Gate = oneOf(&in, "gate", debate.Advisory, debate.Required)
	got.Stage = oneOf(&in, "stage", Collect, Debate, Test, Publish)
	got.PullRequest = in.number("pull-request")
	if s := in.value("upload-record"); !slices.Contains([]string{"", "true", "True", "TRUE", "false", "False", "FALSE"}, s) { // for the steps after this one
		in.wrong("upload-record", "%q is neither true nor false", s)
	}
	got.Config = in.repositoryPath("config", debate.SettingsFile)
	got.SARIF = in.path("sarif")
	got.SARIFOutput = in.workspacePath("sarif-output")
	got.Bundle = in.path("bundle")
	got.OperatorConfig = in.text("operator-config", maxYAML)
	if got.Stage != "" && got.Bundle == "" {
		in.wrong("bundle", "a stage needs the directory that it shares with the other stages")
	}
	in.fits(got)
	return got, errors.Join(in.errs...)
}

// fits reports contradictory inputs.
func (in *inputs) fits(got Inputs) {
	if got.SARIFOutput == "" {
		return
	}
	if slices.Contains([]Stage{Collect, Debate, Test}, got.Stage) {
		in.wrong("sarif-output", "the stage publish writes this file, not the stage %s", got.Stage)
	}
	if got.SARIF == filepath.Join(in.r.getenv("GITHUB_WORKSPACE"), got.SARIFOutput) {
		in.wrong("sarif-output", "the input sarif names the same file, which would be lost")
	}
}

// inputs reads inputs one by one and collects their errors.
type inputs struct {
	r    *Runner
	errs []error
}

func (in *inputs) wrong(name, format string, args ...any) {
	in.errs = append(in.errs, fmt.Errorf("input %q: %s", name, fmt.Sprintf(format, args...)))
}

func (in *inputs) value(name string) string {
	return in.r.lib.GetInput(strings.ReplaceAll(name, "-", "_"))
}

// secret masks the value first. It refuses a secret of several lines: the log would show
// its parts.
func (in *inputs) secret(name string) string {
	s := in.value(name)
	if s == "" {
		return ""
	}
	if err := guarded("mask a secret", func() { in.r.lib.AddMask(s) }); err != nil {
		in.errs = append(in.errs, err)
		return ""
	}
	if len(s) > maxSecret || strings.ContainsFunc(s, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }) {
		in.wrong(name, "a secret is one word of at most %d bytes", maxSecret)
		return ""
	}
	return s
}

func (in *inputs) text(name string, limit int) string {
	s := in.value(name)
	switch {
	case len(s) > limit:
		in.wrong(name, "it is longer than %d bytes", limit)
		return ""
	case strings.ContainsRune(s, 0):
		in.wrong(name, "it holds a zero byte")
		return ""
	}
	return s
}

func oneOf[T ~string](in *inputs, name string, allowed ...T) T {
	s := T(in.value(name))
	if s == "" || slices.Contains(allowed, s) {
		return s
	}
	words := lists.Map(allowed, func(a T) string { return string(a) })
	in.wrong(name, "%q is none of %s", s, strings.Join(words, ", "))
	return ""
}

func (in *inputs) number(name string) int {
	s := in.value(name)
	if s == "" {
		return 0
	}
	n, _ := strconv.ParseInt(s, 10, 32) // not a number: 0
	if n <= 0 || strconv.FormatInt(n, 10) != s {
		in.wrong(name, "%q is no number of a pull request", s)
		return 0
	}
	return int(n)
}

// path is a path on the runner; a relative one is one in the workspace.
func (in *inputs) path(name string) string {
	s := in.text(name, maxPath)
	if s == "" || filepath.IsAbs(s) {
		return s
	}
	return filepath.Join(in.r.getenv("GITHUB_WORKSPACE"), s)
}

// repositoryPath is a path in the tree of the repository, never one out of it.
func (in *inputs) repositoryPath(name, otherwise string) string {
	s := in.text(name, maxPath)
	switch {
	case s == "":
		return otherwise
	case path.IsAbs(s), path.Clean(s) != s, s == "..", strings.HasPrefix(s, "../"), strings.ContainsAny(s, "\\:\n"):
		in.wrong(name, "%q is no path in the repository, such as %s", s, debate.SettingsFile)
		return otherwise
	}
	return s
}
