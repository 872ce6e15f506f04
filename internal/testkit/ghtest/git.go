package ghtest

import (
	"fmt"
	"maps"
	"strings"
)

// git is the history of a repository: its branches, and the objects that it shares with
// its forks.
type git struct {
	objects  *objects
	branches map[string]string
	trunk    string // the default branch
}

func newGit() git {
	return git{
		objects:  &objects{commits: map[string]*commit{}, blobs: map[string][]byte{}, trees: map[string][]entry{}},
		branches: map[string]string{}, trunk: "main",
	}
}

// fork has the branches as they are now.
func (g *git) fork() git {
	return git{objects: g.objects, branches: maps.Clone(g.branches), trunk: g.trunk}
}

// resolve finds a commit by its name, by a branch or by a shortened name.
func (g *git) resolve(ref string) *commit {
	ref = strings.TrimPrefix(ref, "refs/heads/")
	if ref == "HEAD" {
		ref = g.trunk
	}
	if sha := g.branches[ref]; sha != "" {
		ref = sha
	}
	if c := g.objects.commits[ref]; c != nil {
		return c
	}
	if len(ref) >= 7 {
		for sha, c := range g.objects.commits {
			if strings.HasPrefix(sha, ref) {
				return c
			}
		}
	}
	return nil
}

// Commit makes a commit that holds exactly these files, and returns its name.
// parent is "" for the first.
func (r *Repo) Commit(parent string, files map[string]string) string {
	full := make(map[string]File, len(files))
	for name, content := range files {
		full[name] = File{Content: content}
	}
	return r.CommitFiles(parents(parent), full)
}

// Change makes a commit that differs from its parent in the given files; those of
// removed are gone.
func (r *Repo) Change(parent string, files map[string]string, removed ...string) string {
	unlock := r.lock()
	all := map[string]File{}
	if c := r.git.objects.commits[parent]; c != nil {
		all = maps.Clone(c.files)
	}
	unlock()
	for name, content := range files {
		all[name] = File{Mode: all[name].Mode, Content: content}
	}
	for _, name := range removed {
		delete(all, name)
	}
	return r.CommitFiles(parents(parent), all)
}

func parents(parent string) []string {
	if parent == "" {
		return nil
	}
	return []string{parent}
}

// CommitFiles makes a commit with any number of parents and files of any mode.
func (r *Repo) CommitFiles(parents []string, files map[string]File) string {
	defer r.lock()()
	o := r.git.objects
	for _, p := range parents {
		if o.commits[p] == nil {
			r.world.failf("%s: no commit %q", r.full(), p)
		}
	}
	return r.commit(parents, files, fmt.Sprintf("change %d", len(o.commits)+1))
}

// commit makes a commit of the owner.
func (r *Repo) commit(parents []string, files map[string]File, message string) string {
	c := &commit{files: maps.Clone(files), parents: parents, message: message, author: r.access.owner, at: r.world.clock.tick()}
	r.git.objects.add(c)
	return c.sha
}

// MadeBy says who made a commit: its author, who committed it too, and co-authors. Of
// others those of a pull request are made by who opened it. "" is unknown to GitHub.
func (r *Repo) MadeBy(sha, author string, others ...string) {
	defer r.lock()()
	made := maker{}
	for _, login := range append([]string{author}, others...) {
		u := &user{login: "somebody"}
		if login != "" {
			u = r.user(login)
		}
		made.authors = append(made.authors, u)
	}
	made.committer = made.authors[0]
	r.git.objects.commits[sha].made = made
}

// CommittedBy names another committer than the author of a commit.
func (r *Repo) CommittedBy(sha, login string) {
	defer r.lock()()
	r.git.objects.commits[sha].made.committer = r.user(login)
}

// SetBranch makes a branch, or moves it: pull requests from it get the new head.
func (r *Repo) SetBranch(name, sha string) {
	defer r.lock()()
	r.setBranch(name, sha)
}

func (r *Repo) setBranch(name, sha string) {
	if r.git.objects.commits[sha] == nil {
		r.world.failf("%s: no commit %q", r.full(), sha)
	}
	r.pushes = append(r.pushes, push{id: int64(len(r.pushes) + 1), ref: name, before: r.git.branches[name], after: sha, at: r.world.clock.time()})
	r.git.branches[name] = sha
	for _, other := range r.world.repos.byID {
		for _, p := range other.items.pulls() {
			if p.standing.isOpen() && p.ends.follow(r, name) {
				p.history.touch()
			}
		}
	}
}

// Branch is the tip of a branch.
func (r *Repo) Branch(name string) string {
	defer r.lock()()
	return r.git.branches[name]
}
