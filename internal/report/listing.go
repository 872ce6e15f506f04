package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// maxOpenRows bounds the visible findings; the others are folded.
const maxOpenRows = 12

// findings adds a table of the confirmed findings, each disputed one with both sides, and the
// details of those without an inline comment.
func (p Pull) findings(b *blocks, e Envelope) {
	confirmed := Agreed(e)
	rows := lists.Map(confirmed, func(f Finding) string {
		place := p.placeAs(f, strings.ReplaceAll(Place(f), "|", "<U+007C>"))
		return "| **" + cell(string(f.Severity)) + "** " + cell(f.ID) + " | " + place + " | " + cell(f.Title) + Wrapped(" **(", cell(Accepted(f)), ")**") + " |\n"
	})
	open := min(len(rows), maxOpenRows)
	const head = "| Finding | Where | Problem |\n|---|---|---|\n"
	b.add(Wrapped(head, strings.Join(rows[:open], ""), ""))
	if more := rows[open:]; len(more) > 0 {
		b.add(fold(Count(len(more), "more finding"), head+clippedLines(strings.Join(more, ""), b.room/3)))
	}
	for i, f := range e.Unresolved {
		if i == MaxSides {
			b.add(fmt.Sprintf("and %d more disputed\n", len(e.Unresolved)-MaxSides))
			break
		}
		b.add(p.disputed(e, f))
	}
	var silent []string
	for i, f := range slices.Concat(confirmed, e.Unresolved) {
		if p.Inline[f.ID] {
			continue
		}
		shown := i >= len(confirmed) && i < len(confirmed)+MaxSides // with its finders and the objections to it
		said := shown && utf8.RuneCountInString(f.Body) <= maxSide && hasFinder(f)
		text := findingText(f, !said)
		if !shown {
			text += support(f) + "\n"
		}
		if text != "" {
			silent = append(silent, p.headOf(f)+"\n\n"+text)
		}
	}
	b.addFolded("Details", silent)
}

// headOf is a finding on one line.
func (p Pull) headOf(f Finding) string {
	return "**" + inline(string(f.Severity)) + "** " + Wrapped("", inline(f.ID), " ") + p.place(f) + " " + inline(f.Title) + Wrapped(" (", inline(Accepted(f)), ")")
}

// maxSide bounds, in characters, the words of one model about a disputed finding.
const maxSide = 240

// disputed is a disputed finding with the words of each side and a way to settle it.
func (p Pull) disputed(e Envelope, f Finding) string {
	said := Sides(f)
	text := "**Not confirmed"
	if Contradicted(f) {
		text = "**Disputed"
	}
	if yourCall(e) {
		text += ", your call"
	}
	text += "**: " + p.headOf(f) + "."
	for _, s := range said {
		text += " " + inline(s.Who) + ": " + cutShort(s.Says)
	}
	if !hasFinder(f) {
		text += " " + inline(StandsBehind(f))
	}
	if len(said) < 2 {
		text += Wrapped(" It is open because ", cutShort(BecauseOf(f)), "")
	}
	return text + Wrapped(" To settle it: ", cutShort(Crux(f)), "") + "\n"
}

// cutShort is a text as a sentence, cut short; "" for none.
func cutShort(text string) string {
	return Wrapped("", comment.MarkdownLine(ClipLine(text, maxSide)), ended(text))
}

// Contradicted reports whether an objection to a finding was not refuted.
func Contradicted(f Finding) bool {
	return slices.ContainsFunc(f.Challenges, Challenge.isOpen)
}

// isOpen reports whether a challenge is an objection and was not refuted.
func (k Challenge) isOpen() bool { return k.objects() && k.Status != debate.Resolved }

// isLive reports whether nothing settled a challenge.
func (k Challenge) isLive() bool {
	return !slices.Contains([]debate.ChallengeStatus{debate.Resolved, debate.Conceded}, k.Status)
}

// objects reports whether a challenge is an objection. A request to explain a contradiction is
// none.
func (k Challenge) objects() bool { return k.Kind != debate.Reconciling }

// ended is the full stop missing at the end of a text.
func ended(text string) string {
	if strings.HasSuffix(strings.TrimSpace(text), ".") || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return ""
	}
	return "."
}

// hasFinder reports whether a model explains a finding.
func hasFinder(f Finding) bool {
	return f.Body != "" && len(others(debate.EngineParty, f.ReportedBy)) > 0
}

// Side is the words of one model about a finding.
type Side struct{ Who, Says string }

// Sides has the words of the models in disagreement about a finding: the finders first, then each
// objection with its answer.
func Sides(f Finding) []Side {
	var out []Side
	if hasFinder(f) {
		out = append(out, Side{enumerated(others(debate.EngineParty, f.ReportedBy)), f.Body})
	}
	for _, k := range f.against() {
		out = append(out, Side{speakerFirst(objector(f, k)), k.Objection})
		if k.Defence != "" {
			out = append(out, Side{speakerFirst(Line{Who: k.Defender}), k.Defence})
		}
	}
	return out[:min(len(out), MaxSides+1)]
}

// against has the objections with words to a finding, unless they were refuted.
func (f Finding) against() []Challenge {
	return lists.Keep(f.Challenges, func(k Challenge) bool { return k.isOpen() && k.Objection != "" })
}

// Crux is the way to settle a finding, "" if one of the sides says it.
func Crux(f Finding) string {
	says := func(s Side) bool { return text.Clip(s.Says, 500) == f.Crux } // as the record keeps it
	if slices.ContainsFunc(Sides(f), says) {
		return ""
	}
	return f.Crux
}

// clippedLines are as many lines as fit, and how many more there are.
func clippedLines(text string, room int) string {
	if len(text) <= room {
		return text
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	var b strings.Builder
	for i, line := range lines {
		if b.Len()+len(line) > room {
			fmt.Fprintf(&b, "\nand %d more\n", len(lines)-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// gone lists the findings dismissed by people, as long as the review knows them, and the fixed
// ones of earlier commits.
func (p Pull) gone(e Envelope) string {
	dismissed := lists.Keep(e.Dismissed, func(f Finding) bool { return f.BucketReason == string(debate.ReasonHuman) })
	away := lists.Map(dismissed, func(f Finding) string { return p.goneLine(f.ID, f.Title, BecauseOf(f)) })
	rest := lists.Keep(p.Gone, func(g GoneFinding) bool {
		return !slices.ContainsFunc(dismissed, func(f Finding) bool { return f.ID == g.ID })
	})
	list := lists.Map(rest, func(g GoneFinding) string { return p.goneLine(g.ID, g.Title, g.Why) })
	return Wrapped("**"+byPerson+"**\n\n", items(upTo(MaxListed, away)), "\n") + Wrapped("**No longer there**\n\n", items(upTo(MaxListed, list)), "")
}

func (p Pull) goneLine(id, title, why string) string {
	return strings.Join(Present(p.link(id, p.Links[id]), inline(title)), " ") + Wrapped(": ", inline(why), "")
}

// untold is an envelope without the findings that gone lists.
func (p Pull) untold(e Envelope) Envelope {
	isTold := func(f Finding) bool {
		isGone := f.BucketReason == string(debate.ReasonFixed) && slices.ContainsFunc(p.Gone, func(g GoneFinding) bool { return g.Title == f.Title })
		return isGone || f.BucketReason == string(debate.ReasonHuman)
	}
	e.Dismissed = slices.DeleteFunc(slices.Clone(e.Dismissed), isTold)
	return e
}
