package debate

import (
	"github.com/prdebate/debate/internal/debate/rubric"
	"github.com/prdebate/debate/internal/text"
)

// Conclusion is what the check of a run says to a merge (S05).
type Conclusion string

// The conclusions, spelt as GitHub spells them.
const (
	ActionRequired Conclusion = "action_required"
	Failure        Conclusion = "failure"
	Success        Conclusion = "success"
	Neutral        Conclusion = "neutral"
)

// Conclusion computes the conclusion of a run and says why, first match (S05).
// A run that was skipped, degraded, superseded or aborted never succeeds, and
// neither does one whose configuration is broken (S18).
func (s State) Conclusion() (Conclusion, string) {
	set := s.Received.Settings
	if s.AwaitsHuman() {
		return ActionRequired, "a decision awaits a human"
	}
	if s.Received.Inquiry != nil {
		return Neutral, "an answer says nothing to a merge"
	}
	if set.ConfigDefective {
		return Failure, "the configuration is broken"
	}
	failOn := set.FailOn
	if set.Gate == Required { // required implies P1 or stricter
		failOn = failOn.Stricter(FailP1)
	}
	for _, c := range s.Agreed() {
		if failOn.Fails(c.Severity) {
			return Failure, "finding " + c.ID + " is " + string(c.Severity)
		}
	}
	d0 := s.decision("D0")
	if d0 != nil && d0.Outcome == HumanDecided && d0.Human.Option == string(Reject) {
		return Failure, d0.Human.By + " chose reject"
	}
	keep := d0 != nil && s.Disposition == Keep &&
		(d0.Outcome == Settled || d0.Outcome == Adopted || d0.Outcome == HumanDecided)
	full := s.Coverage() == CoverageFull
	debated := s.Outcome == Consensus || s.Outcome == Tradeoff
	human := d0 != nil && d0.Outcome == HumanDecided
	if set.Gate == Required {
		switch {
		case s.heldBack() != "":
			return Failure, "the gate is required, and " + s.heldBack()
		case !keep:
			return Failure, "the gate is required, and the change is not found fit to merge as it is"
		case !debated && !human:
			return Failure, "the gate is required, and no debate took place"
		case !full:
			return Failure, "the gate is required, and parts were not reviewed"
		}
	}
	agreedP1 := false
	for _, c := range s.Agreed() {
		agreedP1 = agreedP1 || c.Severity == P1
	}
	held := s.heldBack()
	switch {
	case held != "":
		return Neutral, held
	case !keep:
		return Neutral, "no decision to merge as proposed was reached"
	case !debated && !human:
		return Neutral, "no debate took place"
	case !full:
		return Neutral, "parts of the change were not reviewed"
	case agreedP1 && !human:
		return Neutral, "an agreed P1 is open"
	}
	return Success, "the change was reviewed whole, and keep was decided"
}

// heldBack says in words which decision beside D0 asks for another change than
// the one proposed, or "": what a claim names is to be addressed or left out, or a
// person chose that everything stays as it is. The change is not merged as
// proposed then, whatever D0 came to before (X08, S05). What a person decided for
// D0 gives way to what a person decided only.
func (s State) heldBack() string {
	d0 := s.decision("D0")
	if d0 == nil || s.Received.Inquiry != nil {
		return ""
	}
	wanted := string(Keep) == d0.Recommendation && (d0.Outcome == Settled || d0.Outcome == Adopted) ||
		d0.Outcome == HumanDecided && d0.Human.Option == string(Keep)
	if !wanted {
		return ""
	}
	for _, d := range s.Decisions {
		option, by := d.Recommendation, "the debate"
		switch {
		case d.disposes():
			continue
		case d.Outcome == HumanDecided:
			option, by = d.Human.Option, d.Human.By
		case d.Outcome != Settled && d.Outcome != Adopted || d0.Outcome == HumanDecided:
			continue
		}
		for _, o := range d.Options {
			if o.ID != option || !(d.aboutClaim() && o.ID != "accept" || o.StatusQuo && d.Outcome == HumanDecided) {
				continue
			}
			return by + " chose " + o.Label + " for " + d.ID + " (" + clip(text.OneLine(d.Question), 200) + ")"
		}
	}
	return ""
}

// aboutClaim reports whether a decision is about what a claim names, and not a
// question of a party.
func (d Decision) aboutClaim() bool {
	return rubric.Has(d.Options, "accept") && rubric.Has(d.Options, "leave_out")
}
