package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// quote is one passage in a party's verbatim quote. Its lines of code count.
type quote struct {
	Path        string
	Old         bool // lines of the base, not of the head
	First, Last int
	Code        []int // the lines of code in it: not blank, and not only a comment
	DeclFirst   int   // the declaration around it, 0 if none is known
	DeclLast    int
	Run         string // a failed check run at this place, "" for none
}

// quotes are the quotes of code in a list of evidence.
func quotes(list []Evidence) []quote {
	return lists.Map(lists.Keep(list, func(e Evidence) bool { return e.quotable() && !e.Bare }), Evidence.quote)
}

// cited returns the quotes in a list of evidence, with lines only named and not quoted.
func cited(list []Evidence) []quote {
	return lists.Map(lists.Keep(list, Evidence.quotable), Evidence.quote)
}

// quotable reports whether the engine found the lines of evidence in a file.
func (e Evidence) quotable() bool { return e.CitationOK && e.Cite.Path != BodyPath }

func (e Evidence) quote() quote {
	q := quote{
		Path: e.Cite.Path, Old: e.Cite.Side == Left, First: e.Cite.StartLine, Last: e.Cite.EndLine,
		DeclFirst: e.DeclStart, DeclLast: e.DeclEnd, Run: e.RunRef,
	}
	for line := q.First; line <= min(q.Last, q.First+63); line++ {
		if e.Code.Has(line - q.First) {
			q.Code = append(q.Code, line)
		}
	}
	return q
}

// Lines is a set of the first 64 lines of a citation: bit i is its line i, counted
// from 0. No line beyond them is in it.
type Lines uint64

// With returns the set together with one more line.
func (l Lines) With(i int) Lines { return l | 1<<uint(i) }

// Has reports whether a line is in the set.
func (l Lines) Has(i int) bool { return l>>uint(i)&1 == 1 }

// showsCode reports whether some evidence quotes a line of code, or a failed check run.
func showsCode(list []Evidence) bool {
	return slices.ContainsFunc(quotes(list), func(q quote) bool { return q.Run != "" || len(q.Code) > 0 })
}

// fresh reports whether some quotes have a line of code, or a failed check run, that the given
// ones lack.
func fresh(quotes, given []quote) bool {
	return slices.ContainsFunc(quotes, func(q quote) bool {
		if q.Run != "" {
			return !slices.ContainsFunc(given, func(g quote) bool { return g.Run == q.Run })
		}
		return slices.ContainsFunc(q.Code, func(line int) bool {
			return !slices.ContainsFunc(given, func(g quote) bool {
				return g.Path == q.Path && g.Old == q.Old && g.Run == "" && g.First <= line && line <= g.Last
			})
		})
	})
}

// substantiates reports whether an objection shows something new against a claim (M02): an
// unquoted line of code at the place of the claim, or a check run failed there.
func substantiates(objection, claim []quote) bool {
	return slices.ContainsFunc(objection, func(q quote) bool { return q.meets(claim) && fresh([]quote{q}, claim) })
}

// near is the most lines between two quotes about the same place.
const near = 20

// meets reports whether a quote is about the place of a claim: the same declaration, or at most
// 20 lines apart. Lines of the base say nothing about lines of the head. Any quote meets a
// claim without a place.
func (q quote) meets(claim []quote) bool {
	declares := func(a, b quote) bool {
		return a.DeclFirst > 0 && a.Old == b.Old && a.DeclFirst <= b.First && b.First <= a.DeclLast
	}
	placed := lists.Keep(claim, func(c quote) bool { return c.Path != "" })
	return len(placed) == 0 || slices.ContainsFunc(placed, func(c quote) bool {
		switch {
		case q.Path != c.Path, q.Old && !c.Old:
			return false
		}
		return max(q.First-c.Last, c.First-q.Last) <= near || declares(q, c) || declares(c, q)
	})
}
