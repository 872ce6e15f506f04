package debate

import "encoding/json"

// EventKind names an event in the log.
type EventKind string

const (
	KindReceived     EventKind = "received"
	KindSnapshotted  EventKind = "snapshotted"
	KindSplit        EventKind = "split"
	KindCritiqued    EventKind = "critiqued"
	KindPoliced      EventKind = "policed"
	KindPreflighted  EventKind = "preflighted"
	KindPublished    EventKind = "published"
	KindAbortedEvent EventKind = "aborted"
	KindClosed       EventKind = "closed"
	KindChecked      EventKind = "checked"
	KindShown        EventKind = "shown"
	KindLooked       EventKind = "looked"
	KindTested       EventKind = "tested"
	KindReplied      EventKind = "replied"
	KindSinkFailed   EventKind = "sink_failed"
	KindReminded     EventKind = "reminded"
	KindDecided      EventKind = "decided"
	KindDisputed     EventKind = "disputed"
	KindHeadMoved    EventKind = "head_moved"
	KindWithdrawn    EventKind = "withdrawn"
	KindStopped      EventKind = "stopped"
	KindResumed      EventKind = "resumed"
)

// Event is one fact of a debate. This file lists all kinds: a log holds no others.
type Event interface{ kind() EventKind }

// Entry is an event in its place in the log.
type Entry struct {
	N     int   // 1, 2, 3, ... without a gap
	At    int64 // Unix milliseconds, as the host measured them
	Event Event
}

// Received opens a debate: the task, the settings and the seed.
type Received struct {
	Protocol  string   `json:"protocol"`
	SessionID string   `json:"session_id"` // debate-YYYYmmdd-HHMMSS-<number> (R050)
	Seed      string   `json:"seed"`       // 128 random bits, hex, drawn by the edge
	Scope     string   `json:"scope"`      // as asked, or ScopeQuestion; the snapshot has the result
	Mode      Mode     `json:"mode"`
	Target    Target   `json:"target"`
	Anchor    Anchor   `json:"anchor"`
	Settings  Settings `json:"settings"`
	Notes     []string `json:"notes,omitempty"`
	Previous  Previous `json:"previous"`           // the results of earlier heads of the pull request
	Orders    []Order  `json:"orders,omitempty"`   // the orders of people on the pull request
	Inquiry   *Inquiry `json:"inquiry,omitempty"`  // a question in place of a change
	Guidance  []string `json:"guidance,omitempty"` // base-branch policy in words (X19)
	Advice    []Advice `json:"advice,omitempty"`   // from the repository, for contributors
	Language  string   `json:"language,omitempty"` // BCP 47 tag of the language for people; "": English
	Recall    *Memory  `json:"recall,omitempty"`   // the session on the same head that this one continues
	Command   *Command `json:"command,omitempty"`  // on the command line that began the session
}

// Command is a command line, for going on with a session that it began.
type Command struct {
	Dir  string   `json:"dir"` // its working directory
	Args []string `json:"args"`
}

// Advice is a file of the base side for people and agents with advice about work on the
// repository. The parties see it, but it has no authority: it is not in the ledger, and
// nothing follows from it.
type Advice struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Previous is the result of the runs on earlier heads of a pull request (S11, A25). The
// zero value is a first review.
type Previous struct {
	Head       string          `json:"head,omitempty"`
	Heads      int             `json:"heads,omitempty"`    // reviewed heads before this one
	Segments   []SegmentKey    `json:"segments,omitempty"` // the reviewed ones
	Findings   []Carried       `json:"findings,omitempty"` // open ones
	Decisions  []PriorDecision `json:"decisions,omitempty"`
	Names      []Named         `json:"names,omitempty"`      // of findings that a party may raise again
	NextF      int             `json:"next_f,omitempty"`     // number of the next finding
	Disputes   int             `json:"disputes,omitempty"`   // on the pull request so far
	ReadBefore ReadBefore      `json:"read_before,omitzero"` // files to leave out of the packets (M24)
	Overview   *Overview       `json:"overview,omitempty"`   // the effect of the change on the last head
}

// SegmentKey recognises a segment that did not change between two heads.
type SegmentKey struct {
	Path     string `json:"path"`
	TextHash string `json:"text_hash"`
}

// Named is the id of a finding of an earlier head, and the key of its text.
type Named struct {
	F    string `json:"f"`
	Text string `json:"text"` // see Key
}

// Carried is an open finding of an earlier head (S11).
type Carried struct {
	ID       string   `json:"id"` // F3
	Severity Severity `json:"severity"`
	Category Category `json:"category,omitempty"`
	Title    string   `json:"title"`
	Body     string   `json:"body,omitempty"`
	Cite     Citation `json:"cite"`              // its place now, or else the lines at this place now
	Present  bool     `json:"present,omitempty"` // the change still has its text
	Was      Citation `json:"was,omitzero"`      // its citation on the earlier head, if the lines changed
	Owner    string   `json:"owner,omitempty"`
	Final    bool     `json:"final,omitempty"`  // a dispute settled it (A26)
	Grave    bool     `json:"grave,omitempty"`  // settings must not hide it, for example because a party called it a P1
	Wider    bool     `json:"wider,omitempty"`  // it cited other lines too, which Cite leaves out
	Copies   int      `json:"copies,omitempty"` // see Evidence.Copies
}

// PriorDecision is a person's answer of an earlier head.
type PriorDecision struct {
	Fingerprint string `json:"fingerprint"`
	LinkedHash  string `json:"linked_hash"`
	PersonAnswer
}

// OrderKind is a kind of order.
type OrderKind string

const (
	OrderDismiss OrderKind = "dismiss" // Target: an F id or a key
	OrderWaive   OrderKind = "waive"   // Target: a trigger id
	OrderReframe OrderKind = "reframe" // consent to another question (X19); Target: a claim title or F id
	OrderArbiter OrderKind = "arbiter" // the user asks for arbitration (R157)
)

// Order is a command of a person for this run.
type Order struct {
	Kind   OrderKind `json:"kind"`
	Target string    `json:"target,omitempty"`
	Reason string    `json:"reason,omitempty"`
	By     Actor     `json:"by"`
	// AtMost is the severity of the dismissed finding: on a later head, a more severe finding
	// about its text is another one. "": any.
	AtMost Severity `json:"at_most,omitempty"`
	// Copies is Evidence.Copies of that finding: on a later head, the dismissal does not hold for
	// a text at more places.
	Copies int `json:"copies,omitempty"`
}

// Permission is a level of access to a repository, as the platform's API says.
type Permission string

const (
	NoPermission Permission = ""
	ReadAccess   Permission = "read"
	TriageAccess Permission = "triage"
	WriteAccess  Permission = "write"
	MaintainRole Permission = "maintain"
	AdminRole    Permission = "admin"
)

// Actor is an account on the platform.
type Actor struct {
	Login      string     `json:"login"`
	Permission Permission `json:"permission"`
	Bot        bool       `json:"bot,omitempty"`
	Author     bool       `json:"author,omitempty"`    // of the pull request
	OwnsRepo   bool       `json:"owns_repo,omitempty"` // the repository belongs to this user account
}

// Anchor is the stated purpose of the change, verbatim. It fixes the question; its factual
// claims are unverified:author (X19).
type Anchor struct {
	Repo   string `json:"repo,omitempty"`
	PR     int    `json:"pr,omitempty"`
	Title  string `json:"title,omitempty"`
	Intent string `json:"intent,omitempty"`
	Issue  string `json:"issue,omitempty"` // the issues to close, as people read them
}

// Settings are the settings of the reducer.
type Settings struct {
	Gate            Gate        `json:"gate"`
	FailOn          FailOn      `json:"fail_on"`
	AbortIfNoParty  bool        `json:"abort_if_no_party,omitempty"` // on_no_challengers: abort
	ConfigHash      string      `json:"config_hash,omitempty"`       // SHA-256 of the configuration in force, hex
	ConfigDefective bool        `json:"config_defective,omitempty"`  // the run uses defaults and can never succeed
	Opening         Opening     `json:"opening,omitempty"`
	MaxRounds       int         `json:"max_rounds,omitempty"`        // confrontations; 0: 5 (R101)
	MaxClaims       int         `json:"max_claims,omitempty"`        // debated claims; 0: 12 (A10)
	MaxDecisions    int         `json:"max_decisions,omitempty"`     // 0: 4 (A20)
	MaxCalls        int         `json:"max_calls,omitempty"`         // 0: 60
	MaxCostMicro    int64       `json:"max_cost_micro,omitempty"`    // millionths of a US dollar; 0: no bound
	BudgetMinutes   int         `json:"budget_minutes,omitempty"`    // 0: 20 (R054)
	ReserveS        int         `json:"publish_reserve_s,omitempty"` // 0: 60
	TimeoutS        int         `json:"timeout_s,omitempty"`         // of a call if its party sets none; 0: 120 (R102)
	ThinBP          int         `json:"thin_bp,omitempty"`           // 0: 500 (R009)
	TieMarginBP     *int        `json:"tie_margin_bp,omitempty"`     // nil: 200; 0 is exact equality
	Criteria        []Criterion `json:"criteria,omitempty"`          // none: the default ones
	AllowSameFamily bool        `json:"allow_same_family,omitempty"` // R063
	AuthorMayDecide bool        `json:"author_may_decide,omitempty"`
	Deciders        Permission  `json:"deciders,omitempty"`  // least permission of a decider; "": write
	Looks           int         `json:"looks,omitempty"`     // files and searches that one call may look at; 0: none
	Tests           Tests       `json:"tests,omitzero"`      // tests of parties
	Stranger        bool        `json:"stranger,omitempty"`  // the author and everyone who asked for a run lack write access
	Forbidden       Forbidden   `json:"forbidden,omitempty"` // the operator's reason to allow no model; "": models may be asked
}

// Tests are the settings for tests of parties.
type Tests struct {
	Runs    int      `json:"runs"` // different tests in one debate; 0: none
	Command string   `json:"command"`
	Files   []string `json:"files"` // globs of the paths for tests
	// Later: a later job of the workflow runs them, once, and the debate waits for it.
	Later bool `json:"later,omitempty"`
}

// Forbidden is the operator's reason to allow no model for a change. Then there are no
// parties.
type Forbidden string

const (
	ForAccount Forbidden = "account" // the account of the repository is not listed
	ForMoney   Forbidden = "money"   // the limit of this month is reached
	ForPrice   Forbidden = "price"   // the price of a model is unknown, and the month has a limit
)

// Opening says which parties take a first position in a review (M01).
type Opening string

// The openings. The default is parallel, except in mode quick.
const (
	OpenPosition Opening = "position" // the primary alone
	OpenParallel Opening = "parallel" // every party, without a view of the others
)

// Snapshotted freezes the change.
type Snapshotted struct {
	Scope   string   `json:"scope"` // R052
	BaseSHA string   `json:"base_sha,omitempty"`
	HeadSHA string   `json:"head_sha,omitempty"`
	Hash    string   `json:"hash"` // SHA-256 over all that was frozen, hex
	Notes   []string `json:"notes,omitempty"`
}

// SplitDone is the split of the change and its coverage ledger.
type SplitDone struct {
	Target     Target     `json:"target"`
	Downgraded bool       `json:"downgraded,omitempty"` // R070
	Assumption string     `json:"assumption,omitempty"` // R071
	Question   string     `json:"question,omitempty"`   // R071
	Totals     Totals     `json:"totals"`
	Segments   []Segment  `json:"segments"`
	Coverage   []Coverage `json:"coverage"`
	Chunks     []Chunk    `json:"chunks"` // the parts to send
	Files      []FileKey  `json:"files,omitempty"`
}

// Critiqued has the findings of the built-in rules, each with the engine's check of its
// citation.
type Critiqued struct {
	Hits    []CheckedHit `json:"hits"`
	Notices []Notice     `json:"notices,omitempty"`
	Missing []string     `json:"missing,omitempty"`
	Omitted int          `json:"omitted,omitempty"` // hits beyond the critic's bound
}

// CheckedHit is a hit with the engine's check of its lines.
type CheckedHit struct {
	Hit
	CitationOK bool `json:"citation_ok"`
	Copies     int  `json:"copies,omitempty"` // see Evidence.Copies
}

// Policed is the result of policy: the triggers, the reason to skip the review, and the
// findings that the maintainers accepted before.
type Policed struct {
	Triggers []Trigger `json:"triggers"`
	Skip     string    `json:"skip,omitempty"`  // "" to go on
	Known    []Known   `json:"known,omitempty"` // findings in the files of the change that the settings accept
}

// Preflighted is the table of parties. It follows from configuration alone: preflight makes
// no network call.
type Preflighted struct {
	Parties []Party `json:"parties"`
}

// Run is one check run or SARIF result that can support a claim (R147).
type Run struct {
	Ref       string `json:"ref"` // check:<id> or sarif:<id>
	Name      string `json:"name"`
	Failed    bool   `json:"failed"` // a success never counts for or against a claim
	Path      string `json:"path,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	Changed   bool   `json:"changed,omitempty"` // the lines were changed
	Text      string `json:"text,omitempty"`
	Hash      string `json:"hash"` // SHA-256 of the log or annotation, hex
}

// Checked has the finished check runs and the given SARIF files.
type Checked struct {
	Runs []Run `json:"runs"`
}

// Shown keeps the shared texts of calls: the system text and the parts of the packet, as they
// were sent, without secrets. Each is kept once.
type Shown struct {
	Texts []ShownText `json:"texts"`
}

// ShownText is one text and its name.
type ShownText struct {
	Hash string `json:"hash"` // SHA-256, hex
	Text string `json:"text"`
}

// Published says that the outcome was handed to its sinks.
type Published struct {
	Sinks []string `json:"sinks"`
}

// Sink is a place for a question.
type Sink string

// The sinks: the summary, which says what only its readers can decide (R036), an issue, and
// the summary comment if there can be no issue.
const (
	SinkSummary Sink = "summary"
	SinkIssue   Sink = "issue"
	SinkComment Sink = "comment"
)

// SinkFailed says that a sink refused a human item (R043).
type SinkFailed struct {
	Decision string `json:"decision"`
	Sink     Sink   `json:"sink"`
	Reason   string `json:"reason"`
}

// Reminded says that the one reminder about a waiting decision is out.
type Reminded struct {
	Decision string `json:"decision"`
}

// Decided is a person's answer to a decision. The reducer checks that it
// counts; if not, the answer is kept with the reason.
type Decided struct {
	Decision    string `json:"decision"`
	Fingerprint string `json:"fingerprint"`
	Option      string `json:"option"` // "" if Via says it, see Decision.Answered
	Reason      string `json:"reason,omitempty"`
	By          Actor  `json:"by"`
	Head        string `json:"head"` // from the item
	Via         Via    `json:"via"`
	At          int64  `json:"at"`               // Unix milliseconds, as the platform says
	Edited      bool   `json:"edited,omitempty"` // the comment was edited or deleted since
	// Asked is the time of the question, in Unix milliseconds, from the platform or an earlier
	// session; 0: this session asked.
	Asked int64 `json:"asked,omitempty"`
	// Read is the head that the person had read, if it is an earlier one with the same linked
	// lines; "": Head.
	Read string `json:"read,omitempty"`
}

// Via is the way of an answer.
type Via string

const (
	ViaCommand    Via = "command"
	ViaCompleted  Via = "issue_completed"
	ViaNotPlanned Via = "issue_not_planned"
	ViaDuplicate  Via = "issue_duplicate" // no decision
	ViaReview     Via = "review"          // of the pull request: keep or revise
	ViaReopened   Via = "issue_reopened"  // revokes
	ViaLocal      Via = "local"           // on the command line, for this machine only
)

// Disputed re-opens one claim (A26).
type Disputed struct {
	Claim string `json:"claim"`
	Text  string `json:"text"`
	By    Actor  `json:"by"`
}

// HeadMoved reports a new head of the pull request.
type HeadMoved struct {
	Head string `json:"head"`
}

// WithdrawnEvent reports that the pull request was merged or closed.
type WithdrawnEvent struct {
	Reason string `json:"reason"` // e.g. merged_undecided
	By     string `json:"by,omitempty"`
}

// Stopped reports that a person with write access stopped the debate. Its results so far are
// published.
type Stopped struct {
	By Actor `json:"by"`
}

// AbortedEvent ends a debate that cannot go on.
type AbortedEvent struct {
	Reason string `json:"reason"`
}

// Closed is the last event, with the Result for a replay to reproduce.
type Closed struct {
	Outcome json.RawMessage `json:"outcome"`
}

// Resumed reports the end of an interruption. The time in between counts for no budget.
type Resumed struct{}

func (Received) kind() EventKind       { return KindReceived }
func (Snapshotted) kind() EventKind    { return KindSnapshotted }
func (SplitDone) kind() EventKind      { return KindSplit }
func (Critiqued) kind() EventKind      { return KindCritiqued }
func (Policed) kind() EventKind        { return KindPoliced }
func (Preflighted) kind() EventKind    { return KindPreflighted }
func (Published) kind() EventKind      { return KindPublished }
func (AbortedEvent) kind() EventKind   { return KindAbortedEvent }
func (Closed) kind() EventKind         { return KindClosed }
func (Checked) kind() EventKind        { return KindChecked }
func (Shown) kind() EventKind          { return KindShown }
func (Replied) kind() EventKind        { return KindReplied }
func (SinkFailed) kind() EventKind     { return KindSinkFailed }
func (Reminded) kind() EventKind       { return KindReminded }
func (Decided) kind() EventKind        { return KindDecided }
func (Disputed) kind() EventKind       { return KindDisputed }
func (HeadMoved) kind() EventKind      { return KindHeadMoved }
func (WithdrawnEvent) kind() EventKind { return KindWithdrawn }
func (Stopped) kind() EventKind        { return KindStopped }
func (Resumed) kind() EventKind        { return KindResumed }
func (Looked) kind() EventKind         { return KindLooked }
func (Tested) kind() EventKind         { return KindTested }
