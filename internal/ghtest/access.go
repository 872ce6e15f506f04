package ghtest

import "strings"

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
	for i, role := range []Role{None, Read, Triage, Write, Maintain, Admin} {
		if role == r {
			return i
		}
	}
	return 0
}

// legacy is the role as the older field of the API names it.
func (r Role) legacy() string {
	switch r {
	case Maintain:
		return string(Write)
	case Triage:
		return string(Read)
	case "":
		return string(None)
	}
	return string(r)
}

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
	case u.kind == "Bot":
		return "NONE"
	case a.allows(u, Triage) && a.owner.kind == "Organization":
		return "MEMBER"
	case a.allows(u, Triage):
		return "COLLABORATOR"
	}
	return "NONE"
}
