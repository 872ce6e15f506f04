package gh

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

const (
	savedVersion  = 1
	maxSaved      = 256 << 20 // bytes, compressed
	maxSavedPlain = 512 << 20
)

// The saved form of a snapshot. Names and lines are bytes, since they may not be UTF-8.
type saved struct {
	Version            int
	Scope              string
	Notes              []string
	Base, Policy, Head string
	Hash               string
	Files              []savedFile
	Contents           []savedContent
	Tree               []savedEntry
	TreeWhole          bool
	Asked              []savedContent // without a side
	Near               neighbours
	Listings           []savedListing `json:",omitempty"`
	Searched           bool           `json:",omitempty"` // Looked can be searched
	Looked             []savedContent `json:",omitempty"` // of the head; null: no text
}

type savedFile struct {
	Old, New             []byte
	OldMode, NewMode     uint32
	Status               patch.Status
	Kind                 patch.Kind
	Additions, Deletions int
	Unparsed             string
	Decoded              bool `json:",omitempty"`
	Unfolded             bool `json:",omitempty"`
	Hunks                []savedHunk
}

// savedHunk has one line in Lines for each line of the hunk: its sign, "1" if the file
// ends there without a newline or else "0", and its text.
type savedHunk struct {
	OldStart, OldLines, NewStart, NewLines int
	Section                                []byte
	Lines                                  []byte
}

type savedContent struct {
	Side debate.Side
	Path []byte
	OID  string
	Data []byte // null if it is not kept
}

type savedEntry struct {
	Path []byte
	Mode uint32
	OID  string
	Size int
}

// Encode writes the snapshot with all its content: the change, its files, the files
// read on demand, and the entries of the merge base.
func (s *Snapshot) Encode() ([]byte, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	form := saved{
		Version: savedVersion, Scope: s.Scope, Notes: s.Notes, Base: s.BaseSHA, Policy: s.PolicySHA, Head: s.HeadSHA, Hash: s.Hash,
		Files: saveFiles(s.Change.Set), TreeWhole: s.whole, Near: s.near,
	}
	for at, c := range s.kept {
		form.Contents = append(form.Contents, savedContent{Side: at.side, Path: []byte(at.path), OID: c.oid, Data: c.data})
	}
	for path, c := range s.asked {
		form.Asked = append(form.Asked, savedContent{Path: []byte(path), OID: c.oid, Data: c.data})
	}
	for _, list := range [][]savedContent{form.Contents, form.Asked} {
		slices.SortFunc(list, func(a, b savedContent) int {
			return cmp.Or(cmp.Compare(a.Side, b.Side), bytes.Compare(a.Path, b.Path))
		})
	}
	for path, e := range names {
		form.Tree = append(form.Tree, savedEntry{Path: []byte(path), Mode: e.mode, OID: e.oid, Size: e.size})
	}
	s.tree.save(&form)
	slices.SortFunc(form.Tree, func(a, b savedEntry) int { return bytes.Compare(a.Path, b.Path) })
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(&form); err != nil {
		return nil, fmt.Errorf("write the snapshot: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("write the snapshot: %w", err)
	}
	return b.Bytes(), nil
}

// DecodeSnapshot reads a snapshot written by Encode, without the network. Anything
// missing in it counts as missing, and Err reports the question. It computes the hash
// and the ids of all contents anew, but only GitHub can tell whether they belong to
// these commits.
func DecodeSnapshot(data []byte) (*Snapshot, error) {
	form, err := decodeSaved(data)
	if err != nil {
		return nil, err
	}
	if err := commitIDs("read the snapshot", form.Base, form.Policy, form.Head); err != nil {
		return nil, err
	}
	set, err := loadFiles(form.Files)
	if err != nil {
		return nil, fmt.Errorf("read the snapshot: %w", err)
	}
	s := &Snapshot{
		Scope: form.Scope, Notes: form.Notes, BaseSHA: form.Base, PolicySHA: form.Policy, HeadSHA: form.Head,
		kept: make(map[sidePath]content, len(form.Contents)), base: make(map[string]treeEntry, len(form.Tree)), whole: form.TreeWhole,
		asked: make(map[string]content, len(form.Asked)), near: form.Near,
	}
	for _, e := range form.Tree {
		s.base[string(e.Path)] = treeEntry{mode: e.Mode, oid: e.OID, size: e.Size}
	}
	if err := s.loadContents(form); err != nil {
		return nil, err
	}
	if s.setChange(set); s.Hash != form.Hash {
		return nil, errors.New("read the snapshot: its hash does not fit its content")
	}
	return s, s.loadTree(form)
}

// decodeSaved decompresses and decodes a snapshot of this version.
func decodeSaved(data []byte) (*saved, error) {
	if len(data) > maxSaved {
		return nil, errors.New("read the snapshot: it is too large")
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the snapshot: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxSavedPlain+1))
	if err != nil {
		return nil, fmt.Errorf("read the snapshot: %w", err)
	}
	if len(plain) > maxSavedPlain {
		return nil, errors.New("read the snapshot: it is too large")
	}
	var form saved
	if err := json.Unmarshal(plain, &form); err != nil {
		return nil, fmt.Errorf("read the snapshot: %w", err)
	}
	if form.Version != savedVersion {
		return nil, fmt.Errorf("read the snapshot: it has version %d, and this program reads %d", form.Version, savedVersion)
	}
	return &form, nil
}

// loadContents takes over the contents. Each must match its id.
func (s *Snapshot) loadContents(form *saved) error {
	for _, c := range slices.Concat(form.Contents, form.Asked) {
		if c.Data != nil && !isBlob(c.OID, c.Data) {
			return otherContent(c.Path)
		}
		if c.Side == "" {
			s.asked[string(c.Path)] = content{oid: c.OID, data: c.Data}
		} else {
			s.kept[sidePath{c.Side, string(c.Path)}] = content{oid: c.OID, data: c.Data}
		}
	}
	for _, path := range s.near.Paths {
		if c := s.kept[sidePath{debate.Left, string(path)}]; c.data == nil || c.oid != s.base[string(path)].oid {
			return otherContent(path)
		}
	}
	return nil
}

func otherContent(path []byte) error {
	return fmt.Errorf("read the snapshot: the content of %s is not the one that its id names", oneLine(string(path)))
}

func saveFiles(set *patch.Set) []savedFile {
	all := make([]savedFile, 0, len(set.Files))
	for _, f := range set.Files {
		to := savedFile{
			Old: []byte(f.OldPath), New: []byte(f.NewPath), OldMode: f.OldMode, NewMode: f.NewMode, Status: f.Status, Kind: f.Kind,
			Additions: f.Additions, Deletions: f.Deletions, Unparsed: f.Unparsed, Decoded: f.Decoded, Unfolded: f.Unfolded,
		}
		for _, h := range f.Hunks {
			var lines bytes.Buffer
			for i := range h.Lines {
				l := &h.Lines[i]
				end := byte('0')
				if l.NoEOL {
					end = '1'
				}
				lines.WriteByte(l.Op)
				lines.WriteByte(end)
				lines.WriteString(l.Text)
				lines.WriteByte('\n')
			}
			to.Hunks = append(to.Hunks, savedHunk{
				OldStart: h.OldStart, OldLines: h.OldLines, NewStart: h.NewStart, NewLines: h.NewLines,
				Section: []byte(h.Section), Lines: lines.Bytes(),
			})
		}
		all = append(all, to)
	}
	return all
}

func loadFiles(files []savedFile) (*patch.Set, error) {
	set := &patch.Set{}
	for i := range files {
		from := &files[i]
		f := &patch.File{
			OldPath: string(from.Old), NewPath: string(from.New), OldMode: from.OldMode, NewMode: from.NewMode,
			Status: from.Status, Kind: from.Kind, Additions: from.Additions, Deletions: from.Deletions, Unparsed: from.Unparsed, Decoded: from.Decoded, Unfolded: from.Unfolded,
		}
		for _, h := range from.Hunks {
			hunk, ok := h.load()
			if !ok {
				return nil, fmt.Errorf("a hunk of %s does not add up", oneLine(f.Path()))
			}
			f.Hunks = append(f.Hunks, hunk)
		}
		set.Files = append(set.Files, f)
	}
	return set, nil
}

// load numbers the lines of a hunk again. It returns false if their number does not
// match the header.
func (h *savedHunk) load() (*patch.Hunk, bool) {
	hunk := &patch.Hunk{
		OldStart: h.OldStart, OldLines: h.OldLines, NewStart: h.NewStart, NewLines: h.NewLines, Section: string(h.Section),
	}
	oldLine, newLine := h.OldStart, h.NewStart
	for raw := range bytes.Lines(h.Lines) {
		raw, ends := bytes.CutSuffix(raw, []byte("\n"))
		if !ends || len(raw) < 2 {
			return nil, false
		}
		l := patch.Line{Op: raw[0], NoEOL: raw[1] == '1', Text: string(raw[2:])}
		switch l.Op {
		case ' ':
			l.Old, l.New = oldLine, newLine
			oldLine, newLine = oldLine+1, newLine+1
		case '-':
			l.Old = oldLine
			oldLine++
		case '+':
			l.New = newLine
			newLine++
		default:
			return nil, false
		}
		hunk.Lines = append(hunk.Lines, l)
	}
	return hunk, oldLine-h.OldStart == h.OldLines && newLine-h.NewStart == h.NewLines
}
