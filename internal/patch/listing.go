package patch

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
)

// Entry is what git lists about one changed file. A listing that is not nil is
// complete: a file that is not in it is not part of the change.
type Entry struct {
	OldPath, NewPath string // as in File
	OldMode, NewMode uint32 // 0 where the file does not exist
	Status           Status
	Additions        int // 0 for binary files
	Deletions        int
	BinaryByGit      bool
}

// path is the name that the file is cited by.
func (e *Entry) path() string { return cmp.Or(e.NewPath, e.OldPath) }

// ListingError says where the output of git's listing cannot be read.
type ListingError struct {
	Option string // --raw or --numstat
	Entry  int    // 1-based
	Why    string
}

func (e *ListingError) Error() string {
	return fmt.Sprintf("git diff %s: entry %d: %s", e.Option, e.Entry, e.Why)
}

// ParseListing reads the output of `git diff --raw -z` and of `git diff
// --numstat -z` with the same options, which list the same files in the same
// order. The result is not nil, even for an empty change. An error is a
// *ListingError.
func ParseListing(raw, numstat []byte) ([]Entry, error) {
	entries := []Entry{}
	for len(raw) > 0 {
		e, rest, why := rawEntry(raw)
		if why != "" {
			return nil, &ListingError{Option: "--raw", Entry: len(entries) + 1, Why: why}
		}
		entries, raw = append(entries, e), rest
	}
	for i := range entries {
		rest, why := entries[i].count(numstat)
		if why != "" {
			return nil, &ListingError{Option: "--numstat", Entry: i + 1, Why: why}
		}
		numstat = rest
	}
	if len(numstat) > 0 {
		return nil, &ListingError{Option: "--numstat", Entry: len(entries) + 1, Why: "--raw does not list it"}
	}
	return entries, nil
}

// rawEntry reads ":100644 100755 1111111 2222222 M", NUL, and one or two names.
func rawEntry(raw []byte) (e Entry, rest []byte, why string) {
	head, rest, ok := bytes.Cut(raw, nul)
	if !ok {
		return e, nil, "it is cut short"
	}
	fields := bytes.Split(head, []byte(" "))
	if len(fields) != 5 || len(fields[0]) == 0 || fields[0][0] != ':' || len(fields[4]) == 0 {
		return e, nil, "it is not in the raw format of two trees"
	}
	oldMode, err1 := strconv.ParseUint(string(fields[0][1:]), 8, 32)
	newMode, err2 := strconv.ParseUint(string(fields[1]), 8, 32)
	if err1 != nil || err2 != nil {
		return e, nil, "its modes are no octal numbers"
	}
	e.OldMode, e.NewMode = uint32(oldMode), uint32(newMode)
	status, known := statuses[fields[4][0]]
	first, rest, ok := bytes.Cut(rest, nul)
	e.OldPath, e.NewPath, e.Status = string(first), string(first), status
	switch {
	case !ok || len(first) == 0:
		return e, nil, "its name is missing"
	case fields[4][0] == 'U':
		return e, nil, fmt.Sprintf("the merge conflict of %q is not resolved", e.NewPath)
	case !known:
		return e, nil, fmt.Sprintf("its status %q is unknown", fields[4])
	case status == Added:
		e.OldPath = ""
	case status == Deleted:
		e.NewPath = ""
	case status == Renamed, status == Copied:
		var second []byte
		if second, rest, ok = bytes.Cut(rest, nul); !ok || len(second) == 0 {
			return e, nil, "its second name is missing"
		}
		e.NewPath = string(second)
	}
	return e, rest, ""
}

var statuses = map[byte]Status{'A': Added, 'D': Deleted, 'M': Modified, 'T': TypeChanged, 'R': Renamed, 'C': Copied}

// count reads the entry's "1\t2\tNAME", NUL; or for two names "1\t2\t", NUL,
// OLD, NUL, NEW, NUL; with dashes for binary files.
func (e *Entry) count(numstat []byte) (rest []byte, why string) {
	added, rest, ok1 := bytes.Cut(numstat, tab)
	deleted, rest, ok2 := bytes.Cut(rest, tab)
	name, rest, ok3 := bytes.Cut(rest, nul)
	if !ok1 || !ok2 || !ok3 {
		return nil, "it is cut short"
	}
	oldName := []byte(e.OldPath)
	if len(name) == 0 {
		var ok bool
		if oldName, rest, ok = bytes.Cut(rest, nul); !ok {
			return nil, "its names are missing"
		}
		if name, rest, ok = bytes.Cut(rest, nul); !ok {
			return nil, "its second name is missing"
		}
	}
	path := e.path()
	if string(name) != path || string(oldName) != e.OldPath {
		return nil, fmt.Sprintf("it names %q, but --raw names %q there", name, path)
	}
	if string(added) == "-" && string(deleted) == "-" {
		e.BinaryByGit = true
		return rest, ""
	}
	a, err1 := strconv.ParseInt(string(added), 10, 32)
	d, err2 := strconv.ParseInt(string(deleted), 10, 32)
	if err1 != nil || err2 != nil || a < 0 || d < 0 {
		return nil, "its counts are no numbers"
	}
	e.Additions, e.Deletions = int(a), int(d)
	return rest, ""
}

var (
	nul = []byte{0}
	tab = []byte{'\t'}
)
