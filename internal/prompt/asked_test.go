package prompt

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// Who weighs is told how to evaluate claims where there are some of others, and how to
// choose where there is a choice. Whether the change is merged, it says anyway.
func TestChallengeAsksForWhatThereIs(t *testing.T) {
	t.Parallel()
	merge, way := debate.Decision{ID: "D0", Question: "Merge it?"}, debate.Decision{ID: "D1", Question: "Which way?"}
	own, other := debate.Claim{ID: "F1", Owner: "gpt"}, debate.Claim{ID: "F2", Owner: "claude"}
	for name, tt := range map[string]struct {
		kind      debate.CallKind
		claims    []debate.Claim
		decisions []debate.Decision
		inquiry   *debate.Inquiry
		want      string // members that are asked for, and then those that are shown
	}{
		"nothing":            {debate.CallChallenge, nil, []debate.Decision{merge}, nil, ""},
		"its own claim":      {debate.CallChallenge, []debate.Claim{own}, []debate.Decision{merge}, nil, "claims"},
		"a claim of another": {debate.CallChallenge, []debate.Claim{own, other}, []debate.Decision{merge}, nil, "evaluations claims"},
		"a choice":           {debate.CallChallenge, nil, []debate.Decision{merge, way}, nil, "final_options decisions"},
		"of a question":      {debate.CallChallenge, nil, []debate.Decision{merge}, &debate.Inquiry{Framing: debate.Framings()[0]}, "decisions"},
	} {
		s := debate.State{}
		s.Received.Inquiry, s.Book.Claims, s.Agenda.Decisions = tt.inquiry, tt.claims, tt.decisions
		ask := debate.Ask{Kind: tt.kind, Party: "gpt", N: 1}
		request, shown := (turner{s: s, ask: ask}).request(), turnOf(t, rendered(s, ask, "").Turn)
		var got []string
		for _, member := range []string{"evaluations", "final_options"} {
			if strings.Contains(request, "`"+member+"[]`") {
				got = append(got, member)
			}
		}
		for _, member := range []string{"claims", "decisions"} {
			if _, there := shown[member]; there {
				got = append(got, member)
			}
		}
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s: %v, want %s\n%s", name, got, tt.want, request)
		}
	}
}

// A primary whose own challenge was answered is asked whether the answer holds, and only
// then.
func TestPrimaryJudgesAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		attacker string
		status   debate.ChallengeStatus
		deadlock debate.DeadlockClass
		want     bool
	}{
		"answered":                {"claude", debate.Defended, "", true},
		"not answered yet":        {"claude", debate.Open, "", false},
		"classified as deadlock":  {"claude", debate.Defended, debate.Criteria, false},
		"settled":                 {"claude", debate.Resolved, "", false},
		"of another one":          {"gpt", debate.Defended, "", false},
		"the program's reminder":  {debate.EngineParty, debate.Open, "", false},
		"maintained to the end":   {"claude", debate.Upheld, "", false},
		"withdrawn with a reason": {"claude", debate.Conceded, "", false},
	} {
		s := debate.State{}
		s.Book.Challenges = []debate.Challenge{{ID: "K1", Claim: "F1", Attacker: tt.attacker, Defender: "gemini", Kind: debate.Skeptical, Status: tt.status, Deadlock: tt.deadlock}}
		request := (turner{s: s, ask: debate.Ask{Kind: debate.CallRespond, Party: "claude", N: 3}}).request()
		if got := strings.Contains(request, "- MAINTAIN:"); got != tt.want {
			t.Errorf("%s: it is asked: %v", name, got)
		}
	}
}
