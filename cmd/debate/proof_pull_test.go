package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/sandbox"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// needsSandbox skips a test, aloud, if this machine has no sandbox.
func needsSandbox(t *testing.T) {
	t.Helper()
	if _, err := sandbox.Find(t.Context()); err != nil {
		fmt.Fprintln(os.Stderr, "NOT TESTED: tests of models on a pull request:", err)
		t.Skip(err)
	}
}

const (
	testsOfBase = "execution:\n  run: /usr/bin/python3 -m unittest {file}\n  files: ['**/test_*.py']\n"
	// headTests are those of a change, which must not count. Their test would fail everywhere.
	headTests = "execution:\n  run: sh -c 'echo of the head; exit 1' {file}\n  files: ['**/*.py']\n"

	proven     = "Proven: this test fails on the pull request and passes before it"
	notAllowed = "the operator's settings do not say execution.pulls: true"
	notForks   = "the operator's settings do not say execution.forks: true"
	inWorkflow = "tests of models are not run: a workflow needs a job of its own for them"
)

// summing is a repository whose sum is about to lose its first item.
func summing(execution string) map[string]string {
	return map[string]string{
		".github/debate.yml": "version: 1\n" + execution, "shop/__init__.py": "", "shop/price.py": "def total(items):\n    return sum(items)\n",
	}
}

// losesOne is that change. It brings settings of its own.
func losesOne() map[string]string {
	return map[string]string{".github/debate.yml": "version: 1\n" + headTests, "shop/price.py": "def total(items):\n    return sum(items[1:])\n"}
}

// provers are reviewers of which the first has a test run, in the settings of an operator.
func provers(t *testing.T, dir string) string {
	t.Helper()
	plan := func(name string, plan exectest.Inspector) string {
		data, err := json.Marshal(plan)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		writeFile(t, path, data, 0o600)
		return path
	}
	test, err := json.Marshal("import unittest\nfrom shop.price import total\n\n\nclass First(unittest.TestCase):\n    def test_first(self):\n        self.assertEqual(total([1, 2]), 3)\n")
	if err != nil {
		t.Fatal(err)
	}
	finder := plan("finder.json", exectest.Inspector{
		Suspects: "sum(items[1:])", Looks: json.RawMessage(`[{"test": {"path": "shop/test_first.py", "claim": "it is left out", "content": ` + string(test) + `}}]`),
		Stubborn: true, Severity: "P2", Category: "correctness", Title: "The first item is not counted", Body: "total leaves out items[0].",
	})
	weigher := plan("weigher.json", exectest.Inspector{Proof: "sum(items[1:])"})
	return "parties:\n  primary: {id: first, provider: exec, family: red, command: [" + partyProgram() + ", inspect, " + finder +
		"]}\n  challengers: [{id: second, provider: exec, family: blue, command: [" + partyProgram() + ", inspect, " + weigher + "]}]\n"
}

// fromFork opens a pull request of a fork.
func fromFork(repo *ghtest.Repo, change map[string]string) *ghtest.Pull {
	fork := repo.Fork("olive")
	fork.SetBranch("fix", fork.Change(repo.Branch("main"), change))
	return repo.OpenPull("olive", ghtest.NewPull{Title: "From outside", From: fork, Head: "fix"})
}

// debate review --pr runs tests by the commands of the base side, if the operator allows
// it: for a fork by a word of its own, and into another branch only the commands that the
// default branch has too.
func TestReviewPullProves(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	for name, c := range map[string]struct {
		base, operator string
		fork           bool
		into           string // settings of another base branch
		want           string
	}{
		"allowed":                         {testsOfBase, "execution: {pulls: true}\n", false, "", proven},
		"not allowed":                     {testsOfBase, "", false, "", notAllowed},
		"only the change has a command":   {"", "execution: {pulls: true}\n", false, "", ""},
		"fork":                            {testsOfBase, "execution: {pulls: true}\n", true, "", notForks},
		"fork allowed":                    {testsOfBase, "execution: {pulls: true, forks: true}\n", true, "", proven},
		"another base":                    {testsOfBase, "execution: {pulls: true}\n", false, testsOfBase, proven},
		"another command at another base": {testsOfBase, "execution: {pulls: true}\n", false, headTests, "the default branch has no section execution with the same commands"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"] = c.operator + provers(t, h.dir)
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), summing(c.base)))
			switch {
			case c.fork:
				fromFork(h.repo, losesOne())
			case c.into != "":
				h.repo.SetBranch("other", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "version: 1\n" + c.into}))
				h.repo.SetBranch("change", h.repo.Change(h.repo.Branch("other"), losesOne()))
				h.repo.OpenPull("ada", ghtest.NewPull{Title: "Into another branch", Head: "change", Base: "other"})
			default:
				h.open("ada", losesOne())
			}
			record := filepath.Join(h.dir, "record.jsonl")
			_, out, said := h.desk().review("--pr", "1", "--record", record, "--format", "markdown")
			wantText(t, "the finding", out, "The first item is not counted")
			if c.want != "" {
				wantText(t, "result", out, c.want)
			}
			if got := strings.Contains(out, proven); got != (c.want == proven) {
				t.Errorf("proven: %t", got)
			}
			kept := readFile(t, record)
			if ran := strings.Contains(string(kept), `"command":["/usr/bin/python3","-m","unittest","shop/test_first.py"]`); ran != (c.want == proven) {
				t.Errorf("the command of the base ran: %t", ran)
			}
			if strings.Contains(string(kept), `"command":["sh"`) {
				t.Error("the command of the change ran")
			}
			if t.Failed() {
				t.Log(out, said)
			}
		})
	}
}

// A workflow runs no tests, whatever the settings of both sides say, and says so in a line.
func TestActionProvesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, want string }{{testsOfBase, inWorkflow}, {"", ""}} {
		h := host(t)
		h.inputs["operator-config"] = "execution: {pulls: true, forks: true}\n" + provers(t, h.dir)
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), summing(c.base)))
		p := h.open("ada", losesOne())
		h.on(p, "opened").good(t)
		text := strings.Join(summaries(p), "\n")
		wantText(t, "the comment", text, "The first item is not counted")
		if c.want == "" && strings.Contains(text, "tests of models") || !strings.Contains(text, c.want) || strings.Contains(text, "Proven") {
			t.Errorf("with %q:\n%s", c.base, text)
		}
	}
}

// The App runs tests if the base side and the operator say so: the comment at the line
// has the test.
func TestServeProves(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	for name, c := range map[string]struct {
		operator string
		fork     bool
		want     string
	}{
		"allowed":      {"execution: {pulls: true}\n", false, proven},
		"not allowed":  {"", false, notAllowed},
		"fork":         {"execution: {pulls: true}\n", true, notForks},
		"fork allowed": {"execution: {pulls: true, forks: true}\n", true, proven},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := notServed(t)
			home := filepath.Join(s.dir, ".config", "debate")
			makeDir(t, home, 0o755)
			writeFile(t, filepath.Join(home, "config.yml"), []byte("version: 1\n"+c.operator+provers(t, s.dir)), 0o600)
			s.repo.SetBranch("main", s.repo.Change(s.repo.Branch("main"), summing(testsOfBase)))
			s.start(t)
			if c.fork {
				s.pull = fromFork(s.repo, losesOne())
				s.repo.SetPermission("olive", ghtest.Write) // no stranger, or a maintainer would have to start it
			} else {
				s.repo.SetBranch("change", s.repo.Change(s.repo.Branch("main"), losesOne()))
				s.pull = s.repo.OpenPull("ada", ghtest.NewPull{Title: "Total", Head: "change"})
			}
			s.tell(t, "pull_request", "opened", ghtest.Happening{Pull: s.pull})
			s.log.until(t, `msg="task done".*pull_request=\S+#`)
			text := ""
			for _, one := range append(s.pull.Comments(), s.pull.Inline()...) {
				text += one.Body() + "\n"
			}
			wantText(t, "the comments", text, "The first item is not counted")
			wantText(t, "the comments", text, c.want)
			if got := strings.Contains(text, proven); got != (c.want == proven) {
				t.Errorf("proven: %t", got)
			}
			if got := strings.Contains(text, "self.assertEqual(total([1, 2]), 3)"); got != (c.want == proven) {
				t.Errorf("the test is shown: %t", got)
			}
			if t.Failed() {
				t.Logf("%s\n%s", text, s.log)
			}
		})
	}
}
