// Package patch is the index over a unified diff: the changed files, the lines of each side, the
// lines open for review comments, and whether a quote is at its cited lines.
//
// It reads hunks with go-diff and does the rest itself, because go-diff alone silently reads some
// diffs wrongly (see the tests of these traps):
//
//	text ── split ──> sections ── header, go-diff ──> files ── listing ──> Set ──> Index
//
// The text is split only outside hunks, so content cannot forge a boundary. Names, modes and status
// come from git's own listing if there is one. If two readings disagree, only their file is
// affected: it is kept, marked as unparsed, shown, and never an anchor.
package patch

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Parse reads a unified diff: git's in any of its forms, or one of another tool. It never fails. A
// file that cannot be read, or that differs from the listing, is kept without hunks, with the
// reason in Unparsed. No two files of the result have the same Path.
//
// With a listing, names, modes, status, counts and the order of files are git's; files outside the
// listing come last. A nil listing means that only the text is known: everything comes from the
// diff.
func Parse(diff []byte, listing []Entry) *Set {
	text := string(diff)
	sections := split(text)
	files := make([]*File, 0, len(sections))
	at := make(map[string]int, len(sections)) // of files, by path
	for i := range sections {
		f := sections[i].file()
		f.fill(text, &sections[i])
		if j, seen := at[f.Path()]; seen {
			files[j].join(f, j == len(files)-1)
			continue
		}
		at[f.Path()] = len(files)
		files = append(files, f)
	}
	set := &Set{Files: files, WordDiff: isWordDiff(text, files)}
	if listing != nil {
		if len(files) > 0 && !strings.HasSuffix(text, "\n") {
			files[len(files)-1].fail("the diff ends in the middle of it")
		}
		set = reconcile(files, at, listing)
	}
	set.reserve(debate.BodyPath, "the text of the pull request")
	set.reserve(debate.IssuePath, "the issues that the change is to close")
	return set
}

// reserve keeps a path free for a text outside the repository: a file with this name gets another
// one, which git never uses, and cannot be reviewed.
func (s *Set) reserve(name, text string) {
	free := "./" + name
	for slices.ContainsFunc(s.Files, func(f *File) bool { return f.Path() == free }) {
		free = "./" + free
	}
	for _, f := range s.Files {
		for _, path := range []*string{&f.OldPath, &f.NewPath} {
			if *path == name {
				*path = free
				f.fail("citations of its name mean " + text)
			}
		}
	}
}

// join adds a second section for the same path. Git writes a change of type as a deletion and an
// addition side by side. Other repeats are a series of patches, with line numbers of different
// versions of the file.
func (f *File) join(g *File, adjacent bool) {
	oldType, newType := f.OldMode&TypeMask, g.NewMode&TypeMask
	switch {
	case !adjacent, f.Status != Deleted, g.Status != Added, oldType == newType, oldType == 0, newType == 0:
		f.Additions, f.Deletions = 0, 0
		f.fail("the diff changes it more than once, one version after another")
		return
	}
	binary := fault{f.Kind == Binary || g.Kind == Binary, "one side of its change of type is binary"}
	f.Status, f.NewPath, f.NewMode = TypeChanged, g.NewPath, g.NewMode
	f.Kind = kindOf(f.OldMode, f.NewMode, false)
	f.Additions = g.Additions
	f.Hunks = append(f.Hunks, g.Hunks...)
	if why := cmp.Or(g.Unparsed, firstOf(binary), f.Unparsed); why != "" {
		f.fail(why)
	}
}

// reconcile puts the files of a diff in the order of git's listing and trusts their hunks only as
// far as the listing confirms them.
func reconcile(files []*File, at map[string]int, listing []Entry) *Set {
	set := &Set{Files: make([]*File, 0, len(listing))}
	listed := make(map[string]int, len(listing))
	taken := make([]bool, len(files))
	for i := range listing {
		e := &listing[i]
		f := &File{
			OldPath: e.OldPath, NewPath: e.NewPath, OldMode: e.OldMode, NewMode: e.NewMode,
			Status: e.Status, Kind: kindOf(e.OldMode, e.NewMode, e.BinaryByGit),
			Additions: e.Additions, Deletions: e.Deletions,
		}
		if j, twice := listed[f.Path()]; twice {
			set.Files[j].fail("git lists it more than once")
			continue
		}
		listed[f.Path()] = len(set.Files)
		set.Files = append(set.Files, f)
		j, found := at[f.Path()]
		if !found {
			f.fail("git lists it, but it is not in the diff")
			continue
		}
		taken[j] = true
		f.Hunks = files[j].Hunks
		if why := f.contradiction(files[j], e); why != "" {
			f.fail(why)
		}
	}
	for j, f := range files {
		if !taken[j] {
			f.Additions, f.Deletions = 0, 0
			f.fail("it is in the diff, but git does not list it")
			set.Files = append(set.Files, f)
		}
	}
	return set
}

// contradiction returns the difference between the file in the diff and its entry in the listing,
// or "".
func (f *File) contradiction(read *File, e *Entry) string {
	sameNames := [2]string{read.OldPath, read.NewPath} == [2]string{e.OldPath, e.NewPath}
	sameCounts := [2]int{read.Additions, read.Deletions} == [2]int{e.Additions, e.Deletions}
	return cmp.Or(read.Unparsed, unsafePath(f.Path()), firstOf(
		fault{!sameNames, "the diff and git's listing name it differently"},
		fault{e.BinaryByGit && len(read.Hunks) > 0, "git lists it as binary, but the diff has lines of it"},
		fault{!e.BinaryByGit && read.Kind == Binary, "the diff says that it is binary, but git counts its lines"},
		fault{!sameCounts, "the diff and git's listing count its lines differently"},
	))
}
