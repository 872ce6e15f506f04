package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Asked says how a human item was put to people.
type Asked struct {
	At     string   // the day of the question, for people
	Notify []string // logins and teams mentioned in the issue
}

// maxItemTitle bounds the title of an issue, in characters; GitHub takes 256.
const maxItemTitle = 200

// Issue renders the questions about a pull request as one issue, or as a comment if issues cannot
// be written (M22): the people to decide, the lines in question, the recommendation of the
// models with its reason, the models against it, and the effect of each way to answer. It
// names the answered questions. It takes at most MaxMarkdown bytes and counts the parts left out.
// The caller adds the hidden markers.
func Issue(e Envelope, ids []string, p Pull, asked Asked) (title string, body []byte) {
	list := lists.Map(ids, func(id string) Decision { return lists.Find(e.Decisions, func(d Decision) bool { return d.ID == id }) })
	open, done := lists.Keep(list, Decision.awaited), lists.Keep(list, Decision.closed)
	if len(open)+len(done) == 0 {
		return "", nil
	}
	b := &blocks{room: MaxMarkdown - Reserved}
	for _, d := range open {
		b.add(p.newSince(d))
	}
	b.add(p.whoDecides(open))
	for _, d := range done {
		b.add(itemState(d, len(open) > 0))
	}
	for _, d := range open {
		p.question(b, e, d, len(open)+len(done) > 1)
	}
	if len(open) > 0 {
		b.add(forWhom(asked))
		p.lookUp(b, e, open, asked)
	}
	return p.itemTitle(open, done), []byte(b.out.String())
}

// lookUp adds, folded, the details for a person about to decide.
func (p Pull) lookUp(b *blocks, e Envelope, open []Decision, asked Asked) {
	counts := p.whatCounts(open, asked)
	details := &blocks{room: b.room - b.out.Len() - len(counts) - 200}
	title := ""
	for _, d := range open {
		p.about(details, e, d, len(open) > 1)
		if len(minds(e, d)) > 0 {
			title = "Arguments, "
		}
	}
	if slices.ContainsFunc(open, func(d Decision) bool { return d.Rubric != nil }) {
		title += "scores, "
	}
	title += "how answers count"
	if details.out.Len() > 0 {
		counts = "\n**How answers count**\n\n" + counts
	}
	title = upperFirst(title)
	for _, parts := range [][]string{p.Unreviewed, e.Stats.NotReviewed} {
		if len(parts) > 0 && e.Outcome != debate.DegradedLocal {
			details.add(fold(fmt.Sprintf("Not reviewed in full (%d)", len(parts)), bullets(parts)))
		}
	}
	b.add(fold(title, details.out.String()+counts))
	if left := b.left + details.left; left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for an issue: %s left out. The full report holds everything._\n", Count(left, "part"))
	}
}

// itemTitle is the question of an issue in one line.
func (p Pull) itemTitle(open, done []Decision) string {
	list := open
	if len(list) == 0 {
		list = done
	}
	d := list[0]
	more := ""
	if n := len(list) - 1; n > 0 {
		more = " (and " + Count(n, "more question") + ")"
	}
	if !asksToMerge(d) {
		return comment.ClipWords(fmt.Sprintf("Decide for #%d: %s", p.Number, unmarked(d.Question)), maxItemTitle-len(more)) + more
	}
	others := ""
	if n := len(d.Triggers) - 1; n > 0 && !atOdds(d) {
		others = ", and " + Count(n, "more reason")
	}
	title := fmt.Sprintf("Decide: merge #%d?%s", p.Number, Wrapped(" ", unmarked(firstReason(d, p.Hits[d.ID])), others)) + more
	if utf8.RuneCountInString(title) > maxItemTitle { // no bracket is cut
		title = fmt.Sprintf("Decide: merge #%d? It %s%s", p.Number, doing[d.Triggers[d.asking()].ID], others) + more
	}
	return title
}

// Asks is a question about a pull request of this number, as the title of an issue asks it.
func Asks(d debate.Decision, number int) string {
	var e Envelope
	e.decisions(debate.State{Agenda: debate.Agenda{Decisions: []debate.Decision{d}}}, names{})
	return Pull{Number: number}.itemTitle(e.Decisions, nil)
}

// asksToMerge reports whether a question is the one about the whole change.
func asksToMerge(d Decision) bool { return d.ID == "D0" }

// newSince says what a later review found outside of an answer, "" if there was none.
func (p Pull) newSince(d Decision) string {
	n, again := p.News[d.ID]
	if !again {
		return ""
	}
	found := strings.Join(lists.Map(upTo(maxHitsShown, n.Found), inline), "; ")
	return inline(n.By) + " answered (" + inline(Wanted(d, n.Option)) + ", at " + p.short(n.Head) + "), **but not about this**: " + found + ". So this is asked again.\n"
}

// short is a commit by its first digits, linked.
func (p Pull) short(sha string) string {
	return p.link(sha[:min(7, len(sha))], p.RepositoryURL+"/commit/"+url.PathEscape(sha))
}

// titled is the pull request by its number and title, linked.
func (p Pull) titled() string {
	address := fmt.Sprintf("%s/pull/%d", p.RepositoryURL, p.Number)
	linked := p.link(fmt.Sprintf("pull request %d", p.Number), address)
	if p.Title != "" {
		linked = comment.NumberedLink(p.Number, OneLine(p.Title), address, p.hosts())
	}
	return linked + Wrapped(" by ", inline(p.Author), "")
}

// whoDecides says what the pull request does and who has to decide about it.
func (p Pull) whoDecides(open []Decision) string {
	if len(open) == 0 {
		return "Nothing is left to decide about " + p.titled() + ".\n"
	}
	first := open[0]
	does := once(Present(lists.Map(first.Triggers, DecisionTrigger.does)...))
	text := p.titled() + " " + cmp.Or(enumerated(does), "needs a decision") + "."
	switch {
	case !asksToMerge(first):
		text = p.titled() + " raises a question for people."
	case atOdds(first):
		text = "The models could not settle whether " + p.titled() + " should be merged."
	}
	what := "decide before it is merged"
	if len(open) > 1 {
		what = "answer " + Count(len(open), "question") + " before it is merged"
	}
	text += " " + p.mayDecide() + " has to " + what + ".\n"
	if closable(first) == "" {
		text += "No issue could be opened for this: answer on the pull request.\n"
	}
	return text
}

// question is one question in the open.
func (p Pull) question(b *blocks, e Envelope, d Decision, several bool) {
	switch {
	case several:
		b.add("### " + inline(d.ID) + ": " + asks(d) + "\n")
	case !asksToMerge(d):
		b.add("### " + asks(d) + "\n")
	}
	p.hits(b, d)
	b.list("Part of the question:", d.Grouped, MaxListed)
	b.add(p.advice(e, d))
	b.add(p.ways(e, d, closable(d)))
}

// asks is the text of a question.
func asks(d Decision) string {
	if asksToMerge(d) {
		return "should this be merged?"
	}
	return comment.MarkdownLine(ClipLine(d.Question, 500))
}

// list adds a titled list of at most so many entries.
func (b *blocks) list(title string, entries []string, most int) {
	if len(entries) == 0 {
		return
	}
	b.add(title + "\n\n" + items(lists.Map(upTo(most, entries), entryMarkdown)))
}

func decisionOf(e Envelope, id string) (Decision, bool) {
	d := lists.Find(e.Decisions, func(d Decision) bool { return d.ID == id })
	return d, d.ID != ""
}

// unmarked is a field for a place without Markdown, such as a title. It mentions no login, since
// software that mirrors titles might notify it.
func unmarked(s string) string {
	return strings.NewReplacer("@", "(at)", "\uFF20", "(at)", "\uFE6B", "(at)").Replace(OneLine(s))
}

// itemState is the result of a closed question. More: other questions are open.
func itemState(d Decision, more bool) string {
	h := d.Human
	switch {
	case h == nil:
		return ""
	case h.Status != debate.ItemDecided:
		return "No decision is needed any more: " + asks(d) + "\n"
	}
	text := "**" + inline(h.By) + " " + tookDecision(d) + ".**"
	if h.Reason != "" {
		text += " Reason: " + quoted(h.Reason) + "."
	}
	if !more {
		return text + " Reopen this issue to undo this.\n"
	}
	return text + " " + comment.Code("/debate decide "+OneLine(d.ID)+" OPTION WHY") + " changes that.\n"
}

// quoted is the words of a person on one line, in quotes.
func quoted(words string) string {
	return "\"" + inline(strings.TrimRight(OneLine(words), ". ")) + "\""
}

// closable names what to close to answer an item, "" if it has no issue.
func closable(d Decision) string {
	if cmp.Or(d.Person().Sink, debate.SinkIssue) == debate.SinkIssue {
		return "this issue"
	}
	return ""
}

// standingFindings has the findings quoted in the question, and those it does not replace.
func standingFindings(e Envelope, d Decision) []string {
	var lines []string
	for f := range e.Findings() {
		if quotes(d, *f) {
			lines = append(lines, Named(*f))
		}
	}
	return lines
}

// quotes reports whether a question names a finding: it quotes it, or does not replace it.
func quotes(d Decision, f Finding) bool {
	h := d.Person()
	return slices.Contains(slices.Concat(h.StillOpen, h.Quoted), f.ID)
}
