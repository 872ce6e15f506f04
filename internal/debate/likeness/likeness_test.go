package likeness

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// likePairs are pairs of finding texts as two reviewers could write them.
var likePairs = []struct {
	name string
	a, b string
	same bool
}{
	{"reworded", "`close` is never called on the response body, so every retry leaks a connection.",
		"Connection leak: the response body is not closed when the request is retried", true},
	{"name split and whole", "maxRetryCount is read before the config is loaded", "The max retry count is used before the config was loaded", true},
	{"markdown", "**Off by one**: the loop reads `items[len(items)]`", "off by one, the loop reads items[len(items)]", true},
	{"fix attached", "The lock is not released on the error path.\n```go\ndefer mu.Unlock()\nreturn fetch(ctx, key)\n```",
		"The lock is still held when the error path returns: it is never released", true},
	{"other defect in one function", "fetchUser ignores the error of Decode, so a truncated reply passes for a user",
		"fetchUser puts the name into its URL as it is: one with a slash reaches another endpoint", false},
	{"opposite remedies", "The cache grows without a bound, evict old entries", "Reads of the cache race with its writer", false},
	{"only a fence in common", "The index is built twice.\n```\nrows := load(db)\nsort(rows)\n```",
		"Nothing limits how much is read.\n```\nrows := load(db)\nsort(rows)\n```", false},
	{"only small words in common", "it should not be used when this is so", "this is not what it should be used for", false},
}

func TestSimilarTellsFindingsApart(t *testing.T) {
	t.Parallel()
	for _, test := range likePairs {
		if got := Of(test.a, test.b); got >= Likely != test.same {
			t.Errorf("%s: %d per mille alike, the threshold is %d", test.name, got, Likely)
		}
	}
}

func TestTermsOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       Terms
	}{
		{"nothing", " \t--- ", nil},
		{"stop words", "it is not the", nil},
		{"once, at its greatest weight", "retry retryCount retries", Terms{{"@retrycount", 10}, {"count", 3}, {"retr", 10}}},
		{"snake", "MAX_LINE_LENGTH", Terms{{"@max_line_length", 10}, {"length", 3}, {"line", 3}, {"max", 3}}},
		{"capitals", "HTTPServer URLs", Terms{{"@httpserver", 10}, {"http", 3}, {"serv", 3}, {"url", 10}}},
		{"typographic punctuation", "leak—every time… “always”", Terms{{"alwa", 10}, {"ever", 10}, {"leak", 10}, {"time", 10}}},
		{"not English", "größer als", Terms{{"als", 10}, {"größ", 10}}},
		{"no spaces", "资源泄漏。", Terms{{"泄漏", 10}, {"源泄", 10}, {"资源", 10}}},
		{"no text at all", "\xff\xfe\x00", nil},
		{"fence that never ends", "kept\n~~~\nlost", Terms{{"kept", 10}}},
	} {
		if diff := cmp.Diff(test.want, TermsOf(test.text), cmp.AllowUnexported(term{}), cmp.Transformer("nil", func(l Terms) Terms { return slices.Clip(append(Terms{}, l...)) })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestStem checks that the forms of a word meet, wherever they meet.
func TestStem(t *testing.T) {
	t.Parallel()
	for _, forms := range [][]string{
		{"validate", "validates", "validated", "validating", "validation"},
		{"query", "queries"}, {"leak", "leaks", "leaked", "leaking"}, {"drop", "dropped", "dropping"}, {"handler", "handled", "handles"},
	} {
		for _, form := range forms {
			if got, want := stem(form), stem(forms[0]); got != want {
				t.Errorf("%s is cut to %s, %s to %s", form, got, forms[0], want)
			}
		}
	}
	for _, word := range []string{"bus", "class", "this", "a", "is", "née"} {
		if got := stem(word); got != word && word != "née" {
			t.Errorf("%s is cut to %s", word, got)
		}
	}
}

var proseGen = rapid.Custom(func(t *rapid.T) string {
	vocabulary := []string{"cache", "fetchUser", "max_len", "leak", "leaks", "the", "not", "race", "`x`", "\n```\n", "null", "资源", "—", "v2"}
	return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(vocabulary), rapid.String()), 0, 30).Draw(t, "words"), " ")
})

func TestSimilarIsAMeasure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := proseGen.Draw(t, "a"), proseGen.Draw(t, "b")
		got := Of(a, b)
		if got != Of(b, a) {
			t.Fatalf("not symmetric: %d and %d", got, Of(b, a))
		}
		if got < 0 || got > 1000 {
			t.Fatalf("%d is not in per mille", got)
		}
		if self := Of(a, a); self != 1000 && len(TermsOf(a)) > 0 {
			t.Fatalf("%q is only %d per mille like itself", a, self)
		}
		if len(TermsOf(a)) == 0 && got != 0 {
			t.Fatalf("a text without words is %d per mille like %q", got, b)
		}
	})
}

// TestSimilarIsBounded feeds what no reviewer writes.
func TestSimilarIsBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("ab ", 1<<20), strings.Repeat("a", 1<<20), strings.Repeat("aB", 1<<20), strings.Repeat("資", 1<<20), strings.Repeat("`", 1<<20)} {
		if n := len(TermsOf(text)); n > maxCompared {
			t.Errorf("%.10q...: %d terms of at most %d bytes", text, n, maxCompared)
		}
	}
	if got := Of(strings.Repeat("leak ", 1<<20), strings.Repeat("leak ", 1<<20)+"race"); got != 1000 {
		t.Errorf("what stands beyond the bound counts: %d", got)
	}
}

// TestLongTextIsBounded: every two claims are compared, so that what one comparison
// costs must not grow with what a claim says.
func TestLongTextIsBounded(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&long, "word%d_%d ", i, i)
	}
	const bound = 1024 // terms; 600 claims make 180,000 comparisons
	terms := TermsOf(long.String())
	if len(terms) > bound || !reflect.DeepEqual(terms, TermsOf(long.String()[:maxCompared])) {
		t.Errorf("%d terms of a text of %d bytes are compared", len(terms), long.Len())
	}
}
