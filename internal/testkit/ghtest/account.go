package ghtest

import "strings"

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

// accounts are the people, the bots and the organisations, by lower-case login.
type accounts struct {
	clock   *clock
	byLogin map[string]*user
}

// get is the account of that login. Whoever is named exists.
func (a *accounts) get(login string) *user {
	if u := a.find(login); u != nil {
		return u
	}
	u := &user{id: a.clock.next(), login: login, kind: "User"}
	if strings.HasSuffix(login, "[bot]") {
		u.kind = "Bot"
	}
	a.byLogin[strings.ToLower(login)] = u
	return u
}

// find is the account of that login, nil for one that nobody has named yet.
func (a *accounts) find(login string) *user { return a.byLogin[strings.ToLower(login)] }

// owner is who something belongs to: an organisation, unless it is known as a person.
func (a *accounts) owner(login string) *user {
	if u := a.find(login); u != nil {
		return u
	}
	u := a.get(login)
	u.kind = "Organization"
	return u
}
