package ghtest

import "slices"

// ends are what a pull request is to merge, and into what.
type ends struct {
	base, head end
}

// end is a branch of a repository at a commit: that of the head is its tip, that of the
// base was its tip when the pull request was opened or its head moved last.
type end struct {
	repo     *Repo
	ref, sha string
}

// tip is where the branch is now.
func (e end) tip() string { return e.repo.git.branches[e.ref] }

// at is the end on another branch, or where the same one is now.
func (e end) at(ref string) end { return end{e.repo, ref, e.repo.git.branches[ref]} }

// json is the end as pull requests show it. The repository of a fork that is gone is null.
func (e end) json() object {
	r := e.repo
	o := object{"label": r.Owner + ":" + e.ref, "ref": e.ref, "sha": e.sha, "user": r.world.site.user(r.access.owner), "repo": nil}
	if r.world.repos.byID[r.ID] != nil {
		o["repo"] = r.json()
	}
	return o
}

// brief is the end as check runs show it.
func (e end) brief() object {
	r := e.repo
	return object{"ref": e.ref, "sha": e.sha, "repo": object{"id": r.ID, "url": r.address().api(), "name": r.Name}}
}

func (e *ends) objects() *objects { return e.base.repo.git.objects }

// follow moves the head with a branch, and tells whether it moved.
func (e *ends) follow(r *Repo, branch string) bool {
	if e.head.repo != r || e.head.ref != branch || e.head.sha == e.head.tip() {
		return false
	}
	e.head, e.base = e.head.at(branch), e.base.at(e.base.ref)
	return true
}

// fork is the commit from which both ends come, "" for none.
func (e *ends) fork() string { return e.objects().mergeBase(e.base.tip(), e.head.sha) }

// changes are what differs at the head.
func (e *ends) changes() []change { return e.objects().compare(e.fork(), e.head.sha) }

// commits are those that are to be merged, oldest first.
func (e *ends) commits() []*commit { return e.objects().between(e.base.tip(), e.head.sha) }

// has tells whether a commit is one of those.
func (e *ends) has(sha string) bool {
	return sha == e.head.sha || slices.ContainsFunc(e.commits(), func(c *commit) bool { return c.sha == sha })
}
