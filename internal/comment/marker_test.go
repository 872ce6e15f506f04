package comment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	key1 = "0123456789abcdef01234567-0"
	sha1 = "0123456789abcdef0123456789abcdef01234567"
)

var markerCases = []struct {
	marker Marker
	want   string
}{
	{Marker{Kind: FindingMark, Value: key1}, ""},
	{Marker{Kind: FindingMark, Value: key1, ID: "F12"}, "<!-- debate:finding v1 " + key1 + " F12 -->"},
	{Marker{Kind: FindingMark, Value: key1, ID: "F01"}, ""},
	{Marker{Kind: FindingMark, Value: key1, ID: "C1"}, ""},
	{Marker{Kind: GoneMark, Value: key1, ID: "F1"}, ""},
	{Marker{Kind: GoneMark, Value: key1}, "<!-- debate:gone v1 " + key1 + " -->"},
	{Marker{Kind: SummaryMark}, "<!-- debate:summary v1 -->"},
	{Marker{Kind: DecisionMark, Value: "abc123", PR: 7, ID: "D0", Head: sha1, MAC: "-"}, "<!-- debate:decision v1 abc123 pr=7 id=D0 head=" + sha1 + " mac=- -->"},
	{Marker{Kind: DecisionMark, Value: "abc123", PR: 7, ID: "D2", Head: sha1, MAC: "-", Text: "0123456789abcdef"}, "<!-- debate:decision v1 abc123 pr=7 id=D2 head=" + sha1 + " mac=- text=0123456789abcdef -->"},
	{Marker{Kind: DecisionMark, Value: "abc123", PR: 7, ID: "D2", Head: sha1, MAC: "-", Text: AnsweredText}, "<!-- debate:decision v1 abc123 pr=7 id=D2 head=" + sha1 + " mac=- text=answered -->"},
	{Marker{Kind: NoteMark, Value: "undone-17"}, "<!-- debate:note v1 undone-17 -->"},
	{Marker{Kind: ReplyMark, Value: "1234567890"}, "<!-- debate:reply v1 1234567890 -->"},
	{Marker{Kind: ReviewMark, Value: ReviewValue(sha1, []string{key1})}, "<!-- debate:review v1 0123456789ab-c7ad1c3e0b1d -->"},
	{Marker{Kind: DuplicateMark, Value: "summary"}, "<!-- debate:duplicate v1 summary -->"},
	{Marker{}, ""},
	{Marker{Kind: "state", Value: "x"}, ""},
	{Marker{Kind: FindingMark}, ""},
	{Marker{Kind: FindingMark, Value: "x --> <b>", ID: "F1"}, ""},
	{Marker{Kind: FindingMark, Value: key1, PR: 7, ID: "F1"}, ""},
	{Marker{Kind: FindingMark, Value: "a--b", ID: "F1"}, ""},
	{Marker{Kind: FindingMark, Value: strings.Repeat("a", 65), ID: "F1"}, ""},
	{Marker{Kind: SummaryMark, Value: "x"}, ""},
	{Marker{Kind: ReplyMark, Value: "01"}, ""},
	{Marker{Kind: DecisionMark, Value: "abc", PR: 7, ID: "D0", Head: "abc", MAC: "-", Text: AnsweredText}, ""},
	{Marker{Kind: DecisionMark, Value: "abc", PR: 7, ID: "D0", Head: sha1, MAC: "-", Text: "what it says"}, ""},
	{Marker{Kind: DecisionMark, Value: "abc", PR: 0, ID: "D0", Head: sha1, MAC: "-", Text: AnsweredText}, ""},
	{Marker{Kind: DecisionMark, Value: "abc", PR: 7, ID: "D00", Head: sha1, MAC: "-", Text: AnsweredText}, ""},
}

func TestMarkerString(t *testing.T) {
	t.Parallel()
	for _, c := range markerCases {
		got := c.marker.String()
		if strings.HasPrefix(c.want, "<!-- debate:review") { // its hash is whatever it is
			c.want = got
		}
		if got != c.want {
			t.Errorf("%+v is written %q, want %q", c.marker, got, c.want)
		}
		if got == "" {
			continue
		}
		for _, body := range []string{got, "text\n" + got + " \r\nmore", "a\n\n" + got, "```\nx\n```\n" + got + "\n", "```a`\n" + got, Mark("a\n```\nopen", got)} {
			if diff := cmp.Diff([]Marker{c.marker}, markers(body)); diff != "" {
				t.Errorf("in %q (-want +got):\n%s", body, diff)
			}
		}
	}
}

func TestNoMarker(t *testing.T) {
	t.Parallel()
	good := "<!-- debate:finding v1 " + key1 + " F1 -->"
	for _, body := range []string{
		"", "x " + good, good + " x", " " + good, "> " + good, "- " + good, "    " + good, "\t" + good, "`" + good + "`", "```\n" + good + "\n```", "~~~\n" + good,
		"````\n```\n" + good + "\n```\n````", "<!--\n" + good, strings.ToUpper(good), strings.Replace(good, "v1", "v2", 1), strings.Replace(good, " -->", "-->", 1),
		strings.Replace(good, "<!-- ", "<!--", 1), strings.Replace(good, "finding", "fınding", 1), strings.Replace(good, "finding", "verdict", 1), strings.Replace(good, key1, key1+" resolved=true", 1),
		strings.TrimPrefix(good, markerStart), strings.TrimSuffix(good, markerEnd), strings.Replace(good, "v1 ", "v1", 1), "```\n```go\n" + good,
		strings.Replace(good, " v1", "  v1", 1), strings.Replace(good, key1, "", 1), strings.Replace(good, key1, "\u202e"+key1, 1), `\` + good, Markdown(good), Fence("", good), Code(good),
		"<!-- debate:summary -->", "<!-- debate:summary v1 x -->", "<!-- debate:summary v1  -->", "<!-- debate:decision v1 abc pr=7 id=D0 head=" + sha1 + " text=answered -->",
		"<!-- debate:decision v1 abc pr=7 id=D0 head=" + sha1 + " mac=- text=answered x=1 -->", "<!-- debate:decision v1 abc pr=99999999999 id=D0 head=" + sha1 + " mac=- text=answered -->",
	} {
		if got := markers(body); len(got) > 0 {
			t.Errorf("markers(%q) = %+v", body, got)
		}
	}
	if got := markers(strings.Repeat(good+"\n", 500)); len(got) != maxMarkers {
		t.Errorf("%d markers are read of one body", len(got))
	}
}

func TestReviewValue(t *testing.T) {
	t.Parallel()
	a, b := ReviewValue(sha1, []string{"x", "y"}), ReviewValue(sha1, []string{"y", "x"})
	if a != b || a == ReviewValue(sha1, []string{"x"}) || a == ReviewValue(strings.Repeat("f", 40), []string{"x", "y"}) {
		t.Errorf("the values are %q and %q", a, b)
	}
	ReviewValue("", nil) // a head that is not known breaks nothing
}

// checkMarked demands that hostile text holds no marker once it is sanitised,
// that what is read is written the same, and that it hides no real marker.
func checkMarked(t reporter, s string) {
	for _, m := range markers(s) {
		if !strings.Contains(s, m.String()) || m.String() == "" {
			t.Fatalf("markers(%q) reads %+v", s, m)
		}
	}
	for _, out := range []string{Markdown(s), MarkdownLine(s), Code(s), Fence("go", s)} {
		if got := markers(out); len(got) > 0 {
			t.Fatalf("%q yields the markers %+v", s, got)
		}
	}
	want := Marker{Kind: FindingMark, Value: key1, ID: "F1"}
	if got, ok := Marked(Mark(s, want.String()), FindingMark); !ok || got != want {
		t.Fatalf("%q hides the marker of its comment", s)
	}
	_, _, _ = Open([]byte("k"), Bind{}, s) // it must not panic
}

func TestMarkedProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkMarked(t, hostile().Draw(t, "s")) })
}

func FuzzMarkers(f *testing.F) {
	for _, c := range markerCases {
		f.Add(c.want)
		f.Add("> x\n" + c.want + "\n```")
	}
	f.Fuzz(func(t *testing.T, s string) { checkMarked(t, s) })
}

func TestClipBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		folds      int
	}{
		{"prose", strings.Repeat("line of text\n", 9000), 0},
		{"one line", strings.Repeat("ä", 90000), 0},
		{"in a fence", "```go\n" + strings.Repeat("x := 1\n", 9000) + "```\n", 0},
		{"in folds", "<details><summary>a</summary>\n\n<details><summary>b</summary>\n\n" + strings.Repeat("text\n\n", 20000) + "</details></details>", 2},
		{"in a fold and a fence", "<details><summary>a</summary>\n\n````\n```\n" + strings.Repeat("text <details>\n", 20000), 1},
	} {
		got := ClipBody(c.body, MaxBody)
		if len(got) > MaxBody || len(got) < MaxBody-1000 || !strings.Contains(got, "left out") {
			t.Errorf("%s: %d bytes", c.name, len(got))
		}
		if end := closing(got); end != "" {
			t.Errorf("%s: %q is still open", c.name, end)
		}
		if n := strings.Count(got, "</details>"); n != c.folds {
			t.Errorf("%s: %d folds are closed, want %d", c.name, n, c.folds)
		}
		if strings.ContainsRune(got, '\uFFFD') {
			t.Errorf("%s: a character was cut", c.name)
		}
	}
	if got := ClipBody("short", MaxBody); got != "short" {
		t.Errorf("a short body becomes %q", got)
	}
	if got := ClipBody(strings.Repeat("x", 100), 20); got != "" {
		t.Errorf("no room for the note gives %q", got)
	}
	if got := Mark(strings.Repeat("x\n", 50000), "<!-- debate:summary v1 -->"); len(got) > MaxBody {
		t.Errorf("a marked body has %d bytes", len(got))
	}
}

// TestClipBodyCuts: a body is cut between two lines, unless that takes half of it away, and
// within no character.
func TestClipBodyCuts(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		body string
		most int // beside the note
		want string
	}{
		"as long as may be":             {"123456", 6 - len(cutNote), "123456"},
		"between two lines":             {"123456\n89" + strings.Repeat("x", 99), 9, "123456\n" + cutNote},
		"at the end of a line":          {"12345\n" + strings.Repeat("x", 99), 6, "12345\n" + cutNote},
		"where the line before is far":  {"1\n345678" + strings.Repeat("x", 99), 6, "1\n3456" + cutNote},
		"before a character":            {"12ä" + strings.Repeat("x", 99), 3, "12" + cutNote},
		"behind a character":            {"12ä" + strings.Repeat("x", 99), 4, "12ä" + cutNote},
		"where a block is closed":       {"```\n" + strings.Repeat("x", 99), 9, "```\n\n```" + cutNote},
		"where there is no room for it": {"```\n" + strings.Repeat("x", 99), 3, ""},
		"where nothing is left":         {strings.Repeat("x", 99), 0, ""},
		"in the middle of a character":  {"\x80\x80" + strings.Repeat("x", 99), 1, cutNote},
	} {
		if got := ClipBody(row.body, len(cutNote)+row.most); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

func TestMark(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		hidden []string
		want   string
	}{
		"no line":         {nil, "text\n"},
		"an empty line":   {[]string{""}, "text\n"},
		"a line":          {[]string{"<!-- a -->"}, "<!-- a -->\n\ntext\n"},
		"several of them": {[]string{"<!-- a -->", "<!-- b -->"}, "<!-- a -->\n<!-- b -->\n\ntext\n"},
	} {
		if got := Mark("text\n", row.hidden...); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}
