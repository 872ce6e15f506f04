package gh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/surround"
)

// Limits of the requests for looks in one review.
const (
	maxLookRequests = 24
	maxLeftOut      = 2 << 20 // bytes of files missing in an archive, to read for a search
)

// Tree is both sides of a change. Its methods for looks answer from the results of Fetch,
// which asks GitHub at fixed commits. It is not safe for concurrent use.
//
//	read   the files of the change, else files by their paths
//	list   the listing of the commit
//	grep   the archive of the head, plus the files that it lacks or alters
//
// A failed look is an answer and does not stop the review.
type Tree struct {
	reader *Reader // nil: nothing more can be read
	sides  map[debate.Side]*treeSide

	texts   map[string][]byte          // contents by id
	without map[string]debate.Withheld // why there is no content of an id
	spool   *spool                     // contents by id, from archives; nil before one was asked for
	spent   int                        // requests
	failure error                      // the first
}

// treeSide is one side.
type treeSide struct {
	commit string
	listing
	unpacked bool     // its archive was asked for
	broken   error    // why its archive is not in the spool
	searched bool     // its files are at hand, as far as GitHub gives them
	paths    []string // of regular files in the listing, sorted
}

// listing is the known part of a side.
type listing struct {
	Entries map[string]treeEntry // by path; a mode of 0: nothing is there
	Listed  bool                 // Entries has the listing of the commit
	Whole   bool                 // Entries are complete
}

// treeEntry is a file, a directory, a link or a submodule of a commit.
type treeEntry struct {
	Mode   uint32
	OID    string
	Size   int
	Binary bool // GitHub says so; unknown for an entry of a listing
}

func newTree(r *Reader, base, head string) *Tree {
	return &Tree{
		reader: r, texts: make(map[string][]byte), without: make(map[string]debate.Withheld),
		sides: map[debate.Side]*treeSide{
			debate.Left:  {commit: base, listing: listing{Entries: make(map[string]treeEntry)}},
			debate.Right: {commit: head, listing: listing{Entries: make(map[string]treeEntry)}},
		},
	}
}

// Fetch reads the files for some looks: all named files in one query, a listing if a look
// lists, and the archive once if a look searches. The looks report missing files.
func (t *Tree) Fetch(ctx context.Context, looks []debate.Look) {
	if t.reader == nil { // only the collected files are available
		return
	}
	var missing []place
	for _, l := range looks {
		switch l.Kind {
		case debate.LookList:
			t.list(ctx, l.Side)
		case debate.LookGrep:
			t.search(ctx, l.Side)
		}
	}
	for _, l := range looks {
		if l.Kind != debate.LookRead {
			continue
		}
		if e, known := t.sides[l.Side].entry(l.Path); !known || whyHidden(e) == "" && !t.has(e.OID) {
			missing = append(missing, place{l.Side, l.Path})
		}
	}
	for part := range slices.Chunk(missing, blobsAtOnce) {
		if t.spend() {
			t.noteFailure(t.read(ctx, part, t.mayLook))
		}
	}
}

// spend takes one of the remaining requests; false if there is none.
func (t *Tree) spend() bool {
	t.spent++
	return t.spent <= maxLookRequests
}

// mayLook decides about the content of a file for a look: a query gives it whole, or it is
// one more request.
func (t *Tree) mayLook(file *wireFile, exact bool) bool {
	switch {
	case exact:
		return true
	case file.Object.IsBinary:
		t.without[file.OID] = debate.LookBinary
		return false
	case !t.spend():
		t.without[file.OID] = debate.LookUsedUp
		return false
	}
	return true
}

// noteFailure keeps the first failure, and reports whether there is one now.
func (t *Tree) noteFailure(err error) bool {
	if t.failure == nil {
		t.failure = err
	}
	return err != nil
}

// Err returns the first failure of a request for a look.
func (t *Tree) Err() error { return t.failure }

// place is a path at a side.
type place struct {
	side debate.Side
	path string
}

// placesAt returns the places of paths at a side.
func placesAt(side debate.Side, paths []string) []place {
	return lists.Map(paths, func(path string) place { return place{side, path} })
}

// read reads files of both sides. May decides if the content of a regular file is taken;
// one that the query does not give exactly is one more request.
func (t *Tree) read(ctx context.Context, places []place, may func(file *wireFile, exact bool) bool) error {
	named := lists.Map(places, func(p place) fileAt { return fileAt{t.sides[p.side].commit, p.path} })
	what := fmt.Sprintf("read %d files of %.12s", len(places), t.sides[debate.Right].commit)
	found, err := t.reader.entries(ctx, what, named)
	if err != nil {
		return err
	}
	for i, p := range places {
		s, path := t.sides[p.side], p.path
		file := found[named[i]]
		if file == nil {
			s.Entries[path] = treeEntry{}
			continue
		}
		e := treeEntry{Mode: file.Mode, OID: file.OID, Size: file.Object.ByteSize, Binary: file.Object.IsBinary}
		s.Entries[path] = e
		if whyHidden(e) != "" || t.has(e.OID) {
			continue
		}
		text, exact := file.whole()
		if !may(file, exact) {
			continue
		}
		if !exact {
			if text, err = t.reader.rawBlob(ctx, e.OID, blobLimit); err != nil {
				t.without[e.OID] = debate.LookUnreadable
				return err
			}
		}
		t.texts[e.OID] = text
	}
	return nil
}

// list reads the listing of a side, once, and reports whether it is here.
func (t *Tree) list(ctx context.Context, side debate.Side) bool {
	s := t.sides[side]
	if s.Listed || t.reader == nil {
		return s.Listed
	}
	t.spent++
	what := fmt.Sprintf("list %.12s", s.commit)
	tree, err := send(ctx, t.reader.sender, request{what: what}, func(ctx context.Context, api api) (*github.Tree, *github.Response, error) {
		return api.Git.GetTree(ctx, api.owner, api.name, s.commit, true)
	})
	if t.noteFailure(err) {
		return false
	}
	entries := make(map[string]treeEntry, len(tree.Entries))
	for _, e := range tree.Entries {
		mode, err := strconv.ParseUint(e.GetMode(), 8, 32)
		if err != nil || e.GetPath() == "" {
			return !t.noteFailure(&UnavailableError{What: what, Err: fmt.Errorf("the tree of %.12s cannot be read", s.commit)})
		}
		entries[e.GetPath()] = treeEntry{Mode: uint32(mode), OID: e.GetSHA(), Size: e.GetSize()}
	}
	s.take(entries, !tree.GetTruncated())
	return true
}

// take takes the listing of a side.
func (s *treeSide) take(entries map[string]treeEntry, whole bool) {
	s.Listed, s.Whole = true, whole
	for path, e := range entries {
		if plainPath(path) {
			s.Entries[path] = e
		}
	}
	for path, e := range s.Entries {
		if whyHidden(e) == "" && !surround.Secret(path) {
			s.paths = append(s.paths, path)
		}
	}
	slices.Sort(s.paths)
}

// search makes the files of a side ready to search: those in the archive of the head, and
// those that the archive lacks or alters, because git attributes of the commit say so
// (export-ignore, export-subst).
func (t *Tree) search(ctx context.Context, side debate.Side) {
	s, head := t.sides[side], t.sides[debate.Right]
	switch {
	case s.searched, !t.list(ctx, debate.Right), !head.unpacked && !t.spend():
		return
	case t.noteFailure(t.unpack(ctx, head)), !t.list(ctx, side):
		return
	}
	var missing []string
	size := 0
	for _, path := range s.paths {
		if e := s.Entries[path]; !t.has(e.OID) {
			missing = append(missing, path)
			size += e.Size
		}
	}
	if 0 < len(missing) && len(missing) <= blobsAtOnce && size <= maxLeftOut && t.spend() {
		t.noteFailure(t.read(ctx, placesAt(side, missing), t.mayLook))
	}
	s.searched = true
}

// unpack reads the archive of a listed side into the spool, once.
func (t *Tree) unpack(ctx context.Context, s *treeSide) error {
	if s.unpacked {
		return s.broken
	}
	s.unpacked = true
	wanted, size := make(map[string]string), 0
	for path, e := range s.Entries {
		size += e.Size
		if kind := e.Mode & patch.TypeMask; (kind == patch.TypeRegular || kind == patch.TypeSymlink) && !surround.Secret(path) {
			wanted[path] = e.OID
		}
	}
	if size > maxUnpacked {
		s.broken = fmt.Errorf("the archive of %.12s is not read: its files have %d MiB, at most %d are", s.commit, size>>20, maxUnpacked>>20)
		return s.broken
	}
	if t.spool == nil {
		if t.spool, s.broken = newSpool(); s.broken != nil {
			return s.broken
		}
	}
	most := int64(maxUnpacked + tarBytes*len(s.Entries))
	s.broken = t.reader.sender.archive(ctx, s.commit, func(packed io.Reader) error { return t.spool.unpack(packed, most, wanted) })
	return s.broken
}

// Name returns the id of the commit of a side.
func (t *Tree) Name(side debate.Side) string { return t.sides[side].commit }

// Lacks reports whether a side is incomplete: GitHub cut its listing, or some files
// could not be read for a search.
func (t *Tree) Lacks(kind debate.LookKind, side debate.Side) bool {
	s := t.sides[side]
	isMissing := func(path string) bool { return !t.has(s.Entries[path].OID) }
	return s.Listed && !s.Whole || kind == debate.LookGrep && s.searched && slices.ContainsFunc(s.paths, isMissing)
}

// entry returns the entry at a path. If the listing is complete, a path without an
// entry is known to be missing.
func (s *treeSide) entry(path string) (e treeEntry, known bool) {
	e, known = s.Entries[path]
	return e, known || s.Whole || !plainPath(path)
}

// Read returns a regular file of at most 4 MiB, or why there is none.
func (t *Tree) Read(path string, side debate.Side) ([]byte, debate.Withheld) {
	entry, known := t.sides[side].entry(path)
	if known {
		if why := whyHidden(entry); why != "" {
			return nil, why
		}
		if content, ok := t.content(entry.OID); ok {
			return content, ""
		}
		if why := t.without[entry.OID]; why != "" {
			return nil, why
		}
	}
	return nil, t.whyUnread()
}

// whyUnread returns the reason for a file that GitHub may have but was not read.
func (t *Tree) whyUnread() debate.Withheld {
	if t.reader != nil && t.spent >= maxLookRequests {
		return debate.LookUsedUp
	}
	return debate.LookUnreadable
}

// whyHidden returns the reason not to show the content of an entry, "" if there is
// none.
func whyHidden(e treeEntry) debate.Withheld {
	if e.Mode == 0 {
		return debate.LookMissing
	}
	if why := patch.Withheld(e.Mode); why != "" {
		return why
	}
	if e.Size > blobLimit {
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

// text returns the content of a file of the change, if it was read.
func (t *Tree) text(path string, side debate.Side) ([]byte, bool) {
	content, ok := t.texts[t.sides[side].Entries[path].OID]
	return content, ok
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
	if !s.Listed {
		return nil, t.whyUnread()
	}
	dir := ""
	if path != "" {
		switch e := s.Entries[path]; {
		case e.Mode == 0 && s.Whole:
			return nil, debate.LookMissing
		case e.Mode == 0:
			return nil, debate.LookUnreadable
		case patch.Unlisted(e.Mode) != "":
			return nil, patch.Unlisted(e.Mode)
		}
		dir = path + "/"
	}
	var names []string
	for path, e := range s.Entries {
		name, below := strings.CutPrefix(path, dir)
		if !below || e.Mode == 0 || strings.Contains(name, "/") {
			continue
		}
		if e.Mode&patch.TypeMask == patch.TypeDirectory {
			name += "/"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, ""
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
		content, ok := t.content(s.Entries[path].OID)
		if ok && bytes.IndexByte(content, 0) < 0 && bytes.Contains(content, []byte(holding)) {
			found = append(found, path)
		}
	}
	return found, nil
}
