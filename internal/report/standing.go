package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// WhyOpen says in a sentence why a finding is open, "" if the names of its finders say it or, with no
// second model, the first lines do. Named: the finders are named with it.
func WhyOpen(e Envelope, f Finding, named bool) string {
	unweighed := named && len(f.NotWeighedBy) > 0 && len(f.ConfirmedBy) == 0
	if f.Basis == debate.WhyNotWeighed && (e.Alone || unweighed) || f.Basis == debate.WhyNotVerified && unweighed {
		return ""
	}
	return Wrapped("It is open because ", OneLine(f.Why), ".")
}

// listed are findings on one line each with the reason.
func listed(findings ...Finding) []string {
	return lists.Map(findings, func(f Finding) string {
		return Named(f) + Wrapped(": ", OneLine(f.Why), "")
	})
}

// Standing is the state of a finding in a few words.
func Standing(f Finding) string {
	return cameOf(f) + Wrapped(", ", Accepted(f), "")
}

// cameOf is the state of a finding after the debate.
func cameOf(f Finding) string {
	state, is := standings[debate.Reason(f.BucketReason)]
	switch {
	case is:
		return state
	case f.Bucket == "":
		return "not debated"
	case f.Bucket == debate.Agreed:
		return "confirmed"
	case f.Bucket == debate.Dismissed:
		return "dismissed"
	case Contradicted(f):
		return "disputed"
	}
	return "not confirmed"
}

// Accepted names the person who decided to merge despite a finding, "" if there is none.
func Accepted(f Finding) string { return Wrapped("accepted by ", OneLine(f.AcceptedBy), "") }

// calledFixed has what models say about a finding of an earlier commit if one calls it fixed, and
// which proof is missing. It follows another sentence, and is "" if no model does.
func calledFixed(f Finding) string {
	said := lists.Keep(f.Conversation, func(l Line) bool { return l.Act == DidFindGone || l.Act == DidFindHere })
	is := func(act Act) bool { return slices.ContainsFunc(said, func(l Line) bool { return l.Act == act }) }
	text := " " + enumerated(lists.Once(lists.Map(thread(said, Decision{}), Side.line)))
	switch {
	case !is(DidFindGone), f.Bucket == debate.Dismissed:
		return ""
	case is(DidFindHere):
		return text + "."
	case f.Severity == debate.P1:
		return text + "; a P1 needs two proofs."
	}
	return text + ", but no changed line near it proves it."
}

// StandsBehind names the finders and confirmers of a finding.
func StandsBehind(f Finding) string {
	models := others(debate.EngineParty, f.ReportedBy, f.ConfirmedBy)
	text := "Found by " + enumerated(lists.Map(f.ReportedBy, speaker))
	switch {
	case f.Rule != "" && (len(models) == 0 || len(f.ReportedBy) == 0):
		return "Found by the built-in rule " + OneLine(f.Rule) + "."
	case len(f.ReportedBy) == 0:
		return "Found by a built-in rule."
	case f.Rule != "":
		text = "Found by the built-in rule " + OneLine(f.Rule)
	default:
		models = lists.Keep(f.ConfirmedBy, func(id string) bool { return !slices.Contains(f.ReportedBy, id) })
	}
	silent := lists.Keep(f.NotWeighedBy, func(id string) bool { return !slices.Contains(f.ConfirmedBy, id) })
	text += Wrapped(", confirmed by ", enumerated(models), "") + Wrapped("; not checked by ", enumerated(silent), "")
	text += Wrapped("; also called: ", Capped(f.Wordings, "; "), "")
	return text + "." + calledFixed(f) + Wrapped(" Its finder admits: ", sentence(f.Limit), "")
}

// support names the finders and confirmers of a finding, and the strongest objection to it.
func support(f Finding) string {
	return inline(StandsBehind(f)) + Wrapped(" ", entryMarkdown(Against(f)), "")
}

// Against is the strongest objection to a finding with its answers, "" if it has none.
func Against(f Finding) string {
	against := lists.Keep(f.Challenges, func(k Challenge) bool { return k.Kind != debate.Reconciling })
	if len(against) == 0 {
		return ""
	}
	strengths := []debate.Strength{debate.StrengthMinor, debate.StrengthModerate, debate.StrengthStrong}
	strongest := slices.MaxFunc(against, func(a, b Challenge) int {
		return cmp.Compare(slices.Index(strengths, a.Strength), slices.Index(strengths, b.Strength))
	})
	text := argued(strongest, f.Conversation, Decision{})
	return Wrapped("", text, ended(strings.TrimRight(text, `"`)))
}

// isLive reports whether nothing settled a challenge.
func (k Challenge) isLive() bool {
	return !slices.Contains([]debate.ChallengeStatus{debate.Resolved, debate.Conceded}, k.Status)
}

// hasFinder reports whether a model explains a finding.
func hasFinder(f Finding) bool {
	return f.Body != "" && len(others(debate.EngineParty, f.ReportedBy)) > 0
}

// Side is the words of one speaker about a finding.
type Side struct{ Who, Says string }

// Sides has the words of the models in disagreement about a finding, each once and without line breaks: the finders
// first, then each objection with its answer.
func Sides(f Finding) []Side {
	var out []Side
	add := func(who, says string) {
		if side := (Side{who, flowing(says)}); side.Says != "" && !slices.Contains(out, side) {
			out = append(out, side)
		}
	}
	if hasFinder(f) {
		add(enumerated(others(debate.EngineParty, f.ReportedBy)), f.Body)
	}
	for _, k := range f.Challenges {
		if k.isOpen() && k.Objection != "" {
			add(speaker(k.By), k.Objection)
			add(speaker(k.Defender), k.Defence)
		}
	}
	return out[:min(len(out), MaxSides+1)]
}

// Measurements are what the sides of open objections need to settle them, each once, with its
// parties.
func Measurements(list []Challenge) []string {
	var needs []string
	by := make(map[string][]string)
	for _, k := range lists.Keep(list, Challenge.isLive) {
		for _, v := range k.Missing {
			text := "measure " + OneLine(v.Measurement) + "; threshold " + OneLine(v.Threshold) + ": " + OneLine(v.Effect)
			needs, by[text] = append(needs, text), append(by[text], OneLine(v.Party))
		}
	}
	return lists.Map(lists.Once(needs), func(text string) string { return text + " (" + Capped(lists.Once(by[text]), ", ") + ")" })
}

// Crux is the way to settle an open finding: the measurements that its sides need, else the one of the record unless
// one of the sides says it; "" if there is none.
func Crux(f Finding) string {
	crux := flowing(f.Crux)
	says := func(s Side) bool { return text.Clip(s.Says, 500) == crux } // as the record keeps it
	switch needs := Measurements(f.Challenges); {
	case f.Bucket == debate.Agreed:
		return ""
	case len(needs) > 0 && f.Bucket == debate.Unresolved:
		return Capped(needs, "; or ")
	case slices.ContainsFunc(Sides(f), says):
		return ""
	}
	return crux
}

// argued is an objection, its answers and its end, as the thread about its subject has them.
func argued(k Challenge, lines []Line, about Decision) string {
	ofIt := lists.Keep(lines, func(l Line) bool { return l.Objection == k.ID })
	return strings.Join(lists.Map(thread(ofIt, about), Side.line), "; ")
}

// standings are the states of findings that their bucket does not say, by its reason.
var standings = map[debate.Reason]string{
	debate.ReasonConceded:   "withdrawn",
	debate.ReasonUndefended: "withdrawn",
	debate.ReasonRejected:   "refuted",
	debate.ReasonOutOfScope: "not about this change",
	debate.ReasonLate:       "not debated",
	debate.ReasonNotDebated: "not debated",
	debate.ReasonHuman:      "dismissed by a person",
	debate.ReasonFixed:      "fixed",
	debate.ReasonKnown:      "known",
	debate.ReasonUnproved:   "without proof",
}

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
