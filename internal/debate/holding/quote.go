// Package holding says what a claim comes to, given who holds it, who objects, and
// what each of them quotes. It knows voices and quotes, and nothing of how they
// came about.
//
//	voices that hold it ──┐
//	what they quote       ├── Comes ── confirmed, unsettled or single
//	objections ───────────┘
//
// A quote counts for the lines of code in it. What somebody says without quoting
// any is heard, and moves nothing that is quoted.
package holding

import "slices"

// Quote is one passage that somebody quoted as it stands.
type Quote struct {
	Path        string
	Old         bool // lines of the base, not of the head
	First, Last int
	Code        []int // the lines in it that are code: not blank, and not only a comment
	DeclFirst   int   // the declaration around it, 0 if none is known
	DeclLast    int
	Run         string // the check run that failed there, "" if it is none
}

// near is how many lines apart two quotes are about the same place.
const near = 20

// Substantiates reports whether an objection shows something that the claim does
// not (M02): it quotes a line of code of the same declaration, or within 20 lines,
// that the claim does not quote, or a check run that fails there. A claim that
// quotes no lines is met by any line of code.
func Substantiates(objection, claim []Quote) bool {
	return slices.ContainsFunc(objection, func(q Quote) bool {
		return q.meets(claim) && Fresh([]Quote{q}, claim)
	})
}

// Fresh reports whether some quotes give a line of code, or a failed check run,
// that others do not.
func Fresh(quotes, given []Quote) bool {
	return slices.ContainsFunc(quotes, func(q Quote) bool {
		if q.Run != "" {
			return !slices.ContainsFunc(given, func(g Quote) bool { return g.Run == q.Run })
		}
		return slices.ContainsFunc(q.Code, func(line int) bool {
			return !slices.ContainsFunc(given, func(g Quote) bool { return g.has(q, line) })
		})
	})
}

// Shows reports whether some quotes hold any line of code, or a failed check run.
func Shows(quotes []Quote) bool { return Fresh(quotes, nil) }

// has reports whether a quote holds a line of another one.
func (g Quote) has(other Quote, line int) bool {
	return g.source() == other.source() && within(line, g.First, g.Last)
}

// source is one side of a file, or what a check run says of it.
type source struct {
	path string
	old  bool
	run  string
}

func (q Quote) source() source { return source{q.Path, q.Old, q.Run} }

func within(line, first, last int) bool { return first <= line && line <= last }

// meets reports whether a quote is about the place of a claim.
func (q Quote) meets(claim []Quote) bool {
	placed := slices.DeleteFunc(slices.Clone(claim), func(c Quote) bool { return c.Path == "" })
	return len(placed) == 0 || slices.ContainsFunc(placed, q.touches)
}

// touches reports whether two quotes are about the same place.
func (q Quote) touches(c Quote) bool {
	switch {
	case q.Path != c.Path, q.Old && !c.Old: // what is gone says nothing of what stands there now
		return false
	}
	return q.closeTo(c) || q.declares(c) || c.declares(q)
}

func (q Quote) closeTo(other Quote) bool {
	return max(q.First-other.Last, other.First-q.Last) <= near
}

// declares reports whether another quote begins in the declaration around this one.
func (q Quote) declares(other Quote) bool {
	return q.DeclFirst > 0 && q.Old == other.Old && within(other.First, q.DeclFirst, q.DeclLast)
}
