package comment

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var terminalCases = []struct{ name, in, want string }{
	{"plain", "a tab\tand\na line", "a tab\tand\na line"},
	{"letters", "Grüße, 世界, עברית", "Grüße, 世界, עברית"},
	{"colour", "\x1b[31mred\x1b[0m", "<U+001B>[31mred<U+001B>[0m"},
	{"hyperlink", "\x1b]8;;http://x\x07t", "<U+001B>]8;;http://x<U+0007>t"},
	{"C1 control", "a\u009b2Jb", "a<U+009B>2Jb"},
	{"delete", "a\x7fb", "a<U+007F>b"},
	{"carriage returns", "a\r\nb\rc", "a\nb\nc"},
	{"bidi override", "a\u202eb\u2066c", "a<U+202E>b<U+2066>c"},
	{"zero width", "a\u200bb\u200dc\ufeff", "a<U+200B>b<U+200D>c<U+FEFF>"},
	{"tag block", "a\U000E0041", "a<U+E0041>"},
	{"variation selector on a letter", "a\ufe0fb\U000E0101", "a<U+FE0F>b<U+E0101>"},
	{"emoji keeps its colour form", "⚠\ufe0f mind", "⚠\ufe0f mind"},
	{"only one of them", "⚠\ufe0f\ufe0f", "⚠\ufe0f<U+FE0F>"},
	{"fillers", "\u3164\u115f\u2800\uffa0\u034f", "<U+3164><U+115F><U+2800><U+FFA0><U+034F>"},
	{"private use", "\ue000", "<U+E000>"},
	{"unassigned", "\u0378", "<U+0378>"},
	{"line separators", "a\u2028b\u2029c\u0085", "a<U+2028>b<U+2029>c<U+0085>"},
	{"invalid UTF-8", "a\xff\xfeb", "a\uFFFDb"},
	{"workflow command", "::add-mask::a", "<U+003A>:add-mask::a"},
	{"after white space", "x\n \t\u3000::set-output", "x\n \t\u3000<U+003A>:set-output"},
	{"after a carriage return", "x\r::stop-commands::y", "x\n<U+003A>:stop-commands::y"},
	{"old style anywhere", "x ##[add-matcher]y", "x #<U+0023>[add-matcher]y"},
	{"overlapping", "###[x", "##<U+0023>[x"},
	{"a scope operator is none", "std::string a; x ::y", "std::string a; x ::y"},
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range terminalCases {
		t.Run(c.name, func(t *testing.T) {
			if got := Terminal(c.in); got != c.want {
				t.Errorf("Terminal(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{"a\n\n### verdict: pass.md", "a<U+000A><U+000A>### verdict: pass.md"},
		{"a\tb\r\nc", "a<U+0009>b<U+000A>c"},
		{"  ::x::", "  <U+003A>:x::"},
	}
	for _, c := range cases {
		if got := Line(c.in); got != c.want {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	cases := []struct {
		in   string
		max  int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 2, "ä…"},
		{"abc", 1, "…"}, {"abc", 0, ""}, {"", 0, ""}, {"a", -1, ""},
	}
	for _, c := range cases {
		if got := Clip(c.in, c.max); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

// commands is how the runner finds commands in a line of a log.
var commands = regexp.MustCompile(`##\[`)

func checkLog(t interface{ Fatalf(string, ...any) }, in, out string) {
	if !utf8.ValidString(out) {
		t.Fatalf("%q became invalid UTF-8: %q", in, out)
	}
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || commands.MatchString(line) {
			t.Fatalf("%q holds a workflow command: %q", in, out)
		}
	}
	var before rune
	for _, r := range out {
		if !Visible(r) && (r != emojiStyle || !unicode.Is(unicode.So, before)) {
			t.Fatalf("%q still holds U+%04X: %q", in, r, out)
		}
		before = r
	}
}

func checkSinks(t interface{ Fatalf(string, ...any) }, s string) {
	checkLog(t, s, Terminal(s))
	line := Line(s)
	checkLog(t, s, line)
	if strings.ContainsAny(line, "\n\r\t") {
		t.Fatalf("Line(%q) is not one line: %q", s, line)
	}
	if again := Terminal(Terminal(s)); again != Terminal(s) {
		t.Fatalf("Terminal is not stable on %q: %q", s, again)
	}
}

func FuzzSinks(f *testing.F) {
	for _, c := range terminalCases {
		f.Add(c.in)
	}
	for _, c := range markdownCases {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkSinks(t, s)
		checkMarkdown(t, s)
	})
}
