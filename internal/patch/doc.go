// Package patch is the index over a unified diff: which files changed, which
// lines exist on which side, which of them may carry a review comment, and
// whether a quote stands where a citation says.
//
// It reads hunks with go-diff and does the rest itself, because go-diff alone
// reads some diffs wrongly in silence (see the tests of these traps):
//
//	text ── split ──> sections ── header, go-diff ──> files ── listing ──> Set ──> Index
//
// The text is split where no hunk is open, so content forges no boundary. Names,
// modes and status come from git's own listing where there is one. Whatever two
// readings disagree on costs its file: it is kept, marked as unparsed, shown,
// and never an anchor.
package patch
