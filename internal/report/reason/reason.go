// Package reason makes sentences of the engine's reasons. The debate keeps codes
// and what they are about (debate.Why); the words are here alone, so that
// rewording a sentence changes no record and no memory.
package reason

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// sentences holds the sentence of each code. {1}, {2} ... are its refs, {all}
// all of them, {names} all of them as a sentence names people, {words} what somebody said, {cause} the sentence of its cause.
var sentences = map[debate.WhyCode]string{
	debate.WhyTold: "{words}",

	debate.WhyStopped:    "a person stopped the debate",
	debate.WhyCallsUsed:  "the budget of {1} calls is used up",
	debate.WhyMoneyUsed:  "the budget of money is used up, or would be by calls as dear as the dearest so far",
	debate.WhyTimeUsed:   "the time left is less than one call may take",
	debate.WhyExchanges:  "n is at its bound",
	debate.WhyRounds:     "{1} confrontations are the most",
	debate.WhyMostRounds: "confrontations are at their bound",

	debate.WhyNoChallenger:   "no challenger can be reached",
	debate.WhyStranger:       "its author has no write access; somebody who has can start it with /debate run",
	debate.WhyNoPosition:     "no primary could take a position",
	debate.WhyNobodyLeft:     "no challenger is left",
	debate.WhyNobodyReplied:  "no challenger replied",
	debate.WhyPrimaryGone:    "the primary takes no further part",
	debate.WhyNotWritten:     "the call for it ended with {1}",
	debate.WhyPrimarySilent:  "the primary did not answer: {1}",
	debate.WhyMemoryVersion:  "it is of another version of the protocol",
	debate.WhyMemoryChange:   "it is about another change",
	debate.WhyMemorySplit:    "the change is split in another way",
	debate.WhyMemoryQuestion: "a question has no memory",
	debate.WhyMemoryResult:   "there was no result",
	debate.WhyMemoryItem:     "{1} {2} is not what a debate leaves",
	debate.WhyMemoryUnfit:    "the remembered debate does not fit: {cause}",
	debate.WhyNoDebate:       "no debate is possible: {cause}; see `debate doctor`",
	debate.WhyClosed:         "the pull request was closed: {words}",
	debate.WhyDisputed:       "a dispute changed what was agreed",
	debate.WhyHeadMoved:      "the head moved to {1}",

	debate.WhyObjection:     "confront: {1}",
	debate.WhyConfrontAgain: "confront again",
	debate.WhyUnaddressed:   "challenge {1} has not been addressed",
	debate.WhyEnded:         "{1}: {cause}",
	debate.WhyNoDissent:     "no challenger objects",
	debate.WhyMinor:         "what is objected to is minor",
	debate.WhyNoReply:       "no dissenter replied",
	debate.WhyConverged:     "no challenge is open and nothing new came up",
	debate.WhyTrivial:       "a question of fact, and every party gives the same answer",
	debate.WhyNothingMoved:  "two exchanges in a row moved nothing",
	debate.WhyLeftOpen:      "nobody says more about {1}, which is disputed",
	debate.WhyNotJudged:     "{1} does not say what it thinks of the answer",
	debate.WhyNoDissenter:   "no dissenter is left",
	debate.WhyDeadlock:      "both sides show lines for {1}, and neither brings anything new",

	debate.WhyNoJudge:             "no judge can be reached",
	debate.WhyNoPanel:             "no panel: {cause}",
	debate.WhyNoSides:             "there are no two sides that could score it",
	debate.WhyOpenP1:              "{1} is an open P1 with evidence, which forbids keep; only a human may let it through",
	debate.WhyFailedBefore:        "{1} failed this head before, and nothing but running again speaks for it; only a human may let it through",
	debate.WhyGrantedObjection:    "the primary granted {1}, an objection to its position, which forbids keep; only a human may let it through",
	debate.WhyOpenSince:           "{1} is open since a dispute, and keep is settled no more",
	debate.WhyGrants:              "the primary granted {1}: {words}",
	debate.WhyBare:                "all hold it, and nothing that was confirmed, granted or checked stands behind it",
	debate.WhyTie:                 "{all} are tied",
	debate.WhyDiverging:           "one party's best option is no better than third for another",
	debate.WhyOptionsUnscored:     "the options could not be scored: {cause}",
	debate.WhyDecisionUnscored:    "the decision could not be scored: {cause}",
	debate.WhyAlsoAsks:            "it also asks what the parties did not settle: {words}",
	debate.WhyJudgesDiffer:        "the judges did not agree",
	debate.WhyJudgesAgainstScores: "the judges recommend {1}, the scores {2}",

	debate.WhyNoOptions:      "there is no option to weigh",
	debate.WhyNoSheets:       "no party gave a valid sheet",
	debate.WhyNoPrimarySheet: "the primary gave no valid sheet",
	debate.WhyPrimaryAlone:   "no party but the primary gave a valid sheet",

	debate.WhyMerged:             "same as {1}",
	debate.WhyDismissedBy:        "{1} dismissed it: {words}",
	debate.WhyFixedBy:            "fixed, checked by {names}",
	debate.WhyOutOfScope:         "it is about lines that the change does not touch",
	debate.WhyLate:               "it was raised when nothing new could be",
	debate.WhyTooMany:            "more claims were raised than are debated",
	debate.WhyLaterHead:          "on a later head only what is severe and about a changed part is new",
	debate.WhyReframes:           "it asks another question than the change does; a person with write access can consent to it",
	debate.WhyLinesMissing:       "the cited lines are not what the check says",
	debate.WhyRejected:           "it is rejected with evidence, and no model may dismiss it",
	debate.WhyUnexplained:        "{1} and its owner do not say what settled {2}",
	debate.WhyHeldByOther:        "its owner conceded {1}, and another party still holds it on verified evidence",
	debate.WhyKnown:              "{1} accepts it until {2}: {words}",
	debate.WhyConceded:           "its owner conceded {1}",
	debate.WhyConcededInWords:    "its owner conceded {1}, and nobody quotes a line against it",
	debate.WhyNotMeant:           "its owner did not say what it means",
	debate.WhyVerifiedUndefended: "its owner did not answer {1}, and the lines that it cites are there",
	debate.WhyUndefended:         "its owner did not answer {1}",
	debate.WhyBetterEvidence:     "{1} cites better evidence than the claim",
	debate.WhyMeaningOpen:        "what it means was not settled",
	debate.WhyUnmeasured:         "a measurement is missing",
	debate.WhyDefinitions:        "the sides mean different things",
	debate.WhyCriteria:           "the sides weigh different criteria",
	debate.WhyMaintained:         "{1} was maintained, and neither side has the better evidence",
	debate.WhyChallengeOpen:      "{1} is open",
	debate.WhyNotWeighed:         "nobody else has weighed it",
	debate.WhyNotVerified:        "no evidence for it is verified",
	debate.WhyNobodyAgrees:       "nobody else agrees with it",
	debate.WhyNoReason:           "{1} agrees with it and gives neither a reason nor lines",
	debate.WhyOneFamily:          "only {1} agrees with it, which is of the same family of models as its owner",
	debate.WhyDisagrees:          "{1} disagrees, and shows no line against it",
	debate.WhyGaveInWords:        "{1} gave up its objection and quotes no line that shows why",
	debate.WhyAttacked:           "an attack on it stands",

	debate.WhySameReport:     "its attacker reported the same",
	debate.WhyVerifiedWins:   "the evidence of the claim is verified, and the objection cites none",
	debate.WhyWordsAlone:     "two voices hold the finding on verified lines, and the objection shows none against it",
	debate.WhyWordsHeard:     "it was answered, and it shows nothing",
	debate.WhyVerified:       "the evidence of the claim is verified",
	debate.WhyNotNamed:       "its defender did not name it",
	debate.WhyNobodyAnswered: "nobody answered for the finding, which stands as it did",
	debate.WhyAnswered:       "it was answered",
	debate.WhyChangedMind:    "it changed its mind and said why",
	debate.WhyAttackerGone:   "{1} takes no further part, and no line is cited",
	debate.WhyTakenOver:      "{1} holds the position now, and it says the same",
}

// Sentence says a reason in English, without a full stop. It is "" where there
// is no reason.
func Sentence(w debate.Why) string {
	fill := []string{"{all}", strings.Join(w.Refs, ", "), "{names}", named(w.Refs), "{words}", w.Words}
	for i, ref := range w.Refs {
		fill = append(fill, "{"+strconv.Itoa(i+1)+"}", ref)
	}
	if w.Cause != nil {
		fill = append(fill, "{cause}", Sentence(*w.Cause))
	}
	return strings.NewReplacer(fill...).Replace(sentences[w.Code])
}

// named joins names as a sentence does: "claude, gemini and gpt".
func named(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
