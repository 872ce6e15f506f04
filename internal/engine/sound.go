package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
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
)

// fault is something wrong that may be said of a record, and whether it is so.
type fault struct {
	why  string
	isSo bool
}

// firstOf says the first fault that is so, or "".
func firstOf(faults ...fault) string {
	for _, c := range faults {
		if c.isSo {
			return c.why
		}
	}
	return ""
}

// endings are the ways in which a call ends.
var endings = []debate.CallStatus{
	debate.CallOK, debate.CallTimeout, debate.CallAuth, debate.CallNotFound, debate.CallRate, debate.CallOverloaded,
	debate.CallTooLong, debate.CallRefused, debate.CallMalformed, debate.CallError,
}

// unsound says what no engine would have recorded of a reply, or "". What a party
// says is data; what its words are read as is not.
func unsound(kind debate.CallKind, ev debate.Replied) string {
	why := firstOf(
		fault{"no call ends in this way", !slices.Contains(endings, ev.Status)},
		fault{"what was read contradicts how the call ended", !readAsEnded(ev)},
		fault{"how the call ended contradicts itself", ev.Detail != "" && ev.Status == debate.CallOK},
		fault{"how the call ended contradicts itself", ev.Late && ev.Status != debate.CallTimeout},
		fault{"its texts are too long", ev.Detail != oneLine(ev.Detail)},
		fault{"its texts are too long", max(len(ev.Raw), len(ev.Turn)) > maxRecorded},
		fault{"its digests are none", !isDigest(ev.PromptHash)},
		fault{"its digests are none", !isDigest(ev.ReplyHash)},
		fault{"its numbers are out of range", ev.Usage != bounded(ev.Usage)},
		fault{"its numbers are out of range", min(ev.Started, ev.Ended-ev.Started, int64(ev.Ignored)) < 0},
		fault{"its numbers are out of range", ev.Ignored > maxIgnored},
		fault{"its list of members that were left out is too long", len(ev.Dropped) > maxDropped},
		fault{"its list of members that were left out is too long", slices.ContainsFunc(ev.Dropped, isNoLine)},
	)
	if why == "" && ev.Reply != nil {
		why = unread(ev.Reply)
	}
	return why
}

// readAsEnded reports whether a record has a reply, and the way in which it was
// read, exactly where the call brought one.
func readAsEnded(ev debate.Replied) bool {
	isOK, readings := ev.Status == debate.CallOK, []debate.Reading{"", debate.ReadWrapped}
	if isOK {
		readings = []debate.Reading{debate.ReadJSON, debate.ReadObject, debate.ReadSections}
	}
	return isOK == (ev.Reply != nil) && slices.Contains(readings, ev.Reading)
}

func isNoLine(text string) bool { return text != oneLine(text) }

// isDigest reports whether a text is a SHA-256 in hex, or none.
func isDigest(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && slices.Contains([]int{0, sha256.Size}, len(raw))
}

// unread says what reading a reply never gives, or "".
func unread(reply *debate.Reply) string {
	data, err := json.Marshal(reply)
	if err != nil || len(data) > maxRecorded || len(reply.Claims) > maxNewOnes {
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
	if why != "" {
		return why
	}
	options := []string{string(debate.Keep), string(debate.Revise), string(debate.Reject)}
	return firstOf(
		fault{"the reply takes a disposition that is none", reply.Disposition == debate.Continue},
		fault{"the reply takes a disposition that is none", reply.Position != nil && reply.Position.Disposition == debate.Continue},
		fault{"the reply rates the round out of range", reply.Delta != nil && !inRange(reply.Delta.ValueBP, 0, 10_000)},
		fault{"the reply takes an option that D0 does not have", slices.ContainsFunc(reply.FinalOptions, func(f debate.FinalOption) bool {
			return f.Decision == "D0" && !slices.Contains(options, f.Option)
		})},
		fault{"the reply scores an option out of range", slices.ContainsFunc(reply.PerOption, func(a debate.Assessment) bool {
			return !inRange(a.Score, -1, 10)
		})},
		fault{"the reply doubts a claim that is none", slices.ContainsFunc(reply.SelfChallenges, func(c debate.SelfChallenge) bool {
			return c.Claim < 0
		})},
	)
}

func inRange(n, least, most int) bool { return min(max(n, least), most) == n }

// spelling lists the words of one enumeration that replies are read as.
type spelling struct {
	enum  reflect.Type
	words []string
}

func spelt[E ~string](values ...E) spelling {
	s := spelling{enum: reflect.TypeFor[E]()}
	for _, v := range values {
		s.words = append(s.words, string(v))
	}
	return s
}

// spellings are the enumerations of replies. One that is missing here has no word
// that is known, so that a new one is noticed.
var spellings = []spelling{
	spelt(debate.Keep, debate.Revise, debate.Reject, debate.Continue),
	spelt(debate.DeclaredHigh, debate.DeclaredMed, debate.DeclaredLow),
	spelt(debate.Empirical, debate.Value, debate.Proposal),
	spelt(debate.P1, debate.P2, debate.P3),
	spelt(debate.Categories()...),
	spelt(debate.Right, debate.Left),
	spelt(debate.Stands, debate.Fixed),
	spelt(debate.VerdictAgree, debate.VerdictPartial, debate.VerdictDisagree),
	spelt(debate.StrengthNone, debate.StrengthMinor, debate.StrengthStrong),
	spelt(debate.ClassAgree, debate.ClassSkeptical, debate.ClassReject, debate.ClassIllFormed),
	spelt(debate.Supports, debate.Contradicts, debate.Irrelevant),
	spelt( // the procedural triggers come from how the debate went
		debate.TriggerArchitecture, debate.TriggerDeploy, debate.TriggerSecurity, debate.TriggerDestructiveSchema,
		debate.TriggerMoney, debate.TriggerGovernance, debate.TriggerIrreversible,
	),
	spelt(debate.FatalYes, debate.FatalNo, debate.FatalMitigable),
	spelt(debate.Accept, debate.Partial, debate.Rebuff, debate.Maintain, debate.Escalate),
	spelt(debate.MissingData, debate.Definitional, debate.Criteria),
	spelt(debate.FlagUnsupported, debate.FlagUnjustified, debate.FlagNotBlocked, debate.FlagOK),
}

// known reports whether a value is no enumeration, or a word of one.
func known(v reflect.Value) bool {
	isEnum := v.Kind() == reflect.String && v.Type() != reflect.TypeFor[string]()
	if !isEnum || v.Len() == 0 {
		return true
	}
	own := lists.Find(spellings, func(s spelling) bool { return s.enum == v.Type() })
	return slices.Contains(own.words, v.String())
}
