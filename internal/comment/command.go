package comment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/spelling"
)

// Command is a command of a person. Fields not taken by its verb are empty.
type Command struct {
	Verb     Verb
	Mode     debate.Mode   // of run; "": as configured
	Scope    debate.Target // of run; "": as configured
	Finding  string        // such as F3; "" in a dispute: the one of the thread
	Decision string        // such as D1; "": the open one
	Option   string
	Trigger  debate.TriggerID
	Framing  debate.Framing // "": the default
	Text     string         // dispute, reason or question; hostile
}

// String is a command without its text, as it may be written; "" for the zero value.
func (c Command) String() string {
	if c.Verb == "" {
		return ""
	}
	words := []string{address, string(c.Verb), string(c.Scope), string(c.Mode), c.Finding, c.Decision, c.Option, string(c.Trigger)}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// Bounds of a comment.
const (
	maxComment  = 64 << 10 // bytes of a comment
	maxCommands = 20       // commands of a comment
	maxCommand  = 2 << 10  // bytes of the text of a command
)

const address = "/debate"

var (
	findingID  = lazyregexp.New(`^F[1-9][0-9]{0,4}$`)
	almostID   = lazyregexp.New(`(?i)^[FC]-?[0-9]+[[:punct:]]?$`)
	meantAsID  = lazyregexp.New(`(?i)^[DF]-?[0-9]+[[:punct:]]?$`)
	decisionID = lazyregexp.New(`^D(0|[1-9][0-9]{0,3})$`)
	optionID   = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// Given is one command of a comment.
type Given struct {
	Command
	// Wrong says why the words after "/debate" are no command, with one to write instead. It repeats
	// nothing of the comment but the number of a finding. Command is empty then.
	Wrong error
}

// Parse reads the commands of a comment, in their order. A line that begins with the word
// "/debate" is a command, in capitals too, after blanks and as an item of a list; but not in code,
// in a quote or in hidden text. Its verb may be on the next line. The text of a command ends at the
// next one. Hidden text is left out, since readers of the page do not see it.
func Parse(body string) []Given {
	seen := strings.ToValidUTF8(clipBytes(body, maxComment), "\uFFFD")
	seen = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(seen)
	var found []arguments
	var code fence
	continues := false // the line before is text after a command, so an indented line is no code in Markdown
	for line := range strings.SplitSeq(hiddenText().ReplaceAllString(seen, " "), "\n") {
		text := line
		if continues && len(found) > 0 {
			text = strings.TrimLeft(line, " \t")
		}
		isIndented := strings.HasPrefix(text, "    ") || strings.HasPrefix(strings.TrimLeft(text, " "), "\t")
		if code.mark == "" {
			text = listMark().ReplaceAllString(text, "$1")
		}
		a := arguments{line: text}
		isCode := code.takes(text) || isIndented
		continues = !isCode && strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimLeft(text, " "), ">")
		switch {
		case isCode, !strings.EqualFold(strings.TrimRight(a.word(), ":,"), address):
			if len(found) > 0 {
				found[len(found)-1].add(line, isCode)
			}
		case len(found) > maxCommands:
		default:
			found = append(found, a)
		}
	}
	var all []Given
	for i, a := range found {
		if i == maxCommands {
			return append(all, Given{Wrong: fmt.Errorf("a comment may give %d commands, and this one gives more. Write the others in a new comment", maxCommands)})
		}
		c, err := a.command()
		all = append(all, Given{Command: c, Wrong: err})
	}
	return all
}

// listMark matches the mark of an item of a list, with its box to tick.
var listMark = lazyregexp.New(`^ {0,3}(?:[-*+]|[0-9]{1,9}[.)]) {1,4}(?:\[[ xX]\] )?([^ \t])`)

// arguments has the unread words of the first line of a command, and the lines after it.
type arguments struct {
	line    string
	further []string
}

// add adds a line after a command. It is the command if the address is alone and the line begins
// with a verb.
func (a *arguments) add(line string, isCode bool) {
	verb := (&arguments{line: line}).word()
	if !isCode && len(a.further) == 0 && a.peek() == "" && verb != "" && verbOf(strings.ToLower(verb)) != "" {
		a.line = line
		return
	}
	a.further = append(a.further, line)
}

// word takes the next word, "" if there is none. White space separates words. Invisible
// characters are left out.
func (a *arguments) word() string {
	a.line = strings.TrimLeftFunc(a.line, func(r rune) bool { return unicode.IsSpace(r) || !Visible(r) })
	end := strings.IndexFunc(a.line, unicode.IsSpace)
	if end < 0 {
		end = len(a.line)
	}
	word := a.line[:end]
	a.line = a.line[end:]
	return strings.Map(func(r rune) rune {
		if !Visible(r) {
			return -1
		}
		return r
	}, word)
}

// peek is the next word without taking it.
func (a *arguments) peek() string {
	ahead := *a
	return ahead.word()
}

// command reads a command.
func (a *arguments) command() (Command, error) {
	word := a.word()
	verb := verbOf(strings.ToLower(word))
	if verb == "" {
		var words []string
		for _, s := range Commands() {
			words = append(append(words, string(s.Verb)), s.Aliases...)
		}
		if meant := spelling.Nearest(word, words); meant != "" {
			return Command{}, errors.New("there is no such command. Did you mean `" + written(verbOf(meant), a.peek()) + "`?")
		}
		return Command{}, errors.New("there is no such command. `" + written(Help, "") + "` lists all of them")
	}
	c, spec := Command{Verb: verb}, verb.Spec()
	problem := spec.read(a, &c)
	if problem == "" {
		problem = a.end(spec, &c)
	}
	if problem == "" {
		return c, nil
	}
	return Command{}, errors.New(problem + ". Write `" + written(verb, c.Finding) + "`")
}

// end reads the end of a command: a text, or nothing. A reason is one line: it is shown in
// sentences and copied into settings.
func (a *arguments) end(s Spec, c *Command) (problem string) {
	if !s.Text {
		if a.word() != "" {
			return "it takes no more words"
		}
		return ""
	}
	text := strings.TrimSpace(a.line + "\n" + strings.Join(a.further, "\n"))
	if s.Others {
		for words := *a; words.line != ""; {
			word := strings.ToLower(words.word()) // perhaps after a mark: ok;/debate run
			if strings.HasSuffix(word, address) && !strings.HasSuffix(word, "`"+address) && verbOf(strings.ToLower(words.peek())) != "" {
				return "a line holds one command"
			}
		}
		text = strings.Join(strings.Fields(text), " ")
	}
	c.Text = strings.TrimSpace(clipBytes(text, maxCommand))
	switch {
	case c.Text != "":
		return ""
	case s.Verb == Ask:
		return "the question is missing"
	}
	return "it does not say why"
}

var (
	scopes = []debate.Target{debate.TargetCode, debate.TargetProposal, debate.TargetMixed}
	modes  = []debate.Mode{debate.Quick, debate.Minimal, debate.Standard}
)

func (a *arguments) run(c *Command) (problem string) {
	for word := strings.ToLower(a.word()); word != ""; word = strings.ToLower(a.word()) {
		target, mode := debate.Target(word), debate.Mode(word)
		switch {
		case c.Scope == "" && slices.Contains(scopes, target):
			c.Scope = target
		case c.Mode == "" && slices.Contains(modes, mode):
			c.Mode = mode
		default:
			return "at most one of " + list(scopes) + " and one of " + list(modes) + " may follow run"
		}
	}
	return ""
}

// nothing reads no argument.
func (*arguments) nothing(*Command) (problem string) { return "" }

// id takes the id of a finding or a decision, also in small letters or before a mark: f3:
func (a *arguments) id() string { return strings.ToUpper(strings.TrimRight(a.word(), ":,.;?!")) }

func (a *arguments) finding(c *Command) (problem string) {
	c.Finding = a.id()
	if !findingID().MatchString(c.Finding) {
		return "a finding has an id such as F3"
	}
	ahead := *a
	next := ahead.id()
	if next == "AND" || next == "&" || next == "+" {
		next = ahead.id()
	}
	if findingID().MatchString(next) {
		return "a command is about one finding"
	}
	return ""
}

func (a *arguments) ask(c *Command) (problem string) {
	if strings.HasPrefix(a.peek(), "--") {
		if a.word() != "--framing" {
			return "ask has one option, --framing"
		}
		c.Framing = debate.Framing(a.word())
		if !slices.Contains(debate.Framings(), c.Framing) {
			return "the framing is one of " + list(debate.Framings())
		}
	}
	return ""
}

func (a *arguments) decide(c *Command) (problem string) {
	if meantAsID().MatchString(a.peek()) {
		if c.Decision = a.id(); !decisionID().MatchString(c.Decision) {
			return "a decision has an id such as D1"
		}
	}
	if c.Option = strings.TrimRight(a.word(), ":,;"); !optionID().MatchString(c.Option) {
		return "it names no option"
	}
	return ""
}

func (a *arguments) waive(c *Command) (problem string) {
	c.Trigger = debate.TriggerID(strings.ToLower(strings.TrimRight(a.word(), ":,;")))
	if !slices.Contains(triggers(), c.Trigger) {
		return "the reason to ask people is one of " + list(triggers())
	}
	return ""
}

func triggers() []debate.TriggerID {
	return []debate.TriggerID{
		debate.TriggerArchitecture, debate.TriggerDeploy, debate.TriggerSecurity, debate.TriggerDestructiveSchema, debate.TriggerMoney,
		debate.TriggerGovernance, debate.TriggerIrreversible, debate.TriggerTie, debate.TriggerDivergence, debate.TriggerContested,
	}
}

func list[T ~string](names []T) string {
	return strings.Join(lists.Map(names, func(name T) string { return string(name) }), ", ")
}

// written is the shortest form of a command, about a finding if its id is given.
func written(v Verb, finding string) string {
	usage := optional().ReplaceAllString(v.Usage(), "")
	if findingID().MatchString(finding) {
		usage = strings.Replace(usage, " F3", " "+finding, 1)
	}
	return usage
}

// optional is an optional part of a usage.
var optional = lazyregexp.New(` \[[^\]]*\]`)
