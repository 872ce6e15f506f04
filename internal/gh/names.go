package gh

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

const (
	// maxFolders bounds those that are listed with the entries of a change.
	maxFolders = 40
	// maxListed is how many names of a folder are believed to be all.
	maxListed = 1_000

	folderMode = 0o040000
)

// nearFields are of the folders that are listed with the entries of a change.
const nearFields = `entries { name mode oid size }`

type wireFolder struct {
	Entries []struct {
		Name string
		Mode uint32
		OID  string
		Size int
	}
}

// folders are entries by the folder that they stand in, "." for the top, and by their
// name. One that is not there has no entries; one that is missing was not listed.
type folders map[string]map[string]treeEntry

// take keeps what a folder holds, nothing where there is no such folder.
func (f folders) take(dir string, w wireFolder) {
	if len(w.Entries) >= maxListed {
		return
	}
	f[dir] = make(map[string]treeEntry)
	for _, e := range w.Entries {
		f[dir][e.Name] = treeEntry{mode: e.Mode, oid: e.OID, size: e.Size}
	}
}

// find looks a path up from the top. Known is false where a folder on the way was not
// listed.
func (f folders) find(name string) (found treeEntry, there, known bool) {
	e, dir := treeEntry{mode: folderMode}, "."
	for part := range strings.SplitSeq(name, "/") {
		in, listed := f[dir]
		if !listed && e.mode == folderMode {
			return treeEntry{}, false, false
		}
		if e, there = in[part]; !there {
			return treeEntry{}, false, true
		}
		dir = path.Join(dir, part)
	}
	return e, true, true
}

// foldersOf are the folders around some files, those at the top first. A folder in
// which GitHub has people keep what is about the whole repository counts always.
func foldersOf(sides []sidePath) []string {
	dirs := []string{".github"}
	seen := map[string]bool{".": true, ".github": true}
	for _, at := range sides {
		for dir := path.Dir(at.path); !seen[dir] && plainPath(dir); dir = path.Dir(dir) {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
	return dirs[:min(len(dirs), maxFolders)]
}

// names are the entries of the merge base, read when they are asked for the first time.
func (s *Snapshot) names() (map[string]treeEntry, error) {
	if s.list == nil {
		return s.base, nil
	}
	var err error
	s.base, s.whole, err = s.list()
	s.list, s.folders = nil, nil // base says more
	if err != nil {
		s.note(err)
		s.whole = true // nothing else is asked
	}
	return s.base, err
}

// entry is a path at the merge base. It is sure that it is not there where it would be
// listed.
func (s *Snapshot) entry(name string) (e treeEntry, there, sure bool) {
	if !plainPath(name) {
		return treeEntry{}, false, true
	}
	if e, there, sure = s.folders.find(name); sure {
		return e, there, true
	}
	names, _ := s.names() // Err tells
	e, there = names[name]
	return e, there, there || s.whole
}

// folder is what a folder of the merge base holds, by name, and whether that is all.
func (s *Snapshot) folder(dir string) (in map[string]treeEntry, all bool) {
	if in, listed := s.folders[dir]; listed {
		return in, true
	}
	if _, there, sure := s.entry(dir); !there {
		return nil, sure && s.failure == nil
	}
	in = make(map[string]treeEntry)
	names, _ := s.names() // Err tells
	for name, e := range names {
		if path.Dir(name) == dir {
			in[path.Base(name)] = e
		}
	}
	return in, s.whole && s.failure == nil
}
