package ghtest

import (
	"fmt"
	"strings"
	"time"
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

// ActionsApp is the app behind the token of a workflow's job.
const ActionsApp = 15368

// ActionsBot is the account that a workflow's job acts as.
const ActionsBot = "github-actions[bot]"

type user struct {
	id    int64
	login string // as REST spells it: a bot's ends in [bot]
	kind  string // User, Bot or Organization
}

// name is the login as GraphQL spells it.
func (u *user) name() string { return strings.TrimSuffix(u.login, "[bot]") }

// token is what a request is authorised with.
type token struct {
	value       string
	user        *user
	app         int64             // 0 for the token of a person
	permissions map[string]string // of an app's token, spelt as in a workflow
	limit, used int               // of the requests in an hour
	reset       time.Time         // when the hour ends

	installation *Installation // nil for a token that is not limited to one
	only         []*Repo       // of the installation; nil for all
	until        time.Time     // of an installation's token
}

// spent tells whether the limit is reached; an hour later it is a new one.
func (t *token) spent(now time.Time) bool {
	if !now.Before(t.reset) {
		t.used, t.reset = 0, now.Truncate(time.Hour).Add(time.Hour)
	}
	return t.used >= t.limit
}

// SetLimit changes how many requests a token has in an hour, the past ones of this
// hour included.
func (s *Server) SetLimit(value string, limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tokens[value]; t != nil {
		t.limit = limit
	}
}

// user is the account of that login. Whoever is named exists.
func (s *Server) user(login string) *user {
	key := strings.ToLower(login)
	if u := s.users[key]; u != nil {
		return u
	}
	u := &user{id: s.clock.next(), login: login, kind: "User"}
	if strings.HasSuffix(login, "[bot]") {
		u.kind = "Bot"
	}
	s.users[key] = u
	return u
}

// PersonToken is a token of a person: it may do what its owner may, except what is
// left to apps.
func (s *Server) PersonToken(login string) string {
	return s.token(&token{user: s.locked(login), limit: 5000})
}

// JobToken is the token of a workflow's job with the permissions that the workflow
// asks for, e.g. {"contents": "read", "pull-requests": "write"}.
func (s *Server) JobToken(permissions map[string]string) string {
	return s.AppToken(ActionsBot, ActionsApp, permissions)
}

// ForkToken is the token of a job that a pull request of a fork started: it reads.
func (s *Server) ForkToken() string {
	return s.JobToken(map[string]string{
		"contents": read, "pull-requests": read, "issues": read, "checks": read, "statuses": read,
	})
}

// AppToken is a token of an app's installation; login is that of its bot.
func (s *Server) AppToken(login string, app int64, permissions map[string]string) string {
	return s.token(&token{user: s.locked(login), app: app, permissions: granted(permissions), limit: 5000})
}

// granted spells permissions as workflows do; REST writes pull_requests.
func granted(permissions map[string]string) map[string]string {
	all := map[string]string{"metadata": read}
	for name, level := range permissions {
		all[strings.ReplaceAll(name, "_", "-")] = level
	}
	return all
}

// Revoke makes a token worthless.
func (s *Server) Revoke(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tokens, value)
}

// SetPermissionsOf changes what a token of an app may do.
func (s *Server) SetPermissionsOf(value string, permissions map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tokens[value]; t != nil {
		t.permissions = granted(permissions)
	}
}

func (s *Server) locked(login string) *user {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user(login)
}

func (s *Server) token(t *token) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.value = fmt.Sprintf("ghs_%d%s", s.clock.next(), strings.Repeat("k", 24))
	s.tokens[t.value] = t
	return t.value
}

// may tells whether the token has one of the permissions at the level.
func (t *token) may(level string, names ...string) bool {
	for _, name := range names {
		if has := t.permissions[name]; has == write || has == level {
			return true
		}
	}
	return false
}
