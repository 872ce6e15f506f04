package debate

import (
	"strings"
)

// Why is a reason as data: a code of the table below and the values for its sentence. Each
// reader makes the sentence (internal/report/why.go), so rewording one changes no record and
// no memory.
type Why struct {
	Code  WhyCode  `json:"code,omitempty"`
	Refs  []string `json:"refs,omitempty"`  // ids, parties, numbers, enumerated values, in the order of the sentence
	Words string   `json:"words,omitempty"` // of a party, a person or the host
	Cause *Why     `json:"cause,omitempty"` // the reason behind this one, if the sentence needs it
}

// WhyCode is one reason of the engine.
type WhyCode string

// The reasons. Each has its sentence in internal/report/why.go, and the meaning of its Refs in
// its comment.
const (
	WhyTold WhyCode = "told" // Words has all of it: of a person, a policy, a host, or an earlier version of the protocol

	// the conclusion of the check
	WhyAnAnswer         WhyCode = "an_answer" // it is about a question
	WhyAwaitsPerson     WhyCode = "awaits_person"
	WhyGate             WhyCode = "gate" // it is required; Cause
	WhyReviewedWhole    WhyCode = "reviewed_whole"
	WhyReviewedButFiles WhyCode = "reviewed_but_files" // they need no review
	WhyConfigBroken     WhyCode = "config_broken"
	WhyFails            WhyCode = "fails"           // the claim and its severity
	WhyChose            WhyCode = "chose"           // the person and the option
	WhyChoseElse        WhyCode = "chose_else"      // the person, the option and the decision; Words: its question
	WhyDebateChose      WhyCode = "debate_chose"    // the option and the decision; Words: its question
	WhyMustEnd          WhyCode = "must_end"        // the claims that are open after a person's decision to merge
	WhySinceChoice      WhyCode = "since_choice"    // the person who decided about an earlier head, a party and its option
	WhySinceFinding     WhyCode = "since_finding"   // likewise, and the claim
	WhySinceObjection   WhyCode = "since_objection" // likewise, and the challenge
	WhySinceReview      WhyCode = "since_review"    // likewise
	WhyDivided          WhyCode = "divided"
	WhyNoKeep           WhyCode = "no_keep"
	WhyNoProof          WhyCode = "no_proof"
	WhyUndebated        WhyCode = "undebated"
	WhyPartsUnread      WhyCode = "parts_unread"
	WhySilentModel      WhyCode = "silent_model"
	WhyP1IsOpen         WhyCode = "p1_is_open"

	// no call is allowed
	WhyStopped   WhyCode = "stopped"    // a person stopped the debate
	WhyCallsUsed WhyCode = "calls_used" // the most calls
	WhyMoneyUsed WhyCode = "money_used"
	WhyTimeUsed  WhyCode = "time_used"
	WhyRounds    WhyCode = "confrontations_used" // their number

	// no party debates, or goes on
	WhyNoChallenger   WhyCode = "no_challenger"   // none can be reached
	WhyStranger       WhyCode = "stranger"        // the author has no write access
	WhyNoPosition     WhyCode = "no_position"     // no primary could take one
	WhyNobodyLeft     WhyCode = "nobody_left"     // no challenger is left
	WhyNobodyReplied  WhyCode = "nobody_replied"  // no challenger replied
	WhyPrimaryGone    WhyCode = "primary_gone"    // it takes no further part
	WhyNotWritten     WhyCode = "not_written"     // the status of the call for the answer
	WhyPrimarySilent  WhyCode = "primary_silent"  // the status of its call
	WhyMemoryVersion  WhyCode = "memory_version"  // a memory is of another version of the protocol
	WhyMemoryChange   WhyCode = "memory_change"   // it is about another change
	WhyMemorySplit    WhyCode = "memory_split"    // the change is split in another way
	WhyMemoryQuestion WhyCode = "memory_question" // a question has none
	WhyMemoryResult   WhyCode = "memory_result"   // there was no result
	WhyMemoryItem     WhyCode = "memory_item"     // claim, challenge, seat or decision, and its number
	WhyMemoryUnfit    WhyCode = "memory_unfit"    // Cause: one of the above
	WhyNoDebate       WhyCode = "no_debate"       // none is possible; Cause
	WhyClosed         WhyCode = "closed"          // the pull request was; Words
	WhyDisputed       WhyCode = "disputed"        // a dispute changed an agreed claim
	WhyHeadMoved      WhyCode = "head_moved"      // the new head

	// the next step after an exchange
	WhyObjection     WhyCode = "objection" // the challenge or claim to answer
	WhyConfrontAgain WhyCode = "confront_again"
	WhyUnaddressed   WhyCode = "unaddressed" // the challenge
	WhyEnded         WhyCode = "ended"       // the exit; Cause
	WhyNoDissent     WhyCode = "no_dissent"  // no challenger objects
	WhyMinor         WhyCode = "minor"       // all objections are minor
	WhyNoReply       WhyCode = "no_reply"    // no dissenter replied
	WhyConverged     WhyCode = "converged"
	WhyTrivial       WhyCode = "trivial"
	WhyNothingMoved  WhyCode = "nothing_moved"
	WhyLeftOpen      WhyCode = "left_open" // the claim that stays disputed
	WhyDeadlock      WhyCode = "deadlock"  // the challenge with nothing new

	// the course of a decision
	WhyNoJudge          WhyCode = "no_judge" // none can be reached
	WhyNoPanel          WhyCode = "no_panel" // Cause
	WhyNoSides          WhyCode = "no_sides" // one of the two sides is missing
	WhyOpenP1           WhyCode = "open_p1"  // the claim that forbids keep
	WhyFailedBefore     WhyCode = "failed_before"
	WhyGrantedObjection WhyCode = "granted_objection" // the challenge that forbids keep
	WhyOpenSince        WhyCode = "open_since"        // left open by a dispute
	WhyGrants           WhyCode = "grants"            // the challenge that the primary granted; Words: its objection
	WhyBare             WhyCode = "bare"              // all hold it, without a confirmed, granted or checked fact
	WhyNobodyKeeps      WhyCode = "nobody_keeps"      // the scores come to keep, and no party holds it
	WhyTie              WhyCode = "tie"               // the tied options
	WhyDiverging        WhyCode = "diverging"
	WhyOptionsUnscored  WhyCode = "options_unscored"  // Cause
	WhyDecisionUnscored WhyCode = "decision_unscored" // Cause
	WhyAlsoAsks         WhyCode = "also_asks"         // Words: the question
	WhyJudgesDiffer     WhyCode = "judges_differ"
	WhyByChoice         WhyCode = "by_choice"   // the choice between the options of a question decides about its answer
	WhyChoiceOpen       WhyCode = "choice_open" // that choice is open

	// sheets have no winner, spelled as in the rubric
	WhyNoOptions      WhyCode = "no_options"
	WhyNoSheets       WhyCode = "no_sheets"
	WhyNoPrimarySheet WhyCode = "no_primary_sheet"
	WhyPrimaryAlone   WhyCode = "primary_alone"

	// the bucket of a claim
	WhyMerged             WhyCode = "merged"       // the remaining claim
	WhyDismissedBy        WhyCode = "dismissed_by" // the person; Words
	WhyFixedBy            WhyCode = "fixed_by"     // the parties
	WhyKnown              WhyCode = "known"        // the person who accepts it, the end; Words
	WhyOutOfScope         WhyCode = "out_of_scope"
	WhyLate               WhyCode = "late"
	WhyTooMany            WhyCode = "too_many"
	WhyLaterHead          WhyCode = "later_head"
	WhyReframes           WhyCode = "reframes"
	WhyLinesMissing       WhyCode = "lines_missing"
	WhyRejected           WhyCode = "rejected"
	WhyUnexplained        WhyCode = "unexplained" // the attacker and its challenge
	WhyHeldByOther        WhyCode = "held_by_other"
	WhyConceded           WhyCode = "conceded" // the challenge, as in the next ones
	WhyConcededInWords    WhyCode = "conceded_in_words"
	WhyNotMeant           WhyCode = "not_meant"
	WhyVerifiedUndefended WhyCode = "verified_undefended"
	WhyUndefended         WhyCode = "undefended"
	WhyBetterEvidence     WhyCode = "better_evidence"
	WhyMeaningOpen        WhyCode = "meaning_open"
	WhyUnmeasured         WhyCode = "unmeasured"
	WhyDefinitions        WhyCode = "definitions"
	WhyCriteria           WhyCode = "criteria"
	WhyMaintained         WhyCode = "maintained"
	WhyChallengeOpen      WhyCode = "challenge_open"
	WhyNotWeighed         WhyCode = "not_weighed"
	WhyNotVerified        WhyCode = "not_verified"
	WhyNoQuote            WhyCode = "no_quote"
	WhyFinderDropped      WhyCode = "finder_dropped"
	WhyNobodyAgrees       WhyCode = "nobody_agrees"
	WhyNoReason           WhyCode = "no_reason"     // the party that agrees
	WhyOneFamily          WhyCode = "one_family"    // the party that agrees
	WhyDisagrees          WhyCode = "disagrees"     // the party with an objection without evidence
	WhyGaveInWords        WhyCode = "gave_in_words" // the party that gave up its objection

	// the end of a challenge
	WhySameReport     WhyCode = "same_report"
	WhyVerifiedWins   WhyCode = "verified_wins"
	WhyWordsAlone     WhyCode = "words_alone"
	WhyWordsHeard     WhyCode = "words_heard"
	WhyNotNamed       WhyCode = "not_named"
	WhyNobodyAnswered WhyCode = "nobody_answered"
	WhyAnswered       WhyCode = "answered"
	WhyChangedMind    WhyCode = "changed_mind"
	WhyAttackerGone   WhyCode = "attacker_gone" // the party, which takes no further part and cites nothing
	WhyTakenOver      WhyCode = "taken_over"    // by the new primary, which wants the same
)

func because(code WhyCode, refs ...string) Why { return Why{Code: code, Refs: refs} }

// told is a reason in words from outside the engine.
func told(words string) Why {
	if words == "" {
		return Why{}
	}
	return Why{Code: WhyTold, Words: words}
}

// saying adds words to a reason.
func (w Why) saying(words string) Why {
	w.Words = words
	return w
}

// because adds the reason behind a reason.
func (w Why) because(cause Why) Why {
	w.Cause = &cause
	return w
}

// IsZero reports whether there is no reason.
func (w Why) IsZero() bool { return w.Code == "" }

// String tells a reason in codes, for transcripts and tests.
func (w Why) String() string {
	text := string(w.Code)
	if len(w.Refs) > 0 {
		text += " " + strings.Join(w.Refs, " ")
	}
	if w.Words != "" {
		text += " '" + w.Words + "'"
	}
	if w.Cause != nil {
		text += ": " + w.Cause.String()
	}
	return strings.TrimSpace(text)
}
