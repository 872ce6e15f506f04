package report

import (
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
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
	b.add("**" + comment.MarkdownLine(OneLine(string(f.Severity))) + "** **" + strings.TrimSpace(inline(f.Title)) + "**\n")
	if f.Body != "" {
		b.add(comment.Markdown(comment.Clip(f.Body, MaxBody)) + "\n")
	}
	if len(f.Evidence) > 1 {
		var at []string
		for _, place := range f.Evidence[1:min(len(f.Evidence), MaxSides+1)] {
			at = append(at, comment.Code(OneLine(place)))
		}
		b.add("Evidence also at " + strings.Join(at, ", ") + ".\n")
	}
	b.add(inline(StandsBehind(f)) + "\n")
	if text := strongest(f.Challenges); text != "" {
		b.add(comment.MarkdownLine(ClipLine(text, MaxEntry)) + "\n")
	}
	if f.Suggestion != "" && !p.Blocks[f.ID] {
		b.add(strings.TrimPrefix(fold("Suggestion, unverified", comment.Fence("", Bounded(f.Suggestion))), "\n"))
	}
	foot := comment.Foot + "\n"
	if f.ID != "" {
		foot += inline(f.ID) + ". Wrong? Answer " + comment.Code("/debate dispute "+OneLine(f.ID)+" WHY") + ".\n"
	}
	b.add(foot)
	return []byte(b.out.String())
}

// StandsBehind says who found a finding and who confirmed it.
func StandsBehind(f Finding) string {
	if text := Provenance(f); text != "" {
		return text
	}
	text := "Found by the embedded critic"
	if f.Rule != "" {
		text += ", rule " + OneLine(f.Rule)
	}
	return text + "."
}

// strongest is the strongest attack on a finding and why it failed, on one line.
func strongest(challenges []Challenge) string {
	best := StrongestOf(challenges)
	if best < 0 {
		return ""
	}
	k := challenges[best]
	if k.Status == debate.Dissent {
		return disagrees(k) + "."
	}
	text := "Strongest objection, by " + OneLine(k.By) + ": " + OneLine(k.Objection)
	if k.Defence != "" {
		text += "; the answer: " + OneLine(k.Defence)
	}
	return text + "; " + Fate(k)
}

// disagrees is an objection that moves nothing: who makes it, in its own words, and
// what was answered.
func disagrees(k Challenge) string {
	text := OneLine(k.By) + " disagrees: " + OneLine(k.Objection)
	if k.Defence != "" {
		text += "; the answer: " + OneLine(k.Defence)
	}
	return text
}

// StrongestOf is the index of the strongest attack, -1 if there is none.
func StrongestOf(challenges []Challenge) int {
	best := -1
	for i, k := range challenges {
		if best < 0 || weight(k.Strength) > weight(challenges[best].Strength) {
			best = i
		}
	}
	return best
}

// Fate is what came of an attack.
func Fate(k Challenge) string {
	switch {
	case k.Status == debate.Resolved && k.ResolvedWith != "":
		return "it fell: " + OneLine(k.ResolvedWith)
	case k.Status == debate.Resolved:
		return "it fell"
	case k.Status == debate.Dissent:
		return "it shows nothing against the finding, which stands"
	}
	return "it is " + OneLine(string(k.Status))
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
	text := "~~" + strings.TrimSpace(inline(g.ID)+" "+inline(g.Title)) + "~~ No longer there"
	if g.Why != "" {
		text += ": " + inline(g.Why)
	}
	return []byte(text + "\n" + whatItSaid(said))
}

// StrayNote renders the body of an inline comment that no review knows of any
// more: that of a run which came to its end before it wrote its summary, or whose
// memory is lost. Its F id may mean another finding by now.
func StrayNote(said string) []byte {
	return []byte("This is no part of the latest review; the summary comment says what stands.\n" + whatItSaid(said))
}

// whatItSaid folds the former body of a comment, "" if there is none to show.
func whatItSaid(was string) string {
	if was == "" || len(was) > maxThread || strings.Contains(was, "<!--") {
		return ""
	}
	return fold("What it said", was)
}
