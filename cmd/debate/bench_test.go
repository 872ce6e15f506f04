//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkReview measures a whole review by the built command on changes of
// 30, 300 and 3,000 files with 100 changed lines each. The design allows 2 s and
// 400 MB beyond what `git diff` itself takes for the largest. Reported are the
// time of the review, that of `git diff` on the same change, and the peak memory
// of our process.
func BenchmarkReview(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "debate")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, files := range []int{30, 300, 3000} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			dir := largeChange(b, files)
			records := b.TempDir()
			var git, review time.Duration
			var peak int64
			for i := 0; b.Loop(); i++ {
				diff, _ := timed(b, exec.Command("git", "-C", dir, "--no-pager", "diff", "HEAD~1", "HEAD"))
				ours, rss := timed(b, exec.Command(binary, "-q", "-C", dir, "review", "--range", "HEAD~1..HEAD",
					"--format", "json", "--record", filepath.Join(records, fmt.Sprint(i), "record.jsonl")))
				git, review, peak = git+diff, review+ours, max(peak, rss)
			}
			b.ReportMetric(float64(review.Milliseconds())/float64(b.N), "review-ms")
			b.ReportMetric(float64(git.Milliseconds())/float64(b.N), "git-diff-ms")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
		})
	}
}

// timed runs a command and returns how long it took and its peak memory in bytes.
func timed(b *testing.B, cmd *exec.Cmd) (time.Duration, int64) {
	b.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Env = surroundings(b.TempDir())
	start := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %v\n%s", cmd.Args, err, stderr.String())
	}
	return time.Since(start), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
}

// largeChange makes a repository whose last commit changes 100 lines in each of
// many files: 50 removed and 50 added, in five hunks.
func largeChange(b *testing.B, files int) string {
	b.Helper()
	dir := b.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "gc.auto=0"}, args...)...)
		cmd.Env = surroundings(dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	fill := func(version string) {
		for i := range files {
			var text strings.Builder
			for n := range 200 {
				if n/10%4 == 1 {
					fmt.Fprintf(&text, "\tresult%d := compute(%s, %d, \"file %d\")\n", n, version, n, i)
				} else {
					fmt.Fprintf(&text, "\tstep%d(ctx, %d) // unchanged in file %d\n", n, n, i)
				}
			}
			path := filepath.Join(dir, fmt.Sprintf("pkg%d", i%40), fmt.Sprintf("file%d.go", i))
			makeDir(b, filepath.Dir(path), 0o755)
			writeFile(b, path, []byte(text.String()), 0o644)
		}
		git("add", ".")
		git("commit", "-q", "-m", version)
	}
	git("init", "-q")
	fill("before")
	fill("after")
	return dir
}
