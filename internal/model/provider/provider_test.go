package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEntriesAreDocumented: each entry has a row in docs/parties.md that names its
// keys and its address, and its input in action.yml.
func TestEntriesAreDocumented(t *testing.T) {
	t.Parallel()
	page, action := read(t, "docs/parties.md"), read(t, "action.yml")
	seen := make(map[string]bool)
	for _, p := range All() {
		if p.Name == "" || seen[p.Name] || p.New == nil {
			t.Errorf("%q is incomplete or twice in the table", p.Name)
		}
		seen[p.Name] = true
		_, row, found := strings.Cut(page, "\n| `"+p.Name+"` | "+p.Serves)
		row, _, _ = strings.Cut(row, "\n")
		if !found && !p.Free {
			t.Errorf("docs/parties.md has no row of %s: %q", p.Name, p.Serves)
		}
		for _, word := range append([]string{p.Address}, p.Keys...) {
			if !strings.Contains(row, word) {
				t.Errorf("the row of %s in docs/parties.md does not say %s: %s", p.Name, word, row)
			}
		}
		if p.Input != "" && !strings.Contains(action, "\n  "+p.Input+":\n") {
			t.Errorf("action.yml has no input %s", p.Input)
		}
		if p.Joins && len(p.Keys) == 0 {
			t.Errorf("%s joins by itself, and always", p.Name)
		}
	}
}
