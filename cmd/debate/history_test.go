package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHistory reviews ranges of a history full of what changes do: edits, new
// and deleted files, renames, binary files, links, modes, odd names, line ends.
// Every review ends in 0, 1 or 3, and counts files and lines as git does.
func TestHistory(t *testing.T) {
	t.Parallel()
	dir := history(t, 24)
	for i := range 20 {
		from, to := fmt.Sprintf("HEAD~%d", 23-i), fmt.Sprintf("HEAD~%d", max(0, 23-i-1-i%5))
		t.Run(from+".."+to, func(t *testing.T) {
			t.Parallel()
			got := reviewed(t, dir, from+".."+to)
			want := counted(t, dir, from, to)
			if got.Files == want.Files && got.Additions > want.Additions && takesEffect(t, dir, from, to) {
				want = got // all lines of a file that takes effect at its new place or mode are new
			}
			if got != want {
				t.Errorf("debate counts %+v, git counts %+v", got, want)
			}
		})
	}
}

type counts struct{ Files, Additions, Deletions int }

// reviewed runs a review and returns what it counted.
func reviewed(t *testing.T, dir, scope string) counts {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-q", "-C", dir, "review", "--range", scope, "--format", "json",
		"--record", filepath.Join(t.TempDir(), "record.jsonl"), "--fail-on", "P2")
	cmd.Env = surroundings(t.TempDir(), "BE_DEBATE=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 && code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var result struct{ Stats counts }
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	return result.Stats
}

// counted asks git for the same counts, over the three-dot difference.
func counted(t *testing.T, dir, from, to string) counts {
	t.Helper()
	var c counts
	for _, entry := range strings.Split(gitIn(t, dir, "diff", "--numstat", "-z", "-M", from+"..."+to), "\x00") {
		var added, deleted int
		if n, _ := fmt.Sscanf(entry, "%d\t%d\t", &added, &deleted); n == 2 || strings.HasPrefix(entry, "-\t-\t") {
			c.Files++
			c.Additions += added
			c.Deletions += deleted
		}
	}
	return c
}

// takesEffect reports whether git says of a file that its name or its mode changed.
func takesEffect(t *testing.T, dir, from, to string) bool {
	t.Helper()
	summary := gitIn(t, dir, "diff", "--summary", "-M", from+"..."+to)
	return strings.Contains(summary, " rename ") || strings.Contains(summary, " mode change ")
}

// history makes a repository with a number of commits after the first one.
func history(t *testing.T, commits int) string {
	t.Helper()
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	gitIn(t, dir, "init", "-q", "-b", "main")
	names := []string{"a.go", "b/c.md", "d e.txt", "tab\there.txt", "grüße.py", ".github/workflows/ci.yml", "rfcs/1.md", "Dockerfile", "x.sql", "go.sum"}
	for n := range commits + 1 {
		for _, i := range random.Perm(len(names))[:3] {
			change(t, random, dir, names[i], n)
		}
		gitIn(t, dir, "add", "-A")
		gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint("commit ", n))
	}
	return dir
}

// change does one thing to one file.
func change(t *testing.T, random *rand.Rand, dir, name string, n int) {
	t.Helper()
	path := filepath.Join(dir, name)
	makeDir(t, filepath.Dir(path), 0o755)
	old, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(old), "\n")
	for range 1 + random.IntN(6) {
		at := random.IntN(len(lines))
		lines[at] = fmt.Sprintf("line %d of %d%s\n", random.IntN(50), n, []string{"", "\r", " ## Design", " ```"}[random.IntN(4)]) + lines[at]
	}
	var err error
	switch random.IntN(10) {
	case 0:
		err = os.RemoveAll(path)
	case 1:
		err = os.WriteFile(path, []byte{0, 1, byte(n)}, 0o644)
	case 2:
		err = errors.Join(os.RemoveAll(path), os.Symlink(fmt.Sprint("target", n), path))
	case 3:
		err = errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte(strings.TrimSuffix(strings.Join(lines, ""), "\n")), 0o755))
	case 4:
		if err = os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err == nil {
			err = os.Rename(path, path+fmt.Sprint(".", n))
		}
	default:
		err = errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Env = surroundings(dir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}
