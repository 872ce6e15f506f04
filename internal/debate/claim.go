package debate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// Hit is one defect found by a deterministic check of the embedded critic. It becomes a claim
// of owner "engine".
type Hit struct {
	Rule       string    `json:"rule"`     // documented id, "family/name"
	Category   string    `json:"category"` // one of model-call categories: correctness, security, data-loss, ...
	Severity   Severity  `json:"severity"`
	Title      string    `json:"title"` // one line
	Body       string    `json:"body"`  // the reason and the remedy
	Suggestion string    `json:"suggestion,omitempty"`
	Cite       Citation  `json:"cite"`
	Trigger    TriggerID `json:"trigger,omitempty"` // set if the hit makes a decision critical (S03)
	// Redact lists the secret parts of the cited lines. The quote is verbatim during the check
	// of the citation; these parts are replaced before anything is stored, shown or sent to a
	// model. They are never encoded.
	Redact []string `json:"-"`
}

// Notice is information for the reader that is no defect, such as "this kind of file changed".
type Notice struct {
	Rule string `json:"rule"`
	Path string `json:"path"`
	Line int    `json:"line,omitempty"` // head line, 0 for the whole file
	Text string `json:"text"`
}

// Evaluation is the opinion of one party other than the owner about a claim.
type Evaluation struct {
	Party        string
	N            int
	Class        Class
	View         View
	Severity     Severity
	Flaw         string
	UpgradeIf    string
	Qualified    bool   // it cites lines found by the engine
	Reasoned     bool   // it gives a reason, or lines of its own (M02)
	Acknowledged bool   // it differs from an earlier one, and the party said so
	SameAs       string `json:",omitempty"` // the party's own claim about the same defect, or NoClaim
}

// Reason is the reason for the bucket of a claim.
type Reason string

// The reasons; an agreed claim has none.
const (
	ReasonConceded    Reason = "conceded"
	ReasonUndefended  Reason = "undefended"
	ReasonRejected    Reason = "rejected"
	ReasonOutOfScope  Reason = "out_of_scope"
	ReasonBlocked     Reason = "blocked"
	ReasonDefinition  Reason = "definitional"
	ReasonTradeoff    Reason = "tradeoff"
	ReasonUnconfirmed Reason = "unconfirmed" // the evidence gate is not passed
	ReasonOpen        Reason = "open"
	ReasonUnreviewed  Reason = "unreviewed"
	ReasonLate        Reason = "late"
	ReasonNotDebated  Reason = "not_debated"
	ReasonAnchorShift Reason = "pending_anchor_shift"
	ReasonUnexplained Reason = "withdrawn_unexplained"
	ReasonHuman       Reason = "human"    // an authorised person dismissed it
	ReasonFixed       Reason = "fixed"    // of an earlier head, and gone
	ReasonKnown       Reason = "known"    // the settings of the base side accept it
	ReasonUnproved    Reason = "unproved" // one party says so, and its quote was not found
)

// Claim is one statement under debate. Models, people, records and commands use its id, such
// as F3. See Book.newID.
type Claim struct {
	ID           string
	Segment      string
	Owner        string
	RaisedN      int
	Kind         ClaimKind
	Asserted     Severity
	Severity     Severity
	Category     Category
	AnyCategory  bool   // its owner named none
	Rule         string // of the embedded critic
	Trigger      TriggerID
	Title        string
	Body         string
	Suggestion   string
	Evidence     []Evidence
	EvidenceType EvidenceType
	Late         bool     // raised too late (R128)
	OutOfScope   bool     // R132
	Reframe      bool     // it is about another question (X19)
	NotDebated   bool     // beyond max_claims (A10)
	Extra        bool     // beyond the new claims of this head (A25)
	Softer       Severity // its owner lowered it to this in words alone, "" if it did not
	AmendedTo    Severity // its owner amended the asserted severity to this, "" if it did not
	Fallen       bool     // conceded or undefended: a later claim about the same is another one
	Final        bool     // a dispute settled it (A26)
	Carried      string   // the finding of an earlier head that it continues, or that was merged into it (S11)
	Grave        bool     `json:",omitempty"` // of Carried: settings must not hide it
	Wider        bool     `json:",omitempty"` // of Carried: it cited other lines too
	SameAs       string   // id of the claim that it was merged into
	Repaired     bool     // its owner has replaced a wrong citation (M03b)
	Proposed     string   // same_as of its owner, until another party confirms (A07)
	ReportedBy   []string
	ConfirmedBy  []string
	Joint        bool // two voices hold it, with or without objections
	Evaluations  []Evaluation
	Thread       []Turn `json:"-"` // the words about it outside challenges; a memory forgets them
	Passed       int    // times that the primary was asked to weigh it and did not
	Limit        string // the concession of a PARTIAL answer
	Bucket       Bucket
	Reason       Reason
	Why          Why
	Crux         string // of an unresolved claim: the fact that would settle it
}

// Cite returns the place of the claim: its first valid citation in the change, or else
// anywhere, or else its first citation in an existing file; the zero citation if it cites
// nothing.
func (c Claim) Cite() Citation {
	inFile := func(e *Evidence) bool { return !e.NoFile }
	return cmp.Or(c.place(), cmp.Or(lists.Pointer(c.Evidence, inFile), &Evidence{}).Cite)
}

// Key identifies a finding across pushes and moved lines: by its path and the cited text
// without spacing, never by category or prose (S11).
func Key(c Claim) string {
	cite := c.Cite()
	text := strings.Join(strings.Fields(cite.Quote), " ")
	sum := sha256.Sum256([]byte(strconv.Quote(cite.Path) + " " + strconv.Quote(text)))
	return hex.EncodeToString(sum[:12])
}

// Copies is the number of further places in the file with the text of Cite from the change.
func (c Claim) Copies() int {
	at := c.Cite()
	return cmp.Or(lists.Pointer(c.Evidence, func(e *Evidence) bool { return e.Cite == at }), &Evidence{}).Copies
}

// place returns the first valid citation, of those in the change if there are any, or the zero
// citation. Rules about the subject of a claim use this one: a party could choose with a
// wrong citation which objections count.
func (c Claim) place() Citation {
	there := func(e *Evidence) bool { return e.CitationOK && e.Cite.Path != "" }
	inChange := func(e *Evidence) bool { return there(e) && (e.InHunk || e.Cite.Path == BodyPath) }
	return cmp.Or(lists.Pointer(c.Evidence, inChange), lists.Pointer(c.Evidence, there), &Evidence{}).Cite
}

// Misquoted reports whether all citations of a claim are wrong, and its owner has not replaced
// one (M03b).
func (c Claim) Misquoted() bool {
	return len(c.Evidence) > 0 && !qualified(c.Evidence) && !c.Repaired
}

// Verified reports whether any evidence of the claim is verified.
func (c Claim) Verified() bool {
	return slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.Verified })
}

// ofCritic reports whether a built-in rule finds the claim on this head.
func (c Claim) ofCritic() bool { return c.Owner == EngineParty && (c.Carried == "" || c.Rule != "") }

// open reports whether a claim is agreed, or disputed with found lines.
func (c Claim) open() bool {
	if c.Bucket != Unresolved {
		return c.Bucket == Agreed
	}
	return qualified(c.Evidence) && (c.divides() || c.Verified())
}

// looms reports whether a claim is a P1 with a valid quote that was neither confirmed nor
// withdrawn: keep must not be decided over it (M02).
func (c Claim) looms() bool {
	return c.Severity == P1 && c.Bucket == Unresolved && showsCode(c.Evidence)
}

// divides reports whether a claim is unresolved because the sides differ. People read of more
// claims that they are disputed: report.Contradicted.
func (c Claim) divides() bool {
	differ := []Reason{ReasonOpen, ReasonTradeoff, ReasonBlocked, ReasonDefinition, ReasonUnexplained}
	return c.Bucket == Unresolved && slices.Contains(differ, c.Reason)
}

// debated reports whether a claim takes part in the debate.
func (c Claim) debated() bool {
	switch {
	case c.excluded(), c.NotDebated, c.Late, c.Reframe:
		return false
	}
	return true
}

// excluded reports whether a claim is outside the debate: it is part of another one, or beyond
// the claims that this head may have.
func (c Claim) excluded() bool { return c.SameAs != "" || c.OutOfScope || c.Extra }

// weighty reports whether others than its owner have to weigh a claim: a P1 or P2 claim of a
// party that is debated, or late with evidence (R128).
func (c *Claim) weighty() bool {
	switch {
	case c.protected(), !c.severe(), c.excluded(), c.Reframe:
		return false
	case c.Late:
		return qualified(c.Evidence)
	}
	return !c.NotDebated
}

// protected reports whether mere opinions do not count against a claim: the engine saw it, or an
// earlier head agreed on it (S11).
func (c Claim) protected() bool { return c.Owner == EngineParty || c.Carried != "" }

// supports reports whether an evaluation agrees and says the evidence supports its claim.
func (e Evaluation) supports() bool { return e.Class == ClassAgree && e.View == Supports }

// backs reports whether an evaluation supports a claim of a kind: it agrees with a reason or a
// check. For a claim of fact it says that the lines show it.
func (e Evaluation) backs(kind ClaimKind) bool {
	return e.Class == ClassAgree && e.Reasoned && (kind != Empirical || e.View == Supports)
}

// last returns the last evaluation of a claim by a party, or nil.
func (c *Claim) last(party string) *Evaluation {
	for i := len(c.Evaluations) - 1; i >= 0; i-- {
		if c.Evaluations[i].Party == party {
			return &c.Evaluations[i]
		}
	}
	return nil
}

// word is the last evaluation of a claim by a party, the zero value if there is none.
func (c *Claim) word(party string) Evaluation { return *cmp.Or(c.last(party), &Evaluation{}) }

// words are the last words on a claim of the parties other than its owner.
func (c Claim) words() []Evaluation {
	var list []Evaluation
	for i, e := range c.Evaluations {
		again := slices.ContainsFunc(c.Evaluations[i+1:], func(later Evaluation) bool { return later.Party == e.Party })
		if e.Party != c.Owner && !again {
			list = append(list, e)
		}
	}
	return list
}

// agreedBy reports whether the last word of a party on a claim is AGREE.
func (c *Claim) agreedBy(party string) bool {
	return c.word(party).Class == ClassAgree
}

func (c *Claim) severe() bool { return c.Severity.AtLeast(P2) }

// claim returns a claim by its id, whether or not it was merged, or nil.
func (b *Book) claim(id string) *Claim {
	return lists.Pointer(b.Claims, func(c *Claim) bool { return c.ID == id })
}

// named is the claim with an id, the zero claim if there is none: a challenge to the position
// has no claim.
func (b *Book) named(id string) *Claim { return cmp.Or(b.claim(id), &Claim{}) }

// live are the claims not merged into others, in order of their ids.
func (b *Book) live() []*Claim {
	return lists.Pointers(b.Claims, func(c *Claim) bool { return c.SameAs == "" })
}

func (b *Book) severe() []*Claim { return lists.Keep(b.live(), (*Claim).severe) }

// Agreed are the claims in the Agreed bucket in order of their ids.
func (b *Book) Agreed() []Claim {
	return lists.Keep(b.Claims, func(c Claim) bool { return c.Bucket == Agreed })
}

// survivor returns the claim that replaces id after all merges, or nil.
func (b *Book) survivor(id string) *Claim {
	c := b.claim(id)
	for range b.Claims {
		if c == nil || c.SameAs == "" {
			break
		}
		c = b.claim(c.SameAs)
	}
	return c
}

// is reports whether a claim replaces an id, after all merges.
func (b *Book) is(id string, c *Claim) bool {
	return cmp.Or(b.survivor(id), &Claim{}).ID == c.ID
}

// claimsThat are the ids of the claims that satisfy a test.
func (b *Book) claimsThat(hold func(c *Claim) bool) []string {
	return lists.Map(lists.Keep(b.live(), hold), func(c *Claim) string { return c.ID })
}
