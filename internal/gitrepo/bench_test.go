package gitrepo

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// bigChange commits n files of 100 lines each on a branch, half of them changed
// and half of them new.
func bigChange(b *testing.B, n int) *fixture {
	f := newFixture(b)
	body := func(i, version int) string {
		var s strings.Builder
		for line := range 100 {
			fmt.Fprintf(&s, "\tresult%d = compute(%d, %d) // version\n", line, i, version*line)
		}
		return s.String()
	}
	for i := range n / 2 {
		f.write(fmt.Sprintf("dir%d/file%d.go", i%50, i), body(i, 1))
	}
	f.commit("one")
	f.git("checkout", "-q", "-b", "topic")
	for i := range n {
		f.write(fmt.Sprintf("dir%d/file%d.go", i%50, i), body(i, 2))
	}
	return f
}

// BenchmarkSnapshot measures a change of n files against the bare `git diff` of it,
// committed and uncommitted.
func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{30, 300, 3000} {
		f := bigChange(b, n)
		r := f.open()
		snapshot := func(b *testing.B, scope Scope) {
			for b.Loop() {
				s, err := r.Snapshot(context.Background(), scope)
				if err != nil {
					b.Fatal(err)
				}
				if len(s.Change.Set.Files) != n {
					b.Fatalf("%d files", len(s.Change.Set.Files))
				}
				s.Close()
			}
		}
		b.Run(fmt.Sprintf("uncommitted/files=%d", n), func(b *testing.B) { snapshot(b, Scope{Kind: Uncommitted}) })
		f.commit("two")
		f.git("gc", "-q")
		b.Run(fmt.Sprintf("range/files=%d", n), func(b *testing.B) { snapshot(b, Scope{Kind: Range, From: "main", To: "topic"}) })
		b.Run(fmt.Sprintf("git-diff/files=%d", n), func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command("git", "diff", "main...topic")
				cmd.Dir = f.dir
				if _, err := cmd.Output(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
