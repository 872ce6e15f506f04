package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// trap is a command that leaves a marker when it runs.
type trap struct {
	t      testing.TB
	script string
	marker string
}

func newTrap(t testing.TB) trap {
	t.Helper()
	dir := t.TempDir()
	tr := trap{t, filepath.Join(dir, "evil"), filepath.Join(dir, "marker")}
	script := "#!/bin/sh\necho \"$0 $*\" >> '" + tr.marker + "'\ncat\n"
	writeProgram(t, tr.script, script)
	return tr
}

func (tr trap) sprung() string {
	content, err := os.ReadFile(tr.marker)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		tr.t.Fatal(err)
	}
	return string(content)
}

func (tr trap) reset() { os.Remove(tr.marker) }

// everyScope takes a snapshot of each scope and reads files from it.
func everyScope(t *testing.T, r *Repo) map[ScopeKind]*Snapshot {
	t.Helper()
	got := map[ScopeKind]*Snapshot{}
	for _, scope := range []Scope{{Kind: Default}, {Kind: Base, Base: "main"}, {Kind: Commit, Commit: "HEAD"},
		{Kind: Range, From: "main", To: "HEAD"}, {Kind: Uncommitted}, {Kind: File, Path: "a.go"}} {
		s, err := r.Snapshot(context.Background(), scope)
		if err != nil {
			t.Fatalf("%s: %v", scope.Kind, err)
		}
		s.Change.Blob("a.go", debate.Left)
		s.Change.Blob("a.go", debate.Right)
		s.Change.BaseHas("a.go")
		s.Change.Search([]string{"package"})
		if err := s.Close(); err != nil {
			t.Errorf("%s: Close: %v", scope.Kind, err)
		}
		got[scope.Kind] = s
	}
	return got
}

// poisonous are settings that make git run a command, or look away.
func poisonous(evil string) [][2]string {
	settings := [][2]string{
		{"core.fsmonitor", evil}, {"core.hooksPath", filepath.Dir(evil)}, {"core.pager", evil}, {"core.editor", evil},
		{"core.sshCommand", evil}, {"core.askPass", evil}, {"core.gitProxy", evil}, {"core.alternateRefsCommand", evil},
		{"core.attributesFile", "/nonexistent"}, {"credential.helper", evil}, {"gpg.program", evil}, {"log.showSignature", "true"},
		{"diff.external", evil}, {"diff.evil.command", evil}, {"diff.evil.textconv", evil}, {"diff.evil.binary", "true"},
		{"filter.evil.clean", evil}, {"filter.evil.smudge", evil}, {"filter.evil.process", evil}, {"filter.evil.required", "true"},
		{"merge.evil.driver", evil}, {"interactive.diffFilter", evil}, {"uploadpack.packObjectsHook", evil},
		{"pager.diff-tree", evil}, {"pager.rev-parse", evil}, {"pager.config", evil}, {"sequence.editor", evil},
	}
	for _, name := range []string{"diff-tree", "rev-parse", "config", "diff-files", "ls-files", "update-index", "write-tree", "cat-file", "merge-base", "grep"} {
		settings = append(settings, [2]string{"alias." + name, "!" + evil})
	}
	return settings
}

// disguises are settings that change what a difference looks like.
var disguises = [][2]string{
	{"diff.noprefix", "true"}, {"diff.mnemonicPrefix", "true"}, {"diff.context", "0"}, {"diff.interHunkContext", "99"},
	{"diff.renames", "false"}, {"diff.renameLimit", "1"}, {"diff.ignoreSubmodules", "all"}, {"diff.submodule", "log"},
	{"diff.relative", "true"}, {"diff.suppressBlankEmpty", "true"}, {"diff.algorithm", "patience"}, {"diff.colorMoved", "zebra"},
	{"diff.orderFile", "/dev/null"}, {"diff.wordRegex", "."}, {"color.ui", "always"}, {"color.diff", "always"}, {"core.quotePath", "true"},
	{"core.abbrev", "4"}, {"core.bigFileThreshold", "1"}, {"core.untrackedCache", "true"}, {"core.checkStat", "minimal"},
	{"status.showUntrackedFiles", "no"}, {"core.whitespace", "cr-at-eol"}, {"core.commitGraph", "false"}, {"log.diffMerges", "off"},
}

// workOn makes a branch with a change in several files, plus uncommitted work.
func workOn(t testing.TB) *fixture {
	f := newFixture(t)
	f.commit("one", "a.go", "package a\n\n// one\n", "b.txt", "b\n", "old.txt", strings.Repeat("line\n", 20))
	f.git("checkout", "-q", "-b", "topic")
	f.git("mv", "old.txt", "moved.txt")
	f.commit("two", "a.go", "package a\n\n// two\n", "c.go", "package c\n")
	f.write("a.go", "package a\n\n// three\n", "d.go", "package d\n")
	return f
}

func TestHostileConfigurationRunsNothingAndHidesNothing(t *testing.T) {
	t.Parallel()
	plain := everyScope(t, workOn(t).open())

	tr := newTrap(t)
	f := workOn(t)
	for _, hook := range []string{"pre-commit", "post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"} {
		for _, dir := range []string{filepath.Join(f.dir, ".git", "hooks"), filepath.Dir(tr.script)} {
			script, err := os.ReadFile(tr.script)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, hook), script, 0o755)
		}
	}
	included := filepath.Join(t.TempDir(), "included")
	for _, set := range append(poisonous(tr.script), disguises...) {
		f.git("config", "--file", included, set[0], set[1])
	}
	f.git("config", "include.path", included)
	f.write(".git/info/attributes", "* filter=evil diff=evil merge=evil\n*.go -diff\nc.go binary\n")

	// The traps are armed: git itself falls into them.
	if _, err := f.try("status"); err != nil {
		t.Log("git status:", err)
	}
	if _, err := f.try("diff", "HEAD"); err != nil {
		t.Log("git diff:", err)
	}
	if tr.sprung() == "" {
		t.Fatal("the traps do not work")
	}
	tr.reset()

	before := f.state()
	tr.reset()
	got := everyScope(t, f.open())
	if ran := tr.sprung(); ran != "" {
		t.Errorf("git ran\n%s", ran)
	}
	for kind, want := range plain {
		if diff := cmp.Diff(listed(want.Change.Set), listed(got[kind].Change.Set)); diff != "" {
			t.Errorf("%s (-plain +hostile):\n%s", kind, diff)
		}
		if want.Hash != got[kind].Hash {
			t.Errorf("%s: the configuration changed the text of the difference", kind)
		}
	}
	same(t, before, f.state(), "the repository changed")
}

func TestTheCallersOwnEnvironmentAndSettings(t *testing.T) {
	plain := everyScope(t, workOn(t).open())
	tr := newTrap(t)
	f := workOn(t)
	global := filepath.Join(t.TempDir(), "gitconfig")
	excludes := filepath.Join(t.TempDir(), "excludes")
	writeFile(t, excludes, []byte("*.orig\n"), 0o600)
	for _, set := range append(append(poisonous(tr.script), disguises...), [2]string{"core.excludesFile", excludes}) {
		f.git("config", "--file", global, set[0], set[1])
	}
	f.write("x.orig", "ignored by the user's own excludes\n")
	other := newFixture(t)
	other.commit("another repository")
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": global, "GIT_EXTERNAL_DIFF": tr.script, "GIT_PAGER": tr.script, "PAGER": tr.script, "GIT_EDITOR": tr.script,
		"GIT_SSH_COMMAND": tr.script, "GIT_ASKPASS": tr.script, "GIT_PROXY_COMMAND": tr.script, "GIT_DIFF_OPTS": "-u0",
		"GIT_DIR": filepath.Join(other.dir, ".git"), "GIT_WORK_TREE": other.dir, "GIT_INDEX_FILE": "/nonexistent", "GIT_OBJECT_DIRECTORY": "/nonexistent",
		"GIT_NAMESPACE": "x", "GIT_LITERAL_PATHSPECS": "1", "GIT_CONFIG_PARAMETERS": "'core.pager'='" + tr.script + "'",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "diff.external", "GIT_CONFIG_VALUE_0": tr.script,
	} {
		t.Setenv(name, value)
	}
	got := everyScope(t, f.open())
	if ran := tr.sprung(); ran != "" {
		t.Errorf("git ran\n%s", ran)
	}
	for kind, want := range plain {
		if want.Hash != got[kind].Hash {
			t.Errorf("%s: the caller's settings changed the difference:\n%s", kind, cmp.Diff(listed(want.Change.Set), listed(got[kind].Change.Set)))
		}
	}
}

func TestHostileAttributesHideNothing(t *testing.T) {
	t.Parallel()
	for _, attributes := range []string{
		"* -diff", "* binary", "* diff=evil", "* -text", "*.go -diff\na.go diff=astextplain", "* filter=evil", "* export-ignore export-subst",
		"* linguist-generated linguist-vendored -linguist-detectable", "* ident", "* merge=binary -merge",
		"* text eol=lf", "* whitespace=-all conflict-marker-size=1", "[attr]hidden -diff\n* hidden", "* crlf=input diff",
	} {
		t.Run(attributes, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			tr := newTrap(t)
			for _, set := range poisonous(tr.script) {
				f.git("config", set[0], set[1])
			}
			f.git("config", "--unset", "core.fsmonitor") // the fixture itself runs git
			f.git("config", "--remove-section", "filter.evil")
			f.commit("one", "a.go", "package a\n", ".gitattributes", attributes+"\n")
			f.git("checkout", "-q", "-b", "topic")
			f.commit("two", "a.go", "package a\n\nvar evil = 1\n")
			f.git("config", "filter.evil.clean", tr.script)
			f.write("b.go", "package b\n")
			f.write(".git/info/attributes", attributes+"\n")
			tr.reset()
			for _, scope := range []Scope{{Kind: Commit, Commit: "HEAD"}, {Kind: Base, Base: "main"}} {
				s := f.snapshot(scope)
				if diff := cmp.Diff([]string{"", "var evil = 1"}, added(s.Change.Set, "a.go")); diff != "" {
					t.Errorf("%s, a.go:\n%s", scope.Kind, diff)
				}
				if scope.Kind == Base {
					same(t, []string{"package b"}, added(s.Change.Set, "b.go"), "b.go")
				}
			}
			if ran := tr.sprung(); ran != "" {
				t.Errorf("git ran\n%s", ran)
			}
		})
	}
}

func TestEncodingThatDoesNotFit(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"NOT-AN-ENCODING", "UTF-16"} {
		f := newFixture(t)
		f.commit("one", "a.go", "package a\n")
		f.write("a.go", "package a\n\nvar evil = 1\n", ".gitattributes", "*.go working-tree-encoding="+encoding+"\n")
		for _, scope := range []Scope{{Kind: Uncommitted}, {Kind: File, Path: "a.go"}} {
			s := f.snapshot(scope)
			if got := added(s.Change.Set, "a.go"); len(got) == 0 || got[len(got)-1] != "var evil = 1" {
				t.Errorf("%s, %s: added %q", encoding, scope.Kind, got)
			}
			if len(s.Notes) != 1 {
				t.Errorf("%s: notes %q", encoding, s.Notes)
			}
		}
	}
}

func TestEncodingThatFits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", ".gitattributes", "*.txt working-tree-encoding=UTF-16LE eol=lf\n", "a.txt", "a\x00\n\x00")
	f.write("a.txt", "b\x00\n\x00")
	s := f.snapshot(Scope{Kind: Uncommitted})
	if diff := cmp.Diff([]string{"b"}, added(s.Change.Set, "a.txt")); diff != "" || s.Notes != nil {
		t.Error(diff, s.Notes)
	}
}

func TestBinaryIsWhatHoldsNUL(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", ".gitattributes", "* diff text\n", "a.bin", "a\x00\x01\x02\n", "late", strings.Repeat("x", binaryProbe)+"\x00\n")
	s := f.snapshot(Scope{Kind: Commit, Commit: "HEAD"})
	want := []string{`added binary "a.bin" +0 -0`, `added text ".gitattributes" +1 -0`, `added text "late" +1 -0`}
	same(t, want, listed(s.Change.Set))
}

func TestEmbeddedBareRepositoryIsNotOpened(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	f := workOn(t)
	inner := filepath.Join(f.dir, "docs", "inner")
	f.write("docs/inner/HEAD", "ref: refs/heads/main\n", "docs/inner/refs/keep", "", "docs/inner/objects/keep", "",
		"docs/inner/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "+tr.script+"\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "embedded")
	if _, err := f.at(inner).try("status"); err == nil && tr.sprung() == "" {
		t.Fatal("the trap does not work")
	}
	tr.reset()
	r := f.at(inner).open()
	if top, _ := filepath.EvalSymlinks(f.dir); r.top != top {
		t.Errorf("opened %q, want %q", r.top, top)
	}
	for _, scope := range []Scope{{Kind: Uncommitted}, {Kind: Commit, Commit: "HEAD"}} {
		s, err := r.Snapshot(context.Background(), scope)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	if ran := tr.sprung(); ran != "" {
		t.Errorf("git ran\n%s", ran)
	}
}

func TestHostileSubmodule(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	lib := newFixture(t)
	first := lib.commit("one", "lib.c", "1\n")
	f := newFixture(t)
	f.commit("one", "a", "a\n")
	f.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.dir, "sub")
	f.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "all")
	f.commit("two")
	sub := f.at(filepath.Join(f.dir, "sub"))
	second := sub.commit("three", "lib.c", "2\n")
	sub.write("lib.c", "3\n")
	for _, set := range poisonous(tr.script) {
		sub.git("config", set[0], set[1])
	}
	sub.write("../.git/modules/sub/info/attributes", "* filter=evil\n")
	tr.reset()
	s := f.snapshot(Scope{Kind: Uncommitted})
	if diff := cmp.Diff([]string{"Subproject commit " + second}, added(s.Change.Set, "sub")); diff != "" {
		t.Errorf("from %s:\n%s", first, diff)
	}
	same(t, []string{`modified submodule "sub" +1 -1`}, listed(s.Change.Set))
	if ran := tr.sprung(); ran != "" {
		t.Errorf("git ran\n%s", ran)
	}
	if _, ok := s.Change.Blob("sub", debate.Right); ok {
		t.Error("a submodule has content")
	}
	// One that is only changed inside has nothing to show, and git must not look there:
	// it would start itself in it.
	f.git("-c", "diff.ignoreSubmodules=dirty", "update-index", "sub")
	f.git("commit", "-q", "-m", "four")
	tr.reset()
	same(t, []string{}, listed(f.snapshot(Scope{Kind: Uncommitted}).Change.Set))
	if ran := tr.sprung(); ran != "" {
		t.Errorf("git ran\n%s", ran)
	}
	// A submodule is a repository of its own, with its git directory elsewhere.
	if r := sub.open(); r.top != sub.dir {
		t.Errorf("top %q", r.top)
	}
}

func TestWorkTreeElsewhereIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "in/a", "a\n")
	f.write("in/secret", "secret\n")
	home := filepath.Dir(f.dir)
	f.git("config", "core.worktree", home)
	_, err := Open(context.Background(), f.dir)
	if err == nil || !strings.Contains(err.Error(), "unset core.worktree") {
		t.Fatalf("got %v", err)
	}
}

func TestNoNetworkInPartialClone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a trap would wait for us
	defer cancel()
	tr := newTrap(t)
	origin := newFixture(t)
	origin.commit("one", "a.go", "one\n")
	origin.commit("two", "a.go", "two\n")
	origin.git("config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(t.TempDir(), "clone")
	origin.git("clone", "-q", "--no-local", "--filter=blob:none", "file://"+origin.dir, clone)
	f := origin.at(clone)
	for _, set := range [][2]string{{"remote.origin.uploadpack", tr.script}, {"core.sshCommand", tr.script}, {"protocol.allow", "always"},
		{"protocol.file.allow", "always"}, {"protocol.ext.allow", "always"}, {"remote.origin.vcs", "evil"}} {
		f.git("config", set[0], set[1])
	}
	for _, url := range []string{"file://" + origin.dir, "ext::" + tr.script, "ssh://localhost/x"} {
		f.git("config", "remote.origin.url", url)
		_, err := f.open().Snapshot(ctx, Scope{Kind: Commit, Commit: "HEAD"})
		if err == nil || !strings.HasPrefix(err.Error(), "object ") || !strings.Contains(err.Error(), "is not in this partial clone") {
			t.Errorf("%s: got %v", url, err)
		}
		_, err = f.open().Snapshot(ctx, Scope{Kind: Commit, Commit: strings.Repeat("1", 40)})
		if err == nil || !strings.Contains(err.Error(), "is not in this partial clone") {
			t.Errorf("%s: unknown id: got %v", url, err)
		}
	}
	if ran := tr.sprung(); ran != "" {
		t.Errorf("git ran\n%s", ran)
	}
}
