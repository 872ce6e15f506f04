// Package look answers a reviewer's requests for more text: lines of a file, lines with a
// match, the names in a directory. It reads both sides of a change as data, at fixed commits;
// it runs nothing and checks out nothing.
//
//	debate.Look ──> Viewer.See ──> Tree ──> lines without secrets ──> debate.Seen
//
// A refusal names its reason: paths outside the tree, links, submodules, pointers to large
// files, files with secrets by their name, and paths kept private by the settings. A search
// works on the text without secrets, so it cannot be used to guess one.
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
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/surround"
)

// The bounds of one look.
const (
	mostLines   = 400    // of a read
	mostMatches = 100    // of a grep
	someMatches = 30     // the default
	mostNames   = 1000   // of a list
	mostBytes   = 24_000 // of all looks of one turn
	longLine    = 1000   // bytes; no person writes a longer line
	mostPath    = 1000   // bytes
	searchTime  = 2 * time.Second
	listTime    = 1200 * time.Millisecond // the part of searchTime for the list of files
	turnTime    = 8 * time.Second         // of all searches of one turn
	fetchTime   = 90 * time.Second        // to bring the needed objects near
	overhead    = 8                       // bytes of the label of a line
)

// Tree is both sides of a change; they never change.
type Tree interface {
	// Fetch brings the objects of some looks near if they are far away. It ends soon after
	// ctx. The other methods report an object it could not bring.
	Fetch(ctx context.Context, looks []debate.Look)
	// Read returns a regular file, or the reason for its absence: debate.LookMissing,
	// LookDirectory, LookSymlink, LookSubmodule, LookBinary, LookTooLarge, LookUsedUp or
	// LookUnreadable.
	Read(path string, side debate.Side) ([]byte, debate.Withheld)
	// List returns the names in a directory, "" for the top, sorted; those of
	// directories end with a slash.
	List(path string, side debate.Side) ([]string, debate.Withheld)
	// Files returns the paths of the regular files with a text, sorted; all of them for "". It
	// may leave out files without a matching glob, if there are globs. It ends soon after ctx,
	// with the paths found so far.
	Files(ctx context.Context, side debate.Side, holding string, globs []string) ([]string, error)
	// Lacks reports whether a look of a kind does not reach all of a side.
	Lacks(kind debate.LookKind, side debate.Side) bool
	// Name identifies the tree of a side.
	Name(side debate.Side) string
}

// Viewer looks at a tree for the parties of one debate.
type Viewer struct {
	Tree Tree
	// Private reports whether the settings keep a path private.
	Private func(path string) bool
	// Shown returns the lines of a file without secrets; ok is false if it cannot be searched
	// for secrets.
	Shown func(path string, content []byte) (lines []string, ok bool)
}

// turn holds the room left for the looks of one turn.
type turn struct {
	*Viewer
	room int // bytes
}

// See takes the looks of one turn, up to a bound; it refuses the rest.
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

// Fetch brings the objects of the allowed looks near, and nothing else.
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

// refused says why a look is refused for any tree, or "".
func (v *Viewer) refused(l debate.Look) debate.Withheld {
	switch l.Kind {
	case debate.LookRead:
		return v.forbidden(l.Path)
	case debate.LookGrep:
		if !searchable(l) {
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

// fitting returns the first lines with room for them, up to a bound, and the limit that stops
// the next one.
func (t *turn) fitting(lines []string, most int) (fit []string, cut debate.Cut) {
	for i, line := range lines {
		if cut = t.take(line, most-i); cut != "" {
			return lines[:i], cut
		}
	}
	return lines, ""
}

// take takes room for a line, if the bound of lines allows it. It returns the limit that stops
// the line, "" for none.
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

// lines returns the visible lines of a file, or the reason for a refusal.
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

// forbidden says why a path is refused for any tree, or "".
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

// outside reports whether a path leads out of the tree, or is not a path.
func outside(name string) bool {
	return len(name) > mostPath || path.Clean(name) != cmp.Or(name, ".") || unreachable().MatchString(name)
}

// unreachable matches paths from the root or upwards, paths into the .git directory, and
// characters impossible in a tree.
var unreachable = lazyregexp.New(`^/|(?:^|/)(?:\.\.|(?i:\.git))(?:/|$)|[\x00\\]`)

// list shows the names in a directory, those of private files too: they are no secret, and a
// party with the names does not ask again.
func (t *turn) list(seen *debate.Seen) {
	names, why := t.Tree.List(seen.Path, seen.Side)
	if why != "" {
		seen.Why = why
		return
	}
	lines := lists.Map(names, func(name string) string { return strings.ReplaceAll(name, "\n", " ") })
	shown, ok := t.Shown("", []byte(strings.Join(lines, "\n")))
	if !ok && len(names) > 0 {
		seen.Why = debate.LookTooLarge
		return
	}
	seen.Names, seen.Cut = t.fitting(shown, mostNames)
	t.lacking(seen)
}

// lacking marks a complete look if the tree itself is incomplete.
func (t *turn) lacking(seen *debate.Seen) {
	if seen.Cut == "" && t.Tree.Lacks(seen.Kind, seen.Side) {
		seen.Cut = debate.CutTree
	}
}
