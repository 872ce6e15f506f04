package report

import (
	"cmp"
	"slices"
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
	DidTry:      "tried this case",
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
	DidPropose:  "answers",
	DidMove:     "now says",
	DidSumUp:    "sums up",
}

// speaker is the name of a speaker for people.
func speaker(id string) string { return cmp.Or(unnamedSpeakers[id], OneLine(id)) }

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

// spoken is a line without its speaker: verb, words, and citations with their checks. The decision is
// the subject of the line, an empty one for a finding.
func spoken(l Line, d Decision) string {
	text, cites := sayings[l.Act], ", citing "
	switch {
	case l.To != "":
		text = map[Act]string{DidAnswer: "answers ", DidGrant: "accepts a part of the objection of ", DidConcede: "accepts the objection of ", DidIgnore: "does not answer "}[l.Act] + speaker(l.To)
	case l.Judge != "":
		text = "as the judge for " + OneLine(string(l.Judge)) + " " + d.would(l.Option)
	case d.Asked && text != "" && l.Option == string(debate.Revise):
		text += ", with reservations"
	case d.Asked && text != "" && l.Option == string(debate.Keep):
	case l.Option != "":
		text = d.would(l.Option)
	}
	if l.Words != "" {
		text += ": \"" + ClipLine(flowing(l.Words), MaxEntry) + "\""
		cites = " — cites "
	}
	return text + Wrapped(cites, strings.Join(lists.Map(l.Cites, Cited.Checked), "; "), "")
}

// Thread has the statements about a finding in order, each once: each speaker, and the act with its words. A row
// without a speaker counts the statements left out.
func Thread(f Finding) []Side { return thread(f.Conversation, Decision{}) }

// ThreadAbout has the statements about a decision likewise.
func ThreadAbout(e Envelope, d Decision) []Side {
	return thread(lists.Find(e.Discussions, func(about Discussion) bool { return about.Decision == d.ID }).Lines, d)
}

func thread(lines []Line, about Decision) []Side {
	var out []Side
	for _, l := range lines {
		if l.LeftOut > 0 {
			out = append(out, Side{"", "… " + Count(l.LeftOut, "line") + " left out …"})
		}
		if said := (Side{speaker(l.Who), spoken(l, about)}); l.Words == "" || !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}

// line is a row of a thread on one line.
func (s Side) line() string { return strings.TrimSpace(s.Who + " " + s.Says) }
