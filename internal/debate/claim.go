package debate

import "strconv"

// Citation is what a claim points at: lines of one side of a file and the text
// that is said to stand there. Only the engine says whether it does (A03).
type Citation struct {
	Path      string `json:"path"`
	Side      Side   `json:"side"`
	StartLine int    `json:"start_line"` // 1-based
	EndLine   int    `json:"end_line"`   // inclusive, at least StartLine
	Quote     string `json:"quote"`      // the cited lines, verbatim
}

// String renders the citation as path:line or path:first-last (R057).
func (c Citation) String() string {
	s := c.Path + ":" + strconv.Itoa(c.StartLine)
	if c.EndLine > c.StartLine {
		s += "-" + strconv.Itoa(c.EndLine)
	}
	return s
}

// Hit is one defect that a deterministic check of the embedded critic reports.
// It becomes a claim of owner "engine" (S01).
type Hit struct {
	Rule       string    `json:"rule"`     // documented id, "family/name"
	Category   string    `json:"category"` // one of model-call categories: correctness, security, data-loss, ...
	Severity   Severity  `json:"severity"`
	Title      string    `json:"title"` // one line
	Body       string    `json:"body"`  // why it matters and what to do
	Suggestion string    `json:"suggestion,omitempty"`
	Cite       Citation  `json:"cite"`
	Trigger    TriggerID `json:"trigger,omitempty"` // set where the hit makes a decision critical (S03)
	// Redact lists the parts of the cited lines that are secret. The quote is
	// verbatim while the citation is checked; before anything is stored, shown or
	// sent to a model, these parts are replaced (T28). They are never encoded.
	Redact []string `json:"-"`
}

// Notice is something a reader should know that is no defect, such as "this
// kind of file changed" (S22).
type Notice struct {
	Rule string `json:"rule"`
	Path string `json:"path"`
	Line int    `json:"line,omitempty"` // head line, 0 for the whole file
	Text string `json:"text"`
}

// Evidence is a citation and what the engine found when it looked there.
type Evidence struct {
	ID          string       `json:"id"` // E1, E2, ...
	Type        EvidenceType `json:"type"`
	Cite        Citation     `json:"cite"`
	CitationOK  bool         `json:"citation_ok"`
	Reanchored  bool         `json:"reanchored,omitempty"`  // the quote stood within 3 lines of the cited ones (A03)
	Commentable bool         `json:"commentable,omitempty"` // the lines may carry a review comment
	Verified    bool         `json:"verified"`
}

// Claim is one statement under debate. Ids are C1, C2, ... in order of arrival
// and are never reused.
type Claim struct {
	ID           string       `json:"id"`
	Segment      string       `json:"segment,omitempty"`
	Owner        string       `json:"owner"`
	Kind         ClaimKind    `json:"kind"`
	Asserted     Severity     `json:"severity_asserted"`
	Severity     Severity     `json:"severity"`
	Category     string       `json:"category"`
	Rule         string       `json:"rule,omitempty"`
	Trigger      TriggerID    `json:"trigger,omitempty"`
	Title        string       `json:"title"`
	Body         string       `json:"body"`
	Suggestion   string       `json:"suggestion,omitempty"`
	Evidence     Evidence     `json:"evidence"`
	EvidenceType EvidenceType `json:"evidence_type"`
	ReportedBy   []string     `json:"reported_by"`
	ConfirmedBy  []string     `json:"confirmed_by"`
	Bucket       Bucket       `json:"bucket,omitempty"`
	BucketReason string       `json:"bucket_reason,omitempty"`
}
