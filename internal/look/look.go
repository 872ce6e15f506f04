// Package look answers what a reviewer asks to see beyond what it was sent: lines of a
// file, lines that match an expression, the names in a directory. Both sides of a change
// are read as data, at fixed commits; nothing is run and nothing is checked out.
//
//	debate.Look ──> Viewer.See ──> Tree ──> lines without secrets ──> debate.Seen
//
// What a look may not show is refused by name: what lies outside the tree, links,
// submodules, pointers to large files, files that hold secrets by their name, and what
// the settings keep. A search works on the text without secrets, so that nobody can
// find out one by asking whether it matches.
package look

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/surround"
)

// The bounds of what one look shows.
const (
	mostLines   = 400    // of a read
	mostMatches = 100    // of a grep
	someMatches = 30     // where nobody says how many
	mostNames   = 1000   // of a list
	mostBytes   = 24_000 // of all looks of one turn
	longLine    = 1000   // bytes; what is longer was not written by hand
	mostPath    = 1000   // bytes
	searchTime  = 2 * time.Second
	listTime    = 1200 * time.Millisecond // of that, to find the files
	turnTime    = 8 * time.Second         // of all searches of one turn
	fetchTime   = 90 * time.Second        // to bring near what they read
	overhead    = 8                       // bytes of the label of a line
)

// Tree is what can be looked at: both sides of a change, which stay as they are.
type Tree interface {
	// Fetch brings near what some looks are about to read, where it is far away. It ends
	// soon after ctx. What it cannot bring the others answer for.
	Fetch(ctx context.Context, looks []debate.Look)
	// Read returns a regular file, or why there is none: debate.LookMissing,
	// LookDirectory, LookSymlink, LookSubmodule, LookBinary, LookTooLarge, LookUsedUp or
	// LookUnreadable.
	Read(path string, side debate.Side) ([]byte, debate.Withheld)
	// List returns the names in a directory, "" for the top, sorted; those of
	// directories end with a slash.
	List(path string, side debate.Side) ([]string, debate.Withheld)
	// Files returns the paths of the regular files that hold a text, sorted; of all of
	// them for "". It may leave out those that no glob matches, where there are any. It
	// ends soon after ctx, with what it has by then.
	Files(ctx context.Context, side debate.Side, holding string, globs []string) ([]string, error)
	// Lacks reports whether a look of a kind does not reach all of a side.
	Lacks(kind debate.LookKind, side debate.Side) bool
	// Name is what the tree of a side is known by.
	Name(side debate.Side) string
}

// Viewer looks at a tree for the parties of one debate.
type Viewer struct {
	Tree Tree
	// Private tells paths that the settings keep.
	Private func(path string) bool
	// Shown returns the lines of a file as parties may see them; ok is false where it
	// cannot be searched for secrets.
	Shown func(path string, content []byte) (lines []string, ok bool)
}

// turn is what is left for the looks of one turn.
type turn struct {
	*Viewer
	room int // bytes
}

// See takes the looks of one turn, at most so many; what is beyond that is refused.
func (v *Viewer) See(ctx context.Context, looks []debate.Look, most int) []debate.Seen {
	v.Fetch(ctx, looks[:min(len(looks), max(0, most))])
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	t := &turn{Viewer: v, room: mostBytes}
	var all []debate.Seen
	for i, l := range looks {
		seen := debate.Seen{Look: l, Why: debate.LookUsedUp}
		if i < most {
			seen = t.see(ctx, l)
		}
		all = append(all, seen)
	}
	return all
}

// Fetch brings near what some looks may show, and nothing else.
func (v *Viewer) Fetch(ctx context.Context, looks []debate.Look) {
	var allowed []debate.Look
	for _, l := range looks {
		if l = plainly(l); v.refused(l) == "" {
			allowed = append(allowed, l)
		}
	}
	if len(allowed) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	v.Tree.Fetch(ctx, allowed)
}

// plainly spells the side and the path of a look in one way.
func plainly(l debate.Look) debate.Look {
	if l.Side != debate.Left {
		l.Side = debate.Right
	}
	l.Path = strings.TrimPrefix(l.Path, "./")
	if l.Kind == debate.LookList {
		l.Path = strings.TrimSuffix(l.Path, "/")
		if l.Path == "." {
			l.Path = ""
		}
	}
	return l
}

// refused says why a look shows nothing, whatever is there.
func (v *Viewer) refused(l debate.Look) debate.Withheld {
	switch l.Kind {
	case debate.LookRead:
		return v.forbidden(l.Path)
	case debate.LookGrep:
		if !searchable(l.Pattern) || !plain(l.Paths) {
			return debate.LookBadPattern
		}
		return ""
	case debate.LookList:
		if outside(l.Path) {
			return debate.LookOutside
		}
		if v.Private(l.Path) {
			return debate.LookPrivate
		}
		return ""
	}
	return debate.LookUnclear
}

// see takes one look.
func (t *turn) see(ctx context.Context, l debate.Look) debate.Seen {
	if l.Kind == debate.LookTest { // of both sides, and a tree runs nothing
		return debate.Seen{Look: l, Why: debate.LookNoTests}
	}
	l = plainly(l)
	seen := debate.Seen{Look: l, Hash: t.Tree.Name(l.Side)}
	if seen.Why = t.refused(l); seen.Why != "" {
		return seen
	}
	switch l.Kind {
	case debate.LookRead:
		t.read(&seen)
	case debate.LookGrep:
		t.grep(ctx, &seen)
	case debate.LookList:
		t.list(&seen)
	}
	return seen
}

// read shows lines of a file.
func (t *turn) read(seen *debate.Seen) {
	lines, why := t.lines(seen.Path, seen.Side)
	if why != "" {
		seen.Why = why
		return
	}
	first := max(1, seen.StartLine)
	last := min(len(lines), cmp.Or(max(0, seen.EndLine), len(lines)))
	if first > last {
		seen.Why = debate.LookMissing
		return
	}
	lines, seen.Cut = t.fitting(lines[first-1:last], mostLines)
	if len(lines) > 0 {
		seen.Runs = []debate.ShownRun{{Path: seen.Path, First: first, Lines: lines}}
	}
}

// fitting are the first of some lines for which there is room, at most so many, and what
// keeps the next one from being shown.
func (t *turn) fitting(lines []string, most int) (fit []string, cut debate.Cut) {
	for i, line := range lines {
		if cut = t.take(line, most-i); cut != "" {
			return lines[:i], cut
		}
	}
	return lines, ""
}

// take takes room for a line, where so many more may be shown. It says what keeps the
// line from being shown, "" if nothing does.
func (t *turn) take(line string, left int) debate.Cut {
	size := len(line) + overhead
	switch {
	case left == 0:
		return debate.CutLines
	case t.room < size:
		return debate.CutBytes
	}
	t.room -= size
	return ""
}

// lines are those of a file that may be shown, or why none may.
func (t *turn) lines(name string, side debate.Side) ([]string, debate.Withheld) {
	content, why := t.Tree.Read(name, side)
	if why != "" {
		return nil, why
	}
	return t.clean(name, content)
}

// clean are the lines of a file as parties may see them.
func (t *turn) clean(name string, content []byte) ([]string, debate.Withheld) {
	switch {
	case bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/spec/")):
		return nil, debate.LookLFS
	case bytes.IndexByte(content, 0) >= 0:
		return nil, debate.LookBinary
	}
	lines, ok := t.Shown(name, content)
	if !ok {
		return nil, debate.LookTooLarge
	}
	for i, line := range lines {
		if len(line) > longLine {
			lines[i] = strings.ToValidUTF8(line[:longLine], "") + " [cut]"
		}
	}
	return lines, ""
}

// forbidden says why nothing of a path may be shown, whatever is there.
func (v *Viewer) forbidden(name string) debate.Withheld {
	switch {
	case outside(name) || name == "":
		return debate.LookOutside
	case surround.Secret(name):
		return debate.LookSecret
	case v.Private(name):
		return debate.LookPrivate
	}
	return ""
}

// outside reports whether a path leads out of the tree, or is none.
func outside(name string) bool {
	return len(name) > mostPath || path.Clean(name) != cmp.Or(name, ".") || unreachable().MatchString(name)
}

// unreachable are paths that begin at the root or lead upwards, lead into what git keeps
// for itself, or hold what no path of a tree holds.
var unreachable = lazyregexp.New(`^/|(?:^|/)(?:\.\.|(?i:\.git))(?:/|$)|[\x00\\]`)

// list shows the names in a directory. Names of what may not be read are shown: they
// are no secret, and whoever sees them does not ask again.
func (t *turn) list(seen *debate.Seen) {
	names, why := t.Tree.List(seen.Path, seen.Side)
	if why != "" {
		seen.Why = why
		return
	}
	shown, ok := t.Shown("", []byte(strings.Join(oneLiners(names), "\n")))
	if !ok && len(names) > 0 {
		seen.Why = debate.LookTooLarge
		return
	}
	seen.Names, seen.Cut = t.fitting(shown, mostNames)
	t.lacking(seen)
}

// lacking says of a look that shows all there is that the tree lacks some of it.
func (t *turn) lacking(seen *debate.Seen) {
	if seen.Cut == "" && t.Tree.Lacks(seen.Kind, seen.Side) {
		seen.Cut = debate.CutTree
	}
}

// oneLiners are names without line breaks in them.
func oneLiners(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = strings.ReplaceAll(name, "\n", " ")
	}
	return list
}
