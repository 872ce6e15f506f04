package prompt

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxNumber bounds the numbers of a reply.
const maxNumber = 1_000_000_000

func commonMembers() []string {
	return []string{"summary", "p0", "p1", "p2", "p3", "missing", "recommendation", "evidence"}
}

// readCommon reads the members of every reply. It returns the findings of p1, p2
// and p3.
func readCommon(o object, reply *debate.Reply) (plain []debate.NewClaim) {
	reply.Summary = o.text("summary")
	plain = plainLists(o, reply)
	reply.Missing = slices.DeleteFunc(o.texts("missing"), saysNothing)
	reply.Recommendation = enum(o, "recommendation", debate.Keep, debate.Revise, debate.Reject, debate.Continue)
	reply.Evidence = o.texts("evidence")
	return plain
}

// readKind reads the members of one kind of call. The function that it returns
// says what the reply lacks to be a valid one, once it is complete.
func readKind(kind debate.CallKind, o object, reply *debate.Reply) (lacks func() string) {
	switch kind {
	case debate.CallOpen:
		return readOpening(o, reply)
	case debate.CallLocal:
		reply.SelfChallenges = each(o, "self_challenges", selfChallenge)
		return readOpening(o, reply)
	case debate.CallChallenge:
		return readChallenge(o, reply)
	case debate.CallRespond, debate.CallRebut:
		readExchange(kind, o, reply)
		return nothing
	case debate.CallJudge1, debate.CallJudge2:
		readVote(kind, o, reply)
		return func() string { return unless(reply.Option != "", "it names no option") }
	case debate.CallScore:
		return readSheets(o, reply)
	case debate.CallArbiter:
		return readFlags(o, reply)
	case debate.CallSumUp:
		reply.Conditions = slices.DeleteFunc(o.texts("conditions"), saysNothing)
		return func() string { return unless(reply.Summary != "", "it has no summary, which is the answer") }
	}
	return func() string { return "nothing is known of a call " + string(kind) }
}

func nothing() string { return "" }

// unless says what is wrong where something does not hold.
func unless(holds bool, wrong string) string {
	if holds {
		return ""
	}
	return wrong
}

// readOpening reads an opening. A disposition in unknown words is asked for again, and a
// recommendation stands for one that is not given.
func readOpening(o object, reply *debate.Reply) (lacks func() string) {
	disposition, unknown := word(o, "disposition", debate.Keep, debate.Revise, debate.Reject)
	reply.Disposition = disposition
	reply.Reasoning = o.texts("reasoning")
	reply.Confidence = declared(o)
	reply.Weaknesses = o.texts("weaknesses")
	reply.Assumptions = o.texts("assumptions")
	reply.Claims = claimsIn(o, "claims", newClaim)
	reply.ProposalReview = one(o, "proposal_review", proposalReview)
	reply.Overview = one(o, "overview", overview)
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

// readChallenge reads a challenge. A verdict in unknown words is no agreement, and an objection
// of unknown strength is a strong one.
func readChallenge(o object, reply *debate.Reply) (lacks func() string) {
	reply.Carried = each(o, "carried", carrying)
	reply.FinalOptions = each(o, "final_options", finalOption)
	reply.Repairs = each(o, "repairs", repair)
	given, unknown := verdict(o)
	reply.Verdict = given
	strength, unclear := word(o, "objection_strength", debate.StrengthNone, debate.StrengthMinor, debate.StrengthStrong)
	if unclear {
		strength = debate.StrengthStrong
	}
	reply.Strength = strength
	reply.Confidence = declared(o)
	reply.Evaluations = each(o, "evaluations", evaluating)
	reply.Claims = claimsIn(o, "new_claims", newClaim)
	if len(reply.Claims) == 0 { // as an OPEN names them
		reply.Claims = claimsIn(o, "claims", unechoed)
	}
	reply.ProposalReview = one(o, "proposal_review", proposalReview)
	reply.Strongest = one(o, "strongest_objection", objection)
	reply.Alternative = o.text("alternative")
	reply.AssumptionsChallenged = o.texts("assumptions_challenged")
	reply.Critical = each(o, "critical_because", assertion)
	reply.Checked = each(o, "checked", check)
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
	reply.Claims = claimsIn(o, "uncovered", newClaim)
	if option := enum(o, "final_option", debate.Keep, debate.Revise, debate.Reject); option != "" && !answersD0(reply.FinalOptions) {
		reply.FinalOptions = append(reply.FinalOptions, debate.FinalOption{Decision: "D0", Option: string(option)})
	}
}

func answersD0(options []debate.FinalOption) bool {
	return slices.ContainsFunc(options, func(f debate.FinalOption) bool { return f.Decision == "D0" })
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
	reply.ConvincedBy = one(o, "convinced_by", convinced)
	reply.Counters = each(o, "counter_arguments", counter)
}

func readFlags(o object, reply *debate.Reply) (lacks func() string) {
	said := bytes.HasPrefix(o.members["items"], []byte("["))
	reply.Flags = each(o, "items", flagged)
	return func() string { return unless(said, "it has no list of items") }
}

// readSheets reads the sheets of a SCORE. Where none can be used it says what the
// first one lacks.
func readSheets(o object, reply *debate.Reply) (lacks func() string) {
	readAssumptions(o, reply)
	first := ""
	reply.Sheets = each(o, "decisions", func(o object) (debate.Sheet, bool) {
		s, ok := sheet(o)
		first = cmp.Or(first, lackOf(s))
		return s, ok
	})
	why := cmp.Or(first, "it has no sheet in decisions: {\"id\", \"scores\"} for each question")
	return func() string { return unless(len(reply.Sheets) > 0, why) }
}

// lackOf says what a sheet lacks that cannot be used.
func lackOf(s debate.Sheet) string {
	switch {
	case s.Decision == "":
		return "the first sheet in decisions has no id"
	case !isID(s.Decision):
		return "the first sheet in decisions has no scores"
	}
	return "sheet " + s.Decision + " has no scores"
}

// isID reports whether a text looks like the id of something in the record.
func isID(s string) bool { return idForm().MatchString(s) }

// idForm has at most maxDigits digits.
var idForm = lazyregexp.New(`^[A-Z][0-9]{1,9}$`)

func readAssumptions(o object, reply *debate.Reply) {
	reply.WhyDisagree = o.text("why_disagree")
	reply.RightIf = o.text("right_if")
	reply.CoreAssumption = o.text("core_assumption")
	reply.TestableBy = o.text("testable_by")
}

func declared(o object) debate.Declared {
	return enum(o, "confidence", debate.DeclaredHigh, debate.DeclaredMed, debate.DeclaredLow)
}

func verdict(o object) (v debate.Verdict, unknown bool) {
	return word(o, "verdict", debate.VerdictAgree, debate.VerdictPartial, debate.VerdictDisagree)
}
