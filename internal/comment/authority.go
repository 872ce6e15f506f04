package comment

import (
	"github.com/prdebate/debate/internal/debate"
)

// Who is the sender of a command, as the platform's API describes the account,
// never by its name.
type Who struct {
	Permission debate.Permission // unknown ones count as none
	Bot        bool              // an app, a bot or this identity itself
	Author     bool              // opened the pull request
	OwnsRepo   bool              // the repository belongs to this user account
}

// Rules are the settings that say who may decide.
type Rules struct {
	Deciders        debate.Permission // least permission of a decider; below write counts as write
	AuthorMayDecide bool
}

// May says who may give which command (S09). If not, why is a sentence without its
// subject, such as "needs write access". Reading the status is free to everybody
// who can comment; what costs money needs write; what decides needs a person other
// than the author, unless the rules or the ownership of the repository allow it.
func May(c Command, who Who, rules Rules) (ok bool, why string) {
	form, known := formOf(c.Verb)
	least := form.least
	if c.Verb == Decide && !least.AtLeast(rules.Deciders) {
		least = rules.Deciders
	}
	defends := c.Verb == Dispute && who.Author
	mayDecide := !who.Author || rules.AuthorMayDecide || who.OwnsRepo
	switch {
	case who.Bot:
		return false, "is a bot"
	case !known:
		return false, "gave no command"
	case defends:
		return true, ""
	case !who.Permission.AtLeast(least):
		return false, "needs " + string(least) + " access"
	case form.decides && !mayDecide:
		return false, "is the author of the change"
	}
	return true, ""
}
