package sarif

import (
	"regexp"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

func TestFingerprintsFollowTheText(t *testing.T) {
	t.Parallel()
	a := report.Finding{ID: "C1", Severity: debate.P1, Rule: "r/x", Title: "t", Path: "a.go", Line: 3, EndLine: 3, Side: debate.Right, Quote: "x := 1"}
	moved, spaced, other, elsewhere := a, a, a, a
	moved.Line, moved.EndLine, moved.ID = 90, 90, "C8"
	spaced.Quote = "  x  :=\t1"
	other.Quote = "x := 2"
	elsewhere.Path = "b.go"
	prints := func(findings ...report.Finding) (all []string) {
		t.Helper()
		text, err := Render(report.Envelope{P1: findings}, nil, "v1")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"debate/v1": "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			all = append(all, m[1])
		}
		if len(all) != len(findings) {
			t.Fatalf("%d fingerprints of %d findings in\n%s", len(all), len(findings), text)
		}
		return all
	}
	first := prints(a)[0]
	if first != prints(moved)[0] || first != prints(spaced)[0] {
		t.Error("a moved finding is another one")
	}
	if first == prints(other)[0] || first == prints(elsewhere)[0] {
		t.Error("different findings are the same")
	}
	if two := prints(a, moved); two[0] == two[1] {
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
