package gitrepo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/long"
)

// A tree shows both sides as they were frozen: work that nobody has committed, and never
// what git ignores, what a link points at or what a submodule holds.
func TestTree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a.go", "old\n", "dir/b.go", "Sweep()\n", ".gitignore", "*.log\n")
	if err := os.Symlink("../../etc/passwd", filepath.Join(f.dir, "link")); err != nil {
		t.Fatal(err)
	}
	f.git("add", "link")
	f.git("update-index", "--add", "--cacheinfo", "160000,"+f.git("rev-parse", "HEAD")+",module")
	f.git("commit", "-q", "-m", "two")
	if err := os.Mkdir(filepath.Join(f.dir, "module"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.write("a.go", "new\n", "new.go", "Sweep()\n", "secret.log", "Sweep()\n")
	s, err := f.open().Snapshot(context.Background(), Scope{Kind: Uncommitted})
	if err != nil {
		t.Fatal(err)
	}
	tree := s.Tree()
	for _, c := range []struct {
		path string
		side debate.Side
		want string
		why  debate.Withheld
	}{
		{"a.go", debate.Right, "new\n", ""},
		{"a.go", debate.Left, "old\n", ""},
		{"new.go", debate.Right, "Sweep()\n", ""},
		{"new.go", debate.Left, "", debate.LookMissing},
		{"secret.log", debate.Right, "", debate.LookMissing},
		{"link", debate.Right, "", debate.LookSymlink},
		{"link/x", debate.Right, "", debate.LookMissing},
		{"module", debate.Right, "", debate.LookSubmodule},
		{"dir", debate.Right, "", debate.LookDirectory},
		{"../a.go", debate.Right, "", debate.LookMissing},
	} {
		if got, why := tree.Read(c.path, c.side); string(got) != c.want || why != c.why {
			t.Errorf("%s at %s: %q, %q", c.path, c.side, got, why)
		}
	}
	for path, want := range map[string]string{"": "[.gitignore a.go dir/ link module new.go] ", "dir": "[b.go] ", "a.go": "[] no_dir", "module": "[] submodule", "z": "[] missing"} {
		if names, why := tree.List(path, debate.Right); fmt.Sprint(names, " ", why) != want {
			t.Errorf("%q: %v %q", path, names, why)
		}
	}
	for text, want := range map[string][]string{
		"Sweep()": {"dir/b.go", "new.go"}, "passwd": nil, "-e": nil, "nobody": nil, "": {".gitignore", "a.go", "dir/b.go", "new.go"},
	} {
		got, err := tree.Files(t.Context(), debate.Right, text, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("files with %q: %v, %v", text, got, err)
		}
	}
	if left, err := tree.Files(t.Context(), debate.Left, "Sweep()", []string{"**/*.go"}); err != nil || !slices.Equal(left, []string{"dir/b.go"}) {
		t.Errorf("%v, %v", left, err)
	}
	if tree.Name(debate.Left) == tree.Name(debate.Right) || tree.Name(debate.Left) != f.git("rev-parse", "HEAD^{tree}") {
		t.Errorf("the sides are %s and %s", tree.Name(debate.Left), tree.Name(debate.Right))
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if snippet, err := FromSnippet([]byte("x")); err != nil || snippet.Tree() != nil {
		t.Errorf("a snippet has a tree (%v)", err)
	}
}

// A search of a hundred thousand files ends with its results, or at its time limit.
func TestTreeOfManyFiles(t *testing.T) {
	t.Parallel()
	many, limit := long.Pick(1_000, 100_000), long.Pick(time.Minute, 2*time.Second)
	f := newFixture(t)
	f.commit("one", "a.go", "needle\n")
	var b strings.Builder
	blob := f.git("rev-parse", "HEAD:a.go")
	for i := range many {
		fmt.Fprintf(&b, "100644 %s\td%d/f%d\n", blob, i%300, i)
	}
	index := exec.Command("git", "update-index", "--index-info")
	index.Dir, index.Stdin = f.dir, strings.NewReader(b.String())
	if out, err := index.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f.git("commit", "-q", "-m", "many")
	s, err := f.open().Snapshot(context.Background(), Scope{Kind: Commit, Commit: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		text, glob string
		want       int
	}{{"needle", "**", many + 1}, {"no file has this", "**", 0}, {"", "**", many + 1}, {"needle", "d7/**", (many + 292) / 300}} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		began := time.Now()
		found, err := s.Tree().Files(ctx, debate.Right, c.text, []string{c.glob})
		late := ctx.Err() != nil
		cancel()
		took := time.Since(began)
		t.Logf("%q in %s: %d files in %s (%v)", c.text, c.glob, len(found), took, err)
		if took > limit+4*time.Second || !late && (err != nil || len(found) != c.want) || late && c.glob != "**" {
			t.Errorf("%q in %s: %d files in %s (%v)", c.text, c.glob, len(found), took, err)
		}
	}
	if content, why := s.Tree().Read("d7/f7", debate.Right); string(content) != "needle\n" || why != "" {
		t.Errorf("after a search: %q %q", content, why)
	}
}
