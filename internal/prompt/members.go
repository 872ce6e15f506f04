package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// maxNumber bounds the numbers of a reply.
const maxNumber = 1_000_000_000

// readCommon reads the common members of replies. It returns the findings of p1, p2 and p3.
func readCommon(o object, reply *debate.Reply) (plain []debate.NewClaim) {
	reply.Summary = o.text("summary")
	plain = plainLists(o, reply)
	reply.Missing = slices.DeleteFunc(o.texts("missing"), saysNothing)
	said := ""
	_ = json.Unmarshal(o.raw("recommendation"), &said) // only a text may say "none"
	recommendation, unknown := word(o, "recommendation", debate.Keep, debate.Revise, debate.Reject, debate.Continue)
	reply.Recommendation, o.r.unclear = recommendation, unknown && !saysNothing(said)
	reply.Evidence = o.texts("evidence")
	return plain
}

// readKind reads the members of one kind of call. It returns a function to be called after
// the reply is complete: it says what a valid reply lacks.
func readKind(kind debate.CallKind, o object, reply *debate.Reply) (lacks func() string) {
	switch kind {
	case debate.CallOpen:
		return readOpening(o, reply)
	case debate.CallLocal:
		reply.SelfChallenges = each(o, "self_challenges", func(o object) (debate.SelfChallenge, bool) {
			n, ok := o.number("claim_index", 0, maxNumber)
			return debate.SelfChallenge{Claim: n, Text: o.text("text")}, ok
		})
		return readOpening(o, reply)
	case debate.CallChallenge:
		return readChallenge(o, reply)
	case debate.CallRespond, debate.CallRebut:
		readExchange(kind, o, reply)
		return func() string { return "" }
	case debate.CallJudge1, debate.CallJudge2:
		readVote(kind, o, reply)
		return func() string { return unless(reply.Option != "", "it names no option") }
	case debate.CallScore:
		readAssumptions(o, reply)
		reply.Sheets = each(o, "decisions", sheet)
		return func() string {
			return unless(len(reply.Sheets) > 0, "it has no sheet in decisions: {\"id\", \"scores\"} for each question")
		}
	case debate.CallArbiter:
		isList := bytes.HasPrefix(o.members["items"], []byte("["))
		reply.Flags = each(o, "items", flagged)
		return func() string { return unless(isList, "it has no list of items") }
	case debate.CallSumUp:
		reply.Conditions = slices.DeleteFunc(o.texts("conditions"), saysNothing)
		return func() string { return unless(reply.Summary != "", "it has no summary, which is the answer") }
	}
	return func() string { return "nothing is known of a call " + string(kind) }
}

// unless returns a fault if a condition is false, else "".
func unless(holds bool, wrong string) string {
	if holds {
		return ""
	}
	return wrong
}

// readOpening reads an opening. An unknown disposition is asked for again. A recommendation
// replaces a missing disposition.
func readOpening(o object, reply *debate.Reply) (lacks func() string) {
	disposition, unknown := word(o, "disposition", debate.Keep, debate.Revise, debate.Reject)
	reply.Disposition = disposition
	reply.Reasoning = o.texts("reasoning")
	reply.Confidence = declared(o)
	reply.Weaknesses = o.texts("weaknesses")
	reply.Assumptions = o.texts("assumptions")
	reply.Claims, _ = claimsIn(o, "claims", "")
	reply.ProposalReview = one(o, "proposal_review", proposalReview)
	reply.Overview = one(o, "overview", func(o object) (debate.Overview, bool) {
		topics := each(o, "order", func(o object) (debate.Topic, bool) {
			t := debate.Topic{Topic: o.text("topic"), Files: o.texts("files")}
			return t, len(t.Files) > 0
		})
		v := debate.Overview{Does: o.text("does"), Misses: o.text("misses"), Order: topics}
		return v, strings.TrimSpace(v.Does) != ""
	})
	reply.Carried = each(o, "carried", carrying)
	reply.Questions = each(o, "decisions", question)
	reply.FinalOptions = each(o, "final_options", finalOption)
	reply.Critical = each(o, "critical_because", assertion)
	return func() string {
		if reply.Disposition == "" && reply.Recommendation != debate.Continue {
			reply.Disposition = reply.Recommendation
		}
		return cmp.Or(
			unless(!unknown, "its disposition is none of keep, revise and reject"),
			unless(reply.Disposition != "", "it has no disposition: keep, revise or reject"),
		)
	}
}

// readChallenge reads a challenge. An unknown verdict is no agreement, and an objection of
// unknown strength is a strong one.
func readChallenge(o object, reply *debate.Reply) (lacks func() string) {
	reply.Carried = each(o, "carried", carrying)
	reply.FinalOptions = each(o, "final_options", finalOption)
	reply.Repairs = each(o, "repairs", repair)
	verdict, unknown := word(o, "verdict", debate.VerdictAgree, debate.VerdictPartial, debate.VerdictDisagree)
	reply.Verdict = verdict
	strength, unclear := word(o, "objection_strength", debate.StrengthNone, debate.StrengthMinor, debate.StrengthStrong)
	if unclear {
		strength = debate.StrengthStrong
	}
	reply.Strength = strength
	reply.Confidence = declared(o)
	reply.Evaluations = each(o, "evaluations", evaluating)
	reply.Claims, _ = claimsIn(o, "new_claims", "")
	if len(reply.Claims) == 0 { // the name of an OPEN
		reply.Claims, _ = claimsIn(o, "claims", "")
	}
	reply.ProposalReview = one(o, "proposal_review", proposalReview)
	if said, inWords := wordsIn(o.raw("strongest_objection")); !inWords {
		reply.Strongest = one(o, "strongest_objection", objection)
	} else if o.take("strongest_objection"); !saysNothing(said) {
		reply.Strongest = &debate.Objection{Text: said, Refs: refsAt(said)}
	}
	reply.Alternative = o.text("alternative")
	reply.AssumptionsChallenged = o.texts("assumptions_challenged")
	reply.Critical = each(o, "critical_because", assertion)
	reply.Checked = each(o, "checked", func(o object) (debate.Check, bool) {
		return debate.Check{Claim: o.id("claim"), Segment: o.id("segment"), Scenario: o.text("scenario"), Refs: refs(o, "ref")}, true
	})
	reply.Position = one(o, "position", restated) // of the primary, after blind openings
	reply.Changes = each(o, "acknowledged_changes", change)
	return func() string {
		judged := reply.Verdict != "" || reply.Recommendation != "" || reply.Strongest != nil || len(reply.Evaluations)+len(reply.Claims) > 0
		if unknown {
			reply.Verdict = debate.VerdictPartial
		}
		return unless(judged, "it has no verdict (agree, partial, disagree), no recommendation and no evaluations")
	}
}

// readExchange reads a RESPOND or a REBUT.
func readExchange(kind debate.CallKind, o object, reply *debate.Reply) {
	reply.Changes = each(o, "acknowledged_changes", change)
	reply.Repairs = each(o, "repairs", repair)
	reply.Deadlocks = each(o, "deadlock", deadlock)
	reply.Delta = one(o, "delta", rating)
	reply.FinalOptions = each(o, "final_options", finalOption)
	reply.Critical = each(o, "critical_because", assertion)
	readAssumptions(o, reply)
	reply.Answers = append(each(o, "answers", answer), each(o, "defences", answer)...)
	reply.Evaluations = each(o, "evaluations", evaluating)
	if kind == debate.CallRespond {
		reply.Position = one(o, "position", restated)
		return
	}
	reply.Claims, _ = claimsIn(o, "new_claims", "")
	option := enum(o, "final_option", debate.Keep, debate.Revise, debate.Reject)
	isD0 := func(f debate.FinalOption) bool { return f.Decision == "D0" }
	if option != "" && !slices.ContainsFunc(reply.FinalOptions, isD0) {
		reply.FinalOptions = append(reply.FinalOptions, debate.FinalOption{Decision: "D0", Option: string(option)})
	}
}

func readVote(kind debate.CallKind, o object, reply *debate.Reply) {
	reply.Option = strings.TrimSpace(o.text("option"))
	reply.Confidence = declared(o)
	reply.Reason = o.text("reason")
	if kind == debate.CallJudge1 {
		reply.PerOption = each(o, "per_option", assessment)
		reply.HiddenPoints = o.texts("hidden_points")
		return
	}
	reply.Changed = o.flag("changed")
	stance := func(o object, name string) string {
		return string(enum(o, name, debate.StanceRisk, debate.StanceValue, debate.StanceEffort))
	}
	reply.ConvincedBy = one(o, "convinced_by", func(o object) (debate.Convinced, bool) {
		c := debate.Convinced{Judge: stance(o, "judge"), Argument: o.text("argument")}
		return c, c.Judge != ""
	})
	reply.Counters = each(o, "counter_arguments", func(o object) (debate.Counter, bool) {
		c := debate.Counter{To: stance(o, "to"), Text: o.text("text")}
		return c, c.To != ""
	})
}

func readAssumptions(o object, reply *debate.Reply) {
	reply.WhyDisagree = o.text("why_disagree")
	reply.RightIf = o.text("right_if")
	reply.CoreAssumption = o.text("core_assumption")
	reply.TestableBy = o.text("testable_by")
}

func declared(o object) debate.Declared {
	return enum(o, "confidence", debate.DeclaredHigh, debate.DeclaredMed, debate.DeclaredLow)
}
