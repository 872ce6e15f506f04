package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
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

// others are the members of some lists, in order, each once, without one of them.
func others(but string, lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == but })
}

// maxInWords bounds a list inside of a sentence.
const maxInWords = 3

// enumerated joins names as a sentence does: "claude, gemini and gpt". It counts those after the
// third one.
func enumerated(names []string) string {
	names = lists.Map(names, OneLine)
	last := min(len(names)-1, maxInWords)
	switch {
	case last < 1:
		return strings.Join(names, "")
	case len(names) > maxInWords:
		return strings.Join(names[:last], ", ") + fmt.Sprintf(" and %d more", len(names)-maxInWords)
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// attack is an objection to a finding, the answer, and the result.
func attack(f Finding, k Challenge) string {
	if k.Status == debate.Dissent {
		return disagrees(k)
	}
	return speakerFirst(objector(f, k)) + " objected: " + inQuotes(k.Objection) + k.answer() + "; " + fate(f, k)
}
