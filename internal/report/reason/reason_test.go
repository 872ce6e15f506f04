package reason

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
	file, err := parser.ParseFile(token.NewFileSet(), "../../debate/"+name, nil, 0)
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

func TestFact(t *testing.T) {
	cite := []debate.Evidence{{Cite: debate.Citation{Path: "cart.go", StartLine: 7, EndLine: 7}}}
	for want, fact := range map[string]debate.Fact{
		`claim_raised claude F1 P2: "it overflows", cart.go:7`:              {Kind: debate.ClaimRaised, Who: "claude", About: "F1", Code: "P2", Text: "it\noverflows", Cites: cite},
		"talk_ended thin; two rounds in a row brought nothing new":          {Kind: debate.TalkEnded, Code: "thin", Why: debate.Why{Code: debate.WhyNothingMoved}},
		`call_failed gpt OPEN/0/gpt timeout: "no reply within 180 seconds"`: {Kind: debate.CallFailed, Who: "gpt", About: "OPEN/0/gpt", Code: "timeout", Text: "no reply within 180 seconds"},
	} {
		if got := Fact(fact); got != want {
			t.Errorf("%q, want %q", got, want)
		}
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
		if got := Sentence(why); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	gaveIn := debate.Why{Code: debate.WhyConceded, Refs: []string{"K1"}}
	if got := (Names{Finder: "gpt"}).Sentence(gaveIn) + "; " + Sentence(gaveIn); got != "gpt gave in to K1; its finder gave in to K1" {
		t.Error(got)
	}
}

// TestSentencesArePlain: no sentence has a word that only the protocol knows.
func TestSentencesArePlain(t *testing.T) {
	inner := regexp.MustCompile(`(?i)\b(owner|primary|challenger|dissenter|confront\w*|exchange|keep|claim|party|parties|head|family|sheet|voices|bound|human)s?\b`)
	for code, sentence := range sentences {
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
