package pull

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// access is what an account may do on GitHub.
type access struct {
	Permission debate.Permission
	Bot        bool
}

// rules are the settings of who may command what.
func (s *Snapshot) rules() comment.Rules {
	escalation := s.config.Escalation
	return comment.Rules{Deciders: debate.Permission(escalation.Deciders), AuthorMayDecide: *escalation.AuthorMayDecide}
}

// knows reports whether the rights of an account were looked up.
func (s *Snapshot) knows(a gh.Account) bool {
	_, asked := s.Access[a.Login]
	return asked
}

// makers are the accounts that authored, committed or pushed a commit of the head.
func (s *Snapshot) makers() []gh.Account {
	all := slices.Clone(s.Pushers)
	for _, c := range s.Pull.Commits {
		all = append(all, c.By...)
	}
	return all
}

// actor is an account with its rights.
func (s *Snapshot) actor(a gh.Account) debate.Actor {
	at, repository := s.Access[a.Login], s.Pull.Repository
	isSame := func(by gh.Account) bool { return a.Login != "" && strings.EqualFold(by.Login, a.Login) }
	made := a.Login == s.Pull.Author.Login || slices.ContainsFunc(s.makers(), isSame)
	who := debate.Actor{Login: a.Login, Permission: at.Permission, Bot: a.Bot || at.Bot, Author: made}
	who.OwnsRepo = who.Author && repository.OwnerIsUser && strings.EqualFold(a.Login, repository.Owner)
	return who
}

// otherMakers are the people other than the author who made or pushed commits of the head.
func (s *Snapshot) otherMakers() []string {
	var all []string
	for _, by := range s.makers() {
		if by.Login != "" && !by.Bot && by.Login != s.Pull.Author.Login && !slices.Contains(all, by.Login) {
			all = append(all, by.Login)
		}
	}
	return all
}

// barred returns the reason why an account may not answer an item under the current
// settings, "" if it may.
func (s *Snapshot) barred(by debate.Actor) (why string) {
	return comment.Barred(comment.Command{Verb: comment.Decide}, by, s.rules())
}

// mayDecide reports whether an account may answer an item.
func (s *Snapshot) mayDecide(by debate.Actor) bool { return s.barred(by) == "" }

// works reports whether an account takes part in the work on the pull request.
func (s *Snapshot) works(a gh.Account) bool {
	who := s.actor(a)
	return who.Author || who.Permission.AtLeast(debate.WriteAccess)
}

// byStranger reports whether the author may not cause costs by himself.
func (s *Snapshot) byStranger() bool {
	return !s.Access[s.Pull.Author.Login].Permission.AtLeast(debate.WriteAccess)
}

// account is the account with a login.
func account(login string) gh.Account {
	return gh.Account{Login: login, Bot: strings.HasSuffix(login, "[bot]")}
}
