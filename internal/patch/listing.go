package patch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
)

// Entry is git's listing of one changed file. A non-nil listing is complete: a file outside of it
// is not part of the change.
type Entry struct {
	OldPath, NewPath string // as in File
	OldMode, NewMode uint32 // 0 if the file does not exist
	Status           Status
	Additions        int // 0 for binary files
	Deletions        int
	SameContent      bool // both sides have the same bytes, under another name or mode
	BinaryByGit      bool // and its bytes differ
}

// path returns the name for citations of the file.
func (e *Entry) path() string { return cmp.Or(e.NewPath, e.OldPath) }

// ParseListing reads the output of `git diff --raw -z` and of `git diff --numstat -z` with the same
// options, which list the same files in the same order. The result is not nil, even for an empty
// change.
func ParseListing(raw, numstat []byte) ([]Entry, error) {
	entries := []Entry{}
	for len(raw) > 0 {
		e, rest, ok := rawEntry(raw)
		if !ok {
			return nil, fmt.Errorf("git diff --raw: entry %d cannot be read", len(entries)+1)
		}
		entries, raw = append(entries, e), rest
	}
	for i := range entries {
		rest, ok := entries[i].count(numstat)
		if !ok {
			return nil, fmt.Errorf("git diff --numstat: entry %d is not that of %q", i+1, entries[i].path())
		}
		numstat = rest
	}
	if len(numstat) > 0 {
		return nil, fmt.Errorf("git diff --numstat: entry %d: --raw does not list it", len(entries)+1)
	}
	return entries, nil
}

// rawEntry reads ":100644 100755 1111111 2222222 M", NUL, and one or two names.
func rawEntry(raw []byte) (e Entry, rest []byte, ok bool) {
	head, names, _ := bytes.Cut(raw, nul)
	var before, after string
	var letter byte
	if _, err := fmt.Sscanf(string(head), ":%o %o %s %s %c", &e.OldMode, &e.NewMode, &before, &after, &letter); err != nil {
		return e, nil, false
	}
	name, names, ok := bytes.Cut(names, nul)
	e.Status = statuses[letter]
	e.OldPath, e.NewPath = string(name), string(name)
	switch e.Status {
	case Added:
		e.OldPath = ""
	case Deleted:
		e.NewPath = ""
	case Renamed, Copied:
		name, names, ok = bytes.Cut(names, nul)
		e.NewPath = string(name)
	}
	e.SameContent = before == after && e.Status != Added && e.Status != Deleted
	return e, names, ok && e.path() != "" && e.Status != ""
}

var nul = []byte{0}

var statuses = map[byte]Status{'A': Added, 'D': Deleted, 'M': Modified, 'T': TypeChanged, 'R': Renamed, 'C': Copied}

// count reads the entry's "1\t2\tNAME", NUL; or for two names "1\t2\t", NUL, OLD, NUL, NEW, NUL;
// with dashes for binary files.
func (e *Entry) count(numstat []byte) (rest []byte, ok bool) {
	names := "\t" + e.path() + "\x00"
	if e.Status == Renamed || e.Status == Copied {
		names = "\t\x00" + e.OldPath + "\x00" + e.NewPath + "\x00"
	}
	added, rest, _ := bytes.Cut(numstat, []byte("\t"))
	deleted, _, _ := bytes.Cut(rest, []byte("\t"))
	if rest, ok = bytes.CutPrefix(rest[len(deleted):], []byte(names)); !ok {
		return nil, false
	}
	if string(added)+string(deleted) == "--" {
		e.BinaryByGit = !e.SameContent
		return rest, true
	}
	a, err1 := strconv.ParseUint(string(added), 10, 31)
	d, err2 := strconv.ParseUint(string(deleted), 10, 31)
	e.Additions, e.Deletions = int(a), int(d)
	return rest, errors.Join(err1, err2) == nil
}
