package config

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// documentTop says what the table of the settings does not.
const documentTop = `# The settings

Two files have the same keys: ` + "`.github/debate.yml`" + ` of a repository, which ` + "`debate config check`" + ` checks and ` + "`debate config schema`" + `
describes to editors, and that of an operator: your own one (` + "`debate doctor`" + ` prints its place), or one that
` + "`--config`" + ` names. What stands here as *operator* is an error in the file of a repository. [policy.md](policy.md) says whose
settings count where both set one; ` + "`debate config show`" + ` prints what is in force. All keys may be left out. A file has at most
64 KiB; unknown keys are errors.

` + "`debate init`" + ` writes a file with most of them, each with its default and a comment. A short one:

` + "```yaml" + `
version: 1
mode: quick
fail_on: P1
paths:
  ignore: ["**/*.snap"]
` + "```" + `

A *party* is a model that takes part. The *primary* opens and defends, *challengers* attack. Without ` + "`parties`" + ` the providers whose keys
are present take part. [parties.md](parties.md) says more.

<!-- go test ./internal/config -update writes this page. -->

| key | values | default | what it sets |
|---|---|---|---|
`

// widestPattern is how long a pattern may be that the page shows: a longer one makes its
// table wider than a screen. What such a text looks like the key says in words, and the
// schema has the pattern.
const widestPattern = 24

// TestDocument keeps docs/settings.md equal to the settings that there are.
func TestDocument(t *testing.T) {
	t.Parallel()
	d := settings{comments: commentsOf(t, "config.go")}
	d.text.WriteString(documentTop)
	d.rows("", reflect.ValueOf(Default()))
	d.text.WriteString("\n## A party\n\n| key | values | what it sets |\n|---|---|---|\n")
	d.party = true
	d.rows("", reflect.ValueOf(Party{}))
	path := filepath.Join("..", "..", "docs", "settings.md")
	got := d.text.String()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is out of date, run: go test ./internal/config -update\n%s", path, diff)
	}
}

// commentsOf are the comments above the fields of a file, by Type.Field.
func commentsOf(t *testing.T, name string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	comments := make(map[string]string)
	ast.Inspect(file, func(n ast.Node) bool {
		if of, ok := n.(*ast.TypeSpec); ok {
			if fields, ok := of.Type.(*ast.StructType); ok {
				for _, f := range fields.Fields.List {
					comments[of.Name.Name+"."+f.Names[0].Name] = strings.Join(strings.Fields(f.Doc.Text()), " ")
				}
			}
		}
		return true
	})
	return comments
}

// settings is the page while it is written.
type settings struct {
	comments map[string]string
	text     strings.Builder
	party    bool // the table of a party, which has no defaults
}

// rows writes a row for each setting of a value, whose defaults it holds.
func (d *settings) rows(under string, v reflect.Value) {
	for i := range v.NumField() {
		f := fieldOf(v.Type().Field(i))
		of := v.Type().Field(i).Type
		for of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		list := of.Kind() == reflect.Slice
		if list {
			of = of.Elem()
		}
		key, says := under+f.name, d.comments[v.Type().Name()+"."+v.Type().Field(i).Name]
		if f.operator == "only" {
			says = "*operator*: " + strings.TrimSpace(strings.TrimSuffix(says, "Operator only."))
		}
		if f.required {
			says += " Required."
		}
		switch inner := of.Kind() == reflect.Struct && of != reflect.TypeFor[Criterion](); {
		case inner && of == reflect.TypeFor[Party]():
			d.row(key, many("a [party](#a-party)", list, f), value{}, says)
		case inner && list:
			d.row(key, many("objects", true, f), value{}, says)
			d.rows(key+"[].", reflect.Zero(of))
		case inner && v.Field(i).Kind() == reflect.Pointer:
			d.rows(key+".", reflect.Zero(of))
		case inner:
			d.rows(key+".", v.Field(i))
		default:
			d.row(key, many(allowed(f, of), list, f), value{v.Field(i)}, says)
		}
	}
}

func (d *settings) row(key, values string, def value, says string) {
	cell := strings.NewReplacer("|", `\|`).Replace
	if d.party {
		fmt.Fprintf(&d.text, "| `%s` | %s | %s |\n", key, cell(values), cell(says))
		return
	}
	fmt.Fprintf(&d.text, "| `%s` | %s | %s | %s |\n", key, cell(values), cell(def.String()), cell(says))
}

// value is a default.
type value struct{ reflect.Value }

func (v value) String() string {
	if v.Value == (reflect.Value{}) || v.IsZero() {
		return ""
	}
	if v.Kind() == reflect.Pointer {
		return value{v.Elem()}.text()
	}
	return v.text()
}

func (v value) text() string {
	switch x := v.Interface().(type) {
	case USD:
		return "`" + strings.TrimSuffix(x.String(), ".00") + "`"
	case Criteria:
		var all []string
		for _, c := range x {
			all = append(all, c.Name+" "+strconv.Itoa(c.Weight/100))
		}
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("`%v`", v.Interface())
}

// allowed says what a setting may be.
func allowed(f field, of reflect.Type) string {
	if of == reflect.TypeFor[Criterion]() {
		return fmt.Sprintf("%d to %d names with weights in percent that make 100", minCriteria, maxCriteria)
	}
	if of == reflect.TypeFor[Provider]() {
		f = testServices().bounds(f)
	}
	item := itemOf(of)
	pattern, length := f.bounds["pattern"]+item.bounds["pattern"], max(f.count("maxLength"), item.count("maxLength"))
	switch {
	case of == reflect.TypeFor[Seconds]():
		return fmt.Sprintf("`1s` to `%dm`", maxTimeout/60)
	case len(f.enum) > 0:
		var all []string
		for _, one := range f.enum {
			text := "`" + one + "`"
			if slices.Contains(f.reserved, one) {
				text += " (*operator*)"
			}
			all = append(all, text)
		}
		return strings.Join(all, ", ")
	case f.bounds["maximum"] != "":
		low := f.bounds["minimum"]
		if f.bounds["exclusiveMinimum"] != "" {
			low = "more than " + f.bounds["exclusiveMinimum"]
		}
		text := low + " to " + f.bounds["maximum"]
		if most, ok := f.operatorAbove(); ok {
			text += "; more than " + most + " *operator*"
		}
		return text
	case of.Kind() == reflect.Bool:
		return "`true`, `false`"
	}
	text := map[reflect.Type]string{reflect.TypeFor[Glob](): "glob", reflect.TypeFor[Pattern](): "RE2 pattern"}[of]
	if text == "" {
		text = "text"
	}
	if pattern != "" && len(pattern) <= widestPattern {
		text += " like `" + pattern + "`"
	}
	if length > 0 {
		text += fmt.Sprintf(", %d characters at most", length)
	}
	return text
}

// many says how many values a list may have.
func many(values string, list bool, f field) string {
	if !list || f.count("maxItems") == 0 {
		return values
	}
	return fmt.Sprintf("list of at most %d: %s", f.count("maxItems"), values)
}
