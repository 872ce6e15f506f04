package house

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTextsHaveFewClauses: at most 20 of 1,000 words of a package are relative in the texts for people:
// the sentences in its code, and the help of its commands. So it is with the files that it writes.
func TestTextsHaveFewClauses(t *testing.T) {
	t.Parallel()
	texts := make(map[string][]string)
	for _, pkg := range packages(t) {
		if slices.ContainsFunc(toModels, func(dir string) bool { return pkg.dir == dir || strings.HasPrefix(pkg.dir, dir+"/") }) {
			continue
		}
		set := token.NewFileSet()
		for _, name := range pkg.files {
			texts[pkg.dir] = append(texts[pkg.dir], textsOf(parsed(t, set, name, nil, 0))...)
		}
	}
	for _, pattern := range []string{"internal/cli/templates/*.yml", "internal/config/*.yml"} {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			texts[name] = []string{string(readFile(t, name))}
			if found := clumsy.FindAllString(texts[name][0], -1); len(found) > 0 {
				t.Errorf("%s: say it in other words than %q", name, found)
			}
		}
	}
	counted := 0
	for name, list := range texts {
		text := strings.Join(list, "\n")
		words, found := len(word.FindAllString(text, -1)), len(inText.FindAllString(text, -1))
		if words <= fewWords {
			continue
		}
		counted++
		if 1000*found > mostRelative*words {
			t.Errorf("%s: %d of %d words are relative, at most %d in 1,000 may be: %q", name, found, words, mostRelative, inSentences(list))
		}
	}
	if counted < 15 {
		t.Errorf("only %d packages and files have texts: the search is broken", counted)
	}
}

// inText is relative without the WHERE of SQL.
var inText = regexp.MustCompile(`\b([Ww]ho|[Ww]hom|[Ww]hose|[Ww]hat|[Ww]hich|[Ww]here|[Tt]hat)\b`)

// inSentences are the texts with a relative word, to be read.
func inSentences(list []string) (some []string) {
	for _, text := range list {
		if inText.MatchString(text) && len(text) < 500 {
			some = append(some, text)
		}
	}
	return some
}

// textsOf are the pieces of English in the code of a file, and the help of its flags. A pattern, a query of
// SQL and the words of a panic are for nobody who uses the program.
func textsOf(file *ast.File) (texts []string) {
	tags := make(map[*ast.BasicLit]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				tag, _ := strconv.Unquote(n.Tag.Value) // it was parsed
				tags[n.Tag] = true
				texts = append(texts, reflect.StructTag(tag).Get("help"))
			}
		case *ast.CallExpr:
			if of, ok := n.Fun.(*ast.Ident); ok && of.Name == "panic" {
				return false
			}
			if of, ok := n.Fun.(*ast.SelectorExpr); ok {
				from, _ := of.X.(*ast.Ident)
				return from == nil || !slices.Contains([]string{"regexp", "lazyregexp"}, from.Name)
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && !tags[n] && sentence.MatchString(text) {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}

// sentence is a text with two words in a row.
var sentence = regexp.MustCompile(`[A-Za-z] | [A-Za-z]`)

// TestTextsOf: a text is found wherever it is written, and nothing else is one.
func TestTextsOf(t *testing.T) {
	t.Parallel()
	file := parsed(t, token.NewFileSet(), "x.go", `package x
import "a b"
type flags struct { Quiet bool `+"`help:\"Say less.\" json:\"not this\"`"+` }
const one = "one text"
var list = map[string]string{"key": "another " + one}
var pattern = regexp.MustCompile("not this")
func f() error { panic("not this"); return errors.New(strings.TrimSpace("a third")) }
`, 0)
	want := []string{"Say less.", "one text", "another ", "a third"}
	if got := textsOf(file); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
