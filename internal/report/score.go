package report

import (
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report/reason"
)

// Rubric is how the parties scored one decision (R045).
type Rubric struct {
	Hash      string             `json:"hash"`
	Criteria  []debate.Criterion `json:"criteria"`
	Sheets    []Sheet            `json:"sheets"`
	Combined  []Combined         `json:"combined"`
	Winner    string             `json:"winner"` // "": none, Why says why
	Tied      []string           `json:"tied"`   // the best options, where nothing wins
	Diverging bool               `json:"diverging"`
	Why       string             `json:"why"`
}

// Sheet is one party's scores. Raw is what it sent, verbatim (R024).
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

// Combined is the weighted sum of one option over all valid sheets, and the
// largest that it could have been.
type Combined struct {
	Option string `json:"option"`
	Sum    int    `json:"sum"`
	Max    int    `json:"max"`
}

func scoring(d debate.Decision) *Rubric {
	r := d.Rubric
	if r == nil {
		return nil
	}
	out := Rubric{
		Hash: r.Hash, Criteria: r.Criteria, Winner: r.Winner, Tied: r.Tied, Diverging: r.Diverging, Why: lack(d),
	}
	for _, sheet := range r.Sheets {
		s := Sheet{Party: sheet.Party, Valid: sheet.Valid, Why: sheet.Flaw.String(), Rationale: sheet.Rationale, Raw: sheet.Raw}
		for _, score := range sheet.Scores {
			s.Scores = append(s.Scores, Score(score))
		}
		out.Sheets = append(out.Sheets, s)
	}
	for _, c := range r.Combined {
		out.Combined = append(out.Combined, Combined(c))
	}
	return &out
}

// lack says why the scores make no winner.
func lack(d debate.Decision) string {
	switch {
	case d.Rubric.Scored():
		return ""
	case d.Rubric.Lack != "":
		return reason.Sentence(debate.Why{Code: debate.WhyCode(d.Rubric.Lack)})
	}
	return reason.Sentence(d.Unscored)
}

// validSheets are the sheets that count.
func (r Rubric) validSheets() []Sheet {
	var valid []Sheet
	for _, s := range r.Sheets {
		if s.Valid {
			valid = append(valid, s)
		}
	}
	return valid
}

// of is the score of an option by a criterion, false if the sheet has none.
func (s Sheet) of(option, criterion string) (int, bool) {
	for _, score := range s.Scores {
		if score.Option == option && score.Criterion == criterion {
			return score.Score, true
		}
	}
	return 0, false
}

// percent writes basis points as a percentage without rounding.
func percent(bp int) string {
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
