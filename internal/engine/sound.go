package engine

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// The bounds of what a record may say of one reply. They lie beyond everything
// that this process would record itself: redaction makes texts longer.
const (
	maxRecorded = 16 * model.MaxReply // bytes of a reply, and of its raw text
	maxEntries  = 4096                // of a list
	maxNewOnes  = 200                 // claims of a reply
	maxDropped  = 101                 // names of members that were left out
	maxIgnored  = 1 << 20             // members that nobody knows
	maxScore    = 10
)

// unsound says what no engine would have recorded of a reply, or "". What a party
// says is data; what its words are read as is not (T59).
func unsound(kind debate.CallKind, ev debate.Replied) string {
	switch ev.Status {
	case debate.CallOK, debate.CallTimeout, debate.CallAuth, debate.CallNotFound, debate.CallRate, debate.CallOverloaded,
		debate.CallTooLong, debate.CallRefused, debate.CallMalformed, debate.CallError:
	default:
		return "no call ends in this way"
	}
	read := ev.Reading == debate.ReadJSON || ev.Reading == debate.ReadObject || ev.Reading == debate.ReadSections
	switch ok := ev.Status == debate.CallOK; {
	case ok != (ev.Reply != nil), ok != read, !ok && ev.Reading != "" && ev.Reading != debate.ReadWrapped:
		return "what was read contradicts how the call ended"
	case ok && ev.Detail != "", ev.Late && ev.Status != debate.CallTimeout:
		return "how the call ended contradicts itself"
	case ev.Detail != oneLine(ev.Detail), len(ev.Raw) > maxRecorded:
		return "its texts are too long"
	case !isDigest(ev.PromptHash), !isDigest(ev.ReplyHash):
		return "its digests are none"
	case ev.Started < 0, ev.Ended < ev.Started, ev.Usage != bounded(ev.Usage), ev.Ignored < 0, ev.Ignored > maxIgnored:
		return "its numbers are out of range"
	case len(ev.Dropped) > maxDropped, slices.ContainsFunc(ev.Dropped, func(name string) bool { return name != oneLine(name) }):
		return "its list of members that were left out is too long"
	case ev.Reply == nil:
		return ""
	}
	return unread(kind, ev.Reply)
}

// isDigest reports whether a text is a SHA-256 in hex, or none.
func isDigest(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && (len(raw) == 32 || text == "")
}

// unread says what reading a reply never gives, or "".
func unread(kind debate.CallKind, reply *debate.Reply) string {
	if data, err := json.Marshal(reply); err != nil || len(data) > maxRecorded || len(reply.Claims) > maxNewOnes {
		return "the reply is too large"
	}
	why := ""
	visit(reflect.ValueOf(reply), func(v reflect.Value) bool {
		switch {
		case !known(v):
			why = fmt.Sprintf("the reply has a %s that nobody knows", v.Type().Name())
		case v.Kind() == reflect.Slice && v.Len() > maxEntries:
			why = "a list of the reply is too long"
		}
		return why == ""
	})
	switch {
	case why != "":
		return why
	case reply.Disposition == debate.Continue, reply.Position != nil && reply.Position.Disposition == debate.Continue:
		return "the reply takes a disposition that is none"
	case reply.Delta != nil && (reply.Delta.ValueBP < 0 || reply.Delta.ValueBP > 10_000):
		return "the reply rates the round out of range"
	}
	for _, a := range reply.Answers {
		if kind == debate.CallRebut && (a.Move == debate.Partial || a.Move == debate.Rebuff) ||
			kind == debate.CallRespond && (a.Move == debate.Maintain || a.Move == debate.Escalate) {
			return "the reply answers with a move of the other side"
		}
	}
	for _, f := range reply.FinalOptions {
		if f.Decision == "D0" && f.Option != string(debate.Keep) && f.Option != string(debate.Revise) && f.Option != string(debate.Reject) {
			return "the reply takes an option that D0 does not have"
		}
	}
	for _, a := range reply.PerOption {
		if a.Score < -1 || a.Score > maxScore {
			return "the reply scores an option out of range"
		}
	}
	for _, c := range reply.SelfChallenges {
		if c.Claim < 0 {
			return "the reply doubts a claim that is none"
		}
	}
	return ""
}

// known reports whether a value is no enumeration, or one of a spelling that
// replies are read as. Enumerations are known by their types, so that a new one
// that is missing here fails.
func known(v reflect.Value) bool {
	if v.Kind() != reflect.String || v.Len() == 0 {
		return true
	}
	switch x := v.Interface().(type) {
	case string:
		return true
	case debate.Disposition:
		return x == debate.Keep || x == debate.Revise || x == debate.Reject || x == debate.Continue
	case debate.Declared:
		return x == debate.DeclaredHigh || x == debate.DeclaredMed || x == debate.DeclaredLow
	case debate.ClaimKind:
		return x == debate.Empirical || x == debate.Value || x == debate.Proposal
	case debate.Severity:
		return x == debate.P1 || x == debate.P2 || x == debate.P3
	case debate.Category:
		return slices.Contains([]debate.Category{
			debate.Correctness, debate.Security, debate.DataLoss, debate.Reliability, debate.Performance,
			debate.Compatibility, debate.Maintainability, debate.Design, debate.Docs,
		}, x)
	case debate.Side:
		return x == debate.Right || x == debate.Left
	case debate.CarriedClass:
		return x == debate.Stands || x == debate.Fixed
	case debate.Verdict:
		return x == debate.VerdictAgree || x == debate.VerdictPartial || x == debate.VerdictDisagree
	case debate.Strength:
		return x == debate.StrengthNone || x == debate.StrengthMinor || x == debate.StrengthStrong
	case debate.Class:
		return x == debate.ClassAgree || x == debate.ClassSkeptical || x == debate.ClassReject || x == debate.ClassIllFormed
	case debate.View:
		return x == debate.Supports || x == debate.Contradicts || x == debate.Irrelevant
	case debate.TriggerID: // the procedural ones come from how the debate went
		return slices.Contains([]debate.TriggerID{
			debate.TriggerArchitecture, debate.TriggerDeploy, debate.TriggerSecurity, debate.TriggerDestructiveSchema,
			debate.TriggerMoney, debate.TriggerGovernance, debate.TriggerIrreversible,
		}, x)
	case debate.Fatal:
		return x == debate.FatalYes || x == debate.FatalNo || x == debate.FatalMitigable
	case debate.Move:
		return slices.Contains([]debate.Move{debate.Accept, debate.Partial, debate.Rebuff, debate.Maintain, debate.Escalate}, x)
	case debate.DeadlockClass:
		return x == debate.MissingData || x == debate.Definitional || x == debate.Criteria
	case debate.Flag:
		return x == debate.FlagUnsupported || x == debate.FlagUnjustified || x == debate.FlagNotBlocked || x == debate.FlagOK
	}
	return false
}
