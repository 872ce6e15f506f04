package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// maxReply bounds, in bytes, an answer to a command.
const maxReply = 30_000

// Explain renders the answer to /debate explain: the statements about one finding by its F id and
// its result, without another call. It takes at most maxReply bytes.
func Explain(e Envelope, id string, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return []byte("There is no finding " + comment.Code(OneLine(id)) + " here." + knownFindings(e) + "\n")
	}
	b := &blocks{room: maxReply - Reserved}
	b.add("### " + strings.TrimSpace(p.headOf(f)) + "\n")
	b.add(howItStands(f) + "\n")
	b.add(comment.Markdown(comment.Clip(f.Body, MaxBody)) + "\n")
	if q := Quote(f); q != "" {
		b.add(comment.Fence("", q))
	}
	said := Conversation(f)
	if len(said) == 0 {
		said = []string{StandsBehind(f)}
	}
	b.list("**The debate**", said, maxConversation)
	var questions []string
	for _, d := range e.Decisions {
		if slices.Contains(d.Claims, f.ID) {
			questions = append(questions, questionOf(d)+" "+whereItStands(d))
		}
	}
	b.list("**Questions about it**", questions, MaxListed)
	if report := p.link("full report", p.RecordURL); report != "full report" {
		b.add("The " + report + " holds the whole debate.\n")
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_%s left out. The full report holds everything._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String())
}

// howItStands is the state of a finding, its reason, and how to settle it if it is open.
func howItStands(f Finding) string {
	text := "It is " + Standing(f)
	if why := Settled(f); why != "" {
		text += ": " + why
	}
	text = inline(text) + "."
	if raised := cmp.Or(f.Asserted, f.Severity); raised != f.Severity {
		text += " It was raised as " + inline(string(raised)) + "."
	}
	if f.Crux != "" {
		text += " To settle it: " + comment.MarkdownLine(sentence(f.Crux))
	}
	return text
}

// questionOf is the text of a question, as a sentence of its own.
func questionOf(d Decision) string {
	if asksToMerge(d) {
		return "Should this be merged?"
	}
	return ClipLine(d.Question, 500)
}

// whereItStands is the state of a question in a few words.
func whereItStands(d Decision) string {
	h := d.Human
	switch {
	case d.Outcome == debate.AwaitingHuman:
		return "It waits for a decision."
	case d.Outcome == debate.HumanDecided && h != nil:
		return OneLine(h.By) + " " + tookDecision(d) + "."
	case Recommended(d) != "":
		return "The models chose " + labelOf(d, d.Recommendation) + "."
	}
	return "It is open."
}

// Disputed renders the answer to a dispute of a finding: its new state, and the answer of each
// model. Heard: the model that answers for the finding replied.
func Disputed(e Envelope, id string, heard bool, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return nil
	}
	text := inline(f.ID)
	switch {
	case !heard:
		text += " stays as it was (" + inline(string(f.Severity)) + "): the model that answers for it did not reply. Dispute it again later."
	case f.Bucket == debate.Dismissed:
		text += " is " + inline(Standing(f)) + "."
	case isUnproved(f):
		text += " is left out: " + inline(BecauseOf(f)) + "."
	case f.Bucket == debate.Unresolved:
		text += " is disputed now (" + inline(string(f.Severity)) + ")."
	default:
		text += " stays confirmed (" + inline(string(f.Severity)) + ")."
	}
	for _, l := range lastSaid(f) {
		text += " " + p.heard(l)
	}
	if f.Bucket != debate.Dismissed {
		text += " Not convinced? A maintainer can " + comment.Code("/debate dismiss "+OneLine(f.ID)+" WHY") + "."
	}
	return []byte(text + "\n")
}

// lastSaid are the last lines of each model about the last dispute of a finding.
func lastSaid(f Finding) []Line {
	var last []Line
	for i, l := range slices.Backward(f.Conversation) {
		if l.Act == DidDispute {
			slices.Reverse(last)
			return last[:min(len(last), MaxSides)]
		}
		known := slices.ContainsFunc(last, func(other Line) bool { return other.Who == l.Who })
		if !known {
			last = append(last, f.Conversation[i])
		}
	}
	return nil
}

// heard is the answer of a model to a dispute, with its first citation found by the check.
func (p Pull) heard(l Line) string {
	text := inline(Speaker(l) + " " + Does(l))
	if l.Words != "" {
		text += ": \"" + comment.MarkdownLine(strings.TrimRight(ClipLine(flowing(l.Words), MaxEntry), ". ")) + "\""
	}
	if at := slices.IndexFunc(l.Cites, func(c Cited) bool { return c.IsFound() && c.Check != QuoteOfTest }); at >= 0 {
		c := l.Cites[at]
		text += ", see " + p.place(Finding{Path: c.Path, Line: c.Line, EndLine: c.EndLine, Side: c.Side})
	}
	return text + "."
}

// knownFindings lists the existing F ids.
func knownFindings(e Envelope) string {
	var ids []string
	for f := range e.Findings() {
		if f.ID != "" {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return " There are " + inline(Capped(ids, ", ")) + "."
}

// Status renders the answer to /debate status in a few lines. An envelope without an outcome
// means that nothing was published yet.
func Status(e Envelope, p Pull, conclusion debate.Conclusion, why string) []byte {
	var b strings.Builder
	if e.Outcome == "" {
		b.WriteString("No review has been published here yet.\n")
	} else {
		b.WriteString("**debate: " + inline(Headline(e)) + "**")
		if p.Head != "" {
			b.WriteString(" at " + p.short(p.Head))
		}
		b.WriteString("\n\n" + entryMarkdown(e.Summary) + " " + inline(CheckSays(e, conclusion, why)) + "\n")
	}
	if notes := p.notes(e); notes != "" {
		b.WriteString("\n" + notes + "\n")
	}
	open := Awaiting(e)
	for i, d := range open {
		if i == MaxListed {
			fmt.Fprintf(&b, "- and %s\n", Count(len(open)-MaxListed, "more question"))
			break
		}
		if i == 0 {
			b.WriteString("\nPeople have to decide:\n\n")
		}
		b.WriteString("- " + p.link(questionOf(d), p.Links[d.ID]) + " " + comment.Code("/debate decide "+NamedIn(e, d)+"OPTION WHY") + ", where OPTION is one of " + optionIDs(d, MaxSides) + "\n")
	}
	return []byte(comment.ClipBody(b.String(), maxReply))
}

// Help renders the answer to /debate help.
func Help() []byte {
	var b strings.Builder
	b.WriteString("| Command | Effect | Allowed for | Counts |\n|---|---|---|---|\n")
	for _, s := range comment.Commands() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", comment.Code(s.Forms()[0]), s.Effect, s.Allowed(), s.Holds)
	}
	b.WriteString("\nStart a line of a new comment with the command; one comment may have several. Edited comments do not count.\n")
	return []byte(b.String())
}

// pausedLine begins the line of a summary about the pause of reviews.
const pausedLine = "> **Reviews are paused.**"

// WhilePaused adds to a summary, below its heading, the line about an unreviewed head, or removes
// it if head is "".
func WhilePaused(summary, head string) []byte {
	heading, rest, _ := strings.Cut(summary, "\n")
	if first, after, _ := strings.Cut(strings.TrimLeft(rest, "\r\n"), "\n"); strings.HasPrefix(first, pausedLine) {
		rest = after
	}
	if head != "" {
		rest = "\n" + pausedLine + " The newest commit, " + comment.Code(OneLine(head[:min(7, len(head))])) + ", was not reviewed: the rest is about an earlier one. Comment " +
			comment.Code("/debate resume") + " to have it reviewed.\n" + rest
	}
	return []byte(heading + "\n" + rest)
}

// CommandAnswer is the answer to one of several commands of a comment.
type CommandAnswer struct {
	Nth     int    // of the commands, from 1
	Command string // as it was given, "" if it was none
	Text    string // Markdown; "": it was carried out, and there is no more to say
}

// Answers renders the answers to several commands of one comment.
func Answers(list []CommandAnswer) []byte {
	var b strings.Builder
	for i, a := range list {
		if i > 0 {
			b.WriteString("\n")
		}
		head := fmt.Sprintf("**Command %d**", a.Nth)
		if a.Command != "" {
			head += ", " + comment.Code(OneLine(a.Command))
		}
		b.WriteString(head + "\n\n" + cmp.Or(a.Text, "Done.\n"))
	}
	return []byte(comment.ClipBody(b.String(), maxReply))
}

// Refused says in one sentence why a command was not obeyed.
func Refused(why string) []byte {
	return []byte("This was not done: " + inline(why) + ended(why) + "\n")
}
