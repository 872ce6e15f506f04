//go:build unix

package action_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/actiontest"
)

// newKept has a release that curl delivers, and a directory for tools that outlives a job.
func newKept(t *testing.T) *prepared {
	t.Helper()
	p := newPrepared(t)
	p.release("repository acme/fork", "linux/amd64 "+digest(archive("debate", program)))
	p.downloads(archive("debate", program))
	p.env["RUNNER_TOOL_CACHE"] = filepath.Join(p.dir, "tools")
	return p
}

func (p *prepared) keptArchive() string {
	return filepath.Join(p.dir, "tools/debate", digest(archive("debate", program)), "archive")
}

// TestPrepareKeeps: the archive is downloaded once, and is looked at again each time.
func TestPrepareKeeps(t *testing.T) {
	t.Parallel()
	p := newKept(t)
	if p.run() == "" || p.kept != filepath.Dir(p.keptArchive()) || !strings.Contains(p.asked(), "acme/fork/releases/") {
		t.Fatalf("kept %q, asked %q, said %q", p.kept, p.asked(), p.says)
	}
	binary := p.again()
	if binary == "" || p.kept != "" || p.asked() != "" {
		t.Fatalf("the second job kept %q, asked %q, said %q", p.kept, p.asked(), p.says)
	}
	if out, err := exec.Command(binary).CombinedOutput(); err != nil || string(out) != "I am debate\n" {
		t.Errorf("%s, %v", out, err)
	}

	write(t, p.keptArchive(), archive("debate", "#!/bin/sh\necho I am another\n"))
	binary = p.again()
	if binary == "" || p.kept == "" || p.asked() == "" || read(t, binary) != program || !strings.Contains(p.says, "is downloaded anew") {
		t.Errorf("another archive: kept %q, asked %q, said %q", p.kept, p.asked(), p.says)
	}
	if read(t, p.keptArchive()) != archive("debate", program) {
		t.Error("the other archive is still there")
	}
}

// TestPrepareForgetsOldArchives: a runner that is kept does not fill up.
func TestPrepareForgetsOldArchives(t *testing.T) {
	t.Parallel()
	p := newKept(t)
	for name, days := range map[string]int{"old": 40, "young": 3} {
		dir := filepath.Join(p.dir, "tools/debate", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		when := time.Now().AddDate(0, 0, -days)
		if err := os.Chtimes(dir, when, when); err != nil {
			t.Fatal(err)
		}
	}
	if p.run() == "" {
		t.Fatal(p.says)
	}
	left, err := filepath.Glob(filepath.Join(p.dir, "tools/debate/*"))
	if err != nil || len(left) != 2 || strings.Contains(strings.Join(left, " "), "old") {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestPrepareWhereItCannotKeep: a directory for tools that cannot be written harms nothing.
func TestPrepareWhereItCannotKeep(t *testing.T) {
	t.Parallel()
	p := newKept(t)
	write(t, filepath.Join(p.dir, "tools"), "a file\n")
	if p.run() == "" || p.kept != "" {
		t.Errorf("kept %q, said %q", p.kept, p.says)
	}
}

// TestPrepareSaysWhereItKeeps: what the cache of the action goes by.
func TestPrepareSaysWhereItKeeps(t *testing.T) {
	t.Parallel()
	wanted := digest(archive("debate", program))
	for _, c := range []struct {
		name, key string
		set       func(p *prepared)
	}{
		{"a release", "debate-" + wanted, func(*prepared) {}},
		{"an archive elsewhere", "debate-" + wanted, func(p *prepared) { p.env["INPUT_BINARY"] = "https://files.example.com/d.tar.gz" }},
		{"a program of the runner", "", func(p *prepared) { p.env["INPUT_BINARY"] = "/opt/debate" }},
		{"no release", "", func(p *prepared) { write(t, filepath.Join(p.dir, "action/.github/action/release.txt"), "# none\n") }},
		{"no digest for the system", "", func(p *prepared) { p.release("darwin/arm64 " + wanted) }},
	} {
		p := newKept(t)
		c.set(p)
		cmd := exec.Command(filepath.Join(p.dir, "bin", "bash"), filepath.Join(p.dir, "action/.github/action/prepare.sh"), "cache")
		for name, value := range p.env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%s: %s, %v", c.name, out, err)
		}
		dir := ""
		if c.key != "" {
			dir = filepath.Dir(p.keptArchive())
		}
		values, err := actiontest.Values(read(t, p.env["GITHUB_OUTPUT"]))
		if err != nil || values["key"] != c.key || values["dir"] != dir {
			t.Errorf("%s: outputs %v, %v", c.name, values, err)
		}
		if left, err := filepath.Glob(filepath.Join(p.dir, "temp", "*")); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind %v, %v", c.name, left, err)
		}
	}
}
