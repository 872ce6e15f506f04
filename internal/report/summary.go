package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Summary renders the one summary comment of a pull request: the verdict and its reasons, the
// decisions for people, the findings with links to their threads, the disputed ones, and in folds
// the course of the debate, the reviewed files and the cost. It takes at most p.Room
// bytes and counts the parts left out; it never leaves out a decision. The caller adds the hidden
// marker and the state.
func Summary(e Envelope, p Pull, conclusion debate.Conclusion, why string) []byte {
	return p.page(e, conclusion, why, false)
}

// page is the report on a change in Markdown. Whole: with all details of the debate.
func (p Pull) page(e Envelope, conclusion debate.Conclusion, why string, whole bool) []byte {
	last := p.closing(e)
	b := &blocks{room: min(cmp.Or(max(p.Room, 0), MaxMarkdown), MaxMarkdown) - len(last) - 1 - Reserved}
	awaiting, most := Awaiting(e), 2*b.room/3
	open := ""
	for i, d := range awaiting {
		one, answers := p.waiting(e, d)
		if len(open)+len(one)+len(answers) <= most { // else its answers have long names: the question alone
			one += answers
		}
		if len(open)+len(one) > most {
			open += "\n**" + Count(len(awaiting)-i, "more decision") + " for people.**\n"
			break
		}
		open = strings.Join(Present(open, one), "\n")
	}
	b.room -= len(open) + 1 // kept free for the open decisions
	b.add(p.heading(e, conclusion, why))
	b.add(p.notes(e))
	b.add(strings.Join(lists.Map(Answered(e), func(part Titled) string {
		return "**" + comment.Markdown(part.Name) + "**\n\n" + comment.Markdown(comment.Clip(part.Text, MaxAnswer)) + "\n"
	}), "\n"))
	b.room += len(open) + 1
	b.add(open)
	for _, part := range onProposal(e, maxSide) { // a design document (R064)
		if !whole { // else the details have it
			b.add("**" + part.Name + "**. " + comment.MarkdownLine(part.Text) + "\n")
		}
	}
	overview := Section{Title: OverviewTitle, Lines: OverviewLines(e)}
	switch {
	case whole, p.NoOverview, len(overview.Lines) == 0: // the whole report has it among the details
	case e.Stats.Files <= smallChange:
		b.add(fold(overview.Title, sectionMarkdown(overview)))
	default:
		b.add("**" + overview.Title + "**\n\n" + strings.TrimSuffix(sectionMarkdown(overview), "\n"))
	}
	p.findings(b, e)
	rest := p.gone(b, e)
	for _, part := range slices.Concat(AnswersGiven(e), Noticed(e), Remaining(rest)) {
		b.add(fold(fmt.Sprintf("%s (%d)", part.Title, len(part.Lines)), sectionMarkdown(part)))
	}
	if whole {
		for _, part := range Details(e) {
			b.add(fold(part.Title, sectionMarkdown(part)))
		}
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for a comment: %s left out. The record holds everything._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String() + "\n" + last)
}

// heading is the verdict, its reasons, the words of the check if they say more, and the next step
// of the author.
func (p Pull) heading(e Envelope, conclusion debate.Conclusion, why string) string {
	text := "### debate: " + inline(Headline(e)) + "\n"
	for _, part := range []string{entryMarkdown(e.Summary), entryMarkdown(MissingParties(e, p.Number > 0)), inline(CheckSays(e, conclusion, why)), p.nextStep(e)} {
		text += Wrapped("\n", part, "\n")
	}
	return text
}

// nextStep is the work of the author if the models ask for changes, "" if they do not. While a
// person has to decide, that comes first.
func (p Pull) nextStep(e Envelope) string {
	if e.Head != debate.HeadRevise {
		return ""
	}
	ids := func(list ...Finding) string {
		open := lists.Keep(list, func(f Finding) bool { return f.AcceptedBy == "" })
		return inline(enumerated(lists.Map(open, func(f Finding) string { return f.ID })))
	}
	confirmed := cmp.Or(ids(slices.Concat(e.P1, e.P2)...), ids(e.P3...))
	step := cmp.Or(Wrapped("fix ", confirmed, ", then push."), Wrapped("read ", ids(e.Unresolved...), ", then push a fix or object."))
	return Wrapped(cmp.Or(Wrapped("**", inline(p.Author), "**"), "To do")+": ", step, "")
}

// notes has the caveats to read before the result.
func (p Pull) notes(e Envelope) string {
	all := UpTo(MaxListed, slices.Concat(p.Notes, e.Notes))
	return Wrapped("", strings.Join(lists.Map(all, func(note string) string { return "> " + inline(note) }), "\n\n"), "\n")
}

// waiting is an open decision: the people to decide and the question, and apart from them a table of
// the ways to answer, "" if a few words say it.
func (p Pull) waiting(e Envelope, d Decision) (text, answers string) {
	text = "**" + p.mayDecide() + "** has to decide"
	switch {
	case !asksToMerge(d):
		text += ": " + p.link(ClipLine(d.Question, 500), p.Links[d.ID])
	case e.Inquiry != nil:
		text += " whether the answer holds"
	default:
		text += " whether this is merged"
	}
	if asksToMerge(d) {
		reasons := lists.Once(lists.Map(p.places(d), func(h Hit) string { return h.Says }))
		text += Wrapped(": ", inline(enumerated(reasons)), "")
		text += ended(text)
	}
	text += Wrapped(" It also asks: ", strings.Join(lists.Map(UpTo(maxInWords, AlsoAsks(d)), inline), " "), "")
	switch address := p.Links[d.ID]; {
	case address != "" && Clickable(d):
		return text + " Answer in " + p.link("the issue", address) + ", or approve or request changes on the pull request.\n" + Wrapped("\n", alsoNeeded(d), ""), ""
	case address != "":
		return text + " Answer in " + p.link("the issue", address) + ".\n", ""
	case p.By != "": // the reader does not have its record
		return text + "\n", ""
	case p.Number > 0 && e.Inquiry != nil: // the commands there are about the review
		return text + " " + NotRecorded + "\n", ""
	case p.Number == 0: // of a run on the command line
		options := lists.Map(d.Options, func(o debate.Option) string { // as the command names them
			label, recommended := "", ""
			if o.ID == Recommended(d) {
				recommended = "recommended"
			}
			if Clickable(d) {
				label = Label(d, o.ID)
			} else if o.StatusQuo && recommended == "" {
				label = "nothing changes"
			}
			return comment.Code(ClipLine(o.ID, maxAnswerID)) + Wrapped(" (", strings.Join(Present(label, recommended), ", "), ")")
		})
		return text + " Answer with " + comment.Code("debate decide") + ": " + strings.Join(UpTo(maxAnswers, options), ", ") + ".\n", ""
	}
	return text + "\n", "\n" + p.waysToAnswer(e, d, false)
}

// NotRecorded is how to answer a question asked on a pull request with /debate ask.
const NotRecorded = "Your choice is not recorded here: choose, and act on it."

// Markdown renders the envelope of a run on the command line: the page of a summary comment, with
// all details of the debate in folds. Text from outside is plain text in it: no mention, link,
// image, HTML or command. It takes at most MaxMarkdown bytes, leaves out the history first, and
// counts the parts left out.
func Markdown(e Envelope) []byte { return Pull{}.page(e, e.Conclusion, "", true) }

// Posted renders a review that p.By posts from the command line: the poster, and the report as a
// quotation. The words of models appear there under the name of a person, and programs that obey
// a comment of this person skip quotations. It takes at most MaxMarkdown bytes with the hidden
// marker of the caller.
func Posted(e Envelope, p Pull) []byte {
	e.Record = "" // only the poster has it
	p.Room = MaxMarkdown
	head := "Posted by " + comment.MarkdownLine(OneLine(p.By)) + " from the command line. It is no check and blocks nothing.\n\n"
	for {
		body := head + quotation(string(p.page(e, "", "", false)))
		over := len(body) - (MaxMarkdown - Reserved)
		if over <= 0 || p.Room <= over {
			return []byte(body)
		}
		p.Room -= over // its lines grow by the mark of the quotation
	}
}

// Answer renders the answer to /debate ask. The findings of the pull request have the same ids, so
// it has none of their links.
func Answer(e Envelope, p Pull) []byte {
	p.Inline, p.Links, p.Gone, p.Notes, p.Spent = nil, nil, nil, nil, 0
	return p.page(e, "", "", false)
}

// closing is the last fold: the reviewed files, the models, the cost and the commands.
func (p Pull) closing(e Envelope) string {
	title := []string{Count(e.Stats.Files, "file")}
	if DebatedChange(e) && whole(e) && len(e.Stats.Excused) == 0 {
		title[0] += ", all read"
	}
	if e.Stats.Calls > 0 {
		title = append(title, Count(e.Stats.Calls, "call"), Cost(e.Stats.CostUSD, e.Stats.CostUnknown))
	}
	current := e.Inquiry == nil && len(Current(e)) > 0
	var read, lines []string // on which commit, if not all on this one
	for i, on := range e.Stats.ReadOn {
		where := "read at " + on.Head[:min(7, len(on.Head))] + ": "
		if i == 0 {
			where = "read at this commit: "
		}
		read = append(read, Wrapped(where, inline(Capped(on.Files, ", ")), ""))
	}
	add := func(isTrue bool, text string) {
		if isTrue {
			lines = append(lines, text)
		}
	}
	add(Reviewed(e), upperFirst(strings.Join(Present(read...), "; ")))
	add(p.Head == "" && Scope(e) != "", "Reviewed: "+comment.Code(Scope(e)))
	asked := lists.Keep(e.Parties, func(p Party) bool { return p.Calls > 0 && p.debates() })
	add(len(asked) > 0, entryMarkdown("Models: "+Capped(lists.Map(asked, func(p Party) string { return OneLine(p.ID) + Wrapped(" (", OneLine(p.Model), ")") }), ", ")))
	add(p.Spent > e.Stats.CostUSD || p.SpentUnknown && !e.Stats.CostUnknown, comment.MarkdownLine("All reviews of this pull request: "+Cost(p.Spent, p.SpentUnknown)))
	add(HasDebate(e) && len(e.Unsaid) > 0, entryMarkdown("Less sure because: "+Capped(e.Unsaid, "; ")))
	add(p.Head != "", "Commit "+p.short(p.Head))
	seal := Wrapped("SHA-256 ", comment.Code(OneLine(p.RecordHash[:min(shownHash, len(p.RecordHash))])), "")
	full := Wrapped("Record: ", strings.Join(Present(comment.Code(OneLine(e.Record)), seal), ", "), "")
	if p.RecordURL != "" {
		full = strings.Join(Present(p.link("Full report", p.RecordURL), seal), ", ")
	}
	add(e.Outcome != debate.Skipped, full)
	add(p.RecordURL != "" && current, "Prompt for a coding agent: "+comment.Code("debate report RECORD --format agent"))
	add(Reviewed(e) && current, Severities)
	if p.Number > 0 && e.Inquiry == nil {
		title = append(title, "commands")
		add(current, comment.Code("/debate dispute F1 WHY")+" objects to a finding")
		add(true, comment.Code("/debate help")+" lists all commands")
	}
	return fold(strings.Join(title, " · "), items(Present(lines...)))
}

// maxOpenRows bounds the visible findings; the others are folded.
const maxOpenRows = 12

// findings adds a table of the confirmed findings, each disputed one with both sides, and, folded,
// the details of those without an inline comment, as many as there is room for.
func (p Pull) findings(b *blocks, e Envelope) {
	confirmed := Agreed(e)
	rows := lists.Map(confirmed, func(f Finding) string {
		place := strings.ReplaceAll(p.place(f), "|", "<U+007C>") // an address has none
		return "| **" + cell(string(f.Severity)) + "** " + cell(f.ID) + " | " + place + " | " + cell(f.Title) + Wrapped(" **(", cell(Accepted(f)), ")**") + " |\n"
	})
	open := min(len(rows), maxOpenRows)
	const head = "| Finding | Where | Problem |\n|---|---|---|\n"
	b.add(Wrapped(head, strings.Join(rows[:open], ""), ""))
	if more := rows[open:]; len(more) > 0 {
		b.add(fold(Count(len(more), "more finding"), head+clippedLines(strings.Join(more, ""), b.room/3)))
	}
	for _, f := range lists.First(e.Unresolved, MaxSides) {
		b.add(p.unresolved(e, f))
	}
	if more := len(e.Unresolved) - MaxSides; more > 0 {
		b.add(fmt.Sprintf("and %d more that are open\n", more))
	}
	const title = "Details"
	details, room := "", b.room-b.out.Len()-len(fold(title, ""))-2
	for i, f := range slices.Concat(confirmed, e.Unresolved) {
		if p.Inline[f.ID] {
			continue
		}
		shown := i >= len(confirmed) && i < len(confirmed)+MaxSides // with its finders and the objections to it
		if shown && utf8.RuneCountInString(f.Body) <= maxFound && hasFinder(f) {
			f.Body = ""
			if p.RepositoryURL != "" && !f.Misquoted { // its place is a link to the lines
				f.Quote = ""
			}
		}
		text := findingText(f)
		if !shown {
			text += support(f) + "\n"
		}
		switch one := p.headOf(f) + "\n\n" + text + "\n"; {
		case text == "":
		case room == 0 || len(details)+len(one) > room:
			room = 0
			b.left++
		default:
			details += one
		}
	}
	if details != "" {
		b.add(fold(title, details))
	}
}

// headOf is a finding on one line.
func (p Pull) headOf(f Finding) string {
	return "**" + inline(string(f.Severity)) + "** " + Wrapped("", inline(f.ID), " ") + p.place(f) + " " + inline(f.Title) + Wrapped(" (", inline(Accepted(f)), ")")
}

// The bounds, in characters, of the words about a disputed finding: those of its finders, and those of each other side.
const (
	maxFound = 500
	maxSide  = 240
)

// unresolved is a finding that is disputed or not confirmed: its place and its finders, and below it a line for each
// side and for a way to settle it.
func (p Pull) unresolved(e Envelope, f Finding) string {
	said := Sides(f)
	text := "**" + upperFirst(cameOf(f)) + "**: " + p.headOf(f) + "."
	if !hasFinder(f) {
		text += " " + inline(StandsBehind(f))
	}
	if len(said) < 2 {
		text += Wrapped(" ", cutShort(WhyOpen(e, f, !hasFinder(f)), maxSide), "")
	}
	var lines []string
	for i, s := range said {
		most := maxSide
		if i == 0 && hasFinder(f) {
			most = maxFound
		}
		lines = append(lines, "**"+inline(s.Who)+"**: "+cutShort(s.Says, most))
	}
	lines = append(lines, Wrapped("To settle it: ", cutShort(Crux(f), maxSide), ""))
	return text + "\n" + items(Present(lines...))
}

// cutShort is a text as a sentence, cut short; "" for none.
func cutShort(text string, most int) string {
	text = ClipLine(text, most)
	return Wrapped("", comment.MarkdownLine(text), ended(text))
}

// gone lists the findings dismissed by people, as long as the review knows them, and the others
// gone since an earlier commit. It returns an envelope without them.
func (p Pull) gone(b *blocks, e Envelope) Envelope {
	var byPeople, others []string
	told := make(map[string]bool) // their ids
	line := func(id, title, why string) string {
		told[id] = true
		return strings.Join(Present(p.link(id, p.Links[id]), inline(title)), " ") + Wrapped(": ", inline(why), "")
	}
	for _, f := range e.Dismissed {
		if f.BucketReason == string(debate.ReasonHuman) {
			byPeople = append(byPeople, line(f.ID, f.Title, f.Why))
		}
	}
	for _, g := range p.Gone {
		if !told[g.ID] {
			others = append(others, line(g.ID, g.Title, g.Why))
		}
	}
	b.add(Wrapped("**Dismissed by a person**\n\n", items(UpTo(MaxListed, byPeople)), "\n") + Wrapped("**No longer there**\n\n", items(UpTo(MaxListed, others)), ""))
	e.Dismissed = lists.Keep(e.Dismissed, func(f Finding) bool { return !told[f.ID] })
	return e
}

// shownHash is how many digits of a hash people see.
const shownHash = 7
