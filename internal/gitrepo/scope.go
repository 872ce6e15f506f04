package gitrepo

import "strings"

// ScopeKind names the part of a repository to review.
type ScopeKind string

// The scopes of `debate review`. All but Default, Snippet and Patch have a
// spelling of their own; Default becomes Base or Uncommitted, a patch has
// the spelling of a snippet.
const (
	// Default is the work since the merge base of HEAD and the default branch, plus
	// uncommitted work.
	Default ScopeKind = "default"
	// Base is the same against a named branch.
	Base ScopeKind = "base"
	// Commit is one commit against its first parent.
	Commit ScopeKind = "commit"
	// Range is To against its merge base with From.
	Range ScopeKind = "range"
	// Uncommitted is the work tree (staged, unstaged and untracked) against HEAD.
	Uncommitted ScopeKind = "uncommitted"
	// File is one file of the work tree as if it was new, tracked or not.
	File ScopeKind = "file"
	// Snippet is some bytes as one new file; see FromSnippet.
	Snippet ScopeKind = "snippet"
	// Patch is the text of a diff; see FromPatch.
	Patch ScopeKind = "patch"
)

// Scope describes a snapshot. Each field except Kind belongs to the kind of its name;
// From and To belong to Range, and "" means HEAD in them. Path is relative to the
// directory the repository was opened in, or absolute.
type Scope struct {
	Kind                         ScopeKind
	Base, Commit, From, To, Path string
	Patch, Snippet               []byte
}

// ParseRange reads A..B or A...B. Both mean the work on B since its merge base
// with A; a missing side is HEAD, and comes back as "". The error is a ScopeError.
func ParseRange(s string) (from, to string, err error) {
	from, to, ok := strings.Cut(s, "..")
	if !ok {
		return "", "", &ScopeError{Text: s, Reason: "a range is written A..B"}
	}
	to = strings.TrimPrefix(to, ".")
	switch {
	case from+to == "":
		return "", "", &ScopeError{Text: s, Reason: "a range needs at least one side, as in main..HEAD"}
	case strings.Contains(to, ".."), strings.HasPrefix(to, "."):
		return "", "", &ScopeError{Text: s, Reason: "a range has two sides, as in main..HEAD"}
	}
	return from, to, nil
}
