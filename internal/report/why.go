package report

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// whys has the sentence of each code. The debate keeps codes with their references; only this table
// has the words, so rewording a sentence changes no record and no memory. {1}, {2} ... are its refs as they are, {model 1} and
// {objection 1} are refs to a party or a challenge, {all} is all refs, {models} all of them as
// parties, {to end} all of them as findings to fix or dismiss, {failure} the failure of a call, {label 1} and {would 1} an answer to the merge, {words} the words of a speaker, {quote} the same in
// quotation marks, {cause} the sentence of its cause, {finder} the party that found the finding in
// question.
var whys = map[debate.WhyCode]string{
	debate.WhyTold: "{words}",

	debate.WhyAnAnswer:         "the answer to a question blocks no merge",
	debate.WhyAwaitsPerson:     "a person has to decide",
	debate.WhyGate:             "the gate is required, and {cause}",
	debate.WhyReviewedWhole:    "the models read the whole change, and it was decided to merge it as it is",
	debate.WhyReviewedButFiles: "the models read the change except for excused or only renamed files, and it was decided to merge it as it is",
	debate.WhyConfigBroken:     "the settings are broken",
	debate.WhyFails:            "{1} is a {2}; fix it, or ask someone with write access to dismiss it",
	debate.WhyChose:            "{1} decided: {label 2}",
	debate.WhyChoseElse:        "{1} chose {2} for {3} ({question})",
	debate.WhyDebateChose:      "the debate chose {1} for {2} ({question})",
	debate.WhyMustEnd:          "merging also needs {to end}",
	debate.WhySinceChoice:      "{1} accepted an earlier commit, but {model 2} {would 3} on this one",
	debate.WhySinceFinding:     "{1} accepted an earlier commit, but finding {2} is open on this one",
	debate.WhySinceObjection:   "{1} accepted an earlier commit, but {objection 2} was accepted on this one",
	debate.WhySinceReview:      "{1} accepted an earlier commit, but the review of this one does not recommend merging it",
	debate.WhyDivided:          "the models disagree, and a person decides",
	debate.WhyNoKeep:           "the review does not recommend merging it as it is",
	debate.WhyNoProof:          "no model cites a line to support a merge",
	debate.WhyUndebated:        "no debate took place",
	debate.WhyPartsUnread:      "parts of the change were not reviewed",
	debate.WhySilentModel:      "a model from the settings did not answer",
	debate.WhyP1IsOpen:         "a confirmed P1 is open; fix it first",

	debate.WhyStopped:   "a person stopped the debate",
	debate.WhyCallsUsed: "the limit of {1} calls is reached",
	debate.WhyMoneyUsed: "the money limit is reached, or the next call could pass it",
	debate.WhyTimeUsed:  "the time left is too short for another call",
	debate.WhyRounds:    "the limit of {1} rounds is reached",

	debate.WhyNoChallenger:   "no second model can be reached",
	debate.WhyStranger:       "waiting for a maintainer",
	debate.WhyNoPosition:     "no model could review the change",
	debate.WhyNobodyLeft:     "no second model is left",
	debate.WhyNobodyReplied:  "no second model replied",
	debate.WhyPrimaryGone:    "the model that reviewed first takes no further part",
	debate.WhyNotWritten:     "{failure}",
	debate.WhyPrimarySilent:  "the model that reviewed first did not answer: {failure}",
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
	debate.WhyDeadlock:      "each side cites lines about {objection 1}, and no side brings anything new",

	debate.WhyNoJudge:          "no judge can be reached",
	debate.WhyNoPanel:          "no judges were asked: {cause}",
	debate.WhyNoSides:          "no two models could score it",
	debate.WhyOpenP1:           "{1} is an open P1 with evidence; fix it, or ask someone with write access to dismiss it",
	debate.WhyFailedBefore:     "an earlier review of this commit found {1}, so only a person can decide to merge",
	debate.WhyGrantedObjection: "{objection 1} was accepted, so only a person can decide to merge",
	debate.WhyOpenSince:        "{objection 1} is open since a dispute",
	debate.WhyGrants:           "{objection 1} was accepted{quote}",
	debate.WhyBare:             "no confirmed finding, accepted objection or check supports the recommendation",
	debate.WhyNobodyKeeps:      "the scores say to merge this as it is, and no model recommends that",
	debate.WhyTie:              "these options have the same score: {all}",
	debate.WhyDiverging:        "the first choice of one model is third or lower for another",
	debate.WhyOptionsUnscored:  "{cause}, so the options have no scores",
	debate.WhyDecisionUnscored: "{cause}, so the question was not scored",
	debate.WhyAlsoAsks:         "the models left a question open: {words}",
	debate.WhyJudgesDiffer:     "the judges do not agree",
	debate.WhyByChoice:         "the choice between the options decides it",
	debate.WhyChoiceOpen:       "the choice between the options is open",

	debate.WhyNoOptions:      "there is no option to weigh",
	debate.WhyNoSheets:       "no model gave valid scores",
	debate.WhyNoPrimarySheet: "the model that reviewed first gave no valid scores",
	debate.WhyPrimaryAlone:   "only the model that reviewed first gave valid scores",

	debate.WhyMerged:             "same as {1}",
	debate.WhyDismissedBy:        "{1} dismissed it: {words}",
	debate.WhyFixedBy:            "fixed, checked by {models}",
	debate.WhyOutOfScope:         "it is about lines that the change does not touch",
	debate.WhyLate:               "it was raised too late to be debated",
	debate.WhyTooMany:            "there are too many findings for one review",
	debate.WhyLaterHead:          "after the first review, only severe findings in changed parts are debated",
	debate.WhyReframes:           "it is not the subject of this change; someone with write access may ask for it",
	debate.WhyLinesMissing:       "the lines do not match the rule",
	debate.WhyRejected:           "a model cites lines against it, but only a person can dismiss the finding of a rule",
	debate.WhyUnexplained:        "{model 1} withdrew its objection, and neither {model 1} nor {finder} gives a reason",
	debate.WhyHeldByOther:        "{finder} accepted {objection 1}, but another model still supports the finding with lines of code",
	debate.WhyKnown:              "{1} accepts it until {2}: {words}",
	debate.WhyConceded:           "{finder} accepted {objection 1}",
	debate.WhyConcededInWords:    "{finder} accepted {objection 1}, but no model quotes a line against the finding",
	debate.WhyNotMeant:           "{finder} did not explain it",
	debate.WhyVerifiedUndefended: "{finder} did not answer {objection 1}, but the lines cited for the finding exist",
	debate.WhyUndefended:         "{finder} did not answer {objection 1}",
	debate.WhyBetterEvidence:     "{objection 1} cites better evidence",
	debate.WhyMeaningOpen:        "its meaning stayed unclear",
	debate.WhyUnmeasured:         "a measurement is missing",
	debate.WhyDefinitions:        "the models mean different things",
	debate.WhyCriteria:           "it depends on what matters more",
	debate.WhyMaintained:         "{objection 1} was repeated, and no side has better evidence",
	debate.WhyChallengeOpen:      "{objection 1} was not settled",
	debate.WhyNotWeighed:         "no other model checked it",
	debate.WhyNotVerified:        "no other model confirmed it with a line of code",
	debate.WhyNoQuote:            "no quoted line of it was found, and no other model supports it",
	debate.WhyFinderDropped:      "only {finder} supports it, and {finder} was dropped",
	debate.WhyNobodyAgrees:       "no other model agrees with it",
	debate.WhyNoReason:           "{model 1} agrees with it, but gives no reason and no lines",
	debate.WhyOneFamily:          "only {model 1} agrees with it, and both are from one maker",
	debate.WhyDisagrees:          "{model 1} disagrees, but cites no line against it",
	debate.WhyGaveInWords:        "{model 1} withdrew its objection, but quotes no line for the finding",

	debate.WhySameReport:     "the objecting model reported the same",
	debate.WhyVerifiedWins:   "the lines cited for the finding were confirmed, and the objection cites none",
	debate.WhyWordsAlone:     "two models support the finding with lines of code, and the objection cites none",
	debate.WhyWordsHeard:     "it was answered, and it cites no line",
	debate.WhyNotNamed:       "no model answered it",
	debate.WhyNobodyAnswered: "no model answered for the finding, so it stays as it was",
	debate.WhyAnswered:       "it was answered",
	debate.WhyChangedMind:    "it changed its mind and said why",
	debate.WhyAttackerGone:   "{model 1} takes no further part and cited no line",
	debate.WhyTakenOver:      "{model 1} reviews in the place of the first model now, and says the same",
}

// doubts holds the sentence of each reason why a result is not as sure as it could be.
var doubts = map[debate.Doubt]string{
	debate.DoubtNoDebate:     whys[debate.WhyUndebated],
	debate.DoubtJudges:       whys[debate.WhyJudgesDiffer],
	debate.DoubtUnchallenged: "no model challenged it with arguments",
	debate.DoubtFlagged:      "a second look raised doubts",
	debate.DoubtDivided:      "the models disagree",
	debate.DoubtCutShort:     "the debate was cut short",
	debate.DoubtOneFamily:    "no model from another maker agrees with all of it",
	debate.DoubtLost:         "a model failed",
	debate.DoubtUnread:       whys[debate.WhyPartsUnread],
	debate.DoubtDisputed:     "a P1 or P2 is disputed",
	debate.DoubtBare:         whys[debate.WhyBare],
	debate.DoubtUnproved:     "no model confirmed the lines of a finding",
	debate.DoubtGaveIn:       "a model accepted an objection without a reason",
	debate.DoubtUnscored:     "an open question could not be scored",
	debate.DoubtUnsure:       "the model that reviewed first is not sure itself",
}

// toldDoubts are the doubts with a line of their own at the top of a summary.
var toldDoubts = []debate.Doubt{debate.DoubtNoDebate, debate.DoubtUnchallenged, debate.DoubtDivided, debate.DoubtOneFamily, debate.DoubtLost, debate.DoubtUnread, debate.DoubtDisputed, debate.DoubtBare}

// names has the names of parties and objections for people, by id. Any other id stays as it is.
type names struct {
	finder     string            // of the finding, "" if it is not known
	parties    map[string]string // of second runs: their ids, such as claude-2, read like other models
	people     map[string]string // the person behind an objection, by the id of the challenge
	objections map[string]string // likewise
}

// namesOf has the names in a debate. A person who disputes a finding is known by name.
func namesOf(s *debate.State) names {
	n := names{parties: make(map[string]string), people: make(map[string]string), objections: make(map[string]string)}
	for _, p := range s.Table.Parties {
		if first := firstRun(s.Table.Parties, p); first != "" {
			n.parties[p.ID] = first + "'s second run"
		}
	}
	about := newTalk(s, survivors(s.Book.Claims))
	disputed := make(map[string]string) // by claim: the first person
	for _, step := range history(s) {
		for _, f := range step.Facts {
			if claim := about.claimOf(f); f.Kind == debate.DisputeOpened {
				disputed[claim] = cmp.Or(disputed[claim], f.Who)
			}
		}
	}
	for _, k := range s.Book.Challenges {
		if k.Attacker == debate.AuthorParty {
			n.people[k.ID] = disputed[about.into[k.Claim]]
		}
		n.objections[k.ID] = "the objection of " + speaker(cmp.Or(n.people[k.ID], n.of(k.Attacker)))
	}
	return n
}

// firstRun is the id of a debater of which another one is the second run, with the same model and
// none of its replies. It is "" if there is none.
func firstRun(all []debate.Party, p debate.Party) string {
	return lists.Find(all, func(of debate.Party) bool {
		same := p.Provider == of.Provider && p.Model == of.Model
		return isDebater(p.Role) && isDebater(of.Role) && p.ID != of.ID && (p.Debater == of.ID || p.ID == of.ID+"-2" && same)
	}).ID
}

func (n names) of(id string) string { return cmp.Or(n.parties[id], id) }

// all are the names of some ids, never nil.
func (n names) all(ids []string) []string { return append([]string{}, lists.Map(ids, n.of)...) }

// Says is a reason of a debate in English, with names for people and without a full stop.
func Says(s debate.State, w debate.Why) string { return namesOf(&s).sentence(w) }

// sentence says a reason in English, without a full stop.
func (n names) sentence(w debate.Why) string {
	parties := n.all(w.Refs)
	quote := Wrapped(": \"", strings.TrimSuffix(ClipLine(flowing(w.Words), maxSide), "."), "\"")
	fill := []string{"{finder}", cmp.Or(n.finder, "its finder"), "{to end}", toEnd(w.Refs), "{all}", strings.Join(w.Refs, ", "), "{models}", enumerated(parties), "{words}", w.Words, "{quote}", quote, "{question}", ClipLine(w.Words, maxSide)}
	for i, ref := range w.Refs {
		nth := strconv.Itoa(i + 1)
		fill = append(fill, "{"+nth+"}", ref, "{model "+nth+"}", parties[i], "{objection "+nth+"}", cmp.Or(n.objections[ref], ref), "{failure}", failureOf(ref),
			"{label "+nth+"}", mergeLabel(ref), "{would "+nth+"}", cmp.Or(mergeBy(ref).would, "disagrees"))
	}
	if w.Cause != nil {
		fill = append(fill, "{cause}", n.sentence(*w.Cause))
	}
	return filledIn(whys[w.Code], fill...)
}

// filledIn is a sentence of a table with its places filled, each before its value.
func filledIn(sentence string, places ...string) string {
	return strings.NewReplacer(places...).Replace(sentence)
}
