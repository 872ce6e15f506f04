package debate

import "encoding/json"

// EventKind names an event in the log.
type EventKind string

// The kinds of events.
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

// Event is one fact of a debate. The set is closed: what the log may hold is
// what this file lists.
type Event interface{ Kind() EventKind }

// Entry is an event in its place in the log.
type Entry struct {
	N     int   // 1, 2, 3, ... without a gap
	At    int64 // Unix milliseconds, as the host measured them
	Event Event
}

// Received opens a debate: what was asked, by which settings, with which seed.
type Received struct {
	Protocol  string   `json:"protocol"`
	SessionID string   `json:"session_id"` // debate-YYYYmmdd-HHMMSS-<number> (R050)
	Seed      string   `json:"seed"`       // 128 random bits, hex, drawn by the edge (S24)
	Scope     string   `json:"scope"`      // as asked, or ScopeQuestion; the snapshot says what it became
	Mode      Mode     `json:"mode"`
	Target    Target   `json:"target"`
	Anchor    Anchor   `json:"anchor"`
	Settings  Settings `json:"settings"`
	Notes     []string `json:"notes,omitempty"`
	Previous  Previous `json:"previous"`           // what earlier heads of the pull request left
	Orders    []Order  `json:"orders,omitempty"`   // what people ordered on the pull request
	Inquiry   *Inquiry `json:"inquiry,omitempty"`  // a question in the place of a change
	Guidance  []string `json:"guidance,omitempty"` // base-branch policy in words (X19)
	Advice    []Advice `json:"advice,omitempty"`   // what the repository tells those who work on it
	Language  string   `json:"language,omitempty"` // BCP 47 tag of what is written for people; "": English
	Recall    *Memory  `json:"recall,omitempty"`   // the session on the same head that this one goes on from (S10)
}

// Advice is a file of the base side that tells people and agents how to work on
// the repository. It is shown to the parties, and has no authority: it is not in
// the ledger, and nothing follows from it by itself.
type Advice struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Previous is what the runs on earlier heads of a pull request left behind (S11,
// A14, A25). The zero value is a first review.
type Previous struct {
	Head       string          `json:"head,omitempty"`
	Heads      int             `json:"heads,omitempty"`    // reviewed heads before this one
	Segments   []SegmentKey    `json:"segments,omitempty"` // that were reviewed
	Findings   []Carried       `json:"findings,omitempty"` // open ones
	Decisions  []PriorDecision `json:"decisions,omitempty"`
	Names      []Named         `json:"names,omitempty"`      // of findings that somebody may raise again
	NextF      int             `json:"next_f,omitempty"`     // number of the next finding
	Disputes   int             `json:"disputes,omitempty"`   // on the pull request so far (S19)
	ReadBefore ReadBefore      `json:"read_before,omitzero"` // what need not be sent again (M24)
	Overview   *Overview       `json:"overview,omitempty"`   // what the change did on the last head
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
	Cite     Citation `json:"cite"`              // where it stands now, or else the lines that stand there now
	Present  bool     `json:"present,omitempty"` // its text still stands in the change
	Was      Citation `json:"was,omitzero"`      // what it cited on the earlier head, if other lines stand there now
	Owner    string   `json:"owner,omitempty"`
	Final    bool     `json:"final,omitempty"`  // a dispute settled it (A26)
	Grave    bool     `json:"grave,omitempty"`  // settings must not hide it: somebody called it a P1, for one
	Wider    bool     `json:"wider,omitempty"`  // it cited other lines too, which Cite does not tell
	Copies   int      `json:"copies,omitempty"` // see Evidence.Copies
}

// PriorDecision is a human decision of an earlier head (A14, S08).
type PriorDecision struct {
	Fingerprint string `json:"fingerprint"`
	LinkedHash  string `json:"linked_hash"`
	Option      string `json:"option"`
	By          string `json:"by"`
	Reason      string `json:"reason,omitempty"`
	At          int64  `json:"at"` // Unix milliseconds
	Head        string `json:"head"`
	Self        bool   `json:"self,omitempty"`
	Local       bool   `json:"local,omitempty"` // whoever holds the records decided (M23)
	// Accepted are the findings that it accepts (M20).
	Accepted []Acceptance `json:"accepted,omitempty"`
}

// OrderKind is what a person ordered.
type OrderKind string

// The orders that a debate itself obeys.
const (
	OrderDismiss OrderKind = "dismiss" // Target: an F id or a key
	OrderWaive   OrderKind = "waive"   // Target: a trigger id
	OrderReframe OrderKind = "reframe" // consent to another question (X19); Target: a claim title or F id
	OrderArbiter OrderKind = "arbiter" // the user asks for arbitration (R157)
)

// Order is a command of a person that is in force for this run.
type Order struct {
	Kind   OrderKind `json:"kind"`
	Target string    `json:"target,omitempty"`
	Reason string    `json:"reason,omitempty"`
	By     Actor     `json:"by"`
	// AtMost is the severity of the finding that was dismissed: what its text is
	// said to do on a later head is another finding if it is more severe. "": any.
	AtMost Severity `json:"at_most,omitempty"`
	// Copies is Evidence.Copies of that finding: on a later head, a text at more places is
	// not dismissed.
	Copies int `json:"copies,omitempty"`
}

// Permission is a level of access to a repository, as the platform's API says.
type Permission string

// The permissions.
const (
	NoPermission Permission = ""
	ReadAccess   Permission = "read"
	TriageAccess Permission = "triage"
	WriteAccess  Permission = "write"
	MaintainRole Permission = "maintain"
	AdminRole    Permission = "admin"
)

// Actor is an account that did something.
type Actor struct {
	Login      string     `json:"login"`
	Permission Permission `json:"permission"`
	Bot        bool       `json:"bot,omitempty"`
	Author     bool       `json:"author,omitempty"`    // of the pull request
	OwnsRepo   bool       `json:"owns_repo,omitempty"` // the repository belongs to this user account (S09)
}

// Anchor is what the change says it wants, verbatim. It fixes the question; its
// factual claims are unverified:author (X19).
type Anchor struct {
	Repo   string `json:"repo,omitempty"`
	PR     int    `json:"pr,omitempty"`
	Title  string `json:"title,omitempty"`
	Intent string `json:"intent,omitempty"`
	Issue  string `json:"issue,omitempty"` // the issues that the change is to close, as people read them
}

// Settings are the settings that the reducer itself needs.
type Settings struct {
	Gate            Gate        `json:"gate"`
	FailOn          FailOn      `json:"fail_on"`
	AbortIfNoParty  bool        `json:"abort_if_no_party,omitempty"` // on_no_challengers: abort (X02)
	ConfigHash      string      `json:"config_hash,omitempty"`       // SHA-256 of the configuration in force, hex
	ConfigDefective bool        `json:"config_defective,omitempty"`  // the run uses defaults and can never succeed (S18)
	Opening         Opening     `json:"opening,omitempty"`
	MaxRounds       int         `json:"max_rounds,omitempty"`        // confrontations; 0: 5 (R101)
	MaxClaims       int         `json:"max_claims,omitempty"`        // debated claims; 0: 12 (A10)
	MaxDecisions    int         `json:"max_decisions,omitempty"`     // 0: 4 (A20)
	MaxCalls        int         `json:"max_calls,omitempty"`         // 0: 60
	MaxCostMicro    int64       `json:"max_cost_micro,omitempty"`    // millionths of a US dollar; 0: no bound
	BudgetMinutes   int         `json:"budget_minutes,omitempty"`    // 0: 20 (R054)
	ReserveS        int         `json:"publish_reserve_s,omitempty"` // 0: 60 (X26)
	TimeoutS        int         `json:"timeout_s,omitempty"`         // of a call whose party sets none; 0: 120 (R102)
	ThinBP          int         `json:"thin_bp,omitempty"`           // 0: 500 (R009)
	TieMarginBP     *int        `json:"tie_margin_bp,omitempty"`     // nil: 200 (X07); 0 is exact equality
	Criteria        []Criterion `json:"criteria,omitempty"`          // none: the default ones (X29)
	AllowSameFamily bool        `json:"allow_same_family,omitempty"` // X30
	AuthorMayDecide bool        `json:"author_may_decide,omitempty"` // A13
	Deciders        Permission  `json:"deciders,omitempty"`          // least permission of a decider; "": write
	Looks           int         `json:"looks,omitempty"`             // things that one call may look at beyond what it is sent; 0: none
	Tests           Tests       `json:"tests,omitzero"`              // that parties may have run
	Stranger        bool        `json:"stranger,omitempty"`          // the author has no write access and nobody with write asked for a run (S19)
	Forbidden       Forbidden   `json:"forbidden,omitempty"`         // why whoever runs a server lets no model be asked; "": models may be asked
}

// Tests say whether and how tests of parties are run.
type Tests struct {
	Runs    int      `json:"runs"` // of different tests in one debate; 0: none is run
	Command string   `json:"command"`
	Files   []string `json:"files"` // globs of the paths where a test may be written
	// Later: a later job of a workflow runs them, once, and the debate waits for it.
	Later bool `json:"later,omitempty"`
}

// Forbidden is why whoever runs a server lets no model be asked about a change. Then nobody
// is among the parties.
type Forbidden string

// The reasons.
const (
	ForAccount Forbidden = "account" // the account of the repository is not listed
	ForMoney   Forbidden = "money"   // what may be spent in this month is spent
	ForPrice   Forbidden = "price"   // that of a model is not known, and the month has a limit
)

// Opening says who takes a first position in a review (A23).
type Opening string

// The openings. Without one, and in every mode but quick, it is parallel.
const (
	OpenPosition Opening = "position" // the primary alone
	OpenParallel Opening = "parallel" // every party, unseen by the others
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
	Assumption string     `json:"assumption,omitempty"` // X06
	Question   string     `json:"question,omitempty"`   // X06
	Totals     Totals     `json:"totals"`
	Segments   []Segment  `json:"segments"`
	Coverage   []Coverage `json:"coverage"`
	Chunks     []Chunk    `json:"chunks"` // what is sent
	Files      []FileKey  `json:"files,omitempty"`
}

// Critiqued is what the embedded critic found, each hit with the engine's own
// finding about its citation.
type Critiqued struct {
	Hits    []CheckedHit `json:"hits"`
	Notices []Notice     `json:"notices,omitempty"`
	Missing []string     `json:"missing,omitempty"`
	Omitted int          `json:"omitted,omitempty"` // hits beyond the critic's bound
}

// CheckedHit is a hit after the engine looked at the lines that it cites.
type CheckedHit struct {
	Hit
	CitationOK  bool `json:"citation_ok"`
	Commentable bool `json:"commentable"`      // the lines may carry a review comment
	Copies      int  `json:"copies,omitempty"` // see Evidence.Copies
}

// Policed is what policy says: the triggers, why nothing needs review, and which
// findings the maintainers know of.
type Policed struct {
	Triggers []Trigger `json:"triggers"`
	Skip     string    `json:"skip,omitempty"`  // "" to go on (S07)
	Known    []Known   `json:"known,omitempty"` // what the settings accept in the files of the change
}

// Preflighted is the party table. It rests on configuration alone: preflight
// makes no network call (S14).
type Preflighted struct {
	Parties []Party `json:"parties"`
}

// Run is one check run or SARIF result that can support a claim (S12).
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

// Checked is what the finished check runs and the handed-over SARIF files say.
type Checked struct {
	Runs []Run `json:"runs"`
}

// Shown keeps texts that calls are made of and share: the system text and the
// parts of the packet, as they were sent, without secrets. Each is kept once (M25).
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

// Sink is where a human item can stand, best first (X27).
type Sink string

// The sinks: the summary, which says what only its readers can decide (M15), and
// those of the fallback chain.
const (
	SinkSummary  Sink = "summary"
	SinkIssue    Sink = "issue"
	SinkComment  Sink = "comment"
	SinkCheck    Sink = "check"
	SinkArtifact Sink = "artifact"
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

// Decided is a person's answer to a decision (A13, S08, S09). The reducer says
// whether it counts; one that does not is kept with the reason.
type Decided struct {
	Decision    string `json:"decision"`
	Fingerprint string `json:"fingerprint"`
	Option      string `json:"option"` // "" where Via says which, see Decision.Answered
	Reason      string `json:"reason,omitempty"`
	By          Actor  `json:"by"`
	Head        string `json:"head"` // that was printed in the item
	Via         Via    `json:"via"`
	At          int64  `json:"at"`               // Unix milliseconds, as the platform says
	Edited      bool   `json:"edited,omitempty"` // the comment was edited or deleted since
	// Asked is when the question was put, in Unix milliseconds, where the platform or an
	// earlier session says so; 0: when this session put it.
	Asked int64 `json:"asked,omitempty"`
	// Read is the head that the person had read, where that is an earlier one with the
	// same linked lines; "": Head.
	Read string `json:"read,omitempty"`
}

// Via is the way in which a person answered.
type Via string

// The ways.
const (
	ViaCommand    Via = "command"
	ViaCompleted  Via = "issue_completed"
	ViaNotPlanned Via = "issue_not_planned"
	ViaDuplicate  Via = "issue_duplicate" // no decision (S08)
	ViaReview     Via = "review"          // of the pull request: keep or revise
	ViaReopened   Via = "issue_reopened"  // revokes
	ViaLocal      Via = "local"           // on the command line, for this machine only (M23)
)

// Disputed re-opens one claim (A26).
type Disputed struct {
	Claim string `json:"claim"`
	Text  string `json:"text"`
	By    Actor  `json:"by"`
}

// HeadMoved says that the pull request has a new head (A14).
type HeadMoved struct {
	Head string `json:"head"`
}

// WithdrawnEvent says that the pull request was merged or closed.
type WithdrawnEvent struct {
	Reason string `json:"reason"` // e.g. merged_undecided (S23)
	By     string `json:"by,omitempty"`
}

// Stopped says that a person with write access stopped the debate: what exists
// is published as such.
type Stopped struct {
	By Actor `json:"by"`
}

// AbortedEvent ends a debate that cannot go on.
type AbortedEvent struct {
	Reason string `json:"reason"`
}

// Closed is the last event: the Result, which a replay must reproduce.
type Closed struct {
	Outcome json.RawMessage `json:"outcome"`
}

// Kind implements Event.
func (Received) Kind() EventKind { return KindReceived }

// Kind implements Event.
func (Snapshotted) Kind() EventKind { return KindSnapshotted }

// Kind implements Event.
func (SplitDone) Kind() EventKind { return KindSplit }

// Kind implements Event.
func (Critiqued) Kind() EventKind { return KindCritiqued }

// Kind implements Event.
func (Policed) Kind() EventKind { return KindPoliced }

// Kind implements Event.
func (Preflighted) Kind() EventKind { return KindPreflighted }

// Kind implements Event.
func (Published) Kind() EventKind { return KindPublished }

// Kind implements Event.
func (AbortedEvent) Kind() EventKind { return KindAbortedEvent }

// Kind implements Event.
func (Closed) Kind() EventKind { return KindClosed }

// Kind implements Event.
func (Checked) Kind() EventKind { return KindChecked }

// Kind implements Event.
func (Shown) Kind() EventKind { return KindShown }

// Kind implements Event.
func (Replied) Kind() EventKind { return KindReplied }

// Kind implements Event.
func (SinkFailed) Kind() EventKind { return KindSinkFailed }

// Kind implements Event.
func (Reminded) Kind() EventKind { return KindReminded }

// Kind implements Event.
func (Decided) Kind() EventKind { return KindDecided }

// Kind implements Event.
func (Disputed) Kind() EventKind { return KindDisputed }

// Kind implements Event.
func (HeadMoved) Kind() EventKind { return KindHeadMoved }

// Kind implements Event.
func (WithdrawnEvent) Kind() EventKind { return KindWithdrawn }

// Resumed says that the run was interrupted and goes on only now: the time in
// between counts for no budget.
type Resumed struct{}

// Kind implements Event.
func (Stopped) Kind() EventKind { return KindStopped }

// Kind implements Event.
func (Resumed) Kind() EventKind { return KindResumed }
