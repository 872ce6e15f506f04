package pull

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// name gives the findings of a state their F ids: the one that a finding has from
// an earlier head, the one that its text had before, or the next that nobody ever
// had (S11). Names of findings that are not among them are gone.
func (m *Checkpoint) name(claims []debate.Claim) {
	before := make(map[string]*Name) // by F id, those that no finding has yet
	for i := range m.Names {
		m.Names[i].Claim, m.Names[i].Gone = "", true
		before[m.Names[i].F] = &m.Names[i]
	}
	taken := make(map[string]bool) // keys
	var rest []debate.Claim
	for _, c := range claims {
		n, free := before[c.Carried]
		if !free {
			rest = append(rest, c)
			continue
		}
		delete(before, c.Carried)
		n.Claim, n.Gone, n.Severity, taken[n.Key] = c.ID, false, c.Severity, true
	}
	keys := debate.Keys(rest)
	for i, key := range keys {
		for taken[key] {
			key = debate.Key(rest[i]) + "-" + strconv.Itoa(ordinal(key)+1)
		}
		taken[key] = true
		if at := slices.IndexFunc(m.Names, func(n Name) bool { return n.Key == key }); at >= 0 {
			m.Names[at].Claim, m.Names[at].Gone, m.Names[at].Severity = rest[i].ID, false, rest[i].Severity
			continue
		}
		m.NextF = max(m.NextF, 1)
		m.Names = append(m.Names, Name{F: "F" + strconv.Itoa(m.NextF), Key: key, Claim: rest[i].ID, Severity: rest[i].Severity})
		m.NextF++
	}
}

// takeUp takes up the names that comments of ours give to findings which nobody
// remembers: the run that wrote them came to its end before its summary, or the
// memory is lost. An F id never gets another meaning (S11).
func (m *Checkpoint) takeUp(f, key string) {
	n := number(f)
	switch {
	case n < 1, m.keyed(key).F != "", m.named(f).F != "":
		return
	}
	at, _ := slices.BinarySearchFunc(m.Names, n, func(name Name, n int) int { return cmp.Compare(number(name.F), n) })
	m.Names = slices.Insert(m.Names, at, Name{F: f, Key: key, Gone: true})
	m.NextF = max(m.NextF, n+1)
}

// shown are the names of findings that the remembered session has.
func (m *Checkpoint) shown() []Name {
	return lists.Keep(m.Names, func(n Name) bool { return n.Claim != "" })
}

// number is that of an F id.
func number(f string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(f, "F"))
	return n
}

// ordinal is the number at the end of a key.
func ordinal(key string) int {
	n, _ := strconv.Atoi(key[strings.LastIndexByte(key, '-')+1:])
	return n
}

// shown are the findings of a state that people see: what was agreed and what
// stayed open. Those that were dismissed are in the record and the report. A
// finding that a carried one was merged into goes on under its name.
func shown(s debate.State) []debate.Claim {
	into := make(map[string]string)
	for _, c := range s.Book.Claims {
		into[c.ID] = c.SameAs
	}
	carried := make(map[string]string)
	for _, c := range s.Book.Claims {
		to := c.ID
		for hops := 0; into[to] != "" && hops < len(s.Book.Claims); hops++ {
			to = into[to]
		}
		carried[to] = cmp.Or(carried[to], c.Carried)
	}
	var list []debate.Claim
	for _, c := range s.Book.Claims {
		if c.SameAs == "" && slices.Contains([]debate.Bucket{debate.Agreed, debate.Unresolved}, c.Bucket) {
			c.Carried = cmp.Or(c.Carried, carried[c.ID])
			list = append(list, c)
		}
	}
	return list
}
