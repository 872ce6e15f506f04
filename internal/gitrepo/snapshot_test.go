package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// history is main with three commits, and topic with two more since the second.
func history(t testing.TB) (f *fixture, main []string, topic []string) {
	f = newFixture(t)
	main = append(main, f.commit("one", "a.txt", "a\n", "dir/b.txt", "b\n"))
	main = append(main, f.commit("two", "a.txt", "a\naa\n"))
	f.git("checkout", "-q", "-b", "topic")
	topic = append(topic, f.commit("three", "c.txt", "c\n"))
	topic = append(topic, f.commit("four", "dir/b.txt", "b\nbb\n"))
	f.git("checkout", "-q", "main")
	main = append(main, f.commit("five", "d.txt", "d\n"))
	f.git("checkout", "-q", "topic")
	return f, main, topic
}

func TestScopes(t *testing.T) {
	t.Parallel()
	dirty := func(f *fixture) {
		f.write("a.txt", "changed\n", "new.txt", "new\n", "staged.txt", "staged\n", ".gitignore", "*.log\n", "x.log", "ignored\n")
		f.git("add", "staged.txt")
		f.remove("dir/b.txt")
	}
	work := []string{
		`added text ".gitignore" +1 -0`, `added text "new.txt" +1 -0`, `added text "staged.txt" +1 -0`,
	}
	type want struct {
		Scope, Base, Head, Policy string
		Notes, Files              []string
	}
	tests := []struct {
		name  string
		scope Scope
		setup func(f *fixture)
		want  want
	}{
		{"commit", Scope{Kind: Commit, Commit: "topic"}, nil, want{"commit:T2", "T1", "T2", "T1", nil, []string{`modified text "dir/b.txt" +1 -0`}}},
		{"root commit", Scope{Kind: Commit, Commit: "topic~3"}, nil, want{"commit:M1", "", "M1", "", []string{"commit:M1, the first commit, as new files"},
			[]string{`added text "a.txt" +1 -0`, `added text "dir/b.txt" +1 -0`}}},
		{"commit ignores the work tree", Scope{Kind: Commit, Commit: "HEAD"}, dirty, want{"commit:T2", "T1", "T2", "T1", nil, []string{`modified text "dir/b.txt" +1 -0`}}},
		{"range", Scope{Kind: Range, From: "main", To: "topic"}, nil, want{"range:M3..T2", "M2", "T2", "M3",
			[]string{"the work on topic since its merge base M2short with main"}, []string{`added text "c.txt" +1 -0`, `modified text "dir/b.txt" +1 -0`}}},
		{"range to HEAD", Scope{Kind: Range, From: "topic~1"}, nil, want{"range:T1..T2", "T1", "T2", "T1", nil, []string{`modified text "dir/b.txt" +1 -0`}}},
		{"range of an ancestor", Scope{Kind: Range, From: "topic", To: "topic~1"}, nil, want{"range:T2..T1", "T1", "T1", "T2",
			[]string{"the work on topic~1 since its merge base T1short with topic"}, []string{}}},
		{"base", Scope{Kind: Base, Base: "main"}, nil, want{"base:main", "M2", "T2", "M3", nil,
			[]string{`added text "c.txt" +1 -0`, `modified text "dir/b.txt" +1 -0`}}},
		{"base and work", Scope{Kind: Base, Base: "main"}, dirty, want{"base:main", "M2", "", "M3", []string{"compared with main, with uncommitted work"},
			append([]string{work[0], `added text "c.txt" +1 -0`}, append(work[1:3:3], `deleted text "dir/b.txt" +0 -1`, `modified text "a.txt" +1 -2`)...)}},
		{"default", Scope{Kind: Default}, nil, want{"base:main", "M2", "T2", "M3", nil,
			[]string{`added text "c.txt" +1 -0`, `modified text "dir/b.txt" +1 -0`}}},
		{"default on the default branch", Scope{Kind: Default}, func(f *fixture) { f.git("checkout", "-q", "main") },
			want{"base:main", "M3", "M3", "M3", []string{"nothing is ahead of main and nothing is uncommitted"}, []string{}}},
		{"default on the default branch with work", Scope{Kind: Default}, func(f *fixture) { f.git("checkout", "-q", "main"); f.write("e.txt", "e\n") },
			want{"uncommitted", "M3", "", "M3", []string{"uncommitted work; nothing is ahead of main"}, []string{`added text "e.txt" +1 -0`}}},
		{"default by origin/HEAD", Scope{Kind: Default}, func(f *fixture) {
			f.git("update-ref", "refs/remotes/origin/trunk", "topic~1")
			f.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
		}, want{"base:trunk", "T1", "T2", "T1", []string{"compared with origin/trunk"}, []string{`modified text "dir/b.txt" +1 -0`}}},
		{"default by init.defaultBranch", Scope{Kind: Default}, func(f *fixture) {
			f.git("branch", "stem", "topic~1")
			f.git("config", "init.defaultBranch", "stem")
		}, want{"base:stem", "T1", "T2", "T1", nil, []string{`modified text "dir/b.txt" +1 -0`}}},
		{"base only at origin", Scope{Kind: Base, Base: "far"}, func(f *fixture) { f.git("update-ref", "refs/remotes/origin/far", "topic~1") },
			want{"base:far", "T1", "T2", "T1", []string{"compared with origin/far"}, []string{`modified text "dir/b.txt" +1 -0`}}},
		{"base is a branch before it is a tag", Scope{Kind: Base, Base: "main"}, func(f *fixture) { f.git("tag", "main", "topic") },
			want{"base:main", "M2", "T2", "M3", nil, []string{`added text "c.txt" +1 -0`, `modified text "dir/b.txt" +1 -0`}}},
		{"uncommitted", Scope{Kind: Uncommitted}, dirty, want{"uncommitted", "T2", "", "T2", nil,
			append(work[:3:3], `deleted text "dir/b.txt" +0 -2`, `modified text "a.txt" +1 -2`)}},
		{"uncommitted, clean", Scope{Kind: Uncommitted}, nil, want{"uncommitted", "T2", "", "T2", nil, []string{}}},
		{"uncommitted, staged then changed back", Scope{Kind: Uncommitted}, func(f *fixture) {
			f.write("a.txt", "x\n")
			f.git("add", "a.txt")
			f.write("a.txt", "a\naa\n")
		}, want{"uncommitted", "T2", "", "T2", nil, []string{}}},
		{"uncommitted, removed from the index only", Scope{Kind: Uncommitted}, func(f *fixture) { f.git("rm", "-q", "--cached", "a.txt") },
			want{"uncommitted", "T2", "", "T2", nil, []string{}}},
		{"uncommitted, file becomes directory", Scope{Kind: Uncommitted}, func(f *fixture) { f.remove("a.txt"); f.write("a.txt/in", "a\n") },
			want{"uncommitted", "T2", "", "T2", nil, []string{`added text "a.txt/in" +1 -0`, `deleted text "a.txt" +0 -2`}}},
		{"uncommitted, intent to add", Scope{Kind: Uncommitted}, func(f *fixture) { f.write("n", "n\n"); f.git("add", "-N", "n") },
			want{"uncommitted", "T2", "", "T2", nil, []string{`added text "n" +1 -0`}}},
		{"file", Scope{Kind: File, Path: "dir/b.txt"}, nil, want{"file:dir/b.txt", "", "", "T2", nil, []string{`added text "dir/b.txt" +2 -0`}}},
		{"untracked file", Scope{Kind: File, Path: "x.log"}, dirty, want{"file:x.log", "", "", "T2", nil, []string{`added text "x.log" +1 -0`}}},
		{"link", Scope{Kind: File, Path: "passwd"}, func(f *fixture) { symlink(t, "/etc/passwd", f.dir, "passwd") },
			want{"file:passwd", "", "", "T2", nil, []string{`added symlink "passwd" +1 -0`}}},
		{"detached head", Scope{Kind: Default}, func(f *fixture) { f.git("checkout", "-q", "--detach") },
			want{"base:main", "M2", "T2", "M3", nil, []string{`added text "c.txt" +1 -0`, `modified text "dir/b.txt" +1 -0`}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f, main, topic := history(t)
			if test.setup != nil {
				test.setup(f)
			}
			named := strings.NewReplacer(main[0], "M1", main[1], "M2", main[2], "M3", topic[0], "T1", topic[1], "T2",
				main[1][:12], "M2short", topic[0][:12], "T1short")
			before := f.state()
			s := f.snapshot(test.scope)
			got := want{named.Replace(s.Scope), named.Replace(s.BaseSHA), named.Replace(s.HeadSHA), named.Replace(s.PolicySHA), nil, listed(s.Change.Set)}
			for _, note := range s.Notes {
				got.Notes = append(got.Notes, named.Replace(note))
			}
			same(t, test.want, got, "snapshot")
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			same(t, before, f.state(), "the repository changed (-before +after)")
		})
	}
}

func symlink(t testing.TB, target, dir, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func TestMergeCommit(t *testing.T) {
	t.Parallel()
	f, main, _ := history(t)
	f.git("checkout", "-q", "main")
	f.git("merge", "-q", "--no-edit", "topic")
	s := f.snapshot(Scope{Kind: Commit, Commit: "HEAD"})
	if s.BaseSHA != main[2] || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "merge of 2 commits") {
		t.Errorf("base %s, notes %q", s.BaseSHA, s.Notes)
	}
	same(t, []string{`added text "c.txt" +1 -0`, `modified text "dir/b.txt" +1 -0`}, listed(s.Change.Set))
}

func TestMergeConflict(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "1\n", "b", "1\n")
	f.git("checkout", "-q", "-b", "other")
	f.commit("two", "a", "2\n")
	f.git("checkout", "-q", "main")
	f.commit("three", "a", "3\n")
	if _, err := f.try("merge", "other"); err == nil {
		t.Fatal("no conflict")
	}
	before := f.state()
	s := f.snapshot(Scope{Kind: Uncommitted})
	same(t, []string{"<<<<<<< HEAD", "=======", "2", ">>>>>>> other"}, added(s.Change.Set, "a"))
	same(t, before, f.state())
}

func TestUnborn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a", "a\n", "b", "b\n")
	f.git("add", "a")
	for _, kind := range []ScopeKind{Default, Uncommitted} {
		s := f.snapshot(Scope{Kind: kind})
		same(t, []string{`added text "a" +1 -0`, `added text "b" +1 -0`}, listed(s.Change.Set))
		if s.Scope != "uncommitted" || s.BaseSHA != "" || s.PolicySHA != "" {
			t.Errorf("%+v", s)
		}
	}
}

func TestBlobs(t *testing.T) {
	t.Parallel()
	f, _, _ := history(t)
	f.write("new.txt", "new\n", "big", strings.Repeat("x", blobLimit+1))
	symlink(t, "/etc/passwd", f.dir, "link")
	symlink(t, "/etc", f.dir, "etc")
	s := f.snapshot(Scope{Kind: Base, Base: "main"})
	writeFile(t, filepath.Join(f.dir, "new.txt"), []byte("later\n"), 0o644)
	tests := []struct {
		path string
		side debate.Side
		want string
		ok   bool
	}{
		{"a.txt", debate.Left, "a\naa\n", true},
		{"dir/b.txt", debate.Left, "b\n", true},
		{"dir/b.txt", debate.Right, "b\nbb\n", true},
		{"c.txt", debate.Left, "", false},
		{"new.txt", debate.Right, "new\n", true}, // as it was when it was frozen
		{"big", debate.Right, "", false},
		{"link", debate.Right, "", false},
		{"etc/passwd", debate.Right, "", false},
		{"dir", debate.Right, "", false},
		{"", debate.Right, "", false},
		{"/a.txt", debate.Right, "", false},
		{"dir/../a.txt", debate.Right, "", false},
		{"../../etc/passwd", debate.Right, "", false},
		{"a.txt\x00", debate.Right, "", false},
		{"a.txt/x", debate.Right, "", false},
	}
	for _, test := range tests {
		content, ok := s.Change.Blob(test.path, test.side)
		if string(content) != test.want || ok != test.ok {
			t.Errorf("Blob(%q, %s) = %q, %t; want %q, %t", test.path, test.side, content, ok, test.want, test.ok)
		}
	}
	for path, want := range map[string]bool{"a.txt": true, "dir": true, "dir/b.txt": true, "c.txt": false, "new.txt": false, "": false, "dir/": false} {
		if got := s.Change.BaseHas(path); got != want {
			t.Errorf("BaseHas(%q) = %t", path, got)
		}
	}
	for dir, want := range map[string][]string{"dir": {"b.txt"}, "missing": nil, "a.txt": nil, "dir/b.txt": nil, "": nil, "../..": nil, "dir/": nil} {
		names, all := s.Change.BaseNames(dir)
		if diff := cmp.Diff(want, names); diff != "" || !all {
			t.Errorf("BaseNames(%q): all %t, %s", dir, all, diff)
		}
	}
}

func TestBaseFolders(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "db/1/up.sql", "a\n", "db/2/up.sql", "a\n", "db/seed.sql", "a\n")
	f.write("db/3/up.sql", "a\n")
	s := f.snapshot(Scope{Kind: Base, Base: "main"})
	for dir, want := range map[string][]string{"db": {"1", "2"}, "db/1": nil, "db/seed.sql": nil, "missing": nil} {
		names, all := s.Change.BaseFolders(dir)
		if diff := cmp.Diff(want, names); diff != "" || !all {
			t.Errorf("BaseFolders(%q): all %t, %s", dir, all, diff)
		}
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	f, _, _ := history(t)
	once, again := f.snapshot(Scope{Kind: Base, Base: "main"}), f.snapshot(Scope{Kind: Base, Base: "main"})
	f.write("x", "x\n")
	other := f.snapshot(Scope{Kind: Base, Base: "main"})
	if once.Hash != again.Hash || len(once.Hash) != 64 {
		t.Errorf("the same change has the hashes %q and %q", once.Hash, again.Hash)
	}
	if once.Hash == other.Hash {
		t.Error("another change has the same hash")
	}
}

func TestSnapshotLeavesNoTemporaryFiles(t *testing.T) {
	tmp := t.TempDir()
	f, _, _ := history(t)
	t.Setenv("TMPDIR", tmp)
	s := f.snapshot(Scope{Kind: Default})
	s.Change.Blob("a.txt", debate.Left)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.open().Snapshot(context.Background(), Scope{Kind: Commit, Commit: "nothing"}); err == nil {
		t.Error("no error")
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
