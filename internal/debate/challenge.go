package debate

import (
	"cmp"
	"slices"
)

// ChallengeKind is what a challenge demands (R140, X18).
type ChallengeKind string

// The kinds. Skeptical has a reminder, Reject has one defence; Reconcile quotes
// an earlier statement that its owner contradicts without saying so.
const (
	Skeptical   ChallengeKind = "SKEPTICAL"
	Rejecting   ChallengeKind = "REJECT"
	Reconciling ChallengeKind = "RECONCILE"
)

// ChallengeStatus is where a challenge is in its life, which the package comment
// draws.
type ChallengeStatus string

// The statuses.
const (
	Open       ChallengeStatus = "open"
	Defended   ChallengeStatus = "defended"
	Dropped    ChallengeStatus = "dropped" // not named once; the reminder is out
	Undefended ChallengeStatus = "undefended"
	Conceded   ChallengeStatus = "conceded"
	Resolved   ChallengeStatus = "resolved" // the claim lives: the challenge fell
	Upheld     ChallengeStatus = "upheld"   // a REJECT that was defended once by each who was asked, and maintained: nothing more is heard
	Dissent    ChallengeStatus = "dissent"  // words alone: they are printed, and move nothing
)

// Means is the result of an objection to the position, apart from its words.
type Means string

// What it may come to.
const (
	Disagreement    Means = "disagrees"
	StrongObjection Means = "objects_strongly"
	WantsKeep       Means = "recommends_keep"
	WantsRevise     Means = "recommends_revise"
	WantsReject     Means = "recommends_reject"
)

// wants is what an objection comes to whose party recommends something else.
func wants(d Disposition) Means {
	return map[Disposition]Means{Keep: WantsKeep, Revise: WantsRevise, Reject: WantsReject}[d]
}

// PositionSubject is the subject of a challenge to the position itself.
const PositionSubject = "position"

// Challenge attacks one claim, or the disposition of the position. Ids are K1,
// K2, ... in order of arrival and are never reused.
type Challenge struct {
	ID           string
	Claim        string // the claim, or PositionSubject
	Attacker     string
	Defender     string
	Kind         ChallengeKind
	Strength     Strength // derived by the engine (X09)
	Objection    string   // in the words of the attacker, which may have none
	Means        Means    `json:",omitempty"` // of a challenge to the position
	Evidence     []Evidence
	Shown        bool        // it quotes code that the claim does not cite (M02)
	Answered     bool        // somebody who holds the claim answered that with a quote
	RaisedAt     int         `json:"-"` // the event; a memory forgets it
	Thread       []Turn      `json:"-"` // what was said in it; a memory forgets it
	Option       Disposition // of a challenge to the position: what the attacker holds
	Decision     string      `json:",omitempty"` // and the choice that it makes otherwise than the position (M18)
	Clarify      bool        // the claim is ill-formed: its owner says what it means (X06)
	RaisedN      int
	Status       ChallengeStatus
	Defence      string // the last defence, as the attacker sees it
	DefenceBy    []Evidence
	Move         Move     // the last answer of a primary that defends
	Reminded     bool     // the one reminder is used
	Unjudged     bool     `json:",omitempty"` // its attacker did not say what it thinks of the defence, and is reminded of that
	Escalated    bool     // the one escalation is used
	Unexplained  bool     // its attacker gave in without saying why (A22)
	InWords      bool     // who gave in to it quoted nothing new, and neither does it (M03)
	Yielded      []string // who gave in to it, before another one took over its defence
	Heard        []string `json:",omitempty"` // who answered it, before it was put to another one that holds the claim
	RoundsOpen   int      // defences that were maintained against
	Deadlock     DeadlockClass
	Retried      bool           // the one definitional retry is used
	Views        []DeadlockSide // what both sides say of the deadlock
	ResolvedWith Why            // what settled it
}

// DeadlockSide is the class that one side gives a deadlocked challenge.
type DeadlockSide struct {
	Party string
	DeadlockView
}

// side is one of the two that a challenge is between.
type side string

const (
	neither   side = ""
	attacking side = "attacker"
	defending side = "defender"
)

// waitsFor is the side whose turn it is: to say something against the challenge, or what
// it thinks of its defence. In a deadlock it is nobody's.
func (c Challenge) waitsFor() side {
	if c.Deadlock != "" {
		return neither
	}
	return map[ChallengeStatus]side{Open: defending, Dropped: defending, Defended: attacking}[c.Status]
}

// Disputed reports whether somebody still has to speak about the challenge.
func (c Challenge) Disputed() bool { return c.waitsFor() != neither }

// awaitsDefence reports whether the defender has to say something.
func (c Challenge) awaitsDefence() bool { return c.waitsFor() == defending }

// awaitsJudgement reports whether the attacker has to say what it thinks of the
// defence.
func (c Challenge) awaitsJudgement() bool { return c.waitsFor() == attacking }

// Qualified reports whether the challenge cites lines that the engine found.
func (c Challenge) Qualified() bool { return qualified(c.Evidence) }

// Live reports whether the challenge still attacks its claim.
func (c Challenge) Live() bool {
	return slices.Contains([]ChallengeStatus{Open, Defended, Dropped}, c.Status)
}

// stands reports whether the challenge still attacks its claim, or was heard to
// the end without being settled.
func (c Challenge) stands() bool { return c.Live() || c.Status == Upheld }

// useReminder notes that the one reminder is used, if it is out.
func (c *Challenge) useReminder() {
	if c.Status == Dropped {
		c.Reminded = true
	}
}

// weighs makes a minor objection a moderate one.
func (c *Challenge) weighs() {
	if c.Strength == StrengthMinor {
		c.Strength = StrengthModerate
	}
}

// involves reports whether a party attacks or defends in the challenge, while it lives.
func (c Challenge) involves(party string) bool {
	return c.Live() && slices.Contains([]string{c.Attacker, c.Defender}, party)
}

// toPosition reports whether a challenge is to the position, and not to a claim.
func (c Challenge) toPosition() bool { return c.Claim == PositionSubject }

// reconciles reports whether a challenge asks a party to reconcile what it says about
// something.
func (c Challenge) reconciles(party, about string) bool {
	return c.Kind == Reconciling && c.Defender == party && c.Claim == about
}

// wants is the option that an attack on the position asks for. One that names none, and is
// not minor, asks for a change.
func (c Challenge) wants() Disposition {
	if c.Strength == StrengthMinor {
		return c.Option
	}
	return cmp.Or(c.Option, Revise)
}
