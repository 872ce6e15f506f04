// Package terminal writes a report for readers at a terminal or of a log.
package terminal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// Options says how to show the report. The caller finds out whether there is a terminal, and its
// abilities.
type Options struct {
	Width    int    // columns; 0 is 80, and below 40 is 40
	Color    bool   // ANSI colours
	Verbose  bool   // everything, even if it does not fit on a screen
	Newest   bool   // commands find the review without its record, in the directory In
	In       string // "" for the one in which a person is
	Recorded bool   // the replies are recorded: their cost and time mean nothing
}

// Text renders the envelope for a terminal or a log: the result first, then the decisions for
// people, the findings by severity, the disputed ones, and at the end where to read more. All
// text from outside is sanitized: only the report itself writes escape sequences.
func Text(e report.Envelope, opt Options) []byte {
	p := newPage(opt)
	p.answer(e)
	p.heading(e)
	for _, d := range report.Awaiting(e) {
		p.decision(e, d)
	}
	if !p.verbose {
		p.decided(e)
	}
	p.findings(e)
	if p.verbose {
		p.details(e)
	} else {
		p.more(e)
	}
	p.closing(e)
	return []byte(p.out.String())
}

// answer is the answer to a question. The reader asked it and knows it.
func (p *page) answer(e report.Envelope) {
	for _, part := range report.Answered(e) {
		if part.Name == "Question" && !p.verbose {
			continue
		}
		p.line(bold, part.Name)
		p.paragraph(plain, "  ", "  ", report.BoundedText(part.Text, report.MaxAnswer))
		p.blank()
	}
}

// heading is the verdict with its counts and cost, and below it the readers of the change with
// their answers.
func (p *page) heading(e report.Envelope) {
	counts := ""
	if report.DebatedChange(e) {
		counts = report.Counted(e)
	}
	p.paragraph(bold, "", "  ", report.OneLine(report.Headline(e))+report.Wrapped(" — ", counts, "")+report.Wrapped(" (", p.spent(e), ")"))
	lead := e.Summary
	if counts != "" {
		lead = report.Lead(e, "")
	}
	for _, text := range []string{report.ClipLine(lead, report.MaxBody), report.StandsInTheWay(e), absent(e)} {
		p.say(plain, "", text)
	}
	for _, note := range e.Notes[:min(len(e.Notes), report.MaxListed)] {
		p.paragraph(plain, "Note: ", "  ", report.OneLine(note))
	}
	more := len(e.Notes) - report.MaxListed
	p.left(more, "and "+report.Count(more, "more note"))
	if e.Question != nil && *e.Question != "" {
		p.paragraph(bold, "Question: ", "  ", report.OneLine(*e.Question))
	}
}

// absent names the parties that took no part, and the remedy. The verdict names those that left a
// debate.
func absent(e report.Envelope) string {
	if !report.HasDebate(e) {
		return report.MissingParties(e)
	}
	var who []string
	for _, party := range e.Parties {
		if why := report.Unavailable(party); why != "" && !party.Lost {
			who = append(who, report.OneLine(party.ID)+" did not take part: "+report.OneLine(why)+".")
		}
	}
	return report.Capped(who, " ")
}

// spent is the cost and time of a review, or the size of the change if no model was asked.
func (p *page) spent(e report.Envelope) string {
	switch {
	case p.recorded:
		return "recorded"
	case e.Stats.Calls > 0:
	case report.Reviewed(e):
		return report.Size(e)
	default:
		return ""
	}
	return report.Spent(e)
}

// decision is a question for a person: its reasons, the answers of the models, and how to answer.
func (p *page) decision(e report.Envelope, d report.Decision) {
	p.blank()
	p.paragraph(red, "Your decision: ", "  ", report.Question(d))
	most := report.MaxSides
	if p.verbose {
		most = report.MaxListed
	}
	for _, t := range d.Triggers[:min(len(d.Triggers), most)] {
		p.paragraph(plain, "    because ", "      ", because(d, t))
	}
	more := len(d.Triggers) - most
	p.left(more, "    and "+report.Count(more, "more reason"))
	offered := d.Options[:min(len(d.Options), report.MaxListed)]
	ids := lists.Map(offered, func(o debate.Option) string { return report.OneLine(o.ID) })
	wide := 0
	for _, id := range ids {
		wide = max(wide, uniseg.StringWidth(id))
	}
	wide = min(wide, 20)
	for i, o := range offered {
		p.paragraph(plain, "    "+ids[i]+strings.Repeat(" ", max(0, wide-uniseg.StringWidth(ids[i]))+2), strings.Repeat(" ", wide+6), option(e, d, o))
	}
	more = len(d.Options) - report.MaxListed
	p.left(more, fmt.Sprintf("    and %d more", more))
	told := d.ID == "D0" && report.HasDebate(e)
	if e.Inquiry != nil {
		told = slices.ContainsFunc(e.Inquiry.Holders, func(h report.Holder) bool { return h.Decision == d.ID })
	}
	if !told || d.Panel != nil { // else the first lines or the answer name the models
		p.entries("    ", report.Dissent(e, d))
	}
	also := report.AlsoAsks(d)
	for _, q := range also[:min(len(also), report.MaxSides)] {
		p.paragraph(plain, "    also: ", "      ", report.OneLine(q))
	}
	more = len(also) - report.MaxSides
	p.left(more, "    and "+report.Count(more, "more question"))
	if e.Record != "" {
		p.line(bold, "  To answer: debate decide "+p.record(e)+report.NamedIn(e, d)+strings.Join(ids, "|")+" WHY")
	}
}

// because is why a person has to decide. A match of the policy has its name; a tie explains
// itself.
func because(d report.Decision, t report.DecisionTrigger) string {
	text := report.OneLine(report.WhyAsked(d, t))
	if t.Source == "policy" {
		text += " (" + strings.ReplaceAll(report.OneLine(string(t.ID)), "_", " ") + ")"
	}
	return text
}

// decided has the answers of people other than those in the first lines.
func (p *page) decided(e report.Envelope) {
	for _, d := range report.Closed(e) {
		if d.Person().By == "" || d.ID == "D0" && report.DebatedChange(e) {
			continue
		}
		p.blank()
		p.paragraph(bold, "", "  ", report.Question(d))
		p.entries("    ", report.HumanLines(e, d))
	}
}

// option is one answer in words.
func option(e report.Envelope, d report.Decision, o debate.Option) string {
	text := report.OneLine(o.Description)
	if d.ID == "D0" && e.Inquiry == nil {
		text = report.Label(d, o.ID)
	} else if o.Label != o.ID || text == "" {
		text = report.OneLine(o.Label) + report.Wrapped(": ", text, "")
	}
	if o.ID == d.Recommendation {
		text += " (recommended)"
	}
	return text
}

// more lists the unread parts, and counts what is not shown on one screen.
func (p *page) more(e report.Envelope) {
	unread := lists.Map(slices.Concat(e.Stats.NotReviewed, e.Stats.Unreviewed), report.OneLine)
	if e.Coverage == string(debate.CoverageFull) { // then the first lines name it
		unread = nil
	}
	if n := len(unread); n > 0 {
		text := "Not read: " + strings.Join(unread[:min(n, maxUnread)], "; ")
		if n > maxUnread {
			text += fmt.Sprintf("; and %d more", n-maxUnread)
		}
		p.blank()
		p.paragraph(plain, "", "  ", text+".")
	}
	unchecked := report.Unchecked(e)
	if len(unchecked) > 0 && len(unread) == 0 {
		p.blank()
	}
	for _, n := range unchecked[:min(len(unchecked), maxUnread)] {
		p.paragraph(plain, "Not checked: ", "  ", report.Spot(n.Path, n.Line)+". "+report.OneLine(n.Text))
	}
	more := len(unchecked) - maxUnread
	p.left(more, "Not checked: "+report.Count(more, "more file"))
	var parts []string
	for _, part := range []struct {
		n    int
		text string
	}{
		{len(e.Dismissed), "withdrawn or refuted"}, {len(e.NotEvaluated), "not debated"}, {len(e.Unproved), "without proof"}, {len(e.Known), "known"}, {len(e.Missing), "missing from the proposal"},
		{len(e.Notices) - len(unchecked) + len(e.Lone) + len(report.Shown(e)), "worth a look"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	if n := len(report.Agreed(e)) + len(e.Unresolved); n > maxWhole {
		parts = append([]string{"details of " + report.Count(n-maxWhole, "finding")}, parts...)
	}
	if len(parts) > 0 {
		p.blank()
		p.paragraph(dim, "", "  ", "Not shown: "+strings.Join(parts, ", ")+"; --verbose shows it.")
	}
}

// maxUnread bounds the unread parts named without --verbose.
const maxUnread = 3

// closing says how to get the full report.
func (p *page) closing(e report.Envelope) {
	if e.Record == "" || report.Nothing(e) {
		return
	}
	p.blank()
	p.line(dim, "Full report: debate report "+p.record(e)+"--format html --output report.html")
}

// record names the review in a command, "" if the command finds it without.
func (p *page) record(e report.Envelope) string {
	if p.newest {
		return report.Wrapped("-C ", report.OneLine(p.in), " ")
	}
	return report.OneLine(e.Record) + " "
}

// severityStyle is the colour of a severity.
func severityStyle(s debate.Severity) style {
	return cmp.Or(severityStyles[s], cyan)
}

var severityStyles = map[debate.Severity]style{debate.P1: red, debate.P2: yellow}
