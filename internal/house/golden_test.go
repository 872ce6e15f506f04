package house

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares data with a file, or writes the file with -update.
func golden(t *testing.T, path string, data []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := readFile(t, path)
	if diff := cmp.Diff(string(want), string(data)); diff != "" {
		t.Errorf("%s is out of date, run the test with -update:\n%s", path, diff)
	}
}

// readFile ends the test if the system refuses.
func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// parsed is a file of Go.
func parsed(t *testing.T, set *token.FileSet, name string, src any, mode parser.Mode) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(set, name, src, mode)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
