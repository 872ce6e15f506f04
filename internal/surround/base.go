package surround

import (
	"sort"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// base is a changed file before the change. A removed line was in a declaration there; at the
// head it may be gone, or differ.
//
// No line of it is shown: its removed lines are part of the change, and the others are still
// at the head.
type base struct {
	outline
	changed *patch.File
}

// removal is a removed line.
type removal struct {
	line int // at the base
	head int // the line above it at the head
}

// readBase reads the old file, nil if it cannot.
func (in Input) readBase(changed *patch.File) *base {
	content, ok := in.Change.Blob(changed.OldPath, debate.Left)
	if !ok {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	return &base{outlined(changed.OldPath, content, lines), changed}
}

// declared returns the rest of the declaration around a removed line, which may be empty. It
// is unknown only if the declaration was too long.
func (b *base) declared(line int) (left span, known bool) {
	d, ok := b.enclosing(line)
	if ok {
		return b.left(d), true
	}
	return span{}, len(b.owners(line)) == 0
}

// belonging returns the rest of the owners of that declaration.
func (b *base) belonging(line int) []span {
	var all []span
	for _, s := range b.owners(line) {
		all = append(all, b.left(s))
	}
	return all
}

// left returns the lines of a span that are still at the head.
func (b *base) left(s span) span {
	_, first := b.atHead(s.first)
	last, _ := b.atHead(s.last)
	return span{first, last}
}

// atHead finds a line at the head: twice its number if it is still there, else the lines
// before and after its old place.
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
