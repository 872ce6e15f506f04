package prompt

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// opened is a debate in which three parties have opened, each unseen by the others.
func opened() debate.State {
	s := rich(plain(), "t", "b")
	s.Table.Primary = "gpt"
	for _, party := range []string{"gpt", "gemini", "claude"} {
		s.Talk.Openings = append(s.Talk.Openings, debate.Opened{
			Party: party, Disposition: debate.Revise, Summary: "summary of " + party, Reasoning: []string{"reason of " + party},
			Weaknesses: []string{"weakness of " + party}, Assumptions: []string{"assumption of " + party},
		})
	}
	return s
}

// TestOpenings: whoever weighs what all parties found has all of their reasons
// before it, and the primary is asked for its new position. Nobody has where the
// primary opened alone, or before the openings are in (M01).
func TestOpenings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		opening  debate.Opening
		kind     debate.CallKind
		party    string
		shown    bool
		position bool
	}{
		{"", debate.CallChallenge, "gpt", true, true},
		{"", debate.CallChallenge, "gemini", true, false},
		{"", debate.CallOpen, "gemini", false, false},
		{debate.OpenPosition, debate.CallChallenge, "gemini", false, false},
	} {
		s := opened()
		s.Received.Settings.Opening = tt.opening
		turn := rendered(s, debate.Ask{Kind: tt.kind, Party: tt.party, N: 1}, "").Turn
		for _, party := range []string{"gpt", "gemini", "claude"} {
			for _, what := range []string{"summary of ", "reason of ", "weakness of ", "assumption of "} {
				if strings.Contains(turn, what+party) != tt.shown {
					t.Errorf("%s %s, opening %q: %s%s is shown: %v", tt.kind, tt.party, tt.opening, what, party, !tt.shown)
				}
			}
		}
		if asked := strings.Contains(turn, "The position is your own"); asked != tt.position {
			t.Errorf("%s %s: asked for a new position: %v", tt.kind, tt.party, asked)
		}
	}
}

// TestOpeningsAreBounded: however many parties say however much, the openings take a
// few pages, and each of them its share.
func TestOpeningsAreBounded(t *testing.T) {
	t.Parallel()
	s := opened()
	long := strings.Repeat("words ", 1000)
	s.Talk.Openings = nil
	for range 30 {
		o := debate.Opened{Party: "gemini", Summary: long}
		for range 20 {
			o.Reasoning = append(o.Reasoning, long)
		}
		s.Talk.Openings = append(s.Talk.Openings, o)
	}
	shown, size := (turner{s: s, ask: debate.Ask{Kind: debate.CallChallenge, Party: "gpt"}}).openings(), 0
	for _, o := range shown {
		if o.Summary == "" {
			t.Error("an opening has no share")
		}
		size += len(o.Summary) + len(strings.Join(o.Reasoning, ""))
	}
	if len(shown) != 30 || size > openingsBytes+30*len(" [cut]")*2 {
		t.Errorf("%d openings take %d bytes", len(shown), size)
	}
}

// TestReminderOfClaim: a claim that the primary was asked to weigh and did not is
// marked the second time (M07b).
func TestReminderOfClaim(t *testing.T) {
	t.Parallel()
	s := rich(plain(), "t", "b")
	s.Book.Claims[1].Bucket, s.Table.Primary = "", "gpt"
	for passed := range 2 {
		s.Book.Claims[1].Passed = passed
		turn := rendered(s, debate.Ask{Kind: debate.CallRespond, Party: "gpt", N: 2}, "").Turn
		if has := strings.Contains(turn, `"reminder":true,"evidence"`); has != (passed == 1) {
			t.Errorf("passed over %d times: a reminder is %v", passed, has)
		}
	}
}
