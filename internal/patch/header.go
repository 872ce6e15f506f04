package patch

import (
	"strconv"
	"strings"
)

// extended lists how the header lines of a git section begin, after the first.
// What follows "GIT binary patch" is data in an alphabet without blanks, so it
// looks like no boundary.
var extended = [...]string{
	"index ", "old mode ", "new mode ", "new file mode ", "deleted file mode ",
	"similarity index ", "dissimilarity index ", "rename from ", "rename to ", "copy from ", "copy to ",
	"Binary files ", "GIT binary patch",
}

func headerLine(line string) bool {
	for _, prefix := range extended {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

// file reads the header of a section. It has no hunks yet.
func (s *section) file() *File {
	f := &File{Status: Modified, Kind: Text, Unparsed: s.bad}
	switch s.form {
	case gitForm:
		f.gitHeader(s.head)
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
	if f.Unparsed == "" {
		f.Unparsed = why
	}
	f.Hunks = nil
}

// gitHeader reads names and modes. The name of a file that was not renamed
// stands in every header on the first line, which a rename may make ambiguous.
func (f *File) gitHeader(head string) {
	var oldName, newName string // of the lines with --- and +++
	renamed := [2]string{}
	first, pos := lineAt(head, 0)
	for pos < len(head) {
		var line string
		line, pos = lineAt(head, pos)
		line = strings.TrimSuffix(line, "\r")
		key, value := headerField(line)
		switch key {
		case "old mode ":
			f.OldMode = fileMode(value)
		case "new mode ":
			f.NewMode = fileMode(value)
		case "new file mode ":
			f.NewMode, f.Status = fileMode(value), Added
		case "deleted file mode ":
			f.OldMode, f.Status = fileMode(value), Deleted
		case "index ":
			if _, mode, found := strings.Cut(value, " "); found {
				f.OldMode = fileMode(mode)
				f.NewMode = f.OldMode
			}
		case "rename from ", "copy from ":
			renamed[0] = headerName(value)
		case "rename to ":
			renamed[1], f.Status = headerName(value), Renamed
		case "copy to ":
			renamed[1], f.Status = headerName(value), Copied
		case "Binary files ", "GIT binary patch":
			f.Kind = Binary
		case "--- ":
			oldName = headerName(value)
		case "+++ ":
			newName = headerName(value)
		}
	}
	binary := f.Kind == Binary
	if f.Kind = kindOf(f.OldMode, f.NewMode, binary); binary && f.Kind != Binary {
		f.fail("git shows the target of the link as binary")
	}
	first = strings.TrimSuffix(first[len("diff --git "):], "\r")
	switch {
	case oldName == devNull && f.Status == Modified:
		f.Status = Added
	case newName == devNull && f.Status == Modified:
		f.Status = Deleted
	}
	if f.Status == Renamed || f.Status == Copied {
		f.OldPath, f.NewPath = renamed[0], renamed[1]
		if f.OldPath == "" || f.NewPath == "" {
			f.NewPath = renamed[0] + renamed[1]
			f.fail("its header names only one side of a rename")
		}
	} else {
		name, ok := gitName(first)
		if !ok {
			name, ok = pairName(oldName, newName)
		}
		if !ok && first == oldName+" "+newName {
			// git diff --no-index compares two files that are no versions of one.
			f.OldPath, f.NewPath = withoutPrefix(newName), withoutPrefix(newName)
			return
		}
		if !ok {
			name = headerName(first)
			f.fail("the name in its header cannot be read")
		}
		f.OldPath, f.NewPath = name, name
		switch f.Status {
		case Added:
			f.OldPath = ""
		case Deleted:
			f.NewPath = ""
		}
	}
	if !agrees(oldName, f.OldPath) || !agrees(newName, f.NewPath) {
		f.fail("the names in its header contradict each other")
	}
}

// headerField cuts a header line into what it begins with and its value.
func headerField(line string) (key, value string) {
	for _, prefix := range [...]string{"--- ", "+++ "} {
		if strings.HasPrefix(line, prefix) {
			return prefix, line[len(prefix):]
		}
	}
	for _, prefix := range extended {
		if strings.HasPrefix(line, prefix) {
			return prefix, line[len(prefix):]
		}
	}
	return "", ""
}

const devNull = "/dev/null"

// agrees reports whether raw, the name in a line with --- or +++, is the path
// with or without its prefix. No such line agrees with everything.
func agrees(raw, path string) bool {
	switch raw {
	case "":
		return true
	case devNull:
		return path == ""
	}
	return path != "" && (raw == path || withoutPrefix(raw) == path)
}

// plainHeader reads the two names of a diff that is not git's. Such a diff knows
// no renames: the file is the one that the new name gives.
func (f *File) plainHeader(head string) {
	first, next := lineAt(head, 0)
	second, _ := lineAt(head, next)
	oldValue, newValue := first[len("--- "):], second[len("+++ "):]
	oldName, newName := headerName(oldValue), headerName(newValue)
	switch {
	case oldName == devNull || absent(oldValue):
		f.Status, f.NewPath = Added, oneSided(newName)
		return
	case newName == devNull || absent(newValue):
		f.Status, f.OldPath = Deleted, oneSided(oldName)
		return
	}
	name, ok := pairName(oldName, newName)
	if !ok {
		name = strings.TrimPrefix(newName, "./")
	}
	f.OldPath, f.NewPath = name, name
}

// oneSided strips the prefix of a name that has no counterpart to compare with.
func oneSided(name string) string {
	if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") {
		return name[2:]
	}
	return strings.TrimPrefix(name, "./")
}

// absent reports whether the time stamp after a name is the epoch, which is how
// diff -N writes a file that does not exist.
func absent(value string) bool {
	_, stamp, _ := strings.Cut(value, "\t")
	return strings.HasPrefix(stamp, "1970-01-01 ") || strings.HasPrefix(stamp, "1969-12-31 ")
}

// note reads a line that stands for a whole file.
func (f *File) note(line string) {
	name := ""
	if sub := submoduleLog(line); sub != "" {
		name, f.Kind = sub, Submodule
		f.fail("git shows the submodule as a log, not as lines")
	} else if rest, ok := strings.CutPrefix(line, "* Unmerged path "); ok {
		name = headerName(rest)
		f.fail("its merge conflict is not resolved")
	} else if rest, ok := strings.CutPrefix(line, "Only in "); ok {
		dir, base, _ := strings.Cut(rest, ": ")
		name = strings.TrimPrefix(dir, "./") + "/" + base
		f.fail("it exists on one side only and its lines are not in the diff")
	} else {
		rest := strings.TrimSuffix(strings.TrimPrefix(line, "Binary files "), " differ")
		oldName, newName, _ := strings.Cut(rest, " and ")
		name, ok = pairName(oldName, newName)
		if !ok {
			name = newName
		}
		f.Kind = Binary
	}
	f.OldPath, f.NewPath = name, name
}

// kindOf is the kind of a file with these modes.
func kindOf(oldMode, newMode uint32, binary bool) Kind {
	switch oldType, newType := oldMode&typeMask, newMode&typeMask; {
	case oldType == typeGitlink || newType == typeGitlink:
		return Submodule
	case oldType == typeSymlink || newType == typeSymlink:
		return Symlink
	case binary:
		return Binary
	}
	return Text
}

// The parts of a git mode that say what an entry is.
const (
	typeMask    = 0o170000
	typeSymlink = 0o120000
	typeGitlink = 0o160000
)

// fileMode reads an octal mode; what is none is 0, unknown.
func fileMode(s string) uint32 {
	mode, err := strconv.ParseUint(s, 8, 32)
	if err != nil {
		return 0
	}
	return uint32(mode)
}

// pathLimit is the longest path, in bytes, that a file system takes.
const pathLimit = 4096

// unsafePath says why a path cannot be one of a repository (T50), or "".
func unsafePath(path string) string {
	switch {
	case len(path) > pathLimit:
		return "its name is too long"
	case path[0] == '/':
		return "its path is absolute"
	case strings.IndexByte(path, 0) >= 0:
		return "its name has a NUL byte"
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			return "its path leaves the repository"
		}
	}
	return ""
}
