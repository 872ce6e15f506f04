package bench

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/report"
)

// Text returns the result for people; with each, also the missed and the false findings of
// each case.
func (r Result) Text(each bool) []byte {
	var b strings.Builder
	fmt.Fprintln(&b, r.headline())
	for _, note := range r.notes() {
		fmt.Fprintln(&b, "- "+comment.Line(note))
	}
	rows := Rows(r.Done)
	if len(r.Done) > 0 {
		fmt.Fprintf(&b, "\n%-24s %7s %6s %10s %7s %8s %6s %9s %8s\n", "", "found", "false", "precision", "recall", "balance", "clean", "cost", "time")
		for _, row := range rows {
			fmt.Fprintln(&b, row.text(len(r.Done)))
		}
		b.WriteString("\nfound: of the defects in the cases. false: findings about nothing in the cases.\n" +
			"balance: of precision and recall, their harmonic mean.\n" +
			"clean: changes without a defect and without a finding.\n")
	}
	if each {
		for _, o := range r.Done {
			b.WriteString("\n" + o.text())
		}
	}
	for i, s := range r.Left {
		if i == 0 {
			b.WriteString("\nNot counted:\n")
		}
		fmt.Fprintf(&b, "  %s: %s\n", comment.Line(s.ID), comment.Line(s.Why))
	}
	return []byte(b.String())
}

func (r Result) headline() string {
	expected, clean := 0, 0
	for _, o := range r.Done {
		expected += len(o.Case.Expected)
		if o.Case.Clean {
			clean++
		}
	}
	if len(r.Done) == 0 {
		return "No case was counted."
	}
	return fmt.Sprintf("%s: %s in %d of them, %d clean", report.Count(len(r.Done), "case"), report.Count(expected, "defect"), len(r.Done)-clean, clean)
}

// text is a row of the table. Of is how many cases were held.
func (r Row) text(of int) string {
	name := comment.Line(r.Name())
	if r.Cases == 0 {
		return fmt.Sprintf("%-24s cannot take part: %s", name, comment.Line(r.Absent))
	}
	took := "-"
	if r.Timed {
		took = report.Took(max(r.Spent.MS, 1000))
	}
	line := fmt.Sprintf("%-24s %7s %6d %10s %7s %8s %6s %9s %8s", name, share(r.Found, r.Expected), r.False,
		percent(r.Found, r.Found+r.False), percent(r.Found, r.Expected), percent(2*r.Found, r.Found+r.False+r.Expected), share(r.Quiet, r.Clean), r.Spent.Bill(), took)
	if r.Cases < of {
		line += fmt.Sprintf("  in %s", report.Count(r.Cases, "case"))
	}
	return line
}

func share(part, whole int) string { return fmt.Sprintf("%d/%d", part, whole) }

// Bill is the cost for people.
func (s Spent) Bill() string {
	switch {
	case s.CostUnknown && s.CostMicro == 0:
		return "unknown"
	case s.CostUnknown:
		return "> " + s.CostMicro.Rounded()
	}
	return s.CostMicro.Rounded()
}

// text lists the missed and the false findings of one case for each kind.
func (o Outcome) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", comment.Line(o.Case.ID), comment.Line(o.Case.Name))
	for _, v := range Judge(o) {
		fmt.Fprintf(&b, "  %s\n", v.Line(o.Case))
		for _, e := range v.Missed {
			fmt.Fprintf(&b, "    missed: %s (%s)\n", comment.Line(e.What), comment.Line(e.Places[0].String()))
		}
		for _, f := range v.False {
			at := "no line"
			if len(f.Places) > 0 {
				at = f.Places[0].String()
			}
			fmt.Fprintf(&b, "    false: %s %s (%s)\n", f.Severity, comment.Line(f.Title), comment.Line(at))
		}
	}
	return b.String()
}

// Line is a verdict in a few words.
func (v Verdict) Line(c Case) string {
	name := Row{Kind: v.Kind, Member: v.Member}.Name()
	said := fmt.Sprintf("found %d of %d", len(v.Found), len(c.Expected))
	switch {
	case !v.Answered && len(v.Findings) == 0:
		said = "no full answer"
	case c.Clean && len(v.Findings) == 0:
		said = "nothing reported, as it should be"
	case c.Clean:
		said = fmt.Sprintf("%d false", len(v.False))
	case len(v.False) > 0:
		said += fmt.Sprintf(", %d false", len(v.False))
	}
	return comment.Line(name + ": " + said)
}
