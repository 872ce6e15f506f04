package prompt

import (
	"cmp"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// reach is the largest distance of a quoted line from the cited lines (A03).
const reach = 3

// Original turns a citation of the packet into one of the change: redacted and invisible
// text of the quoted lines comes back, so that the quote can be looked up. Its result
// must not be shown or sent again without Clean.
func (p *Packet) Original(c debate.Citation) debate.Citation {
	c.Path = cmp.Or(p.paths[c.Path], c.Path)
	list := p.marked[place{c.Path, c.Side}]
	if len(c.Quote) > maxString {
		return c
	}
	lines := strings.Split(c.Quote, "\n")
	changed := false
	for i, line := range lines {
		label := labelForm().FindString(line)
		for _, label := range []string{"", label} {
			expected := c.StartLine + i
			if n, err := strconv.Atoi(strings.Trim(label, "+- ")); err == nil {
				expected = n
			}
			if raw, ok := nearest(list, line[len(label):], c.StartLine-reach, c.EndLine+reach, expected); ok {
				lines[i], changed = label+raw, true
				break
			}
		}
	}
	if changed {
		c.Quote = strings.Join(lines, "\n")
	}
	return c
}

// nearest finds the line between first and last with this shown text. Of several it returns
// the one nearest to the expected line.
func nearest(list []altered, text string, first, last, expected int) (raw string, ok bool) {
	words := folded(text)
	best := math.MaxInt
	for _, l := range list[sort.Search(len(list), func(i int) bool { return list[i].number >= first }):] {
		if l.number > last {
			break
		}
		if l.words != words {
			continue
		}
		if away := max(l.number-expected, expected-l.number); away < best {
			raw, best, ok = l.raw, away, true
		}
	}
	return raw, ok
}

// labelForm finds the sign and the number before a line of the packet. The sign may be
// missing, as in a quote with trimmed blanks.
var labelForm = lazyregexp.New(`^[-+ ]?[0-9]+(?: |$)`)

func folded(s string) string { return strings.Join(strings.Fields(s), " ") }
