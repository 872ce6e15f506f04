package report

import (
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Rubric is how the parties scored one decision (R045).
type Rubric struct {
	Hash      string             `json:"hash"`
	Criteria  []debate.Criterion `json:"criteria"`
	Sheets    []Sheet            `json:"sheets"`
	Combined  []Combined         `json:"combined"`
	Winner    string             `json:"winner"` // "": none, Why says why
	Tied      []string           `json:"tied"`   // the best options, if none wins
	Diverging bool               `json:"diverging"`
	Why       string             `json:"why"`
}

// Sheet is one party's scores. Raw is its reply, verbatim (R024).
type Sheet struct {
	Party     string  `json:"party"`
	Valid     bool    `json:"valid"`
	Why       string  `json:"why"` // not valid: why
	Scores    []Score `json:"scores"`
	Rationale string  `json:"rationale"`
	Raw       string  `json:"raw"`
}

// Score of one option by one criterion.
type Score struct {
	Option    string `json:"option"`
	Criterion string `json:"criterion"`
	Score     int    `json:"score"`
}

// Combined is the weighted sum of one option over all valid sheets, and its maximum.
type Combined struct {
	Option string `json:"option"`
	Sum    int    `json:"sum"`
	Max    int    `json:"max"`
}

func scoring(d debate.Decision, n names) *Rubric {
	r := d.Rubric
	if r == nil {
		return nil
	}
	return &Rubric{
		Hash: r.Hash, Criteria: r.Criteria, Winner: r.Winner, Tied: r.Tied, Diverging: r.Diverging, Why: lack(d, n),
		Sheets: lists.Map(r.Sheets, func(s debate.Scoresheet) Sheet {
			scores := lists.Map(s.Scores, func(score debate.Score) Score { return Score(score) })
			return Sheet{Party: n.of(s.Party), Valid: s.Valid, Why: s.Flaw.String(), Scores: scores, Rationale: s.Rationale, Raw: s.Raw}
		}),

		Combined: lists.Map(r.Combined, func(c debate.Combined) Combined { return Combined(c) }),
	}
}

// lack says why the scores make no winner.
func lack(d debate.Decision, n names) string {
	switch {
	case d.Rubric.Scored():
		return ""
	case d.Rubric.Lack != "":
		return n.sentence(debate.Why{Code: debate.WhyCode(d.Rubric.Lack)})
	}
	return n.sentence(d.Unscored)
}

// of is the score of an option by a criterion, false if the sheet has none.
func (s Sheet) of(option, criterion string) (int, bool) {
	at := slices.IndexFunc(s.Scores, func(score Score) bool { return score.Option == option && score.Criterion == criterion })
	if at < 0 {
		return 0, false
	}
	return s.Scores[at].Score, true
}

// row is the scores of an option on a sheet, for people.
func (s Sheet) row(option string, criteria []debate.Criterion) []string {
	return lists.Map(criteria, func(c debate.Criterion) string {
		score, ok := s.of(option, c.ID)
		if !ok {
			return "none"
		}
		return strconv.Itoa(score)
	})

}

// Percent writes basis points as a percentage without rounding.
func Percent(bp int) string {
	text := strconv.Itoa(bp / 100)
	switch part := bp % 100; {
	case part == 0:
	case part%10 == 0:
		text += "." + strconv.Itoa(part/10)
	default:
		text += "." + strconv.Itoa(part/10) + strconv.Itoa(part%10)
	}
	return text + "%"
}
