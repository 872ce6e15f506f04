package pull

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// name names the visible findings of a state, each with the key of its comment. All other
// names are gone. No later finding gets the number of a claim of the state, visible or
// not (S11).
func (m *Checkpoint) name(state debate.State) {
	for i := range m.Names {
		m.Names[i].Gone = true
	}
	for _, c := range state.Book.Claims {
		m.NextF = max(m.NextF, number(c.ID)+1)
		isShown := c.Bucket == debate.Agreed || c.Bucket == debate.Unresolved // dismissed ones are in the record and the report
		if c.SameAs != "" || !isShown {
			continue
		}
		at := slices.IndexFunc(m.Names, func(n Name) bool { return n.F == c.ID })
		if at < 0 {
			key := func(n int) string { return debate.Key(c) + "-" + strconv.Itoa(n) } // several findings may be on one text
			free := 0
			for m.keyed(key(free)).F != "" {
				free++
			}
			at = m.add(Name{F: c.ID, Key: key(free)})
		}
		m.Names[at].Gone, m.Names[at].Severity = false, c.Severity
	}
}

// add inserts a name. The list is sorted by number.
func (m *Checkpoint) add(n Name) (at int) {
	at, _ = slices.BinarySearchFunc(m.Names, number(n.F), func(other Name, n int) int { return cmp.Compare(number(other.F), n) })
	m.Names = slices.Insert(m.Names, at, n)
	m.NextF = max(m.NextF, number(n.F)+1)
	return at
}

// takeUp adds the names in our comments that the checkpoint does not have: the run that
// wrote them died before its summary, or the checkpoint is lost. An F id never gets
// another meaning (S11).
func (m *Checkpoint) takeUp(list []gh.Thread) {
	for _, t := range list {
		mark := findingMark(t)
		isKnown := m.keyed(mark.Value).F != "" || m.named(mark.ID).F != ""
		if number(mark.ID) > 0 && !isKnown && !editedByOther(opening(t)) {
			m.add(Name{F: mark.ID, Key: mark.Value, Gone: true})
		}
	}
}

// number is the number of an F id.
func number(f string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(f, "F"))
	return n
}
