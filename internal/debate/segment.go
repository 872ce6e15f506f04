package debate

import (
	"fmt"
	"slices"
)

// SegmentKind says how a part of the change is debated (R067-R070).
type SegmentKind string

// The kinds of segments. Context is visible to the parties and not debated.
const (
	CodeSegment     SegmentKind = "code"
	ProposalSegment SegmentKind = "proposal"
	ContextSegment  SegmentKind = "context"
)

// SegmentSource is the origin of a segment.
type SegmentSource string

const (
	FromDiff SegmentSource = "diff"
	FromBody SegmentSource = "pr_body"
)

// BodyPath is the path for citations of the pull request's text.
const BodyPath = "@pr"

// IssuePath is the path of the linked issues in a packet. Their words are no evidence: a
// citation of them never holds.
const IssuePath = "@issue"

// Segment is one part of the change. Ids are S1, S2, ... in the order of the
// input; segments are disjoint.
type Segment struct {
	ID        string        `json:"id"`
	Kind      SegmentKind   `json:"kind"`
	Source    SegmentSource `json:"source"`
	Path      string        `json:"path"`
	Side      Side          `json:"side"`       // side of the line numbers: LEFT only if no line is left at head
	StartLine int           `json:"start_line"` // 1-based; 0 for a segment without lines
	EndLine   int           `json:"end_line"`
	BaseStart int           `json:"base_start,omitempty"` // of a segment on side RIGHT: its lines at the base, removed or kept; 0 for none
	BaseEnd   int           `json:"base_end,omitempty"`
	Heading   string        `json:"heading,omitempty"` // of a proposal section
	TextHash  string        `json:"text_hash"`         // SHA-256, hex
}

// On returns the first and the last line of a segment on a side, 0 and 0 for none.
func (s Segment) On(side Side) (first, last int) {
	switch {
	case side == s.Side:
		return s.StartLine, s.EndLine
	case side == Left:
		return s.BaseStart, s.BaseEnd
	}
	return 0, 0
}

// Holds reports whether a line of one side is in the segment.
func (s Segment) Holds(side Side, line int) bool {
	first, last := s.On(side)
	return first <= line && line <= last
}

// Exclusion says why a part of the change gets no review.
type Exclusion string

const (
	NotExcluded Exclusion = ""
	IgnoredPath Exclusion = "ignored path"
	Generated   Exclusion = "generated"
	Vendored    Exclusion = "vendored"
	Binary      Exclusion = "binary"
	Submodule   Exclusion = "submodule"        // models see its target commit, not its code
	NoContent   Exclusion = "no changed lines" // mode changes, empty files
	OnlyRenamed Exclusion = "only renamed"     // its content is not read
	TooLarge    Exclusion = "too large"
	OutOfBudget Exclusion = "out of budget"
	Unreadable  Exclusion = "unreadable"
	NotAsked    Exclusion = "not asked for"       // the run is about another kind of text
	Media       Exclusion = "not shown to models" // a picture, a font, audio or video
)

// MaxNamed bounds the changes without lines (of a name, a mode, a submodule's pointer) that
// reviewers get by name. The rest counts as not read.
const MaxNamed = 1000

// BesideLines reports whether a part has a change without lines, so a review must name it.
func (c Coverage) BesideLines() bool {
	if c.Excluded == NotExcluded {
		return c.Detail != ""
	}
	return slices.Contains([]Exclusion{NoContent, OnlyRenamed, Submodule}, c.Excluded)
}

// readable reports whether a reviewer can have read a part: its lines or its name.
func (c Coverage) readable() bool {
	return slices.Contains([]Exclusion{NotExcluded, NoContent}, c.Excluded)
}

// Coverage is the ledger entry of one hunk, of one proposal section, or of a changed file
// without either. Every part of a change has exactly one.
type Coverage struct {
	ID        string    `json:"id"` // H1, H2, ... in the order of the input
	Path      string    `json:"path"`
	Side      Side      `json:"side"`
	StartLine int       `json:"start_line"` // 0 for a whole file
	EndLine   int       `json:"end_line"`
	Additions int       `json:"additions"`
	Deletions int       `json:"deletions"`
	Segments  []string  `json:"segments,omitempty"`
	Excluded  Exclusion `json:"excluded,omitempty"`
	Detail    string    `json:"detail,omitempty"` // details of Excluded; of a shown part, its changes without lines
	By        []string  `json:"by,omitempty"`     // its reviewers; filled when the review is done
	Owed      []string  `json:"owed,omitempty"`   // parties without an answer about it, if others answered; likewise
	// Carried is the earlier head of its review: it is not sent again (M24).
	Carried string `json:"carried,omitempty"`
}

// Read reports whether every party asked reviewed a part.
func (c Coverage) Read() bool { return reviewedByParty(c.By) && len(c.Owed) == 0 }

// Totals are the expected sums of the coverage ledger.
type Totals struct {
	Files     int `json:"files"`
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	Parts     int `json:"parts"` // hunks, proposal sections and files without either
}

// Chunk is a set of code segments for one call (S13).
type Chunk struct {
	ID       string   `json:"id"` // K is taken by challenges: X1, X2, ...
	Bytes    int      `json:"bytes"`
	Segments []string `json:"segments"`
}

// checkSums says how the ledger of a split contradicts its totals, or "".
func (d SplitDone) checkSums() string {
	var got Totals
	files := make(map[string]bool)
	for _, c := range d.Coverage {
		if c.Path != BodyPath {
			files[c.Path] = true
		}
		got.Additions += c.Additions
		got.Deletions += c.Deletions
	}
	got.Files, got.Parts = len(files), len(d.Coverage)
	if got != d.Totals {
		return fmt.Sprintf("the coverage ledger sums to %+v, the change has %+v", got, d.Totals)
	}
	return ""
}

// CoverageLevel is how much of the change was reviewed by a party other than
// the engine itself.
type CoverageLevel string

const (
	CoverageFull    CoverageLevel = "full"
	CoveragePartial CoverageLevel = "partial"
	CoverageNone    CoverageLevel = "none"
)

// Coverage weighs the coverage ledger. A part excused by policy counts for neither side. A
// part is not reviewed if it was too large, out of budget or unreadable, and not fully read if
// a party did not answer about it. The critic's reading alone is no review.
func (s State) Coverage() CoverageLevel {
	reviewed := func(c Coverage) bool { return reviewedByParty(c.By) }
	open := func(c Coverage) bool { return !c.Read() && !c.Excluded.Excused() }
	switch {
	case !slices.ContainsFunc(s.Split.Coverage, reviewed):
		return CoverageNone
	case slices.ContainsFunc(s.Split.Coverage, open):
		return CoveragePartial
	}
	return CoverageFull
}

// Excused reports whether a part left out for this reason needs no review.
func (e Exclusion) Excused() bool {
	return !slices.Contains([]Exclusion{NotExcluded, TooLarge, OutOfBudget, Unreadable, NotAsked, Binary, Submodule}, e)
}

func reviewedByParty(by []string) bool {
	return slices.ContainsFunc(by, func(party string) bool { return party != EngineParty })
}
