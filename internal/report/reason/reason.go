// Package reason makes sentences of the engine's reasons. The debate keeps codes with their
// references (debate.Why); only this package has the words, so rewording a sentence changes no
// record and no memory.
package reason

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// sentences has the sentence of each code. {1}, {2} ... are its refs as they are, {model 1} and
// {objection 1} are refs to a party or a challenge, {all} is all refs, {models} all of them as
// parties, {words} the words of a speaker, {quote} the same in quotation marks, {cause} the
// sentence of its cause, {finder} the party that found the finding in question.
var sentences = map[debate.WhyCode]string{
	debate.WhyTold: "{words}",

	debate.WhyAnAnswer:         "the answer to a question blocks no merge",
	debate.WhyAwaitsPerson:     "a person has to decide",
	debate.WhyGate:             "the gate is required, and {cause}",
	debate.WhyReviewedWhole:    "the models read the whole change, and it was decided to merge it as it is",
	debate.WhyReviewedButFiles: "the models read the change except for excused or only renamed files, and it was decided to merge it as it is",
	debate.WhyConfigBroken:     "the settings are broken",
	debate.WhyFails:            "finding {1} is {2}",
	debate.WhyChose:            "{1} chose {2}",
	debate.WhyChoseElse:        "{1} chose {2} for {3} ({words})",
	debate.WhyDebateChose:      "the debate chose {1} for {2} ({words})",
	debate.WhyMustEnd:          "{still open}",
	debate.WhySinceChoice:      "{1} accepted an earlier commit, but {model 2} chooses {3} for this one",
	debate.WhySinceFinding:     "{1} accepted an earlier commit, but finding {2} is open on this one",
	debate.WhySinceObjection:   "{1} accepted an earlier commit, but {objection 2} was accepted on this one",
	debate.WhySinceReview:      "{1} accepted an earlier commit, but the review of this one does not recommend merging it",
	debate.WhyDivided:          "the models disagree, and a person decides",
	debate.WhyNoKeep:           "the review does not recommend merging it as it is",
	debate.WhyNoProof:          "no checked fact supports a merge",
	debate.WhyUndebated:        "no debate took place",
	debate.WhyPartsUnread:      "parts of the change were not reviewed",
	debate.WhySilentModel:      "a model from the settings did not answer",
	debate.WhyP1IsOpen:         "a confirmed P1 is open",

	debate.WhyStopped:   "a person stopped the debate",
	debate.WhyCallsUsed: "the limit of {1} calls is reached",
	debate.WhyMoneyUsed: "the limit of money is reached, or one more call as dear as the dearest so far would pass it",
	debate.WhyTimeUsed:  "the time left is less than one call may take",
	debate.WhyExchanges: "no round is left",
	debate.WhyRounds:    "{1} rounds of argument are the most",

	debate.WhyNoChallenger:   "no second model can be reached",
	debate.WhyStranger:       "waiting for a maintainer; comment /debate run to start the review",
	debate.WhyNoPosition:     "no model could review the change",
	debate.WhyNobodyLeft:     "no second model is left",
	debate.WhyNobodyReplied:  "no second model replied",
	debate.WhyPrimaryGone:    "the model that reviewed first takes no further part",
	debate.WhyNotWritten:     "the call for it ended with {1}",
	debate.WhyPrimarySilent:  "the model that reviewed first did not answer: {1}",
	debate.WhyMemoryVersion:  "it is of another version of the protocol",
	debate.WhyMemoryChange:   "it is about another change",
	debate.WhyMemorySplit:    "the change is divided into other parts",
	debate.WhyMemoryQuestion: "a question has no memory",
	debate.WhyMemoryResult:   "there was no result",
	debate.WhyMemoryItem:     "its {1} {2} is broken",
	debate.WhyMemoryUnfit:    "the earlier review cannot be used: {cause}",
	debate.WhyNoDebate:       "no debate is possible: {cause}; see `debate doctor`",
	debate.WhyClosed:         "the pull request was closed: {words}",
	debate.WhyDisputed:       "a dispute changed what was agreed",
	debate.WhyHeadMoved:      "{1} is the newest commit now",

	debate.WhyObjection:     "{objection 1} has to be answered",
	debate.WhyConfrontAgain: "there are still objections",
	debate.WhyUnaddressed:   "{objection 1} has no answer yet",
	debate.WhyEnded:         "{cause}",
	debate.WhyNoDissent:     "no model objects",
	debate.WhyMinor:         "the objections are minor",
	debate.WhyNoReply:       "no dissenting model replied",
	debate.WhyConverged:     "no objection is open, and nothing new came up",
	debate.WhyTrivial:       "it is a question of fact, and all give the same answer",
	debate.WhyNothingMoved:  "two rounds in a row brought nothing new",
	debate.WhyLeftOpen:      "{1} is disputed, and no model says more about it",
	debate.WhyNotJudged:     "{model 1} does not say what it thinks of the answer",
	debate.WhyNoDissenter:   "no dissenting model is left",
	debate.WhyDeadlock:      "each side shows lines for {objection 1}, and no side brings anything new",

	debate.WhyNoJudge:          "no judge can be reached",
	debate.WhyNoPanel:          "no judges were asked: {cause}",
	debate.WhyNoSides:          "no two models could score it",
	debate.WhyOpenP1:           "{1} is an open P1 with evidence: only a person may let this be merged as it is",
	debate.WhyFailedBefore:     "{1} was found on this commit before, and only another run says otherwise: only a person may let this be merged as it is",
	debate.WhyGrantedObjection: "{objection 1} was accepted: only a person may let this be merged as it is",
	debate.WhyOpenSince:        "{objection 1} is open since a dispute",
	debate.WhyGrants:           "{objection 1} was accepted{quote}",
	debate.WhyBare:             "all agree, but no confirmed finding, accepted objection or check supports it",
	debate.WhyNobodyKeeps:      "the scores say to merge this as it is, and no model recommends that",
	debate.WhyTie:              "{all} are tied",
	debate.WhyDiverging:        "the first choice of one model is third or lower for another",
	debate.WhyOptionsUnscored:  "the options could not be scored: {cause}",
	debate.WhyDecisionUnscored: "the decision could not be scored: {cause}",
	debate.WhyAlsoAsks:         "it also asks what the models did not settle: {words}",
	debate.WhyJudgesDiffer:     "the judges did not agree",

	debate.WhyNoOptions:      "there is no option to weigh",
	debate.WhyNoSheets:       "no model gave valid scores",
	debate.WhyNoPrimarySheet: "the model that reviewed first gave no valid scores",
	debate.WhyPrimaryAlone:   "only the model that reviewed first gave valid scores",

	debate.WhyMerged:             "same as {1}",
	debate.WhyDismissedBy:        "{1} dismissed it: {words}",
	debate.WhyFixedBy:            "fixed, checked by {models}",
	debate.WhyOutOfScope:         "it is about lines that the change does not touch",
	debate.WhyLate:               "it was raised too late to be debated",
	debate.WhyTooMany:            "more findings were raised than one review debates",
	debate.WhyLaterHead:          "after the first review, only severe findings in changed parts are debated",
	debate.WhyReframes:           "it is not the subject of this change; someone with write access may ask for it",
	debate.WhyLinesMissing:       "the lines are not what the rule says",
	debate.WhyRejected:           "a model shows lines against it, but only a person may dismiss what a rule found",
	debate.WhyUnexplained:        "{model 1} and {finder} do not say what settled {objection 2}",
	debate.WhyHeldByOther:        "{finder} gave in to {objection 1}, but another model still holds it on lines that are there",
	debate.WhyKnown:              "{1} accepts it until {2}: {words}",
	debate.WhyConceded:           "{finder} gave in to {objection 1}",
	debate.WhyConcededInWords:    "{finder} gave in to {objection 1}, but no model quotes a line against it",
	debate.WhyNotMeant:           "{finder} did not say what it means",
	debate.WhyVerifiedUndefended: "{finder} did not answer {objection 1}, but the lines that the finding cites are there",
	debate.WhyUndefended:         "{finder} did not answer {objection 1}",
	debate.WhyBetterEvidence:     "{objection 1} cites better evidence",
	debate.WhyMeaningOpen:        "its meaning was not settled",
	debate.WhyUnmeasured:         "a measurement is missing",
	debate.WhyDefinitions:        "the models mean different things",
	debate.WhyCriteria:           "it depends on what matters more",
	debate.WhyMaintained:         "{objection 1} was kept up, and no side has better evidence",
	debate.WhyChallengeOpen:      "{objection 1} was not settled",
	debate.WhyNotWeighed:         "no other model weighed it",
	debate.WhyNotVerified:        "no other model confirmed a line that shows it",
	debate.WhyNoQuote:            "no quote for it was found, and no other model holds it",
	debate.WhyFinderDropped:      "only {finder} holds it, and {finder} was left out",
	debate.WhyNobodyAgrees:       "no other model agrees with it",
	debate.WhyNoReason:           "{model 1} agrees with it, but gives no reason and no lines",
	debate.WhyOneFamily:          "only {model 1} agrees with it, and both are from one maker",
	debate.WhyDisagrees:          "{model 1} disagrees, but shows no line against it",
	debate.WhyGaveInWords:        "{model 1} gave up its objection, but quotes no line that shows why",
	debate.WhyAttacked:           "an objection to it was not settled",

	debate.WhySameReport:     "the objecting model reported the same",
	debate.WhyVerifiedWins:   "the lines that the finding cites were confirmed, and the objection cites none",
	debate.WhyWordsAlone:     "two models hold the finding on lines that are there, and the objection shows none against it",
	debate.WhyWordsHeard:     "it was answered, and it shows no line",
	debate.WhyNotNamed:       "no model answered it",
	debate.WhyNobodyAnswered: "no model answered for the finding, so it stays as it was",
	debate.WhyAnswered:       "it was answered",
	debate.WhyChangedMind:    "it changed its mind and said why",
	debate.WhyAttackerGone:   "{model 1} takes no further part and cited no line",
	debate.WhyTakenOver:      "{model 1} reviews in the place of the first model now, and says the same",
}

// Names has the names of parties and objections for people, by id. Any other id stays as it is.
type Names struct {
	Finder     string            // of the finding, "" if it is not known
	Parties    map[string]string // by id
	Objections map[string]string // by the id of the challenge
}

// Sentence is a reason in English, without a full stop, with ids as they are. It is "" for no
// reason.
func Sentence(w debate.Why) string { return Names{}.Sentence(w) }

// Sentence says a reason in English, without a full stop.
func (n Names) Sentence(w debate.Why) string {
	finder := cmp.Or(n.Finder, "its finder")
	parties := lists.Map(w.Refs, func(id string) string { return cmp.Or(n.Parties[id], id) })
	open := lists.Map(w.Refs, func(id string) string { return id + " is still open: fix it, or /debate dismiss " + id + " WHY" })
	quote := ""
	if w.Words != "" {
		quote = ": \"" + strings.TrimSuffix(clipped(w.Words, 240), ".") + "\""
	}
	fill := []string{"{finder}", finder, "{still open}", strings.Join(open, "; "), "{all}", strings.Join(w.Refs, ", "), "{models}", enumerated(parties), "{words}", w.Words, "{quote}", quote}
	for i, ref := range w.Refs {
		nth := strconv.Itoa(i + 1)
		fill = append(fill, "{"+nth+"}", ref, "{model "+nth+"}", parties[i], "{objection "+nth+"}", cmp.Or(n.Objections[ref], ref))
	}
	if w.Cause != nil {
		fill = append(fill, "{cause}", n.Sentence(*w.Cause))
	}
	return Filled(sentences[w.Code], fill...)
}

// Filled is a sentence of a table with its places filled, each before its value.
func Filled(sentence string, places ...string) string {
	return strings.NewReplacer(places...).Replace(sentence)
}

// enumerated joins names as a sentence does: "claude, gemini and gpt".
func enumerated(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
