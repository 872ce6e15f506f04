package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// maxItemTitle bounds the title of an issue, in characters; GitHub takes 256.
const maxItemTitle = 200

// Issue renders the questions about a pull request as one issue, or as a comment if issues cannot
// be written (M22): the people to decide, the lines in question, the recommendation of the
// models with its reason, the models against it, and the effect of each way to answer. It
// names the answered questions, and mentions the logins and teams of notify. It takes at most
// MaxMarkdown bytes and counts the parts left out. The caller adds the hidden markers.
func Issue(e Envelope, ids []string, p Pull, notify ...string) (title string, body []byte) {
	list := lists.Map(ids, func(id string) Decision { return decisionOf(e, id) })
	open, done := lists.Keep(list, Decision.awaited), lists.Keep(list, func(d Decision) bool { return d.ID != "" && !d.awaited() })
	if len(open)+len(done) == 0 {
		return "", nil
	}
	b := &blocks{room: MaxMarkdown - Reserved}
	for _, d := range open {
		if n, again := p.News[d.ID]; again {
			b.add(p.since(n) + " So this is asked again.\n")
		}
	}
	if len(open) == 0 {
		b.add("Nothing is left to decide about " + p.titled() + ".\n")
	} else {
		var does []string // the pull request
		for _, t := range open[0].Triggers {
			if asksToMerge(open[0]) {
				does = append(does, doing[t.ID])
			}
		}
		b.add(p.titled() + " " + cmp.Or(enumerated(lists.Once(Present(does...))), "needs a decision") + ". " + p.mayDecide() + " has to decide before it is merged.\n")
	}
	for _, d := range done {
		b.add(itemState(d, len(open) > 0))
	}
	for _, d := range open {
		if len(open)+len(done) > 1 || !asksToMerge(d) {
			b.add("### " + comment.MarkdownLine(Question(d)) + "\n")
		}
		all := p.places(d)
		says := lists.Map(lists.First(all, maxHitsShown), p.hit)
		if n := len(all) - maxHitsShown; n > 0 {
			says = append(says, "and "+Count(n, "more place")+", listed below")
		}
		b.add(items(says))
		b.list("It also asks:", d.Grouped, MaxListed)
		b.add(p.advice(e, d))
		b.add(p.waysToAnswer(e, d, true))
	}
	if len(open) == 0 {
		return p.itemTitle(done), []byte(b.out.String())
	}
	var who []string // no other text has live mentions
	for _, name := range notify {
		if m := mention().FindStringSubmatch(name); m != nil {
			who = append(who, "@"+m[1])
		}
	}
	b.add(Wrapped("cc ", strings.Join(lists.First(who, maxNotify), ", "), "\n"))

	counts := p.whatCounts(open)
	details := &blocks{room: b.room - b.out.Len() - len(counts) - 200}
	for _, d := range open {
		if len(open) > 1 {
			details.add("#### " + comment.MarkdownLine(Question(d)) + "\n")
		}
		p.about(details, e, d)
	}
	for _, part := range unread(e) {
		if len(part.Lines) > 0 && e.Outcome != debate.DegradedLocal {
			details.add(fold(fmt.Sprintf("%s (%d)", part.Title, len(part.Lines)), sectionMarkdown(part)))
		}
	}
	heading, text := "How answers count", counts
	if details.out.Len() > 0 {
		heading, text = "Arguments and how answers count", details.out.String()+"\n**How answers count**\n\n"+counts
	}
	b.add(fold(heading, text))
	if left := b.left + details.left; left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for an issue: %s left out. The full report holds everything._\n", Count(left, "part"))
	}
	return p.itemTitle(open), []byte(b.out.String())
}

// about adds the details of one question for a person about to decide.
func (p Pull) about(b *blocks, e Envelope, d Decision) {
	if all := p.places(d); len(all) > maxHitsShown {
		b.add("**More places**\n\n" + items(UpTo(MaxListed, lists.Map(all[maxHitsShown:], p.hit))))
	}
	var minds []string // what would change the mind of each model, and what it assumes
	for _, o := range d.FinalOptions {
		a := lists.Find(e.Assumptions, func(a Assumption) bool { return a.Party == o.Party && asksToMerge(d) })
		if more := changesMind(cmp.Or(o.Needs, a.RightIf), a.CoreAssumption, a.TestableBy); more != "" {
			minds = append(minds, OneLine(o.Party)+" "+d.would(o.Option)+"."+more)
		}
	}
	if d.Panel != nil { // else the recommendation above has the arguments
		b.list("**The discussion**", lists.Map(ThreadAbout(e, d), Side.line), MaxListed)
	}
	b.list("**Arguments**", minds, MaxListed)
	b.list("**Confirmed findings**", lists.Map(lists.Keep(Agreed(e), d.isAbout), Named), MaxListed)
	b.list("**Disputed findings**", lists.Map(disputes(e, d), namedOpen), MaxListed)
	if d.Rubric == nil && d.Why != "" {
		b.add("Not scored: " + inline(d.Why) + ".\n")
	}
	for _, part := range weighed(d) {
		b.list("**"+part.Title+"**", part.Lines, MaxListed)
	}
	b.list("**"+refusedTitle+"**", d.Person().Refused, MaxListed)
}

// itemTitle is the question of an issue in one line. It names one reason and counts the others.
func (p Pull) itemTitle(list []Decision) string {
	d, text, why, more := list[0], unmarked(Question(list[0])), "", ""
	var about []int // its triggers about something in the change
	for i, t := range d.Triggers {
		if doing[t.ID] != "" {
			about = append(about, i)
		}
	}
	switch {
	case !asksToMerge(d), len(d.Triggers) == 0:
	case len(about) == 0:
		why = " The models disagree"
	case d.Triggers[about[0]].Source == debate.FromParty: // the words of a model are no title of ours
		why = " It " + doing[d.Triggers[about[0]].ID]
	default:
		t := d.Triggers[about[0]]
		why = Wrapped(" ", unmarked(cmp.Or(hitOf(p.Hits[d.ID], about[0]).Says, t.Says, t.Detail)), "")
	}
	if n := len(about) - 1; asksToMerge(d) && n > 0 {
		more = ", and " + Count(n, "more reason")
	}
	if n := len(list) - 1; n > 0 {
		more += " (and " + Count(n, "more question") + ")"
	}
	switch {
	case asksToMerge(d) && p.Number > 0:
		text = fmt.Sprintf("Decide: merge #%d?", p.Number)
	case p.Number > 0:
		text = fmt.Sprintf("Decide for #%d: %s", p.Number, text)
	}
	return comment.ClipWords(text+why, maxItemTitle-len(more)) + more
}

// Asks is a question about a pull request of this number, as the title of an issue asks it; 0 is
// another change.
func Asks(d debate.Decision, number int) string {
	var e Envelope
	e.decisions(debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{d}}}, names{})
	return Pull{Number: number}.itemTitle(e.Decisions)
}

// since says what a later review found outside of an answer.
func (p Pull) since(n News) string {
	answer := strings.Join(Present(inline(mergeLabel(n.Option)), Wrapped("at ", p.short(n.Head), "")), ", ")
	return inline(n.By) + " answered" + Wrapped(" (", answer, ")") + ". **New since then**: " + strings.Join(lists.Map(UpTo(maxHitsShown, n.Found), inline), "; ") + "."
}

// titled is the pull request by its number and title, linked.
func (p Pull) titled() string {
	address := fmt.Sprintf("%s/pull/%d", p.RepositoryURL, p.Number)
	linked := p.link(fmt.Sprintf("pull request %d", p.Number), address)
	if p.Title != "" {
		linked = comment.Link(fmt.Sprintf("#%d ", p.Number), OneLine(p.Title), address, p.hosts())
	}
	return linked + Wrapped(" by ", inline(p.Author), "")
}

// list adds a titled list of at most so many entries.
func (b *blocks) list(title string, entries []string, most int) {
	if len(entries) == 0 {
		return
	}
	b.add(title + "\n\n" + items(lists.Map(UpTo(most, entries), entryMarkdown)))
}

// unmarked is a field for a place without Markdown, such as a title. It mentions no login, since
// software that mirrors titles might notify it.
func unmarked(s string) string {
	return strings.NewReplacer("@", "(at)", "\uFF20", "(at)", "\uFE6B", "(at)").Replace(OneLine(s))
}

// itemState is the result of a closed question. More: other questions are open.
func itemState(d Decision, more bool) string {
	h := d.Person()
	switch {
	case h.Status == "":
		return ""
	case h.Status != debate.ItemDecided:
		return "No decision is needed any more: " + comment.MarkdownLine(Question(d)) + "\n"
	}
	text := "**" + inline(h.By) + " decided: " + inline(Label(d, h.Option)) + ".**" + Wrapped(" Reason: ", inline(inQuotes(h.Reason)), ".")
	if !more {
		return text + " Reopen this issue to undo this.\n"
	}
	return text + " " + comment.Code("/debate decide "+OneLine(d.ID)+" OPTION WHY") + " changes that.\n"
}

// advice is the recommendation of the models with its reason, then the models against it with
// theirs (R028). It has at most one recommendation.
func (p Pull) advice(e Envelope, d Decision) string {
	alone := heardAlone(e)
	switch {
	case len(d.FinalOptions) > 0:
	case alone != "":
		return "**" + inline(alone) + "**.\n"
	case e.Outcome == debate.DegradedLocal:
		return "**Not reviewed by a model**: " + inline(cmp.Or(because(e), "no debate was possible")) + ".\n"
	}
	choice := Recommended(d)
	if IsNone(choice) {
		choice = ""
	}
	title, why := "**Answers**", ""
	var others []string
	for _, o := range d.FinalOptions {
		says, rests := reasonOf(e, d, o.Party)
		switch {
		case IsNone(o.Option):
		case o.Option != choice:
			others = append(others, inline(o.Party)+" "+inline(d.would(o.Option))+cmp.Or(Wrapped(": \"", says, "\""+rests), " and gives no reason")+".")
		case o.Party == lastPosition(e).By || why == "":
			why = Wrapped(" ", says, ".")
		}
	}
	if choice != "" {
		title = "**Against**"
	}
	text := "**" + inline(Recommends(d)) + "**" + why + "\n"
	text += Wrapped("\n"+title+"\n\n", items(others), "")
	if HasDebate(e) && e.Coverage == string(debate.CoveragePartial) {
		text += "\n" + upperFirst(partlyRead(e)) + ".\n"
	}
	return text
}

// reasonOf is the reason of a model in its own words, and whether a line shows it. The position
// written for the debate rests on the findings.
func reasonOf(e Envelope, d Decision, party string) (why, rests string) {
	spoken := func(text string) string {
		return comment.MarkdownLine(strings.TrimRight(ClipLine(flowing(text), MaxTitle), ". "))
	}
	disagrees := lists.Find(e.Assumptions, func(a Assumption) bool { return a.Party == party }).WhyDisagree
	if !asksToMerge(d) {
		return spoken(disagrees), " (no line quoted)"
	}
	if at := lastPosition(e); at.By == party {
		return spoken(at.Summary), ""
	}
	var last Challenge // its last live objection to the recommendation
	for _, k := range e.Objections {
		if k.By == party && k.isLive() {
			last = k
		}
	}
	if len(last.Shown) > 0 {
		return spoken(last.Objection), " (see " + inline(Capped(last.Shown, ", ")) + ")"
	}
	return spoken(cmp.Or(disagrees, last.Objection)), " (no line quoted)"
}

// mention is a login or a team as GitHub spells them.
var mention = lazyregexp.New(`^@?([A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})(?:/[A-Za-z0-9._-]{1,100})?)$`)

// maxNotify bounds how many people one item notifies.
const maxNotify = 20

// whatCounts lists the forms of an answer, and how long an answer holds.
func (p Pull) whatCounts(open []Decision) string {
	lines := []string{"A command counts here and on the pull request. Bots cannot answer."}
	if slices.ContainsFunc(open, Clickable) {
		lines = append(lines,
			"An approval, a request for changes or closing this issue answers only whether to merge. It does not count in the first two minutes after this text changed.",
			"If answers differ, the strictest one counts.",
			"Closing this issue as a duplicate decides nothing. Reopening it undoes an answer.")
	} else {
		lines = append(lines, "Closing this issue answers nothing. Reopening it undoes an answer.")
	}
	if p.Head != "" {
		lines = append(lines, "This is about "+p.short(p.Head)+". An answer holds for later commits until the lines in question change.")
	}
	var waivable []string
	for _, d := range open {
		for _, t := range d.Triggers {
			waivable = append(waivable, comment.Code("/debate waive "+OneLine(string(t.ID))+" WHY")+" ("+cmp.Or(doing[t.ID], "the models disagree")+")")
		}
	}
	lines = append(lines, Wrapped("Someone with maintain access can remove a reason for this question, for this commit: ", strings.Join(lists.Once(waivable), ", "), "."))
	return items(Present(lines...))
}

// maxHitsShown bounds the visible places of a question; the others are folded.
const maxHitsShown = 3

// places has all places of a question: those of its triggers, and further ones of the same kind.
func (p Pull) places(d Decision) []Hit {
	var list []Hit
	hits := p.Hits[d.ID]
	for i, t := range d.Triggers {
		if !d.explains(t) {
			continue
		}
		h := hitOf(hits, i)
		h.Says = cmp.Or(h.Says, whyAsked(d, t)) + Wrapped(", waived by ", OneLine(t.Waived), "")
		list = append(list, h)
	}
	list = append(list, hits[min(len(hits), len(d.Triggers)):]...)
	slices.SortStableFunc(list, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return list
}

// hit is one place of a question, the text about it, and its line.
func (p Pull) hit(h Hit) string {
	line := strings.TrimSpace(BoundedTo(h.Text, 1, MaxQuoteWidth))
	says := inline(h.Says) + Wrapped(" (", inline(enumerated(h.By)), ")") + Wrapped(" ", comment.Code(line), "")
	if h.Path == "" {
		return says
	}
	return p.place(Finding{Path: h.Path, Line: h.Line, Side: h.Side}) + ": " + says
}

// IssueDecided posts the decision of a person on the issue. More: other questions of the issue
// are open.
func IssueDecided(e Envelope, id string, p Pull, more bool) []byte {
	d := decisionOf(e, id)
	if d.Human == nil {
		return nil
	}
	text := "Recorded: " + itemState(d, more)
	if d.Human.Self {
		text += "\n" + inline(d.Human.By) + " is an author of the change, and this repository lets authors decide.\n"
	}
	text += Wrapped("\nThis holds for ", p.short(d.Human.Head), " and for later commits, until the lines in question change.\n")
	return []byte(text + Wrapped("\n", alsoNeeded(d), ""))
}

// Outvoted says that an answer is recorded, but a more careful one counts.
func Outvoted(by, counts, option string) []byte {
	return []byte("Recorded for " + inline(by) + ". The answer of " + inline(counts) + " counts (" + inline(mergeLabel(option)) +
		"): if answers differ, the strictest one counts.\n")
}

// EndedUndecided says that a pull request was merged or closed without an answer, and by whom if it
// is known.
func EndedUndecided(merged bool, by string) string {
	did := "closed"
	if merged {
		did = "merged"
	}
	if by == "" {
		return "The pull request was " + did + " before a decision was made."
	}
	return OneLine(by) + " " + did + " the pull request before a decision was made."
}

// IssueWithdrawn is the last comment of an item after its pull request ended without an answer.
func IssueWithdrawn(merged bool, by string) []byte {
	return []byte(inline(EndedUndecided(merged, by)) + "\n")
}

// IssueSuperseded is the last comment of an item made obsolete by a new head.
func IssueSuperseded(p Pull, head string) []byte {
	return []byte("No decision is needed any more: " + p.short(head) + " changed the lines in question.\n")
}

// AskedAnew says on an issue that its text is written again: a person edited it, or a question
// changed.
func AskedAnew(p Pull, head, editor string) []byte {
	text := cmp.Or(Wrapped("", inline(editor), " edited this issue, so its text was written again. "), "The question changed with "+p.short(head)+". ")
	for _, id := range slices.Sorted(maps.Keys(p.News)) {
		text += p.since(p.News[id]) + "\n\n"
	}
	return []byte(text + "Read the question above before you answer. An approval, a request for changes or closing this issue does not count in the first two minutes.\n")
}

// Undone says in one sentence why a closing or another answer does not count.
func Undone(by, why string) []byte {
	return []byte("The answer of " + inline(by) + " does not count: " + inline(why) + ".\n")
}

// Reminder is the one reminder about an item after so many days.
func Reminder(days int) []byte {
	return []byte("This has waited for " + Count(max(days, 0), "day") + ". Nothing happens without an answer. This is the only reminder.\n")
}
