package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// reasonWords are the reasons why a claim is in its bucket.
var reasonWords = map[debate.Reason]string{
	debate.ReasonConceded:    "its finder withdrew it",
	debate.ReasonUndefended:  "its finder did not defend it",
	debate.ReasonRejected:    "refuted",
	debate.ReasonOutOfScope:  "not about this change",
	debate.ReasonBlocked:     "data is missing",
	debate.ReasonDefinition:  "the models mean different things",
	debate.ReasonTradeoff:    "it depends on what matters more",
	debate.ReasonUnconfirmed: "no other model confirmed it",
	debate.ReasonOpen:        "an objection was not settled",
	debate.ReasonUnreviewed:  "no other model checked it",
	debate.ReasonLate:        "raised too late to be debated",
	debate.ReasonNotDebated:  "more than one review debates",
	debate.ReasonAnchorShift: "not what this change is about",
	debate.ReasonUnexplained: "given up without a reason",
	debate.ReasonHuman:       "dismissed by a person",
	debate.ReasonFixed:       "fixed",
	debate.ReasonKnown:       "known",
	debate.ReasonUnproved:    "no quote for it was found",
}

// BecauseOf is why a finding is in its bucket, as exactly as it is known.
func BecauseOf(f Finding) string {
	words := cmp.Or(reasonWords[debate.Reason(f.BucketReason)], OneLine(f.BucketReason))
	if f.BucketReason == string(debate.ReasonRejected) && f.Why != "" { // the words against it do not say this
		return words + ": " + f.Why
	}
	return cmp.Or(f.Why, words)
}

// listed is a finding on one line with its reason.
func listed(f Finding) string {
	return strings.TrimSpace(OneLine(f.ID)+" "+OneLine(string(f.Severity))) + " " + Place(f) + " " + OneLine(f.Title) + ": " + OneLine(BecauseOf(f))
}

// listedAll are findings on one line each.
func listedAll(findings []Finding) []string {
	return lists.Map(findings, listed)
}

// Standing is the state of a finding in a few words.
func Standing(f Finding) string {
	return cameOf(f) + Wrapped(", ", Accepted(f), "")
}

// cameOf is the state of a finding after the debate.
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

// becauseOf has the states told by the reason alone.
var becauseOf = map[debate.Reason]string{
	debate.ReasonHuman:      "dismissed by a person",
	debate.ReasonFixed:      "fixed",
	debate.ReasonKnown:      "known",
	debate.ReasonUnproved:   "without proof",
	debate.ReasonOutOfScope: "not about this change",
}

// dismissedAs has the states of findings dismissed in the debate.
var dismissedAs = map[debate.Reason]string{
	debate.ReasonConceded:   "withdrawn",
	debate.ReasonUndefended: "withdrawn",
	debate.ReasonRejected:   "refuted",
}

// Settled is why a finding is settled or open; "" if its state says it all.
func Settled(f Finding) string {
	return ClipLine(f.Why, MaxEntry)
}

// Accepted names the person who decided to merge despite a finding, "" if there is none.
func Accepted(f Finding) string { return Wrapped("accepted by ", OneLine(f.AcceptedBy), "") }

// Provenance names the finders and confirmers of a finding, "" for the built-in rules alone, with
// only a rule.
func Provenance(f Finding) string {
	models := others(debate.EngineParty, f.ReportedBy, f.ConfirmedBy)
	text := ""
	switch {
	case len(f.ReportedBy) == 0, f.Rule != "" && len(models) == 0:
		return ""
	case f.Rule != "":
		text = "Found by the built-in rule " + OneLine(f.Rule) + ", confirmed by " + enumerated(models)
	case len(confirming(f)) > 0:
		text = "Found by " + finders(f) + ", confirmed by " + enumerated(confirming(f))
	default:
		text = "Found by " + finders(f)
	}
	silent := lists.Keep(f.NotWeighedBy, func(id string) bool { return !slices.Contains(f.ConfirmedBy, id) })
	text += Wrapped("; not checked by ", enumerated(silent), "")
	text += Wrapped("; also called: ", Capped(f.Wordings, "; "), "")
	return text + "." + calledFixed(f) + Wrapped(" Its finder grants: ", OneLine(f.Limit), "")
}

// calledFixed says which models call a current finding of an earlier commit fixed, and which
// proof is missing. It follows another sentence, and is "" if no model does.
func calledFixed(f Finding) string {
	last := make(map[string]Act)
	for _, l := range f.Conversation {
		switch l.Act {
		case DidFindGone, DidFindHere:
			last[Speaker(l)] = l.Act
		}
	}
	who := slices.Sorted(maps.Keys(last))
	gone := lists.Keep(who, func(name string) bool { return last[name] == DidFindGone })
	here := lists.Keep(who, func(name string) bool { return last[name] == DidFindHere })
	if len(gone) == 0 || f.Bucket == debate.Dismissed {
		return ""
	}
	finds := func(names []string) string {
		if len(names) == 1 {
			return names[0] + " finds it "
		}
		return enumerated(names) + " find it "
	}
	text := " " + finds(gone) + "fixed"
	switch {
	case len(here) > 0:
		return text + ", " + finds(here) + "still there."
	case f.Severity == debate.P1:
		return text + "; a P1 needs two proofs."
	}
	return text + ", but no changed line near it proves it."
}

// finders names the finders of a finding.
func finders(f Finding) string {
	return enumerated(lists.Map(f.ReportedBy, func(id string) string { return Speaker(Line{Who: id}) }))
}

// confirming has the confirmers of a finding other than its finders.
func confirming(f Finding) []string {
	return lists.Keep(f.ConfirmedBy, func(id string) bool { return !slices.Contains(f.ReportedBy, id) })
}

// StandsBehind names the finders and confirmers of a finding.
func StandsBehind(f Finding) string {
	return cmp.Or(Provenance(f), Wrapped("Found by the built-in rule ", OneLine(f.Rule), "."), "Found by a built-in rule.")
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

// objector is the author of an objection to a finding. A person who disputes it is known by name.
func objector(f Finding, k Challenge) Line {
	dispute := lists.Find(f.Conversation, func(l Line) bool { return l.Act == DidDispute })
	if k.By == debate.AuthorParty && dispute.Act != "" {
		return dispute
	}
	return Line{Who: k.By}
}

// attack is an objection to a finding, the answer, and the result.
func attack(f Finding, k Challenge) string {
	if k.Status == debate.Dissent {
		return disagrees(k)
	}
	return speakerFirst(objector(f, k)) + " objected: " + inQuotes(k.Objection) + k.answer() + "; " + fate(f, k)
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
