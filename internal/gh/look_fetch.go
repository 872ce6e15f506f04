package gh

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/surround"
)

// Limits of the requests for looks in one review, the download of the archive excepted.
const (
	maxReads        = 4
	maxReadsWithout = 12      // without an archive
	maxLeftOut      = 2 << 20 // bytes of files missing in an archive, to read for a search
)

// Fetch reads the files for some looks: all named files in one query, a listing if a
// look lists, and the archive once if a look searches. It also takes the archive if
// earlier queries leave only one request. The looks report missing files.
func (t *Tree) Fetch(ctx context.Context, looks []debate.Look) {
	for _, path := range t.change.near.Paths { // the same at both sides
		c := t.change.kept[sidePath{debate.Left, string(path)}]
		t.addText(sidePath{debate.Left, string(path)}, c)
		t.addText(sidePath{debate.Right, string(path)}, c)
	}
	if t.reader == nil { // only the collected files are available
		return
	}
	for _, l := range looks {
		if l.Kind == debate.LookList {
			t.list(ctx, l.Side)
		}
	}
	for _, l := range looks {
		if l.Kind == debate.LookGrep {
			t.search(ctx, l.Side)
		}
	}
	for _, side := range []debate.Side{debate.Right, debate.Left} {
		t.files(ctx, side, looks)
	}
}

// requestsLeft is how many requests may still be made.
func (t *Tree) requestsLeft() int {
	if t.noSpool {
		return max(0, maxReadsWithout-t.spent)
	}
	return max(0, maxReads-t.spent)
}

// spendRequest takes one of the remaining requests; false if there is none.
func (t *Tree) spendRequest() bool {
	if t.requestsLeft() == 0 {
		return false
	}
	t.spent++
	return true
}

// list reads the listing of a side, once.
func (t *Tree) list(ctx context.Context, side debate.Side) {
	s := t.sides[side]
	if s.listed {
		return
	}
	entries, whole := t.change.base, t.change.whole
	if side == debate.Right || entries == nil {
		if !t.spendRequest() {
			return
		}
		var err error
		if entries, whole, err = t.reader.tree(ctx, fmt.Sprintf("list %.12s", s.commit), s.commit, true); t.noteFailure(err) {
			return
		}
	}
	s.take(entries, whole)
}

// take takes the listing of a side.
func (s *lookSide) take(entries map[string]treeEntry, whole bool) {
	s.listed, s.whole = true, whole
	for path, e := range entries {
		if plainPath(path) {
			s.entries[path] = e
		}
	}
	for path, e := range s.entries {
		if whyHidden(e) == "" && !surround.Secret(path) {
			s.paths = append(s.paths, path)
		}
	}
	slices.Sort(s.paths)
}

// search makes the files of a side ready to search.
func (t *Tree) search(ctx context.Context, side debate.Side) {
	s := t.sides[side]
	if s.searched || !t.unpack(ctx) {
		return
	}
	if t.list(ctx, side); s.listed {
		t.readMissing(ctx, side)
	}
}

// unpack reads the archive of the head, once, and reports whether it is there.
func (t *Tree) unpack(ctx context.Context) bool {
	if t.spool != nil || t.noSpool {
		return t.spool != nil
	}
	head := t.sides[debate.Right]
	if t.list(ctx, debate.Right); !head.listed {
		t.noSpool = true
		return false
	}
	if size := head.size(); size > maxUnpacked {
		t.noteFailure(fmt.Errorf("the archive of %.12s is not read: its files have %d MiB, at most %d are", head.commit, size>>20, maxUnpacked>>20))
		t.noSpool = true
		return false
	}
	if !t.spendRequest() {
		return false
	}
	wanted := make(map[string]string, len(head.paths))
	for _, path := range head.paths {
		wanted[path] = head.entries[path].oid
	}
	spool, err := t.reader.sender.unpack(ctx, head.commit, wanted)
	if t.noteFailure(err) {
		t.noSpool = true
		return false
	}
	t.spool = spool
	return true
}

// size returns the size of all files of a listing in bytes.
func (s *lookSide) size() int {
	size := 0
	for _, e := range s.entries {
		size += e.size
	}
	return size
}

// readMissing reads the files that the archive lacks or alters, for a search. Git
// attributes in the commit decide about this (export-ignore, export-subst).
func (t *Tree) readMissing(ctx context.Context, side debate.Side) {
	s := t.sides[side]
	var missing []string
	size := 0
	for _, path := range s.paths {
		if e := s.entries[path]; !t.has(e.oid) {
			missing = append(missing, path)
			size += e.size
		}
	}
	if len(missing) <= blobsAtOnce && size <= maxLeftOut {
		t.read(ctx, side, missing)
	}
	t.markSearched(s)
}

// markSearched marks a side as ready to search and notes whether files are missing.
func (t *Tree) markSearched(s *lookSide) {
	s.searched = true
	s.lacks = slices.ContainsFunc(s.paths, func(path string) bool { return !t.has(s.entries[path].oid) })
}

// files reads the files of a side for looks.
func (t *Tree) files(ctx context.Context, side debate.Side, looks []debate.Look) {
	missing := t.missing(side, looks)
	if len(missing) == 0 {
		return
	}
	archiveTakes := 2 // requests
	if t.sides[debate.Right].listed {
		archiveTakes = 1
	}
	if !t.noSpool && t.spool == nil && t.requestsLeft()-1 <= archiveTakes {
		t.unpack(ctx)
		missing = t.missing(side, looks)
	}
	for part := range slices.Chunk(missing, blobsAtOnce) {
		t.read(ctx, side, part)
	}
}

// missing returns the paths of a side that looks read and that are not here yet.
func (t *Tree) missing(side debate.Side, looks []debate.Look) []string {
	s := t.sides[side]
	paths := make(map[string]bool)
	for _, l := range looks {
		if l.Kind != debate.LookRead || l.Side != side || !plainPath(l.Path) {
			continue
		}
		e, known := s.entry(l.Path)
		isHere := known && (whyHidden(e) != "" || t.has(e.oid))
		if !isHere {
			paths[l.Path] = true
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// read reads files of a side by their paths, in one query.
func (t *Tree) read(ctx context.Context, side debate.Side, paths []string) {
	if len(paths) == 0 || !t.spendRequest() {
		return
	}
	s, v := t.sides[side], variables{"commit": t.sides[side].commit}
	document := batch("Look", "$commit: String!, ", "object(expression: $commit) { ... on Commit {", paths, v, func(i int) string {
		return fmt.Sprintf("file(path: $e%d) %s", i, fileFields)
	})
	found, err := queryOne[map[string]*wireFile](ctx, t.reader.sender, fmt.Sprintf("look at files of %.12s", s.commit), document, v)
	if t.noteFailure(err) {
		return
	}
	for i, path := range paths {
		t.take(ctx, s, path, (*found)[fmt.Sprintf("b%d", i)])
	}
}

// take adds a file from GitHub's answer.
func (t *Tree) take(ctx context.Context, s *lookSide, path string, file *wireFile) {
	if file == nil {
		s.entries[path] = treeEntry{}
		return
	}
	blob := file.blob()
	if blob == nil {
		s.entries[path] = treeEntry{mode: file.Mode}
		return
	}
	e := treeEntry{mode: file.Mode, oid: blob.OID, size: blob.ByteSize}
	s.entries[path] = e
	text, exact := blob.whole()
	switch {
	case whyHidden(e) != "":
		return
	case exact:
	case blob.IsBinary:
		t.without[e.oid] = debate.LookBinary
		return
	case !t.spendRequest():
		t.without[e.oid] = debate.LookUsedUp
		return
	default:
		var err error
		if text, err = t.reader.rawBlob(ctx, e.oid, blobLimit); t.noteFailure(err) {
			t.without[e.oid] = debate.LookUnreadable
			return
		}
	}
	t.texts[e.oid] = text
}
