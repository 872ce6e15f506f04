package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// Asked says how a human item was put to people.
type Asked struct {
	At       string   // the day on which it was asked, as people read it
	Reminded string   // the day of its one reminder, "" if none is out
	Notify   []string // logins and teams that the operator wants to be told
}

// maxItemTitle bounds the title of an issue, in characters; GitHub takes 256.
const maxItemTitle = 200

// maxHitsShown bounds the places of a question that stand in the open; the others are folded.
const maxHitsShown = 5

// Issue renders the questions about a pull request as one issue, or as a comment where
// issues cannot be written (M22, X27): what is new since an earlier answer, and for each
// question the lines that it is about, what the models recommend, one recommendation at
// most, and what each way to answer means (M21). Questions that somebody answered are
// named. It takes at most MaxMarkdown bytes; what is left out is said. The caller adds
// the hidden markers.
func Issue(e Envelope, ids []string, p Pull, asked Asked) (title string, body []byte) {
	e = p.named(e)
	var open, done []Decision
	for _, id := range ids {
		d, found := decisionOf(e, id)
		switch {
		case !found:
		case d.Outcome == debate.AwaitingHuman:
			open = append(open, d)
		default:
			done = append(done, d)
		}
	}
	if len(open)+len(done) == 0 {
		return "", nil
	}
	b := &blocks{room: MaxMarkdown - Reserved}
	for _, d := range open {
		b.add(p.newSince(d))
	}
	b.add(p.waits(open))
	for _, d := range done {
		b.add(itemState(d))
	}
	for _, d := range open {
		p.question(b, e, d, len(open)+len(done) > 1)
	}
	b.add(forWhom(asked))
	counts := p.whatCounts(open, asked)
	b.room -= len(counts) + 100
	details := &blocks{room: b.room - b.out.Len()}
	for _, d := range open {
		details.about(e, d, len(open) > 1)
	}
	if Reviewed(e) {
		details.add("Coverage: " + Coverage(e) + "\n")
	}
	for _, parts := range [][]string{p.Unreviewed, e.Stats.NotReviewed} {
		details.add(strings.TrimPrefix(unreviewedFold(parts), "\n"))
	}
	b.room += len(counts) + 100
	b.add(strings.TrimPrefix(fold("What counts as an answer, who holds what, scores", counts+"\n"+details.out.String()), "\n"))
	if left := b.left + details.left; left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for an issue: %s left out. The record holds everything._\n", Count(left, "part"))
	}
	return p.itemTitle(open, done), []byte(b.out.String())
}

// itemTitle is what an issue asks, in a line.
func (p Pull) itemTitle(open, done []Decision) string {
	list := open
	if len(list) == 0 {
		list = done
	}
	d := list[0]
	title := fmt.Sprintf("Decide: merge #%d?", p.Number)
	switch {
	case d.ID != "D0":
		title = fmt.Sprintf("Decide for #%d: %s", p.Number, unmarked(d.Question))
	case len(d.Triggers) > 0:
		title += " " + unmarked(cmp.Or(p.hitOf(d, 0).Says, d.Triggers[0].Detail))
	}
	more := ""
	if n := len(list) - 1; n > 0 {
		more = " (and " + Count(n, "more question") + ")"
	}
	return comment.Clip(title, maxItemTitle-len(more)) + more
}

// newSince says what is new since an answer that a push has overtaken, "" where there
// was none.
func (p Pull) newSince(d Decision) string {
	n, again := p.News[d.ID]
	if !again {
		return ""
	}
	text := "**New since " + inline(n.By) + " answered** (" + inline(wanted(d, n.Option)) + ", at " + p.link(shortSHA(n.Head), p.RepositoryURL+"/commit/"+url.PathEscape(n.Head)) + "): "
	if len(n.Hits) == 0 {
		return text + "lines that the answer rests on changed.\n"
	}
	var hits []string
	for _, hit := range n.Hits[:min(len(n.Hits), maxHitsShown)] {
		hits = append(hits, inline(OneLine(hit)))
	}
	if more := len(n.Hits) - len(hits); more > 0 {
		hits = append(hits, fmt.Sprintf("and %d more", more))
	}
	return text + strings.Join(hits, "; ") + ".\n"
}

func shortSHA(sha string) string { return sha[:min(7, len(sha))] }

// wanted is an option in the words of who wants it.
func wanted(d Decision, option string) string {
	for _, w := range waysToMerge {
		if w.option == option && clickable(d) {
			return w.wants
		}
	}
	for _, o := range d.Options {
		if o.ID == option && o.Label != "" {
			return OneLine(o.Label)
		}
	}
	return OneLine(option)
}

// waits says what waits for whom.
func (p Pull) waits(open []Decision) string {
	text := p.pull()
	if p.Title != "" {
		text += ", " + inline(p.Title) + ","
	}
	if p.Author != "" {
		text += " by " + inline(p.Author)
	}
	if len(open) == 0 {
		return text + " waits for nobody any more.\n"
	}
	who := "Somebody with " + inline(string(cmp.Or(p.Deciders, debate.WriteAccess))) + " access"
	if p.Author != "" && !p.AuthorDecides {
		who += ", other than " + inline(p.Author) + ","
	}
	what := "a decision"
	if len(open) > 1 {
		what = Count(len(open), "decision")
	}
	text += " waits for " + what + ". " + who + " has to decide before it is merged.\n"
	if closable(open[0]) == "" {
		text += "No issue could be opened for this: it is answered on the pull request.\n"
	}
	return text
}

// question is one question in the open.
func (p Pull) question(b *blocks, e Envelope, d Decision, several bool) {
	if several || d.ID != "D0" {
		b.add("### " + inline(d.ID) + ": " + comment.MarkdownLine(ClipLine(d.Question, 500)) + "\n")
	}
	for i, t := range d.Triggers {
		if i == maxHitsShown {
			b.add(fmt.Sprintf("and %d more, folded below.\n", len(d.Triggers)-i))
			break
		}
		b.add(p.hit(t, p.hitOf(d, i)))
	}
	b.list("It also asks:", d.Grouped, MaxListed)
	b.add(recommendation(e, d))
	b.add(p.ways(e, d, closable(d)))
}

// hitOf is the line that a trigger of a question is about, as far as it is known.
func (p Pull) hitOf(d Decision, i int) Hit {
	if hits := p.Hits[d.ID]; i < len(hits) {
		return hits[i]
	}
	return Hit{}
}

// hit is one place that a question is about, with its line.
func (p Pull) hit(t DecisionTrigger, h Hit) string {
	says := inline(cmp.Or(h.Says, t.Detail)) + " (" + inline(string(t.ID)) + ")" + waivedBy(t) + "\n"
	if h.Path == "" {
		return says
	}
	place := Place(Finding{Path: h.Path, Line: h.Line, Side: h.Side})
	where := comment.Code(place)
	if address := p.lines(h.Path, h.Line, h.Line); address != "" && h.Side != debate.Left {
		where = p.link(place, address)
	}
	text := where + " " + says
	if line := BoundedTo(h.Text, 1, maxQuoteWidth); line != "" {
		text += "\n" + comment.Fence("", line)
	}
	return text
}

// recommendation says what the models recommend, why, and who is against it (R028). It
// is one at most.
func recommendation(e Envelope, d Decision) string {
	choice := Recommended(d)
	if len(d.FinalOptions) == 0 && e.Outcome == debate.DegradedLocal {
		return "**No model reviewed this**, so that the built-in rules alone speak here.\n"
	}
	holders, against := partiesFor(d, choice)
	if choice == "" || choice == string(debate.Continue) {
		text := "**The models recommend nothing.**"
		if len(against) > 0 {
			text += " " + strings.Join(against, "; ") + "."
		}
		return text + "\n"
	}
	text := "**The models recommend: " + inline(wanted(d, choice)) + "**"
	if len(holders) > 0 {
		text += " (" + inline(inWords(holders)) + ")"
	}
	if why := lastSummary(e, holders); why != "" && d.ID == "D0" {
		text += ": " + why
	}
	text += "\n"
	if asks := standingFindings(e, d); len(asks) > 0 {
		text += "Open findings: " + inline(Capped(asks, "; ")) + "\n"
	}
	if len(against) > 0 {
		text += "**Against**: " + strings.Join(against, "; ") + ".\n"
	}
	return text
}

// partiesFor are the parties that hold an option, and what each of the others wants.
func partiesFor(d Decision, option string) (holds, others []string) {
	for _, o := range d.FinalOptions {
		switch {
		case o.Option == option && option != "":
			holds = append(holds, OneLine(o.Party))
		case o.Option != "" && o.Option != string(debate.Continue):
			others = append(others, inline(o.Party)+", "+inline(wanted(d, o.Option)))
		}
	}
	return holds, others
}

// lastSummary is the position as it stands at the end, "" where its party holds another
// option than these do.
func lastSummary(e Envelope, holders []string) string {
	if len(e.Positions) == 0 || e.Outcome == debate.DegradedLocal {
		return ""
	}
	last := e.Positions[len(e.Positions)-1]
	if !slices.Contains(holders, OneLine(last.By)) {
		return ""
	}
	return comment.MarkdownLine(ClipLine(last.Summary, 600))
}

// about adds what somebody may want to look up before deciding.
func (b *blocks) about(e Envelope, d Decision, several bool) {
	if several {
		b.add("#### " + inline(d.ID) + "\n")
	}
	if n := len(d.Triggers); n > maxHitsShown {
		var hits []string
		for _, t := range d.Triggers[maxHitsShown:] {
			hits = append(hits, t.Detail)
		}
		b.list("More places:", hits, maxRows)
	}
	if d.Rubric != nil {
		b.add(inline(RubricLine(*d.Rubric)) + "\n\n" + tableMarkdown(RubricTable(*d.Rubric)))
	} else if d.Why != "" {
		b.add("Not scored: " + inline(d.Why) + "\n")
	}
	b.list("Judges:", itemJudges(d), MaxListed)
	b.list("Who holds what:", Dissent(d), MaxListed)
	b.list("Agreed on:", d.Agreements, MaxListed)
	b.list("Disputed:", d.Disagreements, MaxListed)
	b.list("Why the models disagree:", assumptionLines(e.Assumptions), MaxListed)
	if d.Human != nil {
		b.list("Answers that did not count:", d.Human.Refused, MaxListed)
	}
	if d.Rubric == nil {
		return
	}
	for _, s := range d.Rubric.Sheets {
		b.add(strings.TrimPrefix(fold("Scoresheet", sheetMarkdown(d, s)), "\n"))
	}
}

// list adds a titled list of at most so many entries.
func (b *blocks) list(title string, entries []string, most int) {
	if len(entries) == 0 {
		return
	}
	text := title + "\n\n"
	for i, entry := range entries {
		if i == most {
			text += fmt.Sprintf("- and %d more\n", len(entries)-most)
			break
		}
		text += "- " + entryMarkdown(entry) + "\n"
	}
	b.add(text)
}

func decisionOf(e Envelope, id string) (Decision, bool) {
	for _, d := range e.Decisions {
		if d.ID == id {
			return d, true
		}
	}
	return Decision{}, false
}

// unmarked is a field for a place that is no Markdown, such as a title. It names
// nobody in a form that software which mirrors titles would notify.
func unmarked(s string) string {
	return strings.NewReplacer("@", "(at)", "\uFF20", "(at)", "\uFE6B", "(at)").Replace(OneLine(s))
}

// itemState says of a question that waits for nobody what became of it.
func itemState(d Decision) string {
	h := d.Human
	switch {
	case h == nil:
		return ""
	case h.Status == debate.ItemDecided:
		return inline(d.ID) + ", " + inline(d.Question) + ": **" + inline(h.By) + " decided: " + inline(wanted(d, h.Option)) + "**. " +
			comment.Code("/debate decide "+OneLine(d.ID)+" OPTION WHY") + " changes that.\n"
	}
	return inline(d.ID) + ", " + inline(d.Question) + ": nobody has to decide this any more.\n"
}

// closable is what can be closed to answer an item, "" where no issue holds it.
func closable(d Decision) string {
	if h := d.Human; h != nil && h.Sink != "" && h.Sink != debate.SinkIssue {
		return ""
	}
	return "this issue"
}

// standingFindings are those that the question quotes, and those that it does not take
// the place of.
func standingFindings(e Envelope, d Decision) []string {
	if d.Human == nil {
		return nil
	}
	ids := fids(append(slices.Clone(d.Human.StillOpen), d.Human.Quoted...))
	var lines []string
	for _, findings := range e.Lists() {
		for _, f := range *findings {
			if slices.Contains(ids, f.ID) {
				lines = append(lines, named(f))
			}
		}
	}
	return lines
}

// mention is a login or a team as GitHub spells them.
var mention = lazyregexp.New(`^@?([A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})(?:/[A-Za-z0-9._-]{1,100})?)$`)

// maxNotify bounds how many people one item notifies.
const maxNotify = 20

// WhoAnswers says who may answer a decision.
const WhoAnswers = "Somebody with write access has to answer: no bot, and the author of the change only where this repository allows it."

// whatCounts says what counts as an answer, who may give one, and to what it is bound.
func (p Pull) whatCounts(open []Decision, asked Asked) string {
	var b strings.Builder
	b.WriteString(WhoAnswers + " Comments count here and on the pull request. ")
	click := slices.IndexFunc(open, clickable)
	switch {
	case click >= 0:
		b.WriteString("An approval, a request for changes, and closing this issue answer " + inline(open[click].ID) + " once it has stood here unchanged for two minutes. ")
	case len(open) > 0 && closable(open[0]) != "":
		b.WriteString("Closing this issue does not say which option you want: the comment does. ")
	}
	b.WriteString("Of several people's answers the most careful one stands until its giver changes it. Closing this as a duplicate decides nothing; reopening it after an answer takes the answer back.\n")
	if p.Head != "" {
		b.WriteString("\nIt is asked about " + p.commit(p.Head) + ": an answer holds on later commits until lines that this rests on change.\n")
	}
	if asked.At != "" {
		b.WriteString("\nAsked on " + inline(asked.At))
		if asked.Reminded != "" {
			b.WriteString(", reminded on " + inline(asked.Reminded))
		}
		b.WriteString(".\n")
	}
	return b.String()
}

// forWhom mentions those whom the operator wants to be told. Here alone stand live
// mentions.
func forWhom(asked Asked) string {
	var who []string
	for _, name := range asked.Notify {
		if m := mention().FindStringSubmatch(name); m != nil && len(who) < maxNotify {
			who = append(who, "@"+m[1])
		}
	}
	if len(who) == 0 {
		return ""
	}
	return "For " + strings.Join(who, ", ") + "\n"
}
