package segment

import (
	"strconv"

	"github.com/prdebate/debate/internal/debate"
)

// overlap is a section with both proposal and code.
type overlap struct{ path, heading string }

// target decides what to debate. A forced target with an empty side becomes the other one (R070);
// no side silently stays without review.
func (s *splitter) target() {
	has := make(map[debate.SegmentKind]bool)
	for _, seg := range s.res.Segments {
		has[seg.Kind] = true
	}
	code, proposal := has[debate.CodeSegment], has[debate.ProposalSegment]
	found := debate.TargetCode
	switch {
	case code && proposal:
		found = debate.TargetMixed
	case proposal:
		found = debate.TargetProposal
	}
	asked := s.in.Target
	switch {
	case asked == debate.TargetAuto, asked == "":
		s.res.Target = found
		if found == debate.TargetMixed {
			s.ask()
		}
	case !code && !proposal, asked == found, found == debate.TargetMixed:
		s.res.Target = asked
	default:
		s.res.Target, s.res.Downgraded = found, true
	}
}

// ask puts the one question if a section has both a proposal and code, so that either reading is
// possible (R071). Mixed is assumed: it loses nothing.
func (s *splitter) ask() {
	proposals := make(map[overlap]bool)
	for _, seg := range s.res.Segments {
		if seg.Kind == debate.ProposalSegment {
			proposals[overlap{seg.Path, seg.Heading}] = true
		}
	}
	for _, o := range s.overlaps {
		if !proposals[o] {
			continue
		}
		place := strconv.Quote(o.path)
		if o.path == debate.BodyPath {
			place = "the text of the pull request"
		}
		code := "the code in section " + strconv.Quote(o.heading) + " of " + place
		s.res.Assumption = code + " is debated as code, and the text around it as a proposal"
		s.res.Question = "Is " + code + " only an illustration of the proposal? If so, set `target` to `proposal`."
		return
	}
}
