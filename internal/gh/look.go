package gh

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// symlinkMode, submoduleMode and directoryMode are of what is no regular file.
const (
	symlinkMode   = 0o120000
	submoduleMode = 0o160000
	directoryMode = 0o040000
)

// Tree is both sides of a change as trees that can be looked at. Fetch alone asks
// GitHub, for fixed commits; all else answers from what it brought. It is for one
// caller at a time.
//
//	read   the files of the change, else blobs by their paths
//	list   the listing of the commit
//	grep   the archive of the head, and as blobs what the archive leaves out or alters
//
// A look that fails is an answer and spoils nothing: the review does not depend on it.
type Tree struct {
	reader *Reader
	change *Snapshot
	sides  map[debate.Side]*lookSide

	texts   map[string][]byte          // contents by id
	without map[string]debate.Withheld // why there is no content of an id
	spool   *spool                     // contents by id, from the archive; nil before it was asked for
	noSpool bool                       // there is no archive to be had
	spent   int                        // requests
	failure error                      // the first
}

// lookSide is one side, as far as it is known.
type lookSide struct {
	commit   string
	entries  map[string]treeEntry // by path; a mode of 0: nothing is there
	listed   bool                 // entries has the listing of the commit
	whole    bool                 // and that is all of it
	searched bool                 // its files are at hand
	lacks    bool                 // but for some
	paths    []string             // of regular files in the listing, sorted
}

// Tree returns the sides of the change. Of one that DecodeSnapshot read there is what
// Collect had brought.
func (s *Snapshot) Tree() *Tree { return s.tree }

// Close removes what was kept for looks.
func (s *Snapshot) Close() {
	if s.tree != nil {
		s.tree.close()
	}
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
		t.know(at, c)
	}
	return t
}

// know takes the content of a regular file that was read before.
func (t *Tree) know(at sidePath, c content) {
	if c.data == nil {
		return
	}
	t.sides[at.side].entries[at.path] = treeEntry{mode: regularMode, oid: c.oid, size: len(c.data)}
	t.texts[c.oid] = c.data
}

func (t *Tree) close() {
	if t.spool != nil {
		t.spool.close()
	}
	t.spool, t.noSpool = nil, true
}

// Name is the id of the commit of a side.
func (t *Tree) Name(side debate.Side) string { return t.sides[side].commit }

// Err is the first failure of a request that somebody's look needed.
func (t *Tree) Err() error { return t.failure }

// failed keeps a failure, and reports whether it is one.
func (t *Tree) failed(err error) bool {
	if t.failure == nil {
		t.failure = err
	}
	return err != nil
}

// Lacks reports whether GitHub lists only a part of a side, or not all of it could be
// read for a search.
func (t *Tree) Lacks(kind debate.LookKind, side debate.Side) bool {
	s := t.sides[side]
	return s.listed && !s.whole || kind == debate.LookGrep && s.lacks
}

// entry is what is at a path. What a whole listing does not name is known not to be there.
func (s *lookSide) entry(path string) (e treeEntry, known bool) {
	e, known = s.entries[path]
	return e, known || s.whole
}

// Read returns a regular file of at most 4 MiB, or why there is none.
func (t *Tree) Read(path string, side debate.Side) ([]byte, debate.Withheld) {
	s := t.sides[side]
	entry, known := s.entry(path)
	if !known {
		return nil, t.unread()
	}
	if why := irregular(entry); why != "" {
		return nil, why
	}
	if content, ok := t.content(entry.oid); ok {
		return content, ""
	}
	if why := t.without[entry.oid]; why != "" {
		return nil, why
	}
	return nil, t.unread()
}

// unread is why something is not here that GitHub may have.
func (t *Tree) unread() debate.Withheld {
	if t.reader != nil && t.left() == 0 {
		return debate.LookUsedUp
	}
	return debate.LookUnreadable
}

// irregular says why the content of an entry is not shown; "" where it is.
func irregular(e treeEntry) debate.Withheld {
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

// content is that of an id, if it is here.
func (t *Tree) content(oid string) ([]byte, bool) {
	if content, ok := t.texts[oid]; ok {
		return content, true
	}
	return t.spool.read(oid)
}

// has reports whether the content of an id is here, or why it never will be.
func (t *Tree) has(oid string) bool {
	_, kept := t.texts[oid]
	return kept || t.without[oid] != "" || t.spool.holds(oid)
}

// List returns the names in a directory, "" for the top, sorted. Those of directories
// end with a slash.
func (t *Tree) List(path string, side debate.Side) ([]string, debate.Withheld) {
	s := t.sides[side]
	if !s.listed {
		return nil, t.unread()
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

// names are those directly below a directory, whose path ends with a slash; "" is the top.
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

// Files returns the paths of the regular files that hold a text, sorted; of all of them
// for "". It ends with ctx, with what it has by then.
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
