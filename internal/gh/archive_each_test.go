package gh_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// each are the files of a side, with their modes, but for what is private.
func (l *looker) each(t *testing.T, side debate.Side) (map[string]ghtest.File, error) {
	l.tree.Fetch(t.Context(), []debate.Look{{Kind: debate.LookList, Side: debate.Right}, {Kind: debate.LookList, Side: debate.Left}})
	got := make(map[string]ghtest.File)
	err := l.tree.Each(t.Context(), side, func(p string) bool { return p != ".env" }, func(path string, mode uint32, content []byte) error {
		got[path] = ghtest.File{Mode: fmt.Sprintf("%06o", mode), Content: string(content)}
		return nil
	})
	return got, err
}

// Both sides are read whole and byte for byte: also what an archive leaves out or alters,
// what is no text, and links by their targets.
func TestEach(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	base, head := wide()
	for side, want := range map[debate.Side]map[string]ghtest.File{debate.Left: base, debate.Right: head} {
		delete(want, ".env")
		delete(want, "sub") // a submodule
		got, err := l.each(t, side)
		if err != nil {
			t.Fatal(err)
		}
		for path, f := range want {
			f.Mode = cmp.Or(f.Mode, "100644")
			if got[path] != f {
				t.Errorf("%s %s: %.80q, want %.80q", side, path, got[path], f)
			}
		}
		apart := 0
		for _, operation := range l.operations() {
			if operation == rawBlob {
				apart++
			}
		}
		if apart != 2 { // hidden.go and version.go
			t.Errorf("%s: %d files are read one by one", side, apart)
		}
		l.Forget()
		if len(got) != len(want) {
			t.Errorf("%s: %d files, want %d: %v", side, len(got), len(want), slices.Sorted(maps.Keys(got)))
		}
	}
}

// A side that cannot be read whole is an error, and not a part of it.
func TestEachFails(t *testing.T) {
	t.Parallel()
	l := wideLooker(t)
	l.FaultOn("/codeload/", 99, ghtest.Answer(http.StatusBadGateway))
	if got, err := l.each(t, debate.Right); err == nil {
		t.Errorf("without an archive there are %d files", len(got))
	}
	l = wideLooker(t)
	l.FaultOn("/git/trees/", 99, ghtest.Answer(http.StatusBadGateway))
	if got, err := l.each(t, debate.Right); err == nil || !strings.Contains(err.Error(), "does not list all files") {
		t.Errorf("without a listing there are %d files, %v", len(got), err)
	}
}
