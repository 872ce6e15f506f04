package gitrepo

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/patch"
)

// searched searches a scope and writes what is found.
func searched(t *testing.T, f *fixture, scope Scope, names ...string) (string, patch.Reach) {
	t.Helper()
	s, err := f.open().Snapshot(context.Background(), scope)
	if err != nil {
		t.Fatal(err)
	}
	found, reach := s.Change.Search(names)
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	var b strings.Builder
	for _, u := range found {
		fmt.Fprintf(&b, "%s:%d %s\n", u.Path, u.Line, u.Text)
	}
	return b.String(), reach
}

// A search sees the head of a scope as it was frozen: words alone, in texts alone, and
// nothing that git ignores.
func TestSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a.go", "Sweep()\n", "b \"q\"\tä.go", "\tl.Sweep() // x\nDoSweep()\n", "dir/c.txt", "-e Sweep\n", "bin", "Sweep\x00\n", ".gitignore", "*.log\n")
	f.commit("two", "a.go", "Clean()\n", "-e", "get('/api/v1')\n")
	f.write("new.go", "Sweep()\n", "x.log", "Sweep()\n", "dir/c.txt", "nothing\n")
	committed := "b \"q\"\tä.go:1 \tl.Sweep() // x\ndir/c.txt:1 -e Sweep\n"
	for _, c := range []struct {
		scope Scope
		names []string
		want  string
	}{
		{Scope{Kind: Commit, Commit: "HEAD"}, []string{"Sweep"}, committed},
		{Scope{Kind: Commit, Commit: "HEAD"}, []string{"/api/v1", "--help", ".*", "a]^\\{1}"}, "-e:1 get('/api/v1')\n"},
		{Scope{Kind: Uncommitted}, []string{"Sweep"}, "b \"q\"\tä.go:1 \tl.Sweep() // x\nnew.go:1 Sweep()\n"},
		{Scope{Kind: Commit, Commit: "HEAD"}, []string{"nobody"}, ""},
	} {
		if got, reach := searched(t, f, c.scope, c.names...); got != c.want || reach != patch.Everywhere {
			t.Errorf("%v %q: %d\n%s\nwant\n%s", c.scope.Kind, c.names, reach, got, c.want)
		}
	}
}

// A name that stands everywhere is left out, and the others are found.
func TestSearchIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a.txt", strings.Repeat("everywhere "+strings.Repeat("x", 90)+"\n", 50_000)+"Sweep\n")
	f.commit("two", "b.txt", "b\n")
	got, reach := searched(t, f, Scope{Kind: Commit, Commit: "HEAD"}, "everywhere", "Sweep")
	if got != "a.txt:50001 Sweep\n" || reach != patch.Everywhere {
		t.Errorf("%d bytes, %d", len(got), reach)
	}
}

// What cannot be read is no reason to review less: it only cannot be searched.
func TestSearchWithoutABlob(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commit("one", "a", "Sweep\n", "b", "Sweep b\n")
	blob := f.git("rev-parse", "HEAD:a")
	f.commit("two", "c", "c\n")
	f.remove(".git/objects/" + blob[:2] + "/" + blob[2:])
	if got, reach := searched(t, f, Scope{Kind: Commit, Commit: "HEAD"}, "Sweep"); got != "" || reach != patch.NotSearched {
		t.Errorf("%d %q", reach, got)
	}
}
