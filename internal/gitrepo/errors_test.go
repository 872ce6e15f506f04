package gitrepo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// failure takes a snapshot that must fail with an error of type E, on one line.
func failure[E error](t *testing.T, f *fixture, scope Scope) E {
	t.Helper()
	var want E
	r, err := Open(context.Background(), f.dir)
	if err == nil {
		var s *Snapshot
		if s, err = r.Snapshot(context.Background(), scope); err == nil {
			s.Close()
		}
	}
	if !errors.As(err, &want) {
		t.Fatalf("%+v: got %v (%T), want a %T", scope, err, err, want)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
	return want
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, dir := range []string{dir, filepath.Join(dir, "nothing"), os.DevNull} {
		_, err := Open(context.Background(), dir)
		var none *NotRepositoryError
		if !errors.As(err, &none) {
			t.Errorf("%s: got %v", dir, err)
		}
	}
	f := newFixture(t)
	f.write(".git/config", "[core\n")
	failure[*CommandError](t, f, Scope{})
}

// TestForeignRepository reads git's own words about a repository of another
// user, and where the test may give one away, meets such a repository.
func TestForeignRepository(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "a\n")
	cmd := exec.Command("git", "-C", f.dir, "rev-parse", "--git-dir")
	cmd.Env = append(os.Environ(), "GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	words, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatal("git takes any repository")
	}
	var foreign *OwnershipError
	if err := discoveryError(f.dir, &CommandError{Command: "rev-parse", Message: lastWords(words)}); !errors.As(err, &foreign) {
		t.Errorf("got %v", err)
	}
	if os.Geteuid() != 0 {
		return // nobody but root can give a repository away
	}
	for _, path := range []string{f.dir, filepath.Join(f.dir, ".git")} {
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	failure[*OwnershipError](t, f, Scope{Kind: Uncommitted})
}

func TestScopeErrors(t *testing.T) {
	t.Parallel()
	f, _, topic := history(t)
	f.git("checkout", "-q", "--orphan", "alone")
	f.commit("alone", "z", "z\n")
	f.git("tag", "twice", "main")
	f.git("branch", "twice", "topic")

	if got := failure[*UnknownRefError](t, f, Scope{Kind: Commit, Commit: "tpoic"}); !cmp.Equal(got.Similar, []string{"topic"}) {
		t.Errorf("similar to tpoic: %q", got.Similar)
	}
	if got := failure[*UnknownRefError](t, f, Scope{Kind: Base, Base: "release"}); got.Similar != nil {
		t.Errorf("similar to release: %q", got.Similar)
	}
	failure[*UnknownRefError](t, f, Scope{Kind: Commit, Commit: strings.Repeat("1", 40)})
	failure[*AmbiguousRefError](t, f, Scope{Kind: Commit, Commit: "twice"})
	if got := failure[*NoMergeBaseError](t, f, Scope{Kind: Base, Base: "main"}); got.Shallow {
		t.Errorf("%+v", got)
	}
	failure[*NoMergeBaseError](t, f, Scope{Kind: Default})
	failure[*NoMergeBaseError](t, f, Scope{Kind: Range, From: topic[0], To: "HEAD"})
	failure[*ScopeError](t, f, Scope{Kind: "galaxy"})
	failure[*ScopeError](t, f, Scope{})
}

func TestAmbiguousAbbreviation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.commit("one")
	// A copy under a name that begins alike: a true pair takes hundreds of commits.
	dir := filepath.Join(f.dir, ".git", "objects", id[:2])
	content, err := os.ReadFile(filepath.Join(dir, id[2:]))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, id[2:4]+strings.Repeat("0", 36)), content, 0o444); err != nil {
		t.Fatal(err)
	}
	failure[*AmbiguousRefError](t, f, Scope{Kind: Commit, Commit: id[:4]})
}

func TestNoDefaultBranch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "a\n")
	f.git("branch", "-m", "trunk")
	failure[*NoDefaultBranchError](t, f, Scope{Kind: Default})
	f.write("b", "b\n")
	s := f.snapshot(Scope{Kind: Default})
	if s.Scope != "uncommitted" || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "--base") {
		t.Errorf("%+v", s)
	}
}

func TestUnbornErrors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	failure[*UnbornError](t, f, Scope{Kind: Commit, Commit: "HEAD"})
	failure[*UnbornError](t, f, Scope{Kind: Range, From: "HEAD", To: "main"})
	failure[*UnknownRefError](t, f, Scope{Kind: Base, Base: "main"})
}

func TestFileErrors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "dir/a", "a\n")
	symlink(t, "/etc", f.dir, "etc")
	symlink(t, "dir", f.dir, "inside")
	fifo(t, filepath.Join(f.dir, "pipe"))
	for _, path := range []string{"", "nothing", "no/thing", "dir", ".", "..", "../x", "/etc/passwd", "etc/passwd", "pipe", ".git/config", "a\x00b", filepath.Dir(f.dir)} {
		failure[*FileError](t, f, Scope{Kind: File, Path: path})
	}
	for path, want := range map[string]string{"inside/a": "file:dir/a", "./dir/../dir/a": "file:dir/a", filepath.Join(f.dir, "dir/a"): "file:dir/a"} {
		if s := f.snapshot(Scope{Kind: File, Path: path}); s.Scope != want {
			t.Errorf("%q: %q", path, s.Scope)
		}
	}
	if s := f.at(filepath.Join(f.dir, "dir")).snapshot(Scope{Kind: File, Path: "a"}); s.Scope != "file:dir/a" {
		t.Errorf("%q", s.Scope)
	}
}

func TestPipesAreLeftAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "a\n", "b", "b\n")
	f.remove("a")
	for _, name := range []string{"a", "new"} {
		fifo(t, filepath.Join(f.dir, name))
	}
	got := failure[*UnreadableError](t, f, Scope{Kind: Uncommitted})
	if got.Path != "a" {
		t.Errorf("%+v", got)
	}
}

func TestUnreadableFiles(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 { // root can read everything
		asNobody(t, "TestUnreadableFiles")
		return
	}
	for _, name := range []string{"secret", "a", "dir/in"} {
		f := newFixture(t)
		f.commit("one", "a", "a\n")
		f.write(name, "changed\n")
		path := filepath.Join(f.dir, name)
		if strings.Contains(name, "/") {
			path = filepath.Dir(path)
		}
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		got := failure[*UnreadableError](t, f, Scope{Kind: Uncommitted})
		if !strings.Contains(got.Error(), "ermission denied") {
			t.Errorf("%s: %v", name, got)
		}
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTooManyUntrackedFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one")
	for i := range untrackedLimit + 1 {
		if err := os.WriteFile(filepath.Join(f.dir, "f"+strings.Repeat("0", i/250)+string(rune(0x4e00+i%250))), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	failure[*LimitError](t, f, Scope{Kind: Uncommitted})
}

func TestTooManyBytes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one")
	f.write("huge", "")
	if err := os.Truncate(filepath.Join(f.dir, "huge"), frozenLimit+1); err != nil {
		t.Fatal(err)
	}
	failure[*LimitError](t, f, Scope{Kind: Uncommitted})
}

func TestPolicyFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(".github/debate.yml", "gate: required\n", "big", strings.Repeat("x", policyLimit+1))
	symlink(t, "/etc/passwd", f.dir, "link")
	id := f.commit("one")
	f.write(".github/debate.yml", "gate: advisory\n")
	r, ctx := f.open(), context.Background()
	content, err := r.PolicyFile(ctx, id, ".github/debate.yml")
	if err != nil || string(content) != "gate: required\n" {
		t.Errorf("got %q, %v", content, err)
	}
	for _, path := range []string{"nothing", ".github/nothing", "", "/", "../x", ".github/debate.yml/x", "link/x"} {
		if _, err := r.PolicyFile(ctx, id, path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", path, err)
		}
	}
	for path, words := range map[string]string{"link": "symbolic link", "big": "over 1 MiB", ".github": "directory"} {
		_, err := r.PolicyFile(ctx, id, path)
		var file *FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", path, err)
		}
	}
	var absent *MissingObjectError
	if _, err := r.PolicyFile(ctx, strings.Repeat("1", 40), "x"); !errors.As(err, &absent) {
		t.Errorf("unknown commit: %v", err)
	}
	if _, err := r.PolicyFile(ctx, "HEAD", "x"); err == nil {
		t.Error("a name was taken for an id")
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	tests := []struct{ stderr, path, reason string }{
		{"error: open(\"a\"): b\"): Permission denied\nerror: unable to index file 'a'\nfatal: Unable to process path a\n", `a"): b`, "permission denied"},
		{"error: x: unsupported file type\nfatal: Unable to process path x\n", "x", "x: unsupported file type"},
		{"fatal: something else\n", "", ""},
	}
	for _, test := range tests {
		path, reason, ok := unreadable([]byte(test.stderr))
		if path != test.path || reason != test.reason || ok != (test.path != "") {
			t.Errorf("%q: %q, %q, %t", test.stderr, path, reason, ok)
		}
	}
}
