package reason

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// codes reads the table of reasons out of its source.
func codes(t *testing.T) []debate.WhyCode {
	file, err := parser.ParseFile(token.NewFileSet(), "../../debate/why.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []debate.WhyCode
	for _, decl := range file.Decls {
		table, ok := decl.(*ast.GenDecl)
		if !ok || table.Tok != token.CONST {
			continue
		}
		for _, line := range table.Specs {
			spec := line.(*ast.ValueSpec)
			if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "WhyCode" {
				t.Errorf("%s: give each code its type", spec.Names[0].Name)
			}
			code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Error(err)
			}
			list = append(list, debate.WhyCode(code))
		}
	}
	return list
}

func TestEveryCodeHasASentence(t *testing.T) {
	list := codes(t)
	if len(list) != len(sentences) {
		t.Errorf("%d codes, %d sentences", len(list), len(sentences))
	}
	seen := map[debate.WhyCode]bool{}
	for _, code := range list {
		if sentences[code] == "" {
			t.Errorf("%q has no sentence", code)
		}
		if seen[code] {
			t.Errorf("%q stands for two reasons", code)
		}
		seen[code] = true
	}
}

func TestSentence(t *testing.T) {
	unfit := debate.Why{Code: debate.WhyMemoryItem, Refs: []string{"claim", "3"}}
	for want, why := range map[string]debate.Why{
		"":                                  {},
		"the budget of 12 calls is used up": {Code: debate.WhyCallsUsed, Refs: []string{"12"}},
		"draft {1}":                         {Code: debate.WhyTold, Words: "draft {1}"},
		"the remembered debate does not fit: claim 3 is not what a debate leaves": {Code: debate.WhyMemoryUnfit, Cause: &unfit},
	} {
		if got := Sentence(why); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
