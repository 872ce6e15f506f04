package debate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/text"
)

// The bounds of an overview. Lengths are in bytes; a cut text gets three more.
const (
	maxDoes      = 397
	maxMisses    = 297
	maxTopic     = 77
	sentencesMax = 2
)

// Overview is the primary's description of the change in its opening, for people only.
type Overview struct {
	By     string  `json:"by,omitempty"`     // its author; set by the engine
	Head   string  `json:"head,omitempty"`   // the commit it describes; set by the engine
	Does   string  `json:"does"`             // at most two sentences
	Misses string  `json:"misses,omitempty"` // asked for in the linked issue and not done; "" for nothing
	Order  []Topic `json:"order,omitempty"`  // the order in which to read the files
}

// Topic is a part of a change to read together.
type Topic struct {
	Topic string   `json:"topic,omitempty"`
	Files []string `json:"files"` // as the party names them
}

// describe takes the primary's description of the change. Descriptions of several parts are
// joined as far as there is room.
func (m *reducer) describe(own []said) {
	if m.Received.Inquiry != nil {
		return
	}
	v := Overview{Head: m.Snapshot.HeadSHA}
	for _, x := range valid(own) {
		said := x.Reply.Overview
		if said == nil {
			continue
		}
		v.By = x.Party
		if does := clip(text.OneLine(said.Does), maxDoes); len(v.Does)+1+len(does) <= maxDoes || v.Does == "" {
			v.Does = strings.TrimSpace(v.Does + " " + does)
		}
		for _, t := range said.Order {
			v.Order = append(v.Order, Topic{cmp.Or(clip(text.OneLine(t.Topic), maxTopic), "more"), t.Files})
		}
		v.Misses = said.Misses
	}
	parts := len(m.Split.Chunks)
	if m.Received.Anchor.Issue == "" || parts > 1 { // one part lacks the content of another
		v.Misses = ""
	}
	v.Does, v.Misses = sentences(v.Does, parts), clip(text.OneLine(v.Misses), maxMisses)
	if v.Does != "" {
		m.Talk.Overview = &v
	}
}

// sentences is the beginning of a text, as many sentences as parts of the change may say.
func sentences(said string, parts int) string {
	left := sentencesMax * max(parts, 1)
	for i := range len(said) - 2 {
		ends := strings.IndexByte(".!?", said[i]) >= 0 && said[i+1] == ' '
		if !ends || strings.IndexFunc(said[i+2:], unicode.IsLower) == 0 { // as in "e.g. this"
			continue
		}
		if left--; left == 0 {
			return said[:i+1]
		}
	}
	return said
}

// SendsAll reports whether models get the whole change, not only the lines of the last push.
func (s State) SendsAll() bool {
	return !slices.ContainsFunc(s.Split.Coverage, func(c Coverage) bool { return c.Carried != "" })
}

// Overview returns the description of the change, nil if there is none. A description of an
// earlier head holds until the whole change is sent again.
func (s State) Overview() *Overview {
	if s.Talk.Overview != nil || s.SendsAll() {
		return s.Talk.Overview
	}
	return copied(s.Received.Previous.Overview, func(earlier *Overview) { earlier.Misses = "" }) // the push may have added it
}
