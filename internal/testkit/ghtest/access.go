package ghtest

import (
	"cmp"
	"slices"
	"strings"
)

// Role is what an account may do in a repository, spelt as role_name.
type Role string

// The roles of a repository, weakest first.
const (
	None     Role = "none"
	Read     Role = "read"
	Triage   Role = "triage"
	Write    Role = "write"
	Maintain Role = "maintain"
	Admin    Role = "admin"
)

// rank orders roles.
func (r Role) rank() int {
	return max(0, slices.Index([]Role{None, Read, Triage, Write, Maintain, Admin}, r))
}

// older are the roles that the older field of the API does not know, with those it names.
var older = map[Role]Role{Maintain: Write, Triage: Read, "": None}

// legacy is the role as the older field of the API names it.
func (r Role) legacy() string { return string(cmp.Or(older[r], r)) }

// access is who owns a repository and who may do what in it.
type access struct {
	owner   *user
	private bool            // hidden from whoever has no role
	roles   map[string]Role // by lower-case login
}

func (a *access) give(login string, role Role) { a.roles[strings.ToLower(login)] = role }

// role is what an account may do. Everybody reads a public repository.
func (a *access) role(u *user) Role {
	if role, ok := a.roles[strings.ToLower(u.login)]; ok {
		return role
	}
	if a.private {
		return None
	}
	return Read
}

// allows tells whether an account has at least a role.
func (a *access) allows(u *user, least Role) bool { return a.role(u).rank() >= least.rank() }

// association is what author_association shows.
func (a *access) association(u *user) string {
	switch {
	case u == a.owner:
		return "OWNER"
	case u.kind == "Bot", !a.allows(u, Triage):
		return "NONE"
	case a.owner.kind == "Organization":
		return "MEMBER"
	}
	return "COLLABORATOR"
}
