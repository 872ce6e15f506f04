package comment

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	dom "golang.org/x/net/html"
)

var markdownCases = []struct{ name, in, want string }{
	{"prose", "Drop the table, then migrate.", "Drop the table, then migrate."},
	{"mention", "ask @user now", "ask `@user` now"},
	{"team in full width", "＠org/team", "`＠org/team`"},
	{"issue", "Closes #1 and GH-2, o/r#3", "Closes `#1` and `GH-2`, `o/r#3`"},
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
	{"workflow command", "::add-mask::a", "`<U+003A>:add-mask::a`"},
	{"no emoji", "::a main.go:10:5", `\::a main.go:10:5`},
	{"emoji", ":tada: x:+1:", "`:tada:` `x:+1:`"},
	{"advisory", "see GHSA-abcd-efgh-ijkl", "see `GHSA-abcd-efgh-ijkl`"},
	{"full-width number sign", "fixes ＃1", "fixes `＃1`"},
	{"closing keyword in a word", "fixes:#1", "`fixes:<U+0023>1`"},
	{"bot", "@dependabot merge", "`<U+0040>dependabot` merge"},
	{"package of a bot's owner", "@vercel/analytics", "`@vercel/analytics`"},
	{"slash command behind marks", "> /a\n- * /b\n1. /c\n>/d\n[ ] /e", `\> \/a` + "\n" + `\- \* \/b` + "\n" + `1\. \/c` + "\n" + `\>\/d` + "\n" + `\[ \] \/e`},
	{"number and slash", "3/4 of 1.5/x", "3/4 of 1.5/x"},
	{"old workflow command", "a ##[x]", `a \#\#\[x\]`},
	{"ticks", "`a``", "\\`a\\`\\`"},
	{"code", "`sweep` deletes from (`m`), _not_ `a b`.", "`sweep` deletes from (`m`), \\_not\\_ `a b`."},
	{"code at the start of a line", "`/debate stop` stops\n`x`", "`/debate stop` stops\n`x`"},
	{"code with a mention", "call `@user`", "call `@user`"},
	{"code beside a mention", "`a` @user", "\\`a\\` `@user`"},
	{"code with HTML", "`<img src=x>`", "`<img src=x>`"},
	{"one tick too many", "`a` and `b", "\\`a\\` and \\`b"},
	{"empty code", "`` and ` `", "\\`\\` and \\` \\`"},
	{"code that touches code", "`a``b`", "\\`a\\`\\`b\\`"},
	{"code after code", "`a` `b`", "`a` `b`"},
	{"dash after code", "`a` - b", "`a` - b"},
	{"a number and a bracket apart", "3 ) /x", "3 ) /x"},
	{"number behind a mark", "- 1. x", `\- 1. x`},
	{"slash behind a mark in a sentence", "x > /y - /z", `x \> /y - /z`},
	{"hidden", "a\u202eb", `a\<U+202E\>b`},
	{"block of code", "one\n```suggestion\n a := `b`\n/lgtm @claude\n```\n*two*", "one\n```\n a := `b`\n<U+002F>lgtm <U+0040>claude\n```\n\\*two\\*"},
	{"block of code without an end", "```\na", "```\na\n```"},
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, c := range markdownCases {
		t.Run(c.name, func(t *testing.T) {
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
		{"", "> /lgtm\n* /x\n1. /y\n-1/z", "```\n> <U+002F>lgtm\n* <U+002F>x\n1. <U+002F>y\n-1/z\n```\n"},
		{"", "/\n1 /x\nx > /y", "```\n/\n1 /x\nx > /y\n```\n"},
		{"", "@dependabot merge @claude@codex @Override", "```\n<U+0040>dependabot merge <U+0040>claude<U+0040>codex @Override\n```\n"},
		{"", "Fixes\n#1, fixture #2, fix: o/r#3, duplicate of #4", "```\nFixes\n<U+0023>1, fixture #2, fix: o/r<U+0023>3, duplicate of <U+0023>4\n```\n"},
		{"", "::x::\n<!-- debate:finding v1 -->", "```\n<U+003A>:x::\n<U+003C>!-- debate:finding v1 -->\n```\n"},
	}
	for _, c := range fences {
		if got := Fence(c.info, c.in); got != c.want {
			t.Errorf("Fence(%q, %q) = %q, want %q", c.info, c.in, got, c.want)
		}
	}
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe()))

// notifies is what GitHub looks for in the text of the rendered page, outside
// of code.
var notifies = regexp.MustCompile(`(?i)[@＠﹫]|(^|\W)[#＃][0-9]|\bgh-[0-9]|://|\bwww\.|\bghsa-|:[a-z0-9_+-]*[a-z][a-z0-9_+-]*:`)

// slash is a line that a bot which reads bytes takes for a command, behind marks
// of quotes and lists too.
var slash = regexp.MustCompile(`(?m)^([\s>*+-]|[0-9]+[.)])*/[A-Za-z]`)

// bytesOf are what bots and the platform take from the bytes.
var bytesOf = regexp.MustCompile(`(?i)@dependabot($|[^a-z/-])|\b(close[sd]?|fix(e[sd])?|resolve[sd]?):?\s+[\w./-]*#[0-9]|<!--`)

type reporter interface{ Fatalf(string, ...any) }

// checkMarkdown renders what the sanitiser made of s and looks at every element
// of the page.
func checkMarkdown(t reporter, s string) {
	md, line, code, fence := Markdown(s), MarkdownLine(s), Code(s), Fence("go", s)
	for _, out := range []string{md, line, code, fence} {
		checkLog(t, s, out)
		if m := bytesOf.FindString(out); m != "" {
			t.Fatalf("%q: %q is in the bytes: %q", s, m, out)
		}
	}
	for _, out := range []string{md, line, "- " + line, "> " + line, fence} {
		if m := slash.FindString(out); m != "" {
			t.Fatalf("%q: %q is a slash command: %q", s, m, out)
		}
	}
	checkPage(t, s, md, "p code br pre")
	checkPage(t, s, "- "+line+"\n", "ul li code")
	checkPage(t, s, "> **"+line+"** x\n", "blockquote p strong code")
	checkPage(t, s, "x "+code+" y", "p code")
	checkPage(t, s, fence, "pre code")
	checkPage(t, s, "<details><summary>x</summary>\n\n"+md+"\n\n"+fence+"\n</details>\n", "details summary p code br pre")
	if got, want := spanText("x "+code+" y"), inert(Line(s)); strings.TrimSpace(s) != "" && got != want {
		t.Fatalf("Code(%q) shows %q, want %q", s, got, want)
	}
}

// checkPage renders Markdown and demands that the page has no elements but those
// named, each block at most once, no attribute but the language of a block, and
// no text outside of code that notifies.
func checkPage(t reporter, in, md, elements string) {
	var page bytes.Buffer
	if err := gfm.Convert([]byte(md), &page); err != nil {
		t.Fatalf("%q does not render: %v", in, err)
	}
	root, err := dom.Parse(&page)
	if err != nil {
		t.Fatalf("%q is no page: %v", in, err)
	}
	known := strings.Fields("html head body " + elements)
	var said strings.Builder
	seen := make(map[string]int)
	for n := range root.Descendants() {
		switch n.Type {
		case dom.TextNode:
			if n.Parent.Data == "code" {
				said.WriteByte(' ')
			} else {
				said.WriteString(n.Data)
			}
		case dom.ElementNode:
			seen[n.Data]++
			if !slices.Contains(known, n.Data) {
				t.Fatalf("%q renders as <%s>: %q", in, n.Data, md)
			}
			if len(n.Attr) > 0 && (n.Data != "code" || n.Attr[0].Val != "language-go") {
				t.Fatalf("%q has the attribute %v: %q", in, n.Attr[0], md)
			}
		default:
			t.Fatalf("%q renders as a node of type %d: %q", in, n.Type, md)
		}
	}
	once := []string{"ul", "li", "blockquote", "details", "summary"}
	if elements == "pre code" { // one block; a text may have several
		once = append(once, "pre")
	}
	for _, block := range once {
		if want := strings.Count(" "+elements+" ", " "+block+" "); seen[block] != want {
			t.Fatalf("%q renders as %d <%s>, want %d: %q", in, seen[block], block, want, md)
		}
	}
	if m := notifies.FindString(said.String()); m != "" {
		t.Fatalf("%q notifies by %q: %q", in, m, md)
	}
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

// checkLink demands that a page has one link at most, to the host that it may
// go to.
func checkLink(t reporter, in, md string) {
	var page bytes.Buffer
	if err := gfm.Convert([]byte(md), &page); err != nil {
		t.Fatalf("%q does not render: %v", in, err)
	}
	root, err := dom.Parse(&page)
	if err != nil {
		t.Fatalf("%q is no page: %v", in, err)
	}
	links := 0
	for n := range root.Descendants() {
		if n.Type != dom.ElementNode {
			continue
		}
		if n.Data == "a" {
			links++
			if !strings.HasPrefix(n.Attr[0].Val, "https://github.com/") || len(n.Attr) != 1 {
				t.Fatalf("%q links to %v: %q", in, n.Attr, md)
			}
		}
		if !slices.Contains(strings.Fields("html head body p code a"), n.Data) || links > 1 {
			t.Fatalf("%q renders as <%s>: %q", in, n.Data, md)
		}
	}
}

// TestClipWords: a line is cut behind a word, and what it opened is closed.
func TestClipWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"drops a column":                                   "drops a column",
		"changes stored data and drops a column":           "changes stored data and…",
		"changes stored (it drops a column of all orders)": "changes stored (it drops…)",
		"it calls `sweep the buckets` without the mutex":   "it calls `sweep the…`",
		"an objection: \"the lock is held by the caller\"": "an objection: \"the lock…\"",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":             "aaaaaaaaaaaaaaaaaaaaaaaaa…",
	} {
		if got := ClipWords(in, 30); got != want || utf8.RuneCountInString(got) > 30 {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
