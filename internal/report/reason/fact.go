package reason

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// happenings has the sentence of each kind of fact: {who} did it, about {about} and {other};
// {code} is its enumerated value.
var happenings = map[debate.FactKind]string{
	debate.ClaimRaised:       "{who} raises {about} ({code})",
	debate.ClaimAmended:      "{who} rewords {about}, now {code}, to answer {other}",
	debate.ClaimMerged:       "{about} of {who} is the same as {other}",
	debate.ClaimWeighed:      "{who} weighs {about}: {code}",
	debate.ClaimDropped:      "{about} is not debated",
	debate.CitationChecked:   "what {about} cites is {code}",
	debate.ChallengeOpened:   "{who} attacks {other} with {about} ({code})",
	debate.ChallengeDefended: "{who} answers {about}: {code}",
	debate.ChallengeConceded: "{who} gives in to {about}",
	debate.ChallengeKept:     "{who} insists on {about}: {code}",
	debate.ChallengeAccepted: "{who} accepts the answer to {about}",
	debate.ChallengeIgnored:  "{who} does not name {about}: {code}",
	debate.ChallengeClosed:   "{about} is closed: {code}",
	debate.ClaimSettled:      "{about} is {code}",
	debate.PositionTaken:     "{who} takes position {about}: {code}",
	debate.StanceTaken:       "{who} says {code} for {about}",
	debate.Drifted:           "{who} contradicts itself about {about}",
	debate.Acknowledged:      "{who} says that it changed its mind about {about}",
	debate.GainRated:         "{who} rates the gain of the exchange {code} of 10000",
	debate.RoundEnded:        "the exchange ends: {code}",
	debate.TalkEnded:         "the debate ends: {code}",
	debate.CallFailed:        "{who} gives no reply to {about}: {code}",
	debate.PartyLost:         "{who} takes no further part: {code}",
	debate.PartySeated:       "{who} joins, a second context of the model of {other}",
	debate.PartyServed:       "{who} is served by the model of {other} now",
	debate.PrimaryReplaced:   "{who} is the primary in the place of {other}",
	debate.DefenderReplaced:  "{who} answers {about} in the place of {other}",
	debate.TriggerAsserted:   "{who} says that {about} is at stake",
	debate.ClaimFlagged:      "{who} looks at {about}: {code}",
	debate.CriteriaFrozen:    "the criteria of {about} are fixed",
	debate.SheetScored:       "{who} scores {about}: {code}",
	debate.VoteCast:          "{who} votes {code} on {about}",
	debate.PanelEnded:        "the judges of {about} end with {code} {other}",
	debate.DecisionReached:   "{about} ends as {code}, recommended is {other}",
	debate.HumanAsked:        "a person is asked about {about}: {code}",
	debate.HumanReminded:     "a person is reminded of {about}",
	debate.HumanAnswered:     "{who} decides {about}: {code}",
	debate.HumanRefused:      "the answer of {who} to {about} does not count",
	debate.Ordered:           "{who} orders {code} {about}",
	debate.DisputeOpened:     "{who} disputes {about}",
	debate.FindingCarried:    "{about} of an earlier head {code}",
	debate.AnswerWritten:     "{who} sums up the answer",
	debate.ReviewEnded:       "the review ends: {code}, {other}",
}

// Fact is one line about a fact: actor, act, words, citations and reason.
func Fact(f debate.Fact) string {
	text := Filled(happenings[f.Kind], "{who}", f.Who, "{about}", f.About, "{other}", f.Other, "{code}", f.Code)
	text = strings.TrimSpace(text)
	if f.Text != "" {
		text += ": " + strconv.Quote(clipped(f.Text, 120))
	}
	for _, e := range f.Cites {
		if at := e.Cite.String(); e.Cite.Path != "" {
			text += ", " + at
		}
	}
	if why := Sentence(f.Why); why != "" {
		text += "; " + clipped(why, 120)
	}
	return text
}

// clipped is one line of a text.
func clipped(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
