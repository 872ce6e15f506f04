package comment

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Verb is what a command asks for.
type Verb string

// The verbs, in the order in which they are documented.
const (
	Run     Verb = "run"
	Stop    Verb = "stop"
	Status  Verb = "status"
	Help    Verb = "help"
	Pause   Verb = "pause"
	Resume  Verb = "resume"
	Dispute Verb = "dispute"
	Dismiss Verb = "dismiss"
	Explain Verb = "explain"
	Ask     Verb = "ask"
	Decide  Verb = "decide"
	Waive   Verb = "waive"
)

// verbs lists all verbs in the order in which they are documented.
func verbs() []Verb {
	return []Verb{Run, Stop, Status, Help, Pause, Resume, Dispute, Dismiss, Explain, Ask, Decide, Waive}
}

// Usage is how a command is written.
func (v Verb) Usage() string {
	switch v {
	case Run:
		return "/debate run [code|proposal|mixed] [quick|minimal|standard]"
	case Dispute:
		return "/debate dispute F3 TEXT"
	case Dismiss:
		return "/debate dismiss F3 REASON"
	case Explain:
		return "/debate explain F3"
	case Ask:
		return "/debate ask [--framing FRAMING] QUESTION"
	case Decide:
		return "/debate decide D1 OPTION REASON"
	case Waive:
		return "/debate waive TRIGGER REASON"
	}
	return "/debate " + string(v)
}

// Command is a command of a person. Fields that its verb does not take are
// empty.
type Command struct {
	Verb     Verb
	Mode     debate.Mode   // of run; "": what is configured
	Scope    debate.Target // of run; "": what is configured
	Finding  string        // such as F3; "" in a dispute: the one whose thread it stands in
	Decision string        // such as D1
	Option   string
	Trigger  debate.TriggerID
	Framing  debate.Framing // "": the default
	Text     string         // dispute, reason or question; hostile
	Cut      bool           // the comment was longer than maxCommand, and Text misses its end
}

// maxCommand is how many bytes of a comment are looked at.
const maxCommand = 2 << 10

// SyntaxError says why a comment that addresses the debate is no command. It
// repeats nothing of the comment.
type SyntaxError struct {
	Verb    Verb // "" where the verb itself is wrong
	Problem string
	Usage   []string // what may be written instead
}

func (e *SyntaxError) Error() string {
	return e.Problem + "; this can be written: " + strings.Join(e.Usage, " · ")
}

const address = "/debate"

var (
	findingID  = regexp.MustCompile(`^F[1-9][0-9]{0,4}$`)
	almostID   = regexp.MustCompile(`(?i)^[FC]-?[0-9]+[[:punct:]]?$`)
	decisionID = regexp.MustCompile(`^D(0|[1-9][0-9]{0,3})$`)
	optionID   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	hiddenText = regexp.MustCompile(`(?s)<!--.*?(-->|$)`)
)

// Parse reads a comment (T54). It is a command if its first bytes are "/debate",
// in this case, and the line ends there or goes on after a space or tab;
// everything else gives false. A comment that is meant as one but lies outside
// of the grammar gives a *SyntaxError and no command. Text goes on over the
// further lines of the comment; hidden text in it is left out, since nobody who
// reads the page sees it (T02). After a command without text they mean nothing.
func Parse(body string) (Command, bool, error) {
	rest, addressed := strings.CutPrefix(body, address)
	if !addressed || rest != "" && !strings.ContainsRune(" \t\r\n", rune(rest[0])) {
		return Command{}, false, nil
	}
	seen := strings.ToValidUTF8(clipBytes(body, maxCommand), "\uFFFD")
	seen = strings.ReplaceAll(seen[len(address):], "\r\n", "\n")
	line, further, more := strings.Cut(hiddenText.ReplaceAllString(seen, " "), "\n")
	cut := len(body) > maxCommand
	c, err := (&arguments{line: line, further: further}).command()
	if err == nil && cut && !more && !takesText(c.Verb) {
		err = surplus(c.Verb)
	}
	if err != nil {
		return Command{}, true, err
	}
	c.Cut = cut && c.Text != ""
	return c, true, nil
}

func surplus(v Verb) error {
	return &SyntaxError{Verb: v, Problem: "there is more than it takes", Usage: []string{v.Usage()}}
}

// arguments are the words of the first line that were not read yet, and the
// lines after it.
type arguments struct{ line, further string }

// word takes the next word; "" if there is none. Words are parted by spaces and
// tabs alone.
func (a *arguments) word() string {
	a.line = strings.TrimLeft(a.line, " \t\r")
	end := strings.IndexAny(a.line, " \t\r")
	if end < 0 {
		end = len(a.line)
	}
	word := a.line[:end]
	a.line = a.line[end:]
	return word
}

// peek is the next word without taking it.
func (a *arguments) peek() string {
	ahead := *a
	return ahead.word()
}

// text takes all that is left, on this line and on those below it.
func (a *arguments) text() string {
	return strings.TrimSpace(a.line + "\n" + a.further)
}

func (a *arguments) command() (Command, error) {
	name := a.word()
	verb := Verb(name)
	switch {
	case name == "":
		verb = Run
	case name == "defend":
		verb = Dispute
	case !slices.Contains(verbs(), verb):
		return Command{}, unknownVerb()
	}
	c := Command{Verb: verb}
	var problem string
	switch verb {
	case Run:
		problem = a.run(&c)
	case Dispute:
		problem = a.dispute(&c)
	case Dismiss:
		problem = a.finding(&c)
		c.Text = a.text()
	case Explain:
		problem = a.finding(&c)
	case Ask:
		problem = a.ask(&c)
	case Decide:
		problem = a.decide(&c)
	case Waive:
		problem = a.waive(&c)
	}
	switch {
	case problem != "":
	case takesText(verb) && c.Text == "":
		problem = "the reason or text is missing"
	case !takesText(verb) && a.word() != "":
		return Command{}, surplus(verb)
	}
	if problem != "" {
		return Command{}, &SyntaxError{Verb: verb, Problem: problem, Usage: []string{verb.Usage()}}
	}
	return c, nil
}

func takesText(v Verb) bool {
	return v == Dispute || v == Dismiss || v == Ask || v == Decide || v == Waive
}

func unknownVerb() error {
	e := &SyntaxError{Problem: "there is no such command"}
	for _, v := range verbs() {
		e.Usage = append(e.Usage, v.Usage())
	}
	return e
}

func (a *arguments) run(c *Command) (problem string) {
	for word := a.word(); word != ""; word = a.word() {
		switch target, mode := debate.Target(word), debate.Mode(word); {
		case c.Scope == "" && (target == debate.TargetCode || target == debate.TargetProposal || target == debate.TargetMixed):
			c.Scope = target
		case c.Mode == "" && (mode == debate.Quick || mode == debate.Minimal || mode == debate.Standard):
			c.Mode = mode
		default:
			return "run takes one target and one mode"
		}
	}
	return ""
}

func (a *arguments) finding(c *Command) (problem string) {
	c.Finding = a.word()
	if !findingID.MatchString(c.Finding) {
		return "a finding has an id such as F3"
	}
	return ""
}

func (a *arguments) dispute(c *Command) (problem string) {
	if almostID.MatchString(a.peek()) {
		problem = a.finding(c)
	}
	c.Text = a.text()
	return problem
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
	c.Text = a.text()
	return ""
}

func (a *arguments) decide(c *Command) (problem string) {
	c.Decision, c.Option = a.word(), a.word()
	c.Text = a.text()
	switch {
	case !decisionID.MatchString(c.Decision):
		return "a decision has an id such as D1"
	case !optionID.MatchString(c.Option):
		return "the id of an option is missing"
	}
	return ""
}

func (a *arguments) waive(c *Command) (problem string) {
	c.Trigger = debate.TriggerID(a.word())
	c.Text = a.text()
	if !slices.Contains(triggers(), c.Trigger) {
		return "the trigger is one of " + list(triggers())
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
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(n))
	}
	return b.String()
}
