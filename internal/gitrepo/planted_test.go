package gitrepo

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

const plantedPatch = `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,2 +1,2 @@
 package a
-var x = 1
+var x = 2
diff --git a/new-dir/b.txt b/new-dir/b.txt
new file mode 100644
--- /dev/null
+++ b/new-dir/b.txt
@@ -0,0 +1 @@
+hello
`

// TestFromFiles: both sides can be read and searched, files that the patch does not touch
// included, and the same files and patch are the same change.
func TestFromFiles(t *testing.T) {
	files := map[string][]byte{"a.go": []byte("package a\nvar x = 1\n"), "lib/user.go": []byte("package lib\n\nvar y = a.x")}
	s, err := FromFiles(t.Context(), files, []byte(plantedPatch))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var names []string
	for _, f := range s.Change.Set.Files {
		names = append(names, f.NewPath)
	}
	same(t, []string{"a.go", "new-dir/b.txt"}, names)
	for _, tt := range []struct {
		path string
		side debate.Side
		want string
	}{{"a.go", debate.Left, "package a\nvar x = 1\n"}, {"a.go", debate.Right, "package a\nvar x = 2\n"}, {"lib/user.go", debate.Right, "package lib\n\nvar y = a.x"}} {
		if got, why := s.Tree().Read(tt.path, tt.side); string(got) != tt.want {
			t.Errorf("%s at %s: %q, %s", tt.path, tt.side, got, why)
		}
	}
	found, err := s.Tree().Files(t.Context(), debate.Right, "a.x", nil)
	if diff := cmp.Diff([]string{"lib/user.go"}, found); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	again, err := FromFiles(t.Context(), files, []byte(plantedPatch))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Hash != s.Hash {
		t.Error("the same change has two hashes")
	}
}

// TestFromFilesRefuses what no repository can hold and what does not fit, and leaves
// nothing behind.
func TestFromFilesRefuses(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, path := range []string{"../a.go", "/a.go", ".git/config", "x/.GIT/config", "", "."} {
		_, err := FromFiles(t.Context(), map[string][]byte{path: nil}, nil)
		if !errors.As(err, new(*FileError)) {
			t.Errorf("%q: %v", path, err)
		}
	}
	for name, patch := range map[string]string{
		"other lines": strings.ReplaceAll(plantedPatch, "var x = 1", "var x = 5"),
		"no patch":    "some words\n",
		"outside":     "diff --git a/../../x b/../../x\nnew file mode 100644\n--- /dev/null\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n",
	} {
		_, err := FromFiles(t.Context(), map[string][]byte{"a.go": []byte("package a\nvar x = 1\n")}, []byte(patch))
		if err == nil || !strings.Contains(err.Error(), "the patch does not fit the files: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(temp, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
