package debate

import (
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// Citation is the place of a claim: lines of one side of a file and their text, as the model
// gave it. Only the engine says whether the text is there (A03).
type Citation struct {
	Path      string `json:"path"`
	Side      Side   `json:"side"`
	StartLine int    `json:"start_line"` // 1-based
	EndLine   int    `json:"end_line"`   // inclusive, at least StartLine
	Quote     string `json:"quote"`      // the cited lines, verbatim
}

// String renders the citation as path:line or path:first-last (R057).
func (c Citation) String() string {
	s := c.Path + ":" + strconv.Itoa(c.StartLine)
	if c.EndLine > c.StartLine {
		s += "-" + strconv.Itoa(c.EndLine)
	}
	return s
}

// sameFile reports whether two citations are of one side of one file.
func (c Citation) sameFile(d Citation) bool { return c.Path == d.Path && c.Side == d.Side }

// overlaps reports whether two citations have a line in common.
func (c Citation) overlaps(d Citation) bool { return c.within(d, 0) }

// near reports whether two citations are at most nearBy lines apart.
func (c Citation) near(d Citation) bool { return c.within(d, nearBy+1) }

// within reports whether two citations are of one file and overlap if one of them
// grows by so many lines on each side.
func (c Citation) within(d Citation, lines int) bool {
	if c.Path == "" || !c.sameFile(d) {
		return false
	}
	return c.StartLine-lines <= d.EndLine && d.StartLine-lines <= c.EndLine
}

// encloses reports whether all lines of another citation are among those of this one.
func (c Citation) encloses(d Citation) bool {
	return c.sameFile(d) && c.StartLine <= d.StartLine && d.EndLine <= c.EndLine
}

// Evidence is a citation, with the engine's findings.
type Evidence struct {
	ID         string       `json:"id"` // E1, E2, ...
	Type       EvidenceType `json:"type"`
	By         string       `json:"by"` // its party
	Cite       Citation     `json:"cite"`
	RunRef     string       `json:"run_ref,omitempty"` // of execution evidence
	Test       *TestRun     `json:"test,omitempty"`    // the cited one
	Older      bool         `json:"older,omitempty"`   // of a test: it fails before the change too
	CitationOK bool         `json:"citation_ok"`
	Reanchored bool         `json:"reanchored,omitempty"` // the quote stood within 3 lines of the cited ones (A03)
	Changed    bool         `json:"changed,omitempty"`    // a cited line was added or removed
	InHunk     bool         `json:"in_hunk,omitempty"`    // a cited line is in a hunk
	Copies     int          `json:"copies,omitempty"`     // further places in the file where the change has the same text
	Bare       bool         `json:"bare,omitempty"`       // the place was named without a quote: the quote is the engine's
	Code       Lines        `json:"code,omitempty"`       // the cited lines that are code
	DeclStart  int          `json:"decl_start,omitempty"` // the declaration around the first cited line, 0 if none is known
	DeclEnd    int          `json:"decl_end,omitempty"`
	Why        string       `json:"why,omitempty"`     // the citation does not hold
	There      string       `json:"there,omitempty"`   // the real lines at this place
	NoFile     bool         `json:"no_file,omitempty"` // see Found.NoFile
	Verified   bool         `json:"verified"`          // the citation holds and another party says that it supports (A03)
}

// qualified reports whether any citation holds.
func qualified(list []Evidence) bool {
	return slices.ContainsFunc(list, func(e Evidence) bool { return e.CitationOK })
}

// weight is the rank of the best evidence in a list (R147).
func weight(list []Evidence) int {
	best := 0
	for _, e := range list {
		switch {
		case !e.CitationOK:
		case e.Type == Execution:
			return 2
		default:
			best = 1
		}
	}
	return best
}

func okOnly(list []Evidence) []Evidence {
	return lists.Keep(list, func(e Evidence) bool { return e.CitationOK })
}

// quotes are the quotes of code in a list of evidence.
func quotes(list []Evidence) []Evidence {
	return lists.Keep(cited(list), func(e Evidence) bool { return !e.Bare })
}

// cited is the evidence with lines of a file that the engine found, quoted or only named.
func cited(list []Evidence) []Evidence {
	return lists.Keep(list, func(e Evidence) bool { return e.CitationOK && e.Cite.Path != BodyPath })
}

// Lines is a set of the first 64 lines of a citation: bit i is its line i, counted
// from 0. No line beyond them is in it.
type Lines uint64

// With returns the set together with one more line.
func (l Lines) With(i int) Lines { return l | 1<<uint(i) }

// Has reports whether a line is in the set.
func (l Lines) Has(i int) bool { return l>>uint(i)&1 == 1 }

// showsCode reports whether some evidence quotes a line of code, or a failed check run.
func showsCode(list []Evidence) bool { return fresh(quotes(list), nil) }

// fresh reports whether some quotes have a line of code, or a failed check run, that the given
// ones lack.
func fresh(quotes, given []Evidence) bool {
	return slices.ContainsFunc(quotes, func(e Evidence) bool {
		if e.RunRef != "" {
			return !slices.ContainsFunc(given, func(g Evidence) bool { return g.RunRef == e.RunRef })
		}
		for at := e.Cite; at.StartLine <= min(e.Cite.EndLine, e.Cite.StartLine+63); at.StartLine++ {
			at.EndLine = at.StartLine
			isGiven := func(g Evidence) bool { return g.RunRef == "" && g.Cite.encloses(at) }
			if e.Code.Has(at.StartLine-e.Cite.StartLine) && !slices.ContainsFunc(given, isGiven) {
				return true
			}
		}
		return false
	})
}

// substantiates reports whether an objection shows something new against a claim (M02): an
// unquoted line of code at the place of the claim, or a check run failed there.
func substantiates(objection, claim []Evidence) bool {
	return slices.ContainsFunc(objection, func(e Evidence) bool { return e.meets(claim) && fresh([]Evidence{e}, claim) })
}

// near is the most lines between two quotes about the same place.
const near = 20

// meets reports whether evidence is about the place of a claim: the same declaration, or at most
// 20 lines apart. Lines of the base say nothing about lines of the head. Any evidence meets a
// claim without a place.
func (e Evidence) meets(claim []Evidence) bool {
	declares := func(a, b Evidence) bool {
		return a.DeclStart > 0 && a.Cite.Side == b.Cite.Side && a.DeclStart <= b.Cite.StartLine && b.Cite.StartLine <= a.DeclEnd
	}
	placed := lists.Keep(claim, func(c Evidence) bool { return c.Cite.Path != "" })
	return len(placed) == 0 || slices.ContainsFunc(placed, func(c Evidence) bool {
		switch {
		case e.Cite.Path != c.Cite.Path, e.Cite.Side == Left && c.Cite.Side != Left:
			return false
		}
		return max(e.Cite.StartLine-c.Cite.EndLine, c.Cite.StartLine-e.Cite.EndLine) <= near || declares(e, c) || declares(c, e)
	})
}

// shows reports whether some evidence has something that a claim does not cite itself (M02), or
// against the position any line of code. Later citations in support of the claim are not its
// own.
func (b *Book) shows(against string, found []Evidence) bool {
	c := b.claim(against)
	if c == nil {
		return showsCode(found)
	}
	own := lists.Keep(c.Evidence, func(e Evidence) bool { return e.By == c.Owner || slices.Contains(c.ReportedBy, e.By) })
	return substantiates(quotes(found), cited(own))
}

// newTo reports whether some evidence quotes a new line of code, in neither the claim nor the
// words against it (M03). It reads the remembered evidence, not the threads, which a memory
// forgets.
func (b *Book) newTo(c *Claim, found []Evidence) bool {
	given := quotes(c.Evidence)
	for _, k := range b.attacks(c.ID) {
		given = append(given, quotes(k.Evidence)...)
	}
	return fresh(quotes(found), given)
}

// adds reports whether some evidence brings substance to a challenge: a new quote about its
// subject (M09).
func (b *Book) adds(k *Challenge, found []Evidence) bool {
	if c := b.claim(k.Claim); c != nil {
		return b.newTo(c, found)
	}
	return fresh(quotes(found), append(quotes(k.Evidence), quotes(k.DefenceBy)...))
}

// oncePerPlace leaves out citations that add nothing to another one of the same lines: a
// repeated one, and one that does not hold if another does, such as a text in backticks
// that is no quote.
func oncePerPlace(list []Evidence) []Evidence {
	var out []Evidence
	for i, e := range list {
		holdsThere := func(o Evidence) bool { return o.CitationOK && o.Cite.sameLines(e.Cite) }
		again := func(o Evidence) bool {
			repeats := o.Cite == e.Cite && (o.CitationOK || !e.CitationOK) // a citation that does not hold repeats none that does
			return o.RunRef == e.RunRef && (repeats || e.Bare && holdsThere(o))
		}
		switch {
		case !e.CitationOK && slices.ContainsFunc(list, holdsThere):
		case slices.ContainsFunc(list[:i], again):
		default:
			out = append(out, e)
		}
	}
	return out
}

// sameLines reports whether two citations name the same lines.
func (c Citation) sameLines(d Citation) bool {
	c.Quote, d.Quote = "", ""
	return c.Path != "" && c == d
}
