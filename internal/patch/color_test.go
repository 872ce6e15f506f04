package patch

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// painted has every kind of line that git colors in its own way, and sequences of its own.
func painted(r *repo) {
	r.write("a.c", "int f(int x) {\n    int y = x;\n    return y + 1;\n}\nlong line that moves\nanother one that moves\n\n")
	r.write("dos", "dos\r\nfile\r\n")
	r.write("esc", "\x1b[31mred\x1b[m\n\x1b[1mdeleted\x1b[m\n\x1b[31mdeleted, and red\n")
	r.write("bin", "\x00a")
	r.write("old name", "1\n2\n3\n4\n")
	r.write("run.sh", "#!/bin/sh\n")
	r.write("long.go", "package a\n\nfunc f() {\n\ta()\n\tb()\n\tc()\n\td()\n\te()\n\tf()\n}\n")
	r.commit("before")
	r.write("a.c", "int f(int x) {\n    int y = x+1;   \n    return y + 1;\n}\n\n \t foo\t\n   \nanother one that moves\nlong line that moves\nno newline")
	r.write("dos", "dos\r\nfile2\r\nnew \r\n")
	r.write("esc", "\x1b[31mred\x1b[m\n\x1b[32mgreen\x1b[m\n        \x1b[mx\x1b[0m\nto the end\x1b[0m\n")
	r.write("bin", "\x00b")
	r.rename("old name", "new näme")
	r.write("new näme", "1\n2\n3\n4\n5\n")
	r.chmod("run.sh", 0o755)
	r.write("empty", "")
	r.write("long.go", "package a\n\nfunc f() {\n\ta()\n\tb()\n\tc()\n\td()\n\te()\n\tfX()\n}\n")
	r.commit("after")
}

// TestColors compares each colored diff with the same diff without colors.
func TestColors(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	painted(r)
	for _, tt := range [][]string{
		{},
		{"--color-moved=plain"},
		{"--color-moved=zebra", "--color-moved-ws=allow-indentation-change"},
		{"--color-moved=dimmed-zebra"},
		{"--ws-error-highlight=all"},
		{"--ws-error-highlight=none"},
		{"-U0"},
		{"--binary"},
		{"--no-prefix"},
		{"--function-context"},
		{"-c", "core.whitespace=indent-with-non-tab,space-before-tab,cr-at-eol,tabwidth=2"},
		{"-c", "core.whitespace=tab-in-indent,space-before-tab"},
		{"-c", "color.diff.new=normal", "-c", "color.diff.meta=normal", "-c", "color.diff.old=#ff0ab3", "-c", "color.diff.func=blue bold"},
		{"-c", "color.diff.context=yellow", "-c", "color.diff.whitespace=reverse", "-c", "diff.wsErrorHighlight=all"},
		{"-c", "color.diff.frag=normal", "-c", "color.diff.old=reset red", "-c", "color.diff.new=bold 202 ul"},
	} {
		var settings, options []string
		for i := 0; i < len(tt); i++ {
			if tt[i] == "-c" {
				settings = append(settings, tt[i], tt[i+1])
				i++
				continue
			}
			options = append(options, tt[i])
		}
		show := func(color string) []byte {
			return r.git(append(append(append(settings[:len(settings):len(settings)], "diff", "-M", color), options...), "HEAD~", "HEAD")...)
		}
		plain, colored := show("--no-color"), show("--color=always")
		if bytes.Equal(plain, colored) {
			t.Errorf("%q: no color", tt)
		}
		if got := Plain(colored); !bytes.Equal(got, plain) {
			t.Errorf("%q:\n%s", tt, unlike(string(got), string(plain)))
		}
		if got := Plain(plain); !bytes.Equal(got, plain) {
			t.Errorf("%q: a diff without colors changes:\n%s", tt, unlike(string(got), string(plain)))
		}
	}
}

// unlike lists the lines that differ.
func unlike(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var b strings.Builder
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			b.WriteString(strings.ReplaceAll("got  "+g[i]+"\nwant "+w[i]+"\n", "\x1b", "^["))
		}
	}
	return b.String()
}

// TestColorsOfOtherTools holds colored lines of tools that need not be installed here.
func TestColorsOfOtherTools(t *testing.T) {
	t.Parallel()
	const head = "\x1b[1mdiff --git a/f b/f\x1b[m\n\x1b[1m--- a/f\x1b[m\n\x1b[1m+++ b/f\x1b[m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[m\n"
	const want = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n"
	for _, tt := range []struct{ name, text, want string }{
		{
			"diff-highlight", head + " a\x1b[m\n\x1b[31m-\tint b\x1b[7mold\x1b[27m = 1;\x1b[m\n\x1b[32m+\x1b[m\t\x1b[32mint b\x1b[7mald = 1;\x1b[m\x1b[41m  \x1b[27m\x1b[m\n",
			want + " a\n-\tint bold = 1;\n+\tint bald = 1;  \n",
		},
		{
			"diff-highlight with colors of its own",
			head + " a\x1b[m\n\x1b[1;31m-\tint b\x1b[m\x1b[1;31;48;5;52mold\x1b[m\x1b[1;31m = 1;\x1b[m\n\x1b[1;32m+\x1b[m\x1b[1;32;48;5;22mald\x1b[m\x1b[1;32m\x1b[m\n",
			want + " a\n-\tint bold = 1;\n+ald\n",
		},
		{
			"GNU diff", "\x1b[1m--- f\t2026-01-02 03:04:05\x1b[0m\n\x1b[1m+++ f\t2026-01-02 03:04:05\x1b[0m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n a\n\x1b[31m-b\x1b[0m\n\x1b[32m+c\x1b[0m\n",
			"--- f\t2026-01-02 03:04:05\n+++ f\t2026-01-02 03:04:05\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
		},
		{"the end of a line is cleared", strings.ReplaceAll(head, "\x1b[m", "\x1b[m\x1b[K") + " a\x1b[m\x1b[K\n\x1b[31m-b\x1b[m\x1b[K\n\x1b[32m+c\x1b[0m\x1b[0K\r\n", want + " a\n-b\n+c\r\n"},
		{"a mark of the byte order", "\xef\xbb\xbf" + want + " a\n-b\n+c\n", want + " a\n-b\n+c\n"},
		{"UTF-16", "\xff\xfe" + wide(want+" ä\n-b\n+c\n"), want + " ä\n-b\n+c\n"},
	} {
		if got := string(Plain([]byte(tt.text))); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestDiffHighlight asks the script that comes with git, if it is there.
func TestDiffHighlight(t *testing.T) {
	t.Parallel()
	const lib = "/usr/share/doc/git/contrib/diff-highlight"
	if _, err := os.Stat(lib + "/DiffHighlight.pm"); err != nil {
		t.Skip("no diff-highlight here")
	}
	r := newRepo(t)
	painted(r)
	plain, colored := r.git("diff", "HEAD~", "HEAD"), r.git("diff", "--color=always", "HEAD~", "HEAD")
	for _, settings := range [][]string{nil, {
		"color.diff-highlight.oldNormal", "red bold", "color.diff-highlight.oldHighlight", "red bold 52",
		"color.diff-highlight.newNormal", "green bold", "color.diff-highlight.newHighlight", "green bold 22",
	}} {
		for i := 0; i < len(settings); i += 2 {
			r.git("config", settings[i], settings[i+1])
		}
		cmd := exec.Command("perl", "-I", lib, "-MDiffHighlight", "-e", "DiffHighlight::handle_line($_) while <STDIN>; DiffHighlight::flush()")
		cmd.Dir, cmd.Stdin = r.dir, bytes.NewReader(colored)
		out, err := cmd.Output()
		if err != nil {
			t.Skip(err)
		}
		if got := Plain(out); !bytes.Equal(got, plain) {
			t.Errorf("%q:\n%s", settings, unlike(string(got), string(plain)))
		}
	}
}

func TestWordDiff(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	painted(r)
	for _, form := range []string{"plain", "porcelain", "color"} {
		for _, color := range []string{"--color=always", "--no-color"} {
			if form == "color" && color == "--no-color" {
				continue
			}
			if !Parse(Plain(r.git("diff", color, "--word-diff="+form, "HEAD~", "HEAD", "--", "a.c", "bin", "long.go", "run.sh")), nil).WordDiff {
				t.Errorf("%s %s is not recognized", form, color)
			}
		}
	}
	if Parse(Plain(r.git("diff", "--color=always", "HEAD~", "HEAD")), nil).WordDiff {
		t.Error("an ordinary diff is none of words")
	}
	for _, text := range []string{
		"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-x = [-a-z-]\n+y\n",
		"diff --git a/f b/f\nold mode 100644\nnew mode 100755\n",
	} {
		if Parse([]byte(text), nil).WordDiff {
			t.Errorf("%q is a diff of lines", text)
		}
	}
}

func TestColorsAsText(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	painted(r)
	colored := string(r.git("diff", "--color=always", "HEAD~", "HEAD"))
	for _, form := range []string{"^[", `\033`, `\e`, `\x1b`, `\u001b`, "\u241b", ""} {
		if !ColorsAsText([]byte(strings.ReplaceAll(colored, "\x1b", form))) {
			t.Errorf("%q is not recognized", form)
		}
	}
	if !ColorsAsText([]byte(strings.ReplaceAll(colored, "\x1b[", ""))) {
		t.Error("colors without their first two characters are not recognized")
	}
	for _, text := range []string{colored, "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+^[[1mdiff --git a/f b/f\n"} {
		if ColorsAsText([]byte(text)) {
			t.Errorf("%q has no colors as text", text)
		}
	}
}

// wide is an ASCII or Latin text in UTF-16.
func wide(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}
