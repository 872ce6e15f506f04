// Package terminal writes a report for people who read it in a terminal or a log.
package terminal

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// Options says how a terminal shows the report. Whether there is a terminal
// and what it can do is for the caller to find out.
type Options struct {
	Width int  // columns; 0 is 80, and below 40 is 40
	Color bool // ANSI colours
}

// Text renders the envelope for a terminal or a log. The outcome and what to do
// come first, then what a human must decide, the findings by severity, what is
// open and why, and last how the debate went; the last line counts. All text from outside is sanitised, so that the only
// escape sequences in it are the report's own.
func Text(e report.Envelope, opt Options) []byte {
	e = report.Worded(e)
	p := &page{width: 80, color: opt.Color}
	if opt.Width != 0 {
		p.width = max(opt.Width, 40)
	}
	p.heading(e)
	for _, d := range report.Awaiting(e) {
		p.decision(d)
	}
	p.findings(e)
	p.decisions(e)
	p.facts(e)
	for _, part := range report.Details(e) {
		p.details(part)
	}
	p.closing(e)
	return []byte(p.out.String())
}

// style is an ANSI attribute. Four of them are too few for a styling library,
// and the one at hand asks the environment what the terminal can do.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	yellow style = "33"
	cyan   style = "36"
)

func severityStyle(s debate.Severity) style {
	switch s {
	case debate.P1:
		return red
	case debate.P2:
		return yellow
	}
	return cyan
}

// page is text that grows line by line.
type page struct {
	out   strings.Builder
	width int
	color bool
}

// line writes one line in one style. A break can put what was harmless inside a
// line at its start, so that every line is sanitised once more.
func (p *page) line(s style, text string) {
	text = strings.TrimRight(comment.Terminal(text), " ")
	if p.color && s != plain && text != "" {
		text = "\x1b[" + string(s) + "m" + text + "\x1b[0m"
	}
	p.out.WriteString(text)
	p.out.WriteByte('\n')
}

func (p *page) blank() { p.out.WriteByte('\n') }

// paragraph writes text broken at the width: the first line after first, the
// others after rest.
func (p *page) paragraph(s style, first, rest, text string) {
	for _, line := range strings.Split(text, "\n") {
		current, empty := first, true
		for _, word := range strings.Split(line, " ") {
			if !empty && uniseg.StringWidth(current)+1+uniseg.StringWidth(word) > p.width {
				p.line(s, current)
				current, empty = rest, true
			}
			if !empty {
				current += " "
			}
			current += word
			empty = false
		}
		p.line(s, current)
		first = rest
	}
}

// block writes lines as they are behind a bar.
func (p *page) block(text string) {
	if text == "" {
		return
	}
	for _, line := range strings.Split(text, "\n") {
		p.line(dim, "    | "+line)
	}
}

// section writes a heading and a list of entries, if there are any.
func (p *page) section(title string, entries []string) {
	if len(entries) == 0 {
		return
	}
	p.blank()
	p.line(bold, title)
	for i, entry := range entries {
		if i == report.MaxListed {
			p.line(plain, fmt.Sprintf("  and %d more", len(entries)-report.MaxListed))
			break
		}
		p.paragraph(plain, "  ", "    ", entry)
	}
}

func (p *page) heading(e report.Envelope) {
	p.paragraph(bold, "", "  ", "debate: "+report.OneLine(report.Headline(e)))
	if text := report.Lead(e); text != "" {
		p.paragraph(plain, "", "", report.ClipLine(text, report.MaxBody))
	}
	for _, part := range report.Answered(e) {
		p.blank()
		p.line(bold, part.Name)
		p.paragraph(plain, "  ", "  ", comment.Clip(comment.Terminal(comment.Clip(part.Text, report.MaxAnswer)), report.MaxAnswer))
	}
	if e.Inquiry != nil {
		p.blank()
	}
	p.paragraph(plain, "Scope: ", "  ", report.Scope(e))
	for _, note := range e.Notes[:min(len(e.Notes), report.MaxListed)] {
		p.paragraph(plain, "Note: ", "  ", report.OneLine(note))
	}
	if e.Question != nil && *e.Question != "" {
		p.paragraph(bold, "Question: ", "  ", report.OneLine(*e.Question))
	}
}

func (p *page) decision(d report.Decision) {
	p.blank()
	p.line(red, "A human has to decide")
	p.paragraph(bold, "  "+report.OneLine(d.ID)+"  ", "      ", report.OneLine(d.Question))
	for i, t := range d.Triggers {
		if i == report.MaxListed {
			p.line(plain, fmt.Sprintf("  because: and %d more", len(d.Triggers)-report.MaxListed))
			break
		}
		p.paragraph(plain, "  because: ", "      ", report.OneLine(string(t.ID))+"  "+report.OneLine(t.Detail))
	}
	for i, o := range d.Options {
		if i == report.MaxListed {
			p.line(plain, fmt.Sprintf("  option: and %d more", len(d.Options)-report.MaxListed))
			break
		}
		p.paragraph(plain, "  option: ", "      ", report.OptionLine(o))
	}
	if d.Recommendation != "" {
		p.paragraph(plain, "  recommended: ", "      ", report.Disposition(report.OneLine(d.Recommendation)))
	}
	p.entries("  ", report.Verdict(d))
	for _, side := range []struct {
		name  string
		lines []string
	}{{"agreed", d.Agreements}, {"disputed", d.Disagreements}} {
		for i, line := range side.lines {
			if i == report.MaxSides {
				p.line(plain, fmt.Sprintf("  %s: and %d more", side.name, len(side.lines)-report.MaxSides))
				break
			}
			p.paragraph(plain, "  "+side.name+": ", "      ", report.OneLine(line))
		}
	}
}

// entries writes at most maxListed entries.
func (p *page) entries(indent string, entries []string) {
	for i, entry := range entries {
		if i == report.MaxListed {
			p.line(plain, fmt.Sprintf("%sand %d more", indent, len(entries)-report.MaxListed))
			break
		}
		p.paragraph(plain, indent, indent+"    ", entry)
	}
}

// decisions are those that wait for nobody.
func (p *page) decisions(e report.Envelope) {
	for i, d := range report.Closed(e) {
		if i == 0 {
			p.blank()
			p.line(bold, "Decisions")
		}
		p.paragraph(plain, "  "+report.OneLine(d.ID)+"  ", "      ", report.OneLine(d.Question))
		p.paragraph(bold, "      ", "      ", report.HowItEnded(d))
		p.entries("      ", report.Verdict(d))
	}
}

// details writes one section on how the debate went. A row of a table becomes a
// paragraph, which any width can show.
func (p *page) details(part report.Section) {
	p.section(part.Title, part.Lines)
	if len(part.Table) == 0 {
		return
	}
	var rows []string
	for _, row := range part.Table[1:] {
		var cells []string
		for i, cell := range row {
			if cell != "" {
				cells = append(cells, strings.ToLower(report.OneLine(part.Table[0][i]))+" "+report.OneLine(cell))
			}
		}
		rows = append(rows, strings.Join(cells, ", "))
	}
	p.entries("  ", rows)
}

func (p *page) findings(e report.Envelope) {
	all := report.Agreed(e)
	for _, proposal := range []bool{false, true} {
		some := report.OfRoute(all, proposal)
		if len(some) == 0 {
			continue
		}
		p.blank()
		p.line(bold, report.RouteTitle(e, proposal))
		for _, f := range some {
			p.finding(f)
		}
	}
	for i, f := range e.Unresolved {
		if i == 0 {
			p.blank()
			p.line(bold, "Unresolved")
		}
		if i == report.MaxListed {
			p.line(plain, fmt.Sprintf("and %d more", len(e.Unresolved)-report.MaxListed))
			break
		}
		p.finding(f)
	}
}

func (p *page) finding(f report.Finding) {
	head := report.Place(f) + "  " + report.OneLine(string(f.Severity))
	if f.Rule != "" {
		head += "  " + report.OneLine(f.Rule)
	}
	p.blank()
	p.line(severityStyle(f.Severity), head)
	p.paragraph(bold, "    ", "    ", report.OneLine(f.Title))
	if f.Body != "" {
		p.paragraph(plain, "    ", "    ", comment.Clip(comment.Terminal(comment.Clip(f.Body, report.MaxBody)), report.MaxBody))
	}
	p.block(report.Quote(f))
	if f.Suggestion != "" {
		p.line(plain, "    suggested, unverified:")
		p.block(report.Bounded(f.Suggestion))
	}
	if f.Bucket != debate.Agreed && report.BecauseOf(f) != "" {
		p.paragraph(dim, "    ", "    ", "why it is open: "+report.OneLine(report.BecauseOf(f)))
	}
	if f.Crux != "" {
		p.paragraph(bold, "    ", "    ", "to settle it: "+report.OneLine(f.Crux))
	}
	if text := report.Provenance(f); text != "" {
		p.paragraph(dim, "    ", "    ", text)
	}
	p.entries("    ", report.Attacks(f.Challenges))
}

// facts are what a reader should know beside the findings.
func (p *page) facts(e report.Envelope) {
	notices := make([]string, len(e.Notices))
	for i, n := range e.Notices {
		notices[i] = strings.TrimSpace(report.Spot(n.Path, n.Line) + "  " + report.OneLine(n.Text))
	}
	p.section("Notices", notices)
	p.section(report.LoneTitle, report.LoneLines(e))
	missing := make([]string, len(e.Missing))
	for i, m := range e.Missing {
		missing[i] = report.OneLine(m)
	}
	p.section("Missing from the proposal", missing)
	triggers := make([]string, 0, len(e.Triggers))
	for _, t := range report.Shown(e) {
		triggers = append(triggers, report.OneLine(string(t.ID))+"  "+strings.TrimSpace(report.Spot(t.Path, t.Line)+"  "+report.OneLine(t.Detail)))
	}
	p.section("Policy triggers, shown only", triggers)
	skipped := make([]string, len(e.Stats.NotReviewed))
	for i, s := range e.Stats.NotReviewed {
		skipped[i] = report.OneLine(s)
	}
	p.section("Not read", skipped)
	unreviewed := make([]string, len(e.Stats.Unreviewed))
	for i, s := range e.Stats.Unreviewed {
		unreviewed[i] = report.OneLine(s)
	}
	p.section("Not reviewed in full", unreviewed)
	p.section("Not evaluated", report.ListedAll(e.NotEvaluated))
	p.section("Dismissed", report.ListedAll(e.Dismissed))
}

func (p *page) closing(e report.Envelope) {
	p.blank()
	if text := report.MissingParties(e); text != "" {
		p.paragraph(plain, "", "", text)
	}
	if report.Reviewed(e) {
		p.paragraph(plain, "", "", "Coverage: "+report.Coverage(e))
	}
	last := report.Counts(e)
	if e.Record != "" {
		last += "; record " + report.OneLine(e.Record)
	}
	p.line(dim, last)
}
