package ghtest

import (
	"maps"
	"strconv"
	"strings"
	"time"
)

// Repo is a repository.
type Repo struct {
	Owner, Name string
	ID          int64

	world    *world
	access   access
	noIssues bool
	created  time.Time
	parent   *Repo // of a fork
	git      git
	labels   labels
	items    items
	checks   checks
	queues   map[string][]queued // by branch
	archive  []byte              // of any commit; nil: as it is
	pushes   []push
}

// repos are the repositories that there are. A name that one had before leads to it too.
type repos struct {
	byName map[string]*Repo // lower-case owner/name
	byID   map[int64]*Repo
}

// find is the repository of that owner/name, nil for none.
func (all *repos) find(full string) *Repo { return all.byName[strings.ToLower(full)] }

func (all *repos) add(r *Repo) { all.byName[strings.ToLower(r.full())], all.byID[r.ID] = r, r }

func (all *repos) remove(r *Repo) {
	maps.DeleteFunc(all.byName, func(_ string, other *Repo) bool { return other == r })
	delete(all.byID, r.ID)
}

// by is the owner's repository among a repository and its forks, nil for none.
func (all *repos) by(owner string, of *Repo) *Repo {
	for _, r := range all.byID {
		if strings.EqualFold(r.Owner, owner) && r.git.objects == of.git.objects {
			return r
		}
	}
	return nil
}

// named writes the path of a repository that is named by its number with its name.
func (all *repos) named(path string) string {
	rest, ok := strings.CutPrefix(path, "/repositories/")
	if !ok {
		return path
	}
	number, rest, _ := strings.Cut(rest, "/")
	id, _ := strconv.ParseInt(number, 10, 64)
	r := all.byID[id]
	if r == nil {
		return path
	}
	return strings.TrimSuffix("/repos/"+r.full()+"/"+rest, "/")
}

// Repo is the repository of that name ("owner/name"). It is made when it is named
// first: public, of an organisation, with the branch main as its default.
func (s *Server) Repo(name string) *Repo {
	defer s.world.lock()()
	if r := s.world.repos.find(name); r != nil {
		return r
	}
	return s.world.newRepo(name, newGit())
}

func (w *world) newRepo(full string, history git) *Repo {
	owner, name, _ := strings.Cut(full, "/")
	whose := w.accounts.owner(owner)
	r := &Repo{
		world: w, ID: w.clock.next(), Owner: owner, Name: name, created: w.clock.tick(), git: history,
		access: access{owner: whose, roles: map[string]Role{}}, labels: labels{clock: w.clock}, checks: checks{clock: w.clock},
		queues: map[string][]queued{},
	}
	if whose.kind == "User" {
		r.access.give(owner, Admin)
	}
	for _, name := range []string{"bug", "enhancement"} {
		r.labels.get(name, "d73a4a")
	}
	w.repos.add(r)
	return r
}

// Fork is a fork of the repository that belongs to a person.
func (r *Repo) Fork(owner string) *Repo {
	defer r.lock()()
	r.user(owner)
	fork := r.world.newRepo(owner+"/"+r.Name, r.git.fork())
	fork.parent, fork.access.private = r, r.access.private
	return fork
}

// Delete makes the repository a fork that is gone.
func (r *Repo) Delete() {
	defer r.lock()()
	r.world.repos.remove(r)
}

// full is the name with the owner.
func (r *Repo) full() string { return r.Owner + "/" + r.Name }

func (r *Repo) lock() func() { return r.world.lock() }

// user is the account of a login. Whoever is named exists.
func (r *Repo) user(login string) *user { return r.world.accounts.get(login) }

// SetPermission gives a person a role.
func (r *Repo) SetPermission(login string, role Role) {
	defer r.lock()()
	r.user(login)
	r.access.give(login, role)
}

// SetPrivate hides the repository from whoever has no role in it.
func (r *Repo) SetPrivate(private bool) {
	defer r.lock()()
	r.access.private = private
}

// DisableIssues switches issues off: those of pull requests stay.
func (r *Repo) DisableIssues() {
	defer r.lock()()
	r.noIssues = true
}

// EnableIssues switches issues on again.
func (r *Repo) EnableIssues() {
	defer r.lock()()
	r.noIssues = false
}

// Rename gives the repository another name; requests to the old one are redirected.
func (r *Repo) Rename(name string) {
	defer r.lock()()
	r.Name = name
	r.world.repos.add(r)
}

// OwnedByUser makes the owner a person.
func (r *Repo) OwnedByUser() {
	defer r.lock()()
	r.access.owner.kind = "User"
	r.access.give(r.Owner, Admin)
}

// AddLabel makes a label of the repository.
func (r *Repo) AddLabel(name, color string) {
	defer r.lock()()
	r.labels.get(name, color)
}

// Labels are the names of the repository's labels.
func (r *Repo) Labels() []string {
	defer r.lock()()
	return labelNames(r.labels.list)
}
