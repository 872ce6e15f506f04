package gitrepo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// failure takes a snapshot that must fail, on one line with these words.
func failure(t *testing.T, f *fixture, scope Scope, words ...string) error {
	t.Helper()
	r, err := Open(context.Background(), f.dir)
	if err == nil {
		var s *Snapshot
		if s, err = r.Snapshot(context.Background(), scope); err == nil {
			s.Close()
		}
	}
	if err == nil {
		t.Fatalf("%+v: no error", scope)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%+v: %v does not say %q", scope, err, word)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
	return err
}

// refused takes a snapshot of a scope that does not fit the repository.
func refused(t *testing.T, f *fixture, scope Scope, words ...string) {
	t.Helper()
	if err := failure(t, f, scope, words...); !errors.As(err, new(*RequestError)) {
		t.Errorf("%+v: got %v (%T), want a RequestError", scope, err, err)
	}
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
	failure(t, f, Scope{}, "git rev-parse: bad config line")
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
	if err := discoveryError(f.dir, &CommandError{Command: "rev-parse", Message: lastWords(words)}); !strings.Contains(err.Error(), "safe.directory") {
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
	failure(t, f, Scope{Kind: Uncommitted}, "another user owns it")
}

func TestScopeErrors(t *testing.T) {
	t.Parallel()
	f, _, topic := history(t)
	f.git("checkout", "-q", "--orphan", "alone")
	f.commit("alone", "z", "z\n")
	f.git("tag", "twice", "main")
	f.git("branch", "twice", "topic")

	refused(t, f, Scope{Kind: Commit, Commit: "tpoic"}, `"tpoic" names no commit here: did you mean "topic"?`)
	refused(t, f, Scope{Kind: Base, Base: "release"}, "`git branch --all`")
	refused(t, f, Scope{Kind: Commit, Commit: strings.Repeat("1", 40)}, "names no commit")
	refused(t, f, Scope{Kind: Commit, Commit: "twice"}, "more than one thing")
	failure(t, f, Scope{Kind: Base, Base: "main"}, `"main" and "HEAD" have no common ancestor: name another base`)
	failure(t, f, Scope{Kind: Default}, "no common ancestor")
	failure(t, f, Scope{Kind: Range, From: topic[0], To: "HEAD"}, "no common ancestor")
	refused(t, f, Scope{Kind: "galaxy"}, "no such scope")
	refused(t, f, Scope{}, "no such scope")
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
	writeFile(t, filepath.Join(dir, id[2:4]+strings.Repeat("0", 36)), content, 0o444)
	refused(t, f, Scope{Kind: Commit, Commit: id[:4]}, "more than one thing")
}

func TestNoDefaultBranch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "a\n")
	f.git("branch", "-m", "trunk")
	refused(t, f, Scope{Kind: Default}, "no default branch found")
	f.write("b", "b\n")
	s := f.snapshot(Scope{Kind: Default})
	if s.Scope != "uncommitted" || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "--base") {
		t.Errorf("%+v", s)
	}
}

func TestUnbornErrors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, scope := range []Scope{{Kind: Commit, Commit: "HEAD"}, {Kind: Range, From: "HEAD", To: "main"}, {Kind: Base, Base: "main"}} {
		refused(t, f, scope, "the current branch has none yet")
	}
	other := newFixture(t)
	other.commit("one")
	other.git("checkout", "-q", "--orphan", "new")
	refused(t, other, Scope{Kind: Base, Base: "main"}, "the current branch has none yet")
}

func TestFileErrors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "dir/a", "a\n")
	symlink(t, "/etc", f.dir, "etc")
	symlink(t, "dir", f.dir, "inside")
	fifo(t, filepath.Join(f.dir, "pipe"))
	for _, path := range []string{"", "nothing", "no/thing", "dir", ".", "..", "../x", "/etc/passwd", "etc/passwd", "pipe", ".git/config", "a\x00b", filepath.Dir(f.dir)} {
		if err := failure(t, f, Scope{Kind: File, Path: path}); !errors.As(err, new(*FileError)) {
			t.Errorf("%q: %v", path, err)
		}
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
	failure(t, f, Scope{Kind: Uncommitted}, "a: unsupported file type")
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
		failure(t, f, Scope{Kind: Uncommitted}, filepath.Base(path), "ermission denied")
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
		writeFile(t, filepath.Join(f.dir, "f"+strings.Repeat("0", i/250)+string(rune(0x4e00+i%250))), nil, 0o600)
	}
	failure(t, f, Scope{Kind: Uncommitted}, "more than 5000 untracked files")
}

func TestTooManyBytes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one")
	f.write("huge", "")
	if err := os.Truncate(filepath.Join(f.dir, "huge"), frozenLimit+1); err != nil {
		t.Fatal(err)
	}
	failure(t, f, Scope{Kind: Uncommitted}, "more than 512 MiB of uncommitted files")
}

func TestPolicyFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(".github/debate.yml", "gate: required\n", "big", strings.Repeat("x", policyLimit+1))
	symlink(t, "/etc/passwd", f.dir, "link")
	id := f.commit("one")
	f.write(".github/debate.yml", "gate: advisory\n")
	r, ctx := f.open(), context.Background()
	const there = ".github/debate.yml"
	missing := []string{"nothing", ".github/nothing", "", "/", "../x", ".github/debate.yml/x", "link/x"}
	found, err := r.PolicyFiles(ctx, id, append(missing, there))
	if err != nil || len(found) != 1 || string(found[there]) != "gate: required\n" {
		t.Errorf("got %q, %v", found, err)
	}
	for path, words := range map[string]string{"link": "symbolic link", "big": "over 1 MiB", ".github": "directory"} {
		found, err := r.PolicyFiles(ctx, id, []string{path, there})
		var file *FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), words) || string(found[there]) != "gate: required\n" {
			t.Errorf("%q: %q, %v", path, found, err)
		}
	}
	if _, err := r.PolicyFiles(ctx, strings.Repeat("1", 40), []string{"x"}); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("unknown commit: %v", err)
	}
	if _, err := r.PolicyFiles(ctx, "HEAD", []string{"x"}); err == nil {
		t.Error("a name was taken for an id")
	}
}
