package gh

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

const (
	savedVersion  = 2
	maxSaved      = 256 << 20 // bytes, compressed
	maxSavedPlain = 512 << 20
	maxHanded     = 32 << 20 // bytes of files for looks
)

// saved is the form of a snapshot for another job.
type saved struct {
	Version            int
	Scope              string
	Notes              []string
	Base, Policy, Head string
	Hash               string
	Parts              parts
	Near               neighbours
	Left, Right        savedSide
	Searched           bool // the files of both sides are here
	Texts              []savedText
	Binary             []string // ids of files for looks that are no text
}

// savedSide is the known part of one side.
type savedSide struct {
	Listed, Whole bool
	Entries       []savedEntry
}

type savedEntry struct {
	Path string
	Mode uint32
	OID  string
	Size int
}

// savedText is a content. Its id follows from it.
type savedText struct {
	Long bool // the id is a SHA-256
	Data []byte
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

// Encode writes the snapshot with all its content: the change, its files, the files
// read on demand, the entries of the merge base, and the results of Collect.
func (s *Snapshot) Encode() ([]byte, error) {
	if base := s.base(); !base.listed {
		return nil, s.failure
	}
	t := s.tree
	form := saved{
		Version: savedVersion, Scope: s.Scope, Notes: s.Notes, Base: s.BaseSHA, Policy: s.PolicySHA, Head: s.HeadSHA, Hash: s.Hash,
		Parts: s.parts, Near: s.near, Left: t.sides[debate.Left].save(), Right: t.sides[debate.Right].save(), Searched: t.sides[debate.Right].searched,
	}
	texts := maps.Clone(t.texts)
	left := maxHanded
	for _, path := range t.sides[debate.Right].paths {
		e := t.sides[debate.Right].entries[path]
		data, here := t.spool.read(e.oid)
		switch _, kept := texts[e.oid]; {
		case kept:
		case t.without[e.oid] == debate.LookBinary, bytes.IndexByte(data, 0) >= 0:
			form.Binary = append(form.Binary, e.oid)
		case here && len(data) <= left:
			texts[e.oid] = data
			left -= len(data)
		}
	}
	for _, oid := range slices.Sorted(maps.Keys(texts)) {
		form.Texts = append(form.Texts, savedText{Long: len(oid) == 2*sha256.Size, Data: texts[oid]})
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := errors.Join(json.NewEncoder(z).Encode(&form), z.Close()); err != nil {
		return nil, fmt.Errorf("write the snapshot: %w", err)
	}
	return b.Bytes(), nil
}

func (s *treeSide) save() savedSide {
	form := savedSide{Listed: s.listed, Whole: s.whole}
	for path, e := range s.entries {
		form.Entries = append(form.Entries, savedEntry{Path: path, Mode: e.mode, OID: e.oid, Size: e.size})
	}
	slices.SortFunc(form.Entries, func(a, b savedEntry) int { return cmp.Compare(a.Path, b.Path) })
	return form
}

// DecodeSnapshot reads a snapshot written by Encode, without the network. Anything
// missing in it counts as missing, and Err reports the question. It computes the hash
// and the ids of all contents anew, but only GitHub can tell whether they belong to
// these commits.
func DecodeSnapshot(data []byte) (*Snapshot, error) {
	form, err := decodeSaved(data)
	if err != nil {
		return nil, fmt.Errorf("read the snapshot: %w", err)
	}
	if err := commitIDs("read the snapshot", form.Base, form.Policy, form.Head); err != nil {
		return nil, err
	}
	if !form.Left.Listed {
		return nil, errors.New("read the snapshot: it does not list the files of the merge base")
	}
	t := newTree(nil, form.Base, form.Head)
	t.noSpool = true
	named := make(map[string]bool)
	for side, from := range map[debate.Side]savedSide{debate.Left: form.Left, debate.Right: form.Right} {
		entries := make(map[string]treeEntry, len(from.Entries))
		for _, e := range from.Entries {
			entries[e.Path] = treeEntry{mode: e.Mode, oid: e.OID, size: e.Size}
			named[e.OID] = true
		}
		s := t.sides[side]
		if s.take(entries, from.Whole); !from.Listed {
			s.listed, s.paths = false, nil
		}
	}
	for _, text := range form.Texts {
		oid := idOf(text.Data, text.Long)
		if !named[oid] {
			return nil, errors.New("read the snapshot: it has a content without a file")
		}
		t.texts[oid] = append([]byte{}, text.Data...)
	}
	for _, oid := range form.Binary {
		t.without[oid] = debate.LookBinary
	}
	for _, side := range t.sides {
		if form.Searched && side.listed {
			t.markSearched(side)
		}
	}
	s := &Snapshot{
		Scope: form.Scope, Notes: form.Notes, BaseSHA: form.Base, PolicySHA: form.Policy, HeadSHA: form.Head,
		parts: form.Parts, near: form.Near, tree: t,
	}
	if s.setChange(); s.Hash != form.Hash {
		return nil, errors.New("read the snapshot: its hash does not fit its content")
	}
	return s, nil
}

// decodeSaved decompresses and decodes a snapshot of this version.
func decodeSaved(data []byte) (*saved, error) {
	if len(data) > maxSaved {
		return nil, errors.New("it is too large")
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxSavedPlain+1))
	if err != nil {
		return nil, err
	}
	if len(plain) > maxSavedPlain {
		return nil, errors.New("it is too large")
	}
	var form saved
	if err := json.Unmarshal(plain, &form); err != nil {
		return nil, err
	}
	if form.Version != savedVersion {
		return nil, fmt.Errorf("it has version %d, and this program reads %d", form.Version, savedVersion)
	}
	return &form, nil
}

// idOf is the id that git gives to a content, in the long form or the short one.
func idOf(content []byte, long bool) string {
	header := fmt.Sprintf("blob %d\x00", len(content))
	h := sha1.New()
	if long {
		h = sha256.New()
	}
	h.Write([]byte(header))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}
