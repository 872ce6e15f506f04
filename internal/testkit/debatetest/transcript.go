package debatetest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Transcript tells a debate event by event: the stages that each one entered, what
// happened, and who is asked next; then what came of it all. It folds the log once
// more.
func Transcript(log []debate.Entry) (string, error) {
	var b strings.Builder
	var s debate.State
	for _, e := range log {
		next, err := debate.Apply(s, e)
		if err != nil {
			return "", err
		}
		asked := waiting(s)
		s = next
		step := s.Steps[len(s.Steps)-1]
		fmt.Fprintf(&b, "%d %s", e.N, debate.KindOf(e.Event))
		if r, ok := e.Event.(debate.Replied); ok {
			fmt.Fprintf(&b, " %s", r.Ask)
			if r.Status != debate.CallOK || r.Late {
				fmt.Fprintf(&b, ": %s", r.Status)
			}
		}
		b.WriteByte('\n')
		if len(step.Stages) > 0 {
			fmt.Fprintf(&b, "\tenters %s\n", words(step.Stages))
		}
		for _, f := range step.Facts {
			fmt.Fprintf(&b, "\t%s\n", line(f))
		}
		for _, ask := range waiting(s) {
			if !strings.Contains(strings.Join(asked, "\n")+"\n", ask+"\n") {
				fmt.Fprintf(&b, "\task %s\n", ask)
			}
		}
	}
	b.WriteString(End(s))
	return b.String(), nil
}

// line tells one fact in one line: its kind, who did what about what, the words and
// what was cited (! could not be found, * is verified), and why.
func line(f debate.Fact) string {
	parts := []string{string(f.Kind), f.Who, f.About, f.Code}
	if f.Other != "" {
		parts = append(parts, "("+f.Other+")")
	}
	if f.Text != "" {
		parts = append(parts, quoted(f.Text))
	}
	parts = append(parts, citations(f.Cites))
	if !f.Why.IsZero() {
		parts = append(parts, "because "+f.Why.String())
	}
	return filled(parts...)
}

// waiting lists the calls that are waited for, with what is special about them.
func waiting(s debate.State) []string {
	var list []string
	for _, w := range debate.Outstanding(s) {
		if w.Ask == nil {
			continue
		}
		text := w.Ask.ID
		if w.Ask.Last {
			text += " last"
		}
		if w.Ask.Format != "" {
			text += " format: " + w.Ask.Format
		}
		list = append(list, text)
	}
	return list
}

// End tells what came of a debate.
func End(s debate.State) string {
	var b strings.Builder
	r := s.Result()
	fmt.Fprintf(&b, "\nin the end %s, %s, %s: %s\n", r.Outcome, r.Disposition, r.Confidence, s.Ending.OutcomeReason)
	fmt.Fprintf(&b, "\tcheck: %s\n\tcoverage: %s\n", r.Conclusion, r.Coverage)
	for _, p := range s.Table.Parties {
		fmt.Fprintf(&b, "\tparty %s %s %s\n", p.ID, p.Role, p.Status)
	}
	for _, c := range s.Book.Claims {
		at := ""
		if cite := c.Cite(); cite.Path != "" {
			at = cite.String()
		}
		fmt.Fprintf(&b, "\tclaim %s\n", filled(c.ID, c.Owner, string(c.Severity), string(c.Kind), at, string(c.Bucket), string(c.Reason),
			named("same as", c.SameAs), named("carries", c.Carried), named("confirmed by", strings.Join(c.ConfirmedBy, " ")), c.Why.String()))
	}
	for _, k := range s.Book.Challenges {
		fmt.Fprintf(&b, "\tchallenge %s\n", filled(k.ID, "of", k.Claim, k.Attacker, "against", k.Defender, string(k.Strength), string(k.Status), string(k.Deadlock)))
	}
	for _, d := range s.Agenda.Decisions {
		fmt.Fprintf(&b, "\tdecision %s\n", filled(d.ID, string(d.Outcome), d.Recommendation, named("final", stands(d.FinalOptions)), named("triggers", triggers(d.Triggers)),
			named("about", strings.Join(d.Claims, " ")), human(d.Human)))
		if d.Rubric != nil {
			for _, sum := range d.Rubric.Combined {
				fmt.Fprintf(&b, "\t\tscore %s %d\n", sum.Option, sum.Sum)
			}
		}
		if d.Panel != nil {
			for _, vote := range d.Panel.Distribution {
				fmt.Fprintf(&b, "\t\tvotes %s %d\n", vote.Option, vote.Votes)
			}
		}
	}
	if up := s.Ending.Answer; up != nil {
		fmt.Fprintf(&b, "\tanswer %s\n", filled(up.By, quoted(up.Text), named("if", strings.Join(up.Conditions, " and ")), up.Lack.String()))
	}
	for _, l := range s.Agenda.Lone() {
		fmt.Fprintf(&b, "\tcritical to %s alone: %s %s %s\n", l.Party, l.Trigger, l.At, quoted(l.Reason))
	}
	fmt.Fprintf(&b, "\t%d calls: %s\n", len(s.Asking.Calls), strings.Join(callCounts(s), ", "))
	return b.String()
}

func stands(list []debate.PartyOption) string {
	var text []string
	for _, o := range list {
		text = append(text, o.Party+"="+o.Option)
	}
	return strings.Join(text, " ")
}

func triggers(list []debate.Trigger) string {
	var text []string
	for _, t := range list {
		text = append(text, string(t.ID))
	}
	return strings.Join(text, " ")
}

func human(h *debate.Human) string {
	if h == nil {
		return ""
	}
	return filled("human", string(h.Status), string(h.Sink), h.By, h.Option)
}

// filled puts the parts that are not empty after one another.
func filled(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// callCounts counts the calls by kind, in the order in which the kinds first
// came up.
func callCounts(s debate.State) []string {
	var kinds []debate.CallKind
	counts := make(map[debate.CallKind]int)
	for _, c := range s.Asking.Calls {
		if counts[c.Kind] == 0 {
			kinds = append(kinds, c.Kind)
		}
		counts[c.Kind]++
	}
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = strconv.Itoa(counts[k]) + " " + string(k)
	}
	return list
}

// essentials says what a party is asked and what has happened so far, for the
// author of a script.
func essentials(s debate.State, ask debate.Ask) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s asks %s, %s of n=%d, in %s", s.Table.Primary, ask.Party, ask.Kind, ask.N, s.Talk.Phase())
	if ask.Last {
		b.WriteString(", for the last time")
	}
	if ask.Format != "" {
		fmt.Fprintf(&b, ", again: %s", ask.Format)
	}
	b.WriteByte('\n')
	for _, seg := range s.Split.Segments {
		fmt.Fprintf(&b, "\tsegment %s %s:%d-%d %s\n", seg.ID, seg.Path, seg.StartLine, seg.EndLine, seg.Heading)
	}
	for _, step := range s.Steps {
		for _, f := range step.Facts {
			fmt.Fprintf(&b, "\t%s\n", line(f))
		}
	}
	return b.String()
}

func words[S ~string](list []S) string {
	text := make([]string, len(list))
	for i, s := range list {
		text[i] = string(s)
	}
	return strings.Join(text, " ")
}

// named returns "name text" unless text is empty.
func named(name, text string) string {
	if text == "" {
		return ""
	}
	return name + " " + text
}

// citations tells what was cited: ! could not be found, * is verified.
func citations(list []debate.Evidence) string {
	var text []string
	for _, e := range list {
		at := e.Cite.String()
		if e.RunRef != "" {
			at = e.RunRef
		}
		if !e.CitationOK {
			at += "!"
		}
		if e.Verified {
			at += "*"
		}
		text = append(text, at)
	}
	if len(text) == 0 {
		return ""
	}
	return "[" + strings.Join(text, " ") + "]"
}

// quoted shortens a text to one line.
func quoted(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 100 {
		text = string(r[:100]) + "…"
	}
	return strconv.Quote(text)
}
