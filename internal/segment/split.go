package segment

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Input is what a split is made of.
type Input struct {
	Change         patch.Change
	Index          *patch.Index
	Title, Body    string // text of the pull request, may be empty
	Target         debate.Target
	Ignore         []string // doublestar globs of paths that are not reviewed
	Proposal       []string // further doublestar globs of proposal documents (S16)
	BaseAttributes []byte   // .gitattributes at the base, nil if there is none
	ChunkBytes     int      // 0: 60 kB (S13)
	MaxChunks      int      // 0: no bound
}

// Result is the split of one change.
type Result struct {
	Target       debate.Target
	Downgraded   bool   // one side was empty (R070)
	Assumption   string // the reading that was taken where the text is ambiguous (X06)
	Question     string // the one question about it, "" if there is none
	Segments     []debate.Segment
	Coverage     []debate.Coverage
	Totals       debate.Totals
	Chunks       []debate.Chunk
	NewProposals []Proposal
}

// Proposal is a proposal that the change adds, for the review criteria (S16).
type Proposal struct {
	Segment            string
	Path               string
	StartLine, EndLine int
	Heading            string
	Text               string // what the criteria are looked for in
}
