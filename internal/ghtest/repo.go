package ghtest

import (
	"strings"
	"time"
)

// Repo is a repository.
type Repo struct {
	Owner, Name string
	ID          int64

	s             *Server
	owner         *user
	private       bool
	noIssues      bool
	defaultBranch string
	created       time.Time
	parent        *Repo // of a fork
	objects       *objects
	branches      map[string]string
	roles         map[string]Role
	labels        []*label
	items         []*Issue // issues and pull requests, in the order of their numbers
	numbers       int      // given so far
	checks        []*CheckRun
	statuses      []*Status
	queues        map[string][]queued // by branch
	archive       []byte              // of any commit; nil: as it is
}

type label struct {
	id                       int64
	name, color, description string
}

// Repo is the repository of that name ("owner/name"). It is made when it is named
// first: public, of an organisation, with the branch main as its default.
func (s *Server) Repo(name string) *Repo {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.repos[strings.ToLower(name)]; r != nil {
		return r
	}
	return s.newRepo(name, &objects{commits: map[string]*commit{}, blobs: map[string][]byte{}, trees: map[string][]entry{}})
}

func (s *Server) newRepo(full string, store *objects) *Repo {
	owner, name, _ := strings.Cut(full, "/")
	whose := s.accounts.owner(owner)
	r := &Repo{
		s: s, ID: s.clock.next(), Owner: owner, Name: name, owner: whose, defaultBranch: "main", created: s.clock.tick(), objects: store,
		branches: map[string]string{}, roles: map[string]Role{}, queues: map[string][]queued{},
	}
	if r.owner.kind == "User" {
		r.roles[strings.ToLower(owner)] = Admin
	}
	for _, name := range []string{"bug", "enhancement"} {
		r.labels = append(r.labels, &label{id: s.clock.next(), name: name, color: "d73a4a"})
	}
	s.repos[strings.ToLower(full)], s.byID[r.ID] = r, r
	return r
}

// Fork is a fork of the repository that belongs to a person.
func (r *Repo) Fork(owner string) *Repo {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.accounts.get(owner)
	fork := r.s.newRepo(owner+"/"+r.Name, r.objects)
	fork.parent, fork.private = r, r.private
	for name, sha := range r.branches {
		fork.branches[name] = sha
	}
	return fork
}

// Delete makes the repository a fork that is gone.
func (r *Repo) Delete() {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	for name, repo := range r.s.repos {
		if repo == r {
			delete(r.s.repos, name)
		}
	}
	delete(r.s.byID, r.ID)
}

// full is the name with the owner.
func (r *Repo) full() string { return r.Owner + "/" + r.Name }

func (r *Repo) lock() func() {
	r.s.mu.Lock()
	return r.s.mu.Unlock
}

// SetPermission gives a person a role.
func (r *Repo) SetPermission(login string, role Role) {
	defer r.lock()()
	r.s.accounts.get(login)
	r.roles[strings.ToLower(login)] = role
}

// SetPrivate hides the repository from whoever has no role in it.
func (r *Repo) SetPrivate(private bool) {
	defer r.lock()()
	r.private = private
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
	r.s.repos[strings.ToLower(r.full())] = r
}

// OwnedByUser makes the owner a person.
func (r *Repo) OwnedByUser() {
	defer r.lock()()
	r.owner.kind = "User"
	r.roles[strings.ToLower(r.Owner)] = Admin
}

// role is what an account may do. Everybody reads a public repository.
func (r *Repo) role(u *user) Role {
	if role, ok := r.roles[strings.ToLower(u.login)]; ok {
		return role
	}
	if r.private {
		return None
	}
	return Read
}

// association is what author_association shows.
func (r *Repo) association(u *user) string {
	switch role := r.role(u); {
	case u == r.owner:
		return "OWNER"
	case u.kind == "Bot":
		return "NONE"
	case role.rank() >= Triage.rank() && r.owner.kind == "Organization":
		return "MEMBER"
	case role.rank() >= Triage.rank():
		return "COLLABORATOR"
	}
	return "NONE"
}

// AddLabel makes a label of the repository.
func (r *Repo) AddLabel(name, color string) {
	defer r.lock()()
	r.label(name, color)
}

// label finds a label, regardless of case, or makes it.
func (r *Repo) label(name, color string) *label {
	if l := r.findLabel(name); l != nil {
		return l
	}
	l := &label{id: r.s.clock.next(), name: name, color: color}
	r.labels = append(r.labels, l)
	return l
}

func (r *Repo) findLabel(name string) *label {
	for _, l := range r.labels {
		if strings.EqualFold(l.name, name) {
			return l
		}
	}
	return nil
}

// item is the issue or the pull request of that number.
func (r *Repo) item(number int) *Issue {
	for _, i := range r.items {
		if i.Number == number {
			return i
		}
	}
	return nil
}

// Labels are the names of the repository's labels.
func (r *Repo) Labels() []string {
	defer r.lock()()
	var names []string
	for _, l := range r.labels {
		names = append(names, l.name)
	}
	return names
}
