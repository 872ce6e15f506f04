package house

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestNothingIsCompiledAtStart: every command would pay for it, also one that only
// prints the version. Packages for tests are free to.
func TestNothingIsCompiledAtStart(t *testing.T) {
	t.Parallel()
	for _, pkg := range packages(t) {
		if strings.Contains(pkg.dir, "test") {
			continue
		}
		for _, name := range pkg.files {
			set := token.NewFileSet()
			file := parsed(t, set, name, nil, 0)
			for _, d := range file.Decls {
				if made, ok := d.(*ast.GenDecl); ok && made.Tok == token.VAR {
					for _, at := range compiled(made) {
						t.Errorf("%s: compile it when it is first used", set.Position(at))
					}
				}
			}
		}
	}
}

// compiled are the places where a declaration compiles an expression or a template as
// the program starts; what a function literal does is done when it is called.
func compiled(made *ast.GenDecl) []token.Pos {
	var found []token.Pos
	ast.Inspect(made, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			from, ok := n.X.(*ast.Ident)
			if ok && (from.Name == "regexp" && strings.HasSuffix(n.Sel.Name, "Compile") || from.Name == "template" && n.Sel.Name == "Must") {
				found = append(found, n.Pos())
			}
		}
		return true
	})
	return found
}
