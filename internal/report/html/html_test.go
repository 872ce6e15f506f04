package html

import (
	"slices"
	"testing"
)

// TestSpans: what is between two backticks of a line is code.
func TestSpans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]span{
		"call `sweep` first":   {{"call ", false}, {"sweep", true}, {" first", false}},
		"`a`\n`b` and ` alone": {{"a", true}, {"\n", false}, {"`b` and ` alone", false}},
		"```go\nx := `y`\n```": {{"```go\n", false}, {"x := ", false}, {"y", true}, {"\n", false}, {"```", false}},
		"no code":              {{"no code", false}},
		"":                     nil,
	} {
		if got := spans(text); !slices.Equal(got, want) {
			t.Errorf("%q is %v, not %v", text, got, want)
		}
	}
}
