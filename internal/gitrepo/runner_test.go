package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// script makes a program that stands in for git.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "git")
	writeProgram(t, path, "#!/bin/sh\n"+text)
	return path
}

// writeProgram writes a program while no test beside this one may fork: a child that
// inherits the file open for writing would keep it from being started ("text file busy").
func writeProgram(t testing.TB, path, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	writeFile(t, path, []byte(text), 0o755)
}

func TestGitMissingOrTooOld(t *testing.T) {
	empty := t.TempDir()
	t.Setenv("PATH", empty)
	if _, err := Open(context.Background(), empty); !errors.Is(err, ErrNoGit) {
		t.Errorf("got %v", err)
	}
	for version, old := range map[string]bool{
		"git version 2.31.1": true, "git version 1.99": true, "git version": true, "": true, "hub version 2.39.5": true, "git version x.y": true,
		"git version 2.32.0": false, "git version 2.39.5 (Apple Git-154)": false, "git version 2.52.0.windows.1": false, "git version 3.0-rc1": false,
	} {
		t.Setenv("PATH", filepath.Dir(script(t, "echo '"+version+"'\n")))
		_, err := findGit(t.Context())
		if (err != nil) != old || old && !strings.Contains(err.Error(), "git is too old ("+version+")") {
			t.Errorf("%q: %v", version, err)
		}
	}
	broken := script(t, "exit 3\n")
	t.Setenv("PATH", filepath.Dir(broken))
	if _, err := Open(context.Background(), empty); err == nil || !strings.Contains(err.Error(), broken+" does not work: git version: exit status 3; install git 2.") {
		t.Errorf("got %v", err)
	}
}

// TestNoPlaceForTemporaryFiles: where none can be made, the error says which variable names
// another place.
func TestNoPlaceForTemporaryFiles(t *testing.T) {
	f := newFixture(t)
	f.commit("one", "a", "a\n")
	f.write("a", "b\n")
	gone := filepath.Join(t.TempDir(), "gone")
	t.Setenv("TMPDIR", gone)
	if runtime.GOOS == "windows" {
		t.Setenv("TMP", gone)
	}
	repo, err := Open(context.Background(), f.dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = repo.Snapshot(context.Background(), Scope{Kind: Uncommitted})
	if err == nil || !strings.Contains(err.Error(), "git needs a place for temporary files: stat "+gone) || !strings.Contains(err.Error(), "set TMPDIR to a directory that can be written") {
		t.Errorf("got %v", err)
	}
}

func TestCancelKillsTheGroup(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	fifo(t, pipe)
	git := &runner{path: script(t, "exec 3>'"+pipe+"'\nsleep 1000 &\necho started >&3\nwait\n")}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := git.run(ctx, command{env: baseEnv(), args: []string{"diff"}, limit: 10})
		done <- err
	}()
	held, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	lines := bufio.NewReader(held)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "git diff") {
		t.Errorf("got %v", err)
	}
	// The pipe ends when the last process that holds it has ended.
	if _, err := io.ReadAll(lines); err != nil {
		t.Error(err)
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	git := &runner{path: script(t, "while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done\n")}
	_, err := git.run(context.Background(), command{env: baseEnv(), args: []string{"diff"}, limit: 1000})
	var limit *LimitError
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "output of git diff") {
		t.Errorf("got %v", err)
	}
}

func TestMessagesAreShortLines(t *testing.T) {
	t.Parallel()
	git := &runner{path: script(t, "printf 'warning: w\\nfatal: \\033[31mno\\rway '\"$(head -c 100000 /dev/zero | tr '\\0' x)\"'\\nhint: h\\n' >&2\nexit 128\n")}
	_, err := git.run(context.Background(), command{env: baseEnv(), args: []string{"-c", "a=b", "diff"}, limit: 1000})
	if err == nil || len(err.Error()) > 600 || strings.ContainsAny(err.Error(), "\x1b\r\n") || !strings.HasPrefix(err.Error(), "git diff: ") {
		t.Errorf("got %q", err)
	}
}

func TestCancelledSnapshot(t *testing.T) {
	tmp := t.TempDir()
	f, _, _ := history(t)
	r := f.open()
	t.Setenv("TMPDIR", tmp)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, kind := range []ScopeKind{Default, Uncommitted} {
		if _, err := r.Snapshot(ctx, Scope{Kind: kind}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := Open(ctx, f.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v", err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestBlobAfterCancel(t *testing.T) {
	t.Parallel()
	f, _, _ := history(t)
	ctx, cancel := context.WithCancel(context.Background())
	s, err := f.open().Snapshot(ctx, Scope{Kind: Commit, Commit: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, ok := s.Change.Blob("dir/b.txt", "RIGHT"); ok {
		t.Error("a blob was read after the end")
	}
	if err := s.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("Close: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if _, ok := s.Change.Blob("dir/b.txt", "RIGHT"); ok {
		t.Error("a blob was read after Close")
	}
}
