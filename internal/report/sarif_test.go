package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/prdebate/debate/internal/debate"
)

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing is fetched
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	s := sarifSchema(t)
	for name, e := range samples() {
		out, err := SARIF(e, sampleRules, "1.2.3")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken, _ := jsonschema.UnmarshalJSON(strings.NewReader(`{"version": "2.1.0", "runs": [{"results": []}]}`))
	if s.Validate(broken) == nil {
		t.Error("the schema accepts a run without a tool")
	}
}

func TestFingerprintsFollowTheText(t *testing.T) {
	t.Parallel()
	a := found("C1", debate.P1, "code", "r/x", "t", "a.go", 3, 3, "x := 1")
	moved, spaced, other, elsewhere := a, a, a, a
	moved.Line, moved.EndLine, moved.ID = 90, 90, "C8"
	spaced.Quote = "  x  :=\t1"
	other.Quote = "x := 2"
	elsewhere.Path = "b.go"
	print := func(f Finding) string { return fingerprint(f, map[string]int{}) }
	if print(a) != print(moved) || print(a) != print(spaced) {
		t.Error("a moved finding is another one")
	}
	if print(a) == print(other) || print(a) == print(elsewhere) {
		t.Error("different findings are the same")
	}
	seen := map[string]int{}
	if fingerprint(a, seen) == fingerprint(moved, seen) {
		t.Error("two findings of one report share a fingerprint")
	}
}

func TestURI(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a/b-c_d.go": "a/b-c_d.go", "a b": "a%20b", "a:b": "a%3Ab", "ü": "%C3%BC", "a%20": "a%2520", "a\n\x1b": "a%0A%1B", "a#b?c": "a%23b%3Fc", `a\b`: "a%5Cb",
	} {
		if got := uri(in); got != want {
			t.Errorf("uri(%q) = %q, want %q", in, got, want)
		}
	}
}
