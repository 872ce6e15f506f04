// Package patch is the index over a unified diff: which files changed, which
// lines exist on which side, which of them may carry a review comment, and
// whether a quote stands where a citation says. It reads diffs with go-diff and
// repairs what go-diff reads wrongly in silence; a file on which git's own
// listing and the diff disagree is kept, marked as unparsed, and never an anchor.
package patch
