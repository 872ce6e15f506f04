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
