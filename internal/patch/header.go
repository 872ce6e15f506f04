package patch

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// extended lists the beginnings of the header lines in a git section, after the first line and
// before the names. The data after "GIT binary patch" is in an alphabet without blanks, so it cannot
// look like a boundary.
var extended = []string{
	"index ", "old mode ", "new mode ", "new file mode ", "deleted file mode ",
	"similarity index ", "dissimilarity index ", "rename from ", "rename to ", "copy from ", "copy to ",
	"Binary files ", "GIT binary patch",
}

// keys are the beginnings of all header lines after the first.
var keys = append(slices.Clone(extended), "--- ", "+++ ")

// file reads the header of a section. It has no hunks yet.
func (s *section) file() *File {
	f := &File{Status: Modified, Kind: Text, Unparsed: s.bad}
	switch s.form {
	case gitForm:
		f.gitHeader(s.head, len(s.hunks) > 0)
	case combinedForm:
		line, _ := lineAt(s.head, 0)
		_, name, _ := strings.Cut(line[len("diff -"):], " ")
		f.OldPath = headerName(name)
		f.NewPath = f.OldPath
		f.fail("it is a combined diff of a merge, which has no single old side")
	case plainForm:
		f.plainHeader(s.head)
	case noteForm:
		f.note(strings.TrimRight(s.head, "\r\n"))
	}
	if f.Path() == "" {
		f.NewPath = "(no name)"
		f.fail("it has no name")
	}
	if why := unsafePath(f.Path()); why != "" {
		f.fail(why)
	}
	return f
}

// fail marks a file as unparsed. The first reason is kept.
func (f *File) fail(why string) {
	f.Unparsed = cmp.Or(f.Unparsed, why)
	f.Hunks = nil
}

// gitHead has the values of a git header's lines, by their beginnings.
type gitHead map[string]string

// readHead reads the lines of a git header after the first.
func readHead(lines string) gitHead {
	h := gitHead{}
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, "\r\n")
		for _, key := range keys {
			if value, ok := strings.CutPrefix(line, key); ok {
				h[key] = value
				break
			}
		}
	}
	return h
}

// has reports whether the header has a line with this beginning.
func (h gitHead) has(key string) bool {
	_, ok := h[key]
	return ok
}

// name returns the name in a line, "" without the line.
func (h gitHead) name(key string) string { return headerName(h[key]) }

// mode returns the mode of the first of some lines in the header, else the mode in the line with
// the ids of the contents.
func (h gitHead) mode(keys ...string) uint32 {
	for _, key := range keys {
		if h.has(key) {
			return fileMode(h[key])
		}
	}
	_, mode, _ := strings.Cut(h["index "], " ")
	return fileMode(mode)
}

// status returns the status of the file.
func (h gitHead) status() Status {
	switch {
	case h.has("rename to "):
		return Renamed
	case h.has("copy to "):
		return Copied
	case h.has("new file mode "):
		return Added
	case h.has("deleted file mode "), h.name("+++ ") == devNull:
		return Deleted
	case h.name("--- ") == devNull:
		return Added
	}
	return Modified
}

// gitHeader reads names and modes of a file.
func (f *File) gitHeader(head string, hasLines bool) {
	first, next := lineAt(head, 0)
	h := readHead(head[next:])
	f.Status = h.status()
	if f.Status != Added {
		f.OldMode = h.mode("old mode ", "deleted file mode ")
	}
	if f.Status != Deleted {
		f.NewMode = h.mode("new mode ", "new file mode ")
	}
	binary := h.has("Binary files ") || h.has("GIT binary patch")
	if f.Kind = kindOf(f.OldMode, f.NewMode, binary); binary && f.Kind != Binary {
		f.fail("git shows the target of the link as binary")
	}
	f.gitNames(strings.TrimSuffix(first[len("diff --git "):], "\r"), h)
	if !hasLines && !binary && h.differs() {
		f.fail(notInDiff)
	}
}

// differs reports whether the header names two contents. An added or deleted file without lines
// does not count.
func (h gitHead) differs() bool {
	ids, _, _ := strings.Cut(h["index "], " ")
	before, after, ok := strings.Cut(ids, "..")
	isNone := func(id string) bool { return strings.Trim(id, "0") == "" }
	isEmpty := func(id string) bool {
		return len(id) >= 4 && (strings.HasPrefix(emptySHA1, id) || strings.HasPrefix(emptySHA256, id))
	}
	switch {
	case !ok, before == after, isNone(before) && isEmpty(after), isEmpty(before) && isNone(after):
		return false
	}
	return true
}

// The ids of an empty file.
const (
	emptySHA1   = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
	emptySHA256 = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
)

// gitNames reads the names of a file. Every header has the name of a file that was not renamed on
// its first line; after a rename this line may be ambiguous.
func (f *File) gitNames(first string, h gitHead) {
	oldName, newName := h.name("--- "), h.name("+++ ")
	switch f.Status {
	case Renamed, Copied:
		f.OldPath, f.NewPath = h.name("rename from ")+h.name("copy from "), h.name("rename to ")+h.name("copy to ")
		if f.OldPath == "" || f.NewPath == "" {
			f.NewPath = f.OldPath + f.NewPath
			f.fail("its header names only one side of a rename")
		}
	default:
		name, ok := gitName(first)
		if !ok {
			name, ok = pairName(oldName, newName)
		}
		if !ok && first == oldName+" "+newName {
			// git diff --no-index compares two unrelated files.
			f.OldPath, f.NewPath = withoutPrefix(newName), withoutPrefix(newName)
			return
		}
		if !ok {
			name = headerName(first)
			f.fail("the name in its header cannot be read")
		}
		f.OldPath, f.NewPath = name, name
	}
	switch f.Status {
	case Added:
		f.OldPath = ""
	case Deleted:
		f.NewPath = ""
	}
	if !agrees(oldName, f.OldPath) || !agrees(newName, f.NewPath) {
		f.fail("the names in its header contradict each other")
	}
}

const devNull = "/dev/null"

// agrees reports whether raw, the name in a line with --- or +++, is the path with or without its
// prefix. A missing line agrees with every path.
func agrees(raw, path string) bool {
	switch raw {
	case "":
		return true
	case devNull:
		return path == ""
	case path:
		return true
	}
	return path != "" && withoutPrefix(raw) == path
}

// plainHeader reads the two names of a diff from another tool. Such a diff knows no renames: the
// new name is the file's.
func (f *File) plainHeader(head string) {
	first, next := lineAt(head, 0)
	second, _ := lineAt(head, next)
	oldValue, newValue := first[len("--- "):], second[len("+++ "):]
	oldName, newName := headerName(oldValue), headerName(newValue)
	switch {
	case oldName == devNull || epoch().MatchString(oldValue):
		f.Status, f.NewPath = Added, oneSided(newName)
		return
	case newName == devNull || epoch().MatchString(newValue):
		f.Status, f.OldPath = Deleted, oneSided(oldName)
		return
	}
	name, ok := strings.CutPrefix(oldName, "//") // of a depot of Perforce; the new side is a work area
	if !ok {
		name, ok = pairName(oldName, newName)
	}
	if !ok {
		name = strings.TrimPrefix(newName, "./")
	}
	f.OldPath, f.NewPath = name, name
}

// oneSided strips the prefix of a name without a counterpart.
func oneSided(name string) string { return sidePrefix().ReplaceAllString(name, "") }

var sidePrefix = lazyregexp.New(`^[ab.]/`)

// epoch matches a name with the epoch as its time stamp: diff -N writes missing files like this.
var epoch = lazyregexp.New(`^[^\t]*\t(?:1970-01-01|1969-12-31) `)

// note reads a line about a whole file.
func (f *File) note(line string) {
	n, names := noteOf(line)
	words := strings.Fields(line)
	switch {
	case n.why == oneSide:
		names = []string{strings.Join(names, "/")}
	case n.git:
		names = []string{headerName(names[0])}
	case names != nil:
	case strings.HasPrefix(line, contextLine):
		before, after, _ := strings.Cut(line[len(contextLine):], "\n--- ")
		n.why, names = notUnified, []string{headerName(before), headerName(after)}
	case strings.HasPrefix(line, indexLine):
		n.why, names = notInDiff, []string{line[len(indexLine):]}
	case len(words) > 2: // diff, its options and two names
		n.why, names = notUnified, []string{strings.Trim(words[len(words)-2], "'"), strings.Trim(words[len(words)-1], "'")}
	}
	if len(names) > 0 {
		name := names[len(names)-1]
		if pair, ok := pairName(names[0], name); ok && len(names) > 1 {
			name = pair
		}
		f.OldPath, f.NewPath = name, name
	}
	if n.kind != "" {
		f.Kind = n.kind
	}
	if n.why != "" {
		f.fail(n.why)
	}
}

const notUnified = "its lines are not in the unified form: write it with diff -u"

// kindOf returns the kind of a file with these modes.
func kindOf(oldMode, newMode uint32, binary bool) Kind {
	isEither := func(kind uint32) bool { return oldMode&TypeMask == kind || newMode&TypeMask == kind }
	switch {
	case isEither(TypeSubmodule):
		return Submodule
	case isEither(TypeSymlink):
		return Symlink
	case binary:
		return Binary
	}
	return Text
}

// The types of the entries of a tree, as git's modes have them.
const (
	TypeMask      = 0o170000
	TypeDirectory = 0o040000
	TypeRegular   = 0o100000
	TypeSymlink   = 0o120000
	TypeSubmodule = 0o160000
)

// Withheld returns why an entry with this mode has no text to show, "" for a regular file.
func Withheld(mode uint32) debate.Withheld {
	switch mode & TypeMask {
	case TypeRegular:
		return ""
	case TypeSymlink:
		return debate.LookSymlink
	case TypeSubmodule:
		return debate.LookSubmodule
	}
	return debate.LookDirectory
}

// Unlisted returns why an entry with this mode has no names to list, "" for a directory.
func Unlisted(mode uint32) debate.Withheld {
	switch mode & TypeMask {
	case TypeDirectory:
		return ""
	case TypeSubmodule:
		return debate.LookSubmodule
	}
	return debate.LookNoDir
}

// fileMode reads an octal mode, 0 (unknown) if it is invalid.
func fileMode(s string) uint32 {
	mode, err := strconv.ParseUint(s, 8, 32)
	if err != nil {
		return 0
	}
	return uint32(mode)
}

// pathLimit is the longest path of a file system, in bytes.
const pathLimit = 4096

// fault is a possible fault and its description.
type fault struct {
	is  bool
	why string
}

// firstOf returns the first real fault, or "".
func firstOf(faults ...fault) string {
	i := slices.IndexFunc(faults, func(f fault) bool { return f.is })
	if i < 0 {
		return ""
	}
	return faults[i].why
}

// unsafePath returns the reason why a path cannot be one of a repository, or "".
func unsafePath(path string) string {
	leaves := func(part string) bool { return part == "" || part == "." || part == ".." }
	return firstOf(
		fault{len(path) > pathLimit, "its name is too long"},
		fault{strings.HasPrefix(path, "/"), "its path is absolute"},
		fault{strings.Contains(path, "\x00"), "its name has a NUL byte"},
		fault{slices.ContainsFunc(strings.Split(path, "/"), leaves), "its path leaves the repository"},
	)
}
