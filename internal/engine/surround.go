package engine

import (
	"maps"
	"math"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

// Context says how much is shown around the change, in the words of the settings: lines of the
// whole repository, or less.
type Context string

// The narrower contexts.
const (
	OfChangedFiles Context = "changed"
	NoContext      Context = "off"
)

// surround chooses the lines around the change.
func (s *Subject) surround() {
	if s.Context == NoContext {
		return
	}
	change := s.frozen.Change
	if s.Context == OfChangedFiles {
		change.Search = nil
	}
	carried := make(map[string]bool) // files without lines for the reviewers
	for _, c := range s.split.Coverage {
		carried[c.Path] = carried[c.Path] || c.Carried != ""
	}
	sent := lists.Keep(s.split.Segments, func(seg debate.Segment) bool {
		return !carried[seg.Path] || seg.Kind != debate.CodeSegment || seg.Source != debate.FromDiff
	})
	s.around = surround.Of(surround.Input{
		Change: change, Segments: sent, Chunks: s.split.Chunks, Skip: segment.Matching(s.Ignore), Private: segment.Matching(s.Private),
	})
}

// shownLines are unchanged lines shown to models, by path, side and number.
type shownLines map[string]map[debate.Side]map[int]string

func (l shownLines) put(path string, side debate.Side, first int, lines ...string) {
	if l[path] == nil {
		l[path] = make(map[debate.Side]map[int]string)
	}
	if l[path][side] == nil {
		l[path][side] = make(map[int]string)
	}
	for i, text := range lines {
		l[path][side][first+i] = text
	}
}

// set returns the lines as files, with one hunk for each run of lines.
func (l shownLines) set() *patch.Set {
	set := &patch.Set{}
	for _, path := range slices.Sorted(maps.Keys(l)) {
		f := &patch.File{NewPath: path, Status: patch.Added, Kind: patch.Text}
		if len(l[path][debate.Left]) > 0 {
			f.OldPath, f.Status = path, patch.Modified
		}
		for _, side := range []debate.Side{debate.Right, debate.Left} {
			last := math.MinInt
			for _, n := range slices.Sorted(maps.Keys(l[path][side])) {
				if n != last+1 {
					f.Hunks = append(f.Hunks, &patch.Hunk{NewStart: n, OldStart: n})
				}
				last = n
				h, line := f.Hunks[len(f.Hunks)-1], patch.Line{Op: ' ', New: n, Text: l[path][side][n]}
				if side == debate.Left {
					line.New, line.Old = 0, n
				}
				h.Lines = append(h.Lines, line)
				h.NewLines = len(h.Lines)
			}
		}
		set.Files = append(set.Files, f)
	}
	return set
}

// linesAround returns the lines around the chunks and of moved files, and those with a use of
// a changed declaration.
func linesAround(around map[string]surround.Chunk) *patch.Set {
	lines := make(shownLines)
	for _, c := range around {
		for _, use := range c.Uses.Lines {
			lines.put(use.Path, debate.Right, use.Line, use.Text)
		}
		for _, b := range c.Blocks {
			for _, run := range b.Runs {
				lines.put(b.Path, debate.Right, run.First, run.Text...)
			}
		}
	}
	return lines.set()
}

// secretsOf returns the secrets in unchanged files. The critic reads the files as new ones.
func (c Critic) secretsOf(set *patch.Set) []string {
	if len(set.Files) == 0 {
		return nil
	}
	return c(patch.Alone(set), func(string) bool { return false }, nil).Secrets
}
