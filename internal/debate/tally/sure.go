package tally

// Grounds is what a debate has to show for its result.
type Grounds struct {
	Ended     Ending
	Split     bool // the judges of a decision did not agree
	CutShort  bool // it ended before everybody had spoken
	Families  int  // that took part to the end and hold the result
	Lost      bool // a party was lost
	SameRoots bool // a challenger is of the primary's own family
	Unread    bool // parts of the change were not read
	Disputed  bool // a P1 or P2 finding is disputed
	Bare      bool // the recommendation rests on nothing confirmed, granted or checked
	Unproved  bool // a confirmed finding has no verified lines
	GaveIn    bool // somebody gave in and did not say why
	Unscored  bool // what was open could not be scored
	Unsure    bool // the primary itself says that it is not sure
	FlaggedBP int  // how much of what it came to the cold reader doubts
}

// Ending is how a debate ended.
type Ending string

// The endings. Anything else came to no debate.
const (
	Agreed       Ending = "agreed"
	Divided      Ending = "divided"
	Unchallenged Ending = "unchallenged"
)

// debated reports whether the parties debated to the end.
func (e Ending) debated() bool { return e == Agreed || e == Divided }

// Level is how sure a result is.
type Level string

// The levels.
const (
	High          Level = "HIGH"
	Medium        Level = "MEDIUM"
	Low           Level = "LOW"
	RequiresInput Level = "REQUIRES_INPUT"
)

// Doubt is a reason why a result is not as sure as it could be.
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

// half is from where what a cold reader doubts weighs more than a doubt.
const half = 5000

// Sure is how sure a result is, and why it is not surer (M16). Only what nothing
// speaks against is HIGH.
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
