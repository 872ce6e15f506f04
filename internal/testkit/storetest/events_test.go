package storetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestEveryKind: the suite covers every kind of event that a log may hold.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	covered := make(map[debate.EventKind]bool)
	for _, e := range Events(t) {
		covered[debate.KindOf(e)] = true
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "debate", "event.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "EventKind" {
			return true
		}
		for _, v := range spec.Values {
			kind, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			listed++
			if !covered[debate.EventKind(kind)] {
				t.Errorf("no event of kind %q", kind)
			}
		}
		return true
	})
	if listed != len(covered) || listed < 18 {
		t.Errorf("%d kinds listed, %d covered", listed, len(covered))
	}
}
