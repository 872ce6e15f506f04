package patch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
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
		e, rest, why := rawEntry(raw)
		if why != "" {
			return nil, fmt.Errorf("git diff --raw: entry %d: %s", len(entries)+1, why)
		}
		entries, raw = append(entries, e), rest
	}
	for i := range entries {
		rest, why := entries[i].count(numstat)
		if why != "" {
			return nil, fmt.Errorf("git diff --numstat: entry %d: %s", i+1, why)
		}
		numstat = rest
	}
	if len(numstat) > 0 {
		return nil, fmt.Errorf("git diff --numstat: entry %d: --raw does not list it", len(entries)+1)
	}
	return entries, nil
}

// fields reads the parts of a listing one by one, up to the first that is missing.
type fields struct {
	rest []byte
	why  string // the missing part, or ""
}

// next returns the text before a separator; without is the error if it is missing.
func (f *fields) next(separator byte, without string) string {
	part, rest, ok := bytes.Cut(f.rest, []byte{separator})
	if !ok {
		f.why = cmp.Or(f.why, without)
	}
	f.rest = rest
	return string(part)
}

// name returns a name up to a NUL. It must not be empty.
func (f *fields) name(without string) string {
	name := f.next(0, without)
	if name == "" {
		f.why = cmp.Or(f.why, without)
	}
	return name
}

// rawEntry reads ":100644 100755 1111111 2222222 M", NUL, and one or two names.
func rawEntry(raw []byte) (e Entry, rest []byte, why string) {
	f := &fields{rest: raw}
	head := strings.Split(f.next(0, "it is cut short"), " ")
	if f.why != "" {
		return e, nil, f.why
	}
	switch {
	case len(head) != 5, head[0] == "", head[0][0] != ':', head[4] == "":
		return e, nil, "it is not in the raw format of two trees"
	}
	oldMode, err1 := strconv.ParseUint(head[0][1:], 8, 32)
	newMode, err2 := strconv.ParseUint(head[1], 8, 32)
	if errors.Join(err1, err2) != nil {
		return e, nil, "its modes are no octal numbers"
	}
	letter := head[4][0]
	status, known := statuses[letter]
	name := f.name("its name is missing")
	e = Entry{OldPath: name, NewPath: name, OldMode: uint32(oldMode), NewMode: uint32(newMode), Status: status}
	e.SameContent = head[2] == head[3] && status != Added && status != Deleted
	switch status {
	case Added:
		e.OldPath = ""
	case Deleted:
		e.NewPath = ""
	case Renamed, Copied:
		e.NewPath = f.name("its second name is missing")
	}
	return e, f.rest, cmp.Or(f.why, firstOf(
		fault{letter == 'U', fmt.Sprintf("the merge conflict of %q is not resolved", name)},
		fault{!known, fmt.Sprintf("its status %q is unknown", head[4])},
	))
}

var statuses = map[byte]Status{'A': Added, 'D': Deleted, 'M': Modified, 'T': TypeChanged, 'R': Renamed, 'C': Copied}

// count reads the entry's "1\t2\tNAME", NUL; or for two names "1\t2\t", NUL, OLD, NUL, NEW, NUL;
// with dashes for binary files.
func (e *Entry) count(numstat []byte) (rest []byte, why string) {
	const short = "it is cut short"
	f := &fields{rest: numstat}
	added, deleted, name := f.next('\t', short), f.next('\t', short), f.next(0, short)
	oldName := e.OldPath
	if name == "" {
		oldName, name = f.next(0, "its names are missing"), f.next(0, "its second name is missing")
	}
	if f.why != "" {
		return nil, f.why
	}
	if name != e.path() || oldName != e.OldPath {
		return nil, fmt.Sprintf("it names %q, but --raw names %q there", name, e.path())
	}
	if added+deleted == "--" {
		e.BinaryByGit = !e.SameContent
		return f.rest, ""
	}
	a, err1 := strconv.ParseUint(added, 10, 31)
	d, err2 := strconv.ParseUint(deleted, 10, 31)
	if errors.Join(err1, err2) != nil {
		return nil, "its counts are no numbers"
	}
	e.Additions, e.Deletions = int(a), int(d)
	return f.rest, ""
}
