package debate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// ChallengeKind is the demand of a challenge (R140, R155).
type ChallengeKind string

// The kinds. Skeptical has a reminder, Reject has one defense; Reconcile quotes an earlier
// statement that its owner contradicts without saying so.
const (
	Skeptical   ChallengeKind = "SKEPTICAL"
	Rejecting   ChallengeKind = "REJECT"
	Reconciling ChallengeKind = "RECONCILE"
)

// ChallengeStatus is the stage in a challenge's life, see the package comment.
type ChallengeStatus string

const (
	Open       ChallengeStatus = "open"
	Defended   ChallengeStatus = "defended"
	Dropped    ChallengeStatus = "dropped" // not named once; the reminder is out
	Undefended ChallengeStatus = "undefended"
	Conceded   ChallengeStatus = "conceded"
	Resolved   ChallengeStatus = "resolved" // the claim lives: the challenge fell
	Upheld     ChallengeStatus = "upheld"   // a REJECT that was maintained after one defense of each defender: it is over
	Dissent    ChallengeStatus = "dissent"  // words alone: they are printed, and move nothing
)

// Means is the result of an objection to the position, apart from its words.
type Means string

const (
	Disagreement    Means = "disagrees"
	StrongObjection Means = "objects_strongly"
	WantsKeep       Means = "recommends_keep"
	WantsRevise     Means = "recommends_revise"
	WantsReject     Means = "recommends_reject"
)

// wants is the result of an objection by a party that recommends something else.
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
	Defender     string // its target: of a claim the owner
	Kind         ChallengeKind
	Strength     Strength // derived by the engine (R090)
	Objection    string   // in the words of the attacker, possibly empty
	Means        Means    `json:",omitempty"` // of a challenge to the position
	Evidence     []Evidence
	Shown        bool        // it quotes code that the claim does not cite (M02)
	Answered     bool        // a holder of the claim answered that with a quote
	RaisedAt     int         `json:"-"` // the event; a memory forgets it
	Thread       []Turn      `json:"-"` // the words in it; a memory forgets them
	Option       Disposition // of a challenge to the position: the attacker's choice
	Decision     string      `json:",omitempty"` // the decision in which its choice differs from the position
	Choice       string      `json:",omitempty"` // its choice there
	Clarify      bool        // the claim is ill-formed: its owner has to explain it (R141)
	Status       ChallengeStatus
	Defence      string // the last defence, as the attacker sees it
	Spoke        string `json:",omitempty"` // the party with this defence
	DefenceBy    []Evidence
	Move         Move     // the last answer of a primary that defends
	Reminded     bool     // the one reminder is used
	Escalated    bool     // the one escalation is used
	Unexplained  bool     // its attacker gave in without a reason (R116)
	InWords      bool     // the party that gave in to it quoted nothing new, and neither does it (M03)
	Yielded      []string // the parties that gave in to it
	RoundsOpen   int      // the times that it was maintained after a defense
	Deadlock     DeadlockClass
	Retried      bool           // the one definitional retry is used
	Views        []DeadlockSide // the views of both sides of the deadlock
	ResolvedWith Why            // the reason for its end
}

// DeadlockSide is the class that one side gives a deadlocked challenge.
type DeadlockSide struct {
	Party string
	DeadlockView
}

// AwaitsDefence reports whether the defender has to answer.
func (c Challenge) AwaitsDefence() bool {
	return c.Deadlock == "" && (c.Status == Open || c.Status == Dropped)
}

// AwaitsJudgement reports whether the attacker has to judge the defense.
func (c Challenge) AwaitsJudgement() bool { return c.Deadlock == "" && c.Status == Defended }

// AwaitsWord reports whether a party still has to speak about the challenge. In a deadlock no
// party has.
func (c Challenge) AwaitsWord() bool { return c.Deadlock == "" && c.Live() }

// Qualified reports whether the challenge cites lines that the engine found.
func (c Challenge) Qualified() bool { return qualified(c.Evidence) }

// Live reports whether the challenge still attacks its claim.
func (c Challenge) Live() bool {
	return slices.Contains([]ChallengeStatus{Open, Defended, Dropped}, c.Status)
}

// unsettled reports whether the challenge still attacks its claim, or ended without a settlement.
func (c Challenge) unsettled() bool { return c.Live() || c.Status == Upheld }

// Defenders are the parties asked to answer a challenge. The position, and earlier words of a
// party, have their own party as the only one. A claim has its owner first, and then all its
// backers at the table. If none is left, the challenge stays open: no opinion of others
// dismisses the claim (S11).
func (s *State) Defenders(k Challenge) []string {
	c := s.Book.claim(k.Claim)
	may := func(p Party) bool {
		if !s.Table.sits(p.ID) || slices.Contains(k.Yielded, p.ID) {
			return false
		}
		switch {
		case c == nil, k.Kind == Reconciling:
			return p.ID == k.Defender
		case p.ID == c.Owner:
			return true
		}
		return p.ID != k.Attacker && c.Owner != EngineParty && c.word(p.ID).backs(c.Kind)
	}
	list := lists.Map(lists.Keep(s.Table.Parties, may), func(p Party) string { return p.ID })
	if c != nil && slices.Contains(list, c.Owner) {
		list = lists.Once(append([]string{c.Owner}, list...))
	}
	if k.asksOne() {
		return lists.First(list, 1)
	}
	return list
}

// asksOne reports whether one party answers for all holders of the claim: it explains the words
// of the claim, or it answers a person (A26).
func (c Challenge) asksOne() bool { return c.Clarify || c.Attacker == AuthorParty }

// Asks reports whether a party has to answer a challenge now.
func (s *State) Asks(party string, k Challenge) bool {
	return k.AwaitsDefence() && slices.Contains(s.Defenders(k), party)
}

// useReminder notes that the one reminder is used, if it was sent.
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

func (c Challenge) toPosition() bool { return c.Claim == PositionSubject }

// reconciles reports whether a challenge asks a party to reconcile its words about something.
func (c Challenge) reconciles(party, about string) bool {
	return c.Kind == Reconciling && c.Defender == party && c.Claim == about
}

// wants is the option that an attack on the position asks for. Without one, an attack asks for
// a change, unless it is minor.
func (c Challenge) wants() Disposition {
	if c.Strength == StrengthMinor {
		return c.Option
	}
	return cmp.Or(c.Option, Revise)
}

func (m *reducer) newChallenge(claim, attacker, defender string, kind ChallengeKind, objection string, found ...Evidence) *Challenge {
	m.Book.Challenges = append(m.Book.Challenges, Challenge{
		ID: "K" + strconv.Itoa(len(m.Book.Challenges)+1), Claim: claim, Attacker: attacker, Defender: defender, Kind: kind,
		Strength: StrengthMinor, Objection: clip(objection, maxText), Status: Open,
		Evidence: found, Shown: m.Book.shows(claim, found), RaisedAt: m.N,
	})
	k := &m.Book.Challenges[len(m.Book.Challenges)-1]
	m.said(&k.Thread, claim, Turn{Who: attacker, Act: Object, Text: objection, Cites: found})
	m.happened(Fact{Kind: ChallengeOpened, Who: attacker, About: k.ID, Other: claim, Code: string(kind), Text: k.Objection, Cites: found})
	return k
}

// close ends a challenge: it fell, was conceded, or is over. An open reminder about it is used
// (R149).
func (m *reducer) close(k *Challenge, status ChallengeStatus, with Why) {
	k.useReminder()
	k.Status, k.ResolvedWith = status, with
	m.happened(Fact{Kind: ChallengeClosed, Who: EngineParty, About: k.ID, Other: k.Claim, Code: string(status), Why: with})
}

func (b *Book) challenge(id string) *Challenge {
	return lists.Pointer(b.Challenges, func(k *Challenge) bool { return k.ID == id })
}

// attacks are challenges to one subject, or by one party. A party that is asked to reconcile its
// words attacks nothing.
type attacks []*Challenge

// attacksThat are the attacks that satisfy a test, in order of their ids.
func (b *Book) attacksThat(are func(*Challenge) bool) attacks {
	return lists.Pointers(b.Challenges, func(k *Challenge) bool { return k.Kind != Reconciling && are(k) })
}

// attacks are the attacks on a claim, or on the position.
func (b *Book) attacks(on string) attacks {
	return lists.Pointers(b.Challenges, func(k *Challenge) bool { return k.Claim == on && k.Kind != Reconciling })
}

// attacksBy are the attacks of a party.
func (b *Book) attacksBy(party string) attacks {
	return b.attacksThat(func(k *Challenge) bool { return k.Attacker == party })
}

// by are the attacks of a party among these.
func (list attacks) by(party string) attacks {
	return lists.Keep(list, func(k *Challenge) bool { return k.Attacker == party })
}

func (list attacks) any(is func(*Challenge) bool) bool { return slices.ContainsFunc(list, is) }

// dissenters are the parties with an attack that was closed as dissent: their words were heard,
// once.
func (list attacks) dissenters() []string {
	heard := lists.Keep(list, func(k *Challenge) bool { return k.Status == Dissent })
	return lists.Map(heard, func(k *Challenge) string { return k.Attacker })
}

// gaveIn reports whether a party gave in to one of them.
func (list attacks) gaveIn(party string) bool {
	return list.any(func(k *Challenge) bool { return slices.Contains(k.Yielded, party) })
}

// against returns the live challenge of a party to a claim, or nil.
func (b *Book) against(claim, attacker string) *Challenge {
	return lists.Find(b.attacks(claim).by(attacker), (*Challenge).Live)
}

// granted is the last objection without an option that the primary accepted to its position, or
// nil: this concession has to change the position, which is no longer keep (R095).
func (b *Book) granted() *Challenge {
	for _, k := range slices.Backward(b.attacks(PositionSubject)) {
		unnamed := k.Option == "" && k.Strength != StrengthMinor
		if unnamed && k.Status == Conceded {
			return k
		}
	}
	return nil
}
