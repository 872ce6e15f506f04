package patch

import (
	"strings"
	"testing"
)

func TestHeaderName(t *testing.T) {
	t.Parallel()
	tests := []struct{ value, want string }{
		{"a/f", "a/f"},
		{"a/f \t", "a/f "},
		{"a/f\r", "a/f"},
		{"a/f\t2026-01-02 03:04:05", "a/f"},
		{`"a/\a\b\t\n\v\f\r\"\\"`, "a/\a\b\t\n\v\f\r\"\\"},
		{`"a/\303\274\377"`, "a/\u00fc\xff"},
		{"\"a/f\"\t2026-01-02", "a/f"},
		{"\"\u00fc \xff\"", "\u00fc \xff"},
		// What is not quoted as git does stands as it is.
		{`"a/\777"`, `"a/\777"`},
		{`"a/\u00fc"`, `"a/\u00fc"`},
		{`"a/\08"`, `"a/\08"`},
		{`"a/\`, `"a/\`},
		{`"a/f`, `"a/f`},
		{`"a/f" x`, `"a/f" x`},
		{`"`, `"`},
		{"", ""},
	}
	for _, tt := range tests {
		if got := headerName(tt.value); got != tt.want {
			t.Errorf("headerName(%q) = %q, want %q", tt.value, got, tt.want)
		}
	}
}

func TestGitName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pair, want string
		ok         bool
	}{
		{"a/f b/f", "f", true},
		{"f f", "f", true},
		{"a/f a/f", "a/f", true},
		{"a/x b/x b/x b/x", "x b/x", true},
		{"a/x  b/x ", "x ", true},
		{`"a/t\tb" "b/t\tb"`, "t\tb", true},
		{"i/f w/f", "f", true},
		{"before/f now/f", "f", true},
		{"a/f b/g", "", false},
		{`"a/x y" b/x y`, "x y", true},
		{`a/x y "b/x y"`, "x y", true},
		{"i/f www/f", "f", true},
		{"a/f /f", "", false},
		{`"a/f\n" b/f`, "", false},
		{`"a/f"xb/f`, "", false},
		{`"a/f\n`, "", false},
		{`"a/f\n"x`, "", false},
		{`"a/f" "b/f"x`, "", false},
		{`a/f b/f"`, "", false},
		{`a/f "b/f" "b/f"`, "", false},
		{"a/f", "", false},
		{"", "", false},
		{" ", "", false},
		{"a/ b/", "", false},
	}
	for _, tt := range tests {
		got, ok := gitName(tt.pair)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("gitName(%q) = %q, %v, want %q", tt.pair, got, ok, tt.want)
		}
	}
}

func TestSubmoduleLog(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, want string }{
		{"Submodule lib 1234567..89abcde:", "lib"},
		{"Submodule my lib 1234567...89abcde (rewind):", "my lib"},
		{"Submodule lib 0000000...89abcde (new submodule)", "lib"},
		{"Submodule lib (x) 0000000...89abcde (commits not present)\r\n", "lib (x)"},
		{"Submodule lib contains modified content", "lib"},
		{"Submodule lib contains untracked content", "lib"},
		{"Submodule updates were merged", ""},
		{"Submodule lib 1234567..xyz:", ""},
		{"Submodule lib 12..34:", ""},
		{"Submodule 1234567..89abcde:", ""},
		{"submodule lib 1234567..89abcde:", ""},
	}
	for _, tt := range tests {
		n, names := noteOf(tt.line)
		if got := strings.Join(names, " "); got != tt.want || n.git != (tt.want != "") {
			t.Errorf("noteOf(%q) = %q, want %q", tt.line, got, tt.want)
		}
	}
}
