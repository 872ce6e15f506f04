package gh

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// The modes of entries other than regular files.
const (
	symlinkMode   = 0o120000
	submoduleMode = 0o160000
	directoryMode = 0o040000
)

// Tree is both sides of a change, for reviewers that look at files. Only Fetch asks
// GitHub, at fixed commits; all other methods answer from its results. It is not safe
// for concurrent use.
//
//	read   the files of the change, else blobs by their paths
//	list   the listing of the commit
//	grep   the archive of the head, plus blobs for files that it lacks or alters
//
// A failed look is an answer and does not stop the review.
type Tree struct {
	reader *Reader
	change *Snapshot
	sides  map[debate.Side]*lookSide

	texts   map[string][]byte          // contents by id
	without map[string]debate.Withheld // why there is no content of an id
	spool   *spool                     // contents by id, from the archive; nil before it was asked for
	noSpool bool                       // no archive is available
	spent   int                        // requests
	failure error                      // the first
}

// lookSide is the known part of one side.
type lookSide struct {
	commit   string
	entries  map[string]treeEntry // by path; a mode of 0: nothing is there
	listed   bool                 // entries has the listing of the commit
	whole    bool                 // entries are complete
	searched bool                 // its files are at hand
	lacks    bool                 // some of them are missing
	paths    []string             // of regular files in the listing, sorted
}

// Tree returns the sides of the change. A decoded snapshot has only the results of
// Collect.
func (s *Snapshot) Tree() *Tree { return s.tree }

// Close removes the temporary files of looks.
func (s *Snapshot) Close() {
	t := s.tree
	if t == nil {
		return
	}
	if t.spool != nil {
		t.spool.close()
	}
	t.spool, t.noSpool = nil, true
}

func newTree(r *Reader, s *Snapshot) *Tree {
	t := &Tree{
		reader: r, change: s, texts: make(map[string][]byte), without: make(map[string]debate.Withheld),
		sides: map[debate.Side]*lookSide{
			debate.Left:  {commit: s.BaseSHA, entries: make(map[string]treeEntry)},
			debate.Right: {commit: s.HeadSHA, entries: make(map[string]treeEntry)},
		},
	}
	for at, c := range s.kept {
		t.addText(at, c)
	}
	return t
}

// addText adds the content of a regular file read before.
func (t *Tree) addText(at sidePath, c content) {
	if c.data == nil {
		return
	}
	t.sides[at.side].entries[at.path] = treeEntry{mode: regularMode, oid: c.oid, size: len(c.data)}
	t.texts[c.oid] = c.data
}

// Name returns the id of the commit of a side.
func (t *Tree) Name(side debate.Side) string { return t.sides[side].commit }

// Err returns the first failure of a request for a look.
func (t *Tree) Err() error { return t.failure }

// noteFailure keeps a failure, and reports whether it is one.
func (t *Tree) noteFailure(err error) bool {
	if t.failure == nil {
		t.failure = err
	}
	return err != nil
}

// Lacks reports whether a side is incomplete: GitHub cut its listing, or some files
// could not be read for a search.
func (t *Tree) Lacks(kind debate.LookKind, side debate.Side) bool {
	s := t.sides[side]
	return s.listed && !s.whole || kind == debate.LookGrep && s.lacks
}

// entry returns the entry at a path. If the listing is complete, a path without an
// entry is known to be missing.
func (s *lookSide) entry(path string) (e treeEntry, known bool) {
	e, known = s.entries[path]
	return e, known || s.whole
}

// Read returns a regular file of at most 4 MiB, or why there is none.
func (t *Tree) Read(path string, side debate.Side) ([]byte, debate.Withheld) {
	s := t.sides[side]
	entry, known := s.entry(path)
	if !known {
		return nil, t.whyUnread()
	}
	if why := whyHidden(entry); why != "" {
		return nil, why
	}
	if content, ok := t.content(entry.oid); ok {
		return content, ""
	}
	if why := t.without[entry.oid]; why != "" {
		return nil, why
	}
	return nil, t.whyUnread()
}

// whyUnread returns the reason for a file that GitHub may have but was not read.
func (t *Tree) whyUnread() debate.Withheld {
	if t.reader != nil && t.requestsLeft() == 0 {
		return debate.LookUsedUp
	}
	return debate.LookUnreadable
}

// whyHidden returns the reason not to show the content of an entry, "" if there is
// none.
func whyHidden(e treeEntry) debate.Withheld {
	switch e.mode & typeOfMode {
	case 0:
		return debate.LookMissing
	case regularMode:
	case symlinkMode:
		return debate.LookSymlink
	case submoduleMode:
		return debate.LookSubmodule
	default:
		return debate.LookDirectory
	}
	if e.size > blobLimit {
		return debate.LookTooLarge
	}
	return ""
}

// content returns the content of an id, if present.
func (t *Tree) content(oid string) ([]byte, bool) {
	if content, ok := t.texts[oid]; ok {
		return content, true
	}
	return t.spool.read(oid)
}

// has reports whether the content of an id is here or known to be unavailable.
func (t *Tree) has(oid string) bool {
	_, kept := t.texts[oid]
	return kept || t.without[oid] != "" || t.spool.holds(oid)
}

// List returns the names in a directory, "" for the top, sorted. Those of directories
// end with a slash.
func (t *Tree) List(path string, side debate.Side) ([]string, debate.Withheld) {
	s := t.sides[side]
	if !s.listed {
		return nil, t.whyUnread()
	}
	if path == "" {
		return s.names(""), ""
	}
	switch e := s.entries[path]; e.mode & typeOfMode {
	case directoryMode:
		return s.names(path + "/"), ""
	case submoduleMode:
		return nil, debate.LookSubmodule
	case 0:
		if s.whole {
			return nil, debate.LookMissing
		}
		return nil, debate.LookUnreadable
	}
	return nil, debate.LookNoDir
}

// names returns the names directly below a directory. Its path ends with a slash; "" is
// the top.
func (s *lookSide) names(dir string) []string {
	var names []string
	for path, e := range s.entries {
		name, below := strings.CutPrefix(path, dir)
		if !below || e.mode == 0 || strings.Contains(name, "/") {
			continue
		}
		if e.mode&typeOfMode == directoryMode {
			name += "/"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var errNoArchive = errors.New("GitHub gives no archive of the commit")

// Files returns the sorted paths of the regular files with a text; all of them for "".
// If ctx ends, it returns the results so far.
func (t *Tree) Files(ctx context.Context, side debate.Side, holding string, _ []string) ([]string, error) {
	s := t.sides[side]
	if !s.searched {
		return nil, errNoArchive
	}
	var found []string
	for _, path := range s.paths {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		content, ok := t.content(s.entries[path].oid)
		if ok && bytes.Contains(content, []byte(holding)) {
			found = append(found, path)
		}
	}
	return found, nil
}
