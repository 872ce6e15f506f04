package ghtest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

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

// isOver tells whether a token of an installation works no longer.
func (t *token) isOver(now time.Time) bool {
	return t.installation != nil && (t.installation.removed || !now.Before(t.until))
}

// isFor tells whether a token may be more than a stranger in a repository: one of an
// installation was given for some.
func (t *token) isFor(r *Repo) bool {
	return t.installation == nil || t.installation.includes(r) && (t.only == nil || slices.Contains(t.only, r))
}

// sees tells whether a repository exists for a token; nil is none.
func (t *token) sees(r *Repo) bool {
	switch {
	case r == nil:
		return false
	case t.app == 0:
		return r.access.role(t.user) != None
	case !r.access.private:
		return true
	}
	return t.isFor(r)
}

// may tells whether the token has one of the permissions at the level.
func (t *token) may(level string, names ...string) bool {
	for _, name := range names {
		if slices.Contains([]string{write, level}, t.permissions[name]) {
			return true
		}
	}
	return false
}

// tokens are all that were given out and not revoked.
type tokens struct {
	clock   *clock
	byValue map[string]*token
}

// give gives a token its value.
func (all *tokens) give(t *token) *token {
	t.value = fmt.Sprintf("ghs_%d%s", all.clock.next(), strings.Repeat("k", 24))
	all.byValue[t.value] = t
	return t
}

// live is a token that still works.
func (all *tokens) live(value string) *token {
	t := all.byValue[value]
	if t == nil || t.isOver(all.clock.time()) {
		return nil
	}
	return t
}

// PersonToken is a token of a person: it may do what its owner may, except what is
// left to apps.
func (s *Server) PersonToken(login string) string {
	return s.give(login, token{})
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
	return s.give(login, token{app: app, permissions: granted(permissions)})
}

// granted spells permissions as workflows do; REST writes pull_requests.
func granted(permissions map[string]string) map[string]string {
	all := map[string]string{"metadata": read}
	for name, level := range permissions {
		all[strings.ReplaceAll(name, "_", "-")] = level
	}
	return all
}

// give makes a token of an account.
func (s *Server) give(login string, t token) string {
	defer s.world.lock()()
	t.user, t.limit = s.world.accounts.get(login), 5000
	return s.world.tokens.give(&t).value
}

// Revoke makes a token worthless.
func (s *Server) Revoke(value string) {
	defer s.world.lock()()
	delete(s.world.tokens.byValue, value)
}

// SetPermissionsOf changes what a token of an app may do.
func (s *Server) SetPermissionsOf(value string, permissions map[string]string) {
	defer s.world.lock()()
	if t := s.world.tokens.byValue[value]; t != nil {
		t.permissions = granted(permissions)
	}
}

// SetLimit changes how many requests a token has in an hour, the past ones of this
// hour included.
func (s *Server) SetLimit(value string, limit int) {
	defer s.world.lock()()
	if t := s.world.tokens.byValue[value]; t != nil {
		t.limit = limit
	}
}

// Reach names the repositories that a token of an installation was given for, oldest
// first; none for what is no such token, or no longer.
func (s *Server) Reach(value string) []string {
	defer s.world.lock()()
	t := s.world.tokens.live(value)
	if t == nil || t.installation == nil {
		return nil
	}
	var names []string
	for _, r := range t.installation.all() {
		if t.isFor(r) {
			names = append(names, r.full())
		}
	}
	return names
}
