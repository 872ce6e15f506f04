package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "be:fail" { // a test runs itself as the command
		os.Stdout.WriteString("out " + os.Args[2])
		os.Stderr.WriteString("first\nlast " + os.Args[2] + "\n")
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// TestFailureIsNoError: a command that fails has still said something.
func TestFailureIsNoError(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const key = "sk-0123456789"
	got, err := Run(context.Background(), Command{Path: self, Args: []string{"be:fail", key}, Dir: t.TempDir(), Most: 100, Keys: []string{key}})
	if err != nil {
		t.Fatal(err)
	}
	want := Result{Stdout: "out " + key, Stderr: "first\nlast [key]\n", Exit: "exit status 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if failure := got.Failure(); failure.Detail != "the command ended with exit status 3: last [key]" {
		t.Errorf("%q", failure.Detail)
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	room, err := NewRoom()
	if err != nil {
		t.Fatal(err)
	}
	path, err := room.Write(filepath.Join(".tool", "settings.json"), "{}")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "{}" || !strings.HasPrefix(path, room.Home) {
		t.Errorf("%s: %q, %v", path, text, err)
	}
	for _, dir := range []string{filepath.Dir(room.Home), room.Home, room.Work, room.Temp} {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: others may enter: %v, %v", dir, info.Mode(), err)
		}
	}
	if entries, err := os.ReadDir(room.Work); err != nil || len(entries) > 0 {
		t.Errorf("the working directory holds %v, %v", entries, err)
	}
	env := room.Env()
	if !slices.Contains(env, "HOME="+room.Home) || !slices.Contains(env, "TMPDIR="+room.Temp) {
		t.Errorf("%q", env)
	}
	room.Close()
	if _, err := os.Stat(filepath.Dir(room.Home)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the room is still there: %v", err)
	}
}

// TestUsual: what a command gets of the environment is on a list.
func TestUsual(t *testing.T) {
	t.Parallel()
	got := Usual(func(name string) string {
		return map[string]string{"PATH": "/bin", "GITHUB_TOKEN": "t", "HOME": "/root", "TZ": ""}[name]
	})
	if diff := cmp.Diff([]string{"PATH=/bin"}, got); diff != "" {
		t.Error(diff)
	}
}
