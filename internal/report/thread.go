package report

import (
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report/agent"
	"github.com/prdebate/debate/internal/report/reason"
)

// maxThread bounds, in bytes, the body of an inline comment.
const maxThread = 16_000

// Inline renders the body of the inline comment of one finding, named by its F id
// or its claim id; nil if the envelope has no such finding. The suggestion is a
// fold of text, unless p.Blocks says that the caller adds it as a block that
// applies. The caller adds the hidden marker.
func Inline(e Envelope, id string, p Pull) []byte {
	f, found := p.finding(e, id)
	if !found {
		return nil
	}
	b := &blocks{room: maxThread - Reserved}
	title := "**" + comment.MarkdownLine(OneLine(string(f.Severity))) + " · " + strings.TrimSpace(inline(f.Title)) + "**"
	if f.ID != "" {
		title += " · " + inline(f.ID)
	}
	b.add(title + "\n")
	if f.Body != "" {
		b.add(comment.Markdown(comment.Clip(f.Body, MaxBody)) + "\n")
	}
	if len(f.Evidence) > 1 {
		var at []string
		for _, place := range f.Evidence[1:min(len(f.Evidence), MaxSides+1)] {
			at = append(at, comment.Code(OneLine(place)))
		}
		b.add("See also " + strings.Join(at, ", ") + ".\n")
	}
	if f.Suggestion != "" && !p.Blocks[f.ID] {
		b.add(strings.TrimPrefix(fold("Suggestion, unverified", comment.Fence("", Bounded(f.Suggestion))), "\n"))
	}
	b.add(comment.Foot + "\n<sub>" + inlineFoot(f) + "</sub>\n")
	b.add(agentFold(agent.Prompt("", []agent.Finding{toAgent(f)}, maxThread)))
	return []byte(b.out.String())
}

// inlineFoot is who stands behind a finding, what was said against it, and how to object.
func inlineFoot(f Finding) string {
	text := inline(StandsBehind(f))
	if against := strongest(f); against != "" {
		text += " " + comment.MarkdownLine(ClipLine(against, MaxEntry))
	}
	if f.ID != "" {
		text += " · Wrong? Reply " + comment.Code("/debate dispute WHY") + "."
	}
	return text
}

// StandsBehind says who found a finding and who confirmed it.
func StandsBehind(f Finding) string {
	if text := Provenance(f); text != "" {
		return text
	}
	if f.Rule == "" {
		return "Found by a built-in rule."
	}
	return "Found by the built-in rule " + OneLine(f.Rule) + "."
}

// strongest is the strongest attack on a finding and why it failed, on one line.
func strongest(f Finding) string {
	best := StrongestOf(f.Challenges)
	if best < 0 {
		return ""
	}
	return attack(f, f.Challenges[best]) + "."
}

// inQuotes is what somebody said, in quotation marks.
func inQuotes(text string) string {
	return "\"" + strings.TrimSuffix(OneLine(flowing(text)), ".") + "\""
}

// disagrees is an objection that moves nothing: who makes it, in its own words, and
// what was answered.
func disagrees(k Challenge) string {
	text := upperWord(k.speaker()) + " disagrees: " + inQuotes(k.Objection)
	if k.Defence != "" {
		text += "; the answer: " + inQuotes(k.Defence)
	}
	return text
}

// StrongestOf is the index of the strongest attack, -1 if there is none.
func StrongestOf(challenges []Challenge) int {
	best := -1
	for i, k := range challenges {
		if k.objects() && (best < 0 || weight(k.Strength) > weight(challenges[best].Strength)) {
			best = i
		}
	}
	return best
}

// fate is what came of an attack on a finding. Who keeps up an objection to one that was
// confirmed leaves nothing open.
func fate(f Finding, k Challenge) string {
	switch {
	case k.Status == debate.Resolved && k.ResolvedWith == reason.Sentence(debate.Why{Code: debate.WhyNobodyAnswered}):
		return OneLine(k.ResolvedWith)
	case k.Status == debate.Resolved && k.ResolvedWith != "":
		return "that settled it: " + OneLine(k.ResolvedWith)
	case k.Status == debate.Resolved:
		return "that settled it"
	case k.Status == debate.Dissent:
		return "no line shows it, so the finding stands"
	case k.Status == debate.Conceded:
		return "that was accepted"
	case f.Bucket == debate.Agreed:
		return "the finding stands all the same"
	}
	return "this is not settled"
}

func weight(s debate.Strength) int {
	switch s {
	case debate.StrengthStrong:
		return 3
	case debate.StrengthModerate:
		return 2
	case debate.StrengthMinor:
		return 1
	}
	return 0
}

// GoneNote renders the body of an inline comment whose finding no longer stands:
// its title struck out, and what it said in a fold (comment.Said of what Inline
// rendered); that must be "" where somebody has edited it since. The caller adds the
// hidden marker.
func GoneNote(g GoneFinding, said string) []byte {
	why := "the latest review does not say it any more"
	if g.Why != "" {
		why = g.Why
	}
	text := "~~" + strings.TrimSpace(inline(g.ID)+" "+inline(g.Title)) + "~~ No longer there: " + inline(why) + "."
	return []byte(text + "\n" + whatItSaid(said))
}

// StrayNote renders the body of an inline comment that no review knows of any
// more: that of a run which came to its end before it wrote its summary, or whose
// memory is lost. Its F id may mean another finding by now.
func StrayNote(said string) []byte {
	return []byte("The latest review does not say this any more. The summary comment says what stands.\n" + whatItSaid(said))
}

// whatItSaid folds the former body of a comment, "" if there is none to show.
func whatItSaid(was string) string {
	if was == "" || len(was) > maxThread || strings.Contains(was, "<!--") {
		return ""
	}
	return fold("What it said", was)
}
