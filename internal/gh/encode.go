package gh

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/prdebate/debate/internal/debate"
)

const (
	savedVersion  = 3
	maxSaved      = 256 << 20 // bytes, compressed
	maxSavedPlain = 512 << 20
	maxHanded     = 32 << 20 // bytes of files for looks
)

// saved is the form of a snapshot for another job.
type saved struct {
	Version int
	Snapshot
	Parts       parts
	Left, Right listing
	Neighbours  bool              // those of the change are here
	Searched    bool              // the files of both sides are here
	Texts       map[string][]byte // by id
	Binary      []string          // ids of files for looks that are no text
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
	if base := s.base(); !base.Listed {
		return nil, s.failure
	}
	t := s.tree
	form := saved{
		Version: savedVersion, Snapshot: *s, Parts: s.parts, Left: t.sides[debate.Left].listing, Right: t.sides[debate.Right].listing,
		Neighbours: s.searched, Searched: t.sides[debate.Right].searched, Texts: maps.Clone(t.texts),
	}
	left := maxHanded
	for _, path := range t.sides[debate.Right].paths {
		e := t.sides[debate.Right].Entries[path]
		data, here := t.spool.read(e.OID)
		switch _, kept := form.Texts[e.OID]; {
		case kept:
		case t.without[e.OID] == debate.LookBinary, bytes.IndexByte(data, 0) >= 0:
			form.Binary = append(form.Binary, e.OID)
		case here && len(data) <= left:
			form.Texts[e.OID] = data
			left -= len(data)
		}
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := errors.Join(json.NewEncoder(z).Encode(&form), z.Close()); err != nil {
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
		return nil, fmt.Errorf("read the snapshot: %w", err)
	}
	s := form.Snapshot
	if err := commitIDs("read the snapshot", s.BaseSHA, s.PolicySHA, s.HeadSHA); err != nil {
		return nil, err
	}
	if !form.Left.Listed {
		return nil, errors.New("read the snapshot: it does not list the files of the merge base")
	}
	t := newTree(nil, s.BaseSHA, s.HeadSHA)
	named := make(map[string]bool)
	for side, from := range map[debate.Side]listing{debate.Left: form.Left, debate.Right: form.Right} {
		t.sides[side].take(from.Entries, from.Whole)
		t.sides[side].Listed = from.Listed
		for _, e := range from.Entries {
			named[e.OID] = true
		}
	}
	for oid, text := range form.Texts {
		if !named[oid] || !isBlob(oid, text) {
			return nil, errors.New("read the snapshot: it has a content that is of no file")
		}
		t.texts[oid] = text
	}
	for _, oid := range form.Binary {
		t.without[oid] = debate.LookBinary
	}
	for _, side := range t.sides {
		side.searched = form.Searched && side.Listed
	}
	hash := s.Hash
	s.parts, s.searched, s.tree = form.Parts, form.Neighbours, t
	if s.setChange(); s.Hash != hash {
		return nil, errors.New("read the snapshot: its hash does not fit its content")
	}
	return &s, nil
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
