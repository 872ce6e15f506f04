package gh

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
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
	Read  bool
	All   bool // there are no other files
	Paths [][]byte
}

// search is patch.Change.Search. GitHub cannot search a commit, so the first search reads
// the files next to the changed ones.
func (s *Snapshot) search(names []string) ([]patch.Use, patch.Reach) {
	if !s.near.Read {
		if s.reader == nil {
			return nil, patch.NotSearched
		}
		if err := s.readNeighbours(); err != nil {
			s.note(err)
			return nil, patch.NotSearched
		}
	}
	texts := make(map[string][]byte)
	for at, c := range s.kept {
		if at.side == debate.Right && s.touches(at.path) && len(c.data) <= maxSearched {
			texts[at.path] = c.data
		}
	}
	for _, path := range s.near.Paths {
		texts[string(path)] = s.kept[sidePath{debate.Left, string(path)}].data
	}
	var found []patch.Use
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		found = append(found, usesIn(path, texts[path], names)...)
	}
	if s.near.All && s.whole {
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

// readNeighbours reads the files next to the changed ones at the merge base: outside the
// change they are the same at the head.
func (s *Snapshot) readNeighbours() error {
	var files []surround.Candidate
	var changed []string
	touched := make(map[string]bool)
	for _, f := range s.Change.Set.Files {
		changed = append(changed, f.Path())
		touched[f.OldPath], touched[f.NewPath] = true, true
	}
	base, err := s.names()
	if err != nil {
		return err
	}
	for path, entry := range base {
		if entry.mode&typeOfMode == regularMode && plainPath(path) && !touched[path] {
			files = append(files, surround.Candidate{Path: path, Size: entry.size})
		}
	}
	chosen, all := surround.Nearest(files, changed, maxNear, maxNearBytes)
	if _, err := s.readAtBase(chosen); err != nil {
		return err
	}
	s.near = neighbours{Read: true, All: all}
	for _, path := range chosen {
		if s.kept[sidePath{debate.Left, path}].data != nil {
			s.near.Paths = append(s.near.Paths, []byte(path))
		}
	}
	return nil
}

// readAtBase reads files of the merge base, a hundred in one request. It keeps the ones
// that GitHub gives whole, and counts them.
func (s *Snapshot) readAtBase(paths []string) (n int, err error) {
	wanted := lists.Map(paths, func(path string) sidePath { return sidePath{debate.Left, path} })
	found, _, err := s.reader.entries(s.ctx, fmt.Sprintf("read %d files at %.12s", len(wanted), s.BaseSHA), s.BaseSHA, s.HeadSHA, wanted, 0)
	for at, file := range found {
		entry, _, _ := s.entry(at.path)
		if blob := file.blob(); blob != nil && blob.OID == entry.oid {
			if data, exact := blob.whole(); exact {
				s.kept[at] = content{oid: blob.OID, data: data}
				n++
			}
		}
	}
	return n, err
}
