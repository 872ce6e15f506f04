package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// TestExpected: a new file with a text of our own asks nobody; the same text in any other
// way, and any other text, asks as ever.
func TestExpected(t *testing.T) {
	t.Parallel()
	const (
		name     = ".github/workflows/debate.yml"
		workflow = "on: pull_request\njobs:\n  a:\n    permissions: {issues: write}\n    runs-on: x\n    steps:\n      - uses: a/b@0123456789abcdef0123456789abcdef01234567\n"
		settings = "version: 1\n"
	)
	rules, err := Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	rules.Expect(name, "on: push\n")
	rules.Expect(name, workflow)
	rules.Expect(debate.SettingsFile, settings)
	asks := func(change patch.Change) bool {
		return slices.ContainsFunc(rules.Triggers(change, nil), func(t debate.Trigger) bool { return t.Class == debate.ClassContent })
	}
	for _, c := range []struct {
		name  string
		edits []patchtest.Edit
		asks  bool
	}{
		{"the workflow", []patchtest.Edit{patchtest.Move("", name, "", workflow)}, false},
		{"the settings", []patchtest.Edit{patchtest.Move("", debate.SettingsFile, "", settings)}, false},
		{"both", []patchtest.Edit{patchtest.Move("", name, "", workflow), patchtest.Move("", debate.SettingsFile, "", settings)}, false},
		{"both and another", []patchtest.Edit{patchtest.Move("", name, "", workflow), patchtest.Move("", ".github/workflows/b.yml", "", workflow)}, true},
		{"another commit", []patchtest.Edit{patchtest.Move("", name, "", strings.Replace(workflow, "@0", "@1", 1))}, true},
		{"one space more", []patchtest.Edit{patchtest.Move("", name, "", workflow+" \n")}, true},
		{"other settings", []patchtest.Edit{patchtest.Move("", debate.SettingsFile, "", settings+"gate: advisory\n")}, true},
		{"another place", []patchtest.Edit{patchtest.Move("", ".github/workflows/c.yml", "", workflow)}, true},
		{"in the place of another workflow", []patchtest.Edit{patchtest.Modify(name, "on: push\njobs: {}\n", workflow)}, true},
		{"in the place of other settings", []patchtest.Edit{patchtest.Modify(debate.SettingsFile, "gate: required\n", settings)}, true},
		{"another file by this name", []patchtest.Edit{patchtest.Move("old.yml", name, workflow, workflow)}, true},
	} {
		if got := asks(patchtest.Change(c.edits...)); got != c.asks {
			t.Errorf("%s: asks is %v", c.name, got)
		}
	}
	// Where the text cannot be read, nothing is known of it.
	blind := patchtest.Change(patchtest.Move("", name, "", workflow))
	blind.Blob = func(string, debate.Side) ([]byte, bool) { return nil, false }
	if !asks(blind) {
		t.Error("a text that cannot be read asks nobody")
	}
	blind.Blob = func(string, debate.Side) ([]byte, bool) { return []byte(workflow), false }
	if !asks(blind) {
		t.Error("a text of which only a part can be read asks nobody")
	}
	// The base went on since, and has such a file.
	late := patchtest.Change(patchtest.Move("", name, "", workflow))
	late.BaseHas = func(path string) bool { return path == name }
	if !asks(late) {
		t.Error("a file that the base has by now asks nobody")
	}
	critical, err := Compile([]Critical{{Trigger: debate.TriggerDeploy, Paths: []string{".github/**"}}})
	if err != nil {
		t.Fatal(err)
	}
	critical.Expect(name, workflow)
	if found := critical.Triggers(patchtest.Change(patchtest.Move("", name, "", workflow)), nil); len(found) == 0 || !found[0].Critical() {
		t.Errorf("what the settings call critical is not: %v", show(found))
	}
}
