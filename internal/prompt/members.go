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

// readKind reads the members of one kind of call. It notes in the reader if a required one is
// missing.
func readKind(kind debate.CallKind, o object, reply *debate.Reply) {
	requires := func(holds bool, wrong string) {
		if !holds {
			o.r.fault = cmp.Or(o.r.fault, wrong)
		}
	}
	switch kind {
	case debate.CallOpen, debate.CallLocal:
		disposition, unknown := word(o, "disposition", debate.Keep, debate.Revise, debate.Reject)
		reply.Disposition = disposition
		readDebated(kind, o, reply)
		if disposition == "" && reply.Recommendation != debate.Continue {
			reply.Disposition = reply.Recommendation
		}
		requires(!unknown, "its disposition is none of keep, revise and reject") // it is asked for again
		requires(reply.Disposition != "", "it has no disposition: keep, revise or reject")
	case debate.CallChallenge, debate.CallRespond, debate.CallRebut:
		readDebated(kind, o, reply)
	case debate.CallJudge1, debate.CallJudge2:
		readVote(kind, o, reply)
		requires(reply.Option != "", "it names no option")
	case debate.CallScore:
		readAssumptions(o, reply)
		reply.Sheets = each(o, "decisions", sheet)
		requires(len(reply.Sheets) > 0, "it has no sheet in decisions: {\"id\", \"scores\"} for each question")
	case debate.CallArbiter:
		requires(bytes.HasPrefix(o.members["items"], []byte("[")), "it has no list of items")
		reply.Flags = each(o, "items", flagged)
	case debate.CallSumUp:
		reply.Conditions = slices.DeleteFunc(o.texts("conditions"), saysNothing)
		requires(reply.Summary != "", "it has no summary, which is the answer")
	default:
		requires(false, "nothing is known of a call "+string(kind))
	}
}

// readDebated reads what parties say in OPEN, LOCAL, CHALLENGE, RESPOND and REBUT.
func readDebated(kind debate.CallKind, o object, reply *debate.Reply) {
	opens, exchanges := kind == debate.CallOpen || kind == debate.CallLocal, kind == debate.CallRespond || kind == debate.CallRebut
	if opens {
		reply.Reasoning = o.texts("reasoning")
		reply.Weaknesses = o.texts("weaknesses")
		reply.Assumptions = o.texts("assumptions")
		reply.Claims, _ = claimsIn(o, "claims", "")
		reply.Overview = one(o, "overview", overview)
		reply.Questions = each(o, "decisions", question)
	}
	if kind == debate.CallLocal {
		reply.SelfChallenges = each(o, "self_challenges", func(o object) (debate.SelfChallenge, bool) {
			n, ok := o.number("claim_index", 0, maxNumber)
			return debate.SelfChallenge{Claim: n, Text: o.text("text")}, ok
		})
	}
	if kind == debate.CallChallenge {
		readVerdict(o, reply)
	}
	if !exchanges {
		reply.Confidence = declared(o)
		reply.ProposalReview = one(o, "proposal_review", proposalReview)
		reply.Carried = each(o, "carried", carrying)
	}
	if !opens {
		reply.Evaluations = each(o, "evaluations", evaluating)
		reply.Repairs = each(o, "repairs", repair)
		reply.Changes = each(o, "acknowledged_changes", change)
	}
	if exchanges {
		reply.Answers = append(each(o, "answers", answer), each(o, "defences", answer)...)
		reply.Deadlocks = each(o, "deadlock", deadlock)
		reply.Delta = one(o, "delta", rating)
		readAssumptions(o, reply)
		reply.Claims, _ = claimsIn(o, "new_claims", "")
	}
	if !opens { // the primary challenges, too, after blind openings
		reply.Position = one(o, "position", restated)
	}
	reply.FinalOptions = each(o, "final_options", finalOption)
	reply.Critical = each(o, "critical_because", assertion)
	if exchanges {
		option := enum(o, "final_option", debate.Keep, debate.Revise, debate.Reject)
		isD0 := func(f debate.FinalOption) bool { return f.Decision == "D0" }
		if option != "" && !slices.ContainsFunc(reply.FinalOptions, isD0) {
			reply.FinalOptions = append(reply.FinalOptions, debate.FinalOption{Decision: "D0", Option: string(option)})
		}
	}
}

// readVerdict reads what a CHALLENGE says of the position. An unknown verdict is no agreement, and
// an objection of unknown strength is a strong one.
func readVerdict(o object, reply *debate.Reply) {
	verdict, unknown := word(o, "verdict", debate.VerdictAgree, debate.VerdictPartial, debate.VerdictDisagree)
	reply.Verdict, o.r.unknown = verdict, unknown
	strength, unclear := word(o, "objection_strength", debate.StrengthNone, debate.StrengthMinor, debate.StrengthStrong)
	if unclear {
		strength = debate.StrengthStrong
	}
	reply.Strength = strength
	reply.Claims, _ = claimsIn(o, "new_claims", "")
	if len(reply.Claims) == 0 { // the name of an OPEN
		reply.Claims, _ = claimsIn(o, "claims", "")
	}
	if said, inWords := wordsIn(o.raw("strongest_objection")); !inWords {
		reply.Strongest = one(o, "strongest_objection", objection)
	} else if o.take("strongest_objection"); !saysNothing(said) {
		reply.Strongest = &debate.Objection{Text: said, Refs: refsAt(said)}
	}
	reply.Alternative = o.text("alternative")
	reply.AssumptionsChallenged = o.texts("assumptions_challenged")
	reply.Checked = each(o, "checked", func(o object) (debate.Check, bool) {
		return debate.Check{Claim: o.id("claim"), Segment: o.id("segment"), Scenario: o.text("scenario"), Refs: refs(o, "ref")}, true
	})
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
