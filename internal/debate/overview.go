package debate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// The bounds of an overview. Lengths are in bytes; a cut text gets three more.
const (
	maxDoes   = 397
	maxMisses = 297
	maxTopic  = 77
)

// Overview is the primary's description of the change in its opening, for people only.
type Overview struct {
	By     string  `json:"by,omitempty"`   // its author; set by the engine
	Head   string  `json:"head,omitempty"` // the commit it describes; set by the engine
	Does   string  `json:"does"`
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
	if m.Received.Anchor.Issue == "" || len(m.Split.Chunks) > 1 { // one part lacks the content of another
		v.Misses = ""
	}
	v.Misses = clip(text.OneLine(v.Misses), maxMisses)
	if v.Does != "" {
		m.Talk.Overview = &v
	}
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
	return lists.Copied(s.Received.Previous.Overview, func(earlier *Overview) { earlier.Misses = "" }) // the push may have added it
}
