package surround

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"

	outlines "github.com/prdebate/debate/internal/outline"
)

// outline finds the declarations of a file.
type outline interface {
	// enclosing is the declaration around a line, if it is short enough to show whole.
	enclosing(line int) (span, bool)
	// owners returns the owners of that declaration, such as the type of a method.
	owners(line int) []span
	// head is the last line before the first declaration.
	head() int
}

// outlined reads the declarations of a file: of Go with its parser, of others by how
// their lines begin and are indented.
func outlined(name string, content []byte, text []string) outline {
	if path.Ext(name) == ".go" {
		if g, ok := parseGo(content); ok {
			return g
		}
	}
	return indented{outlines.Of(name, 1, text)}
}

// unread is the outline of an unread file.
type unread struct{}

func (unread) enclosing(int) (span, bool) { return span{}, false }
func (unread) owners(int) []span          { return nil }
func (unread) head() int                  { return 0 }

// indented is an outline by indentation.
type indented struct{ *outlines.Outline }

// enclosing is the widest declaration around a line within the bound.
func (o indented) enclosing(line int) (span, bool) {
	for _, d := range o.Enclosing(line) {
		if s := (span{d.First, d.Last}); s.length() <= declLines {
			return s, true
		}
	}
	return span{}, false
}

// owners returns the heads of the declarations above the bound.
func (o indented) owners(line int) []span {
	var all []span
	for _, d := range o.Enclosing(line) {
		if s := (span{d.First, d.Last}); s.length() > declLines {
			all = append(all, span{s.first, s.first + outerLines - 1})
		}
	}
	return all
}

func (o indented) head() int { return o.Head() }

func (s span) length() int { return s.last - s.first + 1 }

// golang is the outline of a Go file.
type golang struct {
	all   []declaration // at the top of the file, in their order
	types map[string]span
	body  int // the first line after the imports, or the comment above it
}

type declaration struct {
	span
	receiver string // of a method, the name of its type
}

// parseGo reads a Go file, as far as it can if the file is broken; ok is false if it reads
// nothing.
func parseGo(content []byte) (g golang, ok bool) {
	files := token.NewFileSet()
	parsed, _ := parser.ParseFile(files, "", content, parser.ParseComments|parser.SkipObjectResolution) // a broken file is still shown
	if parsed == nil || len(parsed.Decls) == 0 {
		return g, false
	}
	line := func(at token.Pos) int { return files.PositionFor(at, false).Line }
	g.types = make(map[string]span)
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
		g.all = append(g.all, one)
		for _, s := range specs {
			if t, ok := s.(*ast.TypeSpec); ok {
				g.types[t.Name.Name] = one.span
			}
		}
	}
	if len(g.all) > 0 {
		g.body = g.all[0].first
	}
	return g, true
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

func (g golang) at(line int) (declaration, bool) {
	i := slices.IndexFunc(g.all, func(d declaration) bool { return d.holds(line) })
	if i < 0 {
		return declaration{}, false
	}
	return g.all[i], true
}

func (g golang) enclosing(line int) (span, bool) {
	d, ok := g.at(line)
	return d.span, ok && d.length() <= declLines
}

func (g golang) owners(line int) []span {
	d, ok := g.at(line)
	if !ok {
		return nil
	}
	var all []span
	if d.length() > declLines {
		all = append(all, span{d.first, d.first + outerLines - 1})
	}
	if t, ok := g.types[d.receiver]; ok {
		all = append(all, span{t.first, min(t.last, t.first+declLines-1)})
	}
	return all
}

func (g golang) head() int { return g.body - 1 }
