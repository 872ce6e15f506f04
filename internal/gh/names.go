package gh

import (
	"errors"
	"fmt"
	"path"
	"slices"
)

// names returns the entries of the merge base by path. The first call reads them.
func (s *Snapshot) names() (map[string]treeEntry, error) {
	if s.listed || s.reader == nil {
		return s.base, nil
	}
	s.listed = true
	var err error
	s.base, s.whole, err = s.reader.tree(s.ctx, fmt.Sprintf("list %.12s", s.BaseSHA), s.BaseSHA, true)
	if err != nil {
		s.note(err)
		s.whole = true // ask for nothing else
	}
	return s.base, err
}

// entry returns the entry at a path of the merge base. Sure is false if GitHub cut the
// list and the path may exist all the same.
func (s *Snapshot) entry(name string) (e treeEntry, there, sure bool) {
	if !plainPath(name) {
		return treeEntry{}, false, true
	}
	names, _ := s.names() // Err has the error
	e, there = names[name]
	return e, there, there || s.whole
}

// baseHas is patch.Change.BaseHas.
func (s *Snapshot) baseHas(path string) bool {
	_, there, sure := s.entry(path)
	return there || s.beyond(path, sure).oid != ""
}

// baseNames returns the sorted names of one kind of entries directly in a folder of the
// merge base. All is false if some may be missing.
func (s *Snapshot) baseNames(dir string, mode uint32) (names []string, all bool) {
	in, all := s.folder(dir)
	for name, entry := range in {
		if entry.mode&typeOfMode == mode {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, all
}

// folder returns the entries directly in a folder of the merge base by name. If GitHub
// cut the list of all entries, it asks for this folder.
func (s *Snapshot) folder(dir string) (in map[string]treeEntry, all bool) {
	if in, known := s.folders[dir]; known {
		return in, true
	}
	names, _ := s.names() // Err has the error
	if s.whole || s.reader == nil {
		in = make(map[string]treeEntry)
		for name, e := range names {
			if path.Dir(name) == dir {
				in[path.Base(name)] = e
			}
		}
		return in, s.whole && s.failure == nil
	}
	oid := s.BaseSHA
	if dir != "." {
		if oid = names[dir].oid; oid == "" {
			oid = s.beyond(dir, !plainPath(dir)).oid
		}
	}
	if oid == "" { // there is no such folder
		return nil, s.failure == nil
	}
	in, all, err := s.reader.tree(s.ctx, fmt.Sprintf("list %s at %.12s", oneLine(dir), s.BaseSHA), oid, false)
	if err != nil && !errors.As(err, new(*NotFoundError)) {
		s.note(err)
		return nil, false
	}
	if all {
		s.folders[dir] = in
	}
	return in, all
}
