package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Headline is the verdict in a few words, the same on every surface. It is computed from the
// present positions, and never claims more than they support.
func Headline(e Envelope) string {
	return cameOut(e).String() + stopped(e)
}

// came is a verdict: the words before and after the colon, and the number of remarks.
type came struct {
	first, rest string
	remarks     int
}

func (c came) String() string {
	text := c.first + Wrapped(": ", c.rest, "")
	if c.remarks > 0 {
		text += ", " + Count(c.remarks, "remark")
	}
	return text
}

// cameOut is the verdict without the failed models.
func cameOut(e Envelope) came {
	switch {
	case e.Inquiry != nil:
		return came{first: answerHeadline(e)}
	case !HasDebate(e):
		return undebated(e)
	}
	if h := overruling(e); h != nil {
		return came{first: OneLine(h.By) + " decided", rest: Ordered(h.Option)}
	}
	v := came{first: verdict(e)}
	if v.first == readyToMerge {
		v.remarks = remarks(e)
	}
	if e.Outcome == debate.Unchallenged {
		v.first, v.rest = "reviewed by one model only", v.first
	}
	return v
}

// undebated is the verdict on a change without a debate.
func undebated(e Envelope) came {
	if len(Awaiting(e)) > 0 {
		return came{first: waitsForPeople(e)}
	}
	switch e.Outcome {
	case debate.DegradedLocal:
		return unpaired(e)
	case debate.Skipped:
		return came{first: "not reviewed", rest: OneLine(e.OutcomeReason)}
	case debate.Superseded:
		return came{first: "stopped", rest: "the change has a newer commit"}
	}
	return came{first: "the review could not be done"}
}

// unpaired is the verdict on a change if no two models debated it.
func unpaired(e Envelope) came {
	switch {
	case !e.Alone:
		return notReviewed(e)
	case len(modelsRead(e)) > 1:
		return came{first: "reviewed, but not debated", rest: OneLine(e.OutcomeReason)}
	}
	return came{first: "reviewed by one model only"}
}

// notReviewed says why no model reviewed a change.
func notReviewed(e Envelope) came { return came{first: "not reviewed by a model", rest: because(e)} }

func waitsForPeople(e Envelope) string {
	if n := len(Awaiting(e)); n > 1 {
		return fmt.Sprintf("waits for %d decisions", n)
	}
	return "waits for a decision"
}

// verdict is the result of a debate.
func verdict(e Envelope) string {
	d, _ := decisionOf(e, "D0")
	switch {
	case yourCall(e):
		return undecidedBy(e, d) + ", your call"
	case len(Awaiting(e)) > 0:
		return waitsForPeople(e)
	}
	switch e.Recommendation {
	case debate.Keep:
		return kept(e)
	case debate.Revise:
		return "changes needed"
	case debate.Reject:
		return "should not be merged"
	}
	switch asked := allAsk(d); {
	case asked != "":
		return asked
	case !unanimous(d.FinalOptions):
		return "the models disagree"
	case len(e.P1) > 0, d.Basis == debate.WhyOpenP1: // they would merge it all the same
		return p1InTheWay
	}
	return "nothing is recommended"
}

// p1InTheWay is the verdict if the models would merge over a P1.
const p1InTheWay = "a P1 is open"

// allAsk is the verdict if several models all ask for the same instead of a merge, "" if they
// differ or if there is only one.
func allAsk(d Decision) string {
	if len(d.FinalOptions) < 2 || !unanimous(d.FinalOptions) {
		return ""
	}
	held := mergeBy(d.FinalOptions[0].Option)
	if held == nil || held.option == debate.Keep {
		return ""
	}
	return "the models " + held.together
}

// undecidedBy says why the reader has to decide.
func undecidedBy(e Envelope, d Decision) string {
	agreeing := unanimous(d.FinalOptions)
	switch asked := allAsk(d); {
	case asked != "":
		return asked
	case agreeing && len(e.Unresolved) == 1:
		return "1 finding is open"
	case agreeing && len(e.Unresolved) > 1:
		return fmt.Sprintf("%d findings are open", len(e.Unresolved))
	case agreeing:
		return "nothing is recommended"
	case slices.ContainsFunc(e.Unresolved, isP1):
		return "the models disagree about a P1"
	}
	return "the models disagree"
}

func isP1(f Finding) bool { return f.Severity == debate.P1 }

// kept is the verdict if the models would merge the change as it is. It does not call a partly
// read change ready.
func kept(e Envelope) string {
	switch {
	case !whole(e):
		return partlyRead(e)
	case remarks(e) > 0:
		return readyToMerge
	case len(e.Known) > 0:
		return "no new problems found"
	}
	return "no problems found"
}

// remarks counts the findings on a change to be merged as it is.
func remarks(e Envelope) int { return len(Agreed(e)) + len(e.Unresolved) + len(e.NotEvaluated) }

// readyToMerge is the verdict on such a change with findings.
const readyToMerge = "ready to merge"

// partlyRead says how much of a change was reviewed.
func partlyRead(e Envelope) string {
	switch {
	case e.Stats.Blind:
		return "nothing of the change could be read"
	case namesOnly(e):
		return "no line of the change was read"
	case e.Stats.Missed == 0:
		return "only a part of the change was reviewed"
	case e.Stats.Missed == e.Stats.Files:
		return "no file was reviewed in full"
	}
	return fmt.Sprintf("only %d of %s were reviewed in full", e.Stats.Files-e.Stats.Missed, Count(e.Stats.Files, "file"))
}

// namesOnly reports whether no file of the change needs a review.
func namesOnly(e Envelope) bool {
	return e.Coverage == string(debate.CoverageNone) && e.Stats.Missed == 0 && len(e.Stats.Excused) > 0
}

// excused counts the files that were only renamed, and names the others that no model read and
// that need no review, each with its changed lines. "" if there is none.
func excused(e Envelope) string {
	renamed := lists.Keep(e.Stats.Excused, func(f Excused) bool { return f.Why == debate.OnlyRenamed })
	others := lists.Keep(e.Stats.Excused, func(f Excused) bool { return f.Why != debate.OnlyRenamed })
	first := min(len(others), maxExcused)
	named := lists.Map(others[:first], func(f Excused) string { return OneLine(f.Path) + " (" + string(f.Why) + linesOf(f.Lines) + ")" })
	if more := others[first:]; len(more) > 0 {
		lines := 0
		for _, f := range more {
			lines += f.Lines
		}
		says := Count(len(more), "more file")
		if lines > 0 {
			says += " (" + Count(lines, "line") + ")"
		}
		named = []string{strings.Join(named, ", ") + " and " + says}
	}
	says := Wrapped("not read: ", enumerated(named), "")
	if n := len(renamed); n > 0 {
		says = strings.Join(Present(Count(n, "file")+" only renamed, content not read", says), "; ")
	}
	return says
}

// maxExcused bounds the files named in the first lines.
const maxExcused = 3

// because says why no model reviewed a change: in the words of the first provider that failed
// (M19), or because no model is allowed or configured.
func because(e Envelope) string {
	models := lists.Keep(e.Parties, Party.debates)
	failed := failures(models)
	switch {
	case len(failed) > 0:
		return ClipLine(failed[0], maxCause)
	case e.Forbidden != "":
		return forbiddenFor[e.Forbidden]
	case len(models) == 0:
		return "no API key is set"
	case len(models) == 1:
		return "only " + OneLine(models[0].ID) + " is configured, and a debate needs two"
	}
	return OneLine(e.OutcomeReason)
}

// forbiddenFor says why the operator of a server allows no model.
var forbiddenFor = map[debate.Forbidden]string{
	debate.ForAccount: "this account may not ask one",
	debate.ForMoney:   "the money for this month is spent",
	debate.ForPrice:   "the price of a model is not known",
}

// maxCause bounds the words of a provider in a headline.
const maxCause = 160

// stopped names the models that left a debate before its end (M19).
func stopped(e Envelope) string {
	if !HasDebate(e) || overruling(e) != nil {
		return ""
	}
	left := alike(lists.Keep(e.Parties, Party.gone), " ", Party.left)
	return Wrapped("; ", strings.Join(left, "; "), "")
}

// left says how a model left, after its name.
func (p Party) left() string {
	switch {
	case p.Unread && p.Failed == p.Calls:
		return "gave no readable answer"
	case p.Unread:
		return "gave an unreadable answer"
	case p.Failed == p.Calls:
		return "did not answer"
	}
	return "stopped answering"
}

// gone reports whether a debater failed before the end.
func (p Party) gone() bool {
	return p.hasLeft() && p.Status != string(debate.PartySameFamily) && !p.dropped()
}

// dropped reports whether a model with readable answers was made to leave.
func (p Party) dropped() bool {
	return p.hasLeft() && p.Status == string(debate.PartyQuality) && !p.Unread
}

// hasLeft reports whether a debater takes no further part.
func (p Party) hasLeft() bool { return p.debates() && p.Lost }
