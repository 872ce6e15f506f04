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
	FewFiles     = 5 // of so many, no reading order is given
	maxDoes      = 397
	maxMisses    = 297
	maxTopic     = 77
	maxTopics    = 10
	maxPlaced    = 60  // files in all topics together
	maxPathKept  = 300 // of a longer path only the file list of the report speaks
	sentencesMax = 2
)

// Overview is the primary's description of the change in its opening, for people only.
type Overview struct {
	By     string  `json:"by,omitempty"`     // its author; set by the engine
	Head   string  `json:"head,omitempty"`   // the commit it describes; set by the engine
	Does   string  `json:"does"`             // at most two sentences
	Misses string  `json:"misses,omitempty"` // asked for in the linked issue and not done; "" for nothing
	Order  []Topic `json:"order,omitempty"`  // the order in which to read the files; empty if there are few
	Others int     `json:"others,omitempty"` // files of the change outside all topics
}

// Topic is a part of a change to read together. The last one, without a title, holds the files
// missing from the order.
type Topic struct {
	Topic string   `json:"topic,omitempty"`
	Files []string `json:"files"` // paths of the change, each in one topic
}

// describe takes the primary's description of the change. Descriptions of several parts are
// joined as far as there is room.
func (l *listener) describe(own []said) {
	if l.talk.Overview != nil || l.received.Inquiry != nil {
		return
	}
	v := Overview{Head: l.snapshot.HeadSHA}
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
	parts := len(l.split.Chunks)
	if l.received.Anchor.Issue == "" || parts > 1 { // one part lacks the content of another
		v.Misses = ""
	}
	v.Does, v.Misses = sentences(v.Does, parts), clip(text.OneLine(v.Misses), maxMisses)
	if v.Does != "" {
		l.talk.Overview = &v
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
// earlier head holds until the whole change is sent again. Files outside the change are
// removed from its order, and missing ones come last.
func (s State) Overview() *Overview {
	said := s.Talk.Overview
	if said == nil && !s.SendsAll() {
		said = copied(s.Received.Previous.Overview, func(earlier *Overview) { earlier.Misses = "" }) // the push may have added it
	}
	return copied(said, func(v *Overview) { v.order(s.Split.paths()) })
}

// paths are the files of the change in their order.
func (s SplitDone) paths() []string {
	var all []string
	seen := map[string]bool{BodyPath: true, IssuePath: true, "": true} // no files
	for _, c := range s.Coverage {
		if !seen[c.Path] {
			seen[c.Path] = true
			all = append(all, c.Path)
		}
	}
	return all
}

// order removes files outside the change from the reading order and adds the missing ones.
func (v *Overview) order(files []string) {
	topics := v.Order
	v.Order, v.Others = nil, 0
	if len(files) <= FewFiles {
		return
	}
	left := make(map[string]bool, len(files))
	for _, f := range files {
		left[f] = true
	}
	placed := 0
	take := func(topic string, among []string) {
		var kept []string
		for _, f := range among {
			if left[f] && placed < maxPlaced && len(f) <= maxPathKept {
				delete(left, f)
				kept = append(kept, f)
				placed++
			}
		}
		if len(kept) > 0 {
			v.Order = append(v.Order, Topic{Topic: topic, Files: kept})
		}
	}
	for _, t := range topics[:min(len(topics), maxTopics)] {
		if t.Topic != "" { // else it held the rest of an earlier order
			take(t.Topic, t.Files)
		}
	}
	if len(v.Order) == 0 {
		return
	}
	take("", files)
	v.Others = len(left)
}
