package surround

import (
	"sort"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// base is a changed file before the change. What was removed stood in a declaration
// there, which the head may have no more, or take for another.
//
// Nothing of it is shown: its removed lines are part of the change, and the others still
// stand at the head.
type base struct {
	outline
	changed *patch.File
}

// removal is a removed line.
type removal struct {
	line int // at the base
	head int // the line at the head that it stood below
}

// readBase reads what a changed file was, nil where that cannot be read.
func (in Input) readBase(changed *patch.File) *base {
	content, ok := in.Change.Blob(changed.OldPath, debate.Left)
	if !ok {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	return &base{outlined(changed.OldPath, content, lines), changed}
}

// declared is what is left of the declaration that a line was removed from, and is empty
// where that is nothing. It is known unless the declaration was too long.
func (b *base) declared(line int) (left span, known bool) {
	d, ok := b.enclosing(line)
	if ok {
		return b.left(d), true
	}
	return span{}, len(b.owners(line)) == 0
}

// belonging is what is left of what that declaration belonged to.
func (b *base) belonging(line int) []span {
	var all []span
	for _, s := range b.owners(line) {
		all = append(all, b.left(s))
	}
	return all
}

// left are the lines at the head between those of a span that still stand there.
func (b *base) left(s span) span {
	_, first := b.atHead(s.first)
	last, _ := b.atHead(s.last)
	return span{first, last}
}

// atHead finds a line at the head: twice the same number where it still stands there,
// and the lines before and after the place where it stood where it does not.
func (b *base) atHead(line int) (before, after int) {
	hunks := b.changed.Hunks
	i := sort.Search(len(hunks), func(i int) bool { return hunks[i].OldStart > line }) - 1
	if i < 0 {
		return line, line
	}
	h := hunks[i]
	before = h.NewStart - 1
	for _, l := range h.Lines {
		switch {
		case l.Old == line && l.New > 0:
			return l.New, l.New
		case l.Old == line:
			return before, before + 1
		case l.New > 0:
			before = l.New
		}
	}
	moved := line + h.NewStart + h.NewLines - h.OldStart - h.OldLines
	return moved, moved
}
