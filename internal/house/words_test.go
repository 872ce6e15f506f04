package house

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// speaking are the packages that make sentences for people: nothing in them looks into a
// text for more than a character of layout.
var speaking = []string{"internal/report", "internal/report/html", "internal/report/sarif", "internal/report/terminal"}

// wordy are further packages: no code looks for their own sentences and ids. The others read
// the formats of git, GitHub, models and files.
var wordy = []string{"cmd/debate", "internal/action", "internal/bot", "internal/cli", "internal/debate", "internal/engine", "internal/mcp", "internal/pull", "internal/server"}

// readers are the functions that look into text of others, each with the kind of text.
var readers = map[string]string{
	"internal/report.mention":      "a login or a team, as the operator writes it",
	"internal/report.ended":        "the last character of what a model wrote",
	"internal/report.untitle":      "the body of a finding, of which a model wrote the first line twice",
	"internal/report.Escaped":      "JSON, as the encoder wrote it",
	"internal/report.filledIn":     "the table of sentences, whose places are filled in one pass",
	"internal/report/sarif.uri":    "the characters of an address",
	"internal/report/sarif.Read":   "a file of another tool",
	"internal/report/sarif.lineAt": "a file of another tool",
	"internal/report/sarif.below":  "a file of another tool",
	"internal/cli.explainUsage":    "an error of the library that parses flags",
	"internal/cli.Write":           "the lines that a command writes for a terminal",
}

// searches are the functions that look into a text, with the place of what they look for
// among their arguments.
var searches = map[string]int{
	"Contains": 1, "ContainsAny": 1, "Count": 1, "Cut": 1, "CutPrefix": 1, "CutSuffix": 1, "HasPrefix": 1, "HasSuffix": 1, "Index": 1, "IndexAny": 1,
	"IndexByte": 1, "IndexFunc": 1, "LastIndex": 1, "LastIndexByte": 1, "Replace": 1, "ReplaceAll": 1, "Split": 1, "SplitAfter": 1, "SplitN": 1, "SplitSeq": 1,
	"TrimPrefix": 1, "TrimSuffix": 1,
}

// layout is what a page is laid out by: one character or a line break.
var layout = regexp.MustCompile(`^(?s:.|\r\n)$`)

// english is a piece of a sentence: a blank next to a letter, or the colon before a cause.
var english = regexp.MustCompile(`[A-Za-z] | [A-Za-z]|: `)

// TestNoSentenceIsTakenApart: no package of ours looks for a piece of English in a text, and
// one that makes sentences looks for nothing but characters of layout. What is to be known of
// a sentence is a value beside it.
func TestNoSentenceIsTakenApart(t *testing.T) {
	t.Parallel()
	used := make(map[string]bool)
	for _, pkg := range packages(t) {
		strict, top := slices.Contains(speaking, pkg.dir), func(dir string) bool { return pkg.dir == dir || strings.HasPrefix(pkg.dir, dir+"/") }
		if !strict && !slices.ContainsFunc(wordy, top) {
			continue
		}
		set := token.NewFileSet()
		var decls []ast.Decl
		for _, name := range pkg.files {
			file := parsed(t, set, name, nil, 0)
			decls = append(decls, file.Decls...)
		}
		for _, found := range takesApart(decls, strict) {
			in := pkg.dir + "." + found.in
			if used[in] = true; readers[in] == "" {
				t.Errorf("%s: %s looks into a text for %s: make it a value", set.Position(found.at), in, found.what)
			}
		}
	}
	for in := range readers {
		if !used[in] {
			t.Errorf("%s looks into no text", in)
		}
	}
}

// look is one search in a text.
type look struct {
	at       token.Pos
	in, what string
}

// takesApart are the searches of a package that are not allowed everywhere. Strict: it
// makes sentences.
func takesApart(decls []ast.Decl, strict bool) []look {
	named := make(map[string]*ast.BasicLit) // constants and variables that are one text
	for _, decl := range decls {
		if d, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && len(v.Names) == 1 && len(v.Values) == 1 {
					if lit, ok := v.Values[0].(*ast.BasicLit); ok {
						named[v.Names[0].Name] = lit
					}
				}
			}
		}
	}
	var all []look
	for _, decl := range decls {
		name, inFunc := "", false
		if f, ok := decl.(*ast.FuncDecl); ok {
			name, inFunc = f.Name.Name, true
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && !inFunc {
				name = v.Names[0].Name
			}
			for _, what := range soughtBy(n, named, strict) {
				all = append(all, look{n.Pos(), name, what})
			}
			return true
		})
	}
	return all
}

// soughtBy is what a node looks for in a text that it may not.
func soughtBy(n ast.Node, named map[string]*ast.BasicLit, strict bool) []string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	of, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	from, ok := of.X.(*ast.Ident)
	if !ok {
		return nil
	}
	at, searching := searches[of.Sel.Name]
	var args []ast.Expr
	switch {
	case slices.Contains([]string{"regexp", "lazyregexp"}, from.Name) && strict:
		return []string{"a pattern"}
	case !slices.Contains([]string{"strings", "bytes"}, from.Name):
	case of.Sel.Name == "NewReplacer":
		for i := 0; i < len(call.Args); i += 2 {
			args = append(args, call.Args[i])
		}
	case searching && at < len(call.Args):
		args = call.Args[at : at+1]
	}
	var all []string
	for _, arg := range args {
		if what := sought(arg, named, strict); what != "" {
			all = append(all, what)
		}
	}
	return all
}

// sought says what an argument looks for that it may not, "" if it may.
func sought(arg ast.Expr, named map[string]*ast.BasicLit, strict bool) string {
	if id, ok := arg.(*ast.Ident); ok && named[id.Name] != nil {
		arg = named[id.Name]
	}
	lit, isConstant := arg.(*ast.BasicLit)
	switch {
	case !isConstant && strict:
		return "a value that it was given"
	case !isConstant, lit.Kind != token.STRING:
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil || english.MatchString(text) || strict && !layout.MatchString(text) {
		return lit.Value
	}
	return ""
}

// TestTakesApart: the rule above sees a search in each form.
func TestTakesApart(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][2]int{ // strict, and elsewhere
		`why, _, _ := strings.Cut(text, ": ")`:                     {1, 1},
		`strings.TrimPrefix(said, "granted: ")`:                    {1, 1},
		`strings.NewReplacer("asks for", "ask for").Replace(said)`: {1, 1},
		`strings.Replace(said, " "+who, " its", 1)`:                {1, 0},
		`strings.TrimPrefix(said, mark)`:                           {1, 1},
		`strings.HasPrefix(said, word)`:                            {1, 0},
		`regexp.MustCompile("K[0-9]+").ReplaceAllString(said, "")`: {1, 0},
		`strings.Split(page, "\n")`:                                {0, 0},
		`strings.ReplaceAll(cell, "|", "<U+007C>")`:                {0, 0},
		`strings.NewReplacer("@", "(at)").Replace(said)`:           {0, 0},
		`strings.Contains(file, "/")`:                              {0, 0},
	} {
		file := parsed(t, token.NewFileSet(), "x.go", "package x\nconst mark = \"granted: \"\nfunc f() { "+source+" }", 0)
		for i, strict := range []bool{true, false} {
			if got := len(takesApart(file.Decls, strict)); got != want[i] {
				t.Errorf("%s, strict %v: %d searches, want %d", source, strict, got, want[i])
			}
		}
	}
}

// toModels are packages with texts for models, and for the words of records.
var toModels = []string{"internal/prompt", "internal/debate", "internal/model", "internal/testkit"}

// TestTextsArePlain: no text of the program for people has the words that only we use.
func TestTextsArePlain(t *testing.T) {
	t.Parallel()
	texts := 0
	for _, pkg := range packages(t) {
		if slices.ContainsFunc(toModels, func(dir string) bool { return pkg.dir == dir || strings.HasPrefix(pkg.dir, dir+"/") }) {
			continue
		}
		set := token.NewFileSet()
		for _, name := range pkg.files {
			file := parsed(t, set, name, nil, 0)
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				texts++
				if found := clumsy.FindString(lit.Value); found != "" {
					t.Errorf("%s: say it in other words than %q: %.200s", set.Position(lit.Pos()), found, lit.Value)
				}
				return true
			})
		}
	}
	if texts == 0 {
		t.Error("the program has no text")
	}
}
