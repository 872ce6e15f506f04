package comment

import "github.com/prdebate/debate/internal/debate"

// Rules are the settings that say who may decide.
type Rules struct {
	Deciders        debate.Permission // least permission of a decider; below write counts as write
	AuthorMayDecide bool
}

// Barred says why somebody may not give a command (S09), in a sentence without its
// subject, such as "needs write access", or "". Reading the status is free to everybody
// who can comment; what costs money needs write; what decides needs a person other
// than the author, unless the rules or the ownership of the repository allow it. Who
// that is the platform's API says, never a name.
func Barred(c Command, who debate.Actor, rules Rules) (why string) {
	form, known := formOf(c.Verb)
	least := form.least
	if c.Verb == Decide && !least.AtLeast(rules.Deciders) {
		least = rules.Deciders
	}
	switch {
	case who.Bot:
		return "is a bot"
	case !known:
		return "gave no command"
	case who.Author && c.Verb == Dispute: // it defends the change
		return ""
	case !who.Permission.AtLeast(least):
		return "needs " + string(least) + " access"
	case !form.decides, !who.Author, rules.AuthorMayDecide, who.OwnsRepo:
		return ""
	}
	return "is an author of the change"
}
