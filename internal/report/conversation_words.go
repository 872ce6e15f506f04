package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// sayings are how each act is told. Words stand behind a colon; an objection and an
// answer are told by their words alone.
var sayings = map[Act]string{
	DidRaise:    "raised it",
	DidRepeat:   "raised it too",
	DidAgree:    "agrees",
	DidConfirm:  "confirms",
	DidDoubt:    "doubts it",
	DidReject:   "says that it is wrong",
	DidGrant:    "grants a part",
	DidConcede:  "gives in",
	DidInsist:   "insists",
	DidAccept:   "accepts the answer",
	DidIgnore:   "does not answer",
	DidReword:   "words it anew",
	DidCite:     "corrects its citation",
	DidTurn:     "changed its mind",
	DidDrift:    "contradicts what it said before and does not say why",
	DidDispute:  "disputes it",
	DidFlag:     "looked over the result and asks for a second look",
	DidFindHere: "finds it still there",
	DidFindGone: "finds it fixed",
}

// Speaker is who said a line, as people know them.
func Speaker(l Line) string {
	return cmp.Or(unnamedSpeakers[l.Who], OneLine(l.Who))
}

// speakerFirst is who said a line, at the beginning of a sentence. Names keep their first
// letter.
func speakerFirst(l Line) string {
	return cmp.Or(upperFirst(unnamedSpeakers[l.Who]), OneLine(l.Who))
}

// unnamedSpeakers are those whom nobody knows by the name that they have in a record.
var unnamedSpeakers = map[string]string{
	debate.EngineParty:  "the built-in rules",
	debate.AuthorParty:  "a person",
	debate.ArbiterParty: "the last reader",
	"":                  "someone",
}

// Does is what a line does, "" where its words say that, as those of an objection do.
func Does(l Line) string {
	if saying, known := sayings[l.Act]; known {
		return saying
	}
	if l.Words == "" {
		return "objects"
	}
	return ""
}

// At is the place that a citation names.
func (c Cited) At() string {
	return Place(Finding{Path: c.Path, Line: c.Line, EndLine: c.EndLine, Side: c.Side})
}

// Stands reports whether what is cited was found at its place.
func (c Cited) Stands() bool {
	switch c.Check {
	case QuoteFound, QuoteNamed, QuoteOfRun, QuoteOfTest:
		return true
	}
	return false
}

// checks are what the program says of a citation.
var checks = map[QuoteCheck]string{
	QuoteFound:  "quote found",
	QuoteNamed:  "lines named, not quoted",
	QuoteAbsent: "quote not found there",
	QuoteOfRun:  "a check that failed",
	QuoteOfTest: "the test shows it",
	QuoteNoTest: "the test does not show it",
}

// Found says what was found where a citation points.
func (c Cited) Found() string {
	return cmp.Or(checks[c.Check], checks[QuoteAbsent])
}

// Checked is a citation with the mark of what was found at its place.
func (c Cited) Checked() string {
	mark := " ✓ "
	if !c.Stands() {
		mark = " ✗ "
	}
	return c.At() + mark + c.Found()
}

// Spoken is a line without its speaker: what it does, its words, what it cites and
// what was found there.
func Spoken(l Line) string {
	text, cites := Does(l), ", citing "
	if l.Words != "" {
		text = Wrapped("", text, ": ") + "\"" + ClipLine(flowing(l.Words), MaxEntry) + "\""
		cites = " — cites "
	}
	return text + Wrapped(cites, strings.Join(lists.Map(l.Cites, Cited.Checked), "; "), "")
}

// flowing is a text without its line breaks.
func flowing(text string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(strings.TrimSpace(text))
}

// LeftOut says how many lines before a line are left out, "" if none are.
func LeftOut(l Line) string {
	if l.LeftOut == 0 {
		return ""
	}
	return "… " + Count(l.LeftOut, "line") + " left out …"
}

// Accepted says who decided to merge with a finding, "" if no person did.
func Accepted(f Finding) string { return Wrapped("accepted by ", OneLine(f.AcceptedBy), "") }

// Standing is what became of a finding, in one word or a few.
func Standing(f Finding) string {
	return cameOf(f) + Wrapped(", ", Accepted(f), "")
}

// cameOf is what the debate made of a finding.
func cameOf(f Finding) string {
	why := debate.Reason(f.BucketReason)
	switch {
	case becauseOf[why] != "":
		return becauseOf[why]
	case NotEvaluated(f), f.Bucket == "":
		return "not debated"
	case f.Bucket == debate.Agreed:
		return "confirmed"
	case f.Bucket == debate.Dismissed:
		return cmp.Or(dismissedAs[why], "dismissed")
	case Contradicted(f):
		return "disputed"
	}
	return "not confirmed"
}

// becauseOf is what became of findings for reasons that say it alone.
var becauseOf = map[debate.Reason]string{
	debate.ReasonHuman:      "dismissed by a person",
	debate.ReasonFixed:      "fixed",
	debate.ReasonKnown:      "known",
	debate.ReasonUnproved:   "without proof",
	debate.ReasonOutOfScope: "not about this change",
}

// dismissedAs is what became of findings that the debate dismissed.
var dismissedAs = map[debate.Reason]string{
	debate.ReasonConceded:   "withdrawn",
	debate.ReasonUndefended: "withdrawn",
	debate.ReasonRejected:   "refuted",
}

// Settled says what settled a finding, or why it is open; "" where there is nothing to say
// beyond its standing.
func Settled(f Finding) string {
	return ClipLine(f.Why, MaxEntry)
}

// objector is who objects to a finding. A person who disputes it is known by name.
func objector(f Finding, k Challenge) Line {
	dispute := lists.Find(f.Conversation, func(l Line) bool { return l.Act == DidDispute })
	if k.By == debate.AuthorParty && dispute.Act != "" {
		return dispute
	}
	return Line{Who: k.By}
}

// objectionBy is an objection of somebody.
func objectionBy(who string) string { return "the objection of " + who }

// Conversation is what was said of a finding, one line each: who, and what.
func Conversation(f Finding) []string {
	var out []string
	for _, l := range f.Conversation {
		if more := LeftOut(l); more != "" {
			out = append(out, more)
		}
		out = append(out, strings.TrimSpace(Speaker(l)+" "+Spoken(l)))
	}
	return out
}
