package surround

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	outlines "github.com/prdebate/debate/internal/outline"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of the uses in one chunk.
const (
	mostUses     = 20     // of one name
	mostUseBytes = 12_000 // of all
	longUse      = 300    // bytes of a line; a longer one tells little
)

// Uses are lines outside the change with a name it renames, removes or redeclares.
type Uses struct {
	Names []string
	Lines []patch.Use // by path and number
	More  bool        // some lines are not shown
	Reach patch.Reach
}

// finder finds the uses of the names of chunks.
type finder struct {
	skip     func(path string) bool
	withheld func(path string) bool
	segments map[string][]debate.Segment // at the head, by path
	names    map[string][]string
	homes    map[string]string // the only directory that knows a name
	uses     []patch.Use
	reach    patch.Reach
}

// search looks for the names of all chunks at once. A name belongs to its first chunk.
func (in Input) search(files map[string]*patch.File, byID map[string]debate.Segment, byPath map[string][]debate.Segment) *finder {
	f := &finder{skip: in.Skip, withheld: in.withheld, segments: byPath, names: make(map[string][]string), homes: make(map[string]string), reach: patch.NotSearched}
	if in.Change.Search == nil {
		return f
	}
	var all []string
	for _, changed := range in.Change.Set.Files {
		for _, name := range oldNames(changed) {
			if !slices.Contains(all, name) && len(all) < mostNames/2 {
				all = append(all, name)
				f.names[Moved] = append(f.names[Moved], name)
			}
		}
	}
	for _, c := range in.Chunks {
		read := make(map[string]bool)
		for _, id := range c.Segments {
			seg, ofFile := byID[id]
			if !ofFile || read[seg.Path] {
				continue
			}
			read[seg.Path] = true
			local := locals(files[seg.Path])
			for _, name := range Names(files[seg.Path]) {
				if !slices.Contains(all, name) && len(all) < mostNames {
					if local[name] {
						f.homes[name] = path.Dir(seg.Path)
					}
					all = append(all, name)
					f.names[c.ID] = append(f.names[c.ID], name)
				}
			}
		}
	}
	if len(all) > 0 {
		f.uses, f.reach = in.Change.Search(all)
	}
	return f
}

// of chooses the uses for a chunk with these changed files, apart from lines already shown.
func (f *finder) of(chunk string, changed []string, shown []*file) Uses {
	u := Uses{Names: f.names[chunk], Reach: f.reach}
	if len(u.Names) == 0 {
		return Uses{}
	}
	near := nearness(changed)
	room := mostUseBytes
	taken := make(map[patch.Use]bool)
	for _, name := range u.Names {
		home, isLocal := f.homes[name]
		found := lists.Keep(f.uses, func(use patch.Use) bool {
			foreign := isLocal && path.Dir(use.Path) != home
			return !taken[use] && !foreign && patch.HasWord(use.Text, name) && f.mayShow(use, shown)
		})
		slices.SortStableFunc(found, func(a, b patch.Use) int { return cmp.Compare(near(a.Path), near(b.Path)) })
		for i, use := range found {
			cost := len(use.Text) + lineOverhead + len(use.Path)
			if i >= mostUses || cost > room {
				u.More = true
				break
			}
			room -= cost
			taken[use] = true
			u.Lines = append(u.Lines, use)
		}
	}
	slices.SortFunc(u.Lines, func(a, b patch.Use) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return u
}

// mayShow reports whether a line may be shown and is not shown anyway.
func (f *finder) mayShow(use patch.Use, shown []*file) bool {
	switch {
	case !IsUse(use), f.withheld(use.Path), f.skip(use.Path):
		return false
	case slices.ContainsFunc(f.segments[use.Path], func(seg debate.Segment) bool { return span{seg.StartLine, seg.EndLine}.holds(use.Line) }):
		return false
	}
	i := slices.IndexFunc(shown, func(file *file) bool { return file.path == use.Path })
	return i < 0 || use.Line > len(shown[i].kinds) || shown[i].kinds[use.Line-1] == LeftOut
}

// IsUse reports whether a line with a name is code of this repository; a comment uses nothing.
func IsUse(use patch.Use) bool {
	return len(use.Text) <= longUse && !thirdParty(use.Path) && outlines.Of(use.Path, 1, []string{use.Text}).Code(1)
}

// thirdParty reports whether a file belongs to another project or is written by a program.
func thirdParty(name string) bool { return foreign().MatchString(name) }

var foreign = lazyregexp.New(`(?:^|/)(?:vendor|node_modules|third_party|dist|\.git)/|\.min\.[^/]*$|\.(?:lock|sum|map)$|(?:^|/)package-lock\.json$`)

// nearness ranks files by how close they are to those of a chunk: of the same kind and
// in the same directory come first, texts last.
func nearness(changed []string) func(name string) int {
	kinds, dirs := make(map[string]bool), make(map[string]bool)
	for _, name := range changed {
		kinds[path.Ext(name)], dirs[path.Dir(name)] = true, true
	}
	return func(name string) int {
		rank := 0
		if !kinds[path.Ext(name)] {
			rank++
		}
		if !dirs[path.Dir(name)] {
			rank++
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".md", ".txt", ".rst", ".adoc":
			rank += 4
		}
		return rank
	}
}
