package report

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// wrong asks to dispute a finding, after its F id.
const wrong = ". Wrong? Answer "

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
	b := &blocks{room: maxThread - reserved}
	b.add("**" + comment.MarkdownLine(oneLine(string(f.Severity))) + "** **" + strings.TrimSpace(inline(f.Title)) + "**\n")
	if f.Body != "" {
		b.add(comment.Markdown(comment.Clip(f.Body, maxBody)) + "\n")
	}
	if len(f.Evidence) > 1 {
		var at []string
		for _, place := range f.Evidence[1:min(len(f.Evidence), maxSides+1)] {
			at = append(at, comment.Code(oneLine(place)))
		}
		b.add("Evidence also at " + strings.Join(at, ", ") + ".\n")
	}
	b.add(inline(standsBehind(f)) + "\n")
	if text := strongest(f.Challenges); text != "" {
		b.add(comment.MarkdownLine(clipLine(text, maxEntry)) + "\n")
	}
	if f.Suggestion != "" && !p.Blocks[f.ID] {
		b.add(strings.TrimPrefix(fold("Suggestion, unverified", comment.Fence("", bounded(f.Suggestion))), "\n"))
	}
	if f.ID != "" {
		b.add(inline(f.ID) + wrong + comment.Code("/debate dispute "+oneLine(f.ID)+" WHY") + ".\n")
	}
	return []byte(b.out.String())
}

// standsBehind says who found a finding and who confirmed it.
func standsBehind(f Finding) string {
	if text := provenance(f); text != "" {
		return text
	}
	text := "Found by the embedded critic"
	if f.Rule != "" {
		text += ", rule " + oneLine(f.Rule)
	}
	return text + "."
}

// strongest is the strongest attack on a finding and why it failed, on one line.
func strongest(challenges []Challenge) string {
	best := strongestOf(challenges)
	if best < 0 {
		return ""
	}
	k := challenges[best]
	text := "Strongest objection, by " + oneLine(k.By) + ": " + oneLine(k.Objection)
	if k.Defence != "" {
		text += "; the answer: " + oneLine(k.Defence)
	}
	return text + "; " + fate(k)
}

// strongestOf is the index of the strongest attack, -1 if there is none.
func strongestOf(challenges []Challenge) int {
	best := -1
	for i, k := range challenges {
		if best < 0 || weight(k.Strength) > weight(challenges[best].Strength) {
			best = i
		}
	}
	return best
}

// fate is what came of an attack.
func fate(k Challenge) string {
	switch {
	case k.Status == debate.Resolved && k.ResolvedWith != "":
		return "it fell: " + oneLine(k.ResolvedWith)
	case k.Status == debate.Resolved:
		return "it fell"
	}
	return "it is " + oneLine(string(k.Status))
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
// its title struck out, and what stood there in a fold. Original is the body as
// Inline rendered it, without its marker; it must be "" where somebody has edited
// it since. The caller adds the hidden marker.
func GoneNote(g GoneFinding, original []byte) []byte {
	text := "~~" + strings.TrimSpace(inline(g.ID)+" "+inline(g.Title)) + "~~ No longer there"
	if g.Why != "" {
		text += ": " + inline(g.Why)
	}
	return []byte(text + "\n" + whatItSaid(original))
}

// NamedIn is the F id that an inline comment of ours gives its finding, "" if it
// gives none. It stands in the last line; what looks like it above is a party's.
func NamedIn(body string) string {
	id, _, found := strings.Cut(body[strings.LastIndexByte(strings.TrimSpace(body), '\n')+1:], wrong)
	if !found || !fid.MatchString(id) {
		return ""
	}
	return id
}

// fid is the id of a finding, of which a pull request has fewer than a million.
var fid = regexp.MustCompile(`^F[1-9][0-9]{0,5}$`)

// StrayNote renders the body of an inline comment that no review knows of any
// more: that of a run which came to its end before it wrote its summary, or whose
// memory is lost. Original is as for GoneNote, and so is what the caller adds.
func StrayNote(original []byte) []byte {
	if at := bytes.LastIndex(original, []byte("\n\n")); at >= 0 && bytes.Contains(original[at:], []byte(wrong)) {
		original = original[:at] // another finding may have this F id by now
	}
	return []byte("This is no part of the latest review; the summary comment says what stands.\n" + whatItSaid(original))
}

// whatItSaid folds the former body of a comment, "" if there is none to show.
func whatItSaid(original []byte) string {
	was := strings.TrimSpace(string(original))
	if was == "" || len(was) > maxThread || strings.Contains(was, "<!--") {
		return ""
	}
	return fold("What it said", was)
}
