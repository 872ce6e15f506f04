package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func TestShallowClone(t *testing.T) {
	t.Parallel()
	origin, main, topic := history(t)
	clone := filepath.Join(t.TempDir(), "clone")
	origin.git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+origin.dir, clone)
	f := origin.at(clone)

	failure(t, f, Scope{Kind: Commit, Commit: "HEAD"}, "object "+topic[0]+" is not in this shallow clone", "--unshallow")
	failure(t, f, Scope{Kind: Base, Base: "main"}, "no common ancestor", "fetch-depth: 0")
	failure(t, f, Scope{Kind: Range, From: main[0], To: "HEAD"}, "object "+main[0]+" is not in this shallow clone")
	f.write("new", "new\n")
	same(t, []string{`added text "new" +1 -0`}, listed(f.snapshot(Scope{Kind: Uncommitted}).Change.Set))
	f.git("fetch", "-q", "--unshallow")
	if s := f.snapshot(Scope{Kind: Base, Base: "main"}); s.BaseSHA != main[1] {
		t.Errorf("base %s", s.BaseSHA)
	}
}

// TestShallowCloneOfOneBranch: what `git clone --depth` and a checkout in a job leave lacks
// the branch to compare with, and what to do is said.
func TestShallowCloneOfOneBranch(t *testing.T) {
	t.Parallel()
	origin, _, _ := history(t)
	clone := filepath.Join(t.TempDir(), "clone")
	origin.git("clone", "-q", "--depth=1", "file://"+origin.dir, clone)
	f := origin.at(clone)
	for _, name := range []string{"main", "origin/main"} {
		refused(t, f, Scope{Kind: Base, Base: name}, "--unshallow")
	}
	if notes := strings.Join(f.snapshot(Scope{Kind: Default}).Notes, " "); !strings.Contains(notes, "nothing is uncommitted; this clone is shallow") {
		t.Errorf("notes %q", notes)
	}
	f.git("fetch", "-q", "--unshallow", "origin", "+refs/heads/*:refs/remotes/origin/*")
	if s := f.snapshot(Scope{Kind: Base, Base: "origin/main"}); len(s.Change.Set.Files) == 0 {
		t.Errorf("notes %q", s.Notes)
	}
}

func TestMissingBlob(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "one\n")
	blob := f.git("rev-parse", "HEAD:a")
	f.commit("two", "a", "two\n")
	f.remove(".git/objects/" + blob[:2] + "/" + blob[2:])
	failure(t, f, Scope{Kind: Commit, Commit: "HEAD"}, "object "+blob+" is missing")
	// A blob that the change does not touch is missed only when it is asked for.
	f.commit("three", "b", "b\n")
	f.git("checkout", "-q", "HEAD~1", "--", "a")
	s, err := f.open().Snapshot(context.Background(), Scope{Kind: Commit, Commit: "HEAD~2"})
	if err == nil {
		s.Close()
		t.Error("the first commit was read without its blob")
	}
}

func TestMissingBlobIsToldByClose(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "one\n")
	f.commit("two", "b", "two\n")
	blob := f.git("rev-parse", "HEAD:a")
	f.remove(".git/objects/" + blob[:2] + "/" + blob[2:])
	s, err := f.open().Snapshot(context.Background(), Scope{Kind: Commit, Commit: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Change.Blob("a", debate.Right); ok {
		t.Error("a missing blob was read")
	}
	if content, ok := s.Change.Blob("b", debate.Right); !ok || string(content) != "two\n" {
		t.Error("reading does not go on after a missing blob")
	}
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("Close: %v", err)
	}
}

func TestBareRepository(t *testing.T) {
	t.Parallel()
	origin, main, topic := history(t)
	bare := filepath.Join(t.TempDir(), "bare.git")
	origin.git("clone", "-q", "--bare", origin.dir, bare)
	f := origin.at(bare)
	for _, dir := range []string{bare, filepath.Join(bare, "refs")} {
		s := f.at(dir).snapshot(Scope{Kind: Range, From: "main", To: "topic"})
		same(t, []string{`added text "c.txt" +1 -0`, `modified text "dir/b.txt" +1 -0`}, listed(s.Change.Set))
		if content, ok := s.Change.Blob("c.txt", debate.Right); !ok || string(content) != "c\n" {
			t.Error("no blob")
		}
	}
	if s := f.snapshot(Scope{Kind: Default}); s.BaseSHA != main[1] || s.HeadSHA != topic[1] {
		t.Errorf("%+v", s)
	}
	f.snapshot(Scope{Kind: Base, Base: "main"})
	f.snapshot(Scope{Kind: Commit, Commit: "main"})
	refused(t, f, Scope{Kind: Uncommitted}, "needs a work tree")
	refused(t, f, Scope{Kind: File, Path: "a"}, "needs a work tree")
	f.git("symbolic-ref", "HEAD", "refs/heads/main")
	refused(t, f, Scope{Kind: Default}, "needs a work tree")
}

func TestInsideTheGitDirectory(t *testing.T) {
	t.Parallel()
	f, _, topic := history(t)
	s := f.at(filepath.Join(f.dir, ".git")).snapshot(Scope{Kind: Commit, Commit: "HEAD"})
	if s.HeadSHA != topic[1] {
		t.Errorf("%+v", s)
	}
}

func TestSubdirectory(t *testing.T) {
	t.Parallel()
	f, _, _ := history(t)
	f.write("top.txt", "t\n", "dir/in.txt", "i\n")
	got := f.at(filepath.Join(f.dir, "dir")).snapshot(Scope{Kind: Uncommitted})
	same(t, []string{`added text "dir/in.txt" +1 -0`, `added text "top.txt" +1 -0`}, listed(got.Change.Set))
}

func TestLinkedWorktree(t *testing.T) {
	t.Parallel()
	f, main, _ := history(t)
	linked := filepath.Join(f.dir, "linked")
	f.git("worktree", "add", "-q", "-b", "side", linked, "main")
	w := f.at(linked)
	w.write("w.txt", "w\n", "sub/x.txt", "x\n")
	w.git("add", "w.txt")
	for _, dir := range []string{linked, filepath.Join(linked, "sub")} {
		s := f.at(dir).snapshot(Scope{Kind: Default})
		if diff := cmp.Diff([]string{`added text "sub/x.txt" +1 -0`, `added text "w.txt" +1 -0`}, listed(s.Change.Set)); diff != "" || s.BaseSHA != main[2] {
			t.Error(s.BaseSHA, diff)
		}
	}
	// To the main work tree the linked one is an untracked repository.
	s := f.snapshot(Scope{Kind: Uncommitted})
	if len(s.Change.Set.Files) != 0 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], `"linked/"`) {
		t.Errorf("%q, %q", listed(s.Change.Set), s.Notes)
	}
}

func TestIndexVariants(t *testing.T) {
	t.Parallel()
	tests := map[string]func(f *fixture){
		"split":   func(f *fixture) { f.git("update-index", "--split-index") },
		"version": func(f *fixture) { f.git("update-index", "--index-version", "4") },
		"sparse": func(f *fixture) {
			f.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")
		},
		"untracked cache": func(f *fixture) { f.git("update-index", "--force-untracked-cache"); f.git("status") },
		"none": func(f *fixture) {
			f.git("rm", "-q", "-r", "--cached", ".")
			f.remove(".git/index")
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.commit("one", "dir/a", "a\n", "other/b", "b\n", "c", "c\n")
			change(f)
			f.write("dir/a", "aa\n", "dir/new", "n\n")
			before := f.state()
			s := f.snapshot(Scope{Kind: Uncommitted})
			same(t, []string{`added text "dir/new" +1 -0`, `modified text "dir/a" +1 -1`}, listed(s.Change.Set))
			same(t, before, f.state())
		})
	}
}

// A file that was changed in the moment after it was added has the size and the
// time that the index holds: git looks at its content because the index is no
// younger. So the copy of an index must not be younger than the index.
func TestCopyOfTheIndexKeepsItsTime(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "one\n")
	long := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(f.dir, ".git", "index"), long, long); err != nil {
		t.Fatal(err)
	}
	s, err := f.open().newShadow()
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	if err := s.copyIndex(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(s.dir, "index"))
	if err != nil || !info.ModTime().Equal(long) {
		t.Errorf("%v, %v", info, err)
	}
}

func TestSHA256Repository(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "--object-format=sha256")
	root := f.commit("one", "a", "one\n")
	f.write("a", "two\n", "b", "b\n")
	s := f.snapshot(Scope{Kind: Uncommitted})
	if diff := cmp.Diff([]string{`added text "b" +1 -0`, `modified text "a" +1 -1`}, listed(s.Change.Set)); diff != "" || len(s.BaseSHA) != 64 {
		t.Error(s.BaseSHA, diff)
	}
	if content, ok := s.Change.Blob("a", debate.Left); !ok || string(content) != "one\n" {
		t.Error("no blob")
	}
	same(t, []string{`added text "a" +1 -0`}, listed(f.snapshot(Scope{Kind: Commit, Commit: root}).Change.Set))
}

func TestLineEndingsAreThoseOfTheRepository(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", ".gitattributes", "* text=auto\n", "a", "one\ntwo\n")
	f.write("a", "one\r\ntwo\r\nthree\r\n")
	same(t, []string{"three"}, added(f.snapshot(Scope{Kind: Uncommitted}).Change.Set, "a"))
}

func TestObjectsPathIsQuoted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a \"b\\c:d#é")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f := (&fixture{t: t, dir: dir})
	f.git("init", "-q", "-b", "main")
	f.commit("one", "a", "a\n")
	f.write("a", "b\n")
	same(t, []string{"b"}, added(f.snapshot(Scope{Kind: Uncommitted}).Change.Set, "a"))
}
