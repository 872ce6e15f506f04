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

// reach is how far from the cited lines a quoted line may stand (A03).
const reach = 3

// Original turns a citation of what the packet shows into one of what stands in
// the change: redacted and invisible text of the quoted lines comes back, so
// that the quote can be looked up (S17). What it gives back must not be shown or
// sent again without Clean.
func (p *Packet) Original(c debate.Citation) debate.Citation {
	c.Path = cmp.Or(p.paths[c.Path], c.Path)
	list := p.marked[place{c.Path, c.Side}]
	if len(c.Quote) > maxString {
		return c
	}
	lines := strings.Split(c.Quote, "\n")
	changed := false
	for i, line := range lines {
		label, text := cutLabel(line)
		for _, reading := range []struct{ label, text string }{{"", line}, {label, text}} {
			if raw, ok := nearest(list, reading.text, c.StartLine-reach, c.EndLine+reach, expected(reading.label, c.StartLine+i)); ok {
				lines[i], changed = reading.label+raw, true
				break
			}
		}
	}
	if changed {
		c.Quote = strings.Join(lines, "\n")
	}
	return c
}

// nearest finds the line from first to last that is shown as text and stands
// nearest to where it is expected.
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

// expected is the line number in a label, or otherwise.
func expected(label string, otherwise int) int {
	if n, err := strconv.Atoi(strings.Trim(label, "+- ")); err == nil {
		return n
	}
	return otherwise
}

// cutLabel cuts what the packet writes before a line. The side may be missing,
// as of a quote whose blanks were trimmed.
func cutLabel(line string) (label, text string) {
	label = labelForm().FindString(line)
	return label, line[len(label):]
}

var labelForm = lazyregexp.New(`^[-+ ]?[0-9]+(?: |$)`)

func folded(s string) string { return strings.Join(strings.Fields(s), " ") }
