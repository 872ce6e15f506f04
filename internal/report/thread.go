package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// maxThread bounds, in bytes, the body of an inline comment.
const maxThread = 16_000

// Inline renders the body of the inline comment of one finding; nil if the envelope has no such
// finding. The suggestion is a fold of text, unless p.Blocks has the finding: then the caller
// adds it as a block that applies. The caller adds the hidden marker.
func Inline(e Envelope, id string, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return nil
	}
	b := &blocks{room: maxThread - Reserved}
	title := "**" + inline(string(f.Severity)) + " · " + strings.TrimSpace(inline(f.Title)) + "**"
	b.add(title + Wrapped(" · ", inline(f.ID), "") + "\n")
	b.add(Wrapped("", comment.Markdown(comment.Clip(f.Body, MaxBody)), "\n"))
	also := f.Also()
	places := lists.Map(also[:min(len(also), MaxSides)], func(place Cited) string { return comment.Code(place.At()) })
	b.add(Wrapped("See also ", strings.Join(places, ", "), ".\n"))
	if f.Suggestion != "" && !p.Blocks[f.ID] {
		b.add(fold("Suggested change (not tested)", comment.Fence("", Bounded(f.Suggestion))))
	}
	for _, proof := range Proofs(f) {
		b.add(proofMarkdown(proof))
	}
	foot := support(f)
	if f.ID != "" {
		foot += " · Wrong? Reply " + comment.Code("/debate dispute WHY") + "."
	}
	b.add(comment.Foot + "\n<sub>" + foot + "</sub>\n")
	return []byte(b.out.String())
}

// support names the finders and confirmers of a finding, and the strongest objection to it with its
// result.
func support(f Finding) string {
	best, strength := -1, -1
	for i, k := range f.Challenges {
		if k.objects() && strengths[k.Strength] > strength {
			best, strength = i, strengths[k.Strength]
		}
	}
	text := inline(StandsBehind(f))
	if best >= 0 {
		text += " " + entryMarkdown(attack(f, f.Challenges[best])+".")
	}
	return text
}

// StandsBehind names the finders and confirmers of a finding.
func StandsBehind(f Finding) string {
	return cmp.Or(Provenance(f), Wrapped("Found by the built-in rule ", OneLine(f.Rule), "."), "Found by a built-in rule.")
}

// inQuotes is the words of a speaker, in quotation marks; "" for none.
func inQuotes(text string) string {
	if text == "" {
		return ""
	}
	return "\"" + strings.TrimSuffix(OneLine(flowing(text)), ".") + "\""
}

// disagrees is an objection without effect: its author, its words, and the answer.
func disagrees(k Challenge) string {
	return speakerFirst(Line{Who: k.By}) + " disagrees: " + inQuotes(k.Objection) + k.answer()
}

// answer is the answer to a challenge, to follow its words; "" if there is none.
func (k Challenge) answer() string {
	if k.Defence == "" {
		return ""
	}
	return "; the answer: " + inQuotes(k.Defence)
}

// fate is the result of an attack on a finding. An objection kept up against a confirmed finding
// leaves nothing open.
func fate(f Finding, k Challenge) string {
	switch k.Status {
	case debate.Resolved:
		if k.Settled == debate.WhyNobodyAnswered {
			return OneLine(k.ResolvedWith)
		}
		return "that settled it" + Wrapped(": ", OneLine(k.ResolvedWith), "")
	case debate.Dissent:
		return "no line shows it, so the finding stays"
	case debate.Conceded:
		return "that was accepted"
	}
	if f.Bucket == debate.Agreed {
		return "the finding stays all the same"
	}
	return "this is not settled"
}

// strengths orders objections by strength.
var strengths = map[debate.Strength]int{debate.StrengthStrong: 3, debate.StrengthModerate: 2, debate.StrengthMinor: 1}

// GoneNote renders the body of an inline comment for a gone finding: its title struck out, and
// the reason. GitHub keeps the former text in the history of the comment. The caller adds the
// hidden marker.
func GoneNote(g GoneFinding) []byte {
	why := cmp.Or(g.Why, "the latest review no longer says it")
	return []byte("~~" + strings.TrimSpace(inline(g.ID)+" "+inline(g.Title)) + "~~ No longer there: " + inline(why) + ".\n")
}
