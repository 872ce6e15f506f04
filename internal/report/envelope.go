// Package report says what came of a run, for people and for tools. All renderings
// start from one Envelope, which is computed from the folded record and holds
// nothing that the record does not:
//
//	State ── FromState ──> Envelope ──> JSON, Markdown, what stands on GitHub
//	                                ├─> html.Render
//	                                ├─> terminal.Text
//	                                └─> sarif.Render
//
// The sentences that several surfaces share are here, too.
package report

import "github.com/prdebate/debate/internal/debate"

// SchemaVersion of the JSON envelope. Adding a member does not raise it.
const SchemaVersion = 1

// Envelope is the result of a run: the output envelope (R055) with what people
// and scripts need around it. Every list is sorted and none is null in JSON. It has
// as many fields as the JSON has members, which scripts rely on: docs/json.md.
type Envelope struct {
	SchemaVersion      int                `json:"schema_version"`
	SessionID          string             `json:"session_id"`
	Target             debate.Target      `json:"target"`
	Scope              string             `json:"scope"`
	ScopeShort         string             `json:"-"` // the same with short commits, if it is all between two of them
	Mode               debate.Mode        `json:"mode"`
	Outcome            debate.Outcome     `json:"outcome"`
	Confidence         debate.Confidence  `json:"confidence"`
	Doubts             []string           `json:"doubts"` // why the confidence is not higher
	Disposition        debate.Disposition `json:"disposition"`
	Recommendation     debate.Disposition `json:"recommendation"`
	Summary            string             `json:"summary"`
	P1                 []Finding          `json:"p1"`
	P2                 []Finding          `json:"p2"`
	P3                 []Finding          `json:"p3"`
	Unresolved         []Finding          `json:"unresolved"`
	Dismissed          []Finding          `json:"dismissed"`
	NotEvaluated       []Finding          `json:"not_evaluated"`
	Unproved           []Finding          `json:"unproved"` // that one model holds without proof: they count for nothing
	Known              []Finding          `json:"known"`    // that the settings of the base branch accept: they are not posted and fail no run
	Missing            []string           `json:"missing"`  // criteria and items without text (R055, S16)
	Notices            []debate.Notice    `json:"notices"`  // facts about the change that are no findings (S22)
	Evidence           []string           `json:"evidence"`
	Decisions          []Decision         `json:"decisions"`
	Triggers           []Trigger          `json:"triggers"`
	Lone               []Lone             `json:"lone_triggers"` // what one party calls critical and no decision is about (M13)
	Parties            []Party            `json:"parties"`
	BackendUnavailable []string           `json:"backend_unavailable"`
	Positions          []Position         `json:"positions"`
	Deltas             []Delta            `json:"deltas"`
	Question           *string            `json:"question"`
	Coverage           string             `json:"coverage"` // full, partial or none (S05)
	Stats              Stats              `json:"stats"`
	Record             string             `json:"record"`
	Notes              []string           `json:"notes"` // said at the top: what the scope took in, broken settings

	OutcomeReason string        `json:"outcome_reason"`
	Exit          debate.Exit   `json:"exit"`     // why the parties stopped, "" if there was no debate
	ExitWhy       string        `json:"exit_why"` // the same in words
	SameFamily    bool          `json:"same_family"`
	Primary       string        `json:"primary"`     // who held the last position
	Duplicates    int           `json:"duplicates"`  // claims that were merged into another
	Objections    []Challenge   `json:"objections"`  // to the position itself
	Rounds        []Round       `json:"rounds"`      // one for each exchange
	Assumptions   []Assumption  `json:"assumptions"` // why parties disagree (R104, R105)
	Arbitration   []Arbitration `json:"arbitration"`
	Carried       []Carried     `json:"carried"` // findings of earlier heads
	Reviews       []Review      `json:"proposal_reviews"`

	Alone bool `json:"alone"` // a model said something on its own, and nobody challenged it (X02)

	Inquiry *Inquiry `json:"inquiry,omitempty"` // of a question in the place of a change

	About        About         `json:"about"`
	Overview     *Overview     `json:"overview,omitempty"` // what the change does, as a model describes it
	Calls        []Call        `json:"calls"`              // in the order of the record
	Alternatives []Alternative `json:"alternatives"`       // to the change, as models see them

	Conclusion    debate.Conclusion `json:"conclusion"` // of the check (S05)
	ConclusionWhy string            `json:"conclusion_why"`

	// Seal is the SHA-256 of the last line of the record, "" where it is not known.
	// Like the path of the record it is no part of what the record says.
	Seal string `json:"-"`

	// Forbidden is why no model might be asked, "" where some might.
	Forbidden debate.Forbidden `json:"-"`

	// IDs are the ids of second runs by the names that people know, for the JSON.
	IDs map[string]string `json:"-"`

	Version string `json:"-"` // of the program that writes the report, "" where it is not known
}

// Trigger is one policy match, critical or merely shown.
type Trigger struct {
	ID     debate.TriggerID `json:"id"`
	Source string           `json:"source"`
	Path   string           `json:"path"`
	Line   int              `json:"line"`
	Detail string           `json:"detail"`
	Class  string           `json:"class"`
	By     []string         `json:"by"`     // parties that assert it
	Waived string           `json:"waived"` // by whom and why, "" if it holds
}

// Overview is what a change does, as the model that opened describes it. Nothing
// follows from it.
type Overview struct {
	By     string  `json:"by"`     // the party
	Head   string  `json:"head"`   // commit that it describes
	Does   string  `json:"does"`   // at most two sentences
	Misses string  `json:"misses"` // what the linked issue asks for and the change does not do, "" for nothing
	Order  []Topic `json:"order"`  // in which to read the files; none of up to five
	Others int     `json:"others"` // files of the change that no topic lists
}

// Topic is a part of a change that is read together. One without a title holds files
// that the order forgot.
type Topic struct {
	Topic string   `json:"topic"` // in a few words
	Files []string `json:"files"` // paths of the change, each in one topic
}

// ReadOn lists the files that everybody who debates reviewed on one head.
type ReadOn struct {
	Head  string   `json:"head"`  // commit
	Files []string `json:"files"` // paths
}

// Stats counts what was read and what it cost.
type Stats struct {
	Files        int       `json:"files"`
	Additions    int       `json:"additions"`
	Deletions    int       `json:"deletions"`
	Segments     int       `json:"segments"`
	NotReviewed  []string  `json:"not_reviewed"` // "path: reason, changed lines" of files that not even the built-in rules read
	Unreviewed   []string  `json:"unreviewed"`   // `path: reason` of what not all models of a debate reviewed and policy does not excuse (S05)
	Causes       []string  `json:"-"`            // why, each once, in the same order
	Blind        bool      `json:"-"`            // it has lines, and nobody could read one of them
	Excused      []Excused `json:"-"`            // files that no model read and that need no review
	Missed       int       `json:"missed_files"` // files of which a debate reviewed nothing or only a part
	ReadOn       []ReadOn  `json:"read_on"`      // which files were reviewed on this head and which on earlier ones; none where all were on this one
	Rounds       int       `json:"rounds"`       // exchanges with a valid reply
	Calls        int       `json:"calls"`
	TokensIn     int       `json:"tokens_in"`
	TokensCached int       `json:"tokens_cached"`
	TokensOut    int       `json:"tokens_out"`
	CostUSD      USD       `json:"cost_usd"`
	CostUnknown  bool      `json:"cost_unknown"` // of some calls no price is known: they are not in cost_usd (S15)
	DurationMS   int64     `json:"duration_ms"`
}

// Excused is a file that no model read and that needs no review.
type Excused struct {
	Path  string
	Why   debate.Exclusion
	Lines int // that the change adds or deletes
}
