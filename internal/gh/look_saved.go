package gh

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// maxHanded limits the bytes of files outside the change that are handed on.
const maxHanded = 32 << 20

// savedListing is the listing of a side.
type savedListing struct {
	Side    debate.Side
	Whole   bool
	Entries []savedEntry
}

// Collect reads the files for looks of another job without access to GitHub: the
// listings of both sides and the files of the head. Files that GitHub does not give
// stay missing.
func (s *Snapshot) Collect(ctx context.Context) {
	s.tree.Fetch(ctx, []debate.Look{
		{Kind: debate.LookList, Side: debate.Right}, {Kind: debate.LookList, Side: debate.Left}, {Kind: debate.LookGrep, Side: debate.Right},
	})
}

// ReadBy lets Each read both sides through a reader. The collected listings name their
// files.
func (s *Snapshot) ReadBy(r *Reader) { s.tree.reader = r }

// save adds the collected files to a saved form.
func (t *Tree) save(form *saved) {
	for _, side := range []debate.Side{debate.Left, debate.Right} {
		s := t.sides[side]
		if !s.listed {
			continue
		}
		listing := savedListing{Side: side, Whole: s.whole}
		for path, e := range s.entries {
			listing.Entries = append(listing.Entries, savedEntry{Path: []byte(path), Mode: e.mode, OID: e.oid, Size: e.size})
		}
		slices.SortFunc(listing.Entries, func(a, b savedEntry) int { return slices.Compare(a.Path, b.Path) })
		form.Listings = append(form.Listings, listing)
	}
	head := t.sides[debate.Right]
	if form.Searched = head.searched; !head.searched {
		return
	}
	left := maxHanded
	for _, path := range t.nearestFirst(head.paths) {
		e := head.entries[path]
		if _, kept := t.change.kept[sidePath{debate.Right, path}]; kept || e.size > left {
			continue
		}
		data, ok := t.content(e.oid)
		isBinary := bytes.IndexByte(data, 0) >= 0 || t.without[e.oid] == debate.LookBinary
		if isBinary {
			data = nil
		}
		if ok || isBinary {
			left -= len(data)
			form.Looked = append(form.Looked, savedContent{Path: []byte(path), OID: e.oid, Data: data})
		}
	}
}

// nearestFirst returns paths, those in the directories of changed files first.
func (t *Tree) nearestFirst(paths []string) []string {
	near := make(map[string]bool)
	for _, f := range t.change.Change.Set.Files {
		near[path.Dir(f.Path())] = true
	}
	away := func(p string) int {
		if near[path.Dir(p)] {
			return 0
		}
		return 1
	}
	sorted := slices.Clone(paths)
	slices.SortFunc(sorted, func(a, b string) int { return cmp.Or(cmp.Compare(away(a), away(b)), cmp.Compare(a, b)) })
	return sorted
}

// loadTree builds the tree for the other job from a saved form.
func (s *Snapshot) loadTree(form *saved) error {
	t := newTree(nil, s)
	t.noSpool = true
	for _, l := range form.Listings {
		side := t.sides[l.Side]
		if side == nil || side.listed {
			return fmt.Errorf("read the snapshot: it has a listing of the side %q, which is none", oneLine(string(l.Side)))
		}
		entries := make(map[string]treeEntry, len(l.Entries))
		for _, e := range l.Entries {
			entries[string(e.Path)] = treeEntry{mode: e.Mode, oid: e.OID, size: e.Size}
		}
		side.take(entries, l.Whole)
	}
	head := t.sides[debate.Right]
	for _, c := range form.Looked {
		isBinary := c.Data == nil
		if e := head.entries[string(c.Path)]; e.oid != c.OID || !isBinary && !isBlob(c.OID, c.Data) {
			return otherContent(c.Path)
		}
		if isBinary {
			t.without[c.OID] = debate.LookBinary
		} else {
			t.texts[c.OID] = c.Data
		}
	}
	for _, side := range t.sides {
		if form.Searched && side.listed {
			t.markSearched(side)
		}
	}
	s.tree = t
	return nil
}
