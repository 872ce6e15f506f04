package terminal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

const (
	maxWhole = 5  // findings shown whole without --verbose
	maxShown = 25 // findings shown at all, likewise
	maxQuote = 5  // quoted lines of a finding, likewise
	maxBody  = 4  // lines of its text and of its fix, likewise
	maxSaid  = 320
	maxWidth = 200 // characters of a line of code
)

// findings has the confirmed findings, the most severe first, and then the others.
func (p *page) findings(e report.Envelope) {
	all := report.Current(e)
	whole, shown := maxWhole, maxShown
	if p.Verbose {
		whole, shown = len(all), len(all)
	}
	for i, f := range lists.First(all, shown) {
		if i <= whole {
			p.blank()
		}
		p.head(f)
		if i < whole {
			p.whole(e, f)
		}
	}
	if more := len(all) - shown; more > 0 {
		p.line(plain, "and "+report.Count(more, "more finding"))
	}
}

// severityStyle is the colour of a severity.
func severityStyle(s debate.Severity) style {
	return cmp.Or(map[debate.Severity]style{debate.P1: red, debate.P2: yellow}[s], cyan)
}

// head is the first line of a finding. A finding other than a confirmed one has its state there.
func (p *page) head(f report.Finding) {
	says := report.Standing(f)
	if f.Bucket == debate.Agreed {
		says = report.Accepted(f)
	}
	first := report.OneLine(string(f.Severity)) + "  " + report.Place(f) + "  "
	p.paragraph(severityStyle(f.Severity), first, "    ", strings.TrimSpace(report.OneLine(f.ID)+"  "+report.OneLine(f.Title))+report.Wrapped(" (", says, ")"))
}

// whole is a finding below its first line: its lines, the defect and its finders if it is confirmed,
// else the words of each side, and what would settle it.
func (p *page) whole(e report.Envelope, f report.Finding) {
	p.quote(f)
	confirmed := f.Bucket == debate.Agreed
	if confirmed || p.Verbose {
		p.body(f)
	}
	p.proofs(f)
	var sides []report.Side
	switch {
	case p.Verbose: // the thread has the objections
		p.say(dim, "    ", report.StandsBehind(f))
		p.thread(report.Thread(f), "    ")
	case confirmed:
		p.say(dim, "    ", report.StandsBehind(f)+report.Wrapped(" ", report.ClipLine(report.Against(f), maxSaid), ""))
	default:
		sides = report.Sides(f)
		for _, s := range sides {
			p.paragraph(plain, "    "+report.OneLine(s.Who)+": ", "      ", report.ClipLine(s.Says, maxSaid))
		}
		if len(sides) == 0 {
			p.say(dim, "    ", report.StandsBehind(f))
		}
	}
	if confirmed {
		return
	}
	if len(sides) < 2 {
		p.say(dim, "    ", report.WhyOpen(e, f, p.Verbose || len(sides) == 0))
	}
	if !p.Verbose { // else it ends the text
		p.fix(f)
	}
	p.say(bold, "    ", report.Wrapped("To settle it: ", report.OneLine(report.Crux(f)), ""))
}

// Explain shows the statements about findings in order, with checked quotes and the result. No
// ids means the whole debate: the result, the statements about each decision, all findings, and the
// reasoning of each model. Unknown has the ids without a finding.
func Explain(e report.Envelope, ids []string, opt Options) (text []byte, unknown []string) {
	p := newPage(opt)
	if len(ids) == 0 && len(e.Discussions) > 0 {
		if e.Outcome != "" {
			p.paragraph(bold, "", "  ", report.OneLine(report.Headline(e)))
		}
		p.sections(report.Discussed(e))
		for _, needs := range report.Measurements(e.Objections) {
			p.paragraph(bold, "  to settle it: ", "    ", needs)
		}
	}
	named := func(list []string, id string) bool {
		return slices.ContainsFunc(list, func(one string) bool { return strings.EqualFold(one, id) })
	}
	for f := range e.Findings() {
		if len(ids) > 0 && !named(ids, f.ID) {
			continue
		}
		if p.out.Len() > 0 {
			p.blank()
		}
		p.line(severityStyle(f.Severity), report.OneLine(f.ID)+"  "+report.OneLine(string(f.Severity))+"  "+report.Place(*f)+"  "+report.Standing(*f))
		p.say(bold, "  ", report.OneLine(f.Title))
		p.thread(report.Thread(*f), "  ")
		for _, one := range report.Proofs(*f) {
			p.say(bold, "  ", one.Says())
			p.test(one)
		}
		if why := report.ClipLine(f.Why, report.MaxEntry); why != "" {
			p.paragraph(dim, "  why: ", "    ", why)
		}
		if crux := report.Crux(*f); crux != "" {
			p.paragraph(bold, "  to settle it: ", "    ", report.OneLine(crux))
		}
	}
	if len(ids) == 0 {
		if p.out.Len() == 0 {
			p.line(plain, "The review has no findings.")
		}
		p.sections(report.Reasoned(e))
	}
	return []byte(p.out.String()), lists.Keep(ids, func(id string) bool { return !named(e.FindingIDs(), id) })
}

// refuted has the findings that lost, and the lines that won.
func (p *page) refuted(e report.Envelope) {
	for _, f := range e.Dismissed {
		p.blank()
		p.head(f)
		p.thread(report.Thread(f), "    ")
	}
}

// thread writes statements, each after its speaker.
func (p *page) thread(lines []report.Side, indent string) {
	var who, says []string
	for _, s := range lines {
		who, says = append(who, s.Who), append(says, s.Says)
	}
	p.columns(indent, who, says)
}

// body is the text of a finding and its fix. Without --verbose the text has a few lines, and its blocks of code
// are left out.
func (p *page) body(f report.Finding) {
	text := report.BoundedText(f.Body, report.MaxBody)
	if p.Verbose {
		p.say(plain, "    ", text)
		p.fix(f)
		return
	}
	prose := lists.Keep(comment.Parts(text), func(part comment.Part) bool { return !part.Code })
	if len(prose) > 0 {
		text = strings.Join(lists.Map(prose, func(part comment.Part) string { return part.Text }), "\n")
	}
	whole := newPage(Options{Width: p.Width})
	whole.say(plain, "    ", text)
	lines := lists.Keep(strings.SplitAfter(whole.out.String(), "\n"), func(line string) bool { return strings.TrimSpace(line) != "" })
	if len(lines) > maxBody {
		lines = append(lines[:maxBody], "    …\n")
	}
	p.out.WriteString(strings.Join(lines, ""))
	p.fix(f)
}

// fix is the text that a model suggests in place of the cited lines.
func (p *page) fix(f report.Finding) {
	most := maxBody
	if p.Verbose {
		most = report.MaxQuoteLines
	}
	switch text := strings.Trim(f.Suggestion, "\n"); {
	case strings.TrimSpace(text) == "":
	case strings.Contains(text, "\n"):
		p.line(plain, "    fix:")
		p.code(report.QuotedLines(text, most, report.MaxQuoteWidth, 0))
	default:
		p.paragraph(plain, "    fix: ", "         ", comment.Clip(strings.TrimSpace(text), report.MaxQuoteWidth))
	}
}

// proofs has the results of the tests of a finding and, with --verbose, the tests.
func (p *page) proofs(f report.Finding) {
	for _, one := range report.Proofs(f) {
		p.say(bold, "    ", one.Says())
		if p.Verbose {
			p.test(one)
		}
	}
}

// test is a test as a file to copy, how it was run, and the last lines of its output.
func (p *page) test(one report.Proof) {
	p.line(plain, "    "+report.OneLine(one.Path)+":")
	p.code(report.QuotedLines(one.Content, report.MaxQuoteLines, report.MaxQuoteWidth, 0))
	p.line(plain, "    "+one.Ran())
	p.code(report.QuotedLines(one.Output, report.MaxQuoteLines, report.MaxQuoteWidth, 0))
}

// quote has the lines of a finding if the record has the change around them, without --verbose
// with the line before, else its citation.
func (p *page) quote(f report.Finding) {
	most, lines := report.MaxListed, f.Around
	if !p.Verbose {
		most = maxQuote
		isHit := func(l report.CodeLine) bool { return l.Hit }
		if first := slices.IndexFunc(lines, isHit); first < 0 {
			lines = nil
		} else {
			lines = lines[max(0, first-1):]
			for !isHit(lines[len(lines)-1]) { // it ends at the first one at the latest
				lines = lines[:len(lines)-1]
			}
		}
	}
	switch more := len(lines) - most; {
	case more > 0:
		p.code(append(slices.Clone(lines[:most]), report.CodeLine{Text: "… and " + report.Count(more, "more line")}))
	case len(lines) > 0:
		p.code(lines)
	case f.Quote != "" && f.Misquoted:
		p.say(dim, "    ", report.Unfound+".")
	default:
		p.code(report.QuotedLines(f.Quote, most, report.MaxTitle, f.Line))
	}
}

// code is lines of code without their common indent.
func (p *page) code(lines []report.CodeLine) {
	lines = slices.Clone(lines)
	indent := maxWidth
	for i := range lines {
		l := &lines[i]
		l.Text = strings.ReplaceAll(l.Text, "\t", "    ")
		if l.Number > 0 && strings.TrimSpace(l.Text) != "" {
			indent = min(indent, len(l.Text)-len(strings.TrimLeft(l.Text, " ")))
		}
	}
	for _, l := range lines {
		number := ""
		if l.Number > 0 {
			number = fmt.Sprint(l.Number)
			l.Text = l.Text[min(len(l.Text), indent):]
		}
		p.line(dim, fmt.Sprintf("    %5s %1s %s", number, l.Mark, comment.Clip(l.Text, maxWidth)))
	}
}
