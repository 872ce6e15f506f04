package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestConcurrentPackages keeps the list of packages that start goroutines or hold locks:
// the race detector runs the tests of these. The list is written with -update.
func TestConcurrentPackages(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	for _, pkg := range packages(t) {
		if concurrent(t, pkg) {
			list.WriteString("./" + pkg.dir + "\n")
		}
	}
	golden(t, filepath.Join("..", "..", ".ci", "concurrent"), []byte(list.String()))
}

// concurrent reports whether a package starts a goroutine or imports locks.
func concurrent(t *testing.T, pkg pkg) bool {
	t.Helper()
	for _, imp := range pkg.imports() {
		switch imp.path {
		case "sync", "sync/atomic", "golang.org/x/sync/errgroup":
			return true
		}
	}
	for _, name := range pkg.files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			_, starts := n.(*ast.GoStmt)
			found = found || starts
			return !found
		})
		if found {
			return true
		}
	}
	return false
}
