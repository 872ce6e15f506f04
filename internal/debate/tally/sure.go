package tally

// Grounds has everything that a debate's confidence depends on.
type Grounds struct {
	Ended     Ending
	Split     bool // the judges of a decision did not agree
	CutShort  bool // it ended before everyone had spoken
	Families  int  // families that took part to the end and hold the result
	Lost      bool // a party was lost
	SameRoots bool // a challenger is of the primary's own family
	Unread    bool // parts of the change were not read
	Disputed  bool // a P1 or P2 finding is disputed
	Bare      bool // the recommendation rests on no confirmed, granted or checked fact
	Unproved  bool // a confirmed finding has no verified lines
	GaveIn    bool // a party gave in without a reason
	Unscored  bool // an open question could not be scored
	Unsure    bool // the primary itself is not sure
	FlaggedBP int  // the share that the cold reader doubts
}

// Ending is the kind of a debate's end.
type Ending string

// The endings. Anything else is no debate.
const (
	Agreed       Ending = "agreed"
	Divided      Ending = "divided"
	Unchallenged Ending = "unchallenged"
)

// debated reports whether the parties debated to the end.
func (e Ending) debated() bool { return e == Agreed || e == Divided }

// Level is the confidence in a result.
type Level string

// The levels.
const (
	High          Level = "HIGH"
	Medium        Level = "MEDIUM"
	Low           Level = "LOW"
	RequiresInput Level = "REQUIRES_INPUT"
)

// Doubt is a reason for less confidence.
type Doubt string

// The doubts, the heaviest first.
const (
	DoubtNoDebate     Doubt = "no_debate"
	DoubtJudges       Doubt = "judges_differ"
	DoubtUnchallenged Doubt = "unchallenged"
	DoubtFlagged      Doubt = "flagged"
	DoubtDivided      Doubt = "divided"
	DoubtCutShort     Doubt = "cut_short"
	DoubtOneFamily    Doubt = "one_family"
	DoubtLost         Doubt = "party_lost"
	DoubtUnread       Doubt = "unread"
	DoubtDisputed     Doubt = "disputed"
	DoubtBare         Doubt = "rests_on_nothing"
	DoubtUnproved     Doubt = "unproved"
	DoubtGaveIn       Doubt = "gave_in"
	DoubtUnscored     Doubt = "unscored"
	DoubtUnsure       Doubt = "unsure"
)

// half is the share of the cold reader's doubts that weighs more than one doubt.
const half = 5000

// Sure is the confidence in a result, with its doubts (M16). Only a result without any is HIGH.
func Sure(g Grounds) (Level, []Doubt) {
	doubts := g.doubts()
	switch {
	case g.Split:
		return RequiresInput, doubts
	case !g.Ended.debated(), g.Ended == Divided && g.CutShort, g.FlaggedBP >= half:
		return Low, doubts
	case len(doubts) > 0:
		return Medium, doubts
	}
	return High, nil
}

func (g Grounds) doubts() []Doubt {
	var list []Doubt
	for _, row := range []struct {
		applies bool
		doubt   Doubt
	}{
		{!g.Ended.debated() && g.Ended != Unchallenged, DoubtNoDebate},
		{g.Split, DoubtJudges},
		{g.Ended == Unchallenged, DoubtUnchallenged},
		{g.FlaggedBP > 0, DoubtFlagged},
		{g.Ended == Divided, DoubtDivided},
		{g.CutShort, DoubtCutShort},
		{g.SameRoots || g.Ended == Agreed && g.Families < 2, DoubtOneFamily},
		{g.Lost, DoubtLost},
		{g.Unread, DoubtUnread},
		{g.Disputed, DoubtDisputed},
		{g.Bare, DoubtBare},
		{g.Unproved, DoubtUnproved},
		{g.GaveIn, DoubtGaveIn},
		{g.Unscored, DoubtUnscored},
		{g.Unsure, DoubtUnsure},
	} {
		if row.applies {
			list = append(list, row.doubt)
		}
	}
	return list
}
