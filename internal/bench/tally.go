package bench

import (
	"cmp"
	"fmt"
	"slices"
)

// Kind says how findings came about.
type Kind string

// The kinds of rows.
const (
	Debated  Kind = "debate"               // confirmed by the debate
	Shown    Kind = "debate_with_disputed" // also those that the debate left disputed
	Voted    Kind = "vote"                 // reported by most members
	ByMember Kind = "member"               // reported by one member alone
)

// Row is the result of one kind of review over all cases.
type Row struct {
	Kind       Kind   `json:"way"`
	Member     string `json:"member,omitempty"` // of a row ByMember
	Absent     string `json:"absent,omitempty"` // why the member took part in no case, else ""
	Cases      int    `json:"cases"`            // counted ones, with the member
	Unanswered int    `json:"unanswered"`       // of these, without a full answer
	Expected   int    `json:"expected"`         // all defects
	Found      int    `json:"found"`            // of these
	False      int    `json:"false"`            // findings without an expected defect
	Mild       int    `json:"too_mild"`         // findings that rate a defect too low
	Repeats    int    `json:"repeats"`          // further findings about found defects
	Clean      int    `json:"clean"`            // cases with nothing to find
	Quiet      int    `json:"clean_quiet"`      // of these, with an answer and without findings
	Timed      bool   `json:"timed"`            // a time was measured in each case
	Spent
}

// percent is a share for people, rounded; "-" of nothing.
func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", (200*part+whole)/(2*whole))
}

// Verdict is the result of one kind of review in one case.
type Verdict struct {
	Kind     Kind      `json:"way"`
	Member   string    `json:"member,omitempty"`
	Answered bool      `json:"answered"`
	Findings []Finding `json:"-"`
	Matched
	Spent
}

// Judge matches the findings of each kind of review in a case. Absent members have no
// verdict, and there is no vote with fewer than two members.
func Judge(o Outcome) []Verdict {
	h := o.Held
	all := []Verdict{
		{Kind: Debated, Findings: h.Agreed, Spent: h.Debate, Answered: true},
		{Kind: Shown, Findings: slices.Concat(h.Agreed, h.Disputed), Spent: h.Debate, Answered: true},
	}
	var alone []Verdict
	var lists [][]Finding
	together := Spent{}
	for _, m := range h.Members {
		if m.Absent != "" {
			continue
		}
		alone = append(alone, Verdict{Kind: ByMember, Member: m.ID, Findings: m.Findings, Answered: m.Answered, Spent: m.Spent})
		lists = append(lists, m.Findings)
		together.atOnce(m.Spent)
	}
	if len(lists) > 1 {
		all = append(all, Verdict{Kind: Voted, Findings: vote(lists), Answered: true, Spent: together})
	}
	all = append(all, alone...)
	for i := range all {
		all[i].Matched = Match(o.Case.Expected, all[i].Findings)
	}
	return all
}

// atOnce adds concurrent spending.
func (s *Spent) atOnce(other Spent) {
	s.CostMicro += other.CostMicro
	s.CostUnknown = s.CostUnknown || other.CostUnknown
	s.MS = max(s.MS, other.MS)
}

// Rows sums up: the debate first, then the vote if there is one, then each member.
func Rows(done []Outcome) []Row {
	rows := []Row{{Kind: Debated, Timed: true}, {Kind: Shown, Timed: true}, {Kind: Voted, Timed: true}}
	for _, o := range done {
		for _, m := range o.Held.Members {
			i := rowOf(&rows, ByMember, m.ID)
			rows[i].Absent = cmp.Or(rows[i].Absent, m.Absent)
		}
		for _, v := range Judge(o) {
			rows[rowOf(&rows, v.Kind, v.Member)].add(o, v)
		}
	}
	for i := range rows {
		if rows[i].Cases > 0 {
			rows[i].Absent = ""
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool { return r.Kind == Voted && r.Cases == 0 })
}

// rowOf finds a row, or adds it.
func rowOf(rows *[]Row, kind Kind, member string) int {
	i := slices.IndexFunc(*rows, func(r Row) bool { return r.Kind == kind && r.Member == member })
	if i < 0 {
		i = len(*rows)
		*rows = append(*rows, Row{Kind: kind, Member: member, Timed: true})
	}
	return i
}

func (r *Row) add(o Outcome, v Verdict) {
	r.Cases++
	r.Expected += len(o.Case.Expected)
	r.Found += len(v.Found)
	r.False += len(v.False)
	r.Mild += v.Mild
	r.Repeats += v.Repeats
	if !v.Answered {
		r.Unanswered++
	}
	if o.Case.Clean {
		r.Clean++
		if v.Answered && len(v.Findings) == 0 {
			r.Quiet++
		}
	}
	took := r.Spent.MS + v.Spent.MS
	r.Spent.atOnce(v.Spent)
	r.Spent.MS = took // one after the other
	r.Timed = r.Timed && !o.Held.Taped
}

// Name is the name of a row.
func (r Row) Name() string {
	return cmp.Or(kindNames[r.Kind], r.Member+" alone")
}

var kindNames = map[Kind]string{Debated: "debate", Shown: "debate, disputed too", Voted: "plain vote"}
