package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

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
