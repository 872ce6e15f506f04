package segment

import (
	"maps"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
)

// maxProse bounds the prose in one packet, in bytes by kind. Code has chunks.
var maxProse = map[debate.SegmentKind]int{debate.ProposalSegment: 240_000, debate.ContextSegment: 60_000}

// leaveOut excludes from the ledger the parts that this split shows to no model: a kind that was
// not asked for, and prose beyond the packet's bound. They count as not reviewed, even if a person
// asked for less.
func (s *splitter) leaveOut() {
	left := maps.Clone(maxProse)
	for _, p := range s.prose {
		kind := s.res.Segments[p.segment].Kind
		if left[kind] >= p.bytes {
			left[kind] -= p.bytes
		} else {
			c := s.entry(p.coverage)
			c.Excluded, c.Detail = debate.TooLarge, "more than "+strconv.Itoa(maxProse[kind])+" bytes of "+string(kind)
		}
	}
	kinds := make(map[string]debate.SegmentKind)
	for _, seg := range s.res.Segments {
		kinds[seg.ID] = seg.Kind
	}
	unasked := map[debate.Target]debate.SegmentKind{
		debate.TargetProposal: debate.CodeSegment, debate.TargetCode: debate.ProposalSegment,
	}[s.res.Target]
	named := 0 // changes without lines, of which a bounded number can be listed
	for i := range s.res.Coverage {
		c := &s.res.Coverage[i]
		if c.BesideLines() {
			if named++; named > debate.MaxNamed {
				c.Excluded, c.Detail = debate.TooLarge, "more than "+strconv.Itoa(debate.MaxNamed)+" changes without lines"
			}
		}
		left := slices.ContainsFunc(c.Segments, func(id string) bool { return kinds[id] == unasked })
		if c.Excluded == debate.NotExcluded && left {
			c.Excluded, c.Detail = debate.NotAsked, "only the "+string(s.res.Target)+" was asked for"
		}
	}
}
