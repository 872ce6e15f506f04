package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

const ci = ".github/workflows/ci.yml"

// plain is a workflow without any power.
const plain = `on: [push, pull_request]
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make test
        env:
          TOKEN: ${{ secrets.GITHUB_TOKEN }}
          KEY: ${{ secrets.DEPLOY_KEY }}
`

// with replaces one part of a workflow, which must be there.
func with(t *testing.T, s, old, new string) string {
	t.Helper()
	if !strings.Contains(s, old) {
		t.Fatalf("the workflow has no %q", old)
	}
	return strings.Replace(s, old, new, 1)
}

func TestWorkflowGains(t *testing.T) {
	t.Parallel()
	replace := func(old, new string) patchtest.Edit { return patchtest.Modify(ci, plain, with(t, plain, old, new)) }
	bare := with(t, plain, "permissions:\n  contents: read\n", "")
	broken := with(t, plain, "pull_request]", "pull_request_target")
	const unread = "the workflow is changed, and not all of it can be read"
	const byDefault = "the default permissions of the token, which can be to write everything"
	tests := []struct {
		name   string
		edit   patchtest.Edit
		detail string // "" for no critical trigger
		line   int
	}{
		// Ordinary changes.
		{"version bump", replace("checkout@v4", "checkout@v5"), "", 0},
		{"new step", replace("make test\n", "make test\n      - run: echo done\n"), "", 0},
		{"step that names a secrets file", replace("make test", "cat secrets.json"), "", 0},
		{"comment that names the event", replace("on: [", "# pull_request_target\non: ["), "", 0},
		{"read permission", replace("contents: read", "contents: read\n  issues: read"), "", 0},
		{"permission taken away", patchtest.Modify(ci, with(t, plain, "contents: read", "contents: write"), plain), "", 0},
		{"all to one", patchtest.Modify(ci, with(t, plain, "\n  contents: read", " write-all"), with(t, plain, "contents: read", "contents: write")), "", 0},
		{"top to job", patchtest.Modify(ci,
			with(t, plain, "contents: read", "packages: write"),
			with(t, plain, "    runs-on", "    permissions:\n      packages: write\n    runs-on")), "", 0},
		{"job renamed", patchtest.Modify(ci,
			with(t, plain, "    runs-on", "    permissions:\n      packages: write\n    runs-on"),
			with(t, with(t, plain, "  build:", "  compile:"), "    runs-on", "    permissions:\n      packages: write\n    runs-on")), "", 0},
		{"new job under the same top", patchtest.Modify(ci,
			with(t, plain, "contents: read", "contents: write"),
			with(t, plain, "contents: read", "contents: write")+"  lint:\n    runs-on: ubuntu-latest\n"), "", 0},
		{"the job's own token", replace("make test", "echo ${{ secrets.GITHUB_TOKEN }}"), "", 0},
		{"the same secret again", replace("make test", "echo ${{ secrets.deploy_key }}"), "", 0},
		{"a context of another name", replace("make test", "echo ${{ needs.a.outputs.secrets }} ${{ hashFiles('secrets/*') }}"), "", 0},
		{"renamed", patchtest.Move(".github/workflows/old.yml", ci, plain, plain), "", 0},
		{"deleted", patchtest.Move(ci, "", plain, ""), "", 0},
		{"not a workflow", patchtest.Modify("docs/ci.yml", plain, with(t, plain, "pull_request]", "pull_request_target]")), "", 0},
		{"in a folder of workflows", patchtest.Modify(".github/workflows/old/ci.yml", plain, with(t, plain, "pull_request]", "pull_request_target]")), "", 0},
		{"new without powers", patchtest.Move("", ci, "", with(t, plain, "          KEY: ${{ secrets.DEPLOY_KEY }}\n", "")), "", 0},

		{"permissions from the top to all jobs", replace("permissions:\n  contents: read\njobs:\n  build:\n", "jobs:\n  build:\n    permissions:\n      contents: read\n"), "", 0},
		{"new job where nothing is restricted", patchtest.Modify(ci, bare, bare+"  lint:\n    runs-on: ubuntu-latest\n"), "", 0},
		{"new without permissions", patchtest.Move("", ci, "", with(t, bare, "          KEY: ${{ secrets.DEPLOY_KEY }}\n", "")), "", 0},
		{"everything to nothing said", patchtest.Modify(ci, with(t, plain, "\n  contents: read", " write-all"), bare), "", 0},
		{"event as before", patchtest.Modify(ci, with(t, plain, "pull_request]", "pull_request_target]"), with(t, plain, "pull_request]", "issues, pull_request_target]")), "", 0},
		{"secrets by name for a called workflow", replace("jobs:\n", "jobs:\n  call:\n    uses: ./.github/workflows/x.yml\n    secrets: {KEY: \"${{ secrets.DEPLOY_KEY }}\"}\n"), "", 0},

		// Gains.
		{"event in a list", replace("pull_request]", "pull_request_target]"), "the workflow gains pull_request_target", 1},
		{"event alone", replace("[push, pull_request]", "pull_request_target"), "the workflow gains pull_request_target", 1},
		{"event as a key", replace("on: [push, pull_request]", "on:\n  push:\n  pull_request_target:\n    types: [opened]"), "the workflow gains pull_request_target", 3},
		{"quoted keys", replace("on: [push, pull_request]", "\"on\":\n  'pull_request_target':"), "the workflow gains pull_request_target", 2},
		{"event by an alias", replace("on: [push, pull_request]", "env: {A: &e pull_request_target}\non: [push, *e]"), "the workflow gains pull_request_target", 1},
		{"event behind a question mark", replace("on: [push, pull_request]", "on:\n  ? pull_request_target\n  : {types: [opened]}"), "the workflow gains pull_request_target", 2},
		{"events behind a question mark", replace("on: [push, pull_request]", "? on\n: pull_request_target"), "the workflow gains pull_request_target", 1},
		{"event behind a byte order mark", replace("on: [push, pull_request]", "\uFEFFon: pull_request_target"), "the workflow gains pull_request_target", 1},
		{"event that is merged", replace("on: [push, pull_request]", "env: &e {pull_request_target: x}\non: {<<: *e}"), "the workflow gains pull_request_target", 1},
		{"event that is merged with others", replace("on: [push, pull_request]", "on:\n  <<: [{push: }, {pull_request_target: }]"), "the workflow gains pull_request_target", 2},
		{"event with its letters escaped", replace("on: [push, pull_request]", "\"\\x6fn\": [\"pull_request\\x5ftarget\"]"), "the workflow gains pull_request_target", 1},
		{"write at the top", replace("contents: read", "contents: write"), "the workflow gains write permission for contents", 3},
		{"write in a flow", replace("permissions:\n  contents: read", "permissions: {contents: read, id-token: write}"), "the workflow gains write permission for id-token", 2},
		{"write where nothing was said", patchtest.Modify(ci, with(t, plain, "permissions:\n  contents: read\n", ""), with(t, plain, "contents: read", "contents: write")), "the workflow gains write permission for contents", 3},
		{"write-all", replace("\n  contents: read", " write-all"), "the workflow gains write permission for everything", 2},
		{"write in a job", replace("    runs-on", "    permissions:\n      packages: write\n    runs-on"), "the workflow gains write permission for packages", 7},
		{"job to top", patchtest.Modify(ci,
			with(t, plain, "    runs-on", "    permissions:\n      packages: write\n    runs-on"),
			with(t, plain, "contents: read", "packages: write")), "the workflow gains write permission for packages", 3},
		{"job loses its restriction", patchtest.Modify(ci,
			with(t, with(t, plain, "contents: read", "contents: write"), "    runs-on", "    permissions: {}\n    runs-on"),
			with(t, plain, "contents: read", "contents: write")), "the workflow gains write permission for contents", 3},
		{"permissions removed", replace("permissions:\n  contents: read\n", ""), "the workflow gains " + byDefault, 2},
		{"no permissions at all removed", patchtest.Modify(ci,
			with(t, plain, "permissions:\n  contents: read\n", "permissions: {}\n"),
			with(t, plain, "permissions:\n  contents: read\n", "")), "the workflow gains " + byDefault, 2},
		{"permissions of a job removed", patchtest.Modify(ci,
			with(t, bare, "    runs-on", "    permissions: {}\n    runs-on"), bare), "the workflow gains " + byDefault, 2},
		{"new job with more", replace("jobs:\n", "jobs:\n  push:\n    permissions:\n      contents: write\n"), "the workflow gains write permission for contents", 7},
		{"new job with what another one has", patchtest.Modify(ci,
			with(t, plain, "    runs-on", "    permissions:\n      packages: write\n    runs-on"),
			with(t, plain, "    runs-on", "    permissions:\n      packages: write\n    runs-on")+"  push:\n    permissions:\n      packages: write\n"), "the workflow gains write permission for packages", 17},
		{"job with what another one had", patchtest.Modify(ci,
			plain+"  push:\n    permissions:\n      packages: write\n",
			with(t, plain, "    runs-on", "    permissions:\n      packages: write\n    runs-on")), "the workflow gains write permission for packages", 7},
		{"two new jobs with what one had", patchtest.Modify(ci,
			plain+"  a:\n    permissions:\n      packages: write\n",
			plain+"  b:\n    permissions:\n      packages: write\n  c:\n    permissions:\n      packages: write\n"), "the workflow gains write permission for packages", 18},
		{"a scope with a strange name", replace("contents: read", "'@all now': write"), "the workflow gains write permission for an unknown scope", 3},
		{"new secret", replace("make test", "echo ${{ secrets.NPM_TOKEN }}"), "the workflow gains secret NPM_TOKEN", 9},
		{"new secret by index", replace("make test", "echo ${{ secrets['NPM_TOKEN'] }}"), "the workflow gains secret NPM_TOKEN", 9},
		{"new secret in a name", replace("KEY:", "\"${{ secrets.NPM_TOKEN }}\":"), "the workflow gains secret NPM_TOKEN", 12},
		{"new secret in a block", replace("run: make test", "run: |\n          make\n          echo ${{ secrets.NPM_TOKEN }}"), "the workflow gains secret NPM_TOKEN", 9},
		{"all secrets", replace("make test", "echo '${{ toJSON(secrets) }}'"), "the workflow gains all secrets", 9},
		{"all secrets, or else", replace("make test", "echo '${{ toJSON(secrets || github) }}'"), "the workflow gains all secrets", 9},
		{"all secrets, if", replace("make test", "echo '${{ toJSON(true && secrets) }}'"), "the workflow gains all secrets", 9},
		{"all secrets, in brackets", replace("make test", "echo ${{ (secrets).NPM_TOKEN }}"), "the workflow gains all secrets", 9},
		{"new secret behind braces in a text", replace("make test", "echo ${{ format('}}{0}', secrets.NPM_TOKEN) }}"), "the workflow gains secret NPM_TOKEN", 9},
		{"new secret behind a quote outside", replace("make test", "echo ${{ github.sha }} isn't ${{ secrets.NPM_TOKEN }}"), "the workflow gains secret NPM_TOKEN", 9},
		{"new secret over lines", replace("run: make test", "run: |\n          echo ${{\n            secrets\n            .NPM_TOKEN }}"), "the workflow gains secret NPM_TOKEN", 9},
		{"computed secret", replace("make test", "echo ${{ secrets[matrix.name] }}"), "the workflow gains all secrets", 9},
		{"inherited secrets", replace("jobs:\n", "jobs:\n  call:\n    uses: ./.github/workflows/x.yml\n    secrets: inherit\n"), "the workflow gains all secrets for a called workflow", 7},
		{"inherited secrets where everything may be written", patchtest.Modify(ci,
			with(t, plain, "\n  contents: read", " write-all"),
			with(t, with(t, plain, "\n  contents: read", " write-all"), "    runs-on", "    secrets: inherit\n    runs-on")), "the workflow gains all secrets for a called workflow", 5},
		{"new secret twice", replace("make test", "echo ${{ secrets.NPM_TOKEN }}\n      - run: echo ${{ secrets.NPM_TOKEN }}"), "the workflow gains secret NPM_TOKEN", 9},
		{"new with powers", patchtest.Move("", ci, "", plain), "the workflow gains secret DEPLOY_KEY", 12},
		{"moved into place", patchtest.Move("ci.yml", ci, plain, plain), "the workflow gains secret DEPLOY_KEY", 12},
		{"yaml extension", patchtest.Move("", ".github/workflows/x.yaml", "", "on: pull_request_target\n"), "the workflow gains pull_request_target", 1},
		{"several", replace("on: [push, pull_request]\npermissions:\n  contents: read", "on: pull_request_target\npermissions: write-all"),
			"the workflow gains pull_request_target, write permission for everything", 1},
		{"more than are listed", replace("make test", "echo ${{ secrets.A }} ${{ secrets.B }} ${{ secrets.C }} ${{ secrets.D }} ${{ secrets.E }} ${{ secrets.F }} ${{ secrets.G }}"),
			"the workflow gains secret A, secret B, secret C, and 4 more", 9},

		// No YAML that GitHub runs.
		{"broken base", patchtest.Modify(ci, "on: [push", with(t, plain, "contents: read", "contents: write")), "the workflow gains write permission for contents, secret DEPLOY_KEY", 3},
		{"broken head", replace("on: [push, pull_request]", "on: [push, pull_request"), unread, 0},
		{"broken head without a word of powers", replace("make test", "'make test"), "", 0},
		{"broken head with escaped letters", replace("make test", "'make \"\\x24{{ s.KEY }}\""), unread, 0},
		{"broken and moved into place", patchtest.Move("ci.yml", ci, broken, broken), unread, 0},
		{"too deep", patchtest.Modify(ci, plain, "x: "+strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)+"\npermissions: write-all\n"), unread, 0},
		{"too large", patchtest.Modify(ci, plain, "#"+strings.Repeat("x", maxYAML)+"\npermissions: {contents: write}\n"), unread, 0},
		{"alias bomb", patchtest.Modify(ci, plain, bomb()+"permissions:\n  contents: write\n"), unread, 0},
		{"unknown alias", patchtest.Modify(ci, plain, "a: *b\npermissions: write-all\n"), unread, 0},
		{"a key twice", replace("jobs:", "permissions: {}\njobs:"), unread, 0},
		{"two documents", patchtest.Modify(ci, plain, "on: push\n---\non: pull_request_target\npermissions: {}\n"), unread, 0},
		{"no mapping", patchtest.Modify(ci, plain, "pull_request_target\n"), "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []debate.Trigger
			for _, tr := range triggersOf(patchtest.Change(tt.edit)) {
				if tr.Critical() {
					got = append(got, tr)
				}
			}
			var want []debate.Trigger
			if tt.detail != "" {
				want = []debate.Trigger{{
					ID: debate.TriggerSecurity, Source: "policy", Class: debate.ClassContent,
					Path: tt.edit.New, Line: tt.line, Detail: tt.detail,
				}}
				if tt.line > 0 {
					want[0].Side = debate.Right
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("critical triggers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCopiedWorkflow: a copy is a workflow more, whatever the one may do that it was made of.
func TestCopiedWorkflow(t *testing.T) {
	t.Parallel()
	change := patchtest.Change(patchtest.Move(".github/workflows/old.yml", ci, plain, plain))
	change.Set.Files[0].Status = patch.Copied
	if got, want := triggersOf(change)[0].Detail, "the workflow gains secret DEPLOY_KEY"; got != want {
		t.Errorf("the first trigger is %q, want %q", got, want)
	}
}

// bomb is a document of thirty lines that has a billion nodes when its aliases
// are followed.
func bomb() string { return growing("x", "[*a%d, *a%d]") }

// mergeBomb is a mapping of many keys when what it merges is followed.
func mergeBomb() string { return growing("{x: y}", "{<<: [*a%d, *a%d]}") }

// growing is a document of thirty anchors, each made of the one before, taken twice.
func growing(first, next string) string {
	text := "a0: &a0 " + first + "\n"
	for i := 1; i < 30; i++ {
		text += fmt.Sprintf("a%d: &a%d "+next+"\n", i, i, i-1, i-1)
	}
	return text
}

// Without the files at hand only a new workflow can be read.
func TestWorkflowWithoutFiles(t *testing.T) {
	t.Parallel()
	const unread = "the workflow is changed, and not all of it can be read"
	change := patchtest.Change(patchtest.Modify(ci, plain, with(t, plain, "checkout@v4", "checkout@v5")))
	change.Blob = patch.Alone(nil).Blob
	if diff := cmp.Diff([]string{"deploy path " + ci + ":0"}, show(triggersOf(change))); diff != "" {
		t.Errorf("triggers (-want +got):\n%s", diff)
	}
	for _, edit := range []patchtest.Edit{
		patchtest.Modify(ci, plain, with(t, plain, "pull_request]", "pull_request_target]")),
		patchtest.Modify(ci, plain, with(t, plain, "make test", "echo ${{ secrets.NEW }}")),
		patchtest.Modify(ci, plain, with(t, plain, "permissions:\n  contents: read\n", "")),
		patchtest.Move("ci.yml", ci, plain, with(t, plain, "checkout@v4", "checkout@v5")),
	} {
		seen := patchtest.Change(edit)
		seen.Blob = change.Blob
		if got := triggersOf(seen)[0].Detail; got != unread {
			t.Errorf("the first trigger is %q, want %q", got, unread)
		}
	}
	added := patchtest.Change(patchtest.Add(ci, with(t, plain, "pull_request]", "pull_request_target]")))
	added.Blob = change.Blob
	if got, want := triggersOf(added)[0].Detail, "the workflow gains pull_request_target, secret DEPLOY_KEY"; got != want {
		t.Errorf("the first trigger is %q, want %q", got, want)
	}
	hunk := change.Set.Files[0].Hunks[0]
	for name, f := range map[string]*patch.File{
		"cut off":          {OldPath: ci, NewPath: ci, Status: patch.Modified, Kind: patch.Text, Unparsed: "hunk is cut off"},
		"a binary file":    {OldPath: ci, NewPath: ci, Status: patch.Modified, Kind: patch.Binary},
		"moved into place": {OldPath: "ci.yml", NewPath: ci, Status: patch.Renamed, Kind: patch.Text},
		"copied":           {OldPath: ".github/workflows/old.yml", NewPath: ci, Status: patch.Copied, Kind: patch.Text, Hunks: []*patch.Hunk{hunk}},
	} {
		change.Set.Files = []*patch.File{f}
		if got := triggersOf(change)[0]; got.Detail != unread || !got.Critical() {
			t.Errorf("%s: the first trigger is %+v", name, got)
		}
	}
}

// TestWorkflowOfWideLetters: text of two bytes a letter looks like one word to the parser.
func TestWorkflowOfWideLetters(t *testing.T) {
	t.Parallel()
	wide := func(s string) []byte {
		out := []byte("\xff\xfe")
		for _, b := range []byte(s) {
			out = append(out, b, 0)
		}
		return out
	}
	head := with(t, with(t, plain, "pull_request]", "pull_request_target]"), "make test", "echo ${{ secrets.NEW }}")
	change := patch.Alone(&patch.Set{Files: []*patch.File{{OldPath: ci, NewPath: ci, Status: patch.Modified, Kind: patch.Binary}}})
	change.Blob = func(_ string, side debate.Side) ([]byte, bool) {
		if side == debate.Left {
			return wide(plain), true
		}
		return wide(head), true
	}
	change.Set.Decode(change.Blob)
	if got, want := triggersOf(change)[0].Detail, "the workflow gains pull_request_target, secret NEW"; got != want {
		t.Errorf("the first trigger is %q, want %q", got, want)
	}
}

func TestYAMLLimits(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"bytes":       strings.Repeat("#", maxYAML+1),
		"aliases":     bomb(),
		"merged keys": mergeBomb(),
		"nodes":       strings.Repeat("- {a: b}\n", maxYAMLNodes/3+1),
		"a key twice": "a: b\na: c\n",
		"itself":      "a: &x [*x]\n",
		"its merge":   "a: &x {<<: *x}\n",
		"unknown":     "a: *b",
		"nothing":     "",
		"two":         "a: b\n---\na: b\n",
	} {
		if _, ok := parseYAML([]byte(src)); ok {
			t.Errorf("%s: read, want refused", name)
		}
	}
	if root, ok := parseYAML([]byte("a: &x [1, {b: c}]\nd: *x\ne: !!str f\n")); !ok || len(keysOf(root)) != 3 || keysOf(itemsOf(keysOf(root)[1].value)[1])[0].name != "b" {
		t.Errorf("an ordinary document is not read: %+v", root)
	}
	if root, ok := parseYAML([]byte("a: &x {b: c}\nd: {<<: *x, e: f}\n")); !ok || len(keysOf(keysOf(root)[1].value)) != 2 {
		t.Errorf("a document that merges is not read: %+v", root)
	}
}
