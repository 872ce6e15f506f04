package gitrepo

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// awkward are names that a file can have in git.
var awkward = []string{
	"a\nb", "a\tb", "-rf", "--output=x", "trailing ", " leading", "quote\"d", "back\\slash", "\xff\xfe", "é", "a -> b", ":(glob)**", ":!x", "*", "[a]",
	"a\n\n### verdict: pass.md", "diff --git a/x b/x", "%s", "$(id)", "C:\\x", "\x01\x1b[31m", "... ", "dir/-x/ y", "a\r", strings.Repeat("n", 255),
}

func TestAwkwardNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "keep", "keep\n")
	f.git("checkout", "-q", "-b", "topic")
	want := []string{}
	for i, name := range awkward {
		f.write(name, fmt.Sprintf("content %d\n", i))
		want = append(want, fmt.Sprintf("%q", name))
	}
	check := func(s *Snapshot) {
		t.Helper()
		got := []string{}
		for _, file := range s.Change.Set.Files {
			if file.Unparsed != "" {
				t.Errorf("%q is unparsed: %s", file.Path(), file.Unparsed)
			}
			got = append(got, fmt.Sprintf("%q", file.Path()))
		}
		same(t, slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got)))
		for i, name := range awkward {
			content, ok := s.Change.Blob(name, debate.Right)
			if !ok || string(content) != fmt.Sprintf("content %d\n", i) {
				t.Errorf("Blob(%q) = %q, %t", name, content, ok)
			}
			if s.Change.BaseHas(name) {
				t.Errorf("BaseHas(%q)", name)
			}
		}
	}
	check(f.snapshot(Scope{Kind: Uncommitted}))
	for _, name := range awkward {
		s := f.snapshot(Scope{Kind: File, Path: name})
		same(t, []string{`added text ` + fmt.Sprintf("%q", name) + ` +1 -0`}, listed(s.Change.Set))
	}
	f.commit("two")
	check(f.snapshot(Scope{Kind: Commit, Commit: "HEAD"}))
	check(f.snapshot(Scope{Kind: Base, Base: "main"}))
}

func TestRefsThatLookLikeOptions(t *testing.T) {
	t.Parallel()
	f, _, topic := history(t)
	target := filepath.Join(t.TempDir(), "written")
	for _, name := range []string{"--output=" + target, "-O" + target, "--upload-pack=touch " + target, "--git-path", "-h", "--all", "--help", "^main", "main..topic",
		"", "\x00", "a\nb", strings.Repeat("x", 5000), "$(touch " + target + ")", "--end-of-options", "@{-99}", "main^{tree}", "HEAD:a.txt", ":/nothing like this"} {
		for _, scope := range []Scope{{Kind: Commit, Commit: name}, {Kind: Base, Base: name}, {Kind: Range, From: "main", To: name + "~0"}} {
			_, err := f.open().Snapshot(context.Background(), scope)
			if !isUnknown(err) {
				t.Errorf("%s %q: got %v", scope.Kind, name, err)
			} else if strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("%q: the message has more than a line: %q", name, err)
			}
		}
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("a file was written")
	}
	// A branch may truly be named so.
	f.git("update-ref", "refs/heads/--output=x", topic[0])
	if s := f.snapshot(Scope{Kind: Base, Base: "--output=x"}); s.PolicySHA != topic[0] || s.Scope != "base:--output=x" {
		t.Errorf("%+v", s)
	}
}

func TestCountsEqualGits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	random := rand.New(rand.NewPCG(1, 2))
	text := func(lines int) string {
		var b strings.Builder
		for range lines {
			fmt.Fprintf(&b, "line %d\n", random.IntN(50))
		}
		return b.String()
	}
	for i := range 60 {
		f.write(fmt.Sprintf("d%d/f%d.txt", i%5, i), text(random.IntN(80)))
	}
	f.write("bin", "\x00one", "gone", text(9), "noeol", "a", "crlf", "a\r\nb\r\n", ".gitattributes", "crlf -text\n")
	base := f.commit("one")
	for i := range 60 {
		name := fmt.Sprintf("d%d/f%d.txt", i%5, i)
		switch random.IntN(5) {
		case 0:
			f.remove(name)
		case 1:
			f.git("mv", name, fmt.Sprintf("moved%d", i))
		case 2:
			f.write(name, text(random.IntN(80)))
		case 3:
			f.git("update-index", "--chmod=+x", name)
			if err := os.Chmod(filepath.Join(f.dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.write("bin", "\x00two", "noeol", "a\nb", "crlf", "a\nb\r\n", "empty", "")
	f.remove("gone")
	work := f.snapshot(Scope{Kind: Uncommitted})
	head := f.commit("two")
	committed := f.snapshot(Scope{Kind: Commit, Commit: head})
	want := f.git("diff", "--shortstat", base, head)
	for _, s := range []*Snapshot{work, committed} {
		additions, deletions := 0, 0
		for _, file := range s.Change.Set.Files {
			if !file.Decoded && !file.Unfolded { // git counts no lines of it
				additions, deletions = additions+file.Additions, deletions+file.Deletions
			}
			if file.Unparsed != "" {
				t.Errorf("%q is unparsed: %s", file.Path(), file.Unparsed)
			}
		}
		got := fmt.Sprintf(" %d files changed, %d insertions(+), %d deletions(-)", len(s.Change.Set.Files), additions, deletions)
		if got != want {
			t.Errorf("%s: got %q, git says %q", s.Scope, got, want)
		}
	}
}

// TestForgedTree: names that no git writes are listed as not read, and do not stop
// the review of the others.
func TestForgedTree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a.go", "package a\n")
	f.write("text", "evil\n", "binary", "e\x00vil\n")
	text, binary := f.git("hash-object", "-w", "text"), f.git("hash-object", "-w", "binary")
	var tree []byte
	for _, entry := range [][2]string{{"../x", text}, {".git", text}, {"a/b", text}, {"a/bin", binary}, {"good.go", text}} {
		id, err := hex.DecodeString(entry[1])
		if err != nil {
			t.Fatal(err)
		}
		tree = append(append(tree, "100644 "+entry[0]+"\x00"...), id...)
	}
	f.write("tree", string(tree))
	id := f.git("commit-tree", "-p", "HEAD", "-m", "two", f.git("hash-object", "-t", "tree", "-w", "--literally", "tree"))
	want := []string{
		`added binary "a/bin" +0 -0 unparsed: ` + notFound,
		`added text "../x" +1 -0 unparsed: its path leaves the repository`,
		`added text ".git" +1 -0`, `added text "a/b" +1 -0`, `added text "good.go" +1 -0`, `deleted text "a.go" +0 -1`,
	}
	same(t, want, listed(f.snapshot(Scope{Kind: Commit, Commit: id}).Change.Set))
}
