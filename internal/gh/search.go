package gh

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/surround"
)

// Limits of the files read for a search: one query.
const (
	maxNear      = blobsAtOnce
	maxNearBytes = 2 << 20
	maxSearched  = 1 << 20 // bytes of a changed file
)

// neighbours are files outside the change, read for a search.
type neighbours struct {
	read  bool
	all   bool // there are no other files
	files map[string]content
}

// search is patch.Change.Search. GitHub cannot search a commit, so the first search reads
// the files next to the changed ones.
func (s *Snapshot) search(names []string) ([]patch.Use, patch.Reach) {
	if !s.near.read {
		if s.reader == nil {
			return nil, patch.NotSearched
		}
		near, err := s.neighbours()
		if err != nil {
			s.note(err)
			return nil, patch.NotSearched
		}
		s.near = near
	}
	texts := make(map[string][]byte)
	for at, c := range s.kept {
		if at.side == debate.Right && s.touches(at.path) && len(c.data) <= maxSearched {
			texts[at.path] = c.data
		}
	}
	for path, c := range s.near.files {
		texts[path] = c.data
	}
	var found []patch.Use
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		found = append(found, usesIn(path, texts[path], names)...)
	}
	if s.near.all && s.whole {
		return found, patch.Everywhere
	}
	return found, patch.NearBy
}

// usesIn returns the lines of a text with one of the names as a word.
func usesIn(path string, text []byte, names []string) []patch.Use {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !bytes.Contains(text, []byte(name)) })
	if len(names) == 0 || bytes.IndexByte(text, 0) >= 0 {
		return nil
	}
	var found []patch.Use
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if slices.ContainsFunc(names, func(name string) bool { return patch.HasWord(line, name) }) {
			found = append(found, patch.Use{Path: path, Line: number, Text: line})
		}
	}
	return found
}

// neighbours reads the files next to the changed ones. A file outside the change is the
// same at the head and at the merge base.
func (s *Snapshot) neighbours() (neighbours, error) {
	var files []surround.Candidate
	var changed []string
	touched := make(map[string]bool)
	for _, f := range s.Change.Set.Files {
		changed = append(changed, f.Path())
		touched[f.OldPath], touched[f.NewPath] = true, true
	}
	base, err := s.names()
	if err != nil {
		return neighbours{}, err
	}
	for path, entry := range base {
		if entry.mode&typeOfMode == regularMode && plainPath(path) && !touched[path] {
			files = append(files, surround.Candidate{Path: path, Size: entry.size})
		}
	}
	chosen, all := surround.Nearest(files, changed, maxNear, maxNearBytes)
	near := neighbours{read: true, all: all, files: make(map[string]content)}
	if len(chosen) == 0 {
		return near, nil
	}
	var wanted []sidePath
	for _, path := range chosen {
		wanted = append(wanted, sidePath{debate.Right, path})
	}
	entries, _, err := s.reader.entries(s.ctx, fmt.Sprintf("search %.12s", s.HeadSHA), s.BaseSHA, s.HeadSHA, wanted, 0)
	if err != nil {
		return neighbours{}, err
	}
	for at, entry := range entries {
		fact := entry.blob()
		if fact == nil || fact.OID != base[at.path].oid {
			continue
		}
		if data, exact := fact.whole(); exact {
			near.files[at.path] = content{oid: fact.OID, data: data}
		}
	}
	return near, nil
}
