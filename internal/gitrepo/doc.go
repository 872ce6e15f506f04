// Package gitrepo takes snapshots of changes from a local git repository. Only gitrepo
// starts git.
//
// Everything in a repository is hostile: its configuration, its attributes, its refs,
// its names and its content. So there are two kinds of git commands:
//
//   - front commands look at the user's repository itself. They only find directories, list
//     settings and resolve names (rev-parse, config, symbolic-ref, for-each-ref). None of
//     them runs a program that a repository can name.
//   - all other commands run in a shadow: a short-lived git directory of our own with its
//     own configuration, its own attributes, no hooks and no remotes. It only borrows the
//     object store. The repository's configuration of filters, drivers, monitors, hooks,
//     pagers, formats or remotes has no effect there, even if git learns new settings. No
//     write (a temporary index, the objects of uncommitted files) reaches the user's
//     repository.
//
// Uncommitted work is frozen as a tree in the shadow, so every change is the difference
// of two trees and every byte is read by object id:
//
//	Open ── front ──> Repo ── Scope ──> resolve names to full ids
//	                                      │
//	     user's index ── copy ──> shadow ─┤ freeze: update-index, write-tree
//	                                      │
//	                                      └─> base tree, head tree ──> diff-tree ──> patch.Set
//	                                                                └─> cat-file ──> Blob, BaseHas
//
// Git gets PATH, the places of the user's settings and of temporary files from the
// caller's environment, and nothing else. It does not get GIT_DIR, GIT_INDEX_FILE and
// similar variables, although git sets them for hooks: `-C DIR` must mean DIR, and the
// work tree against HEAD is the same change for any index of a hook.
package gitrepo
