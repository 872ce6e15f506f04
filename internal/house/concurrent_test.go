package house

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestConcurrentPackages keeps the list of packages with tests that start goroutines or hold
// locks: the race detector runs the tests of these. The list is written with -update.
func TestConcurrentPackages(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	for _, pkg := range packages(t) {
		tests, err := filepath.Glob(filepath.Join("..", "..", pkg.dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if len(tests) > 0 && concurrent(t, pkg) {
			list.WriteString("./" + pkg.dir + "\n")
		}
	}
	golden.Same(t, filepath.Join("..", "..", ".ci", "concurrent"), []byte(list.String()))
}

// concurrent reports whether a package starts a goroutine, shares a value by sync or
// sync/atomic, or waits for a group. A value that sync.Once and its relatives make has no
// other state, so that it does not count.
func concurrent(t *testing.T, pkg pkg) bool {
	t.Helper()
	for _, imp := range pkg.imports() {
		switch imp.path {
		case "sync/atomic", "golang.org/x/sync/errgroup":
			return true
		}
	}
	for _, name := range pkg.files {
		file := parsed(t, token.NewFileSet(), name, nil, 0)
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found = true
			case *ast.SelectorExpr:
				from, ok := n.X.(*ast.Ident)
				found = found || ok && from.Name == "sync" && !strings.HasPrefix(n.Sel.Name, "Once")
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}
