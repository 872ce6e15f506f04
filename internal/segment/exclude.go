package segment

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/h2non/filetype"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// excluder decides which files no model reviews. Nothing in the change itself can hide it.
type excluder struct {
	change     patch.Change
	ignore     []string
	attributes attributes
	required   bool
}

func newExcluder(in Input) *excluder {
	return &excluder{change: in.Change, ignore: in.Ignore, attributes: parseAttributes(in.BaseAttributes), required: in.Required}
}

// Excused returns a function that reports whether the settings, or the attributes at the base,
// exclude a path from review.
func Excused(ignore []string, baseAttributes []byte) func(path string) bool {
	x := newExcluder(Input{Ignore: ignore, BaseAttributes: baseAttributes})
	return func(path string) bool {
		why, _ := x.excused(path)
		return why != debate.NotExcluded
	}
}

// excused returns the reason why the settings or the attributes at the base exclude a path.
func (x *excluder) excused(path string) (debate.Exclusion, string) {
	switch {
	case matchAny(x.ignore, path):
		return debate.IgnoredPath, ""
	case x.attributes.value("linguist-generated", path) == attributeSet:
		return debate.Generated, "linguist-generated at the base"
	case x.attributes.value("linguist-vendored", path) == attributeSet:
		return debate.Vendored, "linguist-vendored at the base"
	}
	return debate.NotExcluded, ""
}

// file returns the reason why a file is excluded, and a detail for people. A file with two names is
// excused only if both are: code that moves into an ignored directory is reviewed. If the gate is
// required, only settings and attributes excuse. Otherwise a lock file, and a generated file's
// header on both sides, excuse too.
func (x *excluder) file(f *patch.File) (debate.Exclusion, string) {
	names := f.Names()
	byBase := all(names, func(name string) bool {
		why, _ := x.excused(name)
		return why != debate.NotExcluded
	})
	saysNo := slices.ContainsFunc(names, func(n string) bool { return x.attributes.value("linguist-generated", n) == attributeUnset })
	switch {
	case byBase:
		return x.excused(f.Path())
	case f.Unparsed != "":
		return debate.Unreadable, f.Unparsed
	case f.Kind == patch.Binary:
		return x.binary(f)
	case f.Kind == patch.Submodule && f.NewPath == "": // no code comes with it
		return debate.NoContent, "submodule deleted, " + pointer(f)
	case f.Kind == patch.Submodule:
		return debate.Submodule, pointer(f)
	case x.required, saysNo:
	case x.lockFile(f, names):
		return debate.Generated, "lock file"
	case f.OldPath != "" && len(f.Hunks) > 0 && x.generatedAt(f.OldPath, debate.Left) && (f.NewPath == "" || x.generatedAt(f.NewPath, debate.Right)):
		// The base must call it generated, so that a change cannot hide itself; the head must too, so that
		// a file that people take over is reviewed.
		return debate.Generated, "marked as generated at the base"
	}
	if !f.Searchable() {
		return debate.TooLarge, "too much text to search it for secrets"
	}
	return debate.NotExcluded, ""
}

// binary tells whether a file without text is a picture, a font, audio or video by its first bytes,
// with the same kind in its name, and not executable. Such a file is not shown to models and needs
// no review. Any other stays unread.
func (x *excluder) binary(f *patch.File) (debate.Exclusion, string) {
	name, side := f.NewPath, debate.Right
	if name == "" {
		name, side = f.OldPath, debate.Left
	}
	executable := f.NewMode&0o111 != 0
	data, ok := x.change.Blob(name, side)
	switch {
	case !ok, executable:
	case filetype.IsImage(data), filetype.IsFont(data), filetype.IsAudio(data), filetype.IsVideo(data):
		is, _ := filetype.Match(data) // cannot fail for these kinds
		if strings.Replace(strings.ToLower(path.Ext(name)), "jpeg", "jpg", 1) == "."+is.Extension {
			return debate.Media, ""
		}
	}
	return debate.Binary, strings.Join(moved(f), ", ")
}

// pointer returns the change of a submodule's commit.
func pointer(f *patch.File) string {
	var lines []string
	for l := range f.Lines() {
		if l.Op != ' ' {
			lines = append(lines, string(l.Op)+l.Text)
		}
	}
	return strings.Join(lines, " ")
}

func all(names []string, is func(string) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !is(name) })
}

// Matching returns a function that reports whether a glob matches a path.
func Matching(globs []string) func(path string) bool {
	return func(path string) bool { return matchAny(globs, path) }
}

// matchAny matches a path with doublestar globs. A malformed glob matches nothing.
func matchAny(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return matches(glob, name) })
}

func matches(glob, name string) bool {
	ok, err := doublestar.Match(glob, name)
	return err == nil && ok
}

// generatedAt reports whether the leading comment of a file calls it generated.
func (x *excluder) generatedAt(name string, side debate.Side) bool {
	content, ok := x.change.Blob(name, side)
	return ok && generatedHeader(content)
}

// headerBytes is the size of a file's start to search for its leading comment.
const headerBytes = 4096

// generatedHeader reports whether the leading comment of a file calls it generated.
func generatedHeader(content []byte) bool {
	head := string(content[:min(len(content), headerBytes)])
	within := "" // the end of the open block comment
	for _, line := range strings.Split(head, "\n") {
		line = strings.TrimSpace(line)
		comment := within != ""
		if !comment {
			comment = commentSign().MatchString(line)
			for _, block := range [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {"{-", "-}"}, {"(*", "*)"}} {
				if strings.HasPrefix(line, block[0]) {
					within = block[1]
				}
			}
		}
		switch {
		case line == "":
		case !comment:
			return false
		case saysGenerated(line):
			return true
		}
		if within != "" && strings.Contains(line, within) {
			within = ""
		}
	}
	return false
}

var commentSign = lazyregexp.New(`^(?:[#*;%'"]|//|/\*|--|<!--|\{-|\(\*|<\?)`)

func saysGenerated(line string) bool {
	lower := strings.ToLower(line)
	if slices.Contains(strings.Fields(lower), "@generated") {
		return true
	}
	return strings.Contains(lower, "generated") && leaveAlone().MatchString(lower)
}

var leaveAlone = lazyregexp.New(`do not (?:edit|modify)`)
