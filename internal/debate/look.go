package debate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// The bounds of the looks of one call.
const (
	LookTurns = 4  // turns in which a party asks to see something before it answers
	MostLooks = 12 // looks in all turns, if the settings name no lower number
)

// LookKind is a way of looking at a side of the change.
type LookKind string

const (
	LookRead LookKind = "read" // lines of a file
	LookGrep LookKind = "grep" // lines of all files with a match
	LookList LookKind = "list" // the names in a directory
	LookTest LookKind = "test" // how a test ends on both sides
)

// Look is one request of a party to see something.
type Look struct {
	Kind      LookKind `json:"kind"`
	Path      string   `json:"path,omitempty"` // of a read or a list
	Side      Side     `json:"side,omitempty"`
	StartLine int      `json:"start_line,omitempty"`
	EndLine   int      `json:"end_line,omitempty"`
	Pattern   string   `json:"pattern,omitempty"` // of a grep
	Paths     []string `json:"paths,omitempty"`   // globs; empty: every file
	Max       int      `json:"max,omitempty"`     // lines of a grep
	Content   string   `json:"content,omitempty"` // of a test without a run
	Claim     string   `json:"claim,omitempty"`   // the claim under test, in the words of its party
}

// Withheld says why a look shows nothing.
type Withheld string

const (
	LookUnclear    Withheld = "unclear"     // the request is not clear
	LookOutside    Withheld = "outside"     // the path leads out of the repository
	LookMissing    Withheld = "missing"     // nothing of this name is there
	LookDirectory  Withheld = "directory"   // a read of a directory
	LookNoDir      Withheld = "no_dir"      // a list of a file
	LookSymlink    Withheld = "symlink"     // links are not followed
	LookSubmodule  Withheld = "submodule"   // it is another repository
	LookLFS        Withheld = "lfs"         // git has only a pointer to it
	LookSecret     Withheld = "secret"      // by its name it holds secrets
	LookPrivate    Withheld = "private"     // the settings keep it here
	LookBinary     Withheld = "binary"      // it is no text
	LookTooLarge   Withheld = "too_large"   // it cannot be searched for secrets
	LookUnreadable Withheld = "unreadable"  // it could not be read
	LookBadPattern Withheld = "bad_pattern" // the expression does not compile
	LookNoSearch   Withheld = "no_search"   // nothing can be searched here
	LookUsedUp     Withheld = "used_up"     // looks, time or money are used up
	LookNoTests    Withheld = "no_tests"    // tests are not run here
	LookTestPath   Withheld = "test_path"   // no test may be written at the path
	LookTestTaken  Withheld = "test_taken"  // a file of this name is there
	LookTestText   Withheld = "test_text"   // its content is not a test in a known language
)

// Cut says why a look shows less than it was asked for.
type Cut string

const (
	CutLines Cut = "lines" // the bound of lines, or the number in the request
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

// Seen is a look and its result, without secrets and with every character visible.
type Seen struct {
	Look
	Hash  string     `json:"hash,omitempty"` // of the side, as its source names it
	Runs  []ShownRun `json:"runs,omitempty"`
	Names []string   `json:"names,omitempty"` // of a list; those of directories end with a slash
	Test  *TestRun   `json:"test,omitempty"`
	Why   Withheld   `json:"why,omitempty"`
	Cut   Cut        `json:"cut,omitempty"`
}

// Looked is the looks of one turn of a party before its answer, and their results. It is
// recorded at once; the call goes on with a further turn.
type Looked struct {
	Ask       string `json:"ask"`
	Seen      []Seen `json:"seen"`
	Last      bool   `json:"last,omitempty"` // the next turn must answer
	Text      string `json:"text,omitempty"` // name of the text sent back to the party
	Raw       string `json:"raw,omitempty"`  // the words of the party, redacted
	ReplyHash string `json:"reply_hash,omitempty"`
	Started   int64  `json:"started,omitempty"` // Unix milliseconds
	Ended     int64  `json:"ended,omitempty"`
	Usage     Usage  `json:"usage"`
}

// TurnID names one turn of an ask: the first has the id of the ask, a turn after a look adds
// the number of looks before it.
func TurnID(ask string, looked int) string {
	if looked == 0 {
		return ask
	}
	return ask + "/look" + strconv.Itoa(looked)
}

// MayLook is how many things an ask may still look at; 0: it has to answer.
func (s State) MayLook(ask Ask) int {
	most, turns := min(s.Received.Settings.Looks, MostLooks), s.LooksOf(ask)
	switch {
	case !ask.Kind.debates() && ask.Kind != CallLocal: // judges and the arbiter weigh the text of their packet
		return 0
	case ask.Format != "", len(turns) >= LookTurns, slices.ContainsFunc(turns, func(l Looked) bool { return l.Last }):
		return 0
	}
	for _, t := range turns {
		most -= len(t.Seen)
	}
	return max(0, most)
}

// LooksOf returns the looks so far of an ask, or of the ask it repeats, in order.
func (s State) LooksOf(ask Ask) []Looked {
	return s.Asking.Wave.looksOf(ask)
}

func (w *Wave) looksOf(ask Ask) []Looked {
	if w == nil {
		return nil
	}
	first := ask.ID
	if ask.Format != "" { // it repeats another one
		first = strings.TrimSuffix(ask.ID, formatRetry)
	}
	return lists.Keep(w.Looks, func(l Looked) bool { return l.Ask == first })
}

// SeenBy returns the looks a party may cite in an ask: those of every party in earlier waves,
// and those of its own ask. It never has the looks of others in the same wave, so the order of
// replies does not matter.
func (s State) SeenBy(ask Ask) []Seen {
	var all []Seen
	for _, l := range slices.Concat(s.Asking.Looks, s.LooksOf(ask)) {
		all = append(all, l.Seen...)
	}
	return all
}

// looked records a turn of looks in place of an answer.
func (m *reducer) looked(ev Looked) string {
	a, set := &m.Asking, m.Received.Settings
	at, why := a.due(ev.Ask)
	wave := a.Wave
	switch {
	case why != "":
		return why
	case m.MayLook(wave.Asks[at]) == 0:
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

// maxSeen bounds the looks of one turn in the record, refused ones included.
const maxSeen = 50

func (w *Wave) looksBefore(ask Ask) []Looked {
	if ask.Format != "" { // the repeated ask has them
		return nil
	}
	return w.looksOf(ask)
}

// cost sums the turns of an ask before its answer.
func (w *Wave) cost(ask Ask) (looks int, usage Usage, started int64) {
	for _, l := range w.looksBefore(ask) {
		looks += len(l.Seen)
		usage = usage.plus(l.Usage)
		started = cmp.Or(started, l.Started)
	}
	return looks, usage, started
}

// plus adds the costs of two exchanges.
func (u Usage) plus(v Usage) Usage {
	return Usage{
		TokensIn: u.TokensIn + v.TokensIn, TokensCached: u.TokensCached + v.TokensCached, TokensOut: u.TokensOut + v.TokensOut,
		CostMicro: u.CostMicro + v.CostMicro, CostUnknown: u.CostUnknown || v.CostUnknown,
	}
}
