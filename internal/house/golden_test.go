package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"testing"
)

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
