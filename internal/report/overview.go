package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// Summary renders the one summary comment of a pull request: what came out and
// what to do, what waits for a person, the findings with a link to their thread
// or in full, what is open with its reasons, what is gone, and one line each on
// coverage, parties and cost (S05, S25). It takes at most p.Room bytes and says
// how many parts it leaves out; what a person decides is never among them. The
// caller adds the hidden marker and the state.
func Summary(e Envelope, p Pull, conclusion debate.Conclusion, why string) []byte {
	why = p.said(e, why)
	e = p.named(e)
	room := p.Room
	if room <= 0 || room > MaxMarkdown {
		room = MaxMarkdown
	}
	foot := p.foot(e)
	b := &blocks{room: room - len(foot) - Reserved}
	open := fitted(Awaiting(e), b.room/2, func(d Decision, listed int) string { return p.waiting(e, d, listed) })
	if open != "" {
		open = "#### A human decides\n\n" + open
	}
	b.room -= len(open) + 1 // kept free, whatever stands before it
	b.add(heading(e, conclusion, why))
	b.add(p.notes(e))
	b.add(answeredMarkdown(e))
	b.room += len(open) + 1
	b.add(open)
	p.findings(b, e)
	b.add(p.decided(e))
	b.add(p.gone())
	if text := unreviewedFold(p.Unreviewed); text != "" {
		b.add(strings.TrimPrefix(text, "\n"))
	}
	for _, findings := range [][]Finding{e.NotEvaluated, e.Dismissed} {
		for i := range findings { // people explain and dispute them by their ids
			findings[i].Title = strings.TrimSpace(findings[i].ID + " " + findings[i].Title)
		}
	}
	for _, f := range folds(e) {
		b.add(f)
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for a comment: %s left out. The record holds everything._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String() + foot)
}

// said is the reason for a conclusion with F ids.
func (p Pull) said(e Envelope, why string) string {
	p.names(e).text(&why)
	return why
}

// heading is the outcome, its confidence, the check, and what to do.
func heading(e Envelope, conclusion debate.Conclusion, why string) string {
	text := "### debate: " + inline(Headline(e)) + "\n\n"
	if todo := Advice(e); todo != "" {
		text += "**" + inline(todo) + "** "
	}
	text += checked(conclusion, why)
	if HasDebate(e) {
		text += " Confidence: " + inline(confidence(e)) + "."
	}
	return text + "\n\n" + entryMarkdown(Outcome(e)) + "\n"
}

// confidence is how sure the result is, and the heaviest reasons why it is not surer.
func confidence(e Envelope) string {
	text := strings.ToLower(strings.ReplaceAll(string(e.Confidence), "_", " "))
	if len(e.Doubts) > 0 {
		text += " (" + Capped(e.Doubts[:min(len(e.Doubts), 2)], "; ") + ")"
	}
	return text
}

// checked says what the check says to a merge, and why.
func checked(conclusion debate.Conclusion, why string) string {
	return CheckedIn(inline, conclusion, why)
}

// CheckedIn is checked with each field as say writes it.
func CheckedIn(say func(string) string, conclusion debate.Conclusion, why string) string {
	text := "Check: no conclusion"
	if conclusion != "" {
		text = "Check: " + say(strings.ReplaceAll(string(conclusion), "_", " "))
	}
	if why != "" {
		text += ", " + say(why)
	}
	return text + "."
}

// notes are what weakens the result, said before it is read.
func (p Pull) notes(e Envelope) string {
	var b strings.Builder
	all := append(append([]string{}, p.Notes...), e.Notes...)
	for i, note := range all {
		if i == MaxListed {
			fmt.Fprintf(&b, "> and %s\n", Count(len(all)-MaxListed, "more note"))
			break
		}
		b.WriteString("> " + inline(note) + "\n\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// waiting is a decision that waits, with where and how to answer.
func (p Pull) waiting(e Envelope, d Decision, listed int) string {
	var b strings.Builder
	b.WriteString("**" + inline(d.ID) + "** " + p.link(d.Question, p.Links[d.ID]) + "\n\n")
	item := func(text string) { b.WriteString("- " + text + "\n") }
	for i, t := range d.Triggers {
		if i == listed {
			item(fmt.Sprintf("and %d more reasons", len(d.Triggers)-listed))
			break
		}
		item("because " + comment.Code(OneLine(string(t.ID))) + " " + comment.Code(OneLine(t.Detail)) + waivedBy(t))
	}
	if choice := Recommended(d); choice != "" {
		item("recommended: " + comment.Code(OneLine(choice)))
	}
	for i, line := range Dissent(d) {
		if i == listed {
			break
		}
		item(inline(line))
	}
	for i, q := range d.Grouped {
		if i == listed {
			item(fmt.Sprintf("and %s", Count(len(d.Grouped)-listed, "more question")))
			break
		}
		item("also asks: " + inline(q))
	}
	return b.String() + "\n" + p.ways(e, d, p.issueOf(d))
}

func waivedBy(t DecisionTrigger) string {
	if t.Waived == "" {
		return ""
	}
	return ", waived by " + inline(t.Waived)
}

// optionIDs are the options as a command names them.
func optionIDs(d Decision, listed int) string {
	var out []string
	for i, o := range d.Options {
		if i == listed {
			out = append(out, fmt.Sprintf("and %d more", len(d.Options)-listed))
			break
		}
		text := comment.Code(OneLine(o.ID))
		switch {
		case o.ID == Recommended(d):
			text += " (recommended)"
		case o.StatusQuo:
			text += " (status quo)"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// Recommended is the option that a decision recommends, "" for none: one that it
// does not offer is no recommendation.
func Recommended(d Decision) string {
	if offers(d, d.Recommendation) {
		return d.Recommendation
	}
	return ""
}

// DecideCommand is the comment by which a person answers a decision.
func DecideCommand(d Decision) string { return "/debate decide " + OneLine(d.ID) + " OPTION REASON" }

// findings are those that were agreed on, then those that are open.
func (p Pull) findings(b *blocks, e Envelope) {
	var threads strings.Builder
	var rest []Finding
	for _, f := range Agreed(e) {
		if f.ID == "" || !p.Inline[f.ID] {
			rest = append(rest, f)
			continue
		}
		threads.WriteString("- " + p.headOf(f) + "\n")
	}
	all := Agreed(e)
	switch text := NothingFound(e); {
	case len(all) == 0 && text != "":
		b.add(text + "\n")
	case threads.Len() > 0:
		b.add("#### Findings\n\n" + clippedLines(threads.String(), b.room/3))
	}
	title := "#### Findings\n"
	if threads.Len() > 0 {
		title = "#### Findings without a thread\n"
	}
	p.inFull(b, title, rest)
	p.inFull(b, "#### Unresolved\n", e.Unresolved)
}

// inFull adds findings with all that is known of them, under a title.
func (p Pull) inFull(b *blocks, title string, findings []Finding) {
	for i, f := range findings {
		block := p.headOf(f) + "\n" + findingBody(f)
		if i == 0 {
			block = title + "\n" + block
		}
		b.add(block)
	}
}

// headOf is a finding on one line.
func (p Pull) headOf(f Finding) string {
	text := "**" + comment.MarkdownLine(OneLine(string(f.Severity))) + "** "
	if f.ID != "" {
		text += inline(f.ID) + " "
	}
	return text + p.place(f) + " " + inline(f.Title)
}

// clippedLines are as many lines as fit, and how many more there are.
func clippedLines(text string, room int) string {
	if len(text) <= room {
		return text
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	var b strings.Builder
	for i, line := range lines {
		if b.Len()+len(line) > room {
			fmt.Fprintf(&b, "- and %d more\n", len(lines)-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// decided are the decisions that wait for nobody, with who dissents. D0 is left
// out where the first line says all of it.
func (p Pull) decided(e Envelope) string {
	var b strings.Builder
	for i, d := range Closed(e) {
		more := Dissent(d)
		if d.Human != nil {
			more = append(more, HumanLines(*d.Human)...)
		}
		if d.ID == "D0" && len(more) == 0 && !d.Critical {
			continue
		}
		if i > MaxListed {
			fmt.Fprintf(&b, "- and %d more\n", len(Closed(e))-i)
			break
		}
		b.WriteString("- **" + inline(d.ID) + "** " + p.link(d.Question, p.Links[d.ID]) + " " + inline(HowItEnded(d)) + "\n")
		for j, line := range more {
			if j == MaxSides {
				fmt.Fprintf(&b, "  - and %d more\n", len(more)-MaxSides)
				break
			}
			b.WriteString("  - " + inline(line) + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "#### Decisions\n\n" + b.String()
}

// gone are the findings of earlier heads that no longer stand.
func (p Pull) gone() string {
	var b strings.Builder
	for i, g := range p.Gone {
		if i == MaxListed {
			fmt.Fprintf(&b, "- and %d more\n", len(p.Gone)-MaxListed)
			break
		}
		name := p.link(g.ID, p.Links[g.ID])
		b.WriteString(strings.TrimRight("- "+name+" "+inline(g.Title)+": "+inline(g.Why), ": ") + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return "#### No longer there\n\n" + b.String()
}

// unreviewedFold lists what no model reviewed.
func unreviewedFold(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return fold(fmt.Sprintf("Not reviewed in full (%d)", len(parts)), bullets(parts))
}

// foot is how far the review went, by whom and for how much, and how to go on.
func (p Pull) foot(e Envelope) string {
	var b strings.Builder
	paragraph := func(text string) {
		if text != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	if Reviewed(e) {
		paragraph("Coverage: " + Coverage(e))
		paragraph(WhereRead(e, inline))
	}
	paragraph(entryMarkdown(partiesLine(e)))
	paragraph(entryMarkdown(MissingParties(e)))
	last := Counts(e)
	if p.Spent > e.Stats.CostUSD || p.SpentUnknown && !e.Stats.CostUnknown {
		last += "; all runs on this pull request: " + Cost(p.Spent, p.SpentUnknown)
	}
	last = comment.MarkdownLine(last) // a dollar sign may begin a formula
	if p.Head != "" {
		last += "; head " + p.commit(p.Head)
	}
	paragraph(last)
	how := "`/debate help` lists the commands; " + comment.Code("/debate dispute F1 WHY") + " objects to a finding."
	if p.RecordURL != "" {
		how += " " + p.link("Record", p.RecordURL)
	} else if p.RecordHash != "" {
		how += " Record"
	}
	if p.RecordHash != "" {
		how += " " + comment.Code(OneLine(p.RecordHash))
	}
	paragraph(how)
	return b.String()
}

// partiesLine names who debated, and nobody who judged.
func partiesLine(e Envelope) string {
	var out []string
	for _, party := range e.Parties {
		if party.Calls == 0 || party.Role != string(debate.Primary) && party.Role != string(debate.Challenger) {
			continue
		}
		text := OneLine(party.ID) + " (" + OneLine(party.Role)
		if party.Model != "" {
			text += ", " + OneLine(party.Model)
		}
		out = append(out, text+")")
	}
	if len(out) == 0 {
		return ""
	}
	return "Parties: " + Capped(out, ", ") + "."
}
