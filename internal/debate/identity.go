package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strconv"
	"strings"
)

// Key recognises a finding over pushes and moved lines: by its path and the
// cited text without its spacing, never by category or prose (S11). Findings on
// the same text are told apart by Keys.
func Key(c Claim) string {
	cite := c.Cite()
	text := strings.Join(strings.Fields(cite.Quote), " ")
	sum := sha256.Sum256([]byte(strconv.Quote(cite.Path) + " " + strconv.Quote(text)))
	return hex.EncodeToString(sum[:12])
}

// Keys returns the key of each finding, in the order given: Key and the ordinal
// among the findings on the same text.
func Keys(findings []Claim) []string {
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := findings[order[a]], findings[order[b]]
		if x.Cite().StartLine != y.Cite().StartLine {
			return x.Cite().StartLine < y.Cite().StartLine
		}
		return len(x.ID) < len(y.ID) || len(x.ID) == len(y.ID) && x.ID < y.ID
	})
	keys := make([]string, len(findings))
	count := make(map[string]int)
	for _, i := range order {
		k := Key(findings[i])
		keys[i] = k + "-" + strconv.Itoa(count[k])
		count[k]++
	}
	return keys
}

// linkedHash binds a decision to the text that it is about (S08): all segments
// of this head that a trigger of the decision names and that its claims cite. The
// questions that are grouped into it brought theirs, and count themselves (A20).
func (m *mover) linkedHash(d Decision) string {
	s := m.state
	var list []string
	add := func(path string, side Side, line int) {
		for _, seg := range s.Split.Segments {
			whole := line == 0
			if seg.Path == path && (whole || seg.Side == side && seg.StartLine <= line && line <= seg.EndLine) {
				key := strconv.Quote(seg.Path) + " " + seg.TextHash
				if !contains(list, key) {
					list = append(list, key)
				}
			}
		}
	}
	whole := false
	for _, t := range d.Triggers {
		known := len(list)
		if t.Path != "" {
			add(t.Path, t.Side, t.Line)
		}
		if len(list) == known { // a removed line, or one of many that are not listed
			add(t.Path, t.Side, 0)
			whole = whole || t.Path == "" && t.Source == FromPolicy
		}
	}
	for _, id := range d.Claims {
		if c := s.survivor(id); c != nil && len(c.Evidence) > 0 {
			add(c.Cite().Path, c.Cite().Side, c.Cite().StartLine)
		}
	}
	if whole || len(list) == 0 { // it is about the change as a whole
		list = append(list, s.Snapshot.Hash)
		for _, seg := range s.Split.Segments {
			list = append(list, strconv.Quote(seg.Path)+" "+seg.TextHash)
		}
	}
	for _, q := range d.also() {
		list = append(list, "asks "+strconv.Quote(q))
	}
	sort.Strings(list)
	sum := sha256.Sum256([]byte(strings.Join(list, "\n")))
	return hex.EncodeToString(sum[:])
}

// addressQuestion begins the question about a claim on which the sides weigh
// different criteria; the title of the claim follows.
const addressQuestion = "Shall the change address this before it is merged: "

// What stands for our own questions where a decision is identified. These never
// change: open items and sealed checkpoints are found again by them, however the
// questions are put.
const (
	mergeIdentity   = "may this change be merged as proposed?"
	addressIdentity = "shall the change address this before it is merged: "
)

// identity is what a question is recognised by over runs.
func identity(question string) string {
	if question == DispositionQuestion {
		return mergeIdentity
	}
	if title, ours := strings.CutPrefix(question, addressQuestion); ours {
		return normalised(addressIdentity + title)
	}
	return normalised(question)
}
