package tally

import (
	"slices"
	"strings"
	"testing"
)

// voices reads "claude/anthropic=keep gpt/openai=revise? gemini/google": a question
// mark is mere dissent, an exclamation mark an abstention, and no option is none.
func voices(text string) []Voice {
	var list []Voice
	for _, word := range strings.Fields(text) {
		who, option, _ := strings.Cut(word, "=")
		party, family, _ := strings.Cut(who, "/")
		list = append(list, Voice{
			Party: party, Family: family, Option: strings.TrimRight(option, "?!"),
			Dissent: strings.HasSuffix(option, "?"), Abstains: strings.HasSuffix(option, "!"),
		})
	}
	return list
}

func TestSettled(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ voices, settled, unanimous string }{
		"nobody":                           {"", "", ""},
		"one alone":                        {"a/x=keep", "", ""},
		"two agree":                        {"a/x=keep b/y=keep", "keep", "keep"},
		"two differ":                       {"a/x=keep b/y=revise", "", ""},
		"two differ in words only":         {"a/x=keep b/y=revise?", "", ""},
		"both only words":                  {"a/x=keep? b/y=revise?", "", ""},
		"two against dissent":              {"a/x=keep b/y=keep c/z=revise?", "keep", ""},
		"two against a reason":             {"a/x=keep b/y=keep c/z=revise", "", ""},
		"the first against two":            {"a/x=keep? b/y=revise c/z=revise", "revise", ""},
		"a silent third":                   {"a/x=keep b/y=keep c/z", "keep", ""},
		"two silent of four":               {"a/x=keep b/y=keep c/z d/w", "", ""},
		"two silent beside the careful":    {"a/x=revise b/y=revise c/z d/w", "revise", ""},
		"one alone beside the silent":      {"a/x=revise b/y c/z", "", ""},
		"three ways":                       {"a/x=keep? b/y=revise? c/z=reject?", "", ""},
		"half is not more than half":       {"a/x=keep b/y=keep c/z=revise? d/w=revise?", "", ""},
		"nothing is no option":             {"a/x b/y c/z", "", ""},
		"one family, two contexts":         {"a/x=revise b/x=revise", "revise", "revise"},
		"one family against another":       {"a/x=keep b/x=keep c/y=revise?", "", ""},
		"two families, one with a twin":    {"a/x=keep b/x=keep c/y=keep", "keep", "keep"},
		"a divided family holds nothing":   {"a/x=keep b/x=revise c/y=keep", "", ""},
		"a family with a dissenter":        {"a/x=keep b/x=revise? c/y=keep", "keep", ""},
		"an abstention beside one":         {"a/x=keep b/y=keep!", "", "keep"},
		"an abstention beside two":         {"a/x=keep b/y=keep c/z=keep!", "keep", "keep"},
		"an abstention for another option": {"a/x=keep b/y=keep c/z=reject!", "", ""},
		"an abstention for the careful":    {"a/x=keep? b/y=reject c/z=reject!", "", ""},
		"a twin that abstains":             {"a/x=keep b/y=keep c/y=keep!", "keep", "keep"},
		"a twin that says nothing":         {"a/x=keep b/x c/y=keep", "keep", ""},
	} {
		if got := Settled(voices(tt.voices), "keep"); got != tt.settled {
			t.Errorf("%s: settled %q, want %q", name, got, tt.settled)
		}
		if got := Unanimous(voices(tt.voices)); got != tt.unanimous {
			t.Errorf("%s: unanimous %q, want %q", name, got, tt.unanimous)
		}
		reversed := voices(tt.voices)
		slices.Reverse(reversed)
		if got := Settled(reversed, "keep"); got != tt.settled {
			t.Errorf("%s: the order makes it %q", name, got)
		}
	}
}
