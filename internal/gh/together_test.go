package gh

import (
	"fmt"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// migrated is a change of a.go in a project with so many migrations.
func migrated(n int) (h *hub, paths []string) {
	h = oneFile()
	h.tree = append(h.tree, map[string]any{"path": "db", "mode": "040000", "sha": headSHA})
	for i := range n {
		path, text := fmt.Sprintf("db/%03d.sql", i), fmt.Sprintf("ALTER TABLE t ADD c%d INT;\n", i)
		h.tree = append(h.tree, map[string]any{"path": path, "mode": "100644", "sha": gitID(text), "size": len(text)})
		h.blobs[mergeSHA+":"+path] = text
		paths = append(paths, path)
	}
	return h, paths
}

// readAll reads files at the base and returns how many are there, and how many requests
// that took.
func readAll(t *testing.T, h *hub, announced, paths []string) (there, requests int, s *Snapshot) {
	t.Helper()
	s, script, err := h.snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	s.Change.BaseNames("db") // lists
	before := script.count()
	s.Change.Together(announced)
	for _, path := range paths {
		if text, ok := s.Change.Blob(path, debate.Left); ok && string(text) == h.blobs[mergeSHA+":"+path] {
			there++
		}
	}
	return there, script.count() - before, s
}

// Announced files are read with few requests. Each of them counts as one file.
func TestTogether(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files    int
		spoil    func(h *hub)
		ask      func(paths []string) []string
		there    int
		requests int
		lazy     int
	}{
		"all":             {250, nil, nil, 200, 2, 250},
		"a hundred":       {100, nil, nil, 100, 1, 100},
		"one":             {1, nil, nil, 1, 1, 1},
		"none is asked":   {100, nil, func([]string) []string { return nil }, 0, 1, 100},
		"a late one":      {150, nil, func(paths []string) []string { return paths[140:] }, 10, 2, 150},
		"GitHub is weary": {5, func(h *hub) { h.most = 3 }, nil, 5, maxTries + 2, 5},
		"too long for it": {3, func(h *hub) { h.short = map[string]bool{mergeSHA + ":db/001.sql": true} }, nil, 3, 2, 3},
		"all too long": {3, func(h *hub) {
			h.short = map[string]bool{mergeSHA + ":db/000.sql": true, mergeSHA + ":db/001.sql": true, mergeSHA + ":db/002.sql": true}
		}, nil, 3, 4, 3},
		"much": {3, func(h *hub) {
			for _, e := range h.tree[len(h.tree)-3:] {
				e["size"] = maxTogether/2 - 1
			}
		}, nil, 3, 2, 3},
	} {
		h, paths := migrated(tt.files)
		if tt.spoil != nil {
			tt.spoil(h)
		}
		asked := paths
		if tt.ask != nil {
			asked = tt.ask(paths)
		}
		there, requests, s := readAll(t, h, paths, asked)
		if there != tt.there || requests != tt.requests || s.lazy != tt.lazy {
			t.Errorf("%s: %d are there after %d requests, counted as %d", name, there, requests, s.lazy)
		}
	}
}

// What was not announced is read as before, and what another job took over asks nobody.
func TestTogetherOfOthers(t *testing.T) {
	t.Parallel()
	h, paths := migrated(20)
	if there, requests, _ := readAll(t, h, paths[:10], paths[10:]); there != 10 || requests != 11 {
		t.Errorf("%d are there after %d requests", there, requests)
	}
	h, paths = migrated(20)
	_, _, s := readAll(t, h, paths, paths[:1])
	other := passedOn(t, s)
	other.Change.Together(paths)
	for _, path := range paths {
		if text, ok := other.Change.Blob(path, debate.Left); !ok || string(text) != h.blobs[mergeSHA+":"+path] {
			t.Errorf("%s: %q, %v", path, text, other.Err())
		}
	}
}
