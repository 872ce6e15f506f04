// Package golden compares what tests make with files that people read.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is set by -update: the files are written anew.
var Update = flag.Bool("update", false, "write the golden files anew")

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
