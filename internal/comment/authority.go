package comment

import (
	"github.com/prdebate/debate/internal/debate"
)

// Who is the sender of a command, as the platform's API describes the account
// (T13): never by its name.
type Who struct {
	Permission debate.Permission // unknown ones count as none
	Bot        bool              // an app, a bot or this identity itself (T11, T12)
	Author     bool              // opened the pull request
	OwnsRepo   bool              // the repository belongs to this user account (S09)
}

// Rules are the settings that say who may decide.
type Rules struct {
	Deciders        debate.Permission // least permission of a decider; below write counts as write
	AuthorMayDecide bool
}

// May says who may give which command (S09, T14). If not, why is a sentence
// without its subject, such as "needs write access". Reading the status is free
// to everybody who can comment; what costs money needs write; what decides needs
// a person other than the author, unless the rules or the ownership of the
// repository allow it.
func May(c Command, who Who, rules Rules) (ok bool, why string) {
	if who.Bot {
		return false, "is a bot"
	}
	least, decides := debate.WriteAccess, false
	switch c.Verb {
	case Status, Help:
		least = debate.NoPermission
	case Run, Stop, Pause, Resume, Explain, Ask:
	case Dispute:
		if who.Author {
			return true, ""
		}
	case Dismiss:
		decides = true
	case Decide:
		decides = true
		if !least.AtLeast(rules.Deciders) {
			least = rules.Deciders
		}
	case Waive:
		decides, least = true, debate.MaintainRole
	default:
		return false, "gave no command"
	}
	switch {
	case !who.Permission.AtLeast(least):
		return false, "needs " + string(least) + " access"
	case decides && who.Author && !rules.AuthorMayDecide && !who.OwnsRepo:
		return false, "is the author of the change"
	}
	return true, ""
}
