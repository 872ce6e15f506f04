package gitrepo

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestDirectoryReplacedByLink: what a link hides is gone, whatever it points at.
func TestDirectoryReplacedByLink(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "x.go"), []byte("secret\n"), 0o644)
	f.commit("one", "d/x.go", "package d\n", "d/e/y.go", "package e\n", "a.go", "package a\n")
	f.remove("d")
	if err := os.Symlink(outside, filepath.Join(f.dir, "d")); err != nil {
		t.Fatal(err)
	}
	f.write("a.go", "package b\n")
	want := []string{
		`added symlink "d" +1 -0`, `deleted text "d/e/y.go" +0 -1`, `deleted text "d/x.go" +0 -1`,
		`modified text "a.go" +1 -1`,
	}
	s := f.snapshot(Scope{Kind: Uncommitted})
	same(t, want, listed(s.Change.Set))
	if got := added(s.Change.Set, "d"); len(got) != 1 || got[0] != outside {
		t.Errorf("the link reads %q", got)
	}
}

// TestConflictWithoutAFile: an unmerged file that is gone is listed twice by git.
func TestConflictWithoutAFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("base", "a.go", "one\n", "b.go", "one\n")
	f.git("checkout", "-q", "-b", "side")
	f.commit("side", "a.go", "two\n", "b.go", "two\n")
	f.git("checkout", "-q", "main")
	f.commit("main", "a.go", "three\n", "b.go", "three\n")
	if _, err := f.try("merge", "side"); err == nil {
		t.Fatal("no conflict")
	}
	f.remove("a.go")
	f.write("b.go", "four\n")
	want := []string{`deleted text "a.go" +0 -1`, `modified text "b.go" +1 -1`}
	same(t, want, listed(f.snapshot(Scope{Kind: Uncommitted}).Change.Set))
}

// TestTemporaryFilesInTheWorkTree: they are no part of the change.
func TestTemporaryFilesInTheWorkTree(t *testing.T) {
	f := newFixture(t)
	f.commit("one", "a.go", "package a\n", "tmp/keep", "")
	f.write("tmp/new.go", "package tmp\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(f.dir, "tmp"), link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", link)
	want := []string{`added text "tmp/new.go" +1 -0`}
	same(t, want, listed(f.snapshot(Scope{Kind: Uncommitted}).Change.Set))
}

// TestChangeInTheMomentOfTheIndex: a file of the same size and time as its entry
// is seen to have changed, also when another one is gone.
func TestChangeInTheMomentOfTheIndex(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	moment := time.Now().Add(-time.Hour).Truncate(time.Second)
	stamp := func(names ...string) {
		for _, name := range names {
			if err := os.Chtimes(filepath.Join(f.dir, name), moment, moment); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.write("a.go", "one\n", "gone.go", "gone\n")
	stamp("a.go")
	f.commit("one")
	f.write("a.go", "two\n")
	f.remove("gone.go")
	stamp("a.go", ".git/index")
	want := []string{`deleted text "gone.go" +0 -1`, `modified text "a.go" +1 -1`}
	same(t, want, listed(f.snapshot(Scope{Kind: Uncommitted}).Change.Set))
}
