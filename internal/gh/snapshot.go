package gh

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/surround"
)

const (
	rawBlobs   = 64       // changed files that are read in one request each
	maxContent = 96 << 20 // bytes of all changed files

	// Of files outside the change.
	maxLazy      = 200     // read on demand
	maxTogether  = 8 << 20 // bytes that are announced at once
	maxNear      = blobsAtOnce
	maxNearBytes = 2 << 20
	maxSearched  = 1 << 20 // bytes of a changed file
)

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
	Change patch.Change `json:"-"`
	// Hash is the SHA-256, in hex, over the ids of both commits, the difference and the ids
	// of the files' contents.
	Hash string

	parts    parts
	searched bool // the neighbours of the change were read
	tree     *Tree
	lazy     int // files outside the change that were read
	failure  error
	ctx      context.Context // of Reader.Snapshot
}

// parts make the difference.
type parts struct {
	Text     []byte // as git writes it
	List     []patch.Entry
	Unlisted int               // changed files missing in List
	Hidden   map[string]string // why the lines of a file are not believed, by path
}

// Snapshot freezes the change of a pull request between two commits. It makes three
// requests for a change of up to 50 text files, and one more for each further 50.
//
// If the commits have more than 300 files between them, GitHub lists them only for the
// pull request. Then Snapshot checks before and after that its head did not move.
func (r *Reader) Snapshot(ctx context.Context, baseTip, head string, number int) (*Snapshot, error) {
	what := fmt.Sprintf("freeze the change of #%d at %.12s", number, head)
	if err := commitIDs(what, baseTip, head); err != nil {
		return nil, err
	}
	d, err := r.difference(ctx, what, baseTip, head, number)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{
		Scope: "range:" + d.mergeBase + ".." + head, Notes: d.notes, BaseSHA: d.mergeBase, PolicySHA: baseTip, HeadSHA: head,
		tree: newTree(r, d.mergeBase, head), ctx: ctx,
	}
	raw, size, skipped := 0, 0, 0
	mayTake := func(file *wireFile, exact bool) bool {
		if !exact {
			raw++
		}
		if raw > rawBlobs || size+file.Object.ByteSize > maxContent {
			skipped++
			return false
		}
		size += file.Object.ByteSize
		return true
	}
	var changed []place
	for _, f := range d.files {
		status := statuses[f.GetStatus()]
		if status != patch.Added {
			changed = append(changed, place{debate.Left, cmp.Or(f.GetPreviousFilename(), f.GetFilename())})
		}
		if status != patch.Deleted {
			changed = append(changed, place{debate.Right, f.GetFilename()})
		}
	}
	if err := s.tree.read(ctx, changed, mayTake); err != nil {
		return nil, err
	}
	if skipped > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("the whole content of %d changed files was not read: there is too much of it", skipped))
	}
	if d.text == nil {
		d.text = d.assemble(s.tree)
	}
	s.parts = parts{Text: d.text, List: d.listing(s.tree), Unlisted: d.unlisted}
	s.setChange()
	s.parts.Hidden = s.distrusted()
	s.setChange()
	return s, nil
}

// setChange gives the snapshot its change and its hash.
func (s *Snapshot) setChange() {
	set := patch.Parse(s.parts.Text, s.parts.List)
	if n, listed := s.parts.Unlisted, len(s.parts.List); n > 0 { // a review of a part does not pass for a whole one
		name := fmt.Sprintf("(%d more files)", n)
		set.Files = append(set.Files, &patch.File{
			OldPath: name, NewPath: name, Status: patch.Modified, Kind: patch.Text,
			Unparsed: fmt.Sprintf("GitHub lists only %d of %d files", listed, listed+n),
		})
	}
	for _, f := range set.Files {
		if why := s.parts.Hidden[f.Path()]; why != "" {
			f.Unparsed, f.Hunks = why, nil
		}
	}
	set.Decode(s.tree.text)
	set.Unfold(s.tree.text, policy.TakesEffect)
	s.Change = patch.Change{Set: set, Blob: s.blob, Search: s.search, Together: s.together}
	s.Change.BaseHas = func(path string) bool { return s.entry(path).Mode != 0 }
	s.Change.BaseNames = func(dir string) ([]string, bool) { return s.baseNames(dir, patch.TypeRegular) }
	s.Change.BaseFolders = func(dir string) ([]string, bool) { return s.baseNames(dir, patch.TypeDirectory) }
	var ids []string
	for _, f := range set.Files {
		ids = append(ids, s.tree.sides[debate.Left].Entries[f.OldPath].OID, s.tree.sides[debate.Right].Entries[f.NewPath].OID)
	}
	form, _ := json.Marshal(struct { // an unambiguous form of the change
		Base, Head string
		Parts      parts
		IDs        []string
	}{s.BaseSHA, s.HeadSHA, s.parts, ids})
	sum := sha256.Sum256(form)
	s.Hash = hex.EncodeToString(sum[:])
}

// distrusted names the files with lines in the difference that do not show their content,
// and why: a text shown as binary, because of its size or the author's attributes, and
// lines that the file does not have.
func (s *Snapshot) distrusted() map[string]string {
	hidden := make(map[string]string)
	for _, f := range s.Change.Set.Files {
		for side, path := range map[debate.Side]string{debate.Left: f.OldPath, debate.Right: f.NewPath} {
			e := s.tree.sides[side].Entries[path]
			data, kept := s.tree.text(path, side)
			switch isRegular := e.Mode&patch.TypeMask == patch.TypeRegular; {
			case f.Unparsed != "" || !isRegular:
			case f.Kind == patch.Binary && !e.Binary && e.Size > 0:
				hidden[f.Path()] = "GitHub shows no lines of it, though it is text"
			case f.Kind == patch.Text && kept && !f.Decoded && !f.Unfolded && !hasLines(f, side, data):
				hidden[f.Path()] = "its lines in the difference are not those of the file"
			}
		}
	}
	return hidden
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

// Tree returns the sides of the change. A decoded snapshot has only the results of
// Collect.
func (s *Snapshot) Tree() *Tree { return s.tree }

// Close removes the temporary files of looks.
func (s *Snapshot) Close() {
	if s.tree.spool != nil {
		s.tree.spool.close()
	}
	s.tree.spool = nil
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
	touched := slices.ContainsFunc(s.Change.Set.Files, func(f *patch.File) bool { return f.OldPath == path || f.NewPath == path })
	if !touched {
		side = debate.Left
	}
	e, known := s.tree.sides[side].entry(path)
	if !known && side == debate.Left {
		e = s.entry(path)
	}
	if whyHidden(e) != "" {
		return nil, false
	}
	if _, here := s.tree.texts[e.OID]; !here && !touched {
		s.read(path)
	}
	content, ok := s.tree.texts[e.OID]
	return content, ok
}

// base returns the merge base with its listing.
func (s *Snapshot) base() *treeSide {
	base := s.tree.sides[debate.Left]
	if s.failure == nil && !base.Listed && !s.tree.list(s.ctx, debate.Left) {
		s.note(fmt.Errorf("list %.12s: %w", s.BaseSHA, s.tree.failure))
	}
	return base
}

// entry returns the entry at a path of the merge base. If GitHub cut the listing, it asks
// for a path that is not in it.
func (s *Snapshot) entry(path string) treeEntry {
	e, known := s.base().entry(path)
	if !known {
		s.read(path)
		e = s.tree.sides[debate.Left].Entries[path]
	}
	return e
}

// read reads files outside the change at the merge base, a hundred in one request.
func (s *Snapshot) read(paths ...string) {
	switch s.lazy += len(paths); {
	case s.failure != nil: // it asks for nothing else
	case s.tree.reader == nil:
		s.note(fmt.Errorf("read %s at %.12s: the snapshot does not hold it", oneLine(paths[0]), s.BaseSHA))
	case s.lazy > maxLazy:
		s.note(fmt.Errorf("read %s at %.12s: more than %d files outside the change were asked for", oneLine(paths[0]), s.BaseSHA, maxLazy))
	default:
		s.note(s.tree.read(s.ctx, placesAt(debate.Left, paths), func(*wireFile, bool) bool { return true }))
	}
}

// baseNames returns the sorted names of one kind of entries directly in a folder of the
// merge base. All is false if some may be missing.
func (s *Snapshot) baseNames(dir string, mode uint32) (names []string, all bool) {
	base := s.base()
	for name, e := range base.Entries {
		if path.Dir(name) == dir && e.Mode&patch.TypeMask == mode {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return names, base.Whole && s.failure == nil
}

// together is patch.Change.Together. It reads the files that read may still read.
func (s *Snapshot) together(paths []string) {
	var wanted []string
	size := 0
	for _, path := range paths {
		e, _ := s.base().entry(path)
		_, kept := s.tree.texts[e.OID]
		if size += e.Size; !kept && whyHidden(e) == "" && size <= maxTogether && len(wanted) < maxLazy-s.lazy {
			wanted = append(wanted, path)
		}
	}
	if s.tree.reader != nil && len(wanted) > 0 {
		s.read(wanted...)
	}
}

// search is patch.Change.Search. GitHub cannot search a commit, so the first search reads
// the files next to the changed ones at the merge base: outside the change they are the
// same at the head.
func (s *Snapshot) search(names []string) ([]patch.Use, patch.Reach) {
	var files []surround.Candidate
	var changed []string
	touched := make(map[string]bool)
	for _, f := range s.Change.Set.Files {
		changed = append(changed, f.Path())
		touched[f.OldPath], touched[f.NewPath] = true, true
	}
	base := s.base()
	for path, e := range base.Entries {
		if e.Mode&patch.TypeMask == patch.TypeRegular && !touched[path] {
			files = append(files, surround.Candidate{Path: path, Size: e.Size})
		}
	}
	near, all := surround.Nearest(files, changed, maxNear, maxNearBytes)
	if !s.searched && s.tree.reader != nil && s.failure == nil {
		s.note(s.tree.read(s.ctx, placesAt(debate.Left, near), func(_ *wireFile, exact bool) bool { return exact }))
		s.searched = s.failure == nil
	}
	if !s.searched {
		return nil, patch.NotSearched
	}
	texts := make(map[string][]byte)
	for _, path := range near {
		texts[path], _ = s.tree.text(path, debate.Left)
	}
	for _, f := range s.Change.Set.Files {
		if data, _ := s.tree.text(f.NewPath, debate.Right); len(data) <= maxSearched {
			texts[f.NewPath] = data
		}
	}
	var found []patch.Use
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		found = append(found, usesIn(path, texts[path], names)...)
	}
	if all && base.Whole {
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
