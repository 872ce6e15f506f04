package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][]string{
		"go test ./{dir} -run '^{test}$' -count=1": {"go", "test", "./{dir}", "-run", "^{test}$", "-count=1"},
		`a "b c" d'e f'`: {"a", "b c", "de f"}, "a ''": {"a", ""}, " a\tb\nc ": {"a", "b", "c"},
		"a | b": nil, "a; b": nil, "$HOME": nil, "a 'b": nil, "": nil, "  ": nil, "a > b": nil, "`a`": nil,
	} {
		got, err := Words(command)
		if (err != nil) != (want == nil) || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", command, got, err)
		}
	}
}

// A mistake in the section is told with its field and its line.
func TestExecution(t *testing.T) {
	t.Parallel()
	const files = "  files: ['**/*_test.go']\n"
	for in, want := range map[string]string{
		"execution:\n  run: go test ./{dir} -run '^{test}$'\n" + files:                                        "",
		"execution:\n  run: go test ./{dir}\n" + files:                                                        "2:8: execution.run lacks {test}",
		"execution:\n  run: pytest\n  files: ['test_*.py']\n":                                                 "2:8: execution.run has neither",
		"execution:\n  run: pytest {path}\n  files: ['test_*.py']\n":                                          "2:8: execution.run: there is no placeholder {path}",
		"execution:\n  run: a {test} | b\n" + files:                                                           "2:8: execution.run: no shell reads this",
		"execution:\n" + files:                                                                                "execution lacks run",
		"execution:\n  run: a {test}\n":                                                                       "execution lacks files",
		"execution:\n  run: a {test}\n  files: [/a_test.go]\n":                                                "3:11: execution.files",
		"execution:\n  run: a {test}\n" + files + "  network: all\n":                                          "4:12: execution.network",
		"execution:\n  run: a {test}\n" + files + "  limits: {memory: 1MiB}\n":                                "execution.limits.memory is out of range",
		"execution:\n  run: a {test}\n" + files + "  limits: {memory: 1 GB}\n":                                "execution.limits.memory",
		"execution:\n  run: a {test}\n" + files + "  limits: {output: 1GiB}\n":                                "execution.limits.output is too large",
		"execution:\n  run: a {test}\n" + files + "  limits: {runs: 31}\n":                                    "execution.limits.runs",
		"execution:\n  run: a {test}\n" + files + "  setup: 'go mod download && true'\n":                      "4:10: execution.setup: no shell",
		"execution:\n  run: a {test}\n" + files + "  image: golang:1.26\n":                                    "4:10: execution.image",
		"execution:\n  run: a {test}\n" + files + "  image: golang@sha256:" + strings.Repeat("0a", 32) + "\n": "",
	} {
		c, err := Vocabulary{}.Parse("debate.yml", []byte(in))
		switch {
		case want == "" && (err != nil || c.Execution == nil):
			t.Errorf("%q: %v", in, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
	const run = "execution:\n  run: a {test}\n" + files
	for in, want := range map[string]string{
		"execution: {pulls: true}\n": "", "execution: {forks: true, limits: {time: 10s}}\n": "", run + "  pulls: true\n": "", "execution:\n  run: a {test}\n": "execution lacks files",
	} {
		_, err := Vocabulary{}.ParseOperator("config.yml", []byte(in))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("operator %q: %v, want %q", in, err, want)
		}
		if _, err := (Vocabulary{}).Parse("debate.yml", []byte(in)); err == nil {
			t.Errorf("a repository may say %q", in)
		}
	}
	whole := ExecutionLimits{Memory: "2GiB"}.Whole()
	if whole.Memory.Bytes() != 2<<30 || whole.Output.Bytes() != 64<<10 || whole.Runs != 6 || whole.Time != 60 {
		t.Errorf("%+v", whole)
	}
	if Merge(Config{}, Config{}).Execution != nil {
		t.Error("tests are run by default")
	}
}

// An operator allows what a repository has, within the lower limits, or brings commands.
func TestMergeExecution(t *testing.T) {
	t.Parallel()
	own := Execution{Run: "own {file}", Files: []Glob{"*.py"}, Pulls: true}
	repository := Execution{Run: "a {file}", Files: []Glob{"*.py"}, Network: SetupNetwork, Limits: ExecutionLimits{Time: 10, Memory: "2GiB"}}
	limits := ExecutionLimits{Time: 10, Memory: "2GiB", Processes: 64, Output: "64KiB", Runs: 6}
	for name, c := range map[string]struct{ operator, repository, want *Execution }{
		"nobody":       {nil, nil, nil},
		"repository":   {nil, &repository, &repository},
		"own commands": {&own, &repository, &own},
		"only allowed": {&Execution{Pulls: true, Forks: true}, nil, nil},
		"allowed": {
			&Execution{Pulls: true, Forks: true, Network: NoNetwork, Limits: ExecutionLimits{Time: 20, Processes: 64}}, &repository,
			&Execution{Run: "a {file}", Files: repository.Files, Network: NoNetwork, Limits: limits, Pulls: true, Forks: true},
		},
	} {
		got := Merge(Config{Execution: c.operator}, Config{Execution: c.repository}).Execution
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
