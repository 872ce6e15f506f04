package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// codes reads a table of codes out of its source.
func codes[C ~string](t *testing.T, name, kind string) []C {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../debate/"+name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []C
	for _, decl := range file.Decls {
		table, ok := decl.(*ast.GenDecl)
		if !ok || table.Tok != token.CONST {
			continue
		}
		for _, line := range table.Specs {
			spec := line.(*ast.ValueSpec)
			if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != kind {
				t.Errorf("%s: give each code its type", spec.Names[0].Name)
			}
			code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Error(err)
			}
			list = append(list, C(code))
		}
	}
	return list
}

func TestEveryCodeHasASentence(t *testing.T) {
	list := codes[debate.WhyCode](t, "why.go", "WhyCode")
	if len(list) != len(whys) {
		t.Errorf("%d codes, %d sentences", len(list), len(whys))
	}
	seen := map[debate.WhyCode]bool{}
	for _, code := range list {
		if whys[code] == "" {
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
		"":                                 {},
		"the limit of 12 calls is reached": {Code: debate.WhyCallsUsed, Refs: []string{"12"}},
		"draft {1}":                        {Code: debate.WhyTold, Words: "draft {1}"},
		"the earlier review cannot be used: its claim 3 is broken": {Code: debate.WhyMemoryUnfit, Cause: &unfit},
	} {
		if got := (names{}).sentence(why); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	gaveIn := debate.Why{Code: debate.WhyConceded, Refs: []string{"K1"}}
	if got := (names{finder: "gpt"}).sentence(gaveIn) + "; " + (names{}).sentence(gaveIn); got != "gpt accepted K1; its finder accepted K1" {
		t.Error(got)
	}
}

// TestSentencesArePlain: no sentence has a word that only the protocol knows.
func TestSentencesArePlain(t *testing.T) {
	inner := regexp.MustCompile(`(?i)\b(owner|primary|challenger|dissenter|confront\w*|exchange|keep|claim|party|parties|head|family|sheet|voices|bound|human)s?\b`)
	for code, sentence := range whys {
		if word := inner.FindString(sentence); word != "" {
			t.Errorf("%s says %q: %s", code, word, sentence)
		}
	}
	for doubt, sentence := range doubts {
		if word := inner.FindString(sentence); word != "" {
			t.Errorf("%s says %q: %s", doubt, word, sentence)
		}
	}
}
