package report

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	dom "golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/long"
)

type failer interface{ Fatalf(string, ...any) }

// elements are all that the page is made of, each with the attributes that it may
// have.
var elements = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "style": "", "body": "", "header": "", "nav": "aria-label", "main": "id",
	"footer": "", "section": "id aria-labelledby", "article": "class id", "h1": "", "h2": "id", "h3": "", "h4": "", "p": "class", "strong": "", "span": "class",
	"a": "class href", "ul": "class", "ol": "class aria-label", "li": "class", "dl": "", "dt": "", "dd": "", "code": "", "pre": "class tabindex role aria-label", "div": "class tabindex role aria-label",
	"details": "", "summary": "", "fieldset": "", "legend": "", "label": "", "input": "type name id checked", "figure": "class", "figcaption": "id",
	"table": "", "caption": "", "thead": "", "tbody": "", "tr": "", "th": "scope", "td": "",
	"svg": "class width height viewBox aria-hidden role aria-labelledby aria-describedby", "rect": "class x y width height", "text": "class x y", "desc": "id",
}

// policy is what a browser lets the page do.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

// skeleton is the page without its texts, and without code elements, which come and go with
// the backticks of texts. It fails on what the template does not
// write, and on whatever would load, run or leave the page.
func skeleton(t failer, page []byte) (tags, text string) {
	root, err := dom.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatalf("no page: %v", err)
	}
	var b, said strings.Builder
	ids, links := map[string]bool{}, []string{}
	metas, styles := 0, 0
	var walk func(n *dom.Node)
	walk = func(n *dom.Node) {
		switch n.Type {
		case dom.TextNode:
			if n.Parent.Data == "style" {
				styles++
				if n.Data != pageStyle(t) {
					t.Fatalf("the style is not that of the template: %q", n.Data)
				}
			} else {
				said.WriteString(n.Data)
			}
		case dom.ElementNode:
			may, known := elements[n.Data]
			if !known {
				t.Fatalf("<%s> in\n%s", n.Data, page)
			}
			if n.Data != "code" {
				b.WriteString("<" + n.Data)
			}
			for _, a := range n.Attr {
				if !slices.Contains(strings.Fields(may), a.Key) {
					t.Fatalf("<%s> has %s=%q", n.Data, a.Key, a.Val)
				}
				b.WriteString(" " + a.Key + "=" + a.Val)
				switch a.Key {
				case "id":
					if strings.Trim(a.Val, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
						t.Fatalf("id %q", a.Val)
					}
					ids[a.Val] = true
				case "href":
					links = append(links, a.Val)
				case "content":
					metas++
				}
			}
			if n.Data != "code" {
				b.WriteString(">")
			}
		case dom.DocumentNode, dom.DoctypeNode:
		default:
			t.Fatalf("a node of type %d: %q", n.Type, n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if n.Type == dom.ElementNode && n.Data != "code" {
			b.WriteString("</" + n.Data + ">")
		}
	}
	walk(root)
	for _, to := range links {
		if at, local := strings.CutPrefix(to, "#"); !local || !ids[at] {
			t.Fatalf("a link to %q, where nothing is", to)
		}
	}
	if metas != 4 || styles != 1 || bytes.Count(page, []byte(policy)) != 1 {
		t.Fatalf("%d metas, %d styles, or another policy", metas, styles)
	}
	return b.String(), said.String()
}

// pageStyle is the style sheet as the template has it.
func pageStyle(t failer) string {
	parts, err := os.ReadFile("html/page.tmpl.html")
	if err != nil {
		t.Fatalf("%v", err)
	}
	_, style, _ := strings.Cut(string(parts), "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	return style
}

// TestHostilePage: whatever the texts of a debate are, the page is made of the
// same elements with the same attributes, and shows the texts as they are.
func TestHostilePage(t *testing.T) {
	t.Parallel()
	const token = "qzjx"
	tags, text := skeleton(t, HTML(poisoned(token)))
	times := strings.Count(text, token)
	if times < 150 {
		t.Fatalf("the page shows %d of the texts", times)
	}
	for _, bad := range []string{
		"<script>alert(1)</script>", "</style><script>alert(1)</script>", "</title><img src=x onerror=alert(1)>", "</pre></code></details></article></section></main><h1>x</h1>",
		`"><svg onload=alert(1)>`, `' onmouseover='alert(1)`, `" autofocus onfocus=alert(1) x="`, "javascript:alert(1)", "data:text/html,<b>x</b>", "<!-- --> <![cdata[x]]> <?x?>",
		"{{.Foot}} {{template `page` .}} {{/*", "&lt;b&gt; &amp;#x3c; &#60;", "`${alert(1)}`", "<a href=http://evil.test>x</a> http://evil.test", "<base href=//evil.test><meta http-equiv=refresh content=0>",
		"a\u202egpj.exe", "a\u200bb\u2066c\ufeffd", "x\U000e0041\U000e007fy", "a\x1b[31mb\x00c\u0085d", "a\xff\xfeb", "##[add-mask]x", "<plaintext>", "<noscript><p title=\"</noscript><img src=x>\">",
		"</textarea><xmp><iframe src=//evil.test></iframe>", "a\u00a0b", "<math><mi//xlink:href='data:x,<b>'>", "+adw-script+ad4-", "%3cscript%3e",
	} {
		got, said := skeleton(t, HTML(poisoned(bad)))
		if got != tags {
			t.Errorf("%q changes the elements of the page", bad)
		}
		// Some words of enumerations are shown in small letters, some backticks as code.
		plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "`", "")) }
		if n := strings.Count(plain(said), plain(comment.Line(bad))); n != times {
			t.Errorf("%q is shown %d times, want %d", bad, n, times)
		}
		checkSinks(t, poisoned(bad))
	}
	long.Check(t, func(t *rapid.T) {
		pieces := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"<", ">", "</", "\"", "'", "`", "=", "&", "<!--", "-->", "{{", "}}", "style", "script", "\n", "\u202e", "\x00", "/", "::", "on"}))
		bad := "x" + strings.Join(rapid.SliceOfN(pieces, 1, 8).Draw(t, "s"), "")
		if got, _ := skeleton(t, HTML(poisoned(bad))); got != tags {
			t.Fatalf("%q changes the elements of the page", bad)
		}
	})
}

// TestPageKeepsLines: a text keeps its line breaks and quoted code its form; what
// cannot be seen is shown.
func TestPageKeepsLines(t *testing.T) {
	t.Parallel()
	e := rich()
	f := &e.P1[0]
	f.Body, f.Quote, f.Suggestion = "one\r\n\n  two <b>\u202e\n::three", "\tif a < b && c {\n\t\treturn \"\u200b\"\n\t}", "\n\nx\n"
	root, err := dom.Parse(bytes.NewReader(HTML(e)))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for n := range root.Descendants() {
		if n.Type == dom.TextNode && (n.Parent.Data == "p" || n.Parent.Data == "code" || n.Parent.Data == "span") {
			said = append(said, n.Data)
		}
	}
	for _, want := range []string{"one\n\n  two <b><U+202E>\n<U+003A>:three", "\tif a < b && c {\n", "\t\treturn \"<U+200B>\"\n", "\t}\n", "\n\nx"} {
		if !slices.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
}

// TestPageIsReadable: landmarks, headings and tables are what programs that read
// pages out need, and the page is the same each time.
func TestPageIsReadable(t *testing.T) {
	t.Parallel()
	for name, e := range samples() {
		page := HTML(e)
		if !bytes.Equal(page, HTML(e)) {
			t.Errorf("%s: not the same twice", name)
		}
		root, err := dom.Parse(bytes.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		seen, ids, level := map[string]int{}, map[string]int{}, 0
		for n := range root.Descendants() {
			if n.Type != dom.ElementNode {
				continue
			}
			if n.Namespace == "" { // a drawing has titles of its own
				seen[n.Data]++
			}
			for _, a := range n.Attr {
				if a.Key == "id" {
					ids[a.Val]++
				}
			}
			switch n.Data {
			case "h1", "h2", "h3", "h4":
				at := int(n.Data[1] - '0')
				if at > level+1 {
					t.Errorf("%s: <%s> follows a heading of level %d", name, n.Data, level)
				}
				level = at
				fallthrough
			case "caption", "th", "summary", "a", "title":
				if n.FirstChild == nil {
					t.Errorf("%s: <%s> is empty", name, n.Data)
				}
			case "table":
				if n.FirstChild.NextSibling.Data != "caption" {
					t.Errorf("%s: a table without a caption", name)
				}
			}
		}
		for id, n := range ids {
			if n > 1 && name != "hostile" { // whose claims have all one id
				t.Errorf("%s: %d places with the id %q", name, n, id)
			}
		}
		for _, one := range []string{"h1", "title", "header", "nav", "main", "footer"} {
			if seen[one] != 1 {
				t.Errorf("%s: %d <%s>", name, seen[one], one)
			}
		}
	}
}

// TestPageOrder: what a reader needs first comes first, in the words of the other
// reports.
func TestPageOrder(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	e.Record, e.Seal = "/tmp/r.jsonl", strings.Repeat("ab", 32)
	_, rest := skeleton(t, HTML(e))
	whole := rest
	for _, want := range []string{
		"Decisions to make", "Should this be merged?", "Recommended: changes first (gpt and the scores of the models).",
		"mallory: no write access", "it changes what is billed (a.go:10)", "Asked for before it is merged", "F1 P1 The index runs past the end (a.go:10)", "gemini would not merge it: two changes in one",
		"they ship together", "ask the owner", "Is the old format still read?", "debate decide RECORD OPTION WHY", "would merge it as it is: \"Fine as it is.\"", "the plan should be split",
		"Findings", "F1", "The index runs past the end", "a.go:10", "confirmed", "raised it", "✓ quote found", "is it reached?", "accepts the answer", "the call",
		"F3", "The plan names no owner", "pull request text:4", "Why: nobody measured it", "To settle it: heap after one hour", "refuted", "accepts the objection: ", "Why: the lock is held", "not debated",
		"Figures", "range:main..HEAD", "Answered questions", "Which cache?", "ada decided: ", "the judge for risk chooses no cache: \"a cache hides errors\"",
		"How the debate went", "Scores", "changes first 75%", "The scores of local do not count: no reply", "LRU 2, no cache 1", "no counter-argument", "two thin rounds", "Models, calls and costs", "changed its answer", "stopped answering", "cost unknown",
		"/tmp/r.jsonl", strings.Repeat("ab", 32), "debate replay",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("%q is missing or out of order in\n%s", want, whole)
		}
		rest = after
	}
}

// TestHugePage: a page that is too long keeps its outcome and its decisions, and
// says that something is left out.
func TestHugePage(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\"\U000E0041", 2_000)
	e := poisoned(long)
	for range 150 {
		e.P1, e.Unresolved = append(e.P1, e.P1[0]), append(e.Unresolved, e.Unresolved[0])
		e.Notes, e.Positions, e.Rounds = append(e.Notes, long), append(e.Positions, e.Positions[0]), append(e.Rounds, e.Rounds[0])
	}
	for range 25 {
		d := &e.Decisions[0]
		d.Triggers, d.Options, d.Grouped = append(d.Triggers, d.Triggers[0]), append(d.Options, d.Options[0]), append(d.Grouped, d.Grouped[0])
		d.Rubric.Sheets = append(d.Rubric.Sheets, d.Rubric.Sheets[0])
	}
	for range 12 {
		e.Decisions = append(e.Decisions, e.Decisions[0])
	}
	out := HTML(e)
	if len(out) > MaxHTML || len(out) < MaxHTML/4 || !utf8.Valid(out) {
		t.Errorf("%d bytes", len(out))
	}
	_, text := skeleton(t, out)
	for _, want := range []string{"Decisions to make", "parts left out. The record holds everything.", "more"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := bytes.Count(out, []byte(`id="decision-`)); n != 13 {
		t.Errorf("%d decisions are shown", n)
	}
}

// TestPageOfAnswers: a question shows its answer, and nothing of a merge.
func TestPageOfAnswers(t *testing.T) {
	t.Parallel()
	e := FromState(questioned())
	_, text := skeleton(t, HTML(e))
	if !strings.Contains(text, e.Inquiry.Question) || !strings.Contains(text, "points confirmed") || strings.Contains(text, debate.BodyPath) {
		t.Error(text)
	}
}

// TestPageOfManyFindings: a page of 200 findings with their conversations shows all of
// them in 2 MB.
func TestPageOfManyFindings(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	f := e.P1[0]
	f.Body = strings.Repeat("What goes wrong, and when. ", 20)
	for len(f.Conversation) < 12 {
		f.Conversation = append(f.Conversation, f.Conversation[0])
	}
	e.P1 = nil
	for i := range 200 {
		f.ID = fmt.Sprint("F", 100+i)
		e.P1 = append(e.P1, f)
	}
	out := HTML(e)
	if n := bytes.Count(out, []byte("<article class=\"p1")); n != 200 || len(out) > 2<<20 || len(out) > MaxHTML {
		t.Errorf("%d findings in %d bytes", n, len(out))
	}
	if bytes.Contains(out, []byte("left out")) {
		t.Error("something is left out")
	}
}

// TestPageMisquoted: a quote that is not there is not shown as code.
func TestPageMisquoted(t *testing.T) {
	t.Parallel()
	e := FromState(played(t, "repaired"))
	f := &e.P1[0]
	f.Quote, f.Misquoted = "nothing of the kind()", true
	page := HTML(e)
	root, err := dom.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		isCode := n.Type == dom.ElementNode && (n.Data == "pre" || n.Data == "code")
		if !isCode {
			continue
		}
		for d := range n.Descendants() {
			if d.Type == dom.TextNode && strings.Contains(d.Data, "of the kind") {
				t.Error("it is shown as code")
			}
		}
	}
}

// TestOverviewIsFolded: what a change does stands in a fold under the verdict, and is no
// part of the page that one has to scroll past.
func TestOverviewIsFolded(t *testing.T) {
	t.Parallel()
	page := string(HTML(FromState(contested())))
	_, head, _ := strings.Cut(page, "<header>")
	head, rest, _ := strings.Cut(head, "</header>")
	verdict, fold, folded := strings.Cut(head, "<details>\n<summary>"+OverviewTitle+"</summary>")
	if !folded || !strings.Contains(verdict, "<h1>") || !strings.Contains(fold, "It bills hours instead of months. — gpt") {
		t.Errorf("under the verdict stands\n%s", head)
	}
	if strings.Contains(rest, OverviewTitle) {
		t.Error("it stands there twice")
	}
	if strings.Contains(string(HTML(FromState(agreeing()))), OverviewTitle) {
		t.Error("it is there where nobody said it")
	}
}
