package gh

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/patch"
)

// neighbourly is a change of a.go with other files in the tree.
func neighbourly() *hub {
	h := oneFile()
	for path, text := range map[string]string{
		"near.go": "call(two)\ntwofold\n", "far/away.py": "x = 1\ny = two\n", ".env": "K=two\n", "vendor/v.go": "two\n", "odd.go": "two\r\n\x00",
	} {
		h.tree = append(h.tree, map[string]any{"path": path, "mode": "100644", "sha": gitID(text), "size": len(text)})
		h.blobs[mergeSHA+":"+path] = text
	}
	return h
}

func written(found []patch.Use) string {
	var b strings.Builder
	for _, u := range found {
		fmt.Fprintf(&b, "%s:%d %s, ", u.Path, u.Line, u.Text)
	}
	return b.String()
}

// A search reads the files next to the change once, in one query, and nothing of a file
// of secrets; what was read goes on to another job.
func TestSearch(t *testing.T) {
	t.Parallel()
	h := neighbourly()
	s, _, err := h.snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	before := h.queries
	for range 2 {
		found, reach := s.Change.Search([]string{"two", "one"})
		if got := written(found); got != "a.go:1 one, far/away.py:2 y = two, near.go:1 call(two), " || reach != patch.Everywhere {
			t.Errorf("%s %d", got, reach)
		}
	}
	if h.queries != before+1 || s.Err() != nil {
		t.Errorf("%d queries, %v", h.queries-before, s.Err())
	}
	other := passedOn(t, s)
	if found, reach := other.Change.Search([]string{"two"}); written(found) != "far/away.py:2 y = two, near.go:1 call(two), " || reach != patch.Everywhere || other.Err() != nil {
		t.Errorf("%s %d %v", written(found), reach, other.Err())
	}
}

// What was not read by the job that may read is not searched by another; what could not
// be read is told, since a job that can would find more; and a tree that GitHub cuts is
// not searched as a whole.
func TestSearchWithoutAll(t *testing.T) {
	t.Parallel()
	s, script, err := neighbourly().snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	other := passedOn(t, s)
	if found, reach := other.Change.Search([]string{"two"}); len(found) > 0 || reach != patch.NotSearched || other.Err() != nil {
		t.Errorf("not read: %s %d %v", written(found), reach, other.Err())
	}

	script.Close()
	if found, reach := s.Change.Search([]string{"two"}); len(found) > 0 || reach != patch.NotSearched || s.Err() == nil {
		t.Errorf("unreadable: %s %d %v", written(found), reach, s.Err())
	}

	cut := neighbourly()
	cut.truncated = true
	if s, _, err = cut.snapshot(t); err != nil {
		t.Fatal(err)
	}
	if found, reach := s.Change.Search([]string{"two"}); len(found) != 2 || reach != patch.NearBy {
		t.Errorf("cut: %s %d", written(found), reach)
	}

}
