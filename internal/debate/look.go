package debate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// The bounds of what one call may look at beyond what it is sent.
const (
	LookTurns = 4  // in which a party asks to see something before it answers
	MostLooks = 12 // in all of them, where the settings name no lower number
)

// LookKind is a way of looking at a side of the change.
type LookKind string

// The kinds of looks.
const (
	LookRead LookKind = "read" // lines of a file
	LookGrep LookKind = "grep" // lines of all files that match an expression
	LookList LookKind = "list" // the names in a directory
	LookTest LookKind = "test" // how a test ends on both sides
)

// Look is one thing that a party asks to see, as it asks for it.
type Look struct {
	Kind      LookKind `json:"kind"`
	Path      string   `json:"path,omitempty"` // of a read or a list
	Side      Side     `json:"side,omitempty"`
	StartLine int      `json:"start_line,omitempty"`
	EndLine   int      `json:"end_line,omitempty"`
	Pattern   string   `json:"pattern,omitempty"` // of a grep
	Paths     []string `json:"paths,omitempty"`   // globs; none: every file
	Max       int      `json:"max,omitempty"`     // lines of a grep
	Content   string   `json:"content,omitempty"` // of a test that was not run
	Claim     string   `json:"claim,omitempty"`   // that a test is about, in the words of its party
}

// Withheld says why a look shows nothing.
type Withheld string

// Why nothing is shown.
const (
	LookUnclear    Withheld = "unclear"     // it does not say what it wants
	LookOutside    Withheld = "outside"     // the path leads out of the repository
	LookMissing    Withheld = "missing"     // nothing of this name is there
	LookDirectory  Withheld = "directory"   // a read of a directory
	LookNoDir      Withheld = "no_dir"      // a list of what is no directory
	LookSymlink    Withheld = "symlink"     // links are not followed
	LookSubmodule  Withheld = "submodule"   // it is another repository
	LookLFS        Withheld = "lfs"         // git has only a pointer to it
	LookSecret     Withheld = "secret"      // by its name it holds secrets
	LookPrivate    Withheld = "private"     // the settings keep it here
	LookBinary     Withheld = "binary"      // it is no text
	LookTooLarge   Withheld = "too_large"   // it cannot be searched for secrets
	LookUnreadable Withheld = "unreadable"  // it could not be read
	LookBadPattern Withheld = "bad_pattern" // the expression is none
	LookNoSearch   Withheld = "no_search"   // nothing can be searched here
	LookUsedUp     Withheld = "used_up"     // looks, time or money are used up
	LookNoTests    Withheld = "no_tests"    // tests are not run here
	LookTestPath   Withheld = "test_path"   // no test may be written at the path
	LookTestTaken  Withheld = "test_taken"  // a file of this name is there
	LookTestText   Withheld = "test_text"   // its content is no test that can be run
)

// Cut says why a look shows less than it was asked for.
type Cut string

// Why something is missing.
const (
	CutLines Cut = "lines" // the bound of lines, or the number that was asked for
	CutBytes Cut = "bytes" // the bound of a turn
	CutTime  Cut = "time"  // the search took too long
	CutTree  Cut = "tree"  // not all of the side can be reached
)

// ShownRun is a run of lines of one file as they were shown.
type ShownRun struct {
	Path  string   `json:"path"`
	First int      `json:"first"`
	Lines []string `json:"lines"`
}

// Seen is a look and what it showed: without secrets, and with every character
// visible.
type Seen struct {
	Look
	Hash  string     `json:"hash,omitempty"` // of the side that was looked at, as its source names it
	Runs  []ShownRun `json:"runs,omitempty"`
	Names []string   `json:"names,omitempty"` // of a list; those of directories end with a slash
	Test  *TestRun   `json:"test,omitempty"`
	Why   Withheld   `json:"why,omitempty"`
	Cut   Cut        `json:"cut,omitempty"`
}

// Looked says what a party asked to see before it answered, and what it was shown.
// It is recorded as it happens; the call goes on with a further turn.
type Looked struct {
	Ask       string `json:"ask"`
	Seen      []Seen `json:"seen"`
	Last      bool   `json:"last,omitempty"` // the next turn must answer
	Text      string `json:"text,omitempty"` // name of the text that the party was sent back
	Raw       string `json:"raw,omitempty"`  // what it said, redacted
	ReplyHash string `json:"reply_hash,omitempty"`
	Started   int64  `json:"started,omitempty"` // Unix milliseconds
	Ended     int64  `json:"ended,omitempty"`
	Usage     Usage  `json:"usage"`
}

// Kind implements Event.
func (Looked) Kind() EventKind { return KindLooked }

// TurnID names one turn of an ask: the first has its id, one that follows a look has the
// number of looks behind it.
func TurnID(ask string, looked int) string {
	if looked == 0 {
		return ask
	}
	return ask + "/look" + strconv.Itoa(looked)
}

// looks reports whether a call of this kind may look further: who judges and who
// arbitrates weighs what was shown.
func (k CallKind) looks() bool { return k.debates() || k == CallLocal }

// MayLook is how many things an ask may still look at; 0: it has to answer.
func (s State) MayLook(ask Ask) int { return s.Asking.mayLook(ask, s.Received.Settings) }

func (a *Asking) mayLook(ask Ask, set Settings) int {
	most, turns := min(set.Looks, MostLooks), a.Wave.looksOf(ask)
	switch {
	case !ask.Kind.looks(), ask.Format != "", len(turns) >= LookTurns, slices.ContainsFunc(turns, func(l Looked) bool { return l.Last }):
		return 0
	}
	for _, t := range turns {
		most -= len(t.Seen)
	}
	return max(0, most)
}

// LooksOf is what an ask, or the one that it repeats, has looked at so far, in order.
func (s State) LooksOf(ask Ask) []Looked {
	return s.Asking.Wave.looksOf(ask)
}

func (w *Wave) looksOf(ask Ask) []Looked {
	if w == nil {
		return nil
	}
	return lists.Keep(w.Looks, func(l Looked) bool { return l.Ask == ask.first() })
}

// first is the id of the ask that this one repeats, or its own.
func (a Ask) first() string {
	if a.Format == "" {
		return a.ID
	}
	return strings.TrimSuffix(a.ID, formatRetry)
}

// SeenBy is all that a party of an ask may cite of what was looked at: what every
// party looked at in waves that are over, and what its own ask looks at. What others
// see at the same time is not known to it, whichever comes first.
func (s State) SeenBy(ask Ask) []Seen {
	var all []Seen
	for _, l := range slices.Concat(s.Asking.Looks, s.LooksOf(ask)) {
		all = append(all, l.Seen...)
	}
	return all
}

// looked takes what a party asked to see in the place of its answer.
func (a *Asking) looked(ev Looked, set Settings) string {
	wave := a.Wave
	if wave == nil {
		return "nothing is being asked"
	}
	at := slices.IndexFunc(wave.Asks, func(ask Ask) bool { return ask.ID == ev.Ask })
	switch {
	case at < 0:
		return "nobody was asked " + clip(ev.Ask, 100)
	case wave.Replies[at].Ask != "":
		return "the ask " + ev.Ask + " is answered"
	case a.mayLook(wave.Asks[at], set) == 0:
		return "this ask may not look any further"
	case len(ev.Seen) == 0, len(ev.Seen) > maxSeen:
		return "it looks at nothing, or at too much"
	}
	for _, t := range runsOf([]Looked{ev}) {
		switch odd := t.odd(); {
		case odd != "":
			return odd
		case set.Tests.Later != (t.Sandbox == ByWorkflow):
			return "a test does not run where the settings say"
		case t.pending() && a.Tested:
			return "no job runs more tests"
		}
	}
	if testsOf(slices.Concat(a.Looks, wave.Looks, []Looked{ev})) > min(set.Tests.Runs, maxTests) {
		return "more tests were run than may be"
	}
	wave.Looks = append(wave.Looks, ev)
	return ""
}

// maxSeen is how many looks one turn has in the record, those that were refused
// because there are too many included.
const maxSeen = 50

// looksBefore are the looks that an ask took itself.
func (w *Wave) looksBefore(ask Ask) []Looked {
	if ask.Format != "" { // they are those of the ask that it repeats
		return nil
	}
	return w.looksOf(ask)
}

// cost is what the turns of an ask took before its answer.
func (w *Wave) cost(ask Ask) (looks int, usage Usage, started int64) {
	for _, l := range w.looksBefore(ask) {
		looks += len(l.Seen)
		usage = usage.plus(l.Usage)
		started = cmp.Or(started, l.Started)
	}
	return looks, usage, started
}

// plus is what two exchanges cost together.
func (u Usage) plus(v Usage) Usage {
	return Usage{
		TokensIn: u.TokensIn + v.TokensIn, TokensCached: u.TokensCached + v.TokensCached, TokensOut: u.TokensOut + v.TokensOut,
		CostMicro: u.CostMicro + v.CostMicro, CostUnknown: u.CostUnknown || v.CostUnknown,
	}
}
