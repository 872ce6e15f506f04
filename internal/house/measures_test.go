package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	gopackages "golang.org/x/tools/go/packages"
)

// The limits on the code of the product. They are what it has today: lower them when the
// code gets better, never raise them.
const (
	mostSmall = 4 // of 100 functions, those with one caller and at most six lines
)

// reaches are the rules that people ask about, with the most files that a reader opens to
// follow one inside the module.
var reaches = map[string]int{
	"comment.Publish":           6,   // which comments are written
	"debate.Settings.authority": 1,   // who may decide
	"debate.State.Conclusion":   12,  // why is the check red
	"debate.State.settles":      12,  // why is a question settled
	"debate.State.status":       11,  // why is a finding disputed
	"engine.Review.Start":       124, // how does a debate run
	"pull.plan":                 20,  // what does a run do
	"report.Headline":           9,   // what does the first line say
	"report.Summary":            22,  // what does the summary comment say
}

// function is a function of the product.
type function struct {
	file  string
	lines int
	calls map[*types.Func]bool
	uses  int // places that name it
}

// TestRulesStayTogether counts the files below each rule, and the small functions with one
// caller. It follows each use of a function in a body and stops at interfaces.
func TestRulesStayTogether(t *testing.T) {
	t.Parallel()
	all := productFunctions(t)
	small := 0
	byName := make(map[string]*types.Func)
	for of, f := range all {
		byName[fullName(of)] = of
		if f.uses == 1 && f.lines <= 6 {
			small++
		}
	}
	if len(all) < 1000 {
		t.Fatalf("only %d functions found: the search is broken", len(all))
	}
	if 100*small > mostSmall*len(all) {
		t.Errorf("%d of %d functions have one caller and at most six lines: at most %d %% may", small, len(all), mostSmall)
	}
	t.Logf("%d of %d functions have one caller and at most six lines", small, len(all))
	for name, most := range reaches {
		if byName[name] == nil {
			t.Errorf("there is no function %s", name)
			continue
		}
		files, lines, seen := below(all, byName[name])
		t.Logf("%s: %d functions in %d files, %d lines each", name, seen, files, lines/seen)
		if files > most {
			t.Errorf("%s needs functions of %d files, at most %d are allowed", name, files, most)
		}
	}
}

// below counts the files, the lines and the functions that a function needs, itself included.
func below(all map[*types.Func]*function, start *types.Func) (files, lines, functions int) {
	seen, in := map[*types.Func]bool{start: true}, make(map[string]bool)
	for todo := []*types.Func{start}; len(todo) > 0; todo = todo[1:] {
		f := all[todo[0]]
		in[f.file] = true
		lines += f.lines
		for next := range f.calls {
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return len(in), lines, len(seen)
}

// productFunctions are the functions that the program links, without test support.
func productFunctions(t *testing.T) map[*types.Func]*function {
	t.Helper()
	loaded, err := gopackages.Load(&gopackages.Config{
		Dir:  "../..",
		Mode: gopackages.NeedName | gopackages.NeedFiles | gopackages.NeedSyntax | gopackages.NeedTypes | gopackages.NeedTypesInfo | gopackages.NeedImports | gopackages.NeedExportFile,
	}, "./cmd/...", "./internal/...")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[*types.Func]*function)
	each := func(do func(p *gopackages.Package, d ast.Decl, of *types.Func)) {
		for _, p := range loaded {
			if strings.Contains(p.PkgPath, "/testkit") {
				continue
			}
			for _, file := range p.Syntax {
				for _, d := range file.Decls {
					var of *types.Func
					if f, ok := d.(*ast.FuncDecl); ok {
						of, _ = p.TypesInfo.Defs[f.Name].(*types.Func)
					}
					do(p, d, of)
				}
			}
		}
	}
	each(func(p *gopackages.Package, d ast.Decl, of *types.Func) {
		if of != nil {
			from, to := p.Fset.Position(d.Pos()), p.Fset.Position(d.End())
			all[of] = &function{file: from.Filename, lines: to.Line - from.Line + 1, calls: make(map[*types.Func]bool)}
		}
	})
	each(func(p *gopackages.Package, d ast.Decl, of *types.Func) {
		ast.Inspect(d, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if used, ok := p.TypesInfo.Uses[name].(*types.Func); ok && all[used.Origin()] != nil {
				all[used.Origin()].uses++
				if of != nil {
					all[of].calls[used.Origin()] = true
				}
			}
			return true
		})
	})
	return all
}

// fullName is the name of a function: debate.State.Conclusion.
func fullName(f *types.Func) string {
	_, path, _ := strings.Cut(f.Pkg().Path(), "/internal/")
	recv := f.Signature().Recv()
	if recv == nil {
		return path + "." + f.Name()
	}
	of := recv.Type()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	if named, ok := of.(*types.Named); ok {
		path += "." + named.Obj().Name()
	}
	return path + "." + f.Name()
}

// fewWords is the number of words below which a package has no rate of relative words, in comments or in texts.
const fewWords = 250

// TestCommentsArePlain: the comments of the product have the language of its pages.
func TestCommentsArePlain(t *testing.T) {
	t.Parallel()
	for _, pkg := range packages(t) {
		if strings.HasPrefix(pkg.dir, "internal/testkit") {
			continue
		}
		words, found, odd := 0, 0, []string(nil)
		for _, name := range pkg.files {
			file := parsed(t, token.NewFileSet(), name, nil, parser.ParseComments)
			for _, c := range file.Comments {
				text := c.Text()
				words += len(word.FindAllString(text, -1))
				found += len(relative.FindAllString(text, -1))
				odd = append(odd, clumsy.FindAllString(text, -1)...)
			}
		}
		if len(odd) > 0 {
			t.Errorf("%s: say it in other words: %q", pkg.dir, odd)
		}
		if words > fewWords && 1000*found > mostRelative*words {
			t.Errorf("%s: %d of %d words of its comments are relative, at most %d in 1,000 may be", pkg.dir, found, words, mostRelative)
		}
	}
}
