// Package terminal writes a report for readers at a terminal or of a log.
package terminal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// Text renders the envelope for a terminal or a log: the result first, then the decisions for
// people, the findings by severity, the disputed ones, and at the end where to read more. All
// text from outside is sanitized: only the report itself writes escape sequences.
func Text(e report.Envelope, opt Options) []byte {
	p := newPage(opt)
	for _, part := range report.Answered(e) {
		if part.Name == "Question" && !p.Verbose { // the reader asked it
			continue
		}
		p.line(bold, part.Name)
		p.say(plain, "  ", report.BoundedText(part.Text, report.MaxAnswer))
		p.blank()
	}
	p.heading(e)
	for _, d := range report.Awaiting(e) {
		p.decision(e, d)
	}
	for _, d := range report.Closed(e) { // answers of people other than those in the first lines
		if d.Person().By == "" || d.ID == "D0" && report.DebatedChange(e) || p.Verbose {
			continue
		}
		p.blank()
		p.paragraph(bold, "", "  ", report.Question(d))
		p.entries("    ", "      ", report.MaxListed, report.HumanLines(e, d))
	}
	p.findings(e)
	if p.Recorded && !p.Verbose {
		p.refuted(e)
	}
	if p.Verbose {
		p.details(e)
	} else {
		p.more(e)
	}
	switch {
	case e.Head == debate.HeadSkipped && e.About.PullRequest == 0:
		p.say(dim, "", "To review it all the same: debate review --target proposal, or code.")
	case e.Record != "" && !report.Nothing(e):
		p.blank()
		p.line(dim, "Full report: debate report "+p.record(e)+"--format html --output report.html")
	}
	return []byte(p.out.String())
}

// heading is the verdict with its counts and cost, and below it the readers of the change with
// their answers, the parties that took no part, and notes.
func (p *page) heading(e report.Envelope) {
	counts, cost, lead := "", report.Spent(e), e.Summary
	if report.DebatedChange(e) {
		counts = report.Counted(e)
	}
	if counts != "" {
		lead = report.Lead(e, "")
	}
	switch {
	case p.Recorded:
		cost = "recorded"
	case e.Stats.Calls > 0:
	case report.Reviewed(e):
		cost = report.Size(e)
	default:
		cost = ""
	}
	p.paragraph(bold, "", "  ", report.OneLine(report.Headline(e))+report.Wrapped(" — ", counts, "")+report.Wrapped(" (", cost, ")"))
	for _, text := range []string{report.ClipLine(lead, report.MaxBody), report.StandsInTheWay(e), report.MissingParties(e, false)} {
		p.say(plain, "", text)
	}
	p.entries("Note: ", "  ", report.MaxListed, lists.Map(e.Notes, report.OneLine))
	if e.Question != nil && *e.Question != "" {
		p.paragraph(bold, "Question: ", "  ", report.OneLine(*e.Question))
	}
}

// decision is a question for a person: its reasons, the answers of the models, and how to answer.
func (p *page) decision(e report.Envelope, d report.Decision) {
	p.blank()
	p.paragraph(red, "Your decision: ", "  ", report.Question(d))
	most := report.MaxSides
	if p.Verbose {
		most = report.MaxListed
	}
	p.entries("    because ", "      ", most, lists.Map(report.Reasons(d), report.OneLine))
	var ids, options []string
	for _, o := range d.Options {
		text := report.OneLine(o.Description)
		if d.ID == "D0" {
			text = report.Label(d, o.ID)
		} else if o.Label != o.ID || text == "" {
			text = report.OneLine(o.Label) + report.Wrapped(": ", text, "")
		}
		if o.ID == d.Recommendation {
			text += " (recommended)"
		}
		ids, options = append(ids, report.OneLine(o.ID)), append(options, text)
	}
	shown := min(len(ids), report.MaxListed)
	p.columns("    ", ids[:shown], options)
	p.entries("    ", "", 0, ids[shown:])
	told := d.ID == "D0" && report.HasDebate(e)
	if e.Inquiry != nil {
		told = slices.ContainsFunc(e.Inquiry.Holders, func(h report.Holder) bool { return h.Decision == d.ID })
	}
	dissent := report.DissentingJudges(d)
	if !told { // else the first lines or the answer name the models
		dissent = report.Dissent(e, d)
	}
	p.entries("    ", "      ", report.MaxListed, dissent)
	p.entries("    it also asks: ", "      ", report.MaxSides, lists.Map(report.AlsoAsks(d), report.OneLine))
	if e.Record != "" {
		p.line(bold, "  To answer: debate decide "+p.record(e)+report.NamedIn(e, d)+strings.Join(ids[:shown], "|")+" WHY")
	}
}

// maxUnread bounds the unread parts named without --verbose.
const maxUnread = 3

// more lists the unread parts, and counts what is not shown on one screen.
func (p *page) more(e report.Envelope) {
	unread := lists.Map(slices.Concat(e.Stats.NotReviewed, e.Stats.Unreviewed), report.OneLine)
	if e.Coverage == string(debate.CoverageFull) { // then the first lines name it
		unread = nil
	}
	isUnchecked := func(n debate.Notice) bool { // such a file must not pass for clean
		return slices.Contains([]string{"critic/not-read", "workflow/not-analysed"}, n.Rule)
	}
	unchecked := lists.Keep(e.Notices, isUnchecked)
	if len(unread)+len(unchecked) > 0 {
		p.blank()
	}
	if n := len(unread); n > maxUnread {
		unread = append(slices.Clone(unread[:maxUnread]), fmt.Sprintf("and %d more", n-maxUnread))
	}
	if len(unread) > 0 {
		p.paragraph(plain, "", "  ", "Not read: "+strings.Join(unread, "; ")+".")
	}
	p.entries("Not checked: ", "  ", maxUnread, lists.Map(unchecked, func(n debate.Notice) string {
		return report.Spot(n.Path, n.Line) + ". " + report.OneLine(n.Text)
	}))
	rest := e // without the parts shown above
	rest.Stats.NotReviewed, rest.Stats.Parts = nil, nil
	rest.Notices = lists.Keep(e.Notices, func(n debate.Notice) bool { return !isUnchecked(n) })
	if p.Recorded {
		rest.Dismissed = nil
	}
	parts := lists.Map(slices.Concat(report.Noticed(rest), report.Remaining(rest)), func(s report.Section) string {
		return fmt.Sprintf("%s (%d)", s.Title, len(s.Lines))
	})
	if n := len(report.Current(e)); n > maxWhole {
		parts = append([]string{"details of " + report.Count(n-maxWhole, "finding")}, parts...)
	}
	if len(parts) > 0 {
		p.blank()
		p.paragraph(dim, "", "  ", "Not shown: "+strings.Join(parts, "; ")+". --verbose shows it.")
	}
}

// details has everything other than the findings.
func (p *page) details(e report.Envelope) {
	p.sections(slices.Concat(report.AnswersGiven(e), report.Noticed(e), report.Remaining(e), report.Details(e)))
	p.blank()
	if report.Reviewed(e) && len(report.Current(e)) > 0 {
		p.paragraph(dim, "", "  ", report.Severities+".")
	}
	for _, f := range report.Figures(e) {
		p.paragraph(dim, "", "  ", f.Name+": "+f.Text)
	}
}

// sections writes parts of a report.
func (p *page) sections(parts []report.Section) {
	for _, part := range parts {
		p.blank()
		p.line(bold, part.Title)
		p.entries("  ", "    ", report.MaxListed, part.Lines)
		p.thread(part.Said, "  ")
	}
}

// record names the review in a command, "" if the command finds it without.
func (p *page) record(e report.Envelope) string {
	if p.Newest {
		return report.Wrapped("-C ", report.OneLine(p.In), " ")
	}
	return report.OneLine(e.Record) + " "
}
