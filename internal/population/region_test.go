package population

import (
	"fmt"
	"strings"
)

// Page is the whole page. It plays all populations, which takes a while.
func Page() (string, error) {
	head, err := Head()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(head)
	for _, write := range []func(*strings.Builder) error{writeTurns, writeGrids} {
		if err := write(&b); err != nil {
			return "", err
		}
	}
	b.WriteString(Tail())
	return b.String(), nil
}

func writeTurns(b *strings.Builder) error {
	fmt.Fprintf(b, `
## One knob at a time

%d changes for each row, the other knobs as above. Percent, for debate / two report / majority; a bold balance is below
that of the better vote. The last five columns are of the debate: the recall of all that is shown, the true findings of a
single party that are kept, the errors of two or more parties that are stopped, the calls per change, and the debates that
wait for a person.

`, Size)
	row(b, "knob", "value", "precision", "recall", "balance", "shown", "single", "shared", "calls", "waits")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	var worse []string
	reasons := make(map[string]bool)
	for _, n := range turns() {
		t, err := Measure(n.Knobs, 0, Size)
		if err != nil {
			return fmt.Errorf("%s %s: %w", n.knob, n.value, err)
		}
		three := func(value func(Counts) int) string {
			return tenths(value(t.By[Debated])) + " / " + tenths(value(t.By[TwoReport])) + " / " + tenths(value(t.By[Majority]))
		}
		balance := three(Counts.Balance)
		if t.gain() < 0 {
			first, rest, _ := strings.Cut(balance, " ")
			balance = "**" + first + "** " + rest
			line := fmt.Sprintf("- %s %s: %s", n.knob, n.value, tenths(t.gain()))
			if !reasons[n.why] {
				line += "; " + n.why
			}
			reasons[n.why] = true
			worse = append(worse, line+".\n")
		}
		row(b, n.knob, n.value, three(Counts.Precision), three(Counts.Recall), balance, tenths(t.By[Shown].Recall()),
			percent(t.By[Debated].LoneKept, t.Lone), percent(t.Shared-t.By[Debated].SharedAdopted, t.Shared),
			average(t.Calls, t.Changes), percent(t.Awaiting, t.Changes))
	}
	b.WriteString("\n## Where debate does worse than a vote\n\n")
	fmt.Fprintf(b, "By balance, in %d of %d rows. The number is the distance to the better vote, in points, and the reason is ours:\n\n%s", len(worse), len(turns()), strings.Join(worse, ""))
	return nil
}

func writeGrids(b *strings.Builder) error {
	b.WriteString("\nThe region, knob against knob: balance of the debate minus that of the better vote, in points; bold where debate is worse.\n")
	cells, worse := 0, 0
	for _, g := range grids() {
		head := []string{g.rows + " \\ " + g.columns}
		for _, a := range g.across {
			head = append(head, percentOf(a))
		}
		b.WriteString("\n")
		row(b, head...)
		b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
		for _, d := range g.down {
			line := []string{g.show(d)}
			for _, a := range g.across {
				k := Usual()
				g.set(&k, d, a)
				t, err := Measure(k, 0, Size)
				if err != nil {
					return fmt.Errorf("%s %d, %s %d: %w", g.rows, d, g.columns, a, err)
				}
				cells++
				cell := tenths(t.gain())
				if t.gain() < 0 {
					worse++
					cell = "**" + cell + "**"
				}
				line = append(line, cell)
			}
			row(b, line...)
		}
	}
	fmt.Fprintf(b, "\nDebate is worse in %d of these %d populations.\n", worse, cells)
	return nil
}

// Tail is the end of the page: what the numbers do not say.
func Tail() string {
	return `
Beside the balance, a debate costs more wherever it is used: more calls than a vote of reports, a person who waits for an
answer that no trigger asked for, and true findings that their owners concede. Whoever wants every true finding and sorts
the false ones out by hand is served better by a majority, or by the unresolved findings of a debate together with the
agreed ones.

## What this does not prove

- Simulated parties are not models. The knobs are assumptions; nobody measured them on real parties, and real parties
  differ from change to change, know more of some defects than of others and are persuaded by what is said, not by dice.
- The draws are independent but for the shared ones. Real errors of models are correlated in ways that one knob does not
  have.
- A second look is one more draw with the same skill. Whether arguments make real parties right more often is the question
  that this page leaves open; it is the assumption on which its numbers hang.
- Parties follow the formats, answer what they are asked and cite by simple rules; calls neither fail nor run out of time.
- The text of a claim carries no meaning. That different defects are never merged is shown for eight subjects in two
  wordings, not for prose in general.
- The zeros follow from rules of the program and are shown for these populations. They say nothing of whether the agreed
  findings are true.
`
}
