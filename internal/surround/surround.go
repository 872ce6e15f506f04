// Package surround chooses the unchanged lines to show around a change: the declarations
// around the changed lines, the head of the file, and all of a short file.
//
// Its lines are not part of the change. It reads them at the head, within bounds for each
// chunk, and the same change always gives the same lines.
package surround

import (
	"bytes"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of the lines around the segments of one chunk.
const (
	mostBytes  = 60_000 // of one chunk
	leastBytes = 24_000 // there is room for in any chunk
	perChanged = 3      // bytes for each byte of the chunk, if that is more

	wholeLines = 400  // a file of at most so many is shown whole
	declLines  = 150  // a declaration of at most so many is
	nearLines  = 40   // around each hunk, and of the head of a file
	closeLines = 10   // around each hunk if there is no room for more
	outerLines = 15   // of the head of a declaration above declLines, such as a class
	longLine   = 1000 // bytes; no person writes a longer line

	lineOverhead = 8 // bytes of the label of a line
)

// Block is the visible part of one file in one chunk.
type Block struct {
	Path  string
	Runs  []Run // all lines of the file, in their order
	Lines int   // shown ones
}

// Run is a run of lines of one kind.
type Run struct {
	First, Last int
	Kind        Kind
	Text        []string // of shown lines
}

// Kind is the kind of the lines of a run.
type Kind int

// The kinds of lines.
const (
	LeftOut Kind = iota // not shown
	Changed             // in a segment, of any chunk
	Shown
)

// Input is the change with its segments and chunks.
type Input struct {
	Change   patch.Change
	Segments []debate.Segment
	Chunks   []debate.Chunk
	Skip     func(path string) bool // files outside the review
	Private  func(path string) bool // files without any shown line but changed ones
}

// Chunk is the text around the segments of one chunk.
type Chunk struct {
	Blocks []Block
	Uses   Uses
}

// Moved is the key for the files moved by a change, in every chunk: an outline of those
// without a line in a segment, and the uses of their old names.
const Moved = ""

// Of chooses the lines around the segments of each chunk, and of moved files. A file with all
// lines in segments has no block.
func Of(in Input) map[string]Chunk {
	files := make(map[string]*patch.File, len(in.Change.Set.Files))
	for _, f := range in.Change.Set.Files {
		files[f.Path()] = f
	}
	byID := make(map[string]debate.Segment, len(in.Segments)) // those of files
	byPath := make(map[string][]debate.Segment)               // those at the head
	for _, seg := range in.Segments {
		if seg.Source != debate.FromDiff || files[seg.Path] == nil {
			continue
		}
		byID[seg.ID] = seg
		if seg.Side == debate.Right {
			byPath[seg.Path] = append(byPath[seg.Path], seg)
		}
	}
	found := in.search(files, byID, byPath)
	around := make(map[string]Chunk)
	if moved := in.moved(found); len(moved.Blocks)+len(moved.Uses.Names) > 0 {
		around[Moved] = moved
	}
	for _, c := range in.Chunks {
		var list []*file
		var changed []string
		known := make(map[string]*file)
		for _, id := range c.Segments {
			seg, ofFile := byID[id]
			if !ofFile {
				continue
			}
			changed = append(changed, seg.Path)
			if seg.Side != debate.Right { // the whole old file is removed, and in the segment
				continue
			}
			f := known[seg.Path]
			if f == nil {
				f = in.read(files[seg.Path])
				for _, other := range byPath[seg.Path] { // of any chunk
					for n := max(1, other.StartLine); n <= min(other.EndLine, len(f.lines)); n++ {
						f.kinds[n-1] = Changed
					}
				}
				known[seg.Path], list = f, append(list, f)
			}
			f.hold(seg, files[seg.Path])
		}
		room := min(mostBytes, max(leastBytes, perChanged*c.Bytes))
		if len(found.names[c.ID]) > 0 && len(found.uses) > 0 {
			room -= mostUseBytes
		}
		fill(list, room)
		chunk := Chunk{Uses: found.of(c.ID, changed, list)}
		for _, f := range list {
			if b, any := f.block(); any {
				chunk.Blocks = append(chunk.Blocks, b)
			}
		}
		around[c.ID] = chunk
	}
	return around
}

// fill adds lines to files, the nearest first, while there is room.
func fill(files []*file, room int) {
	head := func(f *file) []span { return []span{{1, min(f.outline.head, nearLines)}} } // before the first declaration
	whole := func(f *file) []span {
		if len(f.lines) > wholeLines {
			return nil
		}
		return []span{{1, len(f.lines)}}
	}
	for _, wish := range []func(*file) []span{(*file).declared, within(closeLines), (*file).belonging, head, within(nearLines), whole} {
		for _, f := range files {
			for _, s := range wish(f) {
				f.take(s, &room)
			}
		}
	}
}

// withheld reports whether a file shows nothing but changed lines.
func (in Input) withheld(path string) bool {
	return Secret(path) || in.Private(path)
}

// read reads a file at head.
func (in Input) read(changed *patch.File) *file {
	f := &file{path: changed.NewPath}
	if changed.Status == patch.Added || changed.Unfolded { // all of it is in segments
		return f
	}
	if in.withheld(f.path) {
		return f
	}
	content, ok := in.Change.Blob(f.path, debate.Right)
	if !ok || changed.Decoded || bytes.IndexByte(content, 0) >= 0 {
		return f
	}
	f.lines = strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	f.kinds = make([]Kind, len(f.lines))
	f.outline = outlined(f.path, content, f.lines)
	if changed.Deletions > 0 {
		if old, ok := in.Change.Blob(changed.OldPath, debate.Left); ok {
			lines := strings.Split(strings.TrimSuffix(string(old), "\n"), "\n")
			f.base = &base{outlined(changed.OldPath, old, lines), changed}
		}
	}
	return f
}
