package report

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// TextOptions says how a terminal shows the report. Whether there is a terminal
// and what it can do is for the caller to find out.
type TextOptions struct {
	Width int  // columns; 0 is 80, and below 40 is 40
	Color bool // ANSI colours
}

// Text renders the envelope for a terminal or a log. The outcome and what to do
// come first, then what a human must decide, the findings by severity, what is
// open and why, and last how the debate went; the last line counts. All text from outside is sanitised, so that the only
// escape sequences in it are the report's own.
func Text(e Envelope, opt TextOptions) []byte {
	e = Worded(e)
	p := &page{width: 80, color: opt.Color}
	if opt.Width != 0 {
		p.width = max(opt.Width, 40)
	}
	p.heading(e)
	for _, d := range Awaiting(e) {
		p.decision(d)
	}
	p.findings(e)
	p.decisions(e)
	p.facts(e)
	for _, part := range details(e) {
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
		if i == MaxListed {
			p.line(plain, fmt.Sprintf("  and %d more", len(entries)-MaxListed))
			break
		}
		p.paragraph(plain, "  ", "    ", entry)
	}
}

func (p *page) heading(e Envelope) {
	p.paragraph(bold, "", "  ", "debate: "+OneLine(Headline(e)))
	p.paragraph(plain, "", "", ClipLine(Outcome(e), MaxBody))
	if text := Advice(e); text != "" {
		p.paragraph(bold, "", "  ", text)
	}
	for _, part := range Answered(e) {
		p.blank()
		p.line(bold, part.Name)
		p.paragraph(plain, "  ", "  ", comment.Clip(comment.Terminal(comment.Clip(part.Text, maxAnswer)), maxAnswer))
	}
	if e.Inquiry != nil {
		p.blank()
	}
	p.paragraph(plain, "Scope: ", "  ", Scope(e))
	for _, note := range e.Notes[:min(len(e.Notes), MaxListed)] {
		p.paragraph(plain, "Note: ", "  ", OneLine(note))
	}
	if e.Question != nil && *e.Question != "" {
		p.paragraph(bold, "Question: ", "  ", OneLine(*e.Question))
	}
}

func (p *page) decision(d Decision) {
	p.blank()
	p.line(red, "A human has to decide")
	p.paragraph(bold, "  "+OneLine(d.ID)+"  ", "      ", OneLine(d.Question))
	for i, t := range d.Triggers {
		if i == MaxListed {
			p.line(plain, fmt.Sprintf("  because: and %d more", len(d.Triggers)-MaxListed))
			break
		}
		p.paragraph(plain, "  because: ", "      ", OneLine(string(t.ID))+"  "+OneLine(t.Detail))
	}
	for i, o := range d.Options {
		if i == MaxListed {
			p.line(plain, fmt.Sprintf("  option: and %d more", len(d.Options)-MaxListed))
			break
		}
		p.paragraph(plain, "  option: ", "      ", option(o))
	}
	if d.Recommendation != "" {
		p.paragraph(plain, "  recommended: ", "      ", disposition(OneLine(d.Recommendation)))
	}
	p.entries("  ", verdict(d))
	for _, side := range []struct {
		name  string
		lines []string
	}{{"agreed", d.Agreements}, {"disputed", d.Disagreements}} {
		for i, line := range side.lines {
			if i == MaxSides {
				p.line(plain, fmt.Sprintf("  %s: and %d more", side.name, len(side.lines)-MaxSides))
				break
			}
			p.paragraph(plain, "  "+side.name+": ", "      ", OneLine(line))
		}
	}
}

// entries writes at most maxListed entries.
func (p *page) entries(indent string, entries []string) {
	for i, entry := range entries {
		if i == MaxListed {
			p.line(plain, fmt.Sprintf("%sand %d more", indent, len(entries)-MaxListed))
			break
		}
		p.paragraph(plain, indent, indent+"    ", entry)
	}
}

// decisions are those that wait for nobody.
func (p *page) decisions(e Envelope) {
	for i, d := range Closed(e) {
		if i == 0 {
			p.blank()
			p.line(bold, "Decisions")
		}
		p.paragraph(plain, "  "+OneLine(d.ID)+"  ", "      ", OneLine(d.Question))
		p.paragraph(bold, "      ", "      ", HowItEnded(d))
		p.entries("      ", verdict(d))
	}
}

// details writes one section on how the debate went. A row of a table becomes a
// paragraph, which any width can show.
func (p *page) details(part section) {
	p.section(part.title, part.lines)
	if len(part.table) == 0 {
		return
	}
	var rows []string
	for _, row := range part.table[1:] {
		var cells []string
		for i, cell := range row {
			if cell != "" {
				cells = append(cells, strings.ToLower(OneLine(part.table[0][i]))+" "+OneLine(cell))
			}
		}
		rows = append(rows, strings.Join(cells, ", "))
	}
	p.entries("  ", rows)
}

// option is one answer on one line.
func option(o Option) string {
	text := OneLine(o.Label)
	if o.Description != "" {
		text += ": " + OneLine(o.Description)
	}
	if o.StatusQuo {
		text += " (status quo)"
	}
	return text
}

func (p *page) findings(e Envelope) {
	all := Agreed(e)
	for _, proposal := range []bool{false, true} {
		some := OfRoute(all, proposal)
		if len(some) == 0 {
			continue
		}
		p.blank()
		p.line(bold, RouteTitle(e, proposal))
		for _, f := range some {
			p.finding(f)
		}
	}
	if len(all) == 0 {
		if text := NothingFound(e); text != "" {
			p.blank()
			p.paragraph(plain, "", "", text)
		}
	}
	for i, f := range e.Unresolved {
		if i == 0 {
			p.blank()
			p.line(bold, "Unresolved")
		}
		if i == MaxListed {
			p.line(plain, fmt.Sprintf("and %d more", len(e.Unresolved)-MaxListed))
			break
		}
		p.finding(f)
	}
}

func RouteTitle(e Envelope, proposal bool) string {
	switch {
	case e.Inquiry != nil && proposal:
		return "Points agreed on"
	case e.Inquiry != nil:
		return "Points agreed on, in the files"
	case proposal:
		return "Findings in proposals"
	}
	return "Findings in code"
}

func (p *page) finding(f Finding) {
	head := Place(f) + "  " + OneLine(string(f.Severity))
	if f.Rule != "" {
		head += "  " + OneLine(f.Rule)
	}
	p.blank()
	p.line(severityStyle(f.Severity), head)
	p.paragraph(bold, "    ", "    ", OneLine(f.Title))
	if f.Body != "" {
		p.paragraph(plain, "    ", "    ", comment.Clip(comment.Terminal(comment.Clip(f.Body, MaxBody)), MaxBody))
	}
	p.block(quote(f))
	if f.Suggestion != "" {
		p.line(plain, "    suggested, unverified:")
		p.block(bounded(f.Suggestion))
	}
	if f.Bucket != debate.Agreed && BecauseOf(f) != "" {
		p.paragraph(dim, "    ", "    ", "why it is open: "+OneLine(BecauseOf(f)))
	}
	if f.Crux != "" {
		p.paragraph(bold, "    ", "    ", "to settle it: "+OneLine(f.Crux))
	}
	if text := provenance(f); text != "" {
		p.paragraph(dim, "    ", "    ", text)
	}
	p.entries("    ", attacks(f.Challenges))
}

// facts are what a reader should know beside the findings.
func (p *page) facts(e Envelope) {
	notices := make([]string, len(e.Notices))
	for i, n := range e.Notices {
		notices[i] = strings.TrimSpace(Spot(n.Path, n.Line) + "  " + OneLine(n.Text))
	}
	p.section("Notices", notices)
	missing := make([]string, len(e.Missing))
	for i, m := range e.Missing {
		missing[i] = OneLine(m)
	}
	p.section("Missing from the proposal", missing)
	triggers := make([]string, 0, len(e.Triggers))
	for _, t := range Shown(e) {
		triggers = append(triggers, OneLine(string(t.ID))+"  "+strings.TrimSpace(Spot(t.Path, t.Line)+"  "+OneLine(t.Detail)))
	}
	p.section("Policy triggers, shown only", triggers)
	skipped := make([]string, len(e.Stats.NotReviewed))
	for i, s := range e.Stats.NotReviewed {
		skipped[i] = OneLine(s)
	}
	p.section("Not read", skipped)
	unreviewed := make([]string, len(e.Stats.Unreviewed))
	for i, s := range e.Stats.Unreviewed {
		unreviewed[i] = OneLine(s)
	}
	p.section("Reviewed by no model", unreviewed)
	p.section("Not evaluated", listedAll(e.NotEvaluated))
	p.section("Dismissed", listedAll(e.Dismissed))
}

func (p *page) closing(e Envelope) {
	p.blank()
	if text := MissingParties(e); text != "" {
		p.paragraph(plain, "", "", text)
	}
	if Reviewed(e) {
		p.paragraph(plain, "", "", "Coverage: "+Coverage(e))
	}
	last := Counts(e)
	if e.Record != "" {
		last += "; record " + OneLine(e.Record)
	}
	p.line(dim, last)
}
