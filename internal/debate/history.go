package debate

import "cmp"

// FactKind is the kind of a fact.
type FactKind string

// The kinds of facts, each with the meaning of About, Other and Code.
const (
	ClaimRaised       FactKind = "claim_raised"       // About: the claim
	ClaimAmended      FactKind = "claim_amended"      // About: the claim
	ClaimMerged       FactKind = "claim_merged"       // About: the claim; Other: the claim it is now part of
	ClaimWeighed      FactKind = "claim_weighed"      // About: the claim; Code: the class of the evaluation
	CaseTried         FactKind = "case_tried"         // About: the claim, or else the segment
	ClaimDropped      FactKind = "claim_dropped"      // About: a claim outside the debate; Code: why
	CitationChecked   FactKind = "citation_checked"   // About: the claim or challenge; Code: found, moved, missing or verified
	ChallengeOpened   FactKind = "challenge_opened"   // About: the challenge; Other: the claim or the position; Code: its kind
	ChallengeDefended FactKind = "challenge_defended" // About: the challenge; Other: its claim; Code: the move
	ChallengeConceded FactKind = "challenge_conceded"
	ChallengeKept     FactKind = "challenge_maintained"
	ChallengeAccepted FactKind = "challenge_accepted" // its attacker accepts the defence
	ChallengeIgnored  FactKind = "challenge_ignored"  // About: the challenge; its defender did not name it; Code: dropped or undefended
	ChallengeClosed   FactKind = "challenge_closed"   // Code: resolved, upheld or the class of a deadlock
	ClaimSettled      FactKind = "claim_settled"      // About: the claim; Code: its bucket; Why
	PositionTaken     FactKind = "position_taken"     // About: the position; Code: its disposition
	StanceTaken       FactKind = "stance_taken"       // About: D0 or another decision; Code: the option
	Drifted           FactKind = "drifted"            // About: the subject of the contradiction
	Acknowledged      FactKind = "acknowledged"       // About: the subject of an admitted change of mind
	GainRated         FactKind = "gain_rated"         // Code: the rating in basis points; Other: "uncounted" for one without effect
	RoundEnded        FactKind = "round_ended"        // Code: thin or not; Why: the next step of the debate
	TalkEnded         FactKind = "talk_ended"         // Code: the exit; Why
	CallFailed        FactKind = "call_failed"        // About: the ask; Code: the status of the call
	PartyLost         FactKind = "party_lost"         // Code: its status
	PartySeated       FactKind = "party_seated"       // Who: a second context; Other: the party with the same model
	PartyServed       FactKind = "party_served"       // Who: a judge or the arbiter; Other: the party with the model that serves it now
	PrimaryReplaced   FactKind = "primary_replaced"   // Who: the new one; Other: the old one
	DefenderReplaced  FactKind = "defender_replaced"  // About: the challenge; Who: the new one; Other: the old one
	TriggerAsserted   FactKind = "trigger_asserted"   // About: the trigger; Other: the decision
	ClaimFlagged      FactKind = "claim_flagged"      // About: the claim; Code: the flag of the arbiter
	CriteriaFrozen    FactKind = "criteria_frozen"    // About: the decision
	SheetScored       FactKind = "sheet_scored"       // About: the decision; Code: valid or invalid
	VoteCast          FactKind = "vote_cast"          // About: the decision; Code: the option; Other: the one before
	PanelEnded        FactKind = "panel_ended"        // About: the decision; Code: its outcome; Other: the option
	DecisionReached   FactKind = "decision_reached"   // About: the decision; Code: its outcome; Other: the recommendation; Why
	HumanAsked        FactKind = "human_asked"        // About: the decision; Code: the sink
	HumanReminded     FactKind = "human_reminded"     // About: the decision
	HumanAnswered     FactKind = "human_decided"      // About: the decision; Code: the option
	HumanRefused      FactKind = "human_refused"      // About: the decision; Why: the reason why the answer does not count
	Ordered           FactKind = "ordered"            // About: the target of a person's order; Code: its kind
	DisputeOpened     FactKind = "dispute_opened"     // About: the claim; Who: the person
	FindingCarried    FactKind = "finding_carried"    // About: the F id; Other: the claim; Code: the class
	AnswerWritten     FactKind = "answer_written"     // Text: the answer to a question; Why: the reason for its absence
	ReviewEnded       FactKind = "review_ended"       // Code: the outcome; Other: the disposition; Why
)

// Fact is one event in a debate: its actor, act, subject, citations and exchange. Every
// account for people (transcripts, explain, replay, threads of the report) is made from facts.
type Fact struct {
	Kind  FactKind
	N     int    // the exchange, 0 before the first
	Who   string // party, judge or login; EngineParty for facts of the engine
	About string // id of its subject: F1, K2, D0, F3, position, an ask
	Other string // id of a second thing, see the kinds
	Code  string // an enumerated value, see the kinds
	Text  string // the actor's words, clipped
	Cites []Evidence
	Why   Why
}

// Step is the effect of one event: the stages passed and the facts, in order. The steps of a
// debate are its history.
type Step struct {
	N      int
	Kind   EventKind
	Stages []Stage
	Facts  []Fact
}

// happened adds a fact to the step. A fact without an exchange belongs to the current one.
func (m *reducer) happened(f Fact) {
	f.N = cmp.Or(f.N, m.Talk.Exchange)
	m.step.Facts = append(m.step.Facts, f)
}
