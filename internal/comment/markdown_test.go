package comment

import (
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

var markdownCases = []struct{ name, in, want string }{
	{"prose", "Drop the table, then migrate.", "Drop the table, then migrate."},
	{"mention", "ask @user now", "ask `@user` now"},
	{"team in full width", "＠org/team", "`＠org/team`"},
	{"issue", "Closes #1 and GH-2, o/r#3", "Closes `#1` and `GH-2,` `o/r#3`"},
	{"commit", "see deadbeef1", "see `deadbeef1`"},
	{"link", "[x](http://y)", "`[x](http://y)`"},
	{"relative link", "[x](y)", `\[x\](y)`},
	{"image", "![x](y)", `\!\[x\](y)`},
	{"autolink", "www.a.b", "`www.a.b`"},
	{"html", "<img src=x>", `\<img src=x\>`},
	{"comment", "<!-- debate:summary v1 -->", `\<\!-- debate:summary v1 --\>`},
	{"entity", "&#64;", "`&#64;`"}, // "#6" reads as a reference
	{"slash command", "/lgtm\n  /debate stop", `\/lgtm` + "\n" + `\/debate stop`},
	{"path in a sentence", "in db/3.sql and /etc", "in db/3.sql and /etc"},
	{"heading", "# h", `\# h`},
	{"setext", "h\n===\nh\n---", "h\n\\===\nh\n\\---"},
	{"lists", "- a\n+ b\n1. c\n22) d", "\\- a\n\\+ b\n1\\. c\n22\\) d"},
	{"quote", "> q", `\> q`},
	{"table", "|a|b|\n|-|-|", `\|a\|b\|` + "\n" + `\|-\|-\|`},
	{"indented code", "    x", "x"},
	{"workflow command", "::add-mask::a", `\::add-mask::a`},
	{"old workflow command", "a ##[x]", `a \#\#\[x\]`},
	{"ticks", "`a``", "\\`a\\`\\`"},
	{"hidden", "a\u202eb", `a\<U+202E\>b`},
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, c := range markdownCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Markdown(c.in); got != c.want {
				t.Errorf("Markdown(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
			checkMarkdown(t, c.in)
		})
	}
}

func TestCodeAndFence(t *testing.T) {
	t.Parallel()
	codes := []struct{ in, want string }{
		{"", ""}, {"a", "`a`"}, {"a`b", "``a`b``"}, {"`", "`` ` ``"}, {" a ", "`  a  `"}, {"  ", "`  `"},
		{"a\nb", "`a<U+000A>b`"}, {"<!-- x", "`<U+003C>!-- x`"}, {"##[x]", "`#<U+0023>[x]`"},
	}
	for _, c := range codes {
		if got := Code(c.in); got != c.want {
			t.Errorf("Code(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	fences := []struct{ info, in, want string }{
		{"go", "a\n", "```go\na\n```\n"},
		{"", "```\n````x", "`````\n```\n````x\n`````\n"},
		{"a b`\n", "x", "```ab\nx\n```\n"},
		{"", "/lgtm\n  /debate stop\n// x\n/* y\na /b", "```\n<U+002F>lgtm\n  <U+002F>debate stop\n// x\n/* y\na /b\n```\n"},
		{"", "::x::\n<!-- debate:finding v1 -->", "```\n<U+003A>:x::\n<U+003C>!-- debate:finding v1 -->\n```\n"},
	}
	for _, c := range fences {
		if got := Fence(c.info, c.in); got != c.want {
			t.Errorf("Fence(%q, %q) = %q, want %q", c.info, c.in, got, c.want)
		}
	}
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// allowed are the only nodes that sanitised text may become.
var allowed = map[ast.NodeKind]bool{
	ast.KindDocument: true, ast.KindParagraph: true, ast.KindText: true, ast.KindString: true, ast.KindCodeSpan: true,
}

// notifies is what GitHub looks for in the text of the rendered page, outside
// of code.
var notifies = regexp.MustCompile(`(?i)[@＠﹫]|(^|\W)#[0-9]|\bgh-[0-9]|://|\bwww\.`)

// slash is a line that a bot which reads bytes takes for a command.
var slash = regexp.MustCompile(`(?m)^\s*/[A-Za-z]`)

type reporter interface{ Fatalf(string, ...any) }

// checkMarkdown renders what the sanitiser made of s and looks at every node.
func checkMarkdown(t reporter, s string) {
	md := Markdown(s)
	checkLog(t, s, md)
	checkNodes(t, s, md, allowed)
	checkNodes(t, s, "- "+MarkdownLine(s)+"\n", with(ast.KindList, ast.KindListItem, ast.KindTextBlock))
	code := Code(s)
	checkLog(t, s, code)
	checkNodes(t, s, "x "+code+" y", allowed)
	if got, want := spanText("x "+code+" y"), Line(s); strings.TrimSpace(s) != "" && got != withoutMarkers(want) {
		t.Fatalf("Code(%q) shows %q, want %q", s, got, want)
	}
	fence := Fence("go", s)
	checkLog(t, s, fence)
	checkNodes(t, s, fence, with(ast.KindFencedCodeBlock))
	if n := strings.Count(fence, "<!--") + strings.Count(md, "<!--") + strings.Count(code, "<!--"); n > 0 {
		t.Fatalf("%q: an HTML comment starts in the bytes", s)
	}
	if slash.MatchString(md) || slash.MatchString(fence) || slash.MatchString(MarkdownLine(s)) {
		t.Fatalf("%q: a slash command starts a line", s)
	}
}

func with(kinds ...ast.NodeKind) map[ast.NodeKind]bool {
	set := map[ast.NodeKind]bool{}
	for kind := range allowed {
		set[kind] = true
	}
	for _, kind := range kinds {
		set[kind] = true
	}
	return set
}

func checkNodes(t reporter, in, md string, kinds map[ast.NodeKind]bool) {
	source := []byte(md)
	var said strings.Builder
	blocks := 0
	root := gfm.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if !kinds[n.Kind()] {
			t.Fatalf("%q renders as %s: %q", in, n.Kind(), md)
		}
		switch n := n.(type) {
		case *ast.List, *ast.FencedCodeBlock:
			blocks++
		case *ast.CodeSpan:
			said.WriteByte(' ')
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			said.Write(unescape(n.Segment.Value(source)))
		}
		return ast.WalkContinue, nil
	})
	if blocks > 1 {
		t.Fatalf("%q breaks out of its block: %q", in, md)
	}
	if m := notifies.FindString(said.String()); m != "" {
		t.Fatalf("%q notifies by %q: %q", in, m, md)
	}
}

func unescape(b []byte) []byte {
	return regexp.MustCompile(`\\([[:punct:]])`).ReplaceAll(b, []byte("$1"))
}

// spanText is the text of the only code span in md.
func spanText(md string) string {
	source := []byte(md)
	var got strings.Builder
	_ = ast.Walk(gfm.Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() == ast.KindText && n.Parent().Kind() == ast.KindCodeSpan {
			got.Write(n.(*ast.Text).Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return got.String()
}
