package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// sayings has the verb of each act. Words follow a colon.
var sayings = map[Act]string{
	DidRaise:    "raised it",
	DidRepeat:   "raised it too",
	DidAgree:    "agrees",
	DidConfirm:  "confirms",
	DidDoubt:    "doubts it",
	DidReject:   "says that it is wrong",
	DidObject:   "objects",
	DidAnswer:   "answers",
	DidGrant:    "grants a part",
	DidConcede:  "gives in",
	DidInsist:   "insists",
	DidAccept:   "accepts the answer",
	DidIgnore:   "does not answer",
	DidReword:   "rewords it",
	DidCite:     "corrects its citation",
	DidTurn:     "changed its mind",
	DidDrift:    "contradicts itself without a reason",
	DidDispute:  "disputes it",
	DidFlag:     "looked over the result and asks for a second look",
	DidFindHere: "finds it still there",
	DidFindGone: "finds it fixed",
}

// Speaker is the speaker of a line under the name for people.
func Speaker(l Line) string {
	return cmp.Or(unnamedSpeakers[l.Who], OneLine(l.Who))
}

// speakerFirst is Speaker at the beginning of a sentence. A name keeps its first letter.
func speakerFirst(l Line) string {
	return cmp.Or(upperFirst(unnamedSpeakers[l.Who]), OneLine(l.Who))
}

// unnamedSpeakers has words for the speakers without a name for people.
var unnamedSpeakers = map[string]string{
	debate.EngineParty:  "the built-in rules",
	debate.AuthorParty:  "a person",
	debate.ArbiterParty: "the last reader",
	"":                  "someone",
}

// At is the place of a citation.
func (c Cited) At() string {
	return Place(Finding{Path: c.Path, Line: c.Line, EndLine: c.EndLine, Side: c.Side})
}

// checks has the words for the results of a check.
var checks = map[QuoteCheck]string{
	QuoteFound:  "✓ quote found",
	QuoteNamed:  "✓ lines named, not quoted",
	QuoteAbsent: "✗ quote not found there",
	QuoteOfRun:  "✓ a check that failed",
	QuoteOfTest: "✓ the test shows it",
	QuoteNoTest: "✗ the test does not show it",
}

// Checked is a citation with a mark and the result of its check.
func (c Cited) Checked() string { return c.At() + " " + cmp.Or(checks[c.Check], checks[QuoteAbsent]) }

// Spoken is a line without its speaker: verb, words, and citations with their checks.
func Spoken(l Line) string {
	text, cites := sayings[l.Act], ", citing "
	if l.Words != "" {
		text += ": \"" + ClipLine(flowing(l.Words), MaxEntry) + "\""
		cites = " — cites "
	}
	return text + Wrapped(cites, strings.Join(lists.Map(l.Cites, Cited.Checked), "; "), "")
}

// LeftOut says how many lines before a line are left out, "" if none are.
func LeftOut(l Line) string {
	if l.LeftOut == 0 {
		return ""
	}
	return "… " + Count(l.LeftOut, "line") + " left out …"
}

// said is one statement with its speaker.
func said(l Line) string { return strings.TrimSpace(Speaker(l) + " " + Spoken(l)) }

// Conversation has one line of text for each statement about a finding.
func Conversation(f Finding) []string {
	var out []string
	for _, l := range f.Conversation {
		if more := LeftOut(l); more != "" {
			out = append(out, more)
		}
		out = append(out, said(l))
	}
	return out
}
