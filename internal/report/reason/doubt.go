package reason

import "github.com/prdebate/debate/internal/debate/tally"

// doubts holds the sentence of each reason why a result is not as sure as it could
// be.
var doubts = map[tally.Doubt]string{
	tally.DoubtNoDebate:     "no debate took place",
	tally.DoubtJudges:       "the judges do not agree",
	tally.DoubtUnchallenged: "no model challenged it in substance",
	tally.DoubtFlagged:      "the last reader doubts parts of it",
	tally.DoubtDivided:      "the models do not agree",
	tally.DoubtCutShort:     "the debate was cut short",
	tally.DoubtOneFamily:    "no model from another maker agrees with all of it",
	tally.DoubtLost:         "a model failed",
	tally.DoubtUnread:       "not all of the change was read",
	tally.DoubtDisputed:     "a P1 or P2 is disputed",
	tally.DoubtBare:         "no confirmed finding or check supports the recommendation",
	tally.DoubtUnproved:     "no model confirmed the lines of a finding",
	tally.DoubtGaveIn:       "a model gave in without a reason",
	tally.DoubtUnscored:     "what was open could not be scored",
	tally.DoubtUnsure:       "the model that reviewed first is not sure itself",
}

// Told are the doubts with a line of their own at the top of a summary.
var Told = []tally.Doubt{tally.DoubtNoDebate, tally.DoubtUnchallenged, tally.DoubtDivided, tally.DoubtOneFamily, tally.DoubtLost, tally.DoubtUnread, tally.DoubtDisputed, tally.DoubtBare}

// Doubt says why a result is not as sure as it could be, without a full stop.
func Doubt(d tally.Doubt) string { return doubts[d] }
