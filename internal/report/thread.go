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
	DidGrant:    "accepts a part of it",
	DidConcede:  "accepts the objection",
	DidInsist:   "insists",
	DidAccept:   "accepts the answer",
	DidIgnore:   "does not answer",
	DidReword:   "rewords it",
	DidCite:     "corrects its citation",
	DidTurn:     "changed its mind",
	DidDrift:    "contradicts itself without a reason",
	DidDispute:  "disputes it",
	DidFlag:     "doubts the result",
	DidFindHere: "finds it still there",
	DidFindGone: "finds it fixed",
}

// speaker is the name of a speaker for people.
func speaker(id string) string { return cmp.Or(unnamedSpeakers[id], OneLine(id)) }

// speakerFirst is speaker at the beginning of a sentence. A name keeps its first letter.
func speakerFirst(id string) string { return cmp.Or(upperFirst(unnamedSpeakers[id]), OneLine(id)) }

// unnamedSpeakers has words for the speakers without a name for people.
var unnamedSpeakers = map[string]string{
	debate.EngineParty:  "the built-in rules",
	debate.AuthorParty:  "a person",
	debate.ArbiterParty: "the second look",
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

// spoken is a line without its speaker: verb, words, and citations with their checks.
func spoken(l Line) string {
	text, cites := sayings[l.Act], ", citing "
	if l.Words != "" {
		text += ": \"" + ClipLine(flowing(l.Words), MaxEntry) + "\""
		cites = " — cites "
	}
	return text + Wrapped(cites, strings.Join(lists.Map(l.Cites, Cited.Checked), "; "), "")
}

// Thread has the statements about a finding in order: each speaker, and the act with its words. A row
// without a speaker counts the statements left out.
func Thread(f Finding) []Side {
	var out []Side
	for _, l := range f.Conversation {
		if l.LeftOut > 0 {
			out = append(out, Side{"", "… " + Count(l.LeftOut, "line") + " left out …"})
		}
		out = append(out, Side{speaker(l.Who), spoken(l)})
	}
	return out
}

// line is a row of a thread on one line.
func (s Side) line() string { return strings.TrimSpace(s.Who + " " + s.Says) }
