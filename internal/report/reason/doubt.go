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
	tally.DoubtCutShort:     "not everybody was heard to the end",
	tally.DoubtOneFamily:    "no model of another maker agrees with all of it",
	tally.DoubtLost:         "a model failed",
	tally.DoubtUnread:       "not all of the change was read",
	tally.DoubtDisputed:     "a P1 or P2 is disputed",
	tally.DoubtBare:         "nothing that was confirmed or checked stands behind the recommendation",
	tally.DoubtUnproved:     "no model confirmed the lines of a finding",
	tally.DoubtGaveIn:       "a model gave in without a reason",
	tally.DoubtUnscored:     "what was open could not be scored",
	tally.DoubtUnsure:       "the model that reviewed first is not sure itself",
}

// Doubt says why a result is not as sure as it could be, without a full stop.
func Doubt(d tally.Doubt) string { return doubts[d] }
