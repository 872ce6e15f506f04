package patch

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Status of a file in a change.
type Status string

// The statuses.
const (
	Added       Status = "added"
	Modified    Status = "modified"
	Deleted     Status = "deleted"
	Renamed     Status = "renamed"
	Copied      Status = "copied"
	TypeChanged Status = "type changed"
)

// Kind of a file's content.
type Kind string

// The kinds.
const (
	Text      Kind = "text"
	Binary    Kind = "binary"
	Symlink   Kind = "symlink"   // either side is a symbolic link
	Submodule Kind = "submodule" // either side is a gitlink
)

// Set is one change: its files in the order of the diff.
type Set struct {
	Files    []*File
	WordDiff bool // the text marks words instead of lines, so none of its lines can be read
}

// File is one changed file.
type File struct {
	OldPath, NewPath string // OldPath is "" for an added file, NewPath is "" for a deleted one
	OldMode, NewMode uint32 // git modes such as 0o100644; 0 if unknown or absent
	Status           Status
	Kind             Kind
	Additions        int // changed lines as git counts them; 0 for binary files
	Deletions        int
	Hunks            []*Hunk
	Decoded          bool // git calls it binary; its lines come from Set.Decode
	Unfolded         bool // its lines come from Whole, beyond the diff
	Partial          bool // unfolded, and only its lines in the diff are at hand
	// Unparsed is the reason why the hunks cannot be trusted, in words for people; "" if they can.
	// An unparsed file has no hunks.
	Unparsed string
}

// Path is the name for citations of the file: the head path, or the base path of a deleted file.
func (f *File) Path() string { return cmp.Or(f.NewPath, f.OldPath) }

// Names are the paths of the file, the head's first.
func (f *File) Names() []string {
	names := slices.DeleteFunc([]string{f.NewPath, f.OldPath}, func(name string) bool { return name == "" })
	return slices.Compact(names)
}

// Lines yields the lines of all hunks in order.
func (f *File) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				if !yield(l) {
					return
				}
			}
		}
	}
}

// Hunk is one run of changed lines with its context. Starts are 1-based and as in the hunk header:
// without lines on a side, they name the line before.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Section            string // text after the second @@
	Lines              []Line
}

// Line of a hunk, without its end-of-line newline (a carriage return stays).
type Line struct {
	Op    byte // ' ', '+' or '-'
	NoEOL bool // the file ends here without a newline
	Old   int  // line number at base, 0 for an added line
	New   int  // line number at head, 0 for a removed line
	Text  string
}

// Number returns the line's number on a side, 0 if it is not there.
func (l *Line) Number(side debate.Side) int {
	if side == debate.Left {
		return l.Old
	}
	return l.New
}

// Change is a frozen change with the bytes of its files. Only Search and Together may be nil.
type Change struct {
	Set *Set
	// Blob returns the whole content of a file on one side; ok is false if the path does not exist
	// there, is no regular file, or is over the size limit of the source. It is safe for one caller
	// at a time.
	Blob func(path string, side debate.Side) (content []byte, ok bool)
	// Search finds the lines of the head with one of some names as a word, by path and number; nil:
	// no search is possible. It is safe for one caller at a time.
	Search func(names []string) ([]Use, Reach)
	// BaseHas reports whether path exists at the base, as a file or a directory.
	BaseHas func(path string) bool
	// BaseNames returns the sorted names of the regular files in a directory at the base, and
	// reports whether the list is complete.
	BaseNames func(dir string) (names []string, all bool)
	// BaseFolders does the same for the directories in a directory at the base.
	BaseFolders func(dir string) (names []string, all bool)
	// Together announces the files that Blob will read at the base, in order, so that few requests
	// read them; nil: Blob needs no requests.
	Together func(paths []string)
}

// Alone returns a change with only its patch.
func Alone(set *Set) Change {
	unlisted := func(string) ([]string, bool) { return nil, false }
	return Change{
		Set:         set,
		Blob:        func(string, debate.Side) ([]byte, bool) { return nil, false },
		BaseHas:     func(string) bool { return false },
		BaseNames:   unlisted,
		BaseFolders: unlisted,
	}
}

// Use is a line at the head with a name.
type Use struct {
	Path string
	Line int
	Text string
}

// Reach tells how far a search went.
type Reach int

// The reaches of searches.
const (
	NotSearched Reach = iota // it was not possible
	NearBy                   // in the files next to the changed ones
	Everywhere
)

// Bounds of the text of one file to search for secrets, in bytes.
const (
	maxSearched     = 4 << 20
	maxSearchedLine = 64 << 10
)

// Searchable reports whether the file's lines are few and short enough to search all of them for
// secrets. Lines without a search are never shown.
func (f *File) Searchable() bool {
	size := 0
	for l := range f.Lines() {
		if len(l.Text) > maxSearchedLine {
			return false
		}
		size += len(l.Text)
	}
	return size <= maxSearched
}

// HasWord reports whether a text has a name as a word, without a letter, digit or underscore next
// to it.
func HasWord(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 || name == "" {
			return false
		}
		begin, end := from+i, from+i+len(name)
		before := begin > 0 && isWord(name[0]) && isWord(text[begin-1])
		after := end < len(text) && isWord(name[len(name)-1]) && isWord(text[end])
		if !before && !after {
			return true
		}
		from = begin + 1
	}
}

func isWord(c byte) bool { return c >= 0x80 || strings.IndexByte(wordBytes, c) >= 0 }

const wordBytes = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
