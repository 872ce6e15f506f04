package text_test

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/text"
)

func TestClip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"aüb", 2, "a…"},
		{"aüb", 3, "aü…"},
		{"ü", 1, "…"},
		{"\x80\x80", 1, "…"},
	} {
		if got := text.Clip(c.in, c.most); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got := text.OneLine(" a\n\tb  c "); got != "a b c" {
		t.Errorf("%q", got)
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", " a\x1b[31m\r\n  b\x00": "a [31m b", "\xff": "?", "a\u202eb": "a b", "grün": "grün",
		strings.Repeat("x", 301): strings.Repeat("x", 300) + "…",
	} {
		if got := text.Message(in); got != want {
			t.Errorf("Message(%q) = %q, want %q", in, got, want)
		}
	}
}
