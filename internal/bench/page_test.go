package bench

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPage: docs/developers/bench.md names every key of a case file and every member of the JSON, and
// its example is a case.
func TestPage(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/developers/bench.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	var names []string
	for _, of := range []reflect.Type{
		reflect.TypeFor[caseFile](), reflect.TypeFor[entryFile](), reflect.TypeFor[placeFile](),
		reflect.TypeFor[shown](), reflect.TypeFor[Row](), reflect.TypeFor[Spent](), reflect.TypeFor[shownCase](),
		reflect.TypeFor[Verdict](), reflect.TypeFor[Matched](), reflect.TypeFor[Expected](), reflect.TypeFor[Finding](), reflect.TypeFor[Skipped](),
	} {
		for f := range of.Fields() {
			for _, kind := range []string{"yaml", "json"} {
				if name, _, _ := strings.Cut(f.Tag.Get(kind), ","); name != "" && name != "-" {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) < 40 {
		t.Fatalf("only %d names were found", len(names))
	}
	for _, name := range names {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not speak of %s", name)
		}
	}
	_, example, _ := strings.Cut(page, "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	cases, err := Load(fstest.MapFS{
		"a/case.yml": {Data: []byte(example)}, "a/change.patch": {}, "a/repo.txtar": {},
	})
	if err != nil || len(cases) != 1 || len(cases[0].Expected) != 1 || cases[0].Body == "" {
		t.Errorf("the example: %v, %+v", err, cases)
	}
}
