package prompt

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// argued is the rich debate with words in its threads.
func argued() debate.State {
	s := rich(plain(), "A title", "An intent.\n")
	cite := s.Book.Claims[0].Evidence
	s.Book.Claims = slices.Clone(s.Book.Claims)
	s.Book.Challenges = slices.Clone(s.Book.Challenges)
	s.Book.Claims[0].Thread = []debate.Turn{
		{Who: "gpt", Act: debate.Raise, Text: "first body"},
		{Who: "claude", Act: debate.Try, Text: "tried an empty file", Cites: cite},
	}
	s.Book.Claims[0].Suggestion, s.Book.Claims[0].Limit = "func b() {}", "only on Sundays"
	s.Book.Claims[0].Evaluations[0].UpgradeIf = "a test that fails"
	s.Book.Challenges[0].Thread = []debate.Turn{
		{Who: "gemini", Act: debate.Object, Text: "objection to the first", At: 1},
		{Who: "gpt", Act: debate.Act(debate.Rebuff), Text: "an early defence " + strings.Repeat("d", 1000), At: 2},
		{Who: "gemini", Act: debate.Act(debate.Maintain), Text: "gpt reads the wrong line " + strings.Repeat("m", 1400) + " END", Cites: cite, At: 3},
		{Who: "gpt", Act: debate.Act(debate.Partial), Text: "the last defence, granted on Sundays", At: 4},
	}
	return s
}

// TestThreadsAreHeard: the last word of each side is whole in the turn of whoever
// answers, weighs, judges, scores or arbitrates, older ones are short, and who
// must not know the names hears none (M08).
func TestThreadsAreHeard(t *testing.T) {
	t.Parallel()
	s := argued()
	for _, tt := range []struct {
		ask       debate.Ask
		challenge bool // it sees challenges
		names     bool
	}{
		{debate.Ask{Kind: debate.CallRespond, Party: "gpt", N: 2}, true, true},
		{debate.Ask{Kind: debate.CallRebut, Party: "gemini", N: 2}, true, true},
		{debate.Ask{Kind: debate.CallArbiter, Party: "arbiter", N: 3}, true, false},
		{debate.Ask{Kind: debate.CallJudge1, Party: "risk", N: 3, Decision: "D0"}, false, false},
		{debate.Ask{Kind: debate.CallScore, Party: "gemini", N: 3}, false, false},
	} {
		var turn struct {
			Claims []struct {
				ID, Suggestion, Limit string
				Thread                []spoken
			}
			Challenges []struct {
				ID        string
				UpgradeIf string `json:"upgrade_if"`
				Thread    []spoken
			}
		}
		text := rendered(stateFor(s, tt.ask), tt.ask, "").Turn
		if err := json.Unmarshal([]byte(text), &turn); err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"tried an empty file", " END", "the last defence, granted on Sundays", "func b() {}", "only on Sundays", "an early defence ddd"} {
			if !strings.Contains(text, words) {
				t.Errorf("%s does not hear %q", tt.ask.Kind, words)
			}
		}
		if strings.Contains(text, strings.Repeat("d", olderWord)) {
			t.Errorf("%s hears an older word at length", tt.ask.Kind)
		}
		if named := strings.Contains(text, "gpt reads") || strings.Contains(text, `"by":"gpt"`); named && !tt.names {
			t.Errorf("%s hears a name", tt.ask.Kind)
		}
		if tt.challenge {
			k := turn.Challenges[slices.IndexFunc(turn.Challenges, func(k struct {
				ID        string
				UpgradeIf string `json:"upgrade_if"`
				Thread    []spoken
			}) bool {
				return k.ID == "K1"
			})]
			if len(k.Thread) != 3 || k.UpgradeIf != "a test that fails" || len(k.Thread[1].Ref) != 1 {
				t.Errorf("%s: %+v", tt.ask.Kind, k)
			}
		}
	}
}

// TestThreadsAreBounded: whatever is said, a turn stays small enough to be sent.
func TestThreadsAreBounded(t *testing.T) {
	t.Parallel()
	s := argued()
	long, cite := strings.Repeat("w ", 1<<19), s.Book.Claims[0].Evidence[0]
	cite.Cite.Quote = long
	var said []debate.Turn
	for i := range 40 {
		said = append(said, debate.Turn{Who: []string{"gpt", "gemini", "claude", "qwen"}[i%4], Act: debate.Act(debate.Maintain), Text: long, Cites: []debate.Evidence{cite, cite, cite, cite, cite}})
	}
	claim, challenge := s.Book.Claims[0], s.Book.Challenges[0]
	claim.Thread, challenge.Thread = said, said
	claim.Evaluations, claim.Evidence, challenge.Evidence = nil, nil, nil
	s.Book.Claims, s.Book.Challenges = nil, nil
	for range mostClaims {
		s.Book.Claims, s.Book.Challenges = append(s.Book.Claims, claim), append(s.Book.Challenges, challenge)
	}
	for _, tt := range asks {
		if n := len(rendered(stateFor(s, tt.ask), tt.ask, "").Turn); n > 1<<20 {
			t.Errorf("%s: %d bytes", tt.file, n)
		}
	}
	s.Book.Claims, s.Book.Challenges = s.Book.Claims[:1], s.Book.Challenges[:1]
	ask := debate.Ask{Kind: debate.CallRespond, Party: "gpt", N: 2}
	if n := len(rendered(stateFor(s, ask), ask, "").Turn); n > 80<<10 {
		t.Errorf("one thread of a megabyte makes a turn of %d bytes", n)
	}
}
