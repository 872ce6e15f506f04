package house

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecordDocument keeps the table of docs/record.md equal to the events that
// there are.
func TestRecordDocument(t *testing.T) {
	t.Parallel()
	code := parsed(t, token.NewFileSet(), filepath.Join("..", "debate", "event.go"), nil, 0)
	var kinds []string
	ast.Inspect(code, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "EventKind" {
			kind, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, kind)
		}
		return true
	})
	page := readFile(t, filepath.Join("..", "..", "docs", "record.md"))
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| .").FindAllSubmatch(page, -1) {
		rows = append(rows, string(row[1]))
	}
	slices.Sort(kinds)
	slices.Sort(rows)
	if diff := cmp.Diff(kinds, rows); diff != "" {
		t.Errorf("docs/record.md and the events of internal/debate (-events +page):\n%s", diff)
	}
}
