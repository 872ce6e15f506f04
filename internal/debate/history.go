package debate

// FactKind says what happened.
type FactKind string

// The kinds of facts. What a fact of each kind is about, and what its Other and
// Code hold, stands beside it.
const (
	ClaimRaised       FactKind = "claim_raised"       // About: the claim
	ClaimAmended      FactKind = "claim_amended"      // About: the claim
	ClaimMerged       FactKind = "claim_merged"       // About: the claim; Other: the one that it is part of now
	ClaimWeighed      FactKind = "claim_weighed"      // About: the claim; Code: the class of the evaluation
	ClaimDropped      FactKind = "claim_dropped"      // About: the claim, which is not debated; Code: why
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
	Drifted           FactKind = "drifted"            // About: what the party contradicted itself about
	Acknowledged      FactKind = "acknowledged"       // About: what the party changed its mind about, and said so
	GainRated         FactKind = "gain_rated"         // Code: the rating in basis points; Other: "uncounted" where it counts for nothing
	RoundEnded        FactKind = "round_ended"        // Code: thin or not; Why: where the debate goes
	TalkEnded         FactKind = "talk_ended"         // Code: the exit; Why
	CallFailed        FactKind = "call_failed"        // About: the ask; Code: the status of the call
	PartyLost         FactKind = "party_lost"         // Code: its status
	PartySeated       FactKind = "party_seated"       // Who: a second context; Other: the party whose model it is
	PartyServed       FactKind = "party_served"       // Who: a judge or the arbiter; Other: the party whose model serves it now
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
	HumanRefused      FactKind = "human_refused"      // About: the decision; an answer that does not count; Why
	Ordered           FactKind = "ordered"            // About: the target of a person's order; Code: its kind
	DisputeOpened     FactKind = "dispute_opened"     // About: the claim; Who: the person
	FindingCarried    FactKind = "finding_carried"    // About: the F id; Other: the claim; Code: stands or fixed
	AnswerWritten     FactKind = "answer_written"     // Text: the answer to a question; Why: why nobody wrote it
	ReviewEnded       FactKind = "review_ended"       // Code: the outcome; Other: the disposition; Why
)

// Fact is one thing that happened in a debate: who did what, about what, citing
// what, in which exchange. All that tells a debate to people is written from
// facts: transcripts, explain, replay, the threads of the report.
type Fact struct {
	Kind  FactKind
	N     int    // the exchange, 0 before the first
	Who   string // party, judge or login; EngineParty for what the engine saw
	About string // id of what it is about: F1, K2, D0, F3, position, an ask
	Other string // id of a second thing, see the kinds
	Code  string // an enumerated value, see the kinds
	Text  string // the words of who did it, clipped
	Cites []Evidence
	Why   Why
}

// add appends a fact, which is of the current exchange if it names none.
func (s *Step) add(f Fact, exchange int) {
	if f.N == 0 {
		f.N = exchange
	}
	s.Facts = append(s.Facts, f)
}
