package patch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prdebate/debate/internal/debate"
)

const quoted = `diff --git a/f.go b/f.go
--- a/f.go
+++ b/f.go
@@ -10,10 +10,15 @@
 func total(items []item) int {
 	sum := 0
+	for i := range items {
+		sum += items[i].price
+	}

-	return compute(items)
-	// and never come back
+	for i := range items {
+		sum -= items[i].rebate
+	}
+- item one of the list
 }
 	if aa  &&	bb {
 <<<<<<<
 short
 shorter
@@ -40 +45,4 @@
-the old far away line
+the new far away line
+a {
+}
+go home()
`

// quotes are citations of quoted; the fuzz target starts from them too.
var quotes = []struct {
	name       string
	side       debate.Side
	start, end int
	quote      string
	want       Match
}{
	{"the line", debate.Right, 13, 13, "\t\tsum += items[i].price", Match{OK: true, StartLine: 13, EndLine: 13}},
	{"other white space", debate.Right, 21, 21, "  if aa && bb {  ", Match{OK: true, StartLine: 21, EndLine: 21}},
	{"two lines", debate.Right, 12, 13, "for i := range items {\n  sum += items[i].price", Match{OK: true, StartLine: 12, EndLine: 13}},
	{"carriage returns in the quote", debate.Right, 12, 13, "for i := range items {\r\nsum += items[i].price\r\n", Match{OK: true, StartLine: 12, EndLine: 13}},
	{"too short, a line off", debate.Right, 23, 23, "shorter", Match{StartLine: 23, EndLine: 23, Reason: "a quote of less than 8 characters must be the whole cited line"}},
	{"two short lines", debate.Right, 23, 24, "short\nshorter", Match{OK: true, StartLine: 23, EndLine: 24}},
	{"two very short lines", debate.Right, 14, 15, "}\n", Match{OK: true, StartLine: 14, EndLine: 15}},
	{"a blank line in the range", debate.Right, 13, 16, "sum += items[i].price\n}\n\nfor i := range items {", Match{OK: true, StartLine: 13, EndLine: 16}},
	{"a blank line that the quote lost", debate.Right, 13, 16, "sum += items[i].price\n}\nfor i := range items {", Match{OK: true, StartLine: 13, EndLine: 16}},
	{"removed lines", debate.Left, 13, 14, "return compute(items)\n// and never come back", Match{OK: true, StartLine: 13, EndLine: 14}},
	{"context on the left", debate.Left, 10, 10, "func total(items []item) int {", Match{OK: true, StartLine: 10, EndLine: 10}},

	{"labels of the packet", debate.Right, 12, 13, "+12 \tfor i := range items {\n+13 \t\tsum += items[i].price", Match{OK: true, StartLine: 12, EndLine: 13}},
	{"labels of context", debate.Right, 10, 11, " 10 func total(items []item) int {\n 11 \tsum := 0", Match{OK: true, StartLine: 10, EndLine: 11}},
	{"labels of context, trimmed", debate.Right, 10, 11, "10 func total(items []item) int {\n 11 \tsum := 0", Match{OK: true, StartLine: 10, EndLine: 11}},
	{"labels of removed lines", debate.Left, 13, 13, "-13 \treturn compute(items)", Match{OK: true, StartLine: 13, EndLine: 13}},
	{"a label on an empty line", debate.Right, 14, 16, "+14 \t}\n 15\n+16 \tfor i := range items {", Match{OK: true, StartLine: 14, EndLine: 16}},
	{"a label on one line of two", debate.Right, 12, 13, "+12 \tfor i := range items {\nsum += items[i].price", Match{StartLine: 12, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"only one label", debate.Right, 13, 13, "+13 +13 \t\tsum += items[i].price", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"signs of a diff", debate.Right, 11, 12, " \tsum := 0\n+\tfor i := range items {", Match{OK: true, StartLine: 11, EndLine: 12}},
	{"signs of a diff, and context without its blank", debate.Right, 11, 12, "sum := 0\n+\tfor i := range items {", Match{OK: true, StartLine: 11, EndLine: 12}},
	{"removed lines, and context without its blank", debate.Left, 13, 15, "-\treturn compute(items)\n-\t// and never come back\n}", Match{OK: true, StartLine: 13, EndLine: 15}},
	{"both sides of a hunk, on the right", debate.Right, 16, 18, "-\treturn compute(items)\n-\t// and never come back\n+\tfor i := range items {\n+\t\tsum -= items[i].rebate\n+\t}", Match{OK: true, StartLine: 16, EndLine: 18}},
	{"both sides of a hunk, on the left", debate.Left, 13, 14, "-\treturn compute(items)\n-\t// and never come back\n+\tfor i := range items {", Match{OK: true, StartLine: 13, EndLine: 14}},
	{"removed lines with context, on the right", debate.Right, 15, 16, "-\treturn compute(items)\n-\t// and never come back\n \n", Match{StartLine: 15, EndLine: 16, Reason: "the quote is not at or near the cited lines"}},
	{"labels of both sides", debate.Right, 45, 45, "-40 the old far away line\n+45 the new far away line", Match{OK: true, StartLine: 45, EndLine: 45}},
	{"both sides with a line that is not there", debate.Right, 45, 45, "-the old far away line\n+the new far away lime", Match{StartLine: 45, EndLine: 45, Reason: "the quote is not at or near the cited lines"}},
	{"a sign that is content", debate.Right, 19, 19, "- item one of the list", Match{OK: true, StartLine: 19, EndLine: 19}},
	{"a sign before a sign that is content", debate.Right, 19, 19, "+- item one of the list", Match{OK: true, StartLine: 19, EndLine: 19}},
	{"a short line with its label", debate.Right, 23, 23, "+23 short", Match{OK: true, StartLine: 23, EndLine: 23}},
	{"a label on an empty line, carriage returns", debate.Right, 14, 16, "+14 \t}\r\n 15\r\n+16 \tfor i := range items {\r", Match{OK: true, StartLine: 14, EndLine: 16}},
	{"an empty line between labels", debate.Right, 14, 16, "+14 \t}\n\n+16 \tfor i := range items {", Match{OK: true, StartLine: 14, EndLine: 16}},
	{"the second label has no side", debate.Right, 12, 13, "+12 \tfor i := range items {\n13 \t\tsum += items[i].price", Match{StartLine: 12, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"a number on one line of two", debate.Right, 12, 13, "+12 \tfor i := range items {\n+ \t\tsum += items[i].price", Match{StartLine: 12, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"a number before the words", debate.Right, 13, 13, "+13sum += items[i].price", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"a colon after the number", debate.Right, 13, 13, "+13:sum += items[i].price", Match{OK: true, StartLine: 13, EndLine: 13}},
	{"a letter in the place of a sign", debate.Right, 13, 13, "xsum += items[i].price", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"a sign alone, at an empty line", debate.Right, 15, 15, "+", Match{StartLine: 15, EndLine: 15, Reason: "a quote of less than 8 characters must be the whole cited line"}},
	{"a label alone, beside the diff", debate.Right, 25, 25, "+25 ", Match{StartLine: 25, EndLine: 25, Reason: "a quote of less than 8 characters must be the whole cited line"}},

	{"three lines up", debate.Right, 16, 16, "sum += items[i].price", Match{OK: true, StartLine: 13, EndLine: 13, Reanchored: true}},
	{"three lines down", debate.Right, 14, 14, "sum -= items[i].rebate", Match{OK: true, StartLine: 17, EndLine: 17, Reanchored: true}},
	{"four lines down", debate.Right, 13, 13, "sum -= items[i].rebate", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"one line of the cited ones", debate.Right, 11, 16, "sum += items[i].price", Match{OK: true, StartLine: 13, EndLine: 13, Reanchored: true}},
	{"more lines than were cited", debate.Right, 12, 12, "for i := range items {\nsum += items[i].price", Match{OK: true, StartLine: 12, EndLine: 13, Reanchored: true}},
	{"twice within reach", debate.Right, 14, 14, "for i := range items {", Match{StartLine: 14, EndLine: 14, Reason: "the quote is at more than one place near the cited lines"}},
	{"twice within reach, but at the cited line", debate.Right, 12, 12, "for i := range items {", Match{OK: true, StartLine: 12, EndLine: 12}},
	{"once within reach of two", debate.Right, 11, 11, "for i := range items {", Match{OK: true, StartLine: 12, EndLine: 12, Reanchored: true}},
	{"over the gap between hunks", debate.Right, 24, 45, "shorter\nthe new far away line", Match{StartLine: 24, EndLine: 45, Reason: "the quote is not at or near the cited lines"}},
	{"from outside the diff into it", debate.Right, 43, 43, "the new far away line", Match{OK: true, StartLine: 45, EndLine: 45, Reanchored: true}},

	{"after a blank line", debate.Right, 17, 18, "for i := range items {\nsum -= items[i].rebate", Match{OK: true, StartLine: 16, EndLine: 17, Reanchored: true}},
	{"a range that leaves the diff", debate.Right, 23, 25, "short\nshorter", Match{OK: true, StartLine: 23, EndLine: 24, Reanchored: true}},
	{"eight characters, a line off", debate.Right, 47, 47, "go home()", Match{OK: true, StartLine: 48, EndLine: 48, Reanchored: true}},
	{"two very short lines, a line off", debate.Right, 45, 46, "a {\n}", Match{OK: true, StartLine: 46, EndLine: 47, Reanchored: true}},

	{"altered", debate.Right, 13, 13, "sum += items[j].price", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"a part of the line", debate.Right, 13, 13, "items[i].price", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"more than the line", debate.Right, 13, 13, "sum += items[i].price // safe", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"words run together", debate.Right, 13, 13, "sum+=items[i].price", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"two lines run together", debate.Right, 10, 11, "func total(items []item) int {sum := 0", Match{StartLine: 10, EndLine: 11, Reason: "the quote is not at or near the cited lines"}},
	{"the other side", debate.Left, 13, 13, "sum += items[i].price", Match{StartLine: 13, EndLine: 13, Reason: "the quote is not at or near the cited lines"}},
	{"no quote", debate.Right, 13, 13, "", Match{StartLine: 13, EndLine: 13, Reason: "there is no quote"}},
	{"white space only", debate.Right, 13, 13, " \n\t\n ", Match{StartLine: 13, EndLine: 13, Reason: "there is no quote"}},
	{"a short whole line", debate.Right, 24, 24, "shorter", Match{OK: true, StartLine: 24, EndLine: 24}},
	{"the longest quote", debate.Right, 24, 24, "shorter" + strings.Repeat(" ", quoteBytes-len("shorter")), Match{OK: true, StartLine: 24, EndLine: 24}},
	{"too long", debate.Right, 24, 24, strings.Repeat("x", quoteBytes+1), Match{StartLine: 24, EndLine: 24, Reason: "the quote is too long"}},
	{"lines far away", debate.Right, 90, 91, "sum += items[i].price", Match{StartLine: 90, EndLine: 91, Reason: "there are no such lines"}},
	{"line 0", debate.Right, 0, 0, "sum += items[i].price", Match{Reason: "the line range is not valid"}},
	{"a range that runs backwards", debate.Right, 13, 12, "sum += items[i].price", Match{StartLine: 13, EndLine: 12, Reason: "the line range is not valid"}},
	{"the longest range", debate.Right, 13, 12 + citedLines, "sum += items[i].price", Match{OK: true, StartLine: 13, EndLine: 13, Reanchored: true}},
	{"a range of a line more", debate.Right, 13, 13 + citedLines, "sum += items[i].price", Match{StartLine: 13, EndLine: 13 + citedLines, Reason: "the line range is not valid"}},
	{"a range without end", debate.Right, 13, 1 << 40, "sum += items[i].price", Match{StartLine: 13, EndLine: 1 << 40, Reason: "the line range is not valid"}},
	{"no side", "", 13, 13, "sum += items[i].price", Match{StartLine: 13, EndLine: 13, Reason: "the side is neither RIGHT nor LEFT"}},
}

func TestQuote(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte(quoted), nil))
	for _, tt := range quotes {
		t.Run(tt.name, func(t *testing.T) {
			c := debate.Citation{Path: "f.go", Side: tt.side, StartLine: tt.start, EndLine: tt.end, Quote: tt.quote}
			if d := cmp.Diff(tt.want, x.Quote(c)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestQuoteElsewhere(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte(quoted), nil))
	for path, want := range map[string]string{
		debate.BodyPath:  "the text of the pull request is not part of the diff",
		debate.IssuePath: "what an issue says shows nothing about the change",
		"other.go":       "there are no such lines",
	} {
		m := x.Quote(debate.Citation{Path: path, Side: debate.Right, StartLine: 13, EndLine: 13, Quote: "sum += items[i].price"})
		if m.OK || m.Reason != want {
			t.Errorf("%s: %+v", path, m)
		}
	}
}

// TestQuoteOfBrokenText quotes bytes that no model can send back.
func TestQuoteOfBrokenText(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte("--- f\n+++ f\n@@ -0,0 +1 @@\n+caf\xe9 au lait\n"), nil))
	m := x.Quote(debate.Citation{Path: "f", Side: debate.Right, StartLine: 1, EndLine: 1, Quote: "caf\ufffd au lait"})
	if !m.OK {
		t.Errorf("%+v", m)
	}
}

func TestVerbatim(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte(quoted), nil))
	tests := []struct {
		side       debate.Side
		start, end int
		quote      string
		want       bool
	}{
		{debate.Right, 22, 22, "<<<<<<<", true},
		{debate.Right, 20, 20, "}", true},
		{debate.Right, 15, 15, "", true}, // an empty line, quoted as it is
		{debate.Right, 20, 21, "}\n\tif aa  &&\tbb {", true},
		{debate.Right, 20, 21, "}\n\tif aa && bb {", false},
		{debate.Right, 20, 20, "}\n", false},
		{debate.Right, 20, 20, " }", false},
		{debate.Right, 20, 20, "+20 }", false},
		{debate.Right, 22, 23, "<<<<<<<", false},
		{debate.Right, 21, 21, "<<<<<<<", false},
		{debate.Right, 24, 25, "shorter\n", false}, // line 25 is not in the diff
		{debate.Right, 0, 0, "", false},
		{debate.Right, 90, 90, "", false},
		{debate.Right, 20, 19, "", false},
		{debate.Left, 13, 13, "\treturn compute(items)", true},
		{"", 20, 20, "}", false},
	}
	for _, tt := range tests {
		c := debate.Citation{Path: "f.go", Side: tt.side, StartLine: tt.start, EndLine: tt.end, Quote: tt.quote}
		if got := x.Verbatim(c); got != tt.want {
			t.Errorf("Verbatim(%+v) = %v", c, got)
		}
	}
}
