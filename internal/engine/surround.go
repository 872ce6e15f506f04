package engine

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

// Context says how much is shown around the change; "": lines of the whole repository.
type Context string

// The narrower contexts.
const (
	OfChangedFiles Context = "changed"
	NoContext      Context = "off"
)

// surround chooses the lines around the change.
func (s *Subject) surround() {
	if s.around != nil || s.Context == NoContext {
		return
	}
	change := s.frozen.Change
	if s.Context == OfChangedFiles {
		change.Search = nil
	}
	s.around = surround.Of(surround.Input{
		Change: change, Segments: sentOf(s.split), Chunks: s.split.Chunks, Skip: segment.Matching(s.Ignore), Private: segment.Matching(s.Private),
	})
}

// sentOf returns the segments with lines for the reviewers.
func sentOf(split *segment.Result) []debate.Segment {
	carried := make(map[string]bool)
	for _, c := range split.Coverage {
		carried[c.Path] = carried[c.Path] || c.Carried != ""
	}
	return slices.DeleteFunc(slices.Clone(split.Segments), func(seg debate.Segment) bool {
		return carried[seg.Path] && seg.Kind == debate.CodeSegment && seg.Source == debate.FromDiff
	})
}

// inOrder returns the lines of moved files and then those around each chunk.
func inOrder(chunks []debate.Chunk, around map[string]surround.Chunk) []surround.Chunk {
	return append([]surround.Chunk{around[surround.Moved]}, lists.Map(chunks, func(c debate.Chunk) surround.Chunk { return around[c.ID] })...)
}

// shownAround returns the lines around the change as unchanged files.
func shownAround(chunks []debate.Chunk, around map[string]surround.Chunk) *patch.Set {
	set := usesShown(chunks, around)
	for _, c := range inOrder(chunks, around) {
		for _, b := range c.Blocks {
			f := &patch.File{NewPath: b.Path, Status: patch.Added, Kind: patch.Text}
			for _, run := range b.Runs {
				if len(run.Text) > 0 {
					f.Hunks = append(f.Hunks, asHunk(run))
				}
			}
			if len(f.Hunks) > 0 {
				set.Files = append(set.Files, f)
			}
		}
	}
	return set
}

// secretsOf returns the secrets in unchanged files. The critic reads the files as new ones.
func (c Critic) secretsOf(set *patch.Set) []string {
	if len(set.Files) == 0 {
		return nil
	}
	return c(patch.Alone(set), func(string) bool { return false }, nil).Secrets
}

// usesShown returns, as unchanged files, the lines with a use of a changed declaration,
// each once.
func usesShown(chunks []debate.Chunk, around map[string]surround.Chunk) *patch.Set {
	lines := make(map[patch.Use]bool)
	files := make(map[string]*patch.File)
	set := &patch.Set{}
	for _, c := range inOrder(chunks, around) {
		for _, use := range c.Uses.Lines {
			if lines[use] {
				continue
			}
			lines[use] = true
			f := files[use.Path]
			if f == nil {
				f = &patch.File{NewPath: use.Path, Status: patch.Added, Kind: patch.Text}
				files[use.Path], set.Files = f, append(set.Files, f)
			}
			f.Hunks = append(f.Hunks, asHunk(surround.Run{First: use.Line, Text: []string{use.Text}}))
		}
	}
	for _, f := range set.Files {
		slices.SortFunc(f.Hunks, func(a, b *patch.Hunk) int { return a.NewStart - b.NewStart })
	}
	return set
}

// asHunk is a hunk of shown lines.
func asHunk(run surround.Run) *patch.Hunk {
	h := &patch.Hunk{NewStart: run.First, NewLines: len(run.Text)}
	for i, text := range run.Text {
		h.Lines = append(h.Lines, patch.Line{Op: ' ', New: run.First + i, Text: text})
	}
	return h
}
