package gh

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
)

// maxLazy limits the files outside the change that are read on demand, and so the
// requests for them.
const maxLazy = 200

// Snapshot is the frozen change of a pull request: the work on its head since the
// merge base with the tip of its base.
type Snapshot struct {
	// Scope is range:ID..ID, the merge base and the head.
	Scope string
	// Notes tell more about the scope, one line each.
	Notes     []string
	BaseSHA   string // the merge base, the commit of LEFT lines
	PolicySHA string // the tip of the base; policy and configuration come from here
	HeadSHA   string
	// Change is the difference with its files. Blob, BaseHas and Search may read more
	// while the context of Reader.Snapshot lives. A decoded snapshot cannot read more;
	// Err reports this.
	Change patch.Change
	// Hash is the SHA-256, in hex, over the ids of both commits, the parsed difference
	// and the ids of the files' contents.
	Hash string

	kept    map[sidePath]content
	listed  bool                            // base was read
	base    map[string]treeEntry            // entries of the merge base
	whole   bool                            // base has all of them
	asked   map[string]content              // of the merge base, if base is not all of it
	folders map[string]map[string]treeEntry // of the merge base, if base is not all of it
	lazy    int                             // files outside the change that were read
	near    neighbours
	tree    *Tree
	failure error

	reader *Reader         // nil after DecodeSnapshot
	ctx    context.Context // of Reader.Snapshot
}

// sidePath is a file at one side of a change.
type sidePath struct {
	side debate.Side
	path string
}

// content is the content of a file. It has no id if there is no regular file, and data
// is nil if it is not kept.
type content struct {
	oid  string
	data []byte
}

// Snapshot freezes the change of a pull request between two commits. It makes two
// requests for a change of up to 50 text files, a third one if GitHub does not list all
// their lines, and two more for each further 100.
//
// If the commits have more than 300 files between them, GitHub lists them only for the
// pull request. Then Snapshot checks its head before and after, and returns a
// *MovedError if it moved.
func (r *Reader) Snapshot(ctx context.Context, baseTip, head string, number int) (*Snapshot, error) {
	what := fmt.Sprintf("freeze the change of #%d at %.12s", number, head)
	if err := commitIDs(what, baseTip, head); err != nil {
		return nil, err
	}
	d, set, err := r.difference(ctx, what, baseTip, head, number)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{
		Scope: "range:" + d.mergeBase + ".." + head, Notes: d.notes, BaseSHA: d.mergeBase, PolicySHA: baseTip, HeadSHA: head,
		kept: map[sidePath]content{}, asked: map[string]content{}, folders: map[string]map[string]treeEntry{}, reader: r, ctx: ctx,
	}
	d.addUnlisted(set)
	if err := r.contents(ctx, what, s, set, d.entries); err != nil {
		return nil, err
	}
	dropHiddenLines(set, s.kept, d.entries)
	s.tree = newTree(r, s)
	s.setChange(set)
	return s, nil
}

// setChange gives the snapshot its change and its hash.
func (s *Snapshot) setChange(set *patch.Set) {
	kept := func(path string, side debate.Side) ([]byte, bool) {
		c := s.kept[sidePath{side, path}]
		return c.data, c.data != nil
	}
	set.Decode(kept)
	set.Unfold(kept, policy.TakesEffect)
	s.Change = patch.Change{Set: set, Blob: s.blob, Search: s.search, BaseHas: s.baseHas, Together: s.together}
	s.Change.BaseNames = func(dir string) ([]string, bool) { return s.baseNames(dir, regularMode) }
	s.Change.BaseFolders = func(dir string) ([]string, bool) { return s.baseNames(dir, directoryMode) }
	s.Hash = s.hash(set)
}

// hash is the SHA-256 over an unambiguous form of the change.
func (s *Snapshot) hash(set *patch.Set) string {
	var sides []savedContent
	for _, side := range changedSides(set) {
		sides = append(sides, savedContent{Side: side.at.side, Path: []byte(side.at.path), OID: s.kept[side.at].oid})
	}
	form, _ := json.Marshal(struct {
		Base, Head string
		Files      []savedFile
		Sides      []savedContent
	}{s.BaseSHA, s.HeadSHA, saveFiles(set), sides})
	sum := sha256.Sum256(form)
	return hex.EncodeToString(sum[:])
}

// Err returns the first error in Change.Blob, BaseHas or Search. After an error, the
// review did not see all that it asked for.
func (s *Snapshot) Err() error { return s.failure }

func (s *Snapshot) note(err error) {
	if s.failure == nil {
		s.failure = err
	}
}

// blob is patch.Change.Blob. A file outside the change is the same at both sides, and
// read at the merge base.
func (s *Snapshot) blob(path string, side debate.Side) ([]byte, bool) {
	if !s.touches(path) {
		side = debate.Left
	}
	at := sidePath{side, path}
	if c, ok := s.kept[at]; ok {
		return c.data, c.data != nil
	}
	if side == debate.Right {
		return nil, false
	}
	entry, there, sure := s.entry(path)
	if !there {
		c := s.findUnlisted(path, sure)
		return c.data, c.data != nil
	}
	if whyHidden(entry) != "" {
		return nil, false
	}
	c, err := s.read(entry, path)
	if err != nil {
		s.note(err)
		return nil, false
	}
	s.kept[at] = c
	return c.data, c.data != nil
}

// touches reports whether the change names a path at either side.
func (s *Snapshot) touches(path string) bool {
	return slices.ContainsFunc(s.Change.Set.Files, func(f *patch.File) bool { return f.OldPath == path || f.NewPath == path })
}

// findUnlisted asks GitHub for a path missing in a cut list; sure: the list is not cut.
func (s *Snapshot) findUnlisted(path string, sure bool) content {
	if sure {
		return content{}
	}
	if c, ok := s.asked[path]; ok {
		return c
	}
	c, err := s.read(treeEntry{}, path)
	if err != nil {
		s.note(err)
		return content{}
	}
	s.asked[path] = c
	return c
}

// read reads a file outside the change at the merge base.
func (s *Snapshot) read(entry treeEntry, path string) (content, error) {
	if s.reader == nil {
		return content{}, fmt.Errorf("read %s at %.12s: the snapshot does not hold it", oneLine(path), s.BaseSHA)
	}
	if s.lazy++; s.lazy > maxLazy {
		return content{}, fmt.Errorf("read %s at %.12s: more than %d files outside the change were asked for", oneLine(path), s.BaseSHA, maxLazy)
	}
	return s.reader.outside(s.ctx, s.BaseSHA, entry, path)
}

// changedSide is one side of a changed file.
type changedSide struct {
	at   sidePath
	mode uint32 // 0 if it is unknown
	file *patch.File
}

// changedSides lists the existing sides of the changed files, in their order.
func changedSides(set *patch.Set) []changedSide {
	var all []changedSide
	for _, f := range set.Files {
		if f.OldPath != "" {
			all = append(all, changedSide{sidePath{debate.Left, f.OldPath}, f.OldMode, f})
		}
		if f.NewPath != "" {
			all = append(all, changedSide{sidePath{debate.Right, f.NewPath}, f.NewMode, f})
		}
	}
	return all
}

// hiddenText is why a file without lines cannot pass for a binary one.
const hiddenText = "GitHub shows no lines of it, though it is text"

// dropHiddenLines rejects the lines of files if the difference does not show their content: a
// text shown as binary, because of its size or the author's attributes, and lines that
// the file does not have.
func dropHiddenLines(set *patch.Set, kept map[sidePath]content, entries map[sidePath]*wireSide) {
	for _, side := range changedSides(set) {
		f, fact, data := side.file, entries[side.at].object(), kept[side.at].data
		if f.Unparsed != "" || fact == nil {
			continue
		}
		why := ""
		switch f.Kind {
		case patch.Binary:
			if !fact.IsBinary && fact.ByteSize > 0 {
				why = hiddenText
			}
		case patch.Text:
			if data != nil && !hasLines(f, side.at.side, data) {
				why = "its lines in the difference are not those of the file"
			}
		}
		if why != "" {
			f.Unparsed, f.Hunks = why, nil
		}
	}
}

// hasLines reports whether the file has the lines that a difference shows for this side.
func hasLines(f *patch.File, side debate.Side, data []byte) bool {
	lines := bytes.SplitAfter(data, []byte("\n"))
	for _, h := range f.Hunks {
		for i := range h.Lines {
			l := &h.Lines[i]
			n := l.Number(side)
			if n > len(lines) {
				return false
			}
			if n > 0 {
				if text, ends := bytes.CutSuffix(lines[n-1], []byte("\n")); string(text) != l.Text || ends == l.NoEOL {
					return false
				}
			}
		}
	}
	return true
}
