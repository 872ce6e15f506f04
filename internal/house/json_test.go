package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/report"
)

// TestJSONDocument writes docs/json.md: the members of --format json. What a
// member means stands in testdata/json.txt, or else in the comment beside it.
func TestJSONDocument(t *testing.T) {
	t.Parallel()
	d := document{t: t, said: meanings(t), used: make(map[string]bool), source: make(map[string]*source)}
	d.text.WriteString("# What `--format json` says\n\n")
	fmt.Fprintf(&d.text, "%s `schema_version` is %d. This page is written by `go test ./internal/house -update`.\n", d.meaning("page"), report.SchemaVersion)
	d.object(reflect.TypeFor[report.Envelope]())
	for name := range d.said {
		if !d.used[name] {
			t.Errorf("json.txt speaks of %s, which is not there", name)
		}
	}
	golden(t, filepath.Join("..", "..", "docs", "json.md"), []byte(d.text.String()))
}

// meanings reads testdata/json.txt.
func meanings(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "json.txt"))
	if err != nil {
		t.Fatal(err)
	}
	said := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		if name, meaning, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && !strings.HasPrefix(line, "#") {
			said[name] = meaning
		}
	}
	return said
}

// document is the page while it is written.
type document struct {
	t      *testing.T
	text   strings.Builder
	said   map[string]string // by Type.member
	used   map[string]bool   // of said
	source map[string]*source
	done   []reflect.Type
}

// source is what the code of one package says of its types.
type source struct {
	comments map[string]string   // by Type.Field
	values   map[string][]string // the constants of a type
}

// object writes the section of one object, and those of the objects in it.
func (d *document) object(t reflect.Type) {
	if slices.Contains(d.done, t) {
		return
	}
	d.done = append(d.done, t)
	if d.meaning(t.Name()) == "" {
		d.t.Errorf("what is a %s? Say it in json.txt", t.Name())
	}
	fmt.Fprintf(&d.text, "\n## %s\n\n%s\n\n| member | type | meaning |\n|---|---|---|\n", t.Name(), d.meaning(t.Name()))
	var inside []reflect.Type
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" {
			continue
		}
		key := t.Name() + "." + name
		meaning := d.meaning(key)
		if meaning == "" {
			of := owner(t, f)
			meaning = strings.ReplaceAll(d.read(strings.TrimPrefix(of.PkgPath(), module+"internal/")).comments[of.Name()+"."+f.Name], `""`, "empty")
		}
		if meaning == "" {
			meaning = d.meaning("*." + name)
		}
		of, kind := element(f.Type)
		var values []string
		if of.Kind() == reflect.String && of.PkgPath() != "" {
			values = d.read(strings.TrimPrefix(of.PkgPath(), module+"internal/")).values[of.Name()]
		}
		if len(values) > 0 && !strings.Contains(meaning, "`") {
			meaning = strings.TrimPrefix(meaning+": ", ": ") + "`" + strings.Join(values, "`, `") + "`"
		}
		if meaning == "" {
			d.t.Errorf("what does %s mean? Say it in a comment, or in json.txt", key)
		}
		switch {
		case strings.Contains(options, "omitempty"):
			kind += ", may be absent"
		case f.Type.Kind() == reflect.Pointer:
			kind += " or null"
		}
		if of.Kind() == reflect.Struct {
			inside = append(inside, of)
		}
		fmt.Fprintf(&d.text, "| `%s` | %s | %s |\n", name, kind, cell(meaning))
	}
	for _, of := range inside {
		d.object(of)
	}
}

// owner is the type that declares a field, which may be embedded.
func owner(t reflect.Type, f reflect.StructField) reflect.Type {
	for _, at := range f.Index[:len(f.Index)-1] {
		t = t.Field(at).Type
	}
	return t
}

// element is the type of a member without lists and pointers, and its words.
func element(t reflect.Type) (of reflect.Type, kind string) {
	switch t.Kind() {
	case reflect.Pointer:
		return element(t.Elem())
	case reflect.Slice:
		of, kind = element(t.Elem())
		return of, "list of " + kind
	case reflect.Struct:
		return t, "[" + t.Name() + "](#" + strings.ToLower(t.Name()) + ")"
	case reflect.String:
		return t, "string"
	case reflect.Bool:
		return t, "true or false"
	}
	return t, "number"
}

// meaning is what json.txt says.
func (d *document) meaning(name string) string {
	d.used[name] = true
	return d.said[name]
}

// rulesNamed are the rules in a comment, which say nothing to who reads a report.
var rulesNamed = regexp.MustCompile(`[;,]? ?\(?\b([RXAS]\d{2,3}(, |; )?)+\)?`)

// read reads the comments and constants of a package of internal.
func (d *document) read(name string) *source {
	if d.source[name] != nil {
		return d.source[name]
	}
	s := &source{comments: make(map[string]string), values: make(map[string][]string)}
	d.source[name] = s
	files, err := filepath.Glob(filepath.Join("..", name, "*.go"))
	if err != nil || len(files) == 0 {
		d.t.Fatalf("no code of %s: %v", name, err)
	}
	for _, file := range files {
		code, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			d.t.Fatal(err)
		}
		ast.Inspect(code, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if fields, ok := n.Type.(*ast.StructType); ok {
					s.fields(n.Name.Name, fields.Fields.List)
				}
			case *ast.ValueSpec:
				of, ok := n.Type.(*ast.Ident)
				if !ok || len(n.Values) != 1 {
					break
				}
				if lit, ok := n.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if value, _ := strconv.Unquote(lit.Value); value != "" {
						s.values[of.Name] = append(s.values[of.Name], value)
					}
				}
			}
			return true
		})
	}
	return s
}

func (s *source) fields(of string, list []*ast.Field) {
	for _, f := range list {
		for _, name := range f.Names {
			text := strings.Join(strings.Fields(f.Comment.Text()), " ")
			s.comments[of+"."+name.Name] = strings.TrimSpace(rulesNamed.ReplaceAllString(text, ""))
		}
	}
}
