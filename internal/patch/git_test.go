package patch

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repo is a repository for one test. Nothing of the user's git gets in.
type repo struct {
	t   testing.TB
	dir string
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	r := &repo{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repo) run(ok func(code int) bool, args ...string) []byte {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && !ok(cmd.ProcessState.ExitCode()) {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.Bytes()
}

func (r *repo) git(args ...string) []byte {
	r.t.Helper()
	return r.run(func(code int) bool { return code == 0 }, args...)
}

func (r *repo) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *repo) write(name, content string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) chmod(name string, mode os.FileMode) {
	r.t.Helper()
	if err := os.Chmod(r.path(name), mode); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) remove(name string) {
	r.t.Helper()
	if err := os.Remove(r.path(name)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) rename(from, to string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(to)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Rename(r.path(from), r.path(to)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) symlink(target, name string) {
	r.t.Helper()
	if err := os.Symlink(target, r.path(name)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
}

// change commits what before makes, then what after makes, and returns git's
// diff and listing of the second commit under the same options.
func (r *repo) change(before, after func(), options ...string) (diff []byte, listing []Entry) {
	r.t.Helper()
	before()
	r.commit("before")
	after()
	r.commit("after")
	return r.diff(options...)
}

func (r *repo) diff(options ...string) (diff []byte, listing []Entry) {
	r.t.Helper()
	ask := func(options []string, format ...string) []byte {
		args := append([]string{"diff"}, format...)
		return r.git(append(append(args, options...), "HEAD~", "HEAD", "--")...)
	}
	// These two ask for a patch whatever else is asked for.
	plain := slices.DeleteFunc(slices.Clone(options), func(o string) bool { return o == "--binary" || o == "-U0" })
	listing, err := ParseListing(ask(plain, "--raw", "-z"), ask(plain, "--numstat", "-z"))
	if err != nil {
		r.t.Fatal(err)
	}
	return ask(options, "-p"), listing
}

// fileOf finds a file by its path.
func fileOf(t testing.TB, set *Set, path string) *File {
	t.Helper()
	for _, f := range set.Files {
		if f.Path() == path {
			return f
		}
	}
	t.Fatalf("no file %q in %s", path, describe(set))
	return nil
}

// describe shows a set for people.
func describe(set *Set) string {
	var b strings.Builder
	for _, f := range set.Files {
		b.WriteString("\n" + summary(f))
	}
	return b.String()
}
