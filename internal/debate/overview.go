package debate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/text"
)

// The bounds of an overview. Lengths are in bytes; a text that is cut gets three more.
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

// Overview is what a change does as the primary describes it in its opening. Nothing
// follows from it: it is for people.
type Overview struct {
	By     string  `json:"by,omitempty"`     // the party that wrote it; the engine's
	Head   string  `json:"head,omitempty"`   // commit that it describes; the engine's
	Does   string  `json:"does"`             // at most two sentences
	Misses string  `json:"misses,omitempty"` // what the linked issue asks for and the change does not do, "" for nothing
	Order  []Topic `json:"order,omitempty"`  // in which to read the files; none where there are few
	Others int     `json:"others,omitempty"` // files of the change that no topic names
}

// Topic is a part of a change that is read together. One without a title holds files
// that the order forgot.
type Topic struct {
	Topic string   `json:"topic,omitempty"`
	Files []string `json:"files"` // paths of the change, each in one topic
}

// describe takes what the primary says that the change does: of several parts, which it
// saw one after another, as much as there is room for.
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
	if l.received.Anchor.Issue == "" || parts > 1 { // a part lacks what another one has
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

// SendsAll reports whether the whole change is sent, and not only what a push changed.
func (s State) SendsAll() bool {
	return !slices.ContainsFunc(s.Split.Coverage, func(c Coverage) bool { return c.Carried != "" })
}

// Overview is what the change does, nil where nobody said so. What was said of an earlier
// head stands until the whole change is sent again. Files that the change does not have
// are left out of it, and those that it forgot come last.
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

// order keeps of the reading order what the change has, and adds what it lacks.
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
		if t.Topic != "" { // else it held what an earlier order forgot
			take(t.Topic, t.Files)
		}
	}
	if len(v.Order) == 0 {
		return
	}
	take("", files)
	v.Others = len(left)
}

// prune leaves out the reading order, which takes the most room, and shortens the rest.
func (v *Overview) prune(level int, r room) *Overview {
	if v == nil || level >= 4 {
		return nil
	}
	short := *v
	if level >= 2 {
		short.Order, short.Others = nil, 0
	}
	cut(&short.Does, r.body)
	cut(&short.Misses, r.body)
	return &short
}
