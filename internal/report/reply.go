package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// maxReply bounds, in bytes, an answer to a command.
const maxReply = 30_000

// Explain renders the answer to /debate explain: all that the record knows of one
// finding, named by its F id, without another call. It takes at most maxReply
// bytes.
func Explain(e Envelope, id string, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return []byte("There is no finding " + comment.Code(OneLine(id)) + " here." + knownFindings(p.named(e)) + "\n")
	}
	e = p.named(e)
	b := &blocks{room: maxReply - Reserved}
	b.add("### " + strings.TrimSpace(p.headOf(f)) + "\n")
	b.add(inline(bucketWords(f)) + "\n")
	b.add(comment.Markdown(comment.Clip(f.Body, MaxBody)) + "\n")
	if q := Quote(f); q != "" {
		b.add(comment.Fence("", q))
	}
	var facts []string
	if f.Asserted != "" && f.Asserted != f.Severity {
		facts = append(facts, "Its owner called it "+string(f.Asserted)+".")
	}
	if f.Carried != "" {
		facts = append(facts, "Carried over from an earlier head as "+f.Carried+".")
	}
	if f.Crux != "" {
		facts = append(facts, "To settle it: "+f.Crux)
	}
	facts = append(facts, StandsBehind(f))
	for _, at := range f.Evidence {
		facts = append(facts, "Evidence: "+at)
	}
	b.list("#### What is known", facts, MaxListed)
	b.list("#### What was said against it", Attacks(f.Challenges), MaxListed)
	var votes []string
	for _, d := range e.Decisions {
		for _, about := range d.Claims {
			if about == id || about == f.ID && f.ID != "" {
				votes = append(append(votes, d.ID+" "+d.Question+" "+HowItEnded(d)), Verdict(d)...)
				break
			}
		}
	}
	b.list("#### Decisions that rest on it", votes, MaxListed)
	if p.RecordURL != "" {
		b.add("The whole debate is in the " + p.link("record", p.RecordURL) + ".\n")
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_%s left out. The record holds everything._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String())
}

// bucketWords says where a finding ended and why.
func bucketWords(f Finding) string {
	text := "It is " + string(f.Bucket)
	if f.Bucket == "" {
		text = "It was not judged"
	}
	if why := BecauseOf(f); why != "" && f.Bucket != debate.Agreed {
		text += ": " + why
	}
	return text + "."
}

// knownFindings lists the F ids that there are.
func knownFindings(e Envelope) string {
	var ids []string
	for _, findings := range e.Lists() {
		for _, f := range *findings {
			if f.ID != "" {
				ids = append(ids, f.ID)
			}
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return " There are " + inline(Capped(ids, ", ")) + "."
}

// Status renders the answer to /debate status in a few lines. An envelope without
// an outcome is that of a pull request on which nothing was published yet.
func Status(e Envelope, p Pull, conclusion debate.Conclusion, why string) []byte {
	var b strings.Builder
	why = p.said(e, why)
	e = p.named(e)
	if e.Outcome == "" {
		b.WriteString("No review has been published here yet.\n")
	} else {
		b.WriteString("**debate: " + inline(Headline(e)) + "**")
		if p.Head != "" {
			b.WriteString(" at head " + p.commit(p.Head))
		}
		b.WriteString("\n\n" + checked(conclusion, why) + " " + inline(Counts(e)) + ".\n")
	}
	if notes := p.notes(e); notes != "" {
		b.WriteString("\n" + notes + "\n")
	}
	open := Awaiting(e)
	for i, d := range open {
		if i == MaxListed {
			fmt.Fprintf(&b, "- and %s\n", Count(len(open)-MaxListed, "more decision"))
			break
		}
		if i == 0 {
			b.WriteString("\nA human decides:\n\n")
		}
		b.WriteString("- " + inline(d.ID) + " " + p.link(ClipLine(d.Question, 500), p.Links[d.ID]) + " Options: " + optionIDs(d, MaxSides) + "\n")
	}
	return []byte(comment.ClipBody(b.String(), maxReply))
}

// commands are what people may write, who may, and what it does.
func commands() [][]string {
	return [][]string{
		{"Command", "Who", "Effect"},
		{"/debate, /debate run", "write", "debates the current head; code, proposal or mixed, and quick, minimal or standard may follow"},
		{"/debate stop", "write", "ends the running debate; what there is gets published"},
		{"/debate status, /debate help", "everybody", "answers once"},
		{"/debate pause, /debate resume", "write", "stops and restarts automatic runs on this pull request"},
		{"/debate dispute F3 TEXT", "author, write", "re-opens one finding; defend is the same, and its thread needs no id"},
		{"/debate dismiss F3 REASON", "write, not the author", "closes one finding for good"},
		{"/debate explain F3", "write", "shows what was said about one finding"},
		{"/debate ask QUESTION", "write", "debates a question with this pull request as context; --framing NAME may come first"},
		{"/debate decide OPTION REASON", "who may decide", "answers the open question, here or in its issue; of several, D1 before the option says which"},
		{"/debate waive TRIGGER REASON", "maintain", "waives one reason for a human decision, for this head"},
	}
}

// Help renders the answer to /debate help.
func Help() []byte {
	var b strings.Builder
	for i, row := range commands() {
		if i == 0 {
			b.WriteString("| " + strings.Join(row, " | ") + " |\n|---|---|---|\n")
			continue
		}
		var spelt []string
		for _, form := range strings.Split(row[0], ", ") {
			spelt = append(spelt, comment.Code(form))
		}
		b.WriteString("| " + strings.Join(spelt, " ") + " | " + row[1] + " | " + row[2] + " |\n")
	}
	b.WriteString("\nA command is the first line of a new comment; editing a comment does nothing.\n")
	return []byte(b.String())
}

// Refused says in one sentence why a command was not obeyed. What stands in backticks in
// it, such as a command, is code.
func Refused(why string) []byte {
	end := "."
	if strings.HasSuffix(why, "?") {
		end = ""
	}
	return []byte("This was not done: " + withCode(strings.TrimSuffix(why, ".")) + end + "\n")
}

// withCode is a sentence on one line in which balanced backticks hold code.
func withCode(s string) string {
	parts := strings.Split(OneLine(s), "`")
	if len(parts)%2 == 0 {
		return inline(s)
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 1 {
			b.WriteString(comment.Code(part))
			continue
		}
		text := comment.MarkdownLine(part)
		if strings.HasPrefix(part, " ") && i > 0 {
			text = " " + text
		}
		if strings.HasSuffix(part, " ") && i < len(parts)-1 && strings.TrimSpace(part) != "" {
			text += " "
		}
		b.WriteString(text)
	}
	return b.String()
}

// Answer renders the answer to /debate ask: the report of an inquiry in at most
// MaxMarkdown bytes.
func Answer(e Envelope, p Pull) []byte { return markdown(p.named(e), MaxMarkdown) }
