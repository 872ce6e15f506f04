package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// Asked says how a human item was put to people.
type Asked struct {
	At       string   // the day on which it was asked, as people read it
	Reminded string   // the day of its one reminder, "" if none is out
	Notify   []string // logins and teams that the operator wants to be told
}

// maxItemTitle bounds the title of an issue, in characters; GitHub takes 256.
const maxItemTitle = 200

// Issue renders the human item of a decision as an issue, or as a comment where
// issues cannot be written (X27): the question, what is recommended, what each way to
// answer means (M21), and all that somebody needs who has not read the pull request, and one
// recommendation at most. It takes at most MaxMarkdown bytes; what is left out of
// the folds is said. The caller adds the hidden marker.
func Issue(e Envelope, id string, p Pull, asked Asked) (title string, body []byte) {
	e = p.named(e)
	d, found := decisionOf(e, id)
	if !found {
		return "", nil
	}
	title = fmt.Sprintf("debate: pull request %d needs a decision (%s)", p.Number, unmarked(d.ID))
	if d.ID != "D0" {
		title = fmt.Sprintf("debate: pull request %d: %s (%s)", p.Number, unmarked(d.Question), unmarked(d.ID))
	}
	title = comment.Clip(title, maxItemTitle)

	answer := p.answering(d, asked)
	b := &blocks{room: MaxMarkdown - Reserved - len(answer) - 1}
	if text := itemState(d); text != "" {
		b.add(text + "\n")
	}
	b.add(p.anchor(e))
	b.add("### " + inline(d.ID) + ": " + comment.MarkdownLine(ClipLine(d.Question, 500)) + "\n")
	b.add(p.reasons(e, d))
	b.list("#### Findings that stand", standingFindings(e, d), MaxListed)
	b.add(itemRecommendation(d))
	b.add(p.ways(e, d, closable(d)))
	b.room += len(answer) + 1
	b.add(answer)
	b.list("#### This item also asks", d.Grouped, 2*MaxListed)
	if d.Rubric != nil {
		b.add("#### Scores\n\n" + inline(RubricLine(*d.Rubric)) + "\n\n" + tableMarkdown(RubricTable(*d.Rubric)))
	} else if d.Why != "" {
		b.add("Not scored: " + inline(d.Why) + "\n")
	}
	b.list("#### Judges", itemJudges(d), MaxListed)
	b.list("#### Who holds what", Dissent(d), MaxListed)
	b.list("#### Agreed on", d.Agreements, MaxListed)
	b.list("#### Disputed", d.Disagreements, MaxListed)
	b.list("#### Why the parties disagree", assumptionLines(e.Assumptions), MaxListed)
	if Reviewed(e) {
		b.add("Coverage: " + Coverage(e) + "\n")
	}
	if d.Human != nil {
		b.list("#### Answers that did not count", d.Human.Refused, MaxListed)
	}
	if d.Rubric != nil {
		for _, s := range d.Rubric.Sheets {
			b.add(strings.TrimPrefix(fold("Scoresheet", sheetMarkdown(d, s)), "\n"))
		}
	}
	for _, parts := range [][]string{p.Unreviewed, e.Stats.NotReviewed} {
		b.add(strings.TrimPrefix(unreviewedFold(parts), "\n"))
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for an issue: %s left out. The record holds everything._\n", Count(b.left, "part"))
	}
	return title, []byte(b.out.String())
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

// itemState says that an item waits for nobody, or that no issue can be closed to answer
// it; "" where it waits in an issue.
func itemState(d Decision) string {
	switch h := d.Human; {
	case h == nil:
	case h.Status == debate.ItemDecided:
		return "Decided: " + comment.Code(OneLine(h.Option)) + " by " + inline(h.By) + ". Reopening this issue revokes the decision."
	case h.Status == debate.ItemWithdrawn, h.Status == debate.ItemSuperseded:
		return "Nobody has to decide this any more: it is " + string(h.Status) + "."
	case closable(d) == "":
		return "No issue could be opened for this: it is answered on the pull request."
	}
	return ""
}

// closable is what can be closed to answer an item, "" where no issue holds it.
func closable(d Decision) string {
	if h := d.Human; h != nil && h.Sink != "" && h.Sink != debate.SinkIssue {
		return ""
	}
	return "this issue"
}

// anchor is what the decision is about.
func (p Pull) anchor(e Envelope) string {
	text := "About " + p.pull()
	if p.Title != "" {
		text += ", " + inline(p.Title)
	}
	return text + fmt.Sprintf(" (%s, +%d -%d).\n", Count(e.Stats.Files, "file"), e.Stats.Additions, e.Stats.Deletions)
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

// itemRecommendation is the one recommendation, or that there is none (R028).
func itemRecommendation(d Decision) string {
	if choice := Recommended(d); choice != "" {
		return "**Recommended: " + comment.Code(OneLine(choice)) + "**\n"
	}
	return "**Nothing is recommended.**\n"
}

// reasons are the triggers, each with a link to where it stands.
func (p Pull) reasons(e Envelope, d Decision) string {
	var b strings.Builder
	b.WriteString("#### Why a human decides\n\n")
	for i, t := range d.Triggers {
		if i == MaxListed {
			fmt.Fprintf(&b, "- and %d more\n", len(d.Triggers)-MaxListed)
			break
		}
		b.WriteString("- " + p.link(string(t.ID), p.triggered(e, t)) + " " + inline(t.Detail) + waivedBy(t) + "\n")
	}
	return b.String()
}

// triggered is the address of the lines that a trigger of a decision matched.
func (p Pull) triggered(e Envelope, t DecisionTrigger) string {
	for _, at := range e.Triggers {
		if at.ID == t.ID && at.Source == t.Source && located(debate.Trigger{Path: at.Path, Line: at.Line, Detail: at.Detail}) == t.Detail {
			return p.lines(at.Path, at.Line, at.Line)
		}
	}
	return ""
}

// mention is a login or a team as GitHub spells them.
var mention = regexp.MustCompile(`^@?([A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})(?:/[A-Za-z0-9._-]{1,100})?)$`)

// maxNotify bounds how many people one item notifies.
const maxNotify = 20

// WhoAnswers says who may answer a decision.
const WhoAnswers = "Somebody with write access has to answer: no bot, and the author of the change only where this repository allows it."

// answering says how to answer, who may, and to what the answer is bound. Here
// alone stand live mentions: those of the operator's own list.
func (p Pull) answering(d Decision, asked Asked) string {
	var b strings.Builder
	if !clickable(d) && closable(d) != "" {
		b.WriteString("Closing this issue does not say which option you want: the comment does. ")
	}
	b.WriteString(WhoAnswers + " A comment counts here and on the pull request. Closing this as a duplicate decides nothing; reopening it after an answer takes the answer back.\n")
	if p.Head != "" {
		b.WriteString("\nAn answer is bound to head " + p.commit(p.Head) + ": if lines that this rests on change, it is asked again.\n")
	}
	if asked.At != "" {
		b.WriteString("\nAsked on " + inline(asked.At))
		if asked.Reminded != "" {
			b.WriteString(", reminded on " + inline(asked.Reminded))
		}
		b.WriteString(".\n")
	}
	var who []string
	for _, name := range asked.Notify {
		if m := mention.FindStringSubmatch(name); m != nil && len(who) < maxNotify {
			who = append(who, "@"+m[1])
		}
	}
	if len(who) > 0 {
		b.WriteString("\nFor " + strings.Join(who, ", ") + "\n")
	}
	return b.String()
}

// RubricTable has the combined result of every option.
func RubricTable(r Rubric) [][]string {
	var weights []string
	for _, c := range r.Criteria {
		weights = append(weights, OneLine(c.ID)+" "+percent(c.WeightBP))
	}
	table := [][]string{{"Option", "Combined of " + Capped(weights, ", ")}}
	for _, c := range r.Combined {
		table = append(table, []string{c.Option, fmt.Sprintf("%d of %d: %s", c.Sum, c.Max, share(c))})
	}
	return table
}

// sheetMarkdown is what one party scored on its own.
func sheetMarkdown(d Decision, s Sheet) string {
	text := "By " + inline(s.Party)
	if !s.Valid {
		text += ", it does not count: " + inline(s.Why)
	}
	text += "\n\n"
	if s.Rationale != "" {
		text += comment.MarkdownLine(ClipLine(s.Rationale, MaxEntry)) + "\n\n"
	}
	if len(s.Scores) == 0 {
		return text
	}
	return text + tableMarkdown(SheetTable(d, s))
}

// SheetTable has a row for every option and a column for every criterion.
func SheetTable(d Decision, s Sheet) [][]string {
	head := []string{"Option"}
	for _, c := range d.Rubric.Criteria {
		head = append(head, OneLine(c.ID))
	}
	table := [][]string{head}
	for _, o := range d.Options {
		row := []string{o.ID}
		for _, c := range d.Rubric.Criteria {
			cell := "none"
			if score, ok := s.of(o.ID, c.ID); ok {
				cell = fmt.Sprint(score)
			}
			row = append(row, cell)
		}
		table = append(table, row)
	}
	return table
}

// itemJudges is how the panel voted and why (R187-R189).
func itemJudges(d Decision) []string {
	if d.Panel == nil {
		return nil
	}
	out := append([]string{"Judges: " + PanelLine(*d.Panel)}, judgeLines(d)...)
	for _, line := range strings.Split(strings.TrimSpace(d.Panel.UserPrompt), "\n") {
		if line != "" {
			out = append(out, "To choose: "+line)
		}
	}
	return out
}

// IssueDecided is the last comment of an item that a person decided.
func IssueDecided(e Envelope, id string, p Pull) []byte {
	d, found := decisionOf(p.named(e), id)
	if !found || d.Human == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString("Decided: " + comment.Code(OneLine(d.Human.Option)) + " by " + inline(d.Human.By) + ".\n")
	if d.Human.Reason != "" {
		b.WriteString("\nReason: " + inline(d.Human.Reason) + "\n")
	}
	if d.Human.Self {
		b.WriteString("\nThe author decided, as this repository allows.\n")
	}
	if d.Human.Head != "" {
		b.WriteString("\nIt holds for head " + p.commit(d.Human.Head) + ".\n")
	}
	for _, line := range stillOpen(d.Human.StillOpen) {
		b.WriteString("\n" + inline(line) + ".\n")
	}
	return []byte(b.String() + "\nThe check of " + p.pull() + " says what follows. Reopening this issue revokes the decision.\n")
}

// IssueWithdrawn is the last comment of an item that nobody has to decide any
// more, such as when its pull request was closed.
func IssueWithdrawn(p Pull, why string) []byte {
	return []byte(strings.TrimRight("Withdrawn, nobody decided this: "+p.pull()+" "+inline(why), " ") + ".\n")
}

// IssueSuperseded is the last comment of an item that a new head has overtaken;
// again is the address of the item that asks anew, "" if none does.
func IssueSuperseded(p Pull, head, again string) []byte {
	text := "Superseded: lines that this rests on are different at head " + p.commit(head) + " of " + p.pull() + "."
	if link := p.link("another issue", again); link != "another issue" {
		text += " It is asked again in " + link + "."
	}
	return []byte(text + "\n")
}

// AskedAgain reopens an item that was answered: a new head has overtaken the
// answer (S08).
func AskedAgain(p Pull, head string) []byte {
	return []byte("Asked again: lines that this rests on are different at head " + p.commit(head) + " of " + p.pull() + ", so that the earlier answer does not hold any more.\n")
}

// Undone says in one sentence why a closing or another answer does not count.
func Undone(by, why string) []byte {
	return []byte("What " + inline(by) + " did here decides nothing: " + inline(why) + ".\n")
}

// Restored says that an item has its own words again.
func Restored(by string) []byte {
	return []byte("The text of this question was edited by " + inline(by) + "; it is restored, as answers count for what was asked.\n")
}

// Reminder is the one reminder about an item that has waited so many days.
func Reminder(days int) []byte {
	return []byte("This has waited for " + Count(max(days, 0), "day") + ", and nothing happens without an answer. This is the only reminder.\n")
}
