// Package gitrepo takes snapshots of changes from a local git repository. It is
// the only package that starts git.
//
// Everything in a repository is hostile: its configuration, its attributes, its
// refs, its names and its content. Two kinds of git command are therefore kept
// apart:
//
//   - front commands look at the user's repository itself. They only find
//     directories, list settings and resolve names (rev-parse, config,
//     symbolic-ref, for-each-ref), none of which runs anything a repository can
//     name.
//   - all other commands run in a shadow: a short-lived git directory of our own
//     with its own configuration, its own attributes, no hooks and no remotes,
//     which only borrows the object store. What the repository's configuration
//     says about filters, drivers, monitors, hooks, pagers, formats or remotes is
//     never in force there, whatever new settings git learns, and nothing that is
//     written (a temporary index, the objects of uncommitted files) reaches the
//     user's repository.
//
// Uncommitted work is frozen as a tree in the shadow, so that every change is the
// difference of two trees and every byte is read by object id:
//
//	Open ── front ──> Repo ── Scope ──> resolve names to full ids
//	                                      │
//	     user's index ── copy ──> shadow ─┤ freeze: update-index, write-tree
//	                                      │
//	                                      └─> base tree, head tree ──> diff-tree ──> patch.Set
//	                                                                └─> cat-file ──> Blob, BaseHas
//
// The environment of the caller is not handed on. PATH, the places of the user's
// own settings and of temporary files are; GIT_DIR, GIT_INDEX_FILE and the like
// are not, although git sets them for hooks: `-C DIR` must mean DIR, and the work
// tree against HEAD is the same change whatever index a hook is run with.
package gitrepo
