package surround

import (
	"slices"
	"sort"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// file is a changed file at head, with the chosen lines.
type file struct {
	path    string
	lines   []string
	kinds   []Kind // of each line
	outline outline
	base    *base // nil if unknown
	hunks   []hunk
}

// span is a run of lines by their numbers.
type span struct{ first, last int }

// hunk is the place of a segment, with its added and removed lines.
type hunk struct {
	span
	added   []int
	removed []removal
}

// hold notes a segment of the chunk.
func (f *file) hold(seg debate.Segment, changed *patch.File) {
	h := hunk{span: span{seg.StartLine, seg.EndLine}}
	from := sort.Search(len(changed.Hunks), func(i int) bool { return changed.Hunks[i].NewStart+changed.Hunks[i].NewLines >= h.first })
	for _, in := range changed.Hunks[from:] {
		if in.NewStart > h.last {
			break
		}
		before := max(1, in.NewStart)
		for i := range in.Lines {
			l := &in.Lines[i]
			if l.New > 0 {
				before = l.New
			}
			if !h.holds(before) {
				continue
			}
			switch l.Op {
			case '+':
				h.added = append(h.added, l.New)
			case '-':
				h.removed = append(h.removed, removal{l.Old, before})
			}
		}
	}
	f.hunks = append(f.hunks, h)
}

// take chooses the open lines of a span, if there is room for all of them.
func (f *file) take(s span, room *int) {
	s.first, s.last = max(1, s.first), min(s.last, len(f.lines))
	cost := 0
	for n := s.first; n <= s.last; n++ {
		if f.open(n) {
			cost += len(f.lines[n-1]) + lineOverhead
		}
	}
	if cost > *room {
		return
	}
	*room -= cost
	for n := s.first; n <= s.last; n++ {
		if f.open(n) {
			f.kinds[n-1] = Shown
		}
	}
}

// open reports whether a line may still be chosen.
func (f *file) open(n int) bool { return f.kinds[n-1] == LeftOut && len(f.lines[n-1]) <= longLine }

// declared returns the declarations around the changes, or the near lines if none is known.
func (f *file) declared() []span {
	var all []span
	for _, h := range f.hunks {
		before := len(all)
		for _, line := range h.added {
			if d, ok := f.outline.enclosing(line); ok {
				all = append(all, d)
			}
		}
		for _, r := range h.removed {
			d, ok := f.outline.enclosing(r.head)
			if f.base != nil { // a declaration that was too long may be shorter now
				old, short := f.base.enclosing(r.line)
				switch {
				case short:
					d = f.base.left(old)
					ok = d.first <= d.last
				case len(f.base.owners(r.line)) == 0:
					ok = false
				}
			}
			if ok {
				all = append(all, d)
			}
		}
		if len(all) == before {
			all = append(all, h.within(nearLines))
		}
	}
	return slices.Compact(all)
}

// belonging returns the owners of the declarations around the changes: the type of a method,
// the head of a class.
func (f *file) belonging() []span {
	var all []span
	for _, h := range f.hunks {
		for _, line := range h.added {
			all = append(all, f.outline.owners(line)...)
		}
		for _, r := range h.removed {
			if f.base == nil {
				all = append(all, f.outline.owners(r.head)...)
				continue
			}
			for _, s := range f.base.owners(r.line) {
				all = append(all, f.base.left(s))
			}
		}
	}
	return all
}

// within chooses a number of lines on each side of the changes.
func within(lines int) func(f *file) []span {
	return func(f *file) []span {
		var all []span
		for _, h := range f.hunks {
			all = append(all, h.within(lines))
		}
		return all
	}
}

func (s span) holds(line int) bool { return s.first <= line && line <= s.last }

// within are the lines of a span and so many on each side.
func (s span) within(lines int) span { return span{s.first - lines, s.last + lines} }

// block is the visible part of the file; any is false if it shows nothing.
func (f *file) block() (b Block, any bool) {
	b = Block{Path: f.path}
	for i, kind := range f.kinds {
		n := i + 1
		if last := len(b.Runs) - 1; last < 0 || b.Runs[last].Kind != kind {
			b.Runs = append(b.Runs, Run{First: n, Kind: kind})
		}
		run := &b.Runs[len(b.Runs)-1]
		run.Last = n
		if kind == Shown {
			run.Text = append(run.Text, f.lines[i])
			b.Lines++
		}
	}
	return b, b.Lines > 0
}

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
