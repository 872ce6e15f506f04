package pull

import (
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// people are the accounts on a pull request, with their rights on GitHub.
type people struct {
	author     gh.Account   // of the pull request
	makers     []gh.Account // authored, committed or pushed a commit of the head
	repository gh.Repository
	rules      comment.Rules
	access     map[string]access // by login; only for accounts already looked up
}

type access struct {
	Permission debate.Permission
	Bot        bool
}

// makers are the accounts that commits name.
func makers(commits []gh.Commit) []gh.Account {
	var all []gh.Account
	for _, c := range commits {
		all = append(all, c.By...)
	}
	return all
}

// knows reports whether the rights of an account were looked up.
func (p people) knows(a gh.Account) bool {
	_, asked := p.access[a.Login]
	return asked
}

// with are the same people, and one more.
func (p people) with(login string, may access) people {
	p.access = maps.Clone(p.access)
	p.access[login] = may
	return p
}

// actor is an account with its rights.
func (p people) actor(a gh.Account) debate.Actor {
	at := p.access[a.Login]
	isSame := func(by gh.Account) bool { return a.Login != "" && strings.EqualFold(by.Login, a.Login) }
	made := a.Login == p.author.Login || slices.ContainsFunc(p.makers, isSame)
	who := debate.Actor{Login: a.Login, Permission: at.Permission, Bot: a.Bot || at.Bot, Author: made}
	who.OwnsRepo = who.Author && p.repository.OwnerIsUser && strings.EqualFold(a.Login, p.repository.Owner)
	return who
}

// others are the people other than the author who made or pushed commits of the head.
func (p people) others() []string {
	var all []string
	for _, by := range p.makers {
		if by.Login != "" && !by.Bot && by.Login != p.author.Login && !slices.Contains(all, by.Login) {
			all = append(all, by.Login)
		}
	}
	return all
}

// barred returns the reason why an account may not answer an item under the current
// settings, "" if it may.
func (p people) barred(by debate.Actor) (why string) {
	return comment.Barred(comment.Command{Verb: comment.Decide}, by, p.rules)
}

// mayDecide reports whether an account may answer an item.
func (p people) mayDecide(by debate.Actor) bool { return p.barred(by) == "" }

// works reports whether an account takes part in the work on the pull request.
func (p people) works(a gh.Account) bool {
	who := p.actor(a)
	return who.Author || who.Permission.AtLeast(debate.WriteAccess)
}

// stranger reports whether the author may not cause costs by himself.
func (p people) stranger() bool {
	return !p.access[p.author.Login].Permission.AtLeast(debate.WriteAccess)
}

// account is the account with a login.
func account(login string) gh.Account {
	return gh.Account{Login: login, Bot: strings.HasSuffix(login, "[bot]")}
}

// authorDecides reports whether the author may answer questions.
func (p people) authorDecides() bool { return p.rules.AuthorMayDecide || p.actor(p.author).OwnsRepo }
