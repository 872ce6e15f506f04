package comment

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Verb is the first word of a command.
type Verb string

// The verbs.
const (
	Run     Verb = "run"
	Dispute Verb = "dispute"
	Dismiss Verb = "dismiss"
	Explain Verb = "explain"
	Ask     Verb = "ask"
	Decide  Verb = "decide"
	Waive   Verb = "waive"
	Stop    Verb = "stop"
	Pause   Verb = "pause"
	Resume  Verb = "resume"
	Status  Verb = "status"
	Help    Verb = "help"
)

// Holding is how long a command counts.
type Holding string

// How long commands count.
const (
	Once         Holding = "once"
	ThisCommit   Holding = "for this commit"
	AllCommits   Holding = "for all commits"
	UntilChanged Holding = "until changed"
	SameLines    Holding = "for the same lines" // carried out once: the debate remembers it
)

// Spec is a command: its form, its permissions, its duration, and its texts for people. The
// parser, the permissions, the guesses, /debate help and docs/commands.md are made from it.
// Package pull carries it out (commandsOf), and answers it (settlement.textFor).
type Spec struct {
	Verb    Verb
	Aliases []string // other words for it
	Usage   string   // the words after it; [optional]
	read    func(*arguments, *Command) (problem string)
	Text    bool // a reason or another text ends it, over several lines

	Least    debate.Permission
	Others   bool // not for the author, unless the rules say so or the repository is theirs
	Author   bool // also for an author without this permission
	Deciders bool // the settings can raise the least permission
	OnIssue  bool // also on the issue of a decision

	Holds  Holding
	Orders bool // the debate obeys it
	Models bool // it asks models about one point
	Shows  bool // its answer shows the remembered debate

	Effect, Answer string // for people, in Markdown
	See            string // a page of docs with more, "" for none
}

// Commands is the table of the commands, in the order of the documentation.
func Commands() []Spec {
	return []Spec{
		{
			Verb: Run, Aliases: []string{"", "review"}, Usage: " [code|proposal|mixed] [quick|minimal|standard]", read: (*arguments).run,
			Least: debate.WriteAccess, Holds: Once,
			Effect: "reviews the newest commit. Add `code`, `proposal` or `mixed`, and `quick`, `minimal` or `standard`", Answer: "the review",
		},
		{
			Verb: Dispute, Aliases: []string{"defend"}, Usage: " F3 WHY", Text: true,
			read: func(a *arguments, c *Command) (problem string) {
				if almostID().MatchString(a.peek()) {
					problem = a.finding(c)
				}
				return problem
			},
			Least: debate.WriteAccess, Author: true, Holds: Once, Models: true,
			Effect: "has the models debate a finding again, at most three times on a pull request. In its thread leave out the id",
			Answer: "what each model says now",
		},
		{
			Verb: Dismiss, Usage: " F3 WHY", read: (*arguments).finding, Text: true,
			Least: debate.WriteAccess, Others: true, Holds: AllCommits, Orders: true,
			Effect: "drops a finding", Answer: "👍",
		},
		{
			Verb: Explain, Usage: " F3", read: (*arguments).finding,
			Least: debate.WriteAccess, Holds: Once, Shows: true,
			Effect: "shows the debate about a finding from the beginning", Answer: "the debate",
		},
		{
			Verb: Ask, Usage: " [--framing NAME] QUESTION", read: (*arguments).ask, Text: true,
			Least: debate.WriteAccess, Holds: Once, Models: true,
			Effect: "debates a question about this pull request", Answer: "the result", See: "ask.md",
		},
		{
			Verb: Decide, Usage: " [D1] OPTION WHY", read: (*arguments).decide, Text: true,
			Least: debate.WriteAccess, Others: true, Deciders: true, OnIssue: true, Holds: SameLines,
			Effect: "takes a decision: `keep` (merge it as it is), `revise` (changes first), `reject` (do not merge), or an option in the issue. If several are open, name one: `/debate decide D1 OPTION WHY`",
			Answer: "👍, and what else blocks the merge", See: "gate.md#decide",
		},
		{
			Verb: Waive, Usage: " REASON WHY", read: (*arguments).waive, Text: true,
			Least: debate.MaintainRole, Others: true, Holds: ThisCommit, Orders: true,
			Effect: "removes a reason to ask people, such as `destructive_schema`", Answer: "👍", See: "gate.md#when-a-person-decides",
		},
		{
			Verb: Stop, read: (*arguments).nothing, Least: debate.WriteAccess, Holds: Once,
			Effect: "ends a running review before its next round, and publishes its results", Answer: "👍, or a reply if no review runs",
		},
		{
			Verb: Pause, read: (*arguments).nothing, Least: debate.WriteAccess, Holds: UntilChanged,
			Effect: "stops automatic reviews of this pull request", Answer: "👍, and how they start again",
		},
		{
			Verb: Resume, read: (*arguments).nothing, Least: debate.WriteAccess, Holds: UntilChanged,
			Effect: "starts them again", Answer: "👍, or a reply if they were not paused",
		},
		{Verb: Status, read: (*arguments).nothing, Holds: Once, Shows: true, Effect: "shows the state of the review", Answer: "the state"},
		{Verb: Help, read: (*arguments).nothing, OnIssue: true, Holds: Once, Effect: "lists these commands", Answer: "this table"},
	}
}

// Spec is the row of a verb, the zero value if there is none.
func (v Verb) Spec() Spec {
	all := Commands()
	if i := slices.IndexFunc(all, func(s Spec) bool { return s.Verb == v }); i >= 0 {
		return all[i]
	}
	return Spec{}
}

// verbOf is the verb of a word or of another word for it, "" for none.
func verbOf(word string) Verb {
	for _, s := range Commands() {
		if word == string(s.Verb) || slices.Contains(s.Aliases, word) {
			return s.Verb
		}
	}
	return ""
}

// Usage is how a command is written.
func (v Verb) Usage() string { return address + " " + string(v) + v.Spec().Usage }

// Forms are the ways to write a command without its optional parts.
func (s Spec) Forms() []string {
	forms := []string{written(s.Verb, "")}
	for _, alias := range s.Aliases {
		forms = append(forms, strings.TrimSpace(address+" "+alias))
	}
	return forms
}

// Allowed says who may give a command.
func (s Spec) Allowed() string {
	who := string(s.Least) + " access"
	switch {
	case s.Least == debate.NoPermission:
		return "everyone but bots"
	case s.Deciders:
		return "set by `escalation` in the settings"
	case s.Author:
		who += ", or the author"
	case s.Others:
		who += ", not the author"
	}
	return who
}

// Rules has the settings for deciders.
type Rules struct {
	Deciders        debate.Permission // least permission of a decider; below write counts as write
	AuthorMayDecide bool
}

// Barred says why a person may not give a command, in a sentence without its
// subject, such as "needs write access", or "".
func Barred(c Command, who debate.Actor, rules Rules) (why string) {
	s := c.Verb.Spec()
	least := s.Least
	if s.Deciders && !least.AtLeast(rules.Deciders) {
		least = rules.Deciders
	}
	if s.Author && who.Author {
		least = debate.NoPermission
	}
	why = debate.Refusal(who, least, !s.Others || rules.AuthorMayDecide)
	if why == "" && s.Verb == "" {
		return "gave no command"
	}
	return why
}
