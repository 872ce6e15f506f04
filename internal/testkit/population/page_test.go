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
	worse, err := whereWorse()
	if err != nil {
		return "", err
	}
	return head + worse + Tail(), nil
}

// Head is the beginning of the page up to the table that takes long.
func Head() (string, error) {
	usual, err := series(Usual())
	if err != nil {
		return "", err
	}
	honest, err := series(Honest())
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Debate and vote on changes whose truth is known

%d changes are planted: each has eight places that look like defects, and the plan says which of them are. Simulated
parties review them, once in a debate under the whole protocol and once in a plain vote. Both get the same parties with
the same luck: whatever a party sees or overlooks by itself is the same on both sides, so that a difference comes from
the procedure and from nothing else. The vote is a **majority**: every party reviews the change alone, then each is asked
once about every report of the others; what more than half of those that answer take for a defect is adopted. Nobody checks
a citation in it and nobody hears an argument. **Two reports** adopts what two parties report by themselves.

    go test ./internal/testkit/population -run Page -update   # writes this page
    go test ./internal/testkit/population -run Page -full     # recomputes every number of it and compares

## The main population

`, Size)
	b.WriteString(Usual().told())
	b.WriteString("\n\n")
	writeSeries(&b, usual, true)
	writeCauses(&b, usual)
	writeBlame(&b, usual)
	writeShort(&b, usual)
	b.WriteString("\n## Honest arguments\n\n")
	b.WriteString(Honest().told())
	b.WriteString(" Nobody gives in out of\npoliteness, invents citations or agrees without looking. Who has lines quoted against what it thinks looks again, with its\nskill; who hears words alone stays with what it thinks.\n\n")
	writeSeries(&b, honest, false)
	zerosTable(&b, append(usual, honest...))
	return b.String(), nil
}

// writeShort says how far the main population is from its goals, and which rules
// decide that.
func writeShort(b *strings.Builder, list []Tally) {
	points := func(value func(Tally) int) string {
		var all []string
		for _, t := range list {
			all = append(all, signed(value(t)))
		}
		return strings.Join(all, ", ")
	}
	fmt.Fprintf(b, `
### What is not reached

Points above the goal, or below it, with 2, 3 and 4 challengers:

- balance above the better vote, without the 3 points that are wanted at two of them: %s
- true findings of a single party that are kept, above 88: %s
- errors of two or more parties that are stopped, above 60: %s

The last two pull against each other. An error that two parties share is stopped if who holds it hears a doubt and gives it
up, and whoever hears doubts sometimes gives up what is true. Words were once closed without an answer where two hold a
finding: with 2, 3 and 4 challengers that kept 86, 85 and 85 %% of the true ones and stopped 22, 31 and 45 %% of the errors,
and the balance was 2 to 5 points lower.

- A true finding of a single party is lost most often where its finder gives it up and one other party is left for it: M02
  asks that its owner holds it, or two others. The other way round would confirm more wrong findings than right ones. It is
  disputed then, and printed.
- M03 leaves disputed what was given up to words, and settles nothing where lines were quoted and taken back without a word.
- With 2 challengers one party is left to agree after the finder has given in, so that nothing else can confirm the finding.
- Errors pass where nobody doubts them, which no procedure sees, and where fewer doubt them in words than hold them: M02 lets no
  words unsettle what two voices hold on lines, so that one contrary party hides nothing. What a vote drops there, a debate
  prints beside the finding. Where as many doubt it as hold it, each who holds it hears them.
`,
		points(Tally.gain),
		points(func(t Tally) int { return permille(t.By[Debated].LoneKept, t.Lone) - 880 }),
		points(func(t Tally) int { return permille(t.Shared-t.By[Debated].SharedAdopted, t.Shared) - 600 }))
}

// most is the largest number of challengers of the page; the smallest is 2.
const most = 4

// series measures a population with two and more challengers.
func series(k Knobs) ([]Tally, error) {
	var list []Tally
	for n := 2; n <= most; n++ {
		t, err := Measure(k.with(n), 0, Size)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// told says in words what the knobs are.
func (k Knobs) told() string {
	text := fmt.Sprintf("Each party sees a defect with %s and takes a place without one for a defect with %s; asked about the claim\nof another, it is right with %s; who agrees or answers quotes lines of its own with %s; %s of all draws of luck are\none that all parties share.",
		percentOf(k.Hit), percentOf(k.False), percentOf(k.Skill), percentOf(k.Citing), percentOf(k.Correlation))
	if k.Forged+k.Sycophancy+k.Lazy+k.Reckless > 0 {
		text += fmt.Sprintf(" %s of the citations are invented, one in five of these a real line beside the point; who is\ncontradicted gives in with %s, whatever it thinks, half of the time without a reason, and refuses to look again with %s;\n%s of the challengers agree without looking, and %s of the parties want every change merged, whatever they claim.",
			percentOf(k.Forged), percentOf(k.Sycophancy), percentOf(k.Stubborn), percentOf(k.Lazy), percentOf(k.Reckless))
	}
	if k.Silent+k.Missing > 0 {
		text += fmt.Sprintf(" A party says nothing of %s of the claims of others, and\n%s of the citations quote the line below the one that is meant.", percentOf(k.Silent), percentOf(k.Missing))
	}
	return text
}

// writeSeries is the table of one population.
func writeSeries(b *strings.Builder, list []Tally, polite bool) {
	b.WriteString("Percent, debate / majority; the balance is the harmonic mean of precision and recall (F1).\n\n")
	row(b, "", "2 challengers", "3", "4", "goal")
	b.WriteString("|---|---|---|---|---|\n")
	each := func(name, goal string, value func(Tally) string) {
		cells := []string{name}
		for _, t := range list {
			cells = append(cells, value(t))
		}
		row(b, append(cells, goal)...)
	}
	both := func(name, goal string, value func(Tally, Counts) string) {
		each(name, goal, func(t Tally) string { return value(t, t.By[Debated]) + " / " + value(t, t.By[Majority]) })
	}
	both("precision", "", func(_ Tally, c Counts) string { return tenths(c.Precision()) })
	both("recall", "", func(_ Tally, c Counts) string { return tenths(c.Recall()) })
	both("balance", "above both votes, by 3 at two of them", func(_ Tally, c Counts) string { return tenths(c.Balance()) })
	each("balance of two reports", "", func(t Tally) string { return tenths(t.By[TwoReport].Balance()) })
	each("recall of all that a debate shows, disputed findings included", "", func(t Tally) string { return tenths(t.By[Shown].Recall()) })
	both("true findings of a single party that are kept", "88", func(t Tally, c Counts) string { return percent(c.LoneKept, t.Lone) })
	both("errors of two or more parties that are stopped", "60", func(t Tally, c Counts) string { return percent(t.Shared-c.SharedAdopted, t.Shared) })
	if polite {
		each("gave in against what it thinks with an invented reason, and the outcome followed", "at most 20", func(t Tally) string { return percent(t.FlipsWords, t.Flips-t.BareFlips) })
	}
	each("persuaded of what is not so, and the outcome followed", "", func(t Tally) string { return percent(t.MisledOver, t.Misled) })
	each("clean changes that wait for a person", "at most 3", func(t Tally) string { return percent(t.CleanWaits, t.Clean) })
	each("clean changes about which the models disagree, in the summary alone", "", func(t Tally) string { return percent(t.CleanDivided, t.Clean) })
	both("changes with a P1 defect let through", "", func(t Tally, c Counts) string { return percent(c.KeepOverP1, t.WithP1) })
	each("calls per change, a vote takes 2 for each party", "", func(t Tally) string { return average(t.Calls, t.Changes) })
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
		{"invented citations accepted", t.ForgedAccepted, t.Forged, "citations of lines or runs that are not there"},
		{"claims agreed on invented citations alone", t.ForgedAgreed, t.Raised, "claims"},
		{"claims in no bucket and in no other claim about the same place", t.Lost, t.Raised, "claims"},
		{"cited claims dismissed although their owner did not give them up", t.Overruled, t.Raised, "claims"},
		{"decided without a person although a trigger names one, or let through although policy has a critical trigger or a P1 is agreed", t.FalseAdoptions, t.Changes, "changes"},
		{"wordless giving in that changed an outcome without evidence", t.FlipsNothing, t.BareFlips, "times that a party gave in without a word against what it thinks"},
	}
}

// zerosTable sums up all populations of the page's beginning.
func zerosTable(b *strings.Builder, all []Tally) {
	b.WriteString("\n## What must be zero\n\nIn all six populations together. The tests demand it of populations with every knob at its end, too.\n\n")
	row(b, "", "count", "of")
	b.WriteString("|---|---|---|\n")
	for i, z := range all[0].Zeros() {
		for _, t := range all[1:] {
			z.Count, z.Of = z.Count+t.Zeros()[i].Count, z.Of+t.Zeros()[i].Of
		}
		row(b, z.What, fmt.Sprint(z.Count), fmt.Sprintf("%d %s", z.Of, z.Things))
	}
}

// whereWorse compares debate and vote one knob at a time.
func whereWorse() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, `
## Where debate is worse

One knob at a time, %d changes each, 2 challengers, the other knobs of the main population: how much the balance of the
debate is above the better vote, in points. Bold is worse than the vote. The goal is never more than 1 below it but where
evaluation is a coin or citations are invented.

Where it is worse, evaluation is a coin or nearly one, everybody gives in, almost everything is agreed to without looking, or
parties see so much by themselves that there is nothing to argue about. What the rules cost beside that, the section about
the goals says.

`, Size)
	row(&b, "knob", "debate against vote")
	b.WriteString("|---|---|\n")
	worse, dearer, of := 0, 0, 0
	for _, k := range sweeps() {
		var cells []string
		for _, v := range k.values {
			t, err := Measure(k.at(v), 0, Size)
			if err != nil {
				return "", fmt.Errorf("%s %s: %w", k.name, k.show(v), err)
			}
			cell := fmt.Sprintf("%s: %s", k.show(v), signed(t.gain()))
			of++
			dearer += one(t.Calls > 2*k.at(v).parties()*t.Changes)
			if t.gain() < 0 {
				worse++
				cell = "**" + cell + "**"
			}
			cells = append(cells, cell)
		}
		row(&b, k.name, strings.Join(cells, ", "))
	}
	fmt.Fprintf(&b, "\nDebate is worse in %d of these %d populations, and it costs more calls than the vote in %d of them.\n", worse, of, dearer)
	return b.String(), nil
}

// Tail is the end of the page: what the numbers do not say.
func Tail() string {
	return `
## Recorded reviewers

What real reviewers said of 25 real changes, replayed as panels: everybody opens with what was recorded of it, agrees to what
it found too, and says nothing of the rest. The recordings are not part of the repository, so that no test compares these
figures; the comment of TestRecordedReviews has the command.

| | panels of 3 | of 5 | goal |
|---|---|---|---|
| strict F1 | 51.9 | 56.7 | perfect merge less 1.5 |
| strict F1 of a perfect merge of two voices | 52.1 | 57.0 | |
| panels above their best member | 64 % | 58 % | 75 %, 95 % |
| the same of a perfect merge | 66 % | 60 % | |
| calls for each review | 7.2 | 11.7 | 8, 13 |
| pair F1 of duplicates among the labelled findings | 100.0 | 100.0 | 90 |
| true findings on overlapping lines that are merged wrongly when both owners agree | 2.2 % | | 3 % |

- Here everybody says, of what it agrees with, which of its own findings reports the same, or that none does (same_as), and is
  right, by the labels. How often real models say it, and how often they are right, nobody measured. It is enough that one
  of two owners says that two findings are one and the other agrees with the finding.
- Where nobody says it, texts decide: two that share 25 % of their words and stand on the same lines are one if their owners
  agree with each other. Strict F1 is 50.7 and 55.6 then, 53 % and 54 % of the panels are above their best member, pair F1
  is 96.1 and 97.9, and 15.3 % of the different defects are merged wrongly. No other share reaches both goals: at 34 % 3.6 %
  are merged wrongly, and strict F1 is 45.8 and 48.7.
- A panel is above its best member no more often than a perfect merge is, and that one is short of the goal with these
  recordings: findings that only one party has are confirmed by nobody.
- Nobody labelled which wrong findings are the same. They are where the texts of two members of a panel are alike. Counted through
  the texts of reviewers who do not sit on the panel, where half of the pairs that come out as the same are not alike, strict F1
  is 45.4 and 48.1 where nobody says what is the same, that of a perfect merge 51.3 and 55.7.
- Places follow from the labels, so that pair F1 sees duplicates that are missed and no wrong merge. Those the last line counts.

## What this does not prove

- Simulated parties are not models. The knobs are assumptions; nobody measured them on real parties, and real parties
  differ from change to change, know more of some defects than of others and are persuaded by what is said, not by dice.
- The draws are independent but for the shared ones. Real errors of models are correlated in ways that one knob does not
  have.
- A second look is one more draw with the same skill. Whether arguments make real parties right more often is the question
  that this page leaves open; it is the assumption on which its numbers hang.
- Parties follow the formats and cite by simple rules; calls neither fail nor run out of time. No program sees that a
  reason is invented or that a real line is beside the point: that is left to the skill of the parties.
- The text of a claim carries no meaning. That different defects are never merged is shown for eight subjects in two
  wordings, not for prose in general.
- The zeros follow from rules of the program and are shown for these populations. They say nothing of whether the agreed
  findings are true.
`
}

// percent renders a share in percent, with one decimal.
func percent(part, of int) string {
	if of == 0 {
		return "-"
	}
	return tenths(permille(part, of))
}

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

// signed renders a difference with its sign.
func signed(permille int) string {
	if permille < 0 {
		return tenths(permille)
	}
	return "+" + tenths(permille)
}

func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
