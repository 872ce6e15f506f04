// Package golden compares what tests make with files that people read.
package golden

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is set by -update: the files are written anew.
var Update = flag.Bool("update", false, "write the golden files anew")

var whole = flag.String("pages", "", "write each page of Pages whole into this directory, to look at it")

// Same compares data with a file, or writes the file with -update.
func Same[T string | []byte](t testing.TB, path string, got T) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if that is meant, run the test with -update and read the diff:\n%s", path, diff)
	}
}

// Pages compares several pages with one file, sorted by name. Lines of an earlier page are counted in
// a later one and not repeated: a changed sentence changes one line of the file. The texts of hidden
// are those of another golden file.
func Pages[T string | []byte](t testing.TB, path string, pages map[string]T, hidden ...string) {
	t.Helper()
	var b strings.Builder
	shown := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if *whole != "" {
			if err := os.WriteFile(filepath.Join(*whole, strings.ReplaceAll(name, "/", "-")), []byte(pages[name]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		lines, again := strings.Split(strings.TrimRight(Hidden(string(pages[name]), hidden...), "\n"), "\n"), 0
		count := func() {
			if again > 0 {
				fmt.Fprintf(&b, "… as above: %d\n", again)
			}
			again = 0
		}
		b.WriteString("=== " + name + "\n")
		for _, line := range lines {
			switch {
			case shown[line], line == "" && again > 0:
				again++
			default:
				count()
				b.WriteString(line + "\n")
				shown[line] = line != ""
			}
		}
		count()
		b.WriteString("\n")
	}
	Same(t, path, b.String())
}

// Hidden is a text with an ellipsis for each text that another golden file has.
func Hidden(text string, hidden ...string) string {
	for _, h := range hidden {
		if h != "" {
			text = strings.ReplaceAll(text, h, "…")
		}
	}
	return text
}
