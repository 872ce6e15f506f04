package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestUnsound: what an engine records of a call is within its bounds and does not
// contradict itself; the last that is within them is taken.
func TestUnsound(t *testing.T) {
	t.Parallel()
	const (
		ending   = "no call ends in this way"
		read     = "what was read contradicts how the call ended"
		itself   = "how the call ended contradicts itself"
		long     = "its texts are too long"
		digests  = "its digests are none"
		numbers  = "its numbers are out of range"
		leftOut  = "its list of members that were left out is too long"
		tooLarge = "the reply is too large"
	)
	failed := func(status debate.CallStatus, detail string) func(*debate.Replied) {
		return func(ev *debate.Replied) {
			ev.Status, ev.Detail, ev.Reply, ev.Reading = status, detail, nil, ""
		}
	}
	for name, row := range map[string]struct {
		edit func(*debate.Replied)
		want string
	}{
		"as it is":                     {func(*debate.Replied) {}, ""},
		"read out of a text":           {func(ev *debate.Replied) { ev.Reading = debate.ReadObject }, ""},
		"read from sections":           {func(ev *debate.Replied) { ev.Reading = debate.ReadSections }, ""},
		"a timeout":                    {failed(debate.CallTimeout, "no reply in 60s"), ""},
		"a late reply":                 {func(ev *debate.Replied) { failed(debate.CallTimeout, "")(ev); ev.Late = true }, ""},
		"a reply that cannot be read":  {func(ev *debate.Replied) { failed(debate.CallMalformed, "")(ev); ev.Reading = debate.ReadWrapped }, ""},
		"an ending that is none":       {failed("splendid", ""), ending},
		"no reply":                     {func(ev *debate.Replied) { ev.Reply = nil }, read},
		"read in no way":               {func(ev *debate.Replied) { ev.Reading = "" }, read},
		"read in a way of what failed": {func(ev *debate.Replied) { ev.Reading = debate.ReadWrapped }, read},
		"failed, with a reply":         {func(ev *debate.Replied) { ev.Status, ev.Reading = debate.CallError, "" }, read},
		"failed, and read":             {func(ev *debate.Replied) { failed(debate.CallError, "")(ev); ev.Reading = debate.ReadJSON }, read},
		"a good reply that failed":     {func(ev *debate.Replied) { ev.Detail = "the key is refused" }, itself},
		"late, and good":               {func(ev *debate.Replied) { ev.Late = true }, itself},
		"late, and refused":            {func(ev *debate.Replied) { failed(debate.CallAuth, "")(ev); ev.Late = true }, itself},
		"two lines of detail":          {failed(debate.CallError, "a\nb"), long},
		"a detail that is too long":    {failed(debate.CallError, strings.Repeat("x", maxDetail+1)), long},
		"the longest texts": {func(ev *debate.Replied) {
			ev.Raw, ev.Turn = strings.Repeat("x", maxRecorded), strings.Repeat("x", maxRecorded)
		}, ""},
		"raw text that is too long":         {func(ev *debate.Replied) { ev.Raw = strings.Repeat("x", maxRecorded+1) }, long},
		"a turn that is too long":           {func(ev *debate.Replied) { ev.Turn = strings.Repeat("x", maxRecorded+1) }, long},
		"no digests":                        {func(ev *debate.Replied) { ev.PromptHash, ev.ReplyHash = "", "" }, ""},
		"a short digest of the prompt":      {func(ev *debate.Replied) { ev.PromptHash = ev.PromptHash[:62] }, digests},
		"a digest of the prompt in letters": {func(ev *debate.Replied) { ev.PromptHash = strings.Repeat("x", 64) }, digests},
		"a short digest of the reply":       {func(ev *debate.Replied) { ev.ReplyHash = ev.ReplyHash[:62] }, digests},
		"money back":                        {func(ev *debate.Replied) { ev.Usage.CostMicro = -1 }, numbers},
		"it took no time":                   {func(ev *debate.Replied) { ev.Started, ev.Ended = 0, 0 }, ""},
		"it began before all time":          {func(ev *debate.Replied) { ev.Started = -1 }, numbers},
		"it ended before it began":          {func(ev *debate.Replied) { ev.Ended = ev.Started - 1 }, numbers},
		"members that are fewer than none":  {func(ev *debate.Replied) { ev.Ignored = -1 }, numbers},
		"as many unknown members as may be": {func(ev *debate.Replied) { ev.Ignored = maxIgnored }, ""},
		"more unknown members":              {func(ev *debate.Replied) { ev.Ignored = maxIgnored + 1 }, numbers},
		"as many left out as may be":        {func(ev *debate.Replied) { ev.Dropped = slices.Repeat([]string{"claims[0]"}, maxDropped) }, ""},
		"more left out":                     {func(ev *debate.Replied) { ev.Dropped = slices.Repeat([]string{"claims[0]"}, maxDropped+1) }, leftOut},
		"a name that is no line":            {func(ev *debate.Replied) { ev.Dropped = []string{"fine", "a\nb"} }, leftOut},
		"as many claims as may be":          {func(ev *debate.Replied) { ev.Reply.Claims = make([]debate.NewClaim, maxNewOnes) }, ""},
		"more claims":                       {func(ev *debate.Replied) { ev.Reply.Claims = make([]debate.NewClaim, maxNewOnes+1) }, tooLarge},
		"a reply that is too long":          {func(ev *debate.Replied) { ev.Reply.Summary = strings.Repeat("x", maxRecorded) }, tooLarge},
	} {
		ev := debate.Replied{
			Ask: "OPEN/0/gpt", Status: debate.CallOK, Reading: debate.ReadJSON, Reply: &debate.Reply{Summary: "fine"},
			PromptHash: digest("prompt"), ReplyHash: digest("reply"), Started: 10, Ended: 20, Usage: debate.Usage{TokensIn: 7},
		}
		row.edit(&ev)
		if why := unsound(debate.CallOpen, ev); why != row.want {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestUnread: what no reply is read as, each word and number of it.
func TestUnread(t *testing.T) {
	t.Parallel()
	const (
		disposition = "the reply takes a disposition that is none"
		round       = "the reply rates the round out of range"
		option      = "the reply takes an option that D0 does not have"
		score       = "the reply scores an option out of range"
		doubt       = "the reply doubts a claim that is none"
		list        = "a list of the reply is too long"
	)
	rated := func(bp int) debate.Reply { return debate.Reply{Delta: &debate.Rating{ValueBP: bp}} }
	scored := func(n int) debate.Reply {
		return debate.Reply{PerOption: []debate.Assessment{{Option: "keep", Score: n}}}
	}
	takes := func(decision, option string) debate.Reply {
		return debate.Reply{FinalOptions: []debate.FinalOption{{Decision: decision, Option: option}}}
	}
	for name, row := range map[string]struct {
		reply debate.Reply
		want  string
	}{
		"nothing":                       {debate.Reply{}, ""},
		"it answers with Accept":        {debate.Reply{Answers: []debate.Answer{{Move: debate.Accept}}}, ""},
		"it answers with Partial":       {debate.Reply{Answers: []debate.Answer{{Move: debate.Partial}}}, ""},
		"it answers with Rebuff":        {debate.Reply{Answers: []debate.Answer{{Move: debate.Rebuff}}}, ""},
		"it answers with Maintain":      {debate.Reply{Answers: []debate.Answer{{Move: debate.Maintain}}}, ""},
		"it answers with Escalate":      {debate.Reply{Answers: []debate.Answer{{Move: debate.Escalate}}}, ""},
		"a word that is known":          {debate.Reply{Disposition: debate.Revise, Strength: debate.StrengthMinor}, ""},
		"a word of another enumeration": {debate.Reply{Strength: "keep"}, "the reply has a Strength that nobody knows"},
		"undecided":                     {debate.Reply{Disposition: debate.Continue}, disposition},
		"a position":                    {debate.Reply{Position: &debate.Restated{Disposition: debate.Keep}}, ""},
		"an undecided position":         {debate.Reply{Position: &debate.Restated{Disposition: debate.Continue}}, disposition},
		"a round of no use":             {rated(0), ""},
		"a round of all use":            {rated(10_000), ""},
		"a round of less than no use":   {rated(-1), round},
		"a round of more than all use":  {rated(10_001), round},
		"an option of D0":               {takes("D0", "reject"), ""},
		"an option that D0 has not":     {takes("D0", "merge"), option},
		"an option of another decision": {takes("D1", "merge"), ""},
		"no score":                      {scored(-1), ""},
		"the highest score":             {scored(10), ""},
		"a lower score than none":       {scored(-2), score},
		"a higher score than the last":  {scored(11), score},
		"it doubts its first claim":     {debate.Reply{SelfChallenges: []debate.SelfChallenge{{Claim: 0}}}, ""},
		"it doubts a claim before that": {debate.Reply{SelfChallenges: []debate.SelfChallenge{{Claim: -1}}}, doubt},
		"the longest list":              {debate.Reply{Reasoning: make([]string, maxEntries)}, ""},
		"a list that is longer":         {debate.Reply{Reasoning: make([]string, maxEntries+1)}, list},
	} {
		if why := unread(&row.reply); why != row.want {
			t.Errorf("%s: %q", name, why)
		}
	}
}
