package population

import (
	"fmt"
	"strings"
)

// Head is the beginning of the page up to the tables that take long: what is
// compared, and the main population.
func Head() (string, error) {
	t, err := Measure(Usual(), 0, Size)
	if err != nil {
		return "", err
	}
	debated, majority := t.By[Debated], t.By[Majority]
	var b strings.Builder
	fmt.Fprintf(&b, `# Debate and vote on changes whose truth is known

%d changes are planted: each has eight places that look like defects, and the plan says which of them are. Simulated
parties review them, once in a debate under the whole protocol and once in a plain vote. Both get the same parties with
the same luck: whatever a party sees or overlooks by itself is the same on both sides, so that a difference comes from
the procedure and from nothing else.

In short: with the knobs as assumed here, debate adopts fewer false findings than a majority (precision %s against %s)
and fewer true ones (recall %s against %s), and finds far more than the rule that two must report the same (recall %s).
No vote stops an error that most parties share; debate stops %s %% of those that two or more report. Debate does worse
than a vote in a region that is given below, and it costs more calls.

    go test ./internal/population -run Page -update   # writes this page
    go test ./internal/population -run Page -full     # recomputes every number of it and compares

Without a flag the tests recompute the main population below, and demand the zeros there and in populations with every
knob at its end.

## What is compared

- **debate**: the findings that end as agreed. **debate, shown**: those and the unresolved ones, which a reader sees with
  what would settle them.
- **two report**: every party reviews the change alone; what two or more report is adopted.
- **majority**: every party reviews the change alone, then each is asked once about every report of the others; what more
  than half of all take for a defect is adopted.

In both votes nobody checks a citation and nobody hears an argument. A vote lets a change through if it adopts no P1 or P2.

The knobs of the main population are assumptions: a primary and %d challengers; each sees a defect with %s and takes a
place without one for a defect with %s; asked about the claim of another, it is right with %s; %s of all citations
are forged, one in five of them a real line that says nothing of the matter; who agrees cites lines of its own with %s;
who is contradicted gives in with %s, whatever it thinks, half of the time without a reason, and refuses to look again
with %s; %s of all draws of luck are one that all parties share; %s of the challengers agree without looking, and %s
of the parties want every change merged, whatever they claim. Calls never fail.

`, Size, tenths(debated.Precision()), tenths(majority.Precision()), tenths(debated.Recall()), tenths(majority.Recall()), tenths(t.By[TwoReport].Recall()),
		percent(t.Shared-debated.SharedAdopted, t.Shared), Usual().Challengers, percentOf(Usual().Hit), percentOf(Usual().False), percentOf(Usual().Skill), percentOf(Usual().Forged),
		percentOf(Usual().Citing), percentOf(Usual().Sycophancy), percentOf(Usual().Stubborn), percentOf(Usual().Correlation), percentOf(Usual().Lazy), percentOf(Usual().Reckless))
	t.findingsTable(&b)
	t.zerosTable(&b)
	t.courseTable(&b)
	return b.String(), nil
}

// percent renders a share; there is none of nothing.
func percent(part, of int) string {
	if of == 0 {
		return "-"
	}
	return tenths(permille(part, of))
}

func share(part, of int) string { return fmt.Sprintf("%s (%d of %d)", percent(part, of), part, of) }

// average renders sum/n with one decimal.
func average(sum, n int) string { return tenths((10*sum + n/2) / n) }

// tenths renders per mille as percent with one decimal.
func tenths(permille int) string {
	sign := ""
	if permille < 0 {
		sign, permille = "-", -permille
	}
	return fmt.Sprintf("%s%d.%d", sign, permille/10, permille%10)
}

func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func (t Tally) findingsTable(b *strings.Builder) {
	b.WriteString("## The main population\n\nPercent; the balance is the harmonic mean of precision and recall (F1).\n\n")
	row(b, "", "debate", "debate, shown", "two report", "majority")
	b.WriteString("|---|---|---|---|---|\n")
	each := func(name string, value func(Counts) string) {
		cells := []string{name}
		for _, c := range t.By {
			cells = append(cells, value(c))
		}
		row(b, cells...)
	}
	each("precision", func(c Counts) string { return tenths(c.Precision()) })
	each("recall", func(c Counts) string { return tenths(c.Recall()) })
	each("balance", func(c Counts) string { return tenths(c.Balance()) })
	each("precision, P1 and P2", func(c Counts) string { return tenths(c.serious().Precision()) })
	each("recall, P1 and P2", func(c Counts) string { return tenths(c.serious().Recall()) })
	each("true findings of a single party that are kept", func(c Counts) string { return share(c.LoneKept, t.Lone) })
	each("errors of two or more parties that are stopped", func(c Counts) string { return share(t.Shared-c.SharedAdopted, t.Shared) })
	each("changes with a P1 defect let through", func(c Counts) string { return share(c.KeepOverP1, t.WithP1) })
	each("changes that a person must decide let through", func(c Counts) string { return share(c.KeepCritical, t.Critical) })
	calls := average(t.Calls, t.Changes)
	n := Usual().parties()
	row(b, "calls per change", calls, calls, fmt.Sprint(n), fmt.Sprint(2*n))
	fmt.Fprintf(b, `
Of the true findings of a single party, the debate dismisses %s: their owners gave them up when they were contradicted, or
had cited nothing that is there.
`, share(t.LoneLost, t.Lone))
}

func (t Tally) zerosTable(b *strings.Builder) {
	b.WriteString("\n## What must be zero\n\n")
	row(b, "", "count", "of")
	b.WriteString("|---|---|---|\n")
	for _, z := range t.Zeros() {
		row(b, z.What, fmt.Sprint(z.Count), fmt.Sprintf("%d %s", z.Of, z.Things))
	}
	b.WriteString(`
A false adoption is a decision taken without a person although a trigger names one, or a change let through although
policy has a critical trigger or a P1 is agreed. A claim is lost if it is in no bucket and in no other claim about the same
place. A party that gives in without a word changes an outcome without evidence if the objection that it withdraws cites a
line that is there and the claim is agreed, if the claim that it concedes cites one and is dismissed, or if a claim becomes
agreed with no citation that holds.
`)
}

// Zero is a count that must be zero.
type Zero struct {
	What   string
	Count  int
	Of     int
	Things string
}

// Zeros are the counts that must be zero in every population, however its knobs
// stand.
func (t Tally) Zeros() []Zero {
	return []Zero{
		{"forged citations accepted", t.ForgedAccepted, t.Forged, "forged citations of lines or runs that are not there"},
		{"claims agreed on forged citations alone", t.ForgedAgreed, t.Raised, "claims"},
		{"lost claims", t.Lost, t.Raised, "claims"},
		{"cited claims dismissed although their owner did not give them up", t.Overruled, t.Raised, "claims"},
		{"false adoptions", t.FalseAdoptions, t.Changes, "changes"},
		{"wordless giving in that changed an outcome without evidence", t.FlipsNothing, t.BareFlips, "times that a party gave in without a word against what it thinks"},
	}
}

func (t Tally) courseTable(b *strings.Builder) {
	b.WriteString("\n## The debates themselves\n\nPercent.\n\n")
	row(b, "", "share")
	b.WriteString("|---|---|\n")
	row(b, "precision of escalation: of the debates that wait for a person, those that must", share(t.AwaitingCritical, t.Awaiting))
	row(b, "recall of escalation: of the changes that a person must decide, those that wait", share(t.AwaitingCritical, t.Critical))
	row(b, "wait only because of how the debate went (tie, divergence, contested)", share(t.AwaitingProcess, t.Awaiting))
	row(b, "false claims citing a real line that says nothing of the matter, agreed", share(t.BesideAgreed, t.Beside))
	row(b, "gave in against what it thinks with an invented reason, and the outcome followed", share(t.FlipsWords, t.Flips-t.BareFlips))
	row(b, "withdrew an objection without citations wordlessly, and the claim is agreed on its owner's citation", share(t.FlipsOwnLine, t.BareFlips))
	row(b, "exchanges per change", average(t.Exchanges, t.Changes))
	for i, e := range exitNames() {
		if t.Exits[i] > 0 {
			row(b, "exit `"+string(e)+"`", share(t.Exits[i], t.Changes))
		}
	}
	b.WriteString("\nNo citation can show that a real line is beside the point, and no program sees that a reason is invented: these two rows\nare what the protocol leaves to the skill of the parties.\n")
}
