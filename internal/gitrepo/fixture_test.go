package gitrepo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/patch"
)

// TestMain gives the tests, and the code under test, an empty home.
func TestMain(m *testing.M) {
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	home, err := os.MkdirTemp("", "gitrepo-home-")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// fixture is a repository made by real git.
type fixture struct {
	t   testing.TB
	dir string
}

func newFixture(t testing.TB, initArgs ...string) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: filepath.Join(t.TempDir(), "repo")}
	if err := os.Mkdir(f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f.git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return f
}

// at is the same test in another directory.
func (f *fixture) at(dir string) *fixture { return &fixture{t: f.t, dir: dir} }

func (f *fixture) git(args ...string) string {
	f.t.Helper()
	out, err := f.try(args...)
	if err != nil {
		f.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func (f *fixture) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_OPTIONAL_LOCKS=0",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// write writes files given as name, content pairs.
func (f *fixture) write(pairs ...string) {
	f.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(f.dir, pairs[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			f.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pairs[i+1]), 0o644); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *fixture) remove(name string) {
	f.t.Helper()
	if err := os.RemoveAll(filepath.Join(f.dir, name)); err != nil {
		f.t.Fatal(err)
	}
}

// commit writes files, adds everything and commits; it returns the id.
func (f *fixture) commit(message string, pairs ...string) string {
	f.t.Helper()
	f.write(pairs...)
	f.git("add", "-A")
	f.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message)
	return f.git("rev-parse", "HEAD")
}

func (f *fixture) open() *Repo {
	f.t.Helper()
	r, err := Open(context.Background(), f.dir)
	if err != nil {
		f.t.Fatalf("Open: %v", err)
	}
	return r
}

func (f *fixture) snapshot(scope Scope) *Snapshot {
	f.t.Helper()
	s, err := f.open().Snapshot(context.Background(), scope)
	if err != nil {
		f.t.Fatalf("Snapshot(%+v): %v", scope, err)
	}
	f.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			f.t.Errorf("Close: %v", err)
		}
	})
	return s
}

// state is everything in the repository and the work tree, names, modes and
// bytes, and what git says about it.
func (f *fixture) state() map[string]string {
	f.t.Helper()
	state := map[string]string{}
	if out, err := f.try("status", "--porcelain"); err == nil { // first: it may write
		state["status"] = out
	}
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = fmt.Sprintf("%x", sha256.Sum256(b))
		}
		state[path] = fmt.Sprint(info.Mode(), content)
		if !strings.Contains(path, "/objects/") && !strings.Contains(path, "sharedindex") { // git marks what it meets as in use
			state[path] += info.ModTime().String()
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return state
}

// listed describes the files of a change, one line each.
func listed(set *patch.Set) []string {
	out := []string{}
	for _, file := range set.Files {
		line := fmt.Sprintf("%s %s %q +%d -%d", file.Status, file.Kind, file.Path(), file.Additions, file.Deletions)
		if file.Unparsed != "" {
			line += " unparsed: " + file.Unparsed
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

// added returns the added lines of a file.
func added(set *patch.Set, path string) []string {
	var out []string
	for _, file := range set.Files {
		if file.Path() != path {
			continue
		}
		for _, hunk := range file.Hunks {
			for _, line := range hunk.Lines {
				if line.Op == '+' {
					out = append(out, line.Text)
				}
			}
		}
	}
	return out
}

// same compares two values, and says which part differs.
func same(t testing.TB, want, got any, what ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", strings.Join(what, ""), diff)
	}
}

// writeFile ends the test if the system refuses.
func writeFile(t testing.TB, path string, data []byte, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, data, mode); err != nil {
		t.Fatal(err)
	}
}
