package segment

import (
	"strings"
	"testing"
)

func TestMarkdownNestingIsBounded(t *testing.T) {
	t.Parallel()
	for _, deep := range []string{">", "> ", "- ", "1. ", "* > "} {
		doc, _ := ParseMarkdown(strings.Repeat(deep, 50_000) + "the risk\n")
		depth := 0
		for n := doc.FirstChild(); n != nil; n = n.FirstChild() {
			depth++
		}
		if depth > 2*maxNesting {
			t.Errorf("%q repeated: nested %d deep", deep, depth)
		}
	}
}

func TestMarkdownKeepsLineNumbers(t *testing.T) {
	t.Parallel()
	in := "a\n" + strings.Repeat(">", 500) + "\nb\n" + strings.Repeat("- ", 500) + "x\nc"
	_, source := ParseMarkdown(in)
	if got, want := strings.Count(string(source), "\n"), strings.Count(in, "\n"); got != want {
		t.Errorf("%d line breaks, want %d", got, want)
	}
}
