package patch

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// Bounds of a quote.
const (
	quoteBytes   = 64 << 10
	citedLines   = 2_000 // of one citation
	anchorReach  = 3     // lines around the cited ones to search for a quote
	minimumRunes = 8     // without white space, in a quote of one line
)

// Match is the place of a citation's quote.
type Match struct {
	OK                 bool
	StartLine, EndLine int    // the lines of the quote; the cited lines if it was not found
	Reanchored         bool   // found near the cited lines, not at them
	Reason             string // why it was not found, in short words for people; "" if OK
}

// Quote searches the lines of the diff for the quote of a citation (A03). White space counts as one
// blank, and one label before each line, as in the packet or in a diff, is ignored. The quote must
// be the whole cited lines, or those of exactly one place within three lines of them if it is long
// enough to identify a place (M03b).
func (x *Index) Quote(c debate.Citation) Match {
	return x.QuoteShown(c, func(line string) string { return line })
}

// QuoteShown is Quote for a model that got each line in another form, such as without secrets.
func (x *Index) QuoteShown(c debate.Citation, shown func(line string) string) Match {
	m := Match{StartLine: c.StartLine, EndLine: c.EndLine}
	if m.Reason = refusal(c); m.Reason != "" {
		return m
	}
	var near []folded // the lines of the diff within reach
	for line := max(1, c.StartLine-anchorReach); line <= c.EndLine+anchorReach; line++ {
		if text, ok := x.Line(c.Path, c.Side, line); ok {
			near = append(near, folded{line, fold(shown(text))})
		}
	}
	if len(near) == 0 {
		m.Reason = "there are no such lines"
		return m
	}
	m.Reason = "the quote is not at or near the cited lines"
	if !long(strings.Split(c.Quote, "\n")) {
		m.Reason = "a quote of less than " + strconv.Itoa(minimumRunes) + " characters must be the whole cited line"
	}
	for _, quote := range readings(c.Quote, c.Side) {
		words := fold(strings.Join(quote, "\n"))
		if words != "" && textOf(near, c.StartLine, c.EndLine) == words {
			return Match{OK: true, StartLine: c.StartLine, EndLine: c.EndLine}
		}
		if !long(quote) { // it occurs in many places
			continue
		}
		switch found := occurrences(near, words); len(found) {
		case 0:
		case 1:
			return Match{OK: true, StartLine: found[0][0], EndLine: found[0][1], Reanchored: true}
		default:
			m.Reason = "the quote is at more than one place near the cited lines"
		}
	}
	return m
}

// readings are the lines of a quote: as they are, without the packet's labels, without the signs of
// a diff, and each of them without the marks of code around the quote. Of a hunk with both signs,
// only the lines of the cited side count.
func readings(quote string, side debate.Side) (list [][]string) {
	inner := strings.TrimSpace(quote)
	if fenced := codeBlock().FindStringSubmatch(inner); fenced != nil {
		inner = fenced[1]
	}
	for _, text := range slices.Compact([]string{quote, strings.Trim(inner, "`")}) {
		lines := strings.Split(text, "\n")
		list = append(list, lines)
		if stripped, ok := strip(lines, packetLabel); ok {
			list = append(list, stripped, ofSide(lines, stripped, side))
		}
		unsigned := lists.Map(lines, func(line string) string { return line[diffSign(line):] })
		list = append(list, unsigned, ofSide(lines, unsigned, side))
	}
	return list
}

// ofSide returns the stripped lines of a quote that have no sign of the other side, if some line has
// the sign of this one.
func ofSide(lines, stripped []string, side debate.Side) (list []string) {
	own, other := "+", "-"
	if side == debate.Left {
		own, other = other, own
	}
	if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, own) }) {
		return nil
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, other) {
			list = append(list, stripped[i])
		}
	}
	return list
}

// codeBlock is a text in a block of Markdown.
var codeBlock = lazyregexp.New("(?s)^```[^\n`]*\n(.*?)\n?```$")

// Verbatim reports whether the quote is exactly the cited lines, byte for byte and of any length.
// It is for the engine's own citations.
func (x *Index) Verbatim(c debate.Citation) bool {
	lines := strings.Split(c.Quote, "\n")
	if c.EndLine-c.StartLine != len(lines)-1 {
		return false
	}
	for i, want := range lines {
		if text, ok := x.Line(c.Path, c.Side, c.StartLine+i); !ok || text != want {
			return false
		}
	}
	return true
}

// refusal returns the reason not to look a citation up at all, or "".
func refusal(c debate.Citation) string {
	isRange := c.StartLine >= 1 && c.StartLine <= c.EndLine && c.EndLine-c.StartLine < citedLines
	return firstOf(
		fault{c.Path == debate.BodyPath, "the text of the pull request is not part of the diff"},
		fault{c.Path == debate.IssuePath, "what an issue says shows nothing about the change"},
		fault{!slices.Contains([]debate.Side{debate.Right, debate.Left}, c.Side), "the side is neither RIGHT nor LEFT"},
		fault{!isRange, "the line range is not valid"},
		fault{strings.TrimSpace(c.Quote) == "", "there is no quote"},
		fault{len(c.Quote) > quoteBytes, "the quote is too long"},
	)
}

// folded is one line of the diff with its white space folded.
type folded struct {
	line  int
	words string
}

// textOf returns the folded text of the lines from start to end, or "" if not all of them are in
// the diff.
func textOf(near []folded, start, end int) string {
	cited := slices.DeleteFunc(slices.Clone(near), func(l folded) bool { return l.line < start || l.line > end })
	if len(cited) != end-start+1 {
		return ""
	}
	var words []string
	for _, l := range cited {
		words = append(words, l.words)
	}
	return fold(strings.Join(words, " "))
}

// occurrences returns the runs of adjoining lines with exactly these words. A run begins and ends
// with a line that is not blank.
func occurrences(near []folded, words string) [][2]int {
	var found [][2]int
	for i, first := range near {
		if first.words == "" {
			continue
		}
		if last, ok := runOf(near[i:], words); ok {
			found = append(found, [2]int{first.line, last})
		}
	}
	return found
}

// runOf returns the last line of such a run from the first line on.
func runOf(lines []folded, words string) (last int, ok bool) {
	for i, l := range lines {
		if l.line != lines[0].line+i {
			return 0, false
		}
		if l.words == "" {
			continue
		}
		if words, ok = strings.CutPrefix(words, l.words); !ok {
			return 0, false
		}
		if words == "" {
			return l.line, true
		}
		if words, ok = strings.CutPrefix(words, " "); !ok {
			return 0, false
		}
	}
	return 0, false
}

// strip cuts a label off every line that is not blank; ok is false if one of them has none.
func strip(lines []string, label func(line string, first bool) int) (stripped []string, ok bool) {
	stripped = make([]string, len(lines))
	first := true
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		n := label(line, first)
		if n == 0 {
			return nil, false
		}
		stripped[i], first = line[n:], false
	}
	return stripped, true
}

// packetLabel measures "<side><line number> " in the packet's form, or with the bar or colon of other
// listings. The first line of a quote may lack the blank of a context line.
func packetLabel(line string, first bool) int {
	rest := line[diffSign(line):]
	if !first && rest == line {
		return 0
	}
	after := strings.TrimLeft(rest, "0123456789")
	end := strings.TrimLeft(after, " \t|:")
	if after == rest || end == after && strings.TrimSuffix(after, "\r") != "" {
		return 0
	}
	return len(line) - len(end)
}

// diffSign measures the sign of a diff line. The blank of a context line is often left out.
func diffSign(line string) int {
	if line != "" && strings.IndexByte("+- ", line[0]) >= 0 {
		return 1
	}
	return 0
}

// long reports whether lines are enough to identify a place.
func long(lines []string) bool {
	written, runes := 0, 0
	for _, line := range lines {
		n := 0
		for word := range strings.FieldsSeq(line) {
			n += utf8.RuneCountInString(word)
		}
		runes += n
		written += min(n, 1)
	}
	return written >= 2 || runes >= minimumRunes
}

// fold turns runs of white space into one blank and trims. Invalid UTF-8 becomes the replacement
// character, since no model can answer with such bytes.
func fold(s string) string {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return strings.Join(strings.Fields(s), " ")
}
