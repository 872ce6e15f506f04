package surround

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"

	"github.com/prdebate/debate/internal/lists"
	outlines "github.com/prdebate/debate/internal/outline"
)

// outline has the declarations of a file; the zero value has none.
type outline struct {
	all   []declaration // an outer one before an inner one
	types map[string]span
	head  int // the last line before the first declaration
}

type declaration struct {
	span
	receiver string // of a method in Go, the name of its type
}

// outlined reads the declarations of a file: of Go with its parser, of others by how
// their lines begin and are indented.
func outlined(name string, content []byte, text []string) outline {
	if path.Ext(name) == ".go" {
		if o, ok := parseGo(content); ok {
			return o
		}
	}
	read := outlines.Of(name, 1, text)
	o := outline{head: read.Head()}
	for _, d := range read.Declarations() {
		o.all = append(o.all, declaration{span: span{d.First, d.Last}})
	}
	return o
}

// enclosing is the widest declaration around a line that is short enough to show whole.
func (o outline) enclosing(line int) (span, bool) {
	d := lists.Find(o.all, func(d declaration) bool { return d.holds(line) && d.length() <= declLines })
	return d.span, d.first > 0
}

// owners returns the heads of the longer declarations around a line, and the type of a method.
func (o outline) owners(line int) []span {
	var all []span
	for _, d := range o.all {
		if !d.holds(line) {
			continue
		}
		if d.length() > declLines {
			all = append(all, span{d.first, d.first + outerLines - 1})
		}
		if t, ok := o.types[d.receiver]; ok {
			all = append(all, span{t.first, min(t.last, t.first+declLines-1)})
		}
	}
	return all
}

func (s span) length() int { return s.last - s.first + 1 }

// parseGo reads a Go file, as far as it can if the file is broken; ok is false if it reads
// nothing.
func parseGo(content []byte) (o outline, ok bool) {
	files := token.NewFileSet()
	parsed, _ := parser.ParseFile(files, "", content, parser.ParseComments|parser.SkipObjectResolution) // a broken file is still shown
	if parsed == nil || len(parsed.Decls) == 0 {
		return o, false
	}
	line := func(at token.Pos) int { return files.PositionFor(at, false).Line }
	o.types = make(map[string]span)
	for _, d := range parsed.Decls {
		from, to := d.Pos(), d.End()
		var doc *ast.CommentGroup
		var specs []ast.Spec
		one := declaration{}
		switch d := d.(type) {
		case *ast.FuncDecl:
			doc, one.receiver = d.Doc, receiver(d)
		case *ast.GenDecl:
			doc = d.Doc
			if d.Tok == token.IMPORT {
				continue
			}
			specs = d.Specs
		}
		if doc != nil {
			from = doc.Pos()
		}
		one.span = span{line(from), line(to)}
		o.all = append(o.all, one)
		for _, s := range specs {
			if t, ok := s.(*ast.TypeSpec); ok {
				o.types[t.Name.Name] = one.span
			}
		}
	}
	if len(o.all) > 0 {
		o.head = o.all[0].first - 1
	}
	return o, true
}

// receiver is the type of a method, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch inner := t.(type) {
		case *ast.StarExpr:
			t = inner.X
		case *ast.ParenExpr:
			t = inner.X
		case *ast.IndexExpr:
			t = inner.X
		case *ast.IndexListExpr:
			t = inner.X
		case *ast.Ident:
			return inner.Name
		default:
			return ""
		}
	}
}
