package sarif

import (
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
	print := func(f report.Finding) string { return fingerprint(f, map[string]int{}) }
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
